/** `svc start` as its user meets it: banner, refusals and their exit codes, ports, signals. */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { needTool } from '../harness/find-tool.ts';
import { linkPackages } from '../harness/link-packages.ts';
import { freePort, takePort } from '../harness/ports.ts';
import { post, runSvc, svcBin } from '../harness/server.ts';
import { folderWith, type SvcProcess, spawnSvc } from '../harness/svc-process.ts';

const hello = `walker:pub Hello {
    has name: str = "world";
    can greet with Root entry { report f"Hello, {self.name}!"; }
}
`;
const slow = `import time;
node Note { has text: str; }
walker:pub Nap {
    has seconds: float;
    can rest with Root entry { here ++> Note(text="x"); print("resting"); time.sleep(self.seconds); report "rested"; }
}
walker:pub CountNotes { can count with Root entry { report len([-->[?:Note]]); } }
`;
const secret = 'x'.repeat(64);

test('prints the banner and serves; SIGTERM ends it cleanly', async () => {
  using folder = folderWith({
    'main.svc': hello,
    'svc.toml': '[project]\nname = "demo"\nversion = "1.2.0"\n[plugins.scale.jwt]\nsecret = "auto"\n',
  });
  await using server = spawnSvc(['start', 'main.svc', '--port', '0', '--host', '127.0.0.1'], { cwd: folder.path });
  await server.until(/Server ready in \d+ ms\n/);
  const banner = server.stdout();
  expect(banner).toMatch(/^ {2}svc server v\S+ \(development\)\n\n {2}App: {6}demo 1\.2\.0 {4}1 walker, 0 functions$/m);
  expect(banner).toMatch(/^ {2}Store: {4}sqlite \(\.svc\/data\/svc\.db\) {4}Cache: off$/m);
  const base = /Local: +(http:\/\/localhost:\d+)\//.exec(banner)![1]!;
  expect(banner).toContain(`  Docs:     ${base}/docs\n`);
  expect(banner).not.toContain('Network');
  expect(server.stderr()).not.toContain('JWT_SECRET');
  expect((await post(base.replace('localhost', '127.0.0.1'), '/walker/Hello', { name: 'Ada' })).reports).toEqual([
    'Hello, Ada!',
  ]);
  await server.until(/POST.*\/walker\/Hello.*200/);
  server.kill();
  expect(await server.exited).toBe(0);
});

test('--json prints one ready line and JSON logs', async () => {
  using folder = folderWith({ 'main.svc': hello });
  await using server = spawnSvc(['start', 'main.svc', '--port', '0', '--json'], { cwd: folder.path });
  const [line] = await server.until(/^\{"event":"ready".*\}$/m);
  const ready = JSON.parse(line);
  expect(ready).toEqual({
    event: 'ready',
    url: `http://localhost:${ready.port}`,
    port: ready.port,
    pid: server.pid,
    mode: 'development',
    store: 'sqlite',
  });
  await post(`http://127.0.0.1:${ready.port}`, '/walker/Hello');
  const [access] = await server.until(/^\{.*"path":"\/walker\/Hello".*\}$/m);
  expect(JSON.parse(access)).toMatchObject({
    level: 'info',
    method: 'POST',
    route: '/walker/Hello',
    status: 200,
    target: 'Hello',
  });
  expect(server.stdout().trim().split('\n')).toHaveLength(1);
  server.kill();
  expect(await server.exited).toBe(0);
});

test('the entry point comes from svc.toml, and start works from the project folder alone', async () => {
  using folder = folderWith({ 'app/main.svc': hello, 'svc.toml': '[project]\nentry-point = "app/main.svc"\n' });
  await using server = spawnSvc(['start', '--port', '0', '--json'], { cwd: folder.path });
  await server.until(/"event":"ready"/);
});

