/**
 * Replays of recorded calls (docs/guide/stories.md#replay): of the examples, with calls made of their own descriptions at random; of programs that
 * are made at random from everything that comes from outside. The replays run when everything is over, so the store is no longer what the calls saw.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  copyApp,
  type RunningServer,
  register,
  removeFolder,
  repository,
  runSvc,
  startServer,
} from '../harness/server.ts';

const development = { SVC_ENV: 'development', SVC_LOG_LEVEL: 'error' };

/** A generator of whole numbers below a limit: the same for the same seed. */
function numbers(seed: number) {
  let state = seed;
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

type Below = ReturnType<typeof numbers>;

async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<any> {
  const sent = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
  return await (await fetch(url, sent)).json();
}

/** Replays calls by their request ids. */
async function replayAll(base: string, ids: readonly string[]) {
  const told: any[] = [];
  for (const id of ids) {
    const { ok, data, error } = await post(`${base}/studio/api/stories/${id}/replay`, {});
    told.push(ok ? data : { id, same: false, notes: [], refused: error.message });
  }
  return told;
}

/** Facts of a replay that a failing test shows. */
function outcome({ id, refused, differences, notes, story }: any) {
  return { id, refused, differences: JSON.stringify(differences)?.slice(0, 1500), notes, target: story?.target };
}

const idOf = (n: number) => String(n).padStart(32, '0');

// ---- examples

const words = ['ann', 'bob', 'Ops', 'milk', 'todo', 'Engineering', 'x'.repeat(300)];

/** A value that fits a schema of the API description, most of the time. */
function valueFor(schema: any, below: Below, ids: readonly string[]): unknown {
  const one = schema.anyOf?.[0] ?? schema;
  if (one.enum !== undefined) return one.enum[below(one.enum.length)];
  if (one.format === 'uuid' || below(8) === 0) return ids[below(Math.max(1, ids.length))] ?? words[0];
  if (one.type === 'integer' || one.type === 'number') return below(12) - 1;
  if (one.type === 'boolean') return below(2) === 1;
  if (one.type === 'array') return [valueFor(one.items ?? { type: 'string' }, below, ids)];
  if (one.type === 'object') return {};
  return words[below(words.length)];
}

function idsIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"_svc_id":"([0-9a-f]{32})"/g)].map((match) => match[1]!);
}

const callsOfExample = 100;

test.each([
  ['todo', 'main.svc'],
  ['social', 'main.svc'],
  ['orgchart', 'main.svc'],
  ['board', 'main.svc'],
  ['bookshelf', 'app.ts'],
])(
  'S2: 100 calls of the example %s give the same reports and writes again, and nothing is stored',
  async (name, entry) => {
    const below = numbers(name.length * 7919);
    await using server = await startServer({
      folder: copyApp(join(repository, 'examples', name)),
      entry,
      args: ['--no-client'],
      env: development,
    });
    const { base, folder } = server;
    const tokens = [(await register(base, 'ann')).token, (await register(base, 'bob')).token, undefined];
    const { paths, components } = (await (await fetch(`${base}/openapi.json`)).json()) as any;
    const resolved = (schema: any): any =>
      schema?.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)];
    const served = Object.entries<any>(paths).filter(([path]) => /^\/(walker|function)\//.test(path));
    const found: string[] = [];
    const sent: string[] = [];
    const recordedOf = async () => {
      const { data } = (await (await fetch(`${base}/studio/api/stories?limit=500`)).json()) as any;
      return data.stories.map(({ id }: any) => id).filter((id: string) => sent.includes(id)) as string[];
    };
    // A call that is refused before it runs has no story.
    while ((await recordedOf()).length < callsOfExample) {
      for (let i = 0; i < 20; i++) {
        const [path, { post: operation }] = served[below(served.length)]!;
        if (operation === undefined) continue;
        const schema = resolved(operation.requestBody?.content?.['application/json']?.schema);
        const body = Object.fromEntries(
          Object.entries(schema?.properties ?? {})
            .filter(([field]) => schema.required?.includes(field) || below(2) === 0)
            .map(([field, one]) => [field, valueFor(resolved(one), below, found)]),
        );
        const url = base + path.replace(/\{[^}]*\}/g, () => found[below(Math.max(1, found.length))] ?? 'none');
        const token = tokens[below(8) === 0 ? 2 : below(2)];
        const id = idOf(sent.length + 1);
        const answer = await post(url, body, {
          'x-request-id': id,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        });
        found.push(...idsIn(answer));
        sent.push(id);
      }
    }
    const recorded = await recordedOf();
    const exported = async () =>
      (await runSvc(['export', entry], { cwd: folder })).stdout.replace(/"made_at":"[^"]*"/, '');
    const before = await exported();
    const told = await replayAll(base, recorded);
    expect(told.filter(({ same, notes }) => same !== true || notes.length > 0).map(outcome)).toEqual([]);
    expect(told.flatMap(({ story }) => story.steps).filter(({ kind }) => kind === 'write').length).toBeGreaterThan(0);
    expect(await exported()).toBe(before);
    await server.stop();
    removeFolder(folder);
  },
);

