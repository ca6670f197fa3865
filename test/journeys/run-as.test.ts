/** Calls as any user: in development from the same machine, in production by administrators, audited (docs/guide/stories.md#run-as). */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, removeFolder, runSvc, startServer } from '../harness/server.ts';

const program = `import from http { HTTPMethod }
node Note { has text: str; }
walker Add { has text: str; can add with Root entry { here ++> Note(text=self.text); report self.text; } }
walker List { can list with Root entry { visit [-->[?:Note]]; } can tell with Note entry { report here.text; } }
@restspec(method=HTTPMethod.GET, path="/notes/{id}")
walker Read {
    has id: int;
    can read with Root entry { report [self.id, len([-->[?:Note]])]; }
}
walker At { can tell with Note entry { report here.text; } }
@restspec(protocol=APIProtocol.WEBHOOK)
walker:pub Pay { can pay with Root entry { report 1; } }
def:priv mine -> int { return len([root-->[?:Note]]); }
`;

/** Signs an account up that has this email address. */
async function register(base: string, name: string) {
  const email = `${name}@example.com`;
  const { body } = await ask(base, 'POST', '/user/register', { email, password: 'correct horse 1' });
  return { userId: body.user_id, rootId: body.root_id, authorization: `Bearer ${body.access_token}` };
}

interface Asked {
  readonly status: number;
  readonly body: any;
}

