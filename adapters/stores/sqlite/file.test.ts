import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SHARED_ROOT_ID } from '../../../core/graph/ids.ts';
import { createRuntime, type RuntimeOptions } from '../../../core/memory/runtime.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import * as $ from '../../../core/runtime.ts';
import { openDriver } from './open-driver.ts';
import { openSqliteStore, type SqliteOptions } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `${++files}.db`);
const guest = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' as const };

/** Registers a version of type `Doc`. */
function version(fields: { name: string; type: any; default?: () => unknown }[]) {
  const cls = class Doc extends $.Node {} as any;
  $.archetype(cls, { kind: 'node', name: 'Doc', module: 'file_test', fields, abilities: [] });
  return cls;
}

async function session<T>(
  file: string,
  work: () => T,
  options: Partial<SqliteOptions> & Partial<RuntimeOptions> = {},
): Promise<T> {
  const { graph } = await openSqliteStore({ file, durability: 'full', ...options });
  try {
    return await runUnit(createRuntime({ ...options, store: graph }), guest, work);
  } finally {
    await graph.close();
  }
}

const docs = (cls: any) => $.hops($.root(), 'node', [{ dir: 'out', nodeType: cls }]) as any[];
const str = { t: 'str' } as const;
const int = { t: 'int' } as const;

test('what is not a database is refused and left as it is', async () => {
  const file = newFile();
  writeFileSync(file, 'this is not a database, but somebody needs it\n'.repeat(100));
  const before = readFileSync(file);
  await expect(openSqliteStore({ file, durability: 'full' })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    details: { reason: 'corrupt' },
  });
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('a file of before API keys had scopes gets them; theirs is webhooks', async () => {
  const file = newFile();
  (await openSqliteStore({ file, durability: 'full' })).graph.close();
  const db = openDriver(file);
  db.exec(`ALTER TABLE api_keys DROP COLUMN scopes;
    PRAGMA foreign_keys=OFF;
    INSERT INTO api_keys (id, user_id, name, secret_hash, signing_secret, created_at) VALUES ('k', 'u', 'n', 'h', 's', '2026');`);
  db.close();
  for (let i = 0; i < 2; i++) {
    const { accounts, graph } = await openSqliteStore({ file, durability: 'full' });
    expect(await accounts.apiKeyById('k')).toMatchObject({ id: 'k', scopes: ['webhook'], allowedWalkers: [] });
    await graph.close();
  }
});

test('a damaged database is refused and left as it is', async () => {
  const file = newFile();
  const Doc = version([{ name: 'title', type: str }]);
  await session(file, () => {
    for (let i = 0; i < 300; i++)
      $.connect($.root(), Doc.$new(`a rather long title, so that there are pages to damage ${i}`), 'out');
  });
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(6000, 0x5a), 0, 6000, Math.floor(statSync(file).size / 2));
  closeSync(handle);
  const before = readFileSync(file);
  await expect(openSqliteStore({ file, durability: 'full' })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    details: { reason: 'corrupt' },
  });
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('a database of a newer format is refused, one of something else too', async () => {
  const file = newFile();
  await session(file, () => null);
  const db = openDriver(file);
  db.exec("UPDATE meta SET value = '99' WHERE key = 'format'");
  db.close();
  await expect(openSqliteStore({ file, durability: 'full' })).rejects.toMatchObject({
    details: { reason: 'newer_format' },
  });
  const other = newFile();
  const foreign = openDriver(other);
  foreign.exec('CREATE TABLE books (title TEXT)');
  foreign.close();
  await expect(openSqliteStore({ file: other, durability: 'full' })).rejects.toMatchObject({
    details: { reason: 'corrupt' },
  });
});

test('a full disk fails the call, loses nothing, and the process goes on', async () => {
  const file = newFile();
  const Doc = version([{ name: 'title', type: str }]);
  const { graph } = await openSqliteStore({ file, durability: 'full', maxBytes: 400 * 1024 });
  const runtime = createRuntime({ store: graph });
  const write = async (i: number) =>
    runUnit(runtime, guest, () => void $.connect($.root(), Doc.$new(`${i} ${'x'.repeat(8000)}`), 'out'));
  const results = await Promise.allSettled(Array.from({ length: 120 }, (_, i) => write(i)));
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  for (const { reason } of refused)
    expect(reason).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      status: 503,
      message: 'the disk of the store is full',
    });
  const kept = results.flatMap((result, i) => (result.status === 'fulfilled' ? [i] : []));
  expect(await runUnit(runtime, guest, () => docs(Doc).map((doc) => Number.parseInt(doc.title, 10)))).toEqual(kept);
  // Room again: what is removed makes place for something new.
  await runUnit(runtime, guest, () => void $.destroy(docs(Doc)));
  await write(999);
  await graph.close();
  expect(await session(file, () => docs(Doc).map((doc) => doc.title.slice(0, 3)))).toEqual(['999']);
});

