/**
 * Leases stand in the documents they are on, so that every commit sees them without asking
 * (docs/server/storage.md#leases, decisions/0118).
 */
import type { Document } from 'mongodb';
import type { Key } from '../../../core/memory/rows.ts';
import { edgeOfConflict } from '../edge-names.ts';
import type { LeasePlaces, Leases } from '../leases.ts';
import type { Collections, Stored } from './collections.ts';
import { asked } from './trouble.ts';

/** Gives the further conditions under which this process may write a document. */
export type Free = (key: Key) => Document;

export function freeOf({ holds }: Pick<Leases, 'holds'>, now: number): Free {
  const isFree = { lease_until: { $not: { $gt: now } } };
  return (key) => (holds(key) ? {} : isFree);
}

export function isLeased(record: Stored | undefined | null, now: number): boolean {
  return Number(record?.['lease_until'] ?? 0) > now;
}

export function leasePlaces({ nodes, edges, meta }: Collections): LeasePlaces {
  const placeOf = (key: Key) => {
    const edge = edgeOfConflict(key);
    if (edge !== undefined) return { collection: edges, _id: edge };
    return { collection: key === 'roots' ? meta : nodes, _id: String(key) };
  };
  return {
    async take(key, { holder, now, until }) {
      const { collection, _id } = placeOf(key);
      const free = { _id, lease_until: { $not: { $gt: now } } };
      const lease = { $set: { lease_by: holder, lease_until: until } };
      const { matchedCount } = await asked(collection.updateOne(free, lease));
      return matchedCount > 0 || (await asked(collection.countDocuments({ _id }))) === 0;
    },
    async extend(key, { holder, until }) {
      const { collection, _id } = placeOf(key);
      const lease = { $set: { lease_until: until } };
      return (await asked(collection.updateOne({ _id, lease_by: holder }, lease))).matchedCount > 0;
    },
    async end(keys, holder) {
      const ends = keys
        .map(placeOf)
        .map(({ collection, _id }) =>
          collection.updateOne({ _id, lease_by: holder }, { $unset: { lease_by: '', lease_until: '' } }),
        );
      await asked(Promise.all(ends));
    },
  };
}