async function ask(base: string, method: string, path: string, body?: unknown, headers = {}): Promise<Asked> {
  const answer = await fetch(`${base}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

const open: RunningServer[] = [];
async function serve(text: string, env: Record<string, string>): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-run-as-'));
  writeFileSync(join(folder, 'main.svc'), program);
  writeFileSync(join(folder, 'svc.toml'), text);
  const server = await startServer({ folder, env });
  open.push(server);
  return server;
}

/** Audit records of calls that somebody had run, with who it was, oldest first. */
const audits = (server: RunningServer) =>
  server
    .output()
    .split('\n')
    .filter((line) => line.includes('run_as'));

let development: RunningServer;
let ada: Awaited<ReturnType<typeof register>>;

beforeAll(async () => {
  development = await serve('', { SVC_ENV: 'development' });
  ada = await register(development.base, 'ada');
  await ask(development.base, 'POST', '/walker/Add', { text: 'hers' }, { authorization: ada.authorization });
});
afterAll(async () => {
  for (const server of open) {
    await server.stop();
    removeFolder(server.folder);
  }
});

const as = (path: string, user = 'ada@example.com') => `/studio/api/as/${encodeURIComponent(user)}${path}`;

test('in development whoever sits at the machine calls walkers, functions and own paths as a user', async () => {
  const { base } = development;
  expect((await ask(base, 'POST', as('/walker/List'), {})).body.reports).toEqual(['hers']);
  expect((await ask(base, 'POST', as('/function/mine'), {})).body.data.result).toBe(1);
  expect((await ask(base, 'GET', as('/notes/7'))).body.reports).toEqual([[7, 1]]);
  const added = await ask(
    base,
    'POST',
    as('/walker/Add', ada.userId),
    { text: 'for her' },
    { 'x-request-id': 'a'.repeat(32) },
  );
  expect(added).toMatchObject({ status: 200, body: { reports: ['for her'] } });
  const hers = await ask(base, 'POST', '/walker/List', {}, { authorization: ada.authorization });
  expect(hers.body.reports).toEqual(['hers', 'for her']);
  const { body } = await ask(base, 'GET', `/studio/api/stories/${'a'.repeat(32)}`);
  expect(body.data.caller).toEqual({ kind: 'user', user_id: ada.userId, run_by: null });
  expect(body.data.steps.some((step: any) => step.kind === 'write' && step.class === 'Note')).toBe(true);
  const told = await runSvc(['story', 'a'.repeat(32), '--url', base], { cwd: development.folder });
  expect(told.stdout).toContain(`${ada.userId}, run by this machine`);
});

test('what the call itself refuses is refused: a wrong field, a method, an unknown name, a node of somebody else', async () => {
  const { base } = development;
  const bob = await register(base, 'bob');
  const note = (await ask(base, 'POST', as('/walker/Add', 'bob@example.com'), { text: 'his' })).body;
  expect(note.reports).toEqual(['his']);
  expect((await ask(base, 'POST', as('/walker/Add'), { text: 3 })).status).toBe(422);
  expect((await ask(base, 'PUT', as('/walker/Add'), {})).status).toBe(405);
  expect(await ask(base, 'POST', as('/walker/Lisst'), {})).toMatchObject({
    status: 404,
    body: { error: { message: expect.stringContaining('Lisst') } },
  });
  const theirs = await ask(base, 'POST', as(`/walker/At/${bob.rootId}`), {});
  const own = await ask(base, 'POST', `/walker/At/${bob.rootId}`, {}, { authorization: ada.authorization });
  expect([theirs.status, theirs.body.error.code]).toEqual([own.status, own.body.error.code]);
});

test('nobody is somebody else at endpoints of the server, webhooks, or through a second one', async () => {
  const { base } = development;
  for (const path of ['/user/me', '/healthz', '/studio/api/stories', '/nothing', as('/walker/List')])
    expect(await ask(base, 'GET', as(path)), path).toMatchObject({ status: 404 });
  expect((await ask(base, 'PUT', as('/user/password'), { new_password: 'x' })).status).toBe(404);
  expect((await ask(base, 'POST', as('/webhook/Pay'), {})).status).toBe(404);
  expect(await ask(base, 'POST', as('/walker/List', 'nobody'), {})).toMatchObject({
    status: 404,
    body: { error: { message: 'No account has this name or id.' } },
  });
  expect((await ask(base, 'POST', '/studio/api/as/%E0%A4%A/walker/List', {})).status).toBe(400);
});

test('through a proxy, from another origin or under another name a token is asked for', async () => {
  const { base } = development;
  for (const headers of [{ 'x-forwarded-for': '10.0.0.1' }, { origin: 'https://elsewhere.example' }])
    expect((await ask(base, 'POST', as('/walker/List'), {}, headers)).status).toBe(401);
  const bearer = { authorization: ada.authorization, 'x-forwarded-for': '10.0.0.1' };
  expect((await ask(base, 'POST', as('/walker/List', 'bob@example.com'), {}, bearer)).status).toBe(403);
});

test('in production administrators alone, where [studio] is enabled, and each attempt leaves an audit record', async () => {
  const env = { SVC_ENV: 'production', SVC_JWT_SECRET: 'k'.repeat(48), SVC_SERVE_DRAIN_DELAY_SECONDS: '0' };
  const admins = '[plugins.scale.auth]\nadmins = ["boss@example.com"]\n';
  const [off, on] = [await serve(admins, env), await serve(`${admins}\n[studio]\nenabled = true\nsample = 0\n`, env)];
  const [offBoss, boss, eve] = [
    await register(off.base, 'boss'),
    await register(on.base, 'boss'),
    await register(on.base, 'eve'),
  ];
  const signed = ({ authorization }: { authorization: string }) => ({ authorization });
  const path = as('/walker/Add', 'eve@example.com');
  const asked = async (server: RunningServer, headers: Record<string, string>) =>
    (await ask(server.base, 'POST', path, { text: 'x' }, headers)).status;
  expect(await asked(off, signed(offBoss))).toBe(404);
  expect([await asked(on, {}), await asked(on, signed(eve))]).toEqual([401, 403]);
  const id = 'b'.repeat(32);
  expect(await asked(on, { ...signed(boss), 'x-request-id': id, 'svc-story': '1' })).toBe(200);
  expect((await ask(on.base, 'POST', '/walker/List', {}, signed(eve))).body.reports).toEqual(['x']);
  const { body } = await ask(on.base, 'GET', `/studio/api/stories/${id}`, undefined, signed(boss));
  expect(body.data.caller).toMatchObject({ kind: 'user', run_by: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  await runSvc(['user', 'disable', 'eve@example.com'], { cwd: on.folder });
  await expect.poll(() => asked(on, signed(boss))).toBe(403);
  const { user_id: eveId, run_by: bossId } = body.data.caller;
  await expect
    .poll(() => audits(on).map((line) => JSON.parse(line)))
    .toMatchObject([
      { audit: true, action: 'run_as', outcome: 'forbidden', user_id: eveId },
      { action: 'run_as', outcome: 'success', user_id: bossId, as_user_id: eveId, request_id: id },
      { action: 'run_as', outcome: 'disabled', user_id: bossId, as_user_id: eveId },
    ]);
  expect(audits(off)).toEqual([]);
});
