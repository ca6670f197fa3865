/**
 * A walk that hops from each location in the same way asks for the links of many queued locations at once (decisions/0001): one query for a
 * hundred nodes instead of a hundred queries.
 */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { DELETED, FULL } from '../../library/classes/state.ts';
import type { Node } from '../graph/objects.ts';
import { chain } from './chain.ts';
import { currentFrame } from './context.ts';
import { knownLinks, rememberLinks } from './known-links.ts';
import type { LinkList, NodeRow } from './rows.ts';
import type { Session } from './session.ts';
import { rowsOf } from './session-rows.ts';
import type { GraphStore, NeighbourQuery } from './store.ts';

/**
 * Bounds of one look ahead: locations per query, and links in all, so that one look ahead at hubs does not read half
 * the graph.
 */
const mostLocations = 128;
const mostLinks = 4096;

/** Links of the nodes, from what was fetched ahead where the question is the same. */
export function linksAhead(
  session: Session,
  stored: readonly Node[],
  query: NeighbourQuery,
): MaybePromise<readonly LinkList[]> {
  const { store } = session.runtime;
  const node = stored[0]!;
  const remembered = query.isShort ? knownLinks(node.$row, query) : undefined;
  if (remembered !== undefined) {
    session.trace?.story?.saw('neighbours', query, [remembered]);
    return [remembered];
  }
  if (stored.length > 1 || query.limit !== undefined || query.where !== undefined) return ask(store, node, query);
  const question = `${query.dir} ${query.edgeTypes?.join() ?? '*'} ${query.nodeTypes?.join() ?? '*'} ${query.details}`;
  const known = session.ahead.get(node);
  if (known !== undefined) {
    session.ahead.delete(node);
    if (known.question === question) return [known.links];
  }
  const others = upcoming(session, node, question);
  if (others.length === 0) return ask(store, node, query);
  const from = [node, ...others].map((one) => one.$row.key);
  return chain(store.neighbours({ ...query, from, isShort: false }), (lists) => {
    for (const [i, other] of others.entries()) session.ahead.set(other, { question, links: lists[i + 1]! });
    // Their far ends will be wanted too: read them together.
    return chain(rowsOf(session, [...new Set(lists.flatMap((list) => list.nodes))], lists), () => [lists[0]!]);
  });
}

function ask(store: GraphStore, node: Node, query: NeighbourQuery): MaybePromise<readonly LinkList[]> {
  if (!query.isShort) return store.neighbours(query);
  const row: NodeRow = node.$row;
  return chain(store.neighbours(query), (lists) => {
    rememberLinks(row, query, lists[0]!);
    return lists;
  });
}

/** Queued locations of the same class, once the walk has asked the same question twice. */
function upcoming(session: Session, node: Node, question: string): Node[] {
  const { walk } = currentFrame();
  if (walk === undefined || walk.here !== node) return none;
  if (walk.question !== question) {
    walk.question = question;
    return none;
  }
  const found: Node[] = [];
  let links = 0;
  for (let i = walk.head; i < walk.queue.length && found.length < mostLocations; i++) {
    const place = walk.queue[i];
    if (place === null || place === undefined || place.$cid !== node.$cid || place === node) continue;
    if (place.$s !== session || place.$row === null || (place.$st & (DELETED | FULL)) !== 0 || session.ahead.has(place))
      continue;
    links += place.$row.topo;
    if (links > mostLinks) break;
    found.push(place);
  }
  return found;
}

const none: Node[] = [];
