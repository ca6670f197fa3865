/**
 * Reads. What units ask in one turn of the event loop is one statement: with many calls in flight a call costs a part
 * of a round trip, alone it costs a few (decisions/0697). A hop brings the records it leads to with it.
 */

import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { edgeName } from '../../../core/memory/commit-log.ts';
import type { EdgeRow, Key, LinkList, NodeRow, RowVersions, StoredType } from '../../../core/memory/rows.ts';
import { ANY_VERSION, type NeighbourQuery, type ReadSet } from '../../../core/memory/store.ts';
import { createBatch } from './batch.ts';
import { type Cells, statement } from './line.ts';
import type { Source } from './pool.ts';
import { createHops, type ReadDeps } from './read-links.ts';
import { edgeColumns, edgeRow, nodeColumns, nodeRow, withTypes } from './rows.ts';

export interface Reads {
  nodes(keys: readonly Key[], versions?: RowVersions): MaybePromise<(NodeRow | undefined)[]>;
  nodesByUid(uids: readonly string[]): Promise<(NodeRow | undefined)[]>;
  edges(keys: readonly Key[]): Promise<(EdgeRow | undefined)[]>;
  edgeByUid(uid: string): Promise<EdgeRow | undefined>;
  neighbours(query: NeighbourQuery): Promise<readonly LinkList[]>;
  roots(): Promise<{ keys: Key[]; version: number }>;
  ownedBy(root: Key): Promise<Key[]>;
  nodeKeys(): AsyncIterable<readonly Key[]>;
  allEdges(): AsyncIterable<readonly EdgeRow[]>;
  /** Keys of what is not any more as it was seen; everything is looked at as it is at one moment. */
  validate(reads: ReadSet): Promise<Key[]>;
}

const nodes = statement(`SELECT ${nodeColumns('n')} FROM svc_node n WHERE n.id = ANY($1::int8[])`);
const named = statement(`SELECT ${nodeColumns('n')} FROM svc_node n WHERE n.uid = ANY($1::text[])`);
const edges = statement(`SELECT ${edgeColumns} FROM svc_edge e WHERE e.id = ANY($1::int8[])`);
const namedEdges = statement(`SELECT ${edgeColumns} FROM svc_edge e WHERE e.uid = ANY($1::text[])`);
const versions = statement(
  'SELECT 0, id, rev, topo FROM svc_node WHERE id = ANY($1::int8[]) UNION ALL SELECT 1, id, rev, 0 FROM svc_edge WHERE id = ANY($2::int8[]) ' +
    "UNION ALL SELECT 2, 0, 0, topo FROM svc_meta WHERE key = 'roots' AND $3::bool",
);
// The counter and the list belong to one moment.
const allRoots = statement(
  "SELECT 0, topo FROM svc_meta WHERE key = 'roots' UNION ALL (SELECT seq, id FROM svc_root) ORDER BY 1",
);
const owned = statement('SELECT id FROM svc_node WHERE owner = $1::int8 AND id <> $1::int8');
const page = statement('SELECT id FROM svc_node WHERE id > $1::int8 ORDER BY id LIMIT 5000');
const edgePage = statement(`SELECT ${edgeColumns} FROM svc_edge e WHERE e.id > $1::int8 ORDER BY e.id LIMIT 2000`);

/** A list of texts as the database writes one. */
function textArray(texts: Iterable<string>): string {
  return `{${[...texts].map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join()}}`;
}

const column = { nodeType: 2, edgeType: 2 } as const;

