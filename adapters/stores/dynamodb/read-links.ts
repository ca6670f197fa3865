/** Hops: one range of a node's partition per type of the far end, or all of it (server.md 15.8). */
import type { LinkList, StoredType } from '../../../core/memory/rows.ts';
import type { NeighbourQuery } from '../../../core/memory/store.ts';
import { typeName } from '../edge-names.ts';
import { flagsSeen, type Link, listOf } from '../links.ts';
import type { StoredTypes } from '../stored-types.ts';
import type { Intents } from './intents.ts';
import type { Item } from './item.ts';
import { edgeOfEnd, endPrefix, nodeKey } from './keys.ts';
import type { Table } from './table.ts';

export interface LinkDeps {
  readonly table: Table;
  readonly intents: Intents;
  readonly types: StoredTypes;
}

/** Queries of one hop in flight. */
const together = 16;

export async function readLinks(deps: LinkDeps, query: NeighbourQuery): Promise<LinkList[]> {
  const prefixes = prefixesOf(query, deps.types.all);
  const jobs = query.from.flatMap((from, place) => prefixes.map((prefix) => ({ from, place, prefix })));
  const lists: Link[][] = query.from.map(() => []);
  let next = 0;
  const worker = async () => {
    while (next < jobs.length) {
      const { from, place, prefix } = jobs[next++]!;
      lists[place]!.push(...(await readRange(deps, query, nodeKey(from).pk, prefix)));
    }
  };
  await Promise.all(Array.from({ length: Math.min(together, jobs.length) }, worker));
  return lists.map((links) => listOf(links, query));
}

/** Versions of a type share a range. */
function prefixesOf({ nodeTypes }: NeighbourQuery, types: ReadonlyMap<number, StoredType>): string[] {
  if (nodeTypes === undefined) return [endPrefix()];
  return [...new Set(nodeTypes.map((id) => typeName(types.get(id)!)))].map(endPrefix);
}

/** A range is in order of creation, so a limited hop needs no more than its first links. */
async function readRange(deps: LinkDeps, query: NeighbourQuery, pk: string, prefix: string): Promise<Link[]> {
  const { limit, nodeTypes } = query;
  const stopsEarly = limit !== undefined && nodeTypes !== undefined;
  const links: Link[] = [];
  const range = stopsEarly ? { pk, prefix, pageSize: limit + 8 } : { pk, prefix };
  for await (const page of deps.table.pages(range)) {
    for (const end of await deps.intents.resolve(page)) {
      const link = end === undefined ? undefined : linkOf(deps.types, end, query);
      if (link !== undefined) links.push(link);
    }
    if (stopsEarly && links.length >= limit) return links.slice(0, limit);
  }
  return links;
}

/** Undefined when the hop does not lead along it. */
function linkOf(types: StoredTypes, end: Item, query: NeighbourQuery): Link | undefined {
  const flags = flagsSeen(end['dir'] as 'out' | 'in' | 'loop', Number(end['x']), query.dir);
  if (flags === undefined) return undefined;
  const type = types.of('edge', end).id;
  // Versions of a type nobody has asked about yet have a number only now.
  if (query.edgeTypes !== undefined && !query.edgeTypes.includes(type) && !sameName(types, type, query.edgeTypes)) {
    return undefined;
  }
  return { edge: edgeOfEnd(String(end['sk'])), far: String(end['other']), type, flags };
}

function sameName({ all }: StoredTypes, type: number, wanted: readonly number[]): boolean {
  const name = typeName(all.get(type)!);
  return wanted.some((id) => typeName(all.get(id)!) === name);
}