test('applications of a project are taken by name, and the default one without', async () => {
  const apps = '[apps.web]\nentry-point = "main"\n[apps.tool]\nkind = "cli"\nentry-point = "cli.main"\n';
  using folder = folderWith({
    'main.svc': hello,
    'cli/main.svc': 'with entry { print("the tool"); }\n',
    'svc.toml': `[project]\ndefault-app = "web"\n${apps}`,
  });
  expect(await runSvc(['run', 'tool'], { cwd: folder.path })).toMatchObject({ code: 0, stdout: 'the tool\n' });
  expect((await runSvc(['run', 'toll'], { cwd: folder.path })).code).toBe(3);
  await using server = spawnSvc(['start', '--port', '0', '--json'], { cwd: folder.path });
  await server.until(/"event":"ready"/);
});

test('a missing file, a broken configuration and a refused secret exit 3', async () => {
  using folder = folderWith({ 'main.svc': hello });
  const missing = await runSvc(['start', 'mian.svc'], { cwd: folder.path });
  expect(missing.code).toBe(3);
  expect(missing.stderr).toMatch(/^svc: cannot read mian\.svc: no such file\n {2}hint: did you mean main\.svc\?/);

  using broken = folderWith({
    'main.svc': hello,
    'svc.toml': '[serve]\nport = "many"\nmax_concurrent = 0\n[plugins.scale.cors]\nallow_credentials = true\n',
  });
  const config = await runSvc(['start', 'main.svc'], { cwd: broken.path });
  expect(config.code).toBe(3);
  expect(config.stderr).toMatch(/^svc\.toml:2:1: serve\.port: expected a whole number/m);
  expect(config.stderr).toMatch(/^svc\.toml:3:1: serve\.max_concurrent: /m);
  expect(config.stderr).toMatch(/^svc\.toml:5:1: cors\.allow_credentials: /m);
  expect(config.stderr).toMatch(/^svc: invalid configuration: 3 problems/m);

  const production = await runSvc(['start', 'main.svc'], { cwd: folder.path, env: { SVC_ENV: 'production' } });
  expect(production.code).toBe(3);
  expect(production.stderr).toContain('JWT_SECRET');
});

test('a port given by hand that is in use is exit 4 in every mode, with one process and with several', async () => {
  await using taken = await takePort('0.0.0.0');
  const port = String(taken.port);
  using folder = folderWith({ 'main.svc': hello, 'fixed.toml': `[serve]\nport = ${port}\n` });
  using older = folderWith({ 'main.svc': hello, 'svc.toml': `[plugins.scale.server]\nport = ${port}\n` });
  const ways: readonly (readonly [
    args: readonly string[],
    env: Record<string, string>,
    where: string,
    cwd?: string,
  ])[] = [
    [['--port', port], {}, ''],
    [['--port', port, '--workers', '2'], {}, ''],
    [['--config', 'fixed.toml'], {}, 'the port of fixed.toml:2:1'],
    [[], { PORT: port }, 'the port of the environment: PORT'],
    [[], { SVC_SERVE_PORT: port, SVC_ENV: 'test' }, 'the port of the environment: SVC_SERVE_PORT'],
    [[], {}, 'the port of svc.toml:2:1', older.path],
    [['--port', port], { SVC_ENV: 'production', JWT_SECRET: secret }, ''],
  ];
  for (const [args, env, where, cwd = folder.path] of ways) {
    const { code, stdout, stderr } = await runSvc(['start', 'main.svc', ...args], { cwd, env });
    expect(code, `${args} ${stderr}`).toBe(4);
    expect(stdout + stderr, 'told before anything is compiled').not.toMatch(/Compiling|Server ready/);
    expect(stderr).toContain(`svc: cannot listen on 0.0.0.0:${port}: the port is in use\n`);
    expect(stderr).toContain(where);
    expect(stderr.match(/^svc: /gm)).toHaveLength(1);
  }
});

