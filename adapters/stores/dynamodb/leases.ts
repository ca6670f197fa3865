import { newId } from '../../../core/graph/ids.ts';
import { leaseMs } from '../../../core/memory/leases.ts';
import type { Key } from '../../../core/memory/rows.ts';
import { counterKey } from './keys.ts';
import type { Table } from './table.ts';
import { pause } from './trouble.ts';

/**
 * Leases `lease:<id>` of the table (server.md 15.4): taken one after the other in the order of their ids, for 5 s. Who does not get one in
 * that time goes without.
 */
export function createLease(table: Table, nowMs: () => number) {
  return async (keys: readonly Key[]): Promise<() => Promise<void>> => {
    const holder = newId();
    const giveUpAt = nowMs() + leaseMs;
    const places = keys.map((key) => counterKey(`lease:${key}`)).sort((a, b) => (a.pk < b.pk ? -1 : 1));
    const taken: typeof places = [];
    for (const key of places) {
      for (let attempt = 0; nowMs() < giveUpAt; attempt++) {
        const now = nowMs();
        const put = { holder, expires_at: now + leaseMs, ttl: Math.ceil((now + leaseMs) / 1000) };
        if (
          await table.write({
            key,
            put,
            when: [
              [
                'any',
                [
                  ['absent', 'pk'],
                  ['<=', 'expires_at', now],
                ],
              ],
            ],
          })
        ) {
          taken.push(key);
          break;
        }
        await pause(Math.min(attempt, 3));
      }
    }
    return async () => {
      await Promise.all(taken.map((key) => table.write({ key, isDelete: true, when: [['=', 'holder', holder]] })));
    };
  };
}
