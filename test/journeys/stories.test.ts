/** The story of a call: recorded by a real server, asked for over HTTP and by `svc story`, without secrets (docs/guide/stories.md). */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, register, removeFolder, runSvc, startServer } from '../harness/server.ts';

const program = `import asyncio;
import logging;
import requests;

node Task { has title: str; has:priv note: str = ""; has _seen: int = 0; has password: str = ""; }
node Counter { has n: int = 0; }
edge Own { has since: int = 1; }

walker:pub Add {
    has title: str;
    has token: str = "";
    has password: str = "";
    can go with Root entry {
        here +>: Own() :+> Task(title=self.title, note=self.token, password=self.password);
        logging.warning("adding %s with %s", self.title, self.token);
        visit [->:Own:->[?:Task]];
    }
    can see with Task entry { here.title = here.title + "!"; report here.title; }
}

walker:pub Call { has url: str; can go with Root entry { report requests.get(self.url).status_code; } }
walker:pub Fail { can go with Root entry { raise ValueError("no " + "svck_0123456789abcdef_secretpart"); } }
walker:pub Many { can go with Root entry { for i in range(1500) { report i; } } }
walker:pub Outer { can go with Root entry { here spawn Inner(); report "out"; } }
walker Inner { can go with Root entry { report "in"; } }
walker Mine { can go with Root entry { visit [-->]; } }
glob begun: int = 0;
walker:pub Count {
    async can go with Root entry {
        global begun;
        begun += 1;
        place = begun;
        found = [-->[?:Counter]];
        one = found[0] if found else (here ++> Counter())[0];
        n = one.n;
        # The three calls that come at once have all read before one of them writes.
        while place > 1 and begun < 4 { await asyncio.sleep(0.01); }
        one.n = n + 1;
    }
}
walker Share { can go with Root entry { t = Task(title="theirs"); here ++> t; perm_grant(t, READ); report jid(t); } }
walker Peek { can look with Task entry { report here.title; } }
def:pub double(n: int) -> int { return n * 2; }
`;

const canaries = ['canary-token', 'canary-pass', 'canary-later', 'svck_0123456789abcdef_secretpart', 'canary-agent'];

let server: RunningServer;
let service: Server;
let serviceUrl = '';

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-stories-'));
  writeFileSync(join(folder, 'main.svc'), program);
  service = createServer((_request, response) => void response.end('{}'));
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/path?token=canary-later`;
  server = await startServer({ folder, env: { SVC_ENV: 'development' } });
});
afterAll(async () => {
  service.close();
  await server.stop();
  removeFolder(server.folder);
});

let calls = 0;

/** Calls a walker or function under a request id of its own; gives that. */
async function call(path: string, body: unknown, headers: Record<string, string> = {}): Promise<string> {
  const id = String(++calls).padStart(32, 'a');
  const answer = await fetch(`${server.base}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': id, ...headers },
    body: JSON.stringify(body),
  });
  await answer.text();
  return id;
}

/** Headers of a new user, whose graph no other test has seen. */
async function signedIn(name: string): Promise<Record<string, string>> {
  return { authorization: `Bearer ${(await register(server.base, name)).token}` };
}

async function story(id: string): Promise<any> {
  const answer = await fetch(`${server.base}/studio/api/stories/${id}`);
  return ((await answer.json()) as any).data;
}

const stepsOf = (told: any, kind: string): any[] => told.steps.filter((step: any) => step.kind === kind);

test('a call is told step by step, with places of the source', async () => {
  const told = await story(await call('/walker/Add', { title: 'a' }, await signedIn('first')));
  expect(told).toMatchObject({
    target: 'walker Add',
    caller: { kind: 'user', user_id: expect.any(String) },
    status: 200,
  });
  expect(told).toMatchObject({ attempts: [{ conflict: null }], reports: ['a!'], error: null, truncated: false });
  expect(told.request.fields.title).toBe('a');
  expect(stepsOf(told, 'visit')).toMatchObject([
    { class: 'Root', walker: 'Add', ability: 'go', file: 'main.svc', line: 13 },
    { class: 'Task', walker: 'Add', ability: 'see', file: 'main.svc', line: 18 },
  ]);
  expect(stepsOf(told, 'hop')).toMatchObject([{ edges: '->:Own:->', filter: '?:Task', count: 1, line: 16 }]);
  expect(stepsOf(told, 'report')).toMatchObject([{ value: 'a!', line: 18 }]);
  expect(stepsOf(told, 'log')).toMatchObject([{ level: 'warning', line: 15 }]);
  expect(stepsOf(told, 'permission')[0]).toMatchObject({ needed: 'CONNECT', had: 'WRITE', rule: 'owner' });
  expect(stepsOf(told, 'commit')).toMatchObject([{ created: 2, changed: 0, removed: 0, failed: false }]);
  const times = told.steps.map((step: any) => step.at_ms);
  expect(times.slice().sort((a: number, b: number) => a - b)).toEqual(times);
});

