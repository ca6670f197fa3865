/**
 * Contract of `kvstore` of kind `kvcache`, over every backend (docs/server/kvstore.md#common,
 * docs/server/kvstore.md#keys). Stated once; each one's test is a call.
 */
import { describe, expect, test } from 'vitest';
import type { Databases } from '../../core/kvstore/databases.ts';
import { openHelper, plain } from '../harness/with-databases.ts';

export interface OpenedDatabases extends AsyncDisposable {
  /** One of each process; all reach the same data. */
  readonly ends: readonly [Databases, Databases];
  /** Sets a value as another program would, past the helper. */
  putText?(key: string, text: string): Promise<void>;
}

export function describeKeyValues(name: string, open: () => Promise<OpenedDatabases>): void {
  const using = (work: (kv: any, opened: OpenedDatabases) => Promise<void>) => async () => {
    await using opened = await open();
    await work(openHelper(opened.ends[0], { db_name: 'shop', db_type: 'kvcache' }), opened);
  };

  describe(`kvcache, ${name}`, () => {
    test(
      'values come back as they were set',
      using(async (kv) => {
        const values = [
          null,
          true,
          0,
          -7,
          2.5,
          2 ** 53,
          12345678901234567890n,
          '',
          'ä\u{1f600}\n"',
          [],
          {},
          { a: [1, { b: null }] },
        ];
        for (const value of values) {
          expect(await kv.set('k', value)).toBe(true);
          expect(plain(await kv.get('k'))).toEqual(value);
        }
        expect(await kv.get('other')).toBe(null);
      }),
    );
    test(
      'what is no JSON comes back as text',
      using(async (kv, { putText }) => {
        if (putText === undefined) return expect(await kv.set('k', 'plain words')).toBe(true);
        await putText('shop:k', 'plain words');
        expect(await kv.get('k')).toBe('plain words');
      }),
    );
    test(
      'a value that is no JSON is refused and nothing is written',
      using(async (kv) => {
        await expect(kv.set('k', new Uint8Array(2))).rejects.toThrow('not JSON serializable');
        expect(await kv.exists('k')).toBe(false);
      }),
    );
    test(
      'keys are deleted once and known while they are there',
      using(async (kv) => {
        await kv.set('k', 1);
        expect([await kv.exists('k'), await kv.delete('k'), await kv.delete('k'), await kv.exists('k')]).toEqual([
          true,
          1,
          0,
          false,
        ]);
      }),
    );
    test(
      'numbers are keys as their text',
      using(async (kv) => {
        await kv.set(7, 'seven');
        expect(await kv.get('7')).toBe('seven');
      }),
    );
    test(
      'keys that cannot be are refused',
      using(async (kv) => {
        await expect(kv.get('')).rejects.toThrow('1 to 512 bytes');
        await expect(kv.get('ä'.repeat(257))).rejects.toThrow('1 to 512 bytes');
        expect(await kv.get('ä'.repeat(256))).toBe(null);
        await expect(kv.get(null)).rejects.toThrow("must be str, not 'NoneType'");
        await expect(kv.set('svc:app:obj', 1)).rejects.toMatchObject({ name: 'PermissionError' });
      }),
    );
    test(
      'a value with a time to live goes when it is over; a plain set takes the time away',
      using(async (kv) => {
        expect(await kv.set_with_ttl('short', 'x', 1)).toBe(true);
        await kv.set_with_ttl('kept', 'x', 1);
        await kv.set('kept', 'y');
        expect(await kv.get('short')).toBe('x');
        while ((await kv.get('short')) !== null) await pause();
        expect([
          await kv.exists('short'),
          await kv.delete('short'),
          await kv.scan_keys('*'),
          await kv.get('kept'),
        ]).toEqual([false, 0, ['kept'], 'y']);
      }),
    );
    test(
      'expire gives a key its time, and says whether there is one',
      using(async (kv) => {
        await kv.set('k', 1);
        expect([await kv.expire('none', 10), await kv.expire('k', 1)]).toEqual([false, true]);
        while (await kv.exists('k')) await pause();
      }),
    );
    test(
      'times are whole seconds from 1',
      using(async (kv) => {
        for (const ttl of [0, -1, 1.5, '5', null, true, 1e300])
          for (const method of ['set_with_ttl', 'set_nx_with_ttl'])
            await expect(kv[method]('k', 1, ttl)).rejects.toMatchObject({ name: 'ValueError' });
        await expect(kv.expire('k', 0)).rejects.toThrow('seconds must be whole seconds, at least 1');
        expect(await kv.exists('k')).toBe(false);
      }),
    );
    test(
      'counters count exactly, keep their time, and refuse what is no integer',
      using(async (kv) => {
        expect([await kv.incr('n'), await kv.incr('n', 41), await kv.incr('n', -2), await kv.get('n')]).toEqual([
          1, 42, 40, 40,
        ]);
        await kv.set('big', 2n ** 62n);
        expect(await kv.incr('big', 1)).toBe(2n ** 62n + 1n);
        await expect(kv.incr('big', 2n ** 62n)).rejects.toMatchObject({
          name: 'ValueError',
          message: 'the result has more than 8 bytes',
        });
        for (const text of ['x', 1.5, null, [1], '7']) {
          await kv.set('t', text);
          await expect(kv.incr('t')).rejects.toMatchObject({ name: 'ValueError', message: 'value is not an integer' });
        }
        await expect(kv.incr('n', 1.5)).rejects.toMatchObject({ name: 'TypeError' });
        await kv.set_with_ttl('timed', 1, 1);
        await kv.incr('timed');
        while (await kv.exists('timed')) await pause();
      }),
    );
    test(
      'two processes count together',
      using(async (kv, { ends }) => {
        const other = openHelper(ends[1], { db_name: 'shop', db_type: 'kvcache' });
        const results = await Promise.all(Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? kv : other).incr('n')));
        expect(new Set(results).size).toBe(100);
        expect(await kv.get('n')).toBe(100);
      }),
    );
    test(
      'a lock is taken once, and given back by its owner only',
      using(async (kv, { ends }) => {
        const other = openHelper(ends[1], { db_name: 'shop', db_type: 'kvcache' });
        const taken = await Promise.all(
          [kv, other, kv, other].map((one, i) => one.set_nx_with_ttl('lock', { by: i }, 60)),
        );
        expect(taken.filter(Boolean)).toHaveLength(1);
        const owner = taken.indexOf(true);
        expect(await kv.delete_if_equals('lock', { by: owner + 1 })).toBe(false);
        expect(await kv.delete_if_equals('lock', { by: owner })).toBe(true);
        expect(await other.set_nx_with_ttl('lock', 1, 60)).toBe(true);
      }),
    );
    test(
      'patterns of keys',
      using(async (kv) => {
        const keys = ['user:1', 'user:2', 'user:10', 'a*b', 'a[b', 'axb', 'ä', 'b\\c', 'x-y', '^'];
        for (const key of keys) await kv.set(key, 1);
        const scan = async (pattern: string) => (await kv.scan_keys(pattern)).sort();
        expect(await scan('*')).toEqual([...keys].sort());
        expect(await scan('user:*')).toEqual(['user:1', 'user:10', 'user:2']);
        expect(await scan('user:?')).toEqual(['user:1', 'user:2']);
        expect(await scan('user:[2-9]')).toEqual(['user:2']);
        expect(await scan('user:[9-2]')).toEqual(['user:2']);
        expect(await scan('user:[^1]')).toEqual(['user:2']);
        expect(await scan('user:1*0')).toEqual(['user:10']);
        expect(await scan('a\\*b')).toEqual(['a*b']);
        expect(await scan('a[*[]b')).toEqual(['a*b', 'a[b']);
        expect(await scan('a[x')).toEqual([]);
        expect(await scan('a[\\[]b')).toEqual(['a[b']);
        expect(await scan('b\\\\c')).toEqual(['b\\c']);
        expect(await scan('x[a-]y')).toEqual([]);
        expect(await scan('[x]-y')).toEqual(['x-y']);
        expect(await scan('[\\^]')).toEqual(['^']);
        expect(await scan('?')).toEqual(['^']);
        expect(await scan('??')).toEqual(['ä']);
        expect(await scan('user')).toEqual([]);
        expect(await kv.scan_keys('user:*', 2)).toHaveLength(2);
        expect(await kv.scan_keys('*', 0)).toEqual([]);
      }),
    );
    test(
      'a long list of keys comes whole, each once',
      using(async (kv) => {
        const names = Array.from({ length: 2500 }, (_, i) => `k${i}`);
        await Promise.all(names.map((key) => kv.set(key, 1)));
        expect((await kv.scan_keys('k*')).sort()).toEqual(names.sort());
      }),
    );
    test(
      'a name is a prefix nobody sees, also one that looks like a pattern; a number is a database',
      using(async (kv, { ends }) => {
        const at = (db_name: string) => openHelper(ends[0], { db_name, db_type: 'kvcache' });
        await kv.set('k', 'shop');
        await at('sh*p').set('k', 'star');
        await at('3').set('k', 'three');
        await at('4').set('svcx', 'four');
        expect(await kv.get('k')).toBe('shop');
        expect(await at('sh*p').scan_keys()).toEqual(['k']);
        expect([await at('3').get('k'), await at('3').scan_keys(), await at('4').scan_keys()]).toEqual([
          'three',
          ['k'],
          ['svcx'],
        ]);
        await expect(at('4').set('svc:x', 1)).rejects.toMatchObject({ name: 'PermissionError' });
        await expect(at('svc').set('x', 1)).rejects.toMatchObject({ name: 'PermissionError' });
      }),
    );
    test(
      'methods of documents are not there',
      using(async (kv) => {
        for (const method of documentMethods)
          await expect(kv[method]('c', {}, {})).rejects.toMatchObject({
            name: 'NotImplementedError',
            message: `${method} is not supported by kvcache`,
          });
      }),
    );
  });
}

const documentMethods =
  'find_one find insert_one insert_many update_one update_many delete_one delete_many find_by_id update_by_id delete_by_id count_documents create_index'.split(
    ' ',
  );

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
