/** A table of commands, row by row, with the fixture application and the real command. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takePort } from '../harness/ports.ts';
import { copyApp, post, removeFolder, repository, runSvc } from '../harness/server.ts';
import { folderWith, spawnSvc } from '../harness/svc-process.ts';

const secret = 'x'.repeat(64);
const hello = 'walker:pub Hello { can greet with Root entry { report "hi"; } }\n';

let folder = '';
beforeAll(() => {
  folder = copyApp(join(repository, 'test/wire/app'));
});
afterAll(() => removeFolder(folder));

interface Row {
  readonly id: string;
  readonly args: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Another application than the fixture. */
  readonly files?: Readonly<Record<string, string>>;
  readonly code: number;
  readonly out?: readonly string[];
  readonly err?: readonly string[];
}

const ended: readonly Row[] = [
  { id: 'CLI-01', args: '--version', code: 0, out: ['svc 1.'] },
  { id: 'CLI-02', args: 'start --help', code: 0, out: ['--scale', '--registry'] },
  { id: 'CLI-03', args: 'start missing.svc', code: 3, err: ['svc: '] },
  { id: 'CLI-04', args: 'start main.svc --prot 1', code: 2, err: ['--prot', '--port'] },
  { id: 'CLI-05', args: 'start main.svc --port 70000', code: 2, err: ['--port'] },
  { id: 'CLI-06', args: 'start main.svc --build', code: 2, err: ['--scale'] },
  { id: 'CLI-07', args: 'start main.svc --dev --workers 2', code: 2, err: ['--workers'] },
  {
    id: 'CLI-08',
    args: 'start main.svc --faux',
    code: 0,
    out: ['POST   /walker/AddTask', 'WS     /ws/EchoWs'],
  },
  { id: 'CLI-09', args: 'start main.svc', env: { SVC_ENV: 'production' }, code: 3, err: ['JWT_SECRET'] },
  {
    id: 'CLI-16',
    args: 'start main.svc',
    files: {
      'main.svc': hello,
      'svc.toml': '[plugins.scale.cors]\nallow_credentials = true\nallow_origins = ["*"]\n',
    },
    code: 3,
    err: ['cors'],
  },
  {
    id: 'CLI-17',
    args: 'start main.svc',
    files: { 'main.svc': `@restspec(protocol=APIProtocol.HTTP, broadcast=True)\n${hello}` },
    code: 3,
    err: ['broadcast requires protocol WEBSOCKET'],
  },
  {
    id: 'CLI-18',
    args: 'start main.svc',
    files: { 'main.svc': `@restspec(protocol=APIProtocol.WEBSOCKET)\n${hello}` },
    code: 3,
    err: ['must be async'],
  },
  {
    id: 'CLI-19',
    args: 'start main.svc --scale --target cloud_b',
    code: 3,
    err: ['svc: gcp.region is not set\n  hint: common ones: europe-west1 (Belgium), '],
  },
  { id: 'CLI-24', args: 'destroy main.svc', code: 2, err: ['--yes'] },
];

describe('commands that end', () => {
  for (const { id, args, env = {}, files, code, out = [], err = [] } of ended)
    test(`${id} svc ${args}`, async () => {
      using own = files === undefined ? undefined : folderWith(files);
      const ran = await runSvc(args.split(' '), { cwd: own?.path ?? folder, env });
      expect(ran.code, ran.stderr).toBe(code);
      for (const text of out) expect(ran.stdout).toContain(text);
      for (const text of err) expect(ran.stderr).toContain(text);
      expect(ran.stderr.match(/^svc: /gm) ?? []).toHaveLength(code === 0 ? 0 : 1);
      expect(ran.stderr).not.toMatch(/^ +at /m);
    });
});

test('CLI-10 port taken, production', async () => {
  await using taken = await takePort('0.0.0.0');
  const env = { SVC_ENV: 'production', JWT_SECRET: secret };
  const ran = await runSvc(['start', 'main.svc', '--port', String(taken.port)], { cwd: folder, env });
  expect(ran.code).toBe(4);
  expect(ran.stderr).toContain(String(taken.port));
});

test('CLI-11 default port taken, development: a port given by hand does not move', async () => {
  await using taken = await takePort('0.0.0.0', 8000);
  await using server = spawnSvc(['start', 'main.svc'], { cwd: folder, env: { PORT: '', SVC_SERVE_PORT: '' } });
  const [, next] = await server.until(new RegExp(`^Port ${taken.port} is in use, using port (\\d+) instead$`, 'm'));
  await server.until(new RegExp(`Local: +http://localhost:${next}/`));
  await server.until(/Server ready/);
  expect((await post(`http://127.0.0.1:${next}`, '/walker/Ping')).reports).toEqual(['pong']);
});

test('CLI-12 --json, SIGTERM after ready', async () => {
  await using server = spawnSvc(['start', 'main.svc', '--json', '--port', '0'], { cwd: folder });
  await server.until(/"event":"ready".*\n/);
  server.kill();
  expect(await server.exited).toBe(0);
  expect(server.stdout()).toMatch(/^\{"event":"ready"/m);
  for (const line of server.stdout().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('event');
});

const napping = `import time;
node Note { }
walker:pub Nap { has seconds: float; can rest with Root entry { here ++> Note(); print("resting"); time.sleep(self.seconds); report 1; } }
walker:pub Count { can count with Root entry { report len([-->]); } }
`;

test('CLI-13 SIGTERM during a call of 2 s', async () => {
  using own = folderWith({ 'main.svc': napping });
  await using server = spawnSvc(['start', 'main.svc', '--json', '--port', '0'], { cwd: own.path });
  const { port } = JSON.parse((await server.until(/^\{"event":"ready".*\}$/m))[0]);
  const answer = post(`http://127.0.0.1:${port}`, '/walker/Nap', { seconds: 2 });
  await server.until(/resting/);
  server.kill();
  expect(await answer).toMatchObject({ ok: true, status: 200, reports: [1] });
  expect(await server.exited).toBe(0);
});

test('CLI-14 SIGTERM during a call of 60 s, drain_timeout_seconds = 1', async () => {
  using own = folderWith({ 'main.svc': napping, 'svc.toml': '[serve]\ndrain_timeout_seconds = 1\n' });
  const start = async () => {
    const server = spawnSvc(['start', 'main.svc', '--json', '--port', '0'], { cwd: own.path });
    const { port } = JSON.parse((await server.until(/^\{"event":"ready".*\}$/m))[0]);
    return { server, base: `http://127.0.0.1:${port}` };
  };
  {
    const { server, base } = await start();
    await using _server = server;
    const answer = post(base, '/walker/Nap', { seconds: 60 }).catch(() => ({ ok: false }));
    await server.until(/resting/);
    server.kill();
    expect(await server.exited).toBe(1);
    expect((await answer).ok).toBe(false);
  }
  const { server, base } = await start();
  await using _server = server;
  expect((await post(base, '/walker/Count')).reports).toEqual([0]);
});

test('CLI-15 an unknown key warns and the server runs', async () => {
  using own = folderWith({ 'main.svc': hello, 'svc.toml': '[serve]\nprot = 1\n' });
  await using server = spawnSvc(['start', 'main.svc', '--port', '0'], { cwd: own.path });
  await server.until(/Server ready/);
  expect(server.stderr()).toContain("did you mean 'port'");
});
