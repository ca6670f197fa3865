/** `svc user` beside a running server and on its own, with real processes. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { needTool } from '../harness/find-tool.ts';
import { openDocumentDatabase } from '../harness/mongo/document-database.ts';
import { startRedis } from '../harness/redis-server.ts';
import { post, runSvc, startServer, svcBin } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const app = `node Note { has text: str; }
walker Add { has text: str; can add with Root entry { here ++> Note(text=self.text); report len([-->]); } }
@restspec(protocol=APIProtocol.WEBSOCKET)
async walker Talk { can talk with Root entry { report 1; } }
`;
const password = 'correct horse 1';

function userOf(folder: string, env: Readonly<Record<string, string>> = {}) {
  const user = async (args: readonly string[], input = '') => {
    const { code, stdout, stderr } = await runSvc(['user', ...args], { cwd: folder, env, input });
    return { code, stdout, stderr: stderr.replace(/^warning: .*\n/gm, '') };
  };
  return user;
}

const signIn = (base: string, name: string, word = password) =>
  post(base, '/user/login', { email: name, password: word });

test('accounts of a store that nobody serves: add, list, password, disable, enable', async () => {
  using folder = folderWith({ 'main.svc': app, 'svc.toml': '[plugins.scale.auth]\nadmins = ["ada@example.com"]\n' });
  const user = userOf(folder.path);
  expect(await user(['list'])).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing is stored yet') });
  expect(await user(['add', 'Ada@Example.com'], `${password}\n`)).toEqual({
    code: 0,
    stdout: '',
    stderr: 'svc: ada@example.com can sign in\n',
  });
  const bob = await userOf(folder.path, { SVC_USER_PASSWORD: password })(['add', 'bob', '--json']);
  expect(JSON.parse(bob.stdout)).toMatchObject({
    name: 'bob',
    role: 'user',
    disabled: false,
    has_password: true,
    identities: [{ type: 'username', value: 'bob', verified: false }],
    last_login_at: null,
  });
  expect(bob.stdout).not.toMatch(/argon2|scrypt|hash"/);
  const list = await user(['list']);
  expect(list.stdout).toMatch(
    /^NAME {13}ROLE {3}STATE {3}SINCE {7}LAST SIGN-IN\nada@example\.com {2}admin {2}active {2}\d{4}-\d\d-\d\d {2}never\nbob {14}user {3}active/,
  );
  expect((await user(['list', 'ada'])).stdout.trim().split('\n')).toHaveLength(2);
  // Commands that must fail.
  expect(await user(['add', 'bob'], `${password}\n`)).toMatchObject({
    code: 1,
    stderr: 'svc: user add bob: there is such an account already\n',
  });
  expect(await user(['add', '__root'], `${password}\n`)).toMatchObject({ code: 1, stderr: /must not start with __/ });
  expect(await user(['add', 'eve'], '')).toMatchObject({ code: 2, stderr: /svc: password: there is none/ });
  expect(await user(['disable', 'bbo'])).toMatchObject({ code: 1, stderr: /hint: did you mean bob\?/ });
  expect(await user(['disabel', 'bob'])).toMatchObject({ code: 2, stderr: /did you mean svc user disable\?/ });
  expect(await user(['logout'])).toMatchObject({ code: 2, stderr: /names nobody/ });
  expect(await user(['add', 'eve', '--password', 'x'])).toMatchObject({
    code: 2,
    stderr: /--password: unknown option/,
  });
  const strict = userOf(folder.path, { SVC_ENV: 'production' });
  expect(await strict(['add', 'eve'], 'password\n')).toMatchObject({ code: 1, stderr: /one of the most common/ });
  expect(await strict(['password', 'bob'], 'short\n')).toMatchObject({
    code: 1,
    stderr: /must be at least 8 characters/,
  });
  // A server started later finds the accounts as they were left.
  expect((await user(['disable', 'bob'])).stderr).toBe('svc: bob can no longer sign in; the sessions have ended\n');
  expect((await user(['password', 'ada@example.com'], 'better horse 2\n')).code).toBe(0);
  await using server = await startServer({ folder: folder.path });
  const { base } = server;
  expect((await signIn(base, 'ada@example.com')).error.code).toBe('UNAUTHORIZED');
  expect((await signIn(base, 'ada@example.com', 'better horse 2')).ok).toBe(true);
  expect((await signIn(base, 'bob')).error.code).toBe('ACCOUNT_DISABLED');
  expect((await user(['enable', 'bob'])).stderr).toBe('svc: bob can sign in again\n');
  expect((await signIn(base, 'bob')).ok).toBe(true);
  expect((await user(['list', 'bob', '--json'])).stdout).toMatch(/"last_login_at":"\d/);
});

/** Calls until the answer fits. */
async function until(call: () => Promise<any>, fits: (answer: any) => boolean): Promise<any> {
  for (;;) {
    const answer = await call();
    if (fits(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test.each([1, 2])(
  'beside a running server of %i processes a disabled account is out at once, sockets too',
  async (workers) => {
    using folder = folderWith({
      'main.svc': app,
      // Longer than any test: only the news can be the reason.
      'svc.toml': '[plugins.scale.auth]\nsession_cache_seconds = 86400\n',
    });
    await using server = await startServer({ folder: folder.path, args: ['--workers', String(workers)] });
    const { base } = server;
    const user = userOf(folder.path);
    for (const name of ['ada@example.com', 'bob']) expect((await user(['add', name], `${password}\n`)).code).toBe(0);
    const ada = (await signIn(base, 'ada@example.com')).data.token;
    const bob = (await signIn(base, 'bob')).data.token;
    const add = (token: string) => post(base, '/walker/Add', { text: 'x' }, token);
    for (const token of [ada, ada, ada, ada, bob, bob, bob]) expect((await add(token)).ok).toBe(true);
    const socket = new WebSocket(`${base.replace('http', 'ws')}/ws/Talk?token=${ada}`);
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise<[number, string]>((resolve) =>
      socket.once('close', (code, reason) => resolve([code, String(reason)])),
    );
    const key = (await post(base, '/api-key/create', { name: 'k', scopes: ['call'] }, ada)).data.api_key;
    const withKey = async () =>
      (
        await fetch(`${base}/walker/Add`, {
          method: 'POST',
          headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
          body: '{"text":"k"}',
        })
      ).status;
    expect(await withKey()).toBe(200);

    expect((await user(['disable', 'ada@example.com'])).code).toBe(0);
    const refused = await until(
      () => add(ada),
      ({ ok }) => !ok,
    );
    expect([refused.status, refused.error.code]).toEqual([403, 'ACCOUNT_DISABLED']);
    socket.send('{}');
    expect((await closed)[0]).toBe(4401);
    for (let i = 0; i < 8; i++)
      await until(
        () => add(ada),
        ({ ok }) => !ok,
      );
    expect(await until(withKey, (status) => status !== 200)).toBe(401);
    expect((await add(bob)).ok).toBe(true);

    expect((await user(['logout', 'bob'])).code).toBe(0);
    expect(
      (
        await until(
          () => add(bob),
          ({ ok }) => !ok,
        )
      ).error.details.reason,
    ).toBe('revoked');
    const again = (await signIn(base, 'bob')).data.token;
    expect((await add(again)).ok).toBe(true);
    expect((await user(['password', 'bob'], 'better horse 2\n')).code).toBe(0);
    expect(
      (
        await until(
          () => add(again),
          ({ ok }) => !ok,
        )
      ).status,
    ).toBe(401);
    expect((await signIn(base, 'bob', 'better horse 2')).ok).toBe(true);
  },
);

test('accounts of a document database, and processes that share a key-value store', async () => {
  await using redis = await startRedis();
  await using database = await openDocumentDatabase();
  using folder = folderWith({ 'main.svc': app, 'svc.toml': '[plugins.scale.auth]\nsession_cache_seconds = 86400\n' });
  using elsewhere = folderWith({ 'main.svc': app });
  const env = { DOCDB_URI: database.uri, SVC_DATABASE_DOCDB_NAME: `user_${process.pid}`, KVCACHE_URL: redis.url };
  await using server = await startServer({ folder: folder.path, env });
  // Another folder, as another machine would be.
  const user = userOf(elsewhere.path, env);
  expect((await user(['add', 'ada'], `${password}\n`)).code).toBe(0);
  const { token } = (await signIn(server.base, 'ada')).data;
  const add = () => post(server.base, '/walker/Add', { text: 'x' }, token);
  expect((await add()).ok).toBe(true);
  expect((await user(['disable', 'ada'])).code).toBe(0);
  expect((await until(add, ({ ok }) => !ok)).error.code).toBe('ACCOUNT_DISABLED');
  expect((await user(['list'])).stdout).toMatch(/^ada +user +disabled/m);
  expect(existsSync(join(elsewhere.path, '.svc/data/svc.db'))).toBe(false);
});

test('at a terminal the password is asked for twice and not shown', async () => {
  using folder = folderWith({ 'main.svc': app });
  const ask = (...typed: readonly string[]) =>
    new Promise<{ code: number | null; shown: string }>((resolve) => {
      const line = `'${process.execPath}' '${svcBin}' user add eve`;
      const child = spawn(needTool('script', 'bsdutils'), ['-qec', line, '/dev/null'], {
        cwd: folder.path,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      let shown = '';
      let answered = 0;
      child.stdout.on('data', (chunk) => {
        shown += chunk;
        const questions = shown.match(/(?:Password|Again): /g)?.length ?? 0;
        while (answered < Math.min(questions, typed.length)) child.stdin.write(`${typed[answered++]}\r`);
      });
      child.on('close', (code) => resolve({ code, shown }));
    });
  const differ = await ask(password, 'something else');
  expect(differ.code).toBe(1);
  expect(differ.shown).toContain('svc: password: the two differ');
  const right = await ask(`${password}x\u007f`, password);
  expect(right.code).toBe(0);
  expect(right.shown).toContain('svc: eve can sign in');
  expect(differ.shown + right.shown).not.toContain('horse');
  await using server = await startServer({ folder: folder.path });
  expect((await signIn(server.base, 'eve')).ok).toBe(true);
});
