/** Limits and rules of live subscriptions that need settings of their own (docs/server/live.md). */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { LiveClient } from '../harness/live-client.ts';
import { type RunningServer, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { post, signUp } from '../harness/topics.ts';

const program = `
import asyncio;
node Note { has text: str; }
walker Add { has text: str; can go with Root entry { here ++> Note(text=self.text); } }
walker Clear { can go with Root entry { for note in [-->[?:Note]] { del note; } } }
walker Notes { can go with Root entry { report [note.text for note in [-->[?:Note]]]; } }
walker Slow { async can go with Root entry {
    if len([-->[?:Note]]) == 1 { await asyncio.sleep(30); }
    report "fast";
} }
walker:pub Nothing { can go with Root entry { report 1; } }
`;
const settings = `[project]
name = "rules"
[plugins.scale.jwt]
leeway_seconds = 1
[plugins.scale.live]
run_timeout_seconds = 5
max_result_bytes = 2000
max_per_user = 3
[plugins.scale.cors]
allow_origins = ["https://here.example"]
[plugins.scale.websocket]
max_message_bytes = 4096
[plugins.scale.metrics]
enabled = true
`;
const secret = 'k'.repeat(64);
const folder = folderWith({ 'main.svc': program, 'svc.toml': settings });
let server: RunningServer;
let people = 0;
beforeAll(async () => {
  server = await startServer({ folder: folder.path, env: { JWT_SECRET: secret } });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});
const person = () => signUp(server, `person${++people}@example.com`);
const call = async (name: string, fields: object, token: string) => {
  expect((await post(server, `/walker/${name}`, fields, token)).status).toBe(200);
};

/** The same token with another end. */
function endingAt(token: string, expiresAt: number): string {
  const [head, body] = token.split('.');
  const claims = JSON.parse(Buffer.from(body!, 'base64url').toString());
  const changed = `${head}.${Buffer.from(JSON.stringify({ ...claims, exp: expiresAt })).toString('base64url')}`;
  return `${changed}.${createHmac('sha256', secret).update(changed).digest('base64url')}`;
}

test.concurrent('a result above its limit and a run above its time: the end of a first run, later a step on the way', async () => {
  const ada = await person();
  const live = await LiveClient.open(server.base, ada);
  for (const walker of ['Notes', 'Slow']) live.subscribe(walker, walker);
  const [notes, slow] = [await live.of('Notes'), await live.next(({ id }) => id === 'Slow')];
  await call('Add', { text: 'x'.repeat(3000) }, ada);
  const errors = [
    await live.next(({ error }) => error !== undefined),
    await live.next(({ error }) => error !== undefined),
  ];
  expect(errors.map(({ id, error, final }) => [id, error!.code, final])).toEqual([
    ['Notes', 'LIMIT_REACHED', false],
    ['Slow', 'EXECUTION_TIMEOUT', false],
  ]);
  const late = await LiveClient.open(server.base, ada);
  late.subscribe('late', 'Notes');
  expect(await late.of('late')).toMatchObject({ final: true, error: { code: 'LIMIT_REACHED' } });
  await call('Clear', {}, ada);
  const again = [await live.next(({ type }) => type === 'result'), await live.next(({ type }) => type === 'result')];
  const ofWalker = (name: string) => again.find(({ id }) => id === name)!;
  expect(ofWalker('Notes')).toMatchObject({ version: notes.version! + 1, digest: notes.digest });
  expect(ofWalker('Slow')).toMatchObject({ version: slow.version! + 1, digest: slow.digest });
  const metrics = await (await fetch(`${server.base}/metrics`)).text();
  expect(Number(/live_latency_seconds_count(?:\{\})? (\d+)/.exec(metrics)![1])).toBeGreaterThan(0);
  for (const one of [live, late]) one.close();
});

test.concurrent('a token ends its connection at its end and the leeway, before any later value', async () => {
  const ada = await person();
  const endsAt = Math.floor(Date.now() / 1000) + 8;
  const live = await LiveClient.open(server.base, endingAt(ada, endsAt));
  live.subscribe('n', 'Notes');
  expect((await live.of('n')).data!.reports).toEqual([[]]);
  // One that is renewed in time stays.
  const kept = await LiveClient.open(server.base, endingAt(ada, endsAt));
  kept.say({ type: 'token', token: ada });
  kept.subscribe('n', 'Notes');
  await kept.of('n');
  expect(await live.closed).toEqual({ code: 4401, reason: 'expired' });
  expect(Date.now() / 1000).toBeGreaterThanOrEqual(endsAt + 1);
  await call('Add', { text: 'later' }, ada);
  expect(live.raw.join('')).not.toContain('later');
  // The leeway, the end of its second, and a while.
  while (Date.now() / 1000 < endsAt + 3.5) await new Promise((resolve) => setTimeout(resolve, 100));
  await call('Add', { text: 'still' }, ada);
  await kept.until('n', [['later', 'still']]);
  kept.close();
});

test('one user has 50 connections; guests have no limit of subscriptions', async () => {
  const ada = await person();
  const lives = await Promise.all(Array.from({ length: 50 }, () => LiveClient.open(server.base, ada)));
  const late = await LiveClient.open(server.base, ada);
  expect(await late.closed).toEqual({ code: 4403, reason: 'CAPACITY' });
  expect(late.frames).toMatchObject([{ type: 'error', error: { code: 'CAPACITY' } }]);
  // A guest who signs in is one of them.
  const guest = await LiveClient.open(server.base);
  const all = Array.from({ length: 20 }, (_, i) => ({ id: i, walker: 'Nothing' }));
  guest.say({ type: 'subscribe', all });
  await guest.of(19);
  expect(guest.frames.map(({ type }) => type)).toEqual(all.map(() => 'result'));
  guest.say({ type: 'token', token: ada });
  expect(await guest.closed).toEqual({ code: 4403, reason: 'CAPACITY' });
  lives.pop()!.close();
  for (let isIn = false; !isIn; ) {
    const one = await LiveClient.open(server.base, ada);
    one.subscribe('n', 'Notes');
    const { type } = await one.next();
    if (type === 'result') {
      lives.push(one);
      isIn = true;
    }
  }
  for (const live of lives) live.close();
});

test('what is no socket, comes from elsewhere, is binary or too large', async () => {
  const plain = await fetch(`${server.base}/live`);
  expect([plain.status, ((await plain.json()) as any).error.code]).toEqual([426, 'UPGRADE_REQUIRED']);
  const from = (origin: string) => LiveClient.open(server.base, undefined, { origin });
  await expect(from('https://elsewhere.example')).rejects.toThrow('403');
  (await from('https://here.example')).close();
  const binary = await LiveClient.open(server.base);
  binary.socket.send(Buffer.from('{}'), { binary: true });
  expect((await binary.closed).code).toBe(1003);
  const large = await LiveClient.open(server.base);
  large.say({ type: 'subscribe', id: 'n', walker: 'Nothing', fields: { text: 'x'.repeat(5000) } });
  expect((await large.closed).code).toBe(4413);
  expect(large.frames).toMatchObject([{ error: { code: 'MESSAGE_TOO_LARGE' } }]);
  const named = new WebSocket(`${server.base.replace('http', 'ws')}/live`, ['svc.bearer.bad', 'svc.v1']);
  const refusal = await new Promise<string>((resolve) => named.on('error', ({ message }) => resolve(message)));
  expect(refusal).toContain('401');
});
