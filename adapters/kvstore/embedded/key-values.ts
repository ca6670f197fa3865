/** `kvcache` without a server: what Redis does, in the embedded database. */
import type { KeyValues } from '../../../core/kvstore/databases.ts';
import { notAnInteger, outOfRange } from '../../../core/kvstore/errors.ts';
import type { EmbeddedDatabase } from './database.ts';
import { literalHead, makeGlob } from './glob.ts';

/** Least time in milliseconds between two removals of expired entries; an expired entry is never seen. */
const sweepMs = 10_000;
const pageSize = 1000;

export function embeddedKeyValues(db: EmbeddedDatabase, number: number): KeyValues {
  let sweptAt = 0;

  const valueOf = (key: string): string | null =>
    db
      .prepare('SELECT value FROM pairs WHERE number = ? AND key = ? AND (expires IS NULL OR expires > ?)')
      .value(number, stored(key), db.nowMs());
  const put = (key: string, value: string, expires: number | null): void => {
    db.prepare('INSERT OR REPLACE INTO pairs (number, key, value, expires) VALUES (?, ?, ?, ?)').run(
      number,
      stored(key),
      value,
      expires,
    );
  };
  const remove = (key: string): void => {
    db.prepare('DELETE FROM pairs WHERE number = ? AND key = ?').run(number, stored(key));
  };
  const write = <T>(work: () => T): Promise<T> =>
    db.write(() => {
      const now = db.nowMs();
      if (now - sweptAt > sweepMs) {
        sweptAt = now;
        db.prepare('DELETE FROM pairs WHERE expires <= ?').run(now);
      }
      return work();
    });

  return {
    get: async (key) => db.read(() => valueOf(key)) ?? undefined,
    exists: async (key) => db.read(() => valueOf(key)) !== null,
    set: (key, value, ttlSeconds, onlyNew) =>
      write(() => {
        if (onlyNew && valueOf(key) !== null) return false;
        put(key, value, ttlSeconds === undefined ? null : db.nowMs() + ttlSeconds * 1000);
        return true;
      }),
    delete: (key) =>
      write(() => {
        const isThere = valueOf(key) !== null;
        if (isThere) remove(key);
        return isThere ? 1 : 0;
      }),
    expire: (key, seconds) =>
      write(() => {
        if (valueOf(key) === null) return false;
        db.prepare('UPDATE pairs SET expires = ? WHERE number = ? AND key = ?').run(
          db.nowMs() + seconds * 1000,
          number,
          stored(key),
        );
        return true;
      }),
    incr: (key, amount) =>
      write(() => {
        const old = valueOf(key);
        const sum = parseInteger(old ?? '0') + amount;
        if (BigInt.asIntN(64, sum) !== sum) throw outOfRange();
        if (old === null) put(key, String(sum), null);
        else
          db.prepare('UPDATE pairs SET value = ? WHERE number = ? AND key = ?').run(String(sum), number, stored(key));
        return sum;
      }),
    deleteIfEquals: (key, value) =>
      write(() => {
        if (valueOf(key) !== value) return false;
        remove(key);
        return true;
      }),
    scan: async (pattern, count, accepts) => {
      const matches = makeGlob(pattern);
      const head = stored(literalHead(pattern)).slice(0, -1);
      const page = db.prepare(
        'SELECT key FROM pairs WHERE number = ? AND key > ? AND key < ? AND (expires IS NULL OR expires > ?) ORDER BY key LIMIT ?',
      );
      const found: string[] = [];
      for (let after = head; ; ) {
        const rows = db.read(() => page.rows(number, after, `${head}\u{10ffff}`, db.nowMs(), pageSize));
        for (const { key: text } of rows) {
          const key = JSON.parse(text) as string;
          if (!accepts(key) || !matches(key)) continue;
          found.push(key);
          if (found.length === count) return found;
        }
        if (rows.length < pageSize) return found;
        after = rows.at(-1).key;
        // Others come in between pages.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

/** Keys as text without control characters, which not every SQLite binding takes. */
function stored(key: string): string {
  return JSON.stringify(key);
}

/** Reads an integer as strictly as Redis: no spaces, no plus, no leading zeros. @throws ValueError */
function parseInteger(text: string): bigint {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) throw notAnInteger();
  const value = BigInt(text);
  if (BigInt.asIntN(64, value) !== value) throw notAnInteger();
  return value;
}
