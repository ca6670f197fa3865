/**
 * Contract of `kvstore` of kind `docdb`, over every backend (docs/server/kvstore.md#common,
 * docs/server/kvstore.md#documents). Stated once; each one's test is a call.
 */
import { describe, expect, test } from 'vitest';
import { kvstore } from '../../core/modules/svc-scale.ts';
import { DateTimeValue } from '../../library/modules/datetime/datetime.ts';
import { utc } from '../../library/modules/datetime/time-zone.ts';
import { parseDecimal } from '../../library/modules/decimal/decimal.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { Tuple } from '../../library/values/containers/tuple.ts';
import { Bytes } from '../../library/values/text/bytes.ts';
import { openHelper, plain, show } from '../harness/with-databases.ts';
import { type exact, filterCases, refusedFilters } from './filter-cases.ts';
import type { OpenedDatabases } from './key-values.ts';
import { refusedUpdates, updateCases } from './update-cases.ts';

const { literal } = kvstore as any;

/** `evaluates`: whether all answers are the server's own, or some are those of mingo (`exact` of filter-cases.ts). */
export function describeDocuments(
  name: string,
  open: () => Promise<OpenedDatabases>,
  evaluates: 'exactly' | 'like mingo' = 'exactly',
): void {
  const isAsked = (only: typeof exact | undefined) => only === undefined || evaluates === 'exactly';
  const exactly = evaluates === 'exactly' ? test : () => {};
  const using = (work: (db: any, opened: OpenedDatabases) => Promise<void>) => async () => {
    await using opened = await open();
    await work(openHelper(opened.ends[0], { db_name: 'shop' }), opened);
  };

  describe(`docdb, ${name}`, () => {
    // ---------------------------------------------------------------- by key

    test(
      'values by key: dicts are documents, anything else a member `value`',
      using(async (db) => {
        for (const value of [null, true, 5, 'text', [1, [2]], { name: 'Ada', tags: ['a'] }, {}, { value: { a: 1 } }]) {
          expect(await db.set('k', value)).toBe(true);
          expect(plain(await db.get('k'))).toEqual(value);
        }
        await db.set('n', 5);
        expect(plain(await db.find_one('kv', { _id: 'n' }))).toEqual({ _id: 'n', value: 5 });
        await db.set('k', { a: 1 }, 'other');
        expect(plain(await db.get('k', 'other'))).toEqual({ a: 1 });
        expect([await db.get('none'), await db.exists('k'), await db.exists('none')]).toEqual([null, true, false]);
        expect([await db.delete('k'), await db.delete('k'), await db.exists('k')]).toEqual([1, 0, false]);
        await expect(db.set('k', { _id: 'other' })).rejects.toMatchObject({ name: 'ValueError' });
        await expect(db.get('')).rejects.toMatchObject({ name: 'ValueError' });
      }),
    );

    // ---------------------------------------------------------------- values

    test(
      'every kind of value comes back as it was, dates to the millisecond in UTC, ids as text',
      using(async (db) => {
        const at = new DateTimeValue(2026, 2, 3, 4, 5, 6, 789_123, null);
        const given = {
          none: null,
          yes: true,
          int: 7,
          large: 2 ** 40,
          safe: Number.MAX_SAFE_INTEGER,
          big: 2n ** 60n,
          float: 2.5,
          tiny: 5e-324,
          infinite: Infinity,
          text: 'ä\u{1f600}\u0000',
          bytes: new Bytes(new Uint8Array([0, 255])),
          at,
          aware: new DateTimeValue(2026, 2, 3, 4, 5, 6, 0, utc),
          old: new DateTimeValue(1, 1, 1, 0, 0, 0, 999, null),
          price: parseDecimal('1.50'),
          huge: parseDecimal('1.234567890123456789012345678901234E+40'),
          nothing: parseDecimal('NaN'),
          pair: new Tuple([1, 'b']),
          nested: { b: [{ c: [] }, []], a: {} },
          10: 'ten',
          2: 'two',
        };
        const id = await db.insert_one('c', given);
        expect(id).toMatch(/^[0-9a-f]{24}$/);
        expect(plain(await db.find_by_id('c', id))).toEqual({
          ...plain(given),
          _id: id,
          at: 'datetime 2026-02-03T04:05:06.789000',
          aware: 'datetime 2026-02-03T04:05:06',
          old: 'datetime 0001-01-01T00:00:00',
          pair: [1, 'b'],
        });
        expect(given).not.toHaveProperty('_id');
      }),
    );
    test(
      'members keep their order, `_id` first',
      using(async (db) => {
        await db.insert_one('c', Dict.of('z', 1, 'a', Dict.of('y', 1, 'b', 2), '_id', 1));
        const found = await db.find_one('c', {});
        expect([[...found.keys()], [...found.get('a').keys()]]).toEqual([
          ['_id', 'z', 'a'],
          ['y', 'b'],
        ]);
      }),
    );
    test(
      'what cannot be stored is refused, with nothing written',
      using(async (db) => {
        const deep = Array.from({ length: 101 }).reduce((inner) => ({ inner }), 1);
        for (const [value, name] of [
          [new Set([1]), 'TypeError'],
          [{ a: () => 1 }, 'TypeError'],
          [{ a: 2n ** 63n }, 'OverflowError'],
          [{ a: parseDecimal('1'.repeat(35)) }, 'ValueError'],
          [{ a: '\ud800' }, 'ValueError'],
          [{ 'a\0b': 1 }, 'ValueError'],
          [Dict.of(1, 2), 'TypeError'],
          [{ $set: 1 }, 'ValueError'],
          [{ a: { $gt: 1 } }, 'ValueError'],
          [{ _id: [1] }, 'ValueError'],
          [deep, 'ValueError'],
          [[], 'TypeError'],
          [null, 'TypeError'],
        ] as const)
          await expect(db.insert_one('c', value), String(name)).rejects.toMatchObject({ name });
        expect(await db.count_documents('c')).toBe(0);
      }),
    );
    test(
      'a document that is too large is refused',
      using(async (db) => {
        await expect(db.insert_one('c', { a: 'x'.repeat(17 * 1024 * 1024) })).rejects.toMatchObject({
          name: 'ValueError',
          message: 'The document is larger than 16 MB',
        });
      }),
    );

    // ---------------------------------------------------------------- filters

    test(
      'filters find what MongoDB finds',
      using(async (db) => {
        for (const { docs, cases } of filterCases) {
          await db.delete_many('c', {}, true);
          await db.insert_many('c', docs);
          for (const [filter, ids, only] of cases) {
            if (!isAsked(only)) continue;
            const found = await db.find('c', filter);
            expect(
              found.map((doc: Dict) => doc.get('_id')),
              show(filter),
            ).toEqual(ids);
            expect(await db.count_documents('c', filter)).toBe(ids.length);
          }
        }
      }),
    );
    test(
      'filters that are refused',
      using(async (db) => {
        for (const [filter, message] of refusedFilters)
          for (const ask of [
            () => db.find('c', filter),
            () => db.delete_one('c', filter),
            () => db.update_one('c', filter, { $set: { a: 1 } }),
          ])
            await expect(ask(), show(filter)).rejects.toMatchObject({ message });
      }),
    );
    test(
      'a literal is compared, never interpreted',
      using(async (db) => {
        await db.insert_many('c', [
          { _id: 1, a: 1 },
          { _id: 2, a: null },
        ]);
        expect(await db.find('c', { a: literal(Dict.of('$ne', null)) })).toEqual([]);
        expect(await db.count_documents('c', { a: literal(1) })).toBe(1);
      }),
    );

    // ---------------------------------------------------------------- find

    test(
      'order, skip, limit and projection',
      using(async (db) => {
        await db.insert_many('c', [
          { _id: 1, n: 3, s: 'b', o: { x: 1, y: 2 }, l: [{ p: 1, q: 2 }, 5, [{ p: 3 }]] },
          { _id: 2, n: 1, s: 'a' },
          { _id: 3, n: 2, s: 'b' },
          { _id: 4, s: 'B' },
        ]);
        const ids = async (sort: unknown, skip = 0, limit = 0) =>
          (await db.find('c', {}, null, sort, skip, limit)).map((doc: Dict) => doc.get('_id'));
        expect(await ids([['n', 1]])).toEqual([4, 2, 3, 1]);
        expect(await ids([['n', -1]])).toEqual([1, 3, 2, 4]);
        expect(await ids('s')).toEqual([4, 2, 1, 3]);
        expect(await ids(Dict.of('s', -1, 'n', 1))).toEqual([3, 1, 2, 4]);
        expect(await ids([new Tuple(['o.x', -1]), new Tuple(['_id', -1])])).toEqual([1, 4, 3, 2]);
        expect([await ids(null, 1, 2), await ids(null, 3), await ids(null, 9)]).toEqual([[2, 3], [4], []]);
        const first = async (projection: unknown) => plain(await db.find_one('c', { _id: 1 }, projection));
        expect(await first(['n'])).toEqual({ _id: 1, n: 3 });
        expect(await first({ n: 1, _id: 0 })).toEqual({ n: 3 });
        expect(await first({ _id: 0, l: 0, o: false })).toEqual({ n: 3, s: 'b' });
        expect(await first({ 'o.x': 1 })).toEqual({ _id: 1, o: { x: 1 } });
        expect(await first({ 'o.x': 0, l: 0 })).toEqual({ _id: 1, n: 3, s: 'b', o: { y: 2 } });
        expect(await first({ 'l.p': 1 })).toEqual({ _id: 1, l: [{ p: 1 }, [{ p: 3 }]] });
        if (evaluates === 'exactly')
          expect(await first({ 'l.p': 0, o: 0, n: 0, s: 0 })).toEqual({ _id: 1, l: [{ q: 2 }, 5, [{}]] });
        expect(await first({ _id: 1 })).toEqual({ _id: 1 });
        expect(await first({ 's.x': 1 })).toEqual({ _id: 1 });
        for (const bad of [{ n: 1, s: 0 }, { n: { $slice: 1 } }, { n: 'x' }, { o: 1, 'o.x': 1 }, { $n: 1 }])
          await expect(db.find('c', {}, bad), show(bad)).rejects.toMatchObject({ name: 'ValueError' });
        for (const bad of [
          [['n', 2]],
          [
            ['n', 1],
            ['n', -1],
          ],
          [['$n', 1]],
        ])
          await expect(db.find('c', {}, null, bad)).rejects.toMatchObject({ name: 'ValueError' });
        for (const bad of [-1, 1.5, 'x']) {
          await expect(db.find('c', {}, null, null, bad)).rejects.toMatchObject({ name: 'ValueError' });
          await expect(db.find('c', {}, null, null, 0, bad)).rejects.toMatchObject({ name: 'ValueError' });
        }
      }),
    );
    exactly(
      'kinds of values have an order',
      using(async (db) => {
        const values = [
          null,
          NaN,
          -Infinity,
          parseDecimal('-1.5'),
          1,
          2n ** 60n,
          '',
          'a',
          'ab',
          'z',
          '\uffff',
          '\u{10000}',
          {},
          { a: 1 },
          new Bytes(new Uint8Array([1])),
          new Bytes(new Uint8Array([0, 0])),
          false,
          true,
          new DateTimeValue(2020, 1, 1, 0, 0, 0, 0, null),
        ];
        const shuffled = values.map((v, i) => ({ _id: i, v })).sort((a, b) => ((a._id * 7) % 19) - ((b._id * 7) % 19));
        await db.insert_many('c', shuffled);
        const ids = (await db.find('c', {}, null, 'v')).map((doc: Dict) => doc.get('_id'));
        expect(ids).toEqual(values.map((_, i) => i));
      }),
    );
    exactly(
      'lists count by their least item, descending by their greatest',
      using(async (db) => {
        await db.insert_many('c', [
          { _id: 1, v: [5, 1] },
          { _id: 2, v: 3 },
          { _id: 3, v: [] },
          { _id: 4 },
          { _id: 5, v: [4, 2] },
        ]);
        const ids = async (d: number) => (await db.find('c', {}, null, [['v', d]])).map((doc: Dict) => doc.get('_id'));
        expect(await ids(1)).toEqual([3, 4, 1, 5, 2]);
        expect(await ids(-1)).toEqual([1, 5, 2, 4, 3]);
      }),
    );
    test(
      'more than 10 000 documents need a limit',
      using(async (db) => {
        for (let i = 0; i < 11; i++)
          await db.insert_many(
            'c',
            Array.from({ length: i < 10 ? 1000 : 1 }, (_, j) => ({ _id: i * 1000 + j })),
          );
        await expect(db.find('c', {})).rejects.toMatchObject({ name: 'ValueError' });
        expect(await db.find('c', {}, null, null, 0, 10_001)).toHaveLength(10_001);
        expect(await db.find('c', {}, null, null, 1)).toHaveLength(10_000);
        expect(await db.count_documents('c')).toBe(10_001);
      }),
    );

    // ---------------------------------------------------------------- writes

    test(
      'updates change what MongoDB changes',
      using(async (db) => {
        for (const { doc, update, gives, modified = 1, only } of updateCases) {
          if (!isAsked(only)) continue;
          const label = show(update);
          await db.delete_many('c', {}, true);
          await db.insert_one('c', { _id: 1, ...doc });
          const ask = db.update_one('c', { _id: 1 }, update);
          if (gives === undefined) {
            await expect(ask, label).rejects.toMatchObject({
              name: 'ValueError',
              message: 'The update does not fit the values it would change',
            });
            expect(plain(await db.find_one('c', {})), label).toEqual(plain({ _id: 1, ...doc }));
          } else {
            expect(await ask, label).toBe(modified);
            expect(show(await db.find_one('c', {})), label).toBe(show({ _id: 1, ...gives }));
          }
        }
      }),
    );
    test(
      'updates that are refused',
      using(async (db) => {
        for (const [update, message] of refusedUpdates)
          await expect(db.update_one('c', {}, update), show(update)).rejects.toMatchObject({
            message,
          });
      }),
    );
    test(
      'the time of a change',
      using(async (db) => {
        await db.insert_one('c', { _id: 1 });
        expect(await db.update_one('c', {}, { $currentDate: { at: true } })).toBe(1);
        const age =
          Date.now() -
          (await db.find_one('c', {})).get('at').timestamp() * 1000 +
          new Date().getTimezoneOffset() * 60_000;
        expect(Math.abs(age)).toBeLessThan(60_000);
      }),
    );
    test(
      'how many were modified; one or many',
      using(async (db) => {
        await db.insert_many('c', [
          { _id: 1, a: 1 },
          { _id: 2, a: 2 },
          { _id: 3, a: 2 },
        ]);
        expect(await db.update_many('c', { a: { $gt: 0 } }, { $set: { a: 2 } })).toBe(1);
        expect(await db.update_one('c', { a: 2 }, { $inc: { a: 1 } })).toBe(1);
        expect((await db.find('c', {})).map((doc: Dict) => doc.get('a'))).toEqual([3, 2, 2]);
        expect(await db.update_many('c', { a: 9 }, { $set: { a: 1 } })).toBe(0);
        expect(await db.delete_one('c', { a: 2 })).toBe(1);
        expect(await db.delete_many('c', { a: { $lt: 9 } })).toBe(2);
        expect(await db.delete_many('none', { a: 1 })).toBe(0);
        await expect(db.delete_many('c', {})).rejects.toMatchObject({ name: 'ValueError' });
        await db.insert_one('c', {});
        expect(await db.delete_many('c', {}, true)).toBe(1);
      }),
    );
    test(
      'an upsert starts with what the filter asks for',
      using(async (db) => {
        const upsert = async (filter: unknown, update: unknown, many = false) => {
          await db.delete_many('c', {}, true);
          expect(await db[many ? 'update_many' : 'update_one']('c', filter, update, true)).toBe(0);
          return plain(await db.find_one('c', {}));
        };
        expect(await upsert({ _id: 5, a: 1, b: { $eq: 2 }, c: { $gt: 3 } }, { $set: { d: 4 } })).toEqual({
          _id: 5,
          a: 1,
          b: 2,
          d: 4,
        });
        expect(
          await upsert({ _id: 5, 'o.x': 1, $and: [{ s: 't' }] }, { $inc: { n: 2 }, $setOnInsert: { first: true } }),
        ).toEqual({ _id: 5, o: { x: 1 }, s: 't', n: 2, first: true });
        expect(await upsert({ _id: 'a', $or: [{ x: 1 }, { y: 1 }] }, { $push: { l: 1 } }, true)).toEqual({
          _id: 'a',
          l: [1],
        });
        expect((await upsert({ a: 1 }, { $set: { b: 1 } }))._id).toMatch(/^[0-9a-f]{24}$/);
        if (evaluates === 'exactly')
          expect(await upsert({ a: 1 }, { $setOnInsert: { _id: 9 } })).toEqual({ _id: 9, a: 1 });
        // A document that is there is updated, and `$setOnInsert` is for new ones.
        expect(await db.update_one('c', { a: 1 }, { $set: { b: 2 }, $setOnInsert: { x: 1 } }, true)).toBe(1);
        expect(plain(await db.find_one('c', {}))).toMatchObject({ a: 1, b: 2 });
        expect(plain(await db.find_one('c', {}))).not.toHaveProperty('x');
      }),
    );
    test(
      'ids: made by the database, given as text, found by either',
      using(async (db) => {
        const id = await db.insert_one('c', { name: 'made' });
        const given = 'b'.repeat(24);
        await db.insert_many('c', [
          { _id: given, name: 'given' },
          { _id: 7, name: 'seven' },
        ]);
        const name = async (id: unknown) => (await db.find_by_id('c', id))?.get('name');
        expect([
          await name(id),
          await name(id.toUpperCase()),
          await name(given),
          await name(7),
          await name('x'),
        ]).toEqual(['made', 'made', 'given', 'seven', undefined]);
        for (const filter of [
          { _id: id },
          { _id: { $in: [id] } },
          { _id: { $eq: id } },
          { $or: [{ _id: id }] },
          { _id: { $nin: [given, 7] } },
          { _id: { $ne: given, $nin: [7] } },
          { _id: { $in: [id, 7], $eq: id } },
        ])
          expect(
            (await db.find('c', filter)).map((doc: Dict) => doc.get('name')),
            show(filter),
          ).toEqual(['made']);
        expect(await db.update_by_id('c', id, { $set: { n: 1 } })).toBe(1);
        expect(await db.update_by_id('c', id, { $set: { n: 2 } }, true)).toBe(1);
        expect(await db.update_one('c', { _id: id }, { $set: { n: 3 } }, true)).toBe(1);
        expect(await db.count_documents('c')).toBe(3);
        const fresh = 'c'.repeat(24);
        expect(await db.update_by_id('c', fresh, { $set: { n: 1 } }, true)).toBe(0);
        expect((await db.find_by_id('c', fresh)).get('_id')).toBe(fresh);
        expect([await db.delete_by_id('c', id), await db.delete_by_id('c', id)]).toEqual([1, 0]);
        await expect(db.find_by_id('c', null)).rejects.toMatchObject({ name: 'TypeError' });
        await expect(db.find_by_id('c', Dict.of('$gt', ''))).rejects.toThrow();
      }),
    );
    test(
      'insert_many goes up to the first that fails',
      using(async (db) => {
        await expect(db.insert_many('c', [{ _id: 1 }, { _id: 2 }, { _id: 1 }, { _id: 3 }])).rejects.toMatchObject({
          name: 'ValueError',
          message: "Duplicate key in 'c': _id_",
        });
        expect(await db.count_documents('c')).toBe(2);
        await expect(db.insert_many('c', [])).rejects.toMatchObject({ name: 'ValueError' });
        await expect(db.insert_many('c', [{ _id: 5 }, 5])).rejects.toMatchObject({ name: 'TypeError' });
        expect(await db.count_documents('c')).toBe(2);
      }),
    );
    test(
      'two processes: no count is lost, one of many inserts wins, upserts make one',
      using(async (db, { ends }) => {
        const other = openHelper(ends[1], { db_name: 'shop' });
        await db.insert_one('c', { _id: 'n', n: 0 });
        await Promise.all(
          Array.from({ length: 60 }, (_, i) =>
            (i % 2 === 0 ? db : other).update_one('c', { _id: 'n' }, { $inc: { n: 1 } }),
          ),
        );
        expect((await other.find_by_id('c', 'n')).get('n')).toBe(60);
        const inserts = await Promise.allSettled(
          Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? db : other).insert_one('c', { _id: 'one', by: i })),
        );
        expect(inserts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        await Promise.all(
          Array.from({ length: 10 }, (_, i) =>
            (i % 2 === 0 ? db : other).update_one('c', { _id: 'up' }, { $inc: { n: 1 } }, true),
          ),
        );
        expect((await db.find_by_id('c', 'up')).get('n')).toBe(10);
      }),
    );

    // ---------------------------------------------------------------- indexes

    test(
      'an index that is unique',
      using(async (db) => {
        expect(await db.create_index('c', 'email', true)).toBe('email_1');
        expect(await db.create_index('c', [['email', 1]], true)).toBe('email_1');
        await expect(db.create_index('c', 'email')).rejects.toMatchObject({
          message: 'Index email_1 exists with other options',
        });
        await db.insert_many('c', [
          { _id: 1, email: 'a' },
          { _id: 2, email: ['b', 'c'] },
        ]);
        const taken = { name: 'ValueError', message: "Duplicate key in 'c': email_1" };
        await expect(db.insert_one('c', { email: 'a' })).rejects.toMatchObject(taken);
        if (evaluates === 'exactly') {
          await expect(db.insert_one('c', { email: 'c' })).rejects.toMatchObject(taken);
          await expect(db.update_one('c', { _id: 2 }, { $push: { email: 'a' } })).rejects.toMatchObject(taken);
        }
        await expect(db.update_one('c', { _id: 5 }, { $set: { email: 'a' } }, true)).rejects.toMatchObject(taken);
        await expect(db.set('k', { email: 'a' }, 'c')).rejects.toMatchObject(taken);
        expect(await db.count_documents('c')).toBe(2);
        expect(await db.update_one('c', { _id: 1 }, { $set: { email: 'z' } })).toBe(1);
        await db.insert_one('c', { _id: 3, email: 'a' });
        expect((await db.find('c', { email: 'c' })).map((doc: Dict) => doc.get('_id'))).toEqual([2]);
        expect((await db.find('c', { email: 'z' })).map((doc: Dict) => doc.get('_id'))).toEqual([1]);
        // Nothing counts as None, once.
        await db.insert_one('c', { _id: 4 });
        await expect(db.insert_one('c', { email: null })).rejects.toMatchObject(taken);
        await db.delete_one('c', { email: 'a' });
        await db.insert_one('c', { email: 'a' });
      }),
    );
    test(
      'an index over several fields; one that comes too late',
      using(async (db) => {
        expect(
          await db.create_index(
            'c',
            [
              ['a', 1],
              ['b.c', -1],
            ],
            true,
          ),
        ).toBe('a_1_b.c_-1');
        await db.insert_many('c', [
          { a: 1, b: { c: 1 } },
          { a: 1, b: { c: 2 } },
          { a: 2, b: { c: 1 } },
        ]);
        await expect(db.insert_one('c', { a: 1.0, b: { c: 2 } })).rejects.toMatchObject({ name: 'ValueError' });
        expect(await db.count_documents('c', { a: 1, 'b.c': 2 })).toBe(1);
        await expect(db.create_index('c', 'a', true)).rejects.toMatchObject({ message: "Duplicate key in 'c': a_1" });
        expect(await db.count_documents('c', { a: 1 })).toBe(2);
        for (const keys of ['', [], [['a', 3]], '$a', 5]) await expect(db.create_index('c', keys)).rejects.toThrow();
        for (const seconds of [-1, 1.5, '1'])
          await expect(db.create_index('c', 'at', false, seconds)).rejects.toMatchObject({ name: 'ValueError' });
      }),
    );

    // ---------------------------------------------------------------- names

    test(
      'names of collections and databases',
      using(async (db, { ends }) => {
        for (const col of ['', 'a$b', 'system.users', '.a', 'x'.repeat(200), 5])
          await expect(db.insert_one(col, {})).rejects.toThrow();
        for (const db_name of ['', 'a/b', 'a.b', 'a b', 'x'.repeat(64)])
          expect(() => openHelper(ends[0], { db_name })).toThrow('Not the name of a database');
        await openHelper(ends[0], { db_name: 'other' }).set('k', 1);
        expect(await db.get('k')).toBe(null);
      }),
    );
    test(
      'the server’s own collections',
      using(async (_, { ends }) => {
        const own = openHelper(ends[0], { db_name: 'svc' });
        await expect(own.insert_one('svc_nodes', {})).rejects.toMatchObject({ name: 'PermissionError' });
        await expect(own.delete_many('svc_nodes', { a: 1 })).rejects.toMatchObject({ name: 'PermissionError' });
        await expect(own.create_index('svc_nodes', 'a')).rejects.toMatchObject({ name: 'PermissionError' });
        expect(await own.count_documents('svc_nodes', { _id: 'none' })).toBe(0);
        for (const col of ['svc_users', 'svc_api_keys', 'svc_identities', 'svc_revoked_tokens'])
          await expect(own.find_one(col, {})).rejects.toMatchObject({ name: 'PermissionError' });
        await own.insert_one('mine', {});
      }),
    );
    test(
      'methods of key-value stores are not there',
      using(async (db) => {
        for (const method of ['set_with_ttl', 'expire', 'incr', 'scan_keys', 'set_nx_with_ttl', 'delete_if_equals'])
          await expect(db[method]('k', 1, 1)).rejects.toMatchObject({
            name: 'NotImplementedError',
            message: `${method} is not supported by docdb`,
          });
      }),
    );
  });
}