test('a failing unit does not take those of its group along', async () => {
  const Doc = version([{ name: 'title', type: str }]);
  const { graph } = await openSqliteStore({ file: newFile(), durability: 'full' });
  const runtime = createRuntime({ store: graph });
  const unit = async (title: unknown) =>
    runUnit(runtime, guest, () => {
      const doc = Doc.$new('x');
      // The database refuses this one only while it writes: the id is there already.
      if (title === 'twice') doc.$id = 'a'.repeat(32);
      doc.title = title;
      $.connect($.root(), doc, 'out');
    });
  await unit('twice');
  const results = await Promise.allSettled(['a', 'twice', 'b', 'twice', 'c'].map(unit));
  expect(results.map((result) => result.status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(await runUnit(runtime, guest, () => docs(Doc).map((doc) => doc.title))).toEqual(['twice', 'a', 'b', 'c']);
  await graph.close();
});

test('units of one turn that add and remove around the same nodes leave no edge without an end', async () => {
  const file = newFile();
  const Doc = version([{ name: 'title', type: str }]);
  const { graph } = await openSqliteStore({ file, durability: 'full' });
  const runtime = createRuntime({ store: graph });
  const unit = async <T>(work: () => T) => runUnit(runtime, guest, work);
  const hub = await unit(() => {
    const doc = Doc.$new('hub');
    $.connect($.root(), doc, 'out');
    return $.oid(doc);
  });
  const add = (count: number) => () => {
    for (let i = 0; i < count; i++) $.connect($.oget(hub) as any, Doc.$new(`child ${i}`), 'out');
  };
  // More rows than one statement takes, and fewer; the last unit removes what the others have just been given.
  await Promise.all([40, 1, 31, 5].map((count) => unit(add(count))));
  expect(await unit(() => ($.hops($.oget(hub), 'node', [{ dir: 'out', nodeType: Doc }]) as any[]).length)).toBe(77);
  const results = await Promise.allSettled([
    unit(add(3)),
    unit(add(40)),
    unit(() => void $.destroy($.oget(hub) as any)),
    unit(add(2)),
  ]);
  expect(results[2]!.status).toBe('fulfilled');
  expect(await unit(() => $.oget(hub))).toBe(null);
  await graph.close();
  const db = openDriver(file);
  const count = (sql: string) => db.prepare(sql).value();
  expect(count('SELECT count(*) FROM adj a LEFT JOIN node n ON n.id = a.far WHERE n.id IS NULL')).toBe(0);
  expect(count('SELECT count(*) FROM radj a LEFT JOIN node n ON n.id = a.far WHERE n.id IS NULL')).toBe(0);
  expect(count('SELECT count(*) FROM adj a LEFT JOIN node n ON n.id = a.src WHERE n.id IS NULL')).toBe(0);
  expect(count('SELECT count(*) FROM adj')).toBe(count('SELECT count(*) FROM radj'));
  db.close();
});

test('everything is there after a restart, and ids are the same', async () => {
  const file = newFile();
  const Doc = version([{ name: 'title', type: str }]);
  const ids = await session(file, () => {
    const doc = Doc.$new('a');
    $.connect($.root(), doc, 'out');
    return $.oid(doc);
  });
  expect(await session(file, () => docs(Doc).map((doc) => [$.oid(doc), doc.title]))).toEqual([[ids, 'a']]);
  expect(await session(file, () => ($.oget(ids) as any).title)).toBe('a');
});

test('objects of an older version of their type are converted; what does not fit is kept aside', async () => {
  const file = newFile();
  const warnings: string[] = [];
  const warn = (_: string, fields: any) => void warnings.push(`${fields.type}.${fields.field} ${fields.what}`);
  const Old = version([
    { name: 'title', type: str },
    { name: 'size', type: int },
    { name: 'gone', type: str },
    { name: 'name', type: str },
  ]);
  await session(file, () => void $.connect($.root(), Old.$new('t', 5, 'kept aside', 'n'), 'out'));
  const New = version([
    { name: 'title', type: { t: 'list', of: str } },
    { name: 'size', type: str },
    { name: 'label', type: str },
    { name: 'added', type: int, default: () => 7 },
    { name: 'zero', type: { t: 'dict', key: str, value: int } },
  ]);
  const options = { warn, renamedFields: { 'Doc.name': 'label' } };
  const shown = await session(file, () => docs(New).map((doc) => $.repr(doc)), options);
  expect(shown).toEqual(["Doc(title=['t'], size='5', label='n', added=7, zero={})"]);
  expect(warnings).toEqual(['Doc.added added', 'Doc.zero added']);
  await session(file, () => void docs(New)[0].title.push('u'), options);
  // The older version again: its field comes back.
  const Back = version([
    { name: 'title', type: { t: 'list', of: str } },
    { name: 'size', type: int },
    { name: 'gone', type: str },
  ]);
  expect(await session(file, () => docs(Back).map((doc) => $.repr(doc)))).toEqual([
    "Doc(title=['t', 'u'], size=5, gone='kept aside')",
  ]);
});

test('objects of a type the program does not have are invisible and stay', async () => {
  const file = newFile();
  const Doc = version([{ name: 'title', type: str }]);
  await session(file, () => void $.connect($.root(), [Doc.$new('a'), Doc.$new('b')], 'out'));
  const nothing = { named: () => undefined, called: () => [] };
  const root = {
    named: (name: string) => (name === 'Root' ? $.Root : name === 'GenericEdge' ? $.GenericEdge : undefined),
    called: () => [],
  };
  expect(nothing.called()).toEqual([]);
  expect(
    await session(file, () => ($.hops($.root(), 'node', [{ dir: 'out' }]) as any[]).length, {
      classes: () => root as any,
    }),
  ).toBe(0);
  expect(await session(file, () => docs(Doc).length)).toBe(2);
  class Renamed extends $.Node {}
  $.archetype(Renamed, {
    kind: 'node',
    name: 'Renamed',
    module: 'file_test',
    fields: [{ name: 'title', type: str }],
    abilities: [],
  });
  const seen = await session(file, () => docs(Renamed).map((doc) => doc.title), { aliases: { Doc: 'Renamed' } });
  expect(seen).toEqual(['a', 'b']);
});

test('edges of nodes that were written again under a new version of their type can be removed', async () => {
  const file = newFile();
  const Old = version([{ name: 'title', type: str }]);
  await session(file, () => {
    const [a, b] = [Old.$new('a'), Old.$new('b')];
    $.connect($.root(), [a, b], 'out');
    $.connect(a, b, 'any');
  });
  const New = version([
    { name: 'title', type: str },
    { name: 'size', type: int, default: () => 1 },
  ]);
  await session(file, () => {
    for (const doc of docs(New)) doc.size = 2;
  });
  await session(file, () => {
    const [a, b] = docs(New);
    expect($.disconnect(a, b, { dir: 'out' })).toBe(true);
  });
  await session(file, () => {
    const [a, b] = docs(New);
    expect($.hops(b, 'node', [{ dir: 'any' }])).toEqual([$.root()]);
    $.destroy(a);
  });
  expect(await session(file, () => docs(New).map((doc) => doc.title))).toEqual(['b']);
});

test('what several processes create in turns is listed in the order it was created in', async () => {
  const file = newFile();
  const Doc = version([{ name: 'title', type: str }]);
  const runtimes = [];
  for (let i = 0; i < 2; i++) {
    const { graph } = await openSqliteStore({ file, durability: 'full', shared: true });
    runtimes.push(createRuntime({ store: graph }));
  }
  const titles = Array.from({ length: 9 }, (_, i) => `title ${i}`);
  for (const [i, title] of titles.entries())
    await runUnit(runtimes[i % 2]!, guest, () => void $.connect($.root(), Doc.$new(title), 'out'));
  for (const runtime of runtimes)
    expect(await runUnit(runtime, guest, () => docs(Doc).map((doc) => doc.title))).toEqual(titles);
  for (const { store } of runtimes) await store.close();
});