test('a change of a stored object is told with the value before and after, a reading with what was found', async () => {
  const headers = await signedIn('second');
  await call('/walker/Add', { title: 'a' }, headers);
  const told = await story(await call('/walker/Add', { title: 'b' }, headers));
  const before = stepsOf(told, 'read').find((step) => step.class === 'Task');
  expect(before).toMatchObject({ class: 'Task', fields: { title: 'a!' } });
  const changed = stepsOf(told, 'write').find((step) => step.field === 'title');
  expect(changed).toMatchObject({ id: before.id, class: 'Task', before: 'a!', after: 'a!!', line: 18 });
  expect(stepsOf(told, 'query').some(({ rows }) => rows > 0)).toBe(true);
});

test('walks inside of walks are further in', async () => {
  const told = await story(await call('/walker/Outer', {}));
  expect(told.caller).toEqual({ kind: 'guest', user_id: null });
  expect(stepsOf(told, 'visit').map(({ walker, depth }) => [walker, depth])).toEqual([
    ['Outer', 0],
    ['Inner', 1],
  ]);
  expect(stepsOf(told, 'report').map(({ value }) => value)).toEqual(['in', 'out']);
});

test('an outgoing call is told by its host, and carries no trace of ours', async () => {
  const told = await story(await call('/walker/Call', { url: serviceUrl }));
  expect(stepsOf(told, 'call')).toMatchObject([{ host: '127.0.0.1', status: 200 }]);
});

