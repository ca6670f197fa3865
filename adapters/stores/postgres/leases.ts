/**
 * Leases stand in the records they are on, so that every commit sees them without asking
 * (docs/server/storage.md#leases, decisions/0118).
 */
import type { Key } from '../../../core/memory/rows.ts';
import type { LeasePlaces } from '../leases.ts';
import { type Statement, statement } from './line.ts';
import type { Source } from './pool.ts';

interface Place {
  readonly take: Statement;
  readonly extend: Statement;
  readonly end: Statement;
  readonly id: string | number;
}

function statementsOf(table: string, column: string) {
  const isHere = `${column} = $1`;
  return {
    // Says as well whether there is anything to lease.
    take: statement(
      `WITH taken AS (UPDATE ${table} SET lease_by = $2, lease_until = $3::int8 WHERE ${isHere} AND (lease_until IS NULL OR lease_until <= $4::int8) RETURNING 1) ` +
        `SELECT (SELECT count(*) FROM taken), (SELECT count(*) FROM ${table} WHERE ${isHere})`,
    ),
    extend: statement(`UPDATE ${table} SET lease_until = $3::int8 WHERE ${isHere} AND lease_by = $2 RETURNING 1`),
    end: statement(`UPDATE ${table} SET lease_by = NULL, lease_until = NULL WHERE ${isHere} AND lease_by = $2`),
  };
}

const nodes = statementsOf('svc_node', 'id');
const edges = statementsOf('svc_edge', 'id');
const meta = statementsOf('svc_meta', 'key');

function placeOf(key: Key): Place {
  if (key === 'roots') return { ...meta, id: 'roots' };
  // As conflicts name edges (core/memory/commit-log.ts).
  if (typeof key === 'string') return { ...edges, id: Number(key.slice(1)) };
  return { ...nodes, id: key };
}

export function leasePlaces(source: Source): LeasePlaces {
  return {
    async take(key, { holder, now, until }) {
      const { take, id } = placeOf(key);
      const [[taken, there]] = (await source.ask(take, [id, holder, until, now])) as [[string, string]];
      return taken !== '0' || there === '0';
    },
    async extend(key, { holder, until }) {
      const { extend, id } = placeOf(key);
      return (await source.ask(extend, [id, holder, until])).length > 0;
    },
    async end(keys, holder) {
      await Promise.all(keys.map(placeOf).map(({ end, id }) => source.ask(end, [id, holder])));
    },
  };
}
