/** `kvcache` in PostgreSQL: what Redis does, each method one statement, so that processes count and lock together. */
import type { KeyValues } from '../../../core/kvstore/databases.ts';
import { notAnInteger, outOfRange } from '../../../core/kvstore/errors.ts';
import { type Cells, type Statement, statement, type Values } from '../../stores/postgres/line.ts';
import { literalHead, makeGlob } from '../embedded/glob.ts';
import { now, type PostgresDatabase } from './database.ts';
import { told } from './trouble.ts';

const isLive = `(expires IS NULL OR expires > ${now})`;
const isOver = `p.expires <= ${now}`;
const until = `${now} + $4::float8 * 1000`;
const least = -(2n ** 63n);
const most = 2n ** 63n - 1n;

const read = statement(`SELECT value FROM svc_kv_pair WHERE number = $1::int4 AND key = $2 AND ${isLive}`);
const put = `INSERT INTO svc_kv_pair AS p (number, key, value, expires) VALUES ($1::int4, $2, $3, ${until}) ON CONFLICT (number, key) DO UPDATE SET value = excluded.value, expires = excluded.expires`;
const putAny = statement(`${put} RETURNING 1`);
const putNew = statement(`${put} WHERE ${isOver} RETURNING 1`);
const remove = statement(
  `WITH gone AS (DELETE FROM svc_kv_pair WHERE number = $1::int4 AND key = $2 RETURNING expires) SELECT count(*) FROM gone WHERE ${isLive}`,
);
const removeEqual = statement(
  `DELETE FROM svc_kv_pair WHERE number = $1::int4 AND key = $2 AND value = $3 AND ${isLive} RETURNING 1`,
);
const expire = statement(
  `UPDATE svc_kv_pair SET expires = ${now} + $3::float8 * 1000 WHERE number = $1::int4 AND key = $2 AND ${isLive} RETURNING 1`,
);
/** Integers as strictly as Redis reads them: no spaces, no plus, no leading zeros. Without a row the value is none, or the sum too large. */
const sum = 'p.value::numeric + ($3::text)::numeric';
const add = statement(
  `INSERT INTO svc_kv_pair AS p (number, key, value, expires) VALUES ($1::int4, $2, $3::text, NULL) ON CONFLICT (number, key) DO UPDATE SET ` +
    `value = CASE WHEN ${isOver} THEN $3::text ELSE (${sum})::text END, expires = CASE WHEN ${isOver} THEN NULL ELSE p.expires END ` +
    `WHERE CASE WHEN ${isOver} THEN true WHEN p.value ~ '^(0|-?[1-9][0-9]{0,18})$' ` +
    `THEN p.value::numeric BETWEEN ${least} AND ${most} AND ${sum} BETWEEN ${least} AND ${most} ELSE false END RETURNING value`,
);
const page = statement(
  `SELECT key FROM svc_kv_pair WHERE number = $1::int4 AND key > $2 AND key < $3 AND ${isLive} ORDER BY key LIMIT $4::int4`,
);
/** Removes what is over, in pieces, and nothing that somebody else holds. */
const sweep = statement(
  `DELETE FROM svc_kv_pair WHERE (number, key) IN (SELECT number, key FROM svc_kv_pair WHERE expires <= ${now} LIMIT 1000 FOR UPDATE SKIP LOCKED)`,
);

/** Least time in milliseconds between two removals; an expired entry is never seen. */
const sweepMs = 10_000;
const pageSize = 1000;

export function postgresKeyValues(db: PostgresDatabase, number: number): KeyValues {
  let sweptMs = performance.now();
  const ask = (what: Statement, values: Values) => told('kvcache', db.place, () => db.ask(what, values));
  const write = (key: string, what: Statement, ...values: Values): Promise<readonly Cells[]> =>
    told('kvcache', db.place, async () => {
      if (performance.now() - sweptMs > sweepMs) {
        sweptMs = performance.now();
        db.write('', [{ statement: sweep, values: [] }]).catch(() => {});
      }
      const name = stored(key);
      const [rows] = await db.write(`p ${number} ${name}`, [{ statement: what, values: [number, name, ...values] }]);
      return rows!;
    });
  const get = async (key: string): Promise<string | undefined> =>
    (await ask(read, [number, stored(key)]))[0]?.[0] ?? undefined;

  return {
    get,
    exists: async (key) => (await get(key)) !== undefined,
    set: async (key, value, ttlSeconds, onlyNew) =>
      (await write(key, onlyNew ? putNew : putAny, value, ttlSeconds ?? null)).length > 0,
    delete: async (key) => Number((await write(key, remove))[0]![0]),
    expire: async (key, seconds) => (await write(key, expire, seconds)).length > 0,
    async incr(key, amount) {
      for (;;) {
        const [row] = await write(key, add, String(amount));
        if (row !== undefined) return BigInt(row[0]!);
        const value = await get(key);
        if (value !== undefined) throw isInteger(value) ? outOfRange() : notAnInteger();
      }
    },
    deleteIfEquals: async (key, value) => (await write(key, removeEqual, value)).length > 0,
    async scan(pattern, count, accepts) {
      const matches = makeGlob(pattern);
      const head = stored(literalHead(pattern)).slice(0, -1);
      const found: string[] = [];
      for (let after = head; ; ) {
        const rows = await ask(page, [number, after, `${head}\u{10ffff}`, pageSize]);
        for (const [text] of rows) {
          const key = JSON.parse(text!) as string;
          if (!accepts(key) || !matches(key)) continue;
          found.push(key);
          if (found.length === count) return found;
        }
        if (rows.length < pageSize) return found;
        after = rows.at(-1)![0]!;
      }
    },
  };
}

/** Keys as text without zero bytes, which PostgreSQL does not take. */
function stored(key: string): string {
  return JSON.stringify(key);
}

function isInteger(text: string): boolean {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) return false;
  return BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}
