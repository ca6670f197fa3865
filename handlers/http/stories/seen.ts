/** Records and links that a call was given by the store, or by what its process remembers of the store: the state that a replay runs on. */
import type { EdgeRow, Key, LinkList, NodeRow } from '../../../core/memory/rows.ts';
import type { GraphStore, NeighbourQuery } from '../../../core/memory/store.ts';
import type { Question } from '../../../core/story/teller.ts';

/** Rows and links that one call keeps. With more it cannot be replayed. */
const mostSeen = 20_000;

/** Answers as they come; `stateIn` puts them in order when somebody replays the call. Records never change, so they are kept as they are. */
export class Seen {
  isCut = false;
  /** Number of types that the store had when the call began: of later ones there were no objects. */
  readonly knownTypes: number;
  /** Question, what was given with it, answer; then those of the next one. */
  private answers: unknown[] | undefined = undefined;
  /** About how many bytes it holds. */
  bytes = 0;
  private count = 0;

  constructor(knownTypes: number) {
    this.knownTypes = knownTypes;
  }

  note(question: Question, given: unknown, answer: unknown): void {
    if (this.isCut) return;
    this.count += 1 + sizeOf(answer);
    if (this.count > mostSeen) {
      this.isCut = true;
      this.answers = undefined;
      this.bytes = 0;
      return;
    }
    // The list of a single question, the commonest, has no room for more.
    if (this.answers === undefined) this.answers = [question, given, answer];
    else this.answers.push(question, given, answer);
    this.bytes += 100 + bytesOf(answer);
  }

  get state(): State {
    const state: State = {
      rows: new Map(),
      uids: new Map(),
      edges: new Map(),
      edgeUids: new Map(),
      links: new Map(),
      roots: undefined,
      owned: new Map(),
    };
    const { answers = [] } = this;
    for (let i = 0; i < answers.length; i += 3) put[answers[i] as Question](state, answers[i + 1], answers[i + 2]);
    return state;
  }
}

export interface State {
  /** `undefined`: there is none. */
  readonly rows: Map<Key, NodeRow | undefined>;
  readonly uids: Map<string, NodeRow | undefined>;
  readonly edges: Map<Key, EdgeRow | undefined>;
  readonly edgeUids: Map<string, EdgeRow | undefined>;
  /** Answers to each question about links, in order: a call that commits on its way asks again. */
  readonly links: Map<string, LinkList[]>;
  roots: Awaited<ReturnType<GraphStore['roots']>> | undefined;
  readonly owned: Map<Key, readonly Key[]>;
}

/** A question about the links of one node, as text. */
export function linkQuestion(query: NeighbourQuery, from: Key): string {
  const { dir, edgeTypes, nodeTypes, where, details, limit } = query;
  return JSON.stringify([from, dir, edgeTypes ?? 0, nodeTypes ?? 0, where ?? 0, details, limit ?? 0]);
}

// The first answer is the one of the beginning: later versions are those that the call itself has written.
function putFirst<K, V>(map: Map<K, V>, key: K, value: V): void {
  if (!map.has(key)) map.set(key, value);
}

function putRows(state: State, rows: readonly (NodeRow | undefined)[]): void {
  for (const row of rows) {
    if (row === undefined) continue;
    putFirst(state.rows, row.key, row.copy());
    putFirst(state.uids, row.uid, row.copy());
  }
}

function putAll<K, V>(map: Map<K, V>, keys: unknown, values: unknown): void {
  for (const [i, key] of (keys as readonly K[]).entries()) putFirst(map, key, (values as readonly V[])[i]!);
}

/** Gives the place in the state to an answer. */
const put: { readonly [Q in Question]: (state: State, given: any, answer: any) => void } = {
  row: (state, _uid, row) => putRows(state, [row]),
  rows: (state, _keys, rows) => putRows(state, rows),
  nodes(state, keys, rows) {
    putRows(state, rows);
    putAll(state.rows, keys, rows);
  },
  nodesByUid(state, uids, rows) {
    putRows(state, rows);
    putAll(state.uids, uids, rows);
  },
  edges: (state, keys, rows) => putAll(state.edges, keys, rows),
  edgeByUid: (state, uid, row) => putFirst(state.edgeUids, uid, row),
  neighbours(state, query: NeighbourQuery, lists: readonly LinkList[]) {
    for (const [i, from] of query.from.entries()) {
      const name = linkQuestion(query, from);
      const known = state.links.get(name);
      if (known === undefined) state.links.set(name, [lists[i]!]);
      else known.push(lists[i]!);
    }
  },
  roots(state, _given, roots) {
    state.roots ??= roots;
  },
  ownedBy: (state, root, keys) => putFirst(state.owned, root, keys),
};

/** Records count with their text, although most of them are held by others as well. */
function bytesOf(answer: unknown): number {
  if (!Array.isArray(answer)) return (answer as { data?: string } | undefined)?.data?.length ?? sizeOf(answer) * 8;
  let sum = 0;
  for (const one of answer) sum += 8 + (one?.data?.length ?? (one?.nodes?.length ?? 0) * 8);
  return sum;
}

function sizeOf(answer: unknown): number {
  if (!Array.isArray(answer)) return (answer as { keys?: readonly Key[] } | undefined)?.keys?.length ?? 1;
  let sum = answer.length;
  for (const one of answer) if (one?.nodes !== undefined) sum += one.nodes.length;
  return sum;
}