test('--dev with several workers is a usage error; a number of one is not', async () => {
  using folder = folderWith({ 'main.svc': hello });
  for (const workers of ['2', '0']) {
    const { code, stderr } = await runSvc(['start', 'main.svc', '--dev', '--workers', workers], { cwd: folder.path });
    expect([code, stderr]).toEqual([2, 'svc: --workers: must be 1 with --dev\n']);
  }
  await using server = spawnSvc(['start', 'main.svc', '--dev', '--workers', '1', '--port', '0'], { cwd: folder.path });
  await server.until(/Server ready/);
});

test('tells in development what svc check tells, and serves all the same; production is quiet', async () => {
  const wrong = `obj Box { has size: int = 1; has name: str; }
walker:pub Hello {
    can greet with Root entry { n: int = "one"; report n; report nothing_of_the_kind; }
}
def after() -> int { return 1; print("never"); }
`;
  using folder = folderWith({ 'main.svc': wrong, 'blocked.svc': `${wrong}walker {` });
  const codesOf = (text: string) => [...text.matchAll(/^(?:error|warning|note)\[(\w+)\]/gm)].map(([, code]) => code);
  const check = await runSvc(['check', 'main.svc'], { cwd: folder.path });
  expect(check.code).toBe(1);
  // Functions that are not served are counted in the banner of a start.
  const expected = codesOf(check.stdout).filter((code) => code !== 'W0513');
  expect(expected).toEqual(expect.arrayContaining(['E0522', 'E0410', 'E0301', 'W0403']));
  const start = async (env: Record<string, string>) => {
    await using server = spawnSvc(['start', 'main.svc', '--port', '0'], { cwd: folder.path, env });
    await server.until(/[Ss]erver ready/);
    return server.stderr();
  };
  for (const time of ['first', 'again']) {
    const told = await start({});
    expect(codesOf(told), time).toEqual(expected);
    expect(told).not.toMatch(/^error\[/m);
  }
  expect(codesOf(await start({ SVC_ENV: 'production', JWT_SECRET: secret }))).toEqual(['E0301']);
  // An error that keeps it from starting stands alone.
  const blocked = await runSvc(['start', 'blocked.svc'], { cwd: folder.path });
  expect(blocked.code).toBe(3);
  expect(new Set(codesOf(blocked.stderr))).toEqual(new Set(['E0113']));
});

test('with a page, what keeps nothing from running is told when the server answers, at the latest when it ends', async () => {
  const wrong = `obj Box { has size: int = 1; has name: str; }
cl def:pub app() -> JsxElement { return <p onClik={None}>x</p>; }
`;
  using folder = folderWith({ 'main.svc': wrong });
  linkPackages(folder.path);
  const told = /\[E0522\][\s\S]*\[W0636\]|\[W0636\][\s\S]*\[E0522\]/;
  const start = async (work: (server: SvcProcess) => Promise<unknown>) => {
    await using server = spawnSvc(['start', 'main.svc', '--port', '0'], { cwd: folder.path });
    await server.until(/Server ready/);
    const before = server.stderr();
    await work(server);
    return { before, after: server.stderr() };
  };
  const ended = async (server: SvcProcess) => {
    server.kill();
    await server.exited;
  };
  const first = await start((server) => server.until(told));
  expect(first.before).not.toMatch(/E0522|W0636/);
  rmSync(join(folder.path, '.svc'), { recursive: true });
  const killed = await start(ended);
  expect([killed.before.match(told), killed.after]).toEqual([null, expect.stringMatching(told)]);
  // They are remembered with the compiled modules.
  expect((await start(ended)).before).toMatch(told);
});

test('--faux prints the endpoint table', async () => {
  using folder = folderWith({ 'main.svc': `${hello}def:pub add(a: int, b: int) -> int { return a + b; }\n` });
  const { code, stdout } = await runSvc(['start', 'main.svc', '--faux'], { cwd: folder.path });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^POST {3}\/walker\/Hello/m);
  expect(stdout).toMatch(/^POST {3}\/function\/add/m);
});

