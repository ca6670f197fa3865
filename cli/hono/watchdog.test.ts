/** Calls that compute without end, in a process of somebody else's: they are ended, the process never is. */
import { expect, test } from 'vitest';
import { startHono } from '../../test/harness/hono-server.ts';
import { post } from '../../test/harness/server.ts';
import { folderWith } from '../../test/harness/svc-process.ts';

const program = `
import from "./spin.js" { spin }
node Note { has text: str; }
walker:pub Endless { can go with Root entry { here ++> Note(text="lost"); while True {} } }
walker:pub Notes { can go with Root entry { report len([-->][?:Note]); } }
walker:pub Foreign { can go with Root entry { spin(3000); report "back"; } }
`;
/** JavaScript that is not compiled here: it never asks whether its time is up. */
const spin = 'export function spin(ms) { const end = Date.now() + ms; while (Date.now() < end); }\n';
const env = { SVC_SERVE_REQUEST_TIMEOUT_SECONDS: '1', SVC_LOGGING_FORMAT: 'json' };

test('a call that computes without end gets 504 at its limit; the process serves on', async () => {
  using folder = folderWith({ 'main.svc': program, 'spin.js': spin });
  await using server = await startHono(folder.path, env, '/api');
  const [ended, own] = await Promise.all([post(server.base, '/walker/Endless'), fetch(`${server.origin}/own`)]);
  expect(ended).toMatchObject({ ok: false, status: 504, error: { code: 'EXECUTION_TIMEOUT' } });
  expect(await own.text()).toBe('own');
  expect((await post(server.base, '/walker/Notes')).reports).toEqual([0]);
  expect((await post(server.base, '/walker/Endless')).status).toBe(504);
  expect(await server.stop()).toBe(0);
});

test('what cannot be ended is told once and goes on; the process is not ended', async () => {
  using folder = folderWith({ 'main.svc': program, 'spin.js': spin });
  await using server = await startHono(folder.path, env);
  expect((await post(server.base, '/walker/Foreign')).reports).toEqual(['back']);
  expect((await post(server.base, '/walker/Notes')).reports).toEqual([0]);
  const told = server.output().match(/walker Foreign [^"]*cannot be ended[^"]*/g);
  expect(told).toEqual([expect.stringMatching(/at spin\.js:1: the process does nothing else until it returns$/)]);
  expect(await server.stop()).toBe(0);
});

test('long work of the surrounding server is none of its business, also while a call waits', async () => {
  const waiting =
    'import asyncio;\nwalker:pub Waits { async can go with Root entry { await asyncio.sleep(0.5); report 1; } }\n';
  using folder = folderWith({ 'main.svc': waiting });
  await using server = await startHono(folder.path, {
    SVC_SERVE_REQUEST_TIMEOUT_SECONDS: '20',
    SVC_LOGGING_FORMAT: 'json',
  });
  const call = post(server.base, '/walker/Waits');
  expect(await (await fetch(`${server.origin}/busy/2500`)).text()).toBe('done');
  expect((await call).reports).toEqual([1]);
  expect(server.output()).not.toMatch(/cannot be ended|"level":"(error|fatal)"/);
  expect(await server.stop()).toBe(0);
});
