import { expect, test } from 'vitest';
import { fromJson } from '../../handlers/http/bind/containers.ts';
import { deep, newMemo } from '../../library/modules/copy.ts';
import { loads } from '../../library/modules/json/json.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { dictUpdate } from '../../library/values/containers/dict-update.ts';
import { written } from '../../library/values/containers/written-keys.ts';
import { testDatabases } from '../../test/harness/test-databases.ts';
import { openHelper, withDatabases } from '../../test/harness/with-databases.ts';
import { kvstore } from '../modules/svc-scale.ts';
import { checkFilter } from './filter.ts';
import { KvStore } from './kvstore.ts';

const make = (kind: any, uri?: string, name = 'shop') => new KvStore({ name, kind, uri });

test('a kind there is not; an address of another kind; a name that cannot be', () => {
  expect(() => make('sql')).toThrow('Unsupported db_type: sql');
  expect(() => make('docdb', 'redis://h')).toThrow('The URI of a docdb must start with');
  expect(() => make('kvcache', 'mongodb://h')).toThrow('The URI of a kvcache must start with');
  expect(() => make('docdb', undefined, 'a/b')).toThrow('Not the name of a database');
});

test('without an address and without a place for data there is none (docs/server/kvstore.md#construction)', async () => {
  for (const databases of [undefined, testDatabases({ embeddedIn: undefined })])
    for (const kind of ['docdb', 'kvcache'])
      withDatabases(databases, () => {
        expect(() => make(kind)).toThrow(`No ${kind} URI configured`);
        expect(() => make(kind, 'local:')).toThrow(`No ${kind} URI configured`);
      });
  withDatabases(testDatabases({ embeddedIn: undefined, kvcacheUrl: 'redis://127.0.0.1:1' }), () => make('kvcache'));
});

test('the argument is asked before what is configured', async () => {
  const databases = testDatabases({ kvcacheUrl: 'redis://127.0.0.1:1' });
  const local = openHelper(databases, { db_type: 'kvcache', uri: 'local:' });
  expect(await local.set('k', 1)).toBe(true);
  const away = openHelper(databases, { db_type: 'kvcache', uri: 'redis://127.0.0.1:2' });
  await expect(away.get('k')).rejects.toThrow('127.0.0.1:2');
  await expect(openHelper(databases, { db_type: 'kvcache' }).get('k')).rejects.toThrow('127.0.0.1:1');
  await databases.close();
});

test('operators are those that the program wrote: copies of a dict have them, dicts made of its parts have not', () => {
  const ours = written(Dict.of('$ne', 1), '$ne');
  const sent = fromJson({ a: { $ne: 1 }, b: [{ $gt: 1 }], c: 1 }) as Dict;
  const refused = 'Operator in request data';
  for (const copy of [ours, ours.copy(), dictUpdate(new Dict(), ours), deep(ours, newMemo()) as Dict])
    expect(checkFilter({ a: copy }).get('a')).toEqual(new Map([['$ne', 1]]));
  const alike = [sent.get('a'), Dict.from(ours.map), dictUpdate(new Dict(), new Map(ours.map)), loads('{"$ne": 1}')];
  for (const dict of alike) expect(() => checkFilter({ a: dict })).toThrow(refused);
  // A key that is written does not vouch for others, nor for what stands behind it.
  expect(() => checkFilter({ a: dictUpdate(ours.copy(), Dict.of('$gt', 2)) })).toThrow(refused);
  expect(() => checkFilter({ a: written(Dict.of('$not', sent.get('a')), '$not') })).toThrow(refused);
  const { literal, trusted } = kvstore as any;
  expect(checkFilter({ a: literal(sent.get('a')) }).get('a')).toEqual(new Map([['$eq', new Map([['$ne', 1]])]]));
  expect(() => checkFilter(sent)).toThrow(refused);
  expect(trusted(sent)).toBe(sent);
  expect(checkFilter(sent).get('a')).toEqual(new Map([['$ne', 1]]));
  expect(() => checkFilter(Dict.of('$or', trusted([Dict.of('a', Dict.of('$gt', 1))])))).toThrow(refused);
});
