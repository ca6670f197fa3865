import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testDatabases } from '../../../test/harness/test-databases.ts';
import { openHelper } from '../../../test/harness/with-databases.ts';
import { openDriver } from '../../stores/sqlite/open-driver.ts';
import { openEmbedded } from './database.ts';

function temporaryFolder(): { readonly path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), 'svc-kv-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

test('what was answered is there after opening anew; only the owner may read the file', async () => {
  using folder = temporaryFolder();
  const first = testDatabases({ embeddedIn: folder.path });
  await openHelper(first).set('k', { a: 1 });
  await openHelper(first, { db_type: 'kvcache' }).incr('n', 5);
  await first.close();
  const second = testDatabases({ embeddedIn: folder.path });
  expect((await openHelper(second).get('k')).get('a')).toBe(1);
  expect(await openHelper(second, { db_type: 'kvcache' }).get('n')).toBe(5);
  expect(statSync(join(folder.path, 'kvstore.db')).mode & 0o777).toBe(0o600);
  await second.close();
});

test('a damaged file is refused as it lies, and works when it is put right', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'kvstore.db');
  const junk = 'this is no database at all'.repeat(400);
  writeFileSync(file, junk);
  const databases = testDatabases({ embeddedIn: folder.path });
  const db = openHelper(databases);
  await expect(db.get('k')).rejects.toMatchObject({ name: 'OSError' });
  expect(readFileSync(file, 'utf8')).toBe(junk);
  rmSync(file);
  expect(await db.set('k', 1)).toBe(true);
  await databases.close();
});

test('a file that another process holds is a TimeoutError; afterwards it goes on', async () => {
  using folder = temporaryFolder();
  const databases = testDatabases({ embeddedIn: folder.path, operationTimeoutMs: 50 });
  const kv = openHelper(databases, { db_type: 'kvcache' });
  await kv.set('k', 1);
  const other = openDriver(join(folder.path, 'kvstore.db'));
  other.exec('BEGIN IMMEDIATE');
  await expect(kv.set('k', 2)).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(await kv.get('k')).toBe(1);
  other.exec('ROLLBACK');
  expect(await kv.set('k', 2)).toBe(true);
  other.close();
  await databases.close();
});

test('what is asked for at once is one transaction; what fails in it takes nothing else with it', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'kvstore.db');
  const db = openEmbedded({ file, durability: 'full', busyTimeoutMs: 1000 });
  const insert = (key: string) => db.prepare("INSERT INTO pairs (number, key, value) VALUES (0, ?, '1')").run(key);
  const results = await Promise.allSettled([
    db.write(() => insert('a')),
    db.write(() => {
      insert('b');
      throw new Error('no');
    }),
    db.write(() => insert('c')),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(
    db
      .prepare('SELECT key FROM pairs ORDER BY key')
      .rows()
      .map(({ key }) => key),
  ).toEqual(['a', 'c']);
  db.close();
});

test('documents with `expire_seconds` go when their time is over', async () => {
  using folder = temporaryFolder();
  let now = Date.parse('2026-01-01T00:00:00Z');
  const { embeddedDocuments } = await import('./documents.ts');
  const db = openEmbedded({
    file: join(folder.path, 'kvstore.db'),
    durability: 'full',
    busyTimeoutMs: 1000,
    nowMs: () => now,
  });
  const documents = embeddedDocuments(db, 'd');
  await documents.createIndex('c', { name: 'at_1', keys: [['at', 1]], unique: false, expireSeconds: 60 });
  await documents.insertOne(
    'c',
    new Map<string, any>([
      ['_id', 1],
      ['at', new Date(now)],
    ]),
  );
  await documents.insertOne(
    'c',
    new Map<string, any>([
      ['_id', 2],
      ['at', 'never'],
    ]),
  );
  await documents.insertOne(
    'c',
    new Map<string, any>([
      ['_id', 3],
      ['at', [new Date(now + 9e9), new Date(now + 1000)]],
    ]),
  );
  now += 59_999;
  expect(await documents.count('c', new Map())).toBe(3);
  now += 1;
  expect(await documents.count('c', new Map())).toBe(2);
  await documents.update('c', new Map([['_id', 3]]), new Map([['$set', new Map([['at', new Date(now)]])]]), {
    many: false,
    upsert: false,
  });
  now += 59_000;
  expect(await documents.count('c', new Map())).toBe(2);
  now += 1000;
  expect(await documents.insertOne('c', new Map([['_id', 3]]))).toBe(3);
  expect(await documents.count('c', new Map())).toBe(2);
  db.close();
});

test('long keys of the first format are found', async () => {
  using folder = temporaryFolder();
  const [id, text] = ['i'.repeat(2000), 't'.repeat(2000)];
  const databases = testDatabases({ embeddedIn: folder.path });
  const db = openHelper(databases);
  await db.create_index('c', 'text', true);
  await db.insert_one('c', { _id: id, text });
  await databases.close();
  const old = openDriver(join(folder.path, 'kvstore.db'));
  for (const [table, column, key] of [
    ['documents', 'id', id],
    ['entries', 'key', text],
  ])
    old.prepare(`UPDATE ${table} SET ${column} = ?`).run(`s${JSON.stringify(key)}`);
  old.exec('PRAGMA user_version=1');
  old.close();
  const again = testDatabases({ embeddedIn: folder.path });
  const found = openHelper(again);
  expect([(await found.find_by_id('c', id)).get('text'), await found.count_documents('c', { text })]).toEqual([
    text,
    1,
  ]);
  await again.close();
});

test('a file whose format cannot be changed is refused, and is not kept from others', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'kvstore.db');
  const databases = testDatabases({ embeddedIn: folder.path });
  await openHelper(databases).insert_one('c', { _id: 'i'.repeat(2000) });
  await databases.close();
  const old = openDriver(file);
  old.prepare('UPDATE documents SET id = ?').run(`s${JSON.stringify('i'.repeat(2000))}`);
  old.exec("CREATE TRIGGER fails BEFORE UPDATE ON documents BEGIN SELECT RAISE(ABORT, 'no room'); END");
  old.exec('PRAGMA user_version=1');
  const again = testDatabases({ embeddedIn: folder.path });
  await expect(openHelper(again).count_documents('c', {})).rejects.toThrow('the embedded database cannot be used');
  old.exec("PRAGMA busy_timeout=0; UPDATE collections SET name = 'd'");
  old.close();
  await again.close();
});