// ---- programs made at random

/** Statements in which something comes from outside, or from the graph. */
const statements = [
  'report time.time();',
  'report datetime.now().isoformat();',
  'report [random.random(), random.randint(1, 1000)];',
  'report random.sample(list(range(100)), 5);',
  'report random.gauss(0, 1);',
  'report str(uuid.uuid4());',
  'report secrets.token_hex(8);',
  'report requests.get(url).text;',
  'report requests.post(url, json={"n": random.randint(1, 9)}).json()["asked"];',
  'report Random().random();',
  'here ++> Item(n=random.randint(1, 100), at=time.time());',
  'for item in [-->[?:Item]][0:3] { item.n += random.randint(1, 5); report item; }',
  'report [item.n for item in [-->[?:Item]]];',
  'found = [-->[?:Item]]; if found { del found[0]; }',
  'made = here ++> Item(n=7); report jid(made[0]);',
  'visit [-->[?:Item]];',
  'report here spawn Inner();',
  'report store.get("k"); store.set("k", random.randint(1, 9));',
  'report guess(str(random.randint(1, 3)));',
  'logging.warning(str(time.time()));',
];

function randomProgram(below: Below, url: string): string {
  const walkers = Array.from({ length: 20 }, (_, i) => {
    const body = Array.from({ length: 1 + below(6) }, () => `        ${statements[below(statements.length)]}`).join(
      '\n',
    );
    return `walker:pub W${i} {\n    can go with Root entry {\n${body}\n    }\n    can see with Item entry { here.n += 1; report here.n; }\n}`;
  });
  return `import time;
import random;
import uuid;
import secrets;
import logging;
import requests;
import from random { Random }
import from datetime { datetime }
import from svc_scale.lib { kvstore }
import from byllm.lib { MockLLM }
glob url: str = "${url}";
glob store = kvstore(db_name="things", db_type="docdb");
glob llm = MockLLM(config={"outputs": [f"answer {i}" for i in range(2000)]});
def guess(x: str) -> str by llm();
node Item { has n: int = 0; has at: float = 0.0; }
walker Inner { has got: float = 0.0; can go with Root entry { self.got = random.random(); } }
walker:pub Count { can go with Root entry { glob_count.append(1); report len(glob_count); } }
walker:pub Save { can go with Root entry { with open("written.txt", "a") as f { f.write("x"); } } }
walker:pub Noisy { can go with Root entry { for i in range(30000) { random.random(); } } }
glob glob_count: list = [];
${walkers.join('\n')}
`;
}

test('programs that are made at random from all that comes from outside are replayed the same; nothing is asked again', async () => {
  let asked = 0;
  const service = createServer((_request, response) => void response.end(JSON.stringify({ asked: ++asked })));
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`;
  const below = numbers(20_261_128);
  const folder = mkdtempSync(join(tmpdir(), 'svc-replays-'));
  writeFileSync(join(folder, 'main.svc'), randomProgram(below, url));
  await using server: RunningServer = await startServer({ folder, env: development });
  const { base } = server;
  const ids: string[] = [];
  // Some at once, so that calls wait in the midst of each other and lose against each other.
  for (let i = 1; i <= 200; i += 4) {
    const together = [i, i + 1, i + 2, i + 3].map((n) => {
      ids.push(idOf(n));
      return post(`${base}/walker/W${below(20)}`, {}, { 'x-request-id': idOf(n) });
    });
    await Promise.all(together);
  }
  const before = asked;
  expect(before).toBeGreaterThan(20);
  const told = await replayAll(base, ids);
  expect(told.filter(({ same }) => same !== true).map(outcome)).toEqual([]);
  expect(told.filter(({ notes }) => notes.length > 0).map(outcome)).toEqual([]);
  expect(asked).toBe(before);
  expect(told.filter(({ story }) => story.status === 200).length).toBeGreaterThan(100);
  service.close();

  // Told is also that some things are not the same again: variables of the process, files, too many values.
  const call = async (name: string) => {
    const id = idOf(900 + name.length);
    await post(`${base}/walker/${name}`, {}, { 'x-request-id': id });
    return (await replayAll(base, [id]))[0];
  };
  expect(await call('Count')).toMatchObject({
    same: false,
    differences: [{ of: 'reports', recorded: [1], replayed: [2] }],
  });
  expect(await call('Save')).toMatchObject({
    same: false,
    differences: [{ of: 'status' }, { of: 'reports' }, { of: 'result' }, { of: 'error' }],
  });
  expect((await call('Noisy')).refused).toContain('more came to it from outside than is kept');
  expect((await post(`${base}/studio/api/stories/${idOf(999)}/replay`, {})).error.code).toBe('NOT_FOUND');

  const shown = await runSvc(['story', ids[0]!, '--replay', '--url', base], { cwd: folder });
  expect([shown.code, shown.stdout]).toEqual([
    0,
    expect.stringContaining('replayed: the same answer and the same writes\n'),
  ]);
  await server.stop();
  removeFolder(folder);
});
