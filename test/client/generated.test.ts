/**
 * Generated clients: checked by TypeScript in its strictest form, used by an application in Node and in a browser against a real server, in
 * TypeScript and in JavaScript.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startProxy } from '../harness/cutting-proxy.ts';
import { runInReactNative } from '../harness/react-native.ts';
import { copyApp, type RunningServer, removeFolder, repository, runSvc, startServer } from '../harness/server.ts';
import { chromium, startPages } from './pages-of.ts';

const folder = copyApp(join(import.meta.dirname, 'generated'));
const tsc = join(repository, 'node_modules/.bin/tsc');
const strict =
  '--ignoreConfig --pretty false --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --noPropertyAccessFromIndexSignature --noImplicitReturns --noImplicitOverride --erasableSyntaxOnly --isolatedModules --types --lib es2022,dom,dom.iterable,dom.asynciterable --target es2022 --module esnext --moduleResolution bundler';

/** Lines that `use.ts` tells, whatever it runs in. */
const seen = [
  '401 UNAUTHORIZED: Authentication is required. (with a hint)',
  '401 UNAUTHORIZED: Invalid credentials (with a hint)',
  'registered NAME, signed in',
  'signed out: null',
  'refreshed: true',
  'me: NAME',
  'milk done shop Ulm 0 milk',
  'all: milk,bread',
  'done: milk',
  'renamed: oat milk',
  'by its id: milk',
  '422 EMPTY_TITLE: A task needs a title.',
  '422 VALIDATION_ERROR: title is required (with a hint)',
  '422 VALIDATION_ERROR: lane must be todo or done (with a hint)',
  'private: undefined',
  '404 NODE_NOT_FOUND: No such node. (with a hint)',
  'page 3, q a b, ids 1,2',
  'upload {"name":"a.txt","size":3,"note":"n"}',
  'add 3 6',
  'owner milk',
  'raw hi Ada',
  '500 EXECUTION_ERROR: ValueError: no',
  'stream 0,1,2,3',
  'number 0',
  'number 1',
  'number 2',
  '200 EXECUTION_ERROR: ValueError: three',
  'key true robot',
  'keys 0',
  '0 ABORTED: POST /walker/ListTasks: was given up',
  'shouted HELLO',
  'live milk,bread',
  'live milk,bread,eggs',
  'live sum 3.0',
  'NOT_READ_ONLY, final: true',
];

function told(lines: readonly string[], name: string): string[] {
  return lines.map((line) => line.replaceAll(name, 'NAME'));
}

async function generate(out: string): Promise<string> {
  const { code, stderr } = await runSvc(['generate', 'client', 'main.svc', '--out', out], { cwd: folder });
  const files = out.endsWith('.js') ? [out, out.replace('.js', '.d.ts')] : [out];
  expect([code, stderr]).toEqual([0, files.map((file) => `svc: ${file} was written\n`).join('')]);
  return readFileSync(join(folder, out), 'utf8');
}

