/** `svc export`, `svc import` and `svc backup` with real processes. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDynamo } from '../harness/dynamo-server.ts';
import { openDocumentDatabase } from '../harness/mongo/document-database.ts';
import { copyApp, post, type RunningServer, register, removeFolder, runSvc, startServer } from '../harness/server.ts';

const app = join(import.meta.dirname, 'permissions');
const folders: string[] = [];
const freshFolder = () => {
  const folder = copyApp(app);
  folders.push(folder);
  return folder;
};
const home = freshFolder();
let server: RunningServer;
let ann: { token: string; rootId: string };
let bob: { token: string; rootId: string };
const ids: string[] = [];

const walk = async (base: string, name: string, body: unknown, token?: string) =>
  (await post(base, `/walker/${name}`, body, token)).data.reports[0];

/** Gives everything that both users see, with ids, order and fields. */
async function view(base: string): Promise<unknown> {
  const seen = [];
  for (const name of ['ann', 'bob']) {
    const { token } = (await post(base, '/user/login', { username: name, password: 'correct horse 1' })).data;
    const { data } = await post(base, '/traverse', { depth: -1, detailed: true }, token);
    seen.push(data);
    for (const id of ids) seen.push(await walk(base, 'Far', { id }, token), await walk(base, 'Deref', { id }, token));
  }
  return seen;
}

beforeAll(async () => {
  server = await startServer({ folder: home });
  const { base } = server;
  [ann, bob] = [await register(base, 'ann'), await register(base, 'bob')];
  for (let n = 0; n < 5; n++) ids.push(await walk(base, 'Make', { n }, ann.token));
  ids.push(await walk(base, 'Make', { n: 7 }, bob.token), await walk(base, 'Make', { n: 8 }));
  const link = await walk(base, 'Join', { a: ids[3], b: ids[1] }, ann.token);
  await walk(base, 'Weigh', { id: link, w: 3 }, ann.token);
  await walk(base, 'Allow', { id: ids[0], root_id: bob.rootId, level: 1 }, ann.token);
  await walk(base, 'Grant', { id: link, level: 'READ' }, ann.token);
  await walk(base, 'Join', { a: ids[5], b: ids[0] }, bob.token);
  await walk(base, 'Point', { id: ids[2], other: ids[4] }, ann.token);
  await walk(base, 'Tag', { id: ids[2], n: -5 }, ann.token);
  await walk(base, 'Drop', { id: ids[1] }, bob.token);
});
afterAll(async () => {
  await server.stop();
  for (const folder of folders) removeFolder(folder);
});

test('an export of a running server makes the same store elsewhere: ids, order, fields, rules, accounts', async () => {
  const before = await view(server.base);
  const exported = await runSvc(['export', '-o', 'all.jsonl'], { cwd: home });
  expect([exported.code, exported.stderr]).toEqual([0, 'svc: .svc/data/svc.db was written to all.jsonl\n']);
  const file = join(home, 'all.jsonl');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const count = (kind: string) => lines.filter((line) => line.kind === kind).length;
  expect(lines.at(-1)).toEqual({ kind: 'end', nodes: count('node'), edges: count('edge'), accounts: 2 });

  const other = freshFolder();
  const imported = await runSvc(['import', file], { cwd: other });
  expect([imported.code, imported.stderr]).toEqual([
    0,
    `svc: ${count('node')} nodes, ${count('edge')} edges and 2 accounts are in .svc/data/svc.db\n`,
  ]);
  await using copy = await startServer({ folder: other });
  expect(await view(copy.base)).toEqual(before);
  // The copy lives on: new objects get new ids, and a second export of the same objects is the same.
  const { token } = (await post(copy.base, '/user/login', { username: 'ann', password: 'correct horse 1' })).data;
  const fresh = await walk(copy.base, 'Make', { n: 99 }, token);
  expect(ids).not.toContain(fresh);
  await walk(copy.base, 'Drop', { id: fresh }, token);
  expect(await view(copy.base)).toEqual(before);
  const again = await runSvc(['export'], { cwd: other });
  const records = (text: string) =>
    text.split('\n').filter((line) => /^\{"kind":"(node|edge)"/.test(line) && !line.includes('"type":"Root"'));
  expect(records(again.stdout)).toEqual(records(readFileSync(file, 'utf8')));
});

test('without accounts nobody can sign in, and no name or hash is in the file', async () => {
  const { stdout } = await runSvc(['export', '--no-accounts'], { cwd: home });
  expect(stdout).not.toMatch(/scrypt|argon2|"ann"|"bob"/);
  const other = freshFolder();
  writeFileSync(join(other, 'graph.jsonl'), stdout);
  expect((await runSvc(['import', 'graph.jsonl'], { cwd: other })).code).toBe(0);
  await using copy = await startServer({ folder: other });
  const login = await post(copy.base, '/user/login', { username: 'ann', password: 'correct horse 1' });
  expect(login.error.code).toBe('UNAUTHORIZED');
  // The guests' part is as it was.
  expect(await walk(copy.base, 'Get', { id: ids[6] })).toBe(8);
});

test('a backup taken while calls write is whole: every answered write before it, and no half unit', async () => {
  const { base } = server;
  const from = await walk(base, 'Make', { n: 0 }, ann.token);
  const answered: string[] = [];
  let isDone = false;
  const writing = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!isDone) answered.push(await walk(base, 'Make', { n: answered.length, on: from }, ann.token));
    }),
  );
  while (answered.length < 50) await new Promise((resolve) => setTimeout(resolve, 5));
  const sure = answered.length;
  const { code, stderr } = await runSvc(['backup', '-o', 'copy.db'], { cwd: home });
  isDone = true;
  await writing;
  expect([code, stderr]).toEqual([0, 'svc: .svc/data/svc.db was copied to copy.db\n']);
  expect(answered.length).toBeGreaterThan(sure);

  const other = freshFolder();
  mkdirSync(join(other, '.svc/data'), { recursive: true });
  copyFileSync(join(home, 'copy.db'), join(other, '.svc/data/svc.db'));
  await using copy = await startServer({ folder: other });
  const { token } = (await post(copy.base, '/user/login', { username: 'ann', password: 'correct horse 1' })).data;
  const [far, , edges] = await walk(copy.base, 'Far', { id: from }, token);
  expect(far.length).toBeGreaterThanOrEqual(sure);
  // A new node and its edge belong to one unit; one edge more comes from the root.
  expect(edges).toHaveLength(far.length + 1);
  for (const id of far) expect(answered).toContain(id);
  expect(statSync(join(home, 'copy.db')).mode & 0o777).toBe(0o600);
  expect(existsSync(join(home, 'copy.db.partial'))).toBe(false);
});