export function createReads(deps: ReadDeps): Reads {
  const { source, types, nodeIds, edgeIds, nodeId } = deps;
  const rowsOf = <T>(
    found: readonly Cells[],
    at: number,
    row: (cells: Cells, typeOf: (id: string) => StoredType) => T,
  ) => withTypes(types, found, at, (typeOf) => found.map((cells) => row(cells, typeOf)));
  const asNode = (cells: Cells, typeOf: (id: string) => StoredType) => nodeRow(cells, typeOf, nodeId);
  const byKey = createBatch(async (keys: ReadonlySet<number>) => {
    const found = await source.ask(nodes, [`{${[...keys].join()}}`]);
    return new Map((await rowsOf(found, column.nodeType, asNode)).map((row) => [row.key as number, row]));
  });
  const byName = createBatch(async (uids: ReadonlySet<string>) => {
    const found = await source.ask(named, [textArray(uids)]);
    return new Map((await rowsOf(found, column.nodeType, asNode)).map((row) => [row.uid, row]));
  });
  const edgesByKey = createBatch(async (keys: ReadonlySet<number>) => {
    const found = await source.ask(edges, [`{${[...keys].join()}}`]);
    return new Map((await rowsOf(found, column.edgeType, edgeRow)).map((row) => [row.key as number, row]));
  });
  const edgesByName = createBatch(async (uids: ReadonlySet<string>) => {
    const found = await source.ask(namedEdges, [textArray(uids)]);
    return new Map((await rowsOf(found, column.edgeType, edgeRow)).map((row) => [row.uid, row]));
  });
  const hops = createHops(deps);
  const seen = createVersions(source);
  return {
    nodes(keys, given) {
      const missing = keys.filter((key) => !isRow(given?.get(key)));
      const known = (key: Key) => given!.get(key) as NodeRow;
      if (missing.length === 0) return keys.map(known);
      return byKey(missing as readonly number[]).then((found) => {
        let next = 0;
        return keys.map((key) => (isRow(given?.get(key)) ? known(key) : found[next++]));
      });
    },
    // Most ids lead to a number; the others are in the index.
    async nodesByUid(uids) {
      const keys = uids.map(nodeIds.keyOf);
      const others = uids.filter((_, i) => keys[i] === undefined);
      const numbers = keys.filter((key) => key !== undefined);
      const [found, foundOthers] = await Promise.all([
        numbers.length === 0 ? [] : byKey(numbers),
        others.length === 0 ? [] : byName(others),
      ]);
      let [k, u] = [0, 0];
      return keys.map((key) => (key === undefined ? foundOthers[u++] : found[k++]));
    },
    edges: async (keys) => (keys.length === 0 ? [] : await edgesByKey(keys as readonly number[])),
    async edgeByUid(uid) {
      const key = edgeIds.keyOf(uid);
      return (key === undefined ? await edgesByName([uid]) : await edgesByKey([key]))[0];
    },
    neighbours: hops,
    async roots() {
      const [first, ...rest] = await source.ask(allRoots, []);
      return { keys: rest.map(([, id]) => Number(id)), version: Number(first![1]) };
    },
    ownedBy: async (root) => (await source.ask(owned, [root as number])).map(([id]) => Number(id)),
    async *nodeKeys() {
      for (let last = 0; ; ) {
        const keys = (await source.ask(page, [last])).map(([id]) => Number(id));
        if (keys.length === 0) return;
        yield keys;
        last = keys.at(-1)!;
      }
    },
    async *allEdges() {
      for (let last = 0; ; ) {
        const page = await rowsOf(await source.ask(edgePage, [last]), column.edgeType, edgeRow);
        if (page.length === 0) return;
        yield page;
        last = page.at(-1)!.key as number;
      }
    },
    validate: seen,
  };
}

/** A hop gives the records themselves in place of their versions. */
function isRow(version: unknown): version is NodeRow {
  return version !== undefined && 'data' in (version as object);
}

interface Version {
  readonly rev: number;
  readonly topo: number;
}

/** Everything that units of one turn have seen, compared in one statement: what it finds was so at one moment. */
function createVersions(source: Source): (reads: ReadSet) => Promise<Key[]> {
  const look = createBatch(async (wanted: ReadonlySet<string>) => {
    const [nodeKeys, edgeKeys]: [string[], string[]] = [[], []];
    for (const name of wanted) {
      if (name.startsWith('n')) nodeKeys.push(name.slice(1));
      else if (name.startsWith('e')) edgeKeys.push(name.slice(1));
    }
    const found = await source.ask(versions, [`{${nodeKeys.join()}}`, `{${edgeKeys.join()}}`, wanted.has('roots')]);
    return new Map(
      found.map(([what, id, rev, topo]) => [
        what === '0' ? `n${id}` : what === '1' ? `e${id}` : 'roots',
        { rev: Number(rev), topo: Number(topo) } satisfies Version,
      ]),
    );
  });
  return async (reads) => {
    const { nodes: seenNodes, listed, edges: seenEdges, roots } = reads;
    const names = [
      ...seenNodes.map(({ key }) => `n${key}`),
      ...listed.map(({ key }) => `n${key}`),
      ...seenEdges.map(({ key }) => `e${key}`),
      ...(roots === undefined ? [] : ['roots']),
    ];
    if (names.length === 0) return [];
    const now = await look(names);
    const changed = new Set<Key>();
    let at = 0;
    for (const { key, rev } of seenNodes) if (differs(now[at++]?.rev, rev)) changed.add(key);
    for (const { key, topo } of listed) if (differs(now[at++]?.topo, topo)) changed.add(key);
    for (const { key, rev } of seenEdges) if (differs(now[at++]?.rev, rev)) changed.add(edgeName(key));
    if (roots !== undefined && now[at]?.topo !== roots) changed.add('roots');
    return [...changed];
  };
}

function differs(now: number | undefined, seen: number): boolean {
  return now === undefined || (seen !== ANY_VERSION && now !== seen);
}