test('warns about built-in secrets in development', async () => {
  using folder = folderWith({ 'main.svc': hello });
  await using server = spawnSvc(['start', 'main.svc', '--port', '0'], { cwd: folder.path });
  await server.until(/Server ready/);
  expect(server.stderr()).toContain(
    'warning: JWT_SECRET is the built-in default; anyone can forge tokens and the server listens on 0.0.0.0',
  );
});

async function startNapping(path: string, env: Record<string, string>) {
  const args = ['start', 'main.svc', '--port', '0', '--json', '--log-level', 'debug'];
  const server = spawnSvc(args, { cwd: path, env });
  const { port } = JSON.parse((await server.until(/^\{"event":"ready".*\}$/m))[0]);
  return { server, base: `http://127.0.0.1:${port}` };
}

test('SIGTERM waits for a running call; a call that outlasts the drain is aborted and leaves nothing', async () => {
  using folder = folderWith({ 'main.svc': slow });
  {
    const { server, base } = await startNapping(folder.path, {});
    await using _server = server;
    const answer = post(base, '/walker/Nap', { seconds: 0.2 });
    await server.until(/resting/);
    server.kill();
    expect((await answer).reports).toEqual(['rested']);
    expect(await server.exited).toBe(0);
  }
  {
    const { server, base } = await startNapping(folder.path, { SVC_SERVE_DRAIN_TIMEOUT_SECONDS: '0.2' });
    await using _server = server;
    const answer = post(base, '/walker/Nap', { seconds: 60 }).catch(() => 'cut');
    await server.until(/resting/);
    server.kill();
    expect(await server.exited).toBe(1);
    await answer;
  }
  const { server, base } = await startNapping(folder.path, {});
  await using _server = server;
  expect((await post(base, '/walker/CountNotes')).reports).toEqual([1]);
});

test('in production the banner is one log record', async () => {
  using folder = folderWith({ 'main.svc': hello, 'svc.toml': '[project]\nname = "demo"\nversion = "1.2.0"\n' });
  const env = { SVC_ENV: 'production', JWT_SECRET: secret, SVC_SERVE_DRAIN_DELAY_SECONDS: '0' };
  await using server = spawnSvc(['start', 'main.svc', '--port', '0'], { cwd: folder.path, env });
  const record = JSON.parse((await server.until(/^\{.*server ready.*\}$/m))[0]);
  expect(record).toMatchObject({ level: 'info', app: 'demo', app_version: '1.2.0', store: 'sqlite' });
  expect(record.url).toBe(`http://localhost:${record.port}`);
  expect(server.stdout()).toBe('');
  expect(server.stderr()).not.toContain(secret);
  server.kill();
  expect(await server.exited).toBe(0);
});

test('SIGHUP is ignored, SIGINT drains, a second SIGTERM ends with 143', async () => {
  using folder = folderWith({ 'main.svc': slow });
  {
    const { server, base } = await startNapping(folder.path, {});
    await using _server = server;
    server.kill('SIGHUP');
    expect((await post(base, '/walker/CountNotes')).reports).toEqual([0]);
    server.kill('SIGINT');
    expect(await server.exited).toBe(0);
  }
  const { server, base } = await startNapping(folder.path, {});
  await using _server = server;
  const answer = post(base, '/walker/Nap', { seconds: 60 }).catch(() => 'cut');
  await server.until(/resting/);
  server.kill();
  await server.until(/"draining"/);
  server.kill();
  expect(await server.exited).toBe(143);
  await answer;
});