/** A store other than the file, emulated unless an address is set. */
async function remote(kind: 'dynamodb' | 'docdb') {
  if (kind === 'dynamodb') {
    const dynamo = await startDynamo();
    const env = { SVC_DATABASE_STORE: 'dynamodb', SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint };
    return {
      env: { ...env, SVC_DATABASE_DYNAMODB_TABLE_PREFIX: `archive-${Date.now()}-` },
      stop: () => dynamo.stop(),
      emulation: undefined,
    };
  }
  const database = await openDocumentDatabase();
  const env = { DOCDB_URI: database.uri, SVC_DATABASE_DOCDB_NAME: `svc_archive_${Date.now()}` };
  return { env, stop: () => database[Symbol.asyncDispose](), emulation: database.emulation };
}

for (const kind of ['dynamodb', 'docdb'] as const) {
  test(`from a file into ${kind} and back: ids, order, fields, rules, accounts`, async () => {
    const before = await view(server.base);
    const exported = await runSvc(['export', '-o', 'moving.jsonl'], { cwd: home });
    expect(exported.code).toBe(0);
    const { env, stop, emulation } = await remote(kind);
    try {
      const there = freshFolder();
      const file = join(home, 'moving.jsonl');
      const broken = join(home, 'broken.jsonl');
      writeFileSync(broken, readFileSync(file, 'utf8').trimEnd().split('\n').slice(0, -1).join('\n'));
      const refused = await runSvc(['import', broken], { cwd: there, env });
      expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('it is cut off')]);
      if (emulation !== undefined) {
        const noRights = { code: 13, name: 'Unauthorized' };
        const when = ({ insert }: { insert?: unknown }) => insert === 'svc_edges';
        const fault = emulation.fail({ command: 'insert', how: noRights, when });
        expect((await runSvc(['import', file], { cwd: there, env })).code).not.toBe(0);
        expect(fault.fired).toBe(1);
        const longer = join(home, 'longer.jsonl');
        writeFileSync(longer, `${readFileSync(file, 'utf8')}\n`);
        const other = await runSvc(['import', longer], { cwd: there, env });
        expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('another import broke off here')]);
        for (const args of [
          ['start', 'main.svc', '--port', '0'],
          ['start', 'main.svc', '--port', '0', '--workers', '2'],
          ['run', 'main.svc'],
        ]) {
          const half = await runSvc(args, { cwd: there, env });
          expect([args, half.code]).toEqual([args, 7]);
          expect(half.stderr).toMatch(
            /^svc: cannot use the store docdb \(.*\): an import of .*moving\.jsonl has begun here/m,
          );
          expect(half.stderr).toMatch(/^ {2}hint: svc import .*moving\.jsonl does the rest$/m);
        }
      }
      const imported = await runSvc(['import', file], { cwd: there, env });
      expect(imported.code).toBe(0);
      expect(imported.stderr).toMatch(
        new RegExp(`^svc: \\d+ nodes, \\d+ edges and 2 accounts are in ${kind} \\(`, 'm'),
      );
      expect(imported.stderr.includes('this one goes on with it')).toBe(emulation !== undefined);
      {
        await using moved = await startServer({ folder: there, env });
        expect(await view(moved.base)).toEqual(before);
        const { token } = (await post(moved.base, '/user/login', { username: 'ann', password: 'correct horse 1' }))
          .data;
        await walk(moved.base, 'Drop', { id: await walk(moved.base, 'Make', { n: 99 }, token) }, token);
        await moved.stop();
      }
      const full = await runSvc(['import', file], { cwd: there, env });
      expect([full.code, full.stderr]).toEqual([1, expect.stringContaining('there is something stored already')]);
      const backup = await runSvc(['backup', '-o', 'x.db'], { cwd: there, env });
      expect([backup.code, backup.stderr]).toEqual([2, expect.stringContaining(`the store is ${kind}`)]);
      expect(existsSync(join(there, 'x.db'))).toBe(false);
      expect((await runSvc(['export', '-o', 'back.jsonl'], { cwd: there, env })).stderr).toContain(
        'was written to back',
      );
      const [header] = readFileSync(join(there, 'back.jsonl'), 'utf8').split('\n', 1);
      expect(JSON.parse(header!)).toMatchObject({ kind: 'svc-graph', of_one_moment: true });
      const back = freshFolder();
      expect((await runSvc(['import', join(there, 'back.jsonl')], { cwd: back })).code).toBe(0);
      await using again = await startServer({ folder: back });
      expect(await view(again.base)).toEqual(before);
      await again.stop();
    } finally {
      await stop();
    }
  });
}

