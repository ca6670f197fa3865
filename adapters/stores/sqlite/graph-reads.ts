/** Reading the graph over one connection: the store's own, or one that is held at a moment (snapshot.ts). */
import { EdgeRow, type StoredType } from '../../../core/memory/rows.ts';
import { type GraphStore, RECORD, REVERSED, UNDIRECTED } from '../../../core/memory/store.ts';
import type { createEdgeIds, EdgePlace } from './edge-ids.ts';
import { findLink, type LinkPlace } from './find-link.ts';
import { readLinks } from './read-links.ts';
import type { RowReader } from './read-rows.ts';
import type { Sql } from './sql-cache.ts';

export type GraphReads = Pick<
  GraphStore,
  'nodes' | 'nodesByUid' | 'edges' | 'edgeByUid' | 'edgeUid' | 'neighbours' | 'roots' | 'nodeKeys' | 'ownedBy'
>;

export interface GraphReadsDeps {
  readonly sql: Sql;
  readonly rows: RowReader;
  readonly types: { readonly all: ReadonlyMap<number, StoredType>; of(id: number): StoredType };
  readonly edgeIds: ReturnType<typeof createEdgeIds>;
  /** Turns a driver's error into a failure for callers. */
  readonly guard: <T>(work: () => T) => T;
}

export function createGraphReads({ sql, rows, types, edgeIds, guard }: GraphReadsDeps): GraphReads {
  /** An edge by an id that was worked out, with or without a record. */
  const edgeByPlace = (uid: string): EdgeRow | undefined => {
    const place = edgeIds.placeOf(uid);
    const link = place === undefined ? undefined : findLink(sql, types.all, 'adj', place.source, place.edge);
    if (place === undefined || link === undefined || (link.x & REVERSED) !== 0) return undefined;
    return (link.x & RECORD) !== 0 ? rows.edges([place.edge])[0] : plainEdge(place, link, types.of(link.etype));
  };
  return {
    nodes: (wanted) => guard(() => rows.nodes(wanted as readonly number[])),
    nodesByUid: (uids) => guard(() => rows.nodesByUid(uids)),
    edges: (wanted) => guard(() => rows.edges(wanted as readonly number[])),
    edgeByUid: (uid) => guard(() => rows.edgeByUid(uid) ?? edgeByPlace(uid)),
    edgeUid: (edge, source) => edgeIds.uidOf({ edge: edge as number, source: source as number }),
    neighbours: (query) => guard(() => readLinks(sql, query, types.all)),
    roots: () =>
      guard(() => ({
        // Before the list: one that comes in between is a conflict then.
        version: readRootsVersion(sql),
        keys: numbersOf(sql("SELECT '[' || group_concat(id) || ']' AS v FROM root").value()),
      })),
    async *nodeKeys() {
      for (let last = 0; ; ) {
        const page = guard(() =>
          numbersOf(
            sql(
              "SELECT '[' || group_concat(id) || ']' AS v FROM (SELECT id FROM node WHERE id > ? ORDER BY id LIMIT 500)",
            ).value(last),
          ),
        );
        if (page.length === 0) return;
        yield page;
        last = page.at(-1)!;
      }
    },
    ownedBy: (root) =>
      guard(() =>
        numbersOf(
          sql("SELECT '[' || group_concat(id) || ']' AS v FROM node WHERE owner = ?1 AND id <> ?1").value(
            root as number,
          ),
        ),
      ),
  };
}

export function readRootsVersion(sql: Sql): number {
  return Number(sql("SELECT value AS v FROM meta WHERE key = 'roots_topo'").value());
}

function plainEdge(place: EdgePlace, link: LinkPlace, type: StoredType): EdgeRow {
  return new EdgeRow({
    key: place.edge,
    uid: '',
    type,
    source: place.source,
    target: link.far,
    undirected: (link.x & UNDIRECTED) !== 0,
    owner: undefined,
    rev: 0,
    access: '',
    data: '',
    attic: '',
    hasRecord: false,
  });
}

/** A list of numbers from one query. */
function numbersOf(text: unknown): number[] {
  return text === null ? [] : (JSON.parse(text as string) as number[]);
}