describe('a generated client', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ folder, env: { SVC_ENV: 'development' } });
  });
  afterAll(async () => {
    await server?.stop();
    removeFolder(folder);
  });

  test('is right for the strictest TypeScript, and an unchanged program changes nothing', async () => {
    const text = await generate('api.ts');
    const { stdout } = spawnSync(tsc, [...strict.split(' '), '--outDir', 'out', 'api.ts', 'use.ts'], { cwd: folder });
    expect(String(stdout)).toBe('');
    expect((await runSvc(['generate', 'client', '-o', 'api.ts'], { cwd: folder })).stderr).toBe(
      'svc: api.ts is as it was\n',
    );
    expect((await runSvc(['generate', 'client'], { cwd: folder })).stdout).toBe(text);
  });

  function runInNode(directory: string, name: string): string[] {
    const script = join(folder, directory, 'node.mjs');
    const ws = JSON.stringify(join(repository, 'node_modules/ws/wrapper.mjs'));
    writeFileSync(
      script,
      `import { File } from 'node:buffer';
import { WebSocket } from ${ws};
import { createClient } from './api.js';
import { use } from './use.js';
globalThis.File ??= File;
const api = createClient({ baseUrl: ${JSON.stringify(server.base)}, WebSocket });
await use(api, ${JSON.stringify(name)}, (line) => console.log(line));
api.close();
`,
    );
    writeFileSync(join(folder, directory, 'package.json'), '{"type":"module"}');
    return told(execFileSync(process.execPath, [script], { encoding: 'utf8' }).trimEnd().split('\n'), name);
  }

  test('in TypeScript is used in Node', () => {
    expect(runInNode('out', 'ada@example.com')).toEqual(seen);
  });

  test('in JavaScript is used in Node', async () => {
    mkdirSync(join(folder, 'js'));
    const text = await generate('js/api.js');
    expect(text).not.toMatch(/^(import|export (interface|type)) /m);
    copyFileSync(join(folder, 'out/use.js'), join(folder, 'js/use.js'));
    expect(runInNode('js', 'bob@example.com')).toEqual(seen);
  });

  test('in JavaScript has its types beside it, for editors and whoever checks JavaScript', async () => {
    const app = join(folder, 'checked');
    mkdirSync(app);
    await generate('checked/api.js');
    const all = { allowJs: true, checkJs: true, noEmit: true, types: [] };
    writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions: all }));
    const check = (text: string) => {
      writeFileSync(join(app, 'app.js'), text);
      const options = strict.replace('--ignoreConfig', '-p .').replace(' --types', '').split(' ');
      return String(spawnSync(tsc, options, { cwd: app }).stdout);
    };
    const right = `import { ApiError, createClient, Lane } from './api.js';
/** @typedef {import('./api.js').Task} Task */
const api = createClient({ baseUrl: 'http://localhost:8000' });
const { reports } = await api.walkers.AddTask({ title: 'milk', lane: Lane.DONE });
/** @type {Task | undefined} */
const task = reports[0];
export const sum = (await api.functions.add({ a: 1 })) + (task?.title.length ?? 0);
for await (const n of api.functions.numbers({ n: 3 })) sum.toFixed(n);
export const codeOf = (/** @type {unknown} */ error) => (error instanceof ApiError ? error.code : error);
api.live.ListTasks({}, ({ reports }) => reports[0]?.title.trim());
`;
    expect(check(right)).toBe('');
    const wrong = check(
      `${right}await api.walkers.AddTask({ titel: 'milk' });\nLane.NEVER;\nreports[0]?.secret;\nnew ApiError(1, '');\n`,
    );
    const first = right.split('\n').length;
    const lines = [...wrong.matchAll(/^app\.js\((\d+),/gm)].map(([, line]) => Number(line) - first);
    expect(lines, wrong).toEqual([0, 1, 2, 3]);
    writeFileSync(join(app, 'api.d.ts'), 'export declare const mine: 1;\n');
    const { stderr } = await runSvc(['generate', 'client', 'main.svc', '--out', 'checked/api.js'], { cwd: folder });
    expect(stderr).toBe(
      'svc: checked/api.js is as it was\nsvc: checked/api.d.ts was not written by svc generate client, and stays as it is\n',
    );
  });

  test('in JavaScript is used with what React Native has', async () => {
    const script = (name: string) =>
      readFileSync(join(folder, 'js', name), 'utf8')
        .replace(/^import .*;$/gm, '')
        .replace(/^export /gm, '');
    // A stream that is left early is read to its end there.
    const place = runInReactNative([script('api.js'), script('use.js').replace('1_000_000', '100')]);
    place.options = { baseUrl: server.base };
    const lines: string[] = [];
    place.tell = (line: string) => lines.push(line);
    const { runs } = place.eval(
      'globalThis.api = createClient(options); ({ runs: use(api, "eve@example.com", tell) })',
    );
    await runs;
    expect(told(lines, 'eve@example.com')).toEqual(seen);
    // A file as its pickers give it.
    const upload = place.eval('({ file: { uri: "file:///a.txt", name: "a.txt", type: "text/plain" }, note: "n" })');
    expect((await place.api.walkers.Upload(upload)).reports[0]).toMatchObject({ name: 'a.txt', size: 16 });
    // A stream that does not end in time says why nothing of it came.
    place.hasty = { baseUrl: server.base, token: null, timeout: 1000 };
    const endless = place.eval(
      '(async () => { for await (const one of createClient(hasty).walkers.Count({ to: 1e12 })) return one; })()',
    );
    await expect(endless).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining('when it has ended: give a `fetch` that streams'),
    });
    place.api.close();
  });

  test('resumes topics on both kinds of connections, and tells what is gone', async () => {
    await using proxy = await startProxy(server.port);
    const { createClient } = await import(join(folder, 'out/api.js'));
    const far = createClient({ baseUrl: proxy.base, WebSocket });
    const near = createClient({ baseUrl: server.base, WebSocket });
    const heard: Record<string, unknown[]> = { socket: [], live: [] };
    const noteTo = (where: string) => ({
      message: ({ seq, data }: { seq: number; data: string }) => heard[where]!.push(`${seq} ${data}`),
      gap: ({ from, to }: { from: number; to: number }) => heard[where]!.push({ from, to }),
    });
    const [bySocket, byLive] = [noteTo('socket'), noteTo('live')];
    const opened: string[] = [];
    const socket = far.sockets.Listen({
      hello: { topic: 'news' },
      onMessage: ({ reports }: { reports: string[] }) => opened.push(reports[0]!),
      onTopic: bySocket.message,
      onGap: bySocket.gap,
    });
    const stop = far.live.Hear(
      { topic: 'news' },
      { onValue: () => opened.push('live'), onMessage: byLive.message, onGap: byLive.gap },
    );
    const say = (text: string) => near.functions.tell({ topic: 'news', text });
    const both = (...all: unknown[]) => expect.poll(() => heard).toEqual({ socket: all, live: all });
    await expect.poll(() => opened.length).toBe(2);
    await say('a');
    await both('1 a');
    expect(proxy.cut(true)).toBeGreaterThan(0);
    for (const text of ['b', 'c']) await say(text);
    proxy.mend();
    await both('1 a', '2 b', '3 c');
    proxy.cut(true);
    // Three are kept.
    for (const text of ['d', 'e', 'f', 'g', 'h']) await say(text);
    proxy.mend();
    await both('1 a', '2 b', '3 c', { from: 4, to: 5 }, '6 f', '7 g', '8 h');
    await say('i');
    await both('1 a', '2 b', '3 c', { from: 4, to: 5 }, '6 f', '7 g', '8 h', '9 i');
    stop();
    socket.close();
    far.close();
  });

  test('exchanges a token that is over, and makes the call again', async () => {
    const { createClient } = await import(join(folder, 'out/api.js'));
    const asked: string[] = [];
    let isOver = false;
    const api = createClient({
      baseUrl: server.base,
      // A server whose token is over says so; the clock of a real one cannot be moved.
      fetch: async (url: string, init: RequestInit) => {
        asked.push(new URL(url).pathname);
        if (!isOver || url.endsWith('/user/refresh-token')) return await fetch(url, init);
        isOver = false;
        const error = { code: 'UNAUTHORIZED', message: 'Invalid or expired token', details: { reason: 'expired' } };
        return Response.json({ ok: false, error }, { status: 401 });
      },
    });
    await api.register('dan@example.com', 'correct horse 1');
    const { token } = api;
    asked.length = 0;
    isOver = true;
    expect((await api.walkers.ListTasks()).reports).toEqual([]);
    expect([asked, api.token === token]).toEqual([
      ['/walker/ListTasks', '/user/refresh-token', '/walker/ListTasks'],
      false,
    ]);
  });

  test.skipIf(chromium === undefined)('is used in a browser', async () => {
    mkdirSync(join(folder, 'public'), { recursive: true });
    for (const name of ['api.js', 'use.js']) copyFileSync(join(folder, 'out', name), join(folder, 'public', name));
    writeFileSync(
      join(folder, 'public/try.html'),
      `<!doctype html><title>try</title><script type="module">
import { createClient } from './api.js';
import { use } from './use.js';
window.lines = [];
const api = createClient();
await use(api, 'cy@example.com', (line) => window.lines.push(line));
window.lines.push('kept: ' + (localStorage.svc_token === api.token));
document.title = 'done';
</script>`,
    );
    await using pages = await startPages();
    const { page } = await pages.open(`${server.base}/try.html`);
    await page.waitForFunction("document.title === 'done'");
    expect(told(await page.evaluate('window.lines'), 'cy@example.com')).toEqual([...seen, 'kept: true']);
  });
});