test('a level given by somebody else is told with the rule', async () => {
  const [ann, bob] = [await register(server.base, 'ann'), await register(server.base, 'bob')];
  const shared = await fetch(`${server.base}/walker/Share`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${ann.token}` },
    body: '{}',
  });
  const [node] = ((await shared.json()) as any).reports;
  const told = await story(await call(`/walker/Peek/${node}`, {}, { authorization: `Bearer ${bob.token}` }));
  expect(told.reports).toEqual(['theirs']);
  expect(stepsOf(told, 'permission')[0]).toMatchObject({
    id: node,
    needed: 'READ',
    had: 'READ',
    rule: 'object, for everybody',
  });
  expect(JSON.stringify(told)).not.toContain(bob.token);
});

test('a unit that lost says about what', async () => {
  await call('/walker/Count', {});
  const ids = await Promise.all([call('/walker/Count', {}), call('/walker/Count', {}), call('/walker/Count', {})]);
  const lost = (await Promise.all(ids.map(story))).filter(({ attempts }) => attempts.length > 1);
  expect(lost.length).toBeGreaterThan(0);
  expect(lost[0].attempts[0].conflict).toMatchObject([{ class: 'Counter' }]);
  expect(lost[0].attempts.at(-1)).toEqual({ conflict: null });
});

test('functions, failures and calls that do much', async () => {
  expect(await story(await call('/function/double', { n: 4 }))).toMatchObject({
    target: 'function double',
    status: 200,
  });
  const failed = await story(await call('/walker/Fail', {}));
  expect([failed.status, failed.error.code, stepsOf(failed, 'visit').length]).toEqual([500, 'EXECUTION_ERROR', 1]);
  const many = await story(await call('/walker/Many', {}));
  expect([many.truncated, many.steps.length <= 1000, JSON.stringify(many).length < 200_000]).toEqual([
    true,
    true,
    true,
  ]);
});

test('no story holds a secret', async () => {
  const id = await call(
    '/walker/Add',
    { title: 'c', token: 'canary-token', password: 'canary-pass' },
    { 'user-agent': 'test', 'x-other': 'canary-agent', cookie: 'session=canary-agent' },
  );
  const list = await (await fetch(`${server.base}/studio/api/stories?limit=500`)).text();
  const all = JSON.parse(list).data.stories.map((head: any) => head.id) as string[];
  expect(all).toContain(id);
  const texts = [list, ...(await Promise.all(all.map(async (one) => JSON.stringify(await story(one)))))];
  // A program answers for the words of its own log: only texts that look like ours are hidden there.
  const shown = texts.map((text) => text.replace(/adding c with canary-token/g, ''));
  expect(canaries.filter((canary) => shown.some((text) => text.includes(canary)))).toEqual([]);
  const told = await story(id);
  expect(told.request).toMatchObject({ fields: { token: '[redacted]', password: '[redacted]' }, user_agent: 'test' });
});

test('svc story tells it to people', async () => {
  const id = await call('/walker/Add', { title: 'd' });
  const ask = (...args: string[]) => runSvc(['story', ...args, '--url', server.base], { cwd: server.folder });
  const [one, last, none] = await Promise.all([
    ask(id),
    ask('--last', '3', '--walker', 'Add', '--json'),
    ask('f'.repeat(32)),
  ]);
  expect([one.code, last.code, none.code]).toEqual([0, 0, 1]);
  expect(one.stdout).toMatch(/^ +[\d.]+ ms +visit Root 0+1 by Add {2}main\.svc:13 go$/m);
  expect(one.stdout).toMatch(/^ +[\d.]+ ms +report "d!" {2}main\.svc:18 see$/m);
  expect(JSON.parse(last.stdout.split('\n')[0]!)).toMatchObject({ id, target: 'walker Add' });
  const nobody = await runSvc(['story', '--url', 'http://127.0.0.1:1'], { cwd: server.folder });
  expect([nobody.code, nobody.stderr]).toEqual([7, expect.stringContaining('no server answers')]);
});

test('nobody from elsewhere reads stories, not even through a page that is open here', async () => {
  const path = `${server.base}/studio/api/stories`;
  const status = async (headers: Record<string, string>) => (await fetch(path, { headers })).status;
  expect(await status({ 'x-forwarded-for': '203.0.113.5' })).toBe(401);
  expect(await status({ origin: 'https://elsewhere.example' })).toBe(401);
  const { token } = await register(server.base, 'eve');
  expect(await status({ 'x-forwarded-for': '203.0.113.5', authorization: `Bearer ${token}` })).toBe(403);
});

test('svc run --story tells on standard error what the program did', async () => {
  writeFileSync(
    join(server.folder, 'once.svc'),
    'import main;\nwalker Tell { can go with Root entry { report {"n": [1, (2.5, "x")], "password": "p"}; report here; } }\nwith entry { root spawn main.Outer(); root spawn Tell(); print("printed", len([root -->])); }\n',
  );
  const ran = await runSvc(['run', 'once.svc', '--no-persist', '--story'], { cwd: server.folder });
  expect([ran.code, ran.stdout.endsWith('printed 0\n')]).toEqual([0, true]);
  expect(ran.stderr).toMatch(/^ +[\d.]+ ms {3}visit Root .* by Outer {2}main\.svc:\d+ go$/m);
  expect(ran.stderr).toMatch(/^ +[\d.]+ ms {5}visit Root .* by Inner {2}main\.svc:\d+ go$/m);
  expect(ran.stderr).toMatch(/ms {3}report \{"n":\[1,\[2\.5,"x"\]\],"password":"\[redacted\]"\} {2}once\.svc:2 go$/m);
  expect(ran.stderr).toMatch(/ms {3}report "<Root>" {2}once\.svc:2 go$/m);
  // Steps behind a walk are no part of its last ability.
  expect(ran.stderr).toMatch(/ms {3}hop --> found 0 {2}once\.svc:3 once\.svc$/m);
});

test('in production only administrators ask, and a call of theirs is recorded when they say so', async () => {
  const inProduction = async (config: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-stories-'));
    writeFileSync(join(folder, 'main.svc'), program);
    writeFileSync(join(folder, 'svc.toml'), `${config}\n[plugins.scale.auth]\nadmins = ["boss"]\n`);
    const drain = { SVC_SERVE_DRAIN_DELAY_SECONDS: '0' };
    const env = { SVC_ENV: 'production', JWT_SECRET: 'j'.repeat(40), SVC_LOG_LEVEL: 'error', ...drain };
    return await startServer({ folder, env });
  };
  const off = await inProduction('');
  const on = await inProduction('[studio]\nenabled = true');
  try {
    const stories = async (base: string, token?: string) => {
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const answer = await fetch(`${base}/studio/api/stories`, { headers });
      return {
        status: answer.status,
        ids: (((await answer.json()) as any).data?.stories ?? []).map(({ id }: any) => id),
      };
    };
    const boss = (await register(off.base, 'boss')).token;
    expect((await stories(off.base, boss)).status).toBe(404);

    const [admin, user] = [(await register(on.base, 'boss')).token, (await register(on.base, 'eve')).token];
    const ask = async (id: string, token: string, headers = {}) => {
      const all = {
        'content-type': 'application/json',
        'x-request-id': id,
        authorization: `Bearer ${token}`,
        ...headers,
      };
      await fetch(`${on.base}/walker/Add`, { method: 'POST', headers: all, body: '{"title": "t"}' });
    };
    await ask('b'.repeat(32), admin);
    await ask('c'.repeat(32), user, { 'svc-story': '1' });
    await ask('d'.repeat(32), admin, { 'svc-story': '1' });
    expect([(await stories(on.base)).status, (await stories(on.base, user)).status]).toEqual([401, 403]);
    expect(await stories(on.base, admin)).toEqual({ status: 200, ids: ['d'.repeat(32)] });
  } finally {
    for (const one of [off, on]) {
      await one.stop();
      removeFolder(one.folder);
    }
  }
});
