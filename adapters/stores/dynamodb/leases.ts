/** Leases stand in the items they are on, so that every commit sees them without asking (docs/server/storage.md#leases, decisions/0118). */
import type { Key } from '../../../core/memory/rows.ts';
import { edgeOfConflict } from '../edge-names.ts';
import type { LeasePlaces, Leases } from '../leases.ts';
import type { Test } from './expression.ts';
import type { Item, ItemKey } from './item.ts';
import { edgeKey, nodeKey, rootsCounter } from './keys.ts';
import type { Table } from './table.ts';

/** Gives the further conditions under which this process may write an item. */
export type Free = (key: Key) => readonly Test[];

function isFree(now: number): Test {
  return [
    'any',
    [
      ['absent', 'lease_until'],
      ['<=', 'lease_until', now],
    ],
  ];
}

export function freeOf({ holds }: Pick<Leases, 'holds'>, now: number): Free {
  const tests = [isFree(now)];
  return (key) => (holds(key) ? [] : tests);
}

export function isLeased(item: Item | undefined, now: number): boolean {
  return Number(item?.['lease_until'] ?? 0) > now;
}

export function leasePlaces(table: Table): LeasePlaces {
  return {
    async take(name, { holder, now, until }) {
      const key = itemOf(name);
      const change = { set: { lease_by: holder, lease_until: until } };
      if (await table.write({ key, change, when: [['present', 'pk'], isFree(now)] })) return true;
      return (await table.getMany([key]))[0] === undefined;
    },
    extend: (name, { holder, until }) =>
      table.write({ key: itemOf(name), change: { set: { lease_until: until } }, when: [['=', 'lease_by', holder]] }),
    async end(names, holder) {
      const change = { remove: ['lease_by', 'lease_until'] };
      await Promise.all(
        names.map((name) => table.write({ key: itemOf(name), change, when: [['=', 'lease_by', holder]] })),
      );
    },
  };
}

function itemOf(name: Key): ItemKey {
  const edge = edgeOfConflict(name);
  if (edge !== undefined) return edgeKey(edge);
  return name === 'roots' ? rootsCounter : nodeKey(name);
}