test('a secret of its own is made once and kept for its owner; one that git tracks is warned about', async () => {
  using folder = folderWith({ 'main.svc': hello, 'svc.toml': '[plugins.scale.jwt]\nsecret = "auto"\n' });
  const args = ['start', 'main.svc', '--port', '0', '--host', '127.0.0.1'];
  const startOnce = async (says: RegExp) => {
    await using server = spawnSvc(args, { cwd: folder.path });
    await server.until(says);
    server.kill();
    await server.exited;
    return server.stderr();
  };
  await startOnce(/Server ready/);
  const file = join(folder.path, '.svc/secrets/jwt');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  const made = readFileSync(file, 'utf8');
  writeFileSync(
    join(folder.path, 'svc.toml'),
    `[plugins.scale.jwt]\nsecret = "auto"\n[plugins.scale.webhook]\nsecret = "${secret}"\n`,
  );
  execFileSync(needTool('git', 'git'), ['init', '-q'], { cwd: folder.path });
  execFileSync('git', ['add', 'svc.toml'], { cwd: folder.path });
  const warned = await startOnce(/tracked by git.*\n/);
  expect(warned).toMatch(/^warning: svc\.toml is tracked by git and holds a secret: webhook\.secret$/m);
  expect(warned).not.toContain(secret);
  expect(readFileSync(file, 'utf8')).toBe(made);
});

test('a second signal ends at once', async () => {
  using folder = folderWith({ 'main.svc': slow });
  const { server, base } = await startNapping(folder.path, {});
  await using _server = server;
  const answer = post(base, '/walker/Nap', { seconds: 60 }).catch(() => 'cut');
  await server.until(/resting/);
  server.kill();
  await server.until(/"draining"/);
  server.kill('SIGINT');
  expect(await server.exited).toBe(130);
  await answer;
});

test('a reader of the logs that went away, or hangs, stops neither the server nor its end', async () => {
  using folder = folderWith({ 'main.svc': hello });
  for (const [reader, calls] of [
    ['gone', 5],
    ['hanging', 200], // more than a pipe holds
  ] as const) {
    const port = await freePort();
    const args = [svcBin, 'start', 'main.svc', '--port', String(port), '--host', '127.0.0.1'];
    const child = spawn(process.execPath, args, { cwd: folder.path, stdio: ['ignore', 'pipe', 'pipe'] });
    const exited = new Promise((resolve) => child.on('exit', resolve));
    if (reader === 'gone') for (const stream of [child.stdout, child.stderr]) stream.destroy();
    const base = `http://127.0.0.1:${port}`;
    let isUp = false;
    while (!isUp)
      isUp = await fetch(`${base}/healthz/live`).then(
        ({ ok }) => ok,
        () => new Promise<false>((resolve) => setTimeout(resolve, 50, false)),
      );
    const client = async () => {
      for (let i = 0; i < calls; i++) expect((await post(base, '/walker/Hello')).ok).toBe(true);
    };
    await Promise.all([client(), client(), client(), client()]);
    child.kill();
    expect(await exited, reader).toBe(0);
  }
});

test('what the program declares wrongly is refused with exit 3, all of it', async () => {
  using folder = folderWith({
    'main.svc': `@restspec(broadcast=True)
walker:pub Shout { can go with Root entry { report 1; } }
@restspec(protocol=APIProtocol.WEBSOCKET)
walker:pub Chat { can go with Root entry { report 1; } }
`,
  });
  const { code, stderr } = await runSvc(['start', 'main.svc'], { cwd: folder.path });
  expect(code).toBe(3);
  expect(stderr).toContain('Shout: broadcast requires protocol WEBSOCKET');
  expect(stderr).toContain('Chat: a WEBSOCKET walker must be async');
  expect(stderr.match(/^svc: /gm)).toHaveLength(1);
});

test('an entry block that fails is shown, and nothing is served', async () => {
  using folder = folderWith({ 'main.svc': `${hello}with entry { x = [1]; print(x[2]); }\n` });
  const { code, stderr } = await runSvc(['start', 'main.svc', '--port', '0'], { cwd: folder.path });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Error: IndexError: list index out of range\n --> main\.svc:5:/m);
});
