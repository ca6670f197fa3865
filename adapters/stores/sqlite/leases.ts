/**
 * Leases are counters of a kind, `lease:<key>`: their holder in place of a count. Commits look at all there are
 * (docs/server/storage.md#leases, decisions/0118).
 */
import type { Key } from '../../../core/memory/rows.ts';
import { ConflictError, type UnitWrite } from '../../../core/memory/store.ts';
import { writtenKeys } from '../../../core/memory/written-keys.ts';
import type { LeasePlaces, Leases } from '../leases.ts';
import type { Job } from './group-commit.ts';
import type { Sql } from './sql-cache.ts';

const prefix = 'lease:';

/** A holder's name as a number that the file and JavaScript both hold exactly. */
function numberOf(holder: string): number {
  return Number.parseInt(holder.slice(0, 12), 16);
}

export function leasePlaces(sql: Sql, submit: (job: Job) => Promise<void>): LeasePlaces {
  const write = (run: () => void) => submit({ run, applied: () => {} });
  const isTaken = (key: Key, now: number) =>
    sql('SELECT 1 AS v FROM counters WHERE key = ? AND expires_at > ?').value(prefix + key, now) !== null;
  return {
    async take(key, { holder, now, until }) {
      if (isTaken(key, now)) return false;
      let isOurs = false;
      await write(() => {
        isOurs = !isTaken(key, now);
        if (!isOurs) return;
        sql('INSERT OR REPLACE INTO counters (key, count, expires_at) VALUES (?, ?, ?)').run(
          prefix + key,
          numberOf(holder),
          until,
        );
      });
      return isOurs;
    },
    async extend(key, { holder, until }) {
      let isOurs = false;
      await write(() => {
        const extend = sql('UPDATE counters SET expires_at = ? WHERE key = ? AND count = ?');
        isOurs = extend.run(until, prefix + key, numberOf(holder)) > 0;
      });
      return isOurs;
    },
    async end(keys, holder) {
      await write(() => {
        for (const key of keys)
          sql('DELETE FROM counters WHERE key = ? AND count = ?').run(prefix + key, numberOf(holder));
      });
    },
  };
}

/** @throws ConflictError when the unit would write what another process has a lease on */
export function requireFree(sql: Sql, { holds }: Pick<Leases, 'holds'>, now: number, unit: UnitWrite): void {
  const live = sql("SELECT key FROM counters WHERE key >= 'lease:' AND key < 'lease;' AND expires_at > ?").rows(now);
  if (live.length === 0) return;
  const names = new Set(live.map(({ key }) => key));
  const kept = [...new Set(writtenKeys(unit))].filter((key) => names.has(prefix + key) && !holds(key));
  if (kept.length > 0) throw new ConflictError(kept, true, false, true);
}