test('refusals say what is in the way and change nothing', async () => {
  const said = async (...args: string[]) => {
    const { code, stderr } = await runSvc(args, { cwd: home });
    return [code, stderr.split('\n')[0]];
  };
  const empty = freshFolder();
  for (const name of ['export', 'backup'])
    expect((await runSvc([name, '-o', 'x'], { cwd: empty })).stderr).toContain(
      'nothing is stored yet in .svc/data/svc.db',
    );
  expect(existsSync(join(empty, '.svc/data/svc.db'))).toBe(false);
  expect(await said('backup')).toEqual([2, 'svc: backup: --out is missing']);
  expect(await said('backup', '-o', 'copy.db')).toEqual([1, 'svc: backup: copy.db is there already']);
  expect(await said('backup', '-o', 'copy.db', '--force')).toEqual([0, 'svc: .svc/data/svc.db was copied to copy.db']);
  expect(await said('backup', '-o', '.svc/data/svc.db')).toEqual([2, 'svc: --out: that is the store itself']);
  expect((await said('backup', '-o', 'nowhere/copy.db'))[1]).toBe(
    'svc: cannot use nowhere/copy.db: no such file or folder',
  );
  expect(await said('import', 'all.jsonl')).toEqual([1, 'svc: import: there is a store already: .svc/data/svc.db']);

  const whole = readFileSync(join(home, 'all.jsonl'), 'utf8').trimEnd().split('\n');
  const edge = whole.findIndex((line) => line.startsWith('{"kind":"edge"'));
  const broken: readonly (readonly [name: string, lines: readonly string[], message: RegExp])[] = [
    ['cut', whole.slice(0, -1), /it is cut off/],
    ['short', whole.toSpliced(-3, 1), /it should have 2 accounts and has 1/],
    ['headless', whole.slice(1), /bad.jsonl:1: .* does not begin with the header/],
    ['garbled', whole.toSpliced(2, 1, '{"kind":'), /bad.jsonl:3: /],
    [
      'endless',
      whole.toSpliced(edge, 1, whole[edge]!.replace(/"target":"[^"]*"/, `"target":"${'f'.repeat(32)}"`)),
      /there is no node f{32}/,
    ],
    ['newer', [whole[0]!.replace('"format":1', '"format":9'), ...whole.slice(1)], /format 9, this version knows 1/],
    [
      'injected',
      whole.toSpliced(-1, 0, '{"kind":"account","user":{"user_id) VALUES (1); --":1},"identities":[]}'),
      /unknown member of an account/,
    ],
  ];
  for (const [name, lines, message] of broken) {
    writeFileSync(join(empty, 'bad.jsonl'), `${lines.join('\n')}\n`);
    const { code, stderr } = await runSvc(['import', 'bad.jsonl'], { cwd: empty });
    expect([name, code]).toEqual([name, 3]);
    expect(stderr).toMatch(message);
    expect(existsSync(join(empty, '.svc/data/svc.db'))).toBe(false);
    expect(existsSync(join(empty, '.svc/data/svc.db.partial'))).toBe(false);
  }
  rmSync(join(empty, '.svc'), { recursive: true });
  mkdirSync(join(empty, '.svc/data'), { recursive: true });
  writeFileSync(join(empty, '.svc/data/svc.db'), 'no database at all, but long enough to look like one');
  const damaged = await runSvc(['export', '-o', 'x'], { cwd: empty });
  expect([damaged.code, existsSync(join(empty, 'x'))]).toEqual([7, false]);
  expect(damaged.stderr).toContain('damaged or not a database of svc');
});
