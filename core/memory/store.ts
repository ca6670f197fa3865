/**
 * The persistent tier of graph memory (docs/server/storage.md, L3): a port. Each store adapter fills it; records are plain data, never live
 * objects. A driver's own error comes out as Failure `SERVICE_UNAVAILABLE` with that error as `cause`.
 */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { IdempotencyRecord } from '../accounts/account-store.ts';
import type { Condition, Direction } from '../graph/hop.ts';
import type { Remembered } from './remembered.ts';
import type { EdgeRow, IdMaker, Key, LinkList, NodeRow, RowVersions, StoredType } from './rows.ts';

export interface GraphStore {
  /** Shown in banners and health answers. */
  readonly name: string;
  readonly durability: 'full' | 'normal' | 'none';
  /** Reads answer at once, without a promise. */
  readonly isSync: boolean;
  /** Versions of types that occur, by id; grows. */
  readonly types: ReadonlyMap<number, StoredType>;
  /** Recent commits of this process; the store adds each one at the moment others can see it. */
  readonly log: CommitLog;
  /** Keys of the two built-in roots (docs/server/permissions.md#effective-level), which exist once a store is open. */
  readonly systemRoot: Key;
  readonly sharedRoot: Key;

  /** Makes a version of a type known to this process, whether or not it occurs: for stores that cannot see at once what others add. */
  know?(type: Omit<StoredType, 'id'>): StoredType;
  /** The stored version of a type, added when it is new. */
  intern(type: Omit<StoredType, 'id'>): MaybePromise<StoredType>;
  /**
   * Counts changes made by other processes, as far as can be seen now. A unit asks before it trusts what this process remembers; asked
   * again within one turn of the event loop it may repeat its answer.
   */
  foreignChanges(): MaybePromise<number>;

  /**
   * Reads rows in the order asked; undefined where there is none. `versions`: of those the caller has just been told
   * with their links.
   */
  nodes(keys: readonly Key[], versions?: RowVersions): MaybePromise<readonly (NodeRow | undefined)[]>;
  nodesByUid(uids: readonly string[]): MaybePromise<readonly (NodeRow | undefined)[]>;
  /** Records of edges that have one. */
  edges(keys: readonly Key[]): MaybePromise<readonly (EdgeRow | undefined)[]>;
  edgeByUid(uid: string): MaybePromise<EdgeRow | undefined>;
  /** The id of an edge without a record, which is worked out from its place. */
  edgeUid(edge: Key, source: Key): string;
  /** Key and id for a node that will be created, for code that asks for its id before the commit. */
  reserveNode(): { readonly key: Key; readonly uid: string };
  /** The id of a new node that got its key at the commit; also a maker of it, to be asked later. */
  readonly nodeId: IdMaker;
  /** Rows that units may begin with; absent: they ask for all they read. With it lists of neighbours tell the version of their origin. */
  readonly remembered?: Remembered;
  /** One list per origin, in order of creation. */
  neighbours(query: NeighbourQuery): MaybePromise<readonly LinkList[]>;
  /** Keys of all roots, oldest first, and the counter that changes with every new root. */
  roots(): MaybePromise<{ readonly keys: readonly Key[]; readonly version: number }>;
  /** Keys of all nodes, roots among them, in pages. Absent: found by `roots` and `ownedBy`. */
  nodeKeys?(): AsyncIterable<readonly Key[]>;
  /** All edges, in no order, in pages; `hasRecord` false where nothing but its ends is known. Absent: found by the nodes they leave. */
  allEdges?(): AsyncIterable<readonly EdgeRow[]>;
  /** Lists the keys of everything a root owns except itself. */
  ownedBy(root: Key): MaybePromise<readonly Key[]>;

  /**
   * Writes all of a unit or nothing. Resolves when the unit is durable; `unit.applied` is called before, at the moment others can see it.
   * Rejects with `ConflictError` when what the unit read or changes has changed meanwhile.
   */
  commit(unit: UnitWrite): Promise<void>;
  /** The same without waiting for the disk to be sure, for programs that answer nobody; `flush` waits. Only where `isSync`. */
  commitNow?(unit: UnitWrite): void;
  /** Waits until everything visible is durable. */
  flush(): Promise<void>;
  /**
   * Takes leases on records against other processes, in an order all agree on; gives what ends them. Until then, or until `signal` is aborted,
   * they last, and at most `forMs` longer than the process. Meanwhile commits of others that write such a record are refused with a
   * `ConflictError` that says so. Absent where no other process shares the store.
   */
  lease?(keys: readonly Key[], forMs: number, signal?: AbortSignal): Promise<() => Promise<void>>;
  /** Gives the keys of those reads of a read-only unit that have changed since. */
  validate(reads: ReadSet): MaybePromise<readonly Key[]>;
  /**
   * The store as it is now, for one unit: everything it gives was there at one moment. `end` lets go of it. Absent, or giving nothing,
   * where the store cannot hold a moment.
   */
  snapshot?(): { readonly store: GraphStore; end(): void } | undefined;
  /** Keeps a copy of a record that cannot be decoded. */
  quarantine(uid: string, reason: string, record: string): void;

  /** Stores with a cache of records: who is told, for each record that was wanted, whether the cache had it in its present version. */
  watchCache?(onAsked: (isHit: boolean) => void): void;

  /** Resolves when the store can be reached: for health checks, which measure the time. For health checks. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface NeighbourQuery {
  readonly from: readonly Key[];
  readonly dir: Direction;
  /** Ids of stored types; undefined: all. */
  readonly edgeTypes: readonly number[] | undefined;
  readonly nodeTypes: readonly number[] | undefined;
  /** Leave out nodes that surely fail; may be ignored. */
  readonly where: readonly Condition[] | undefined;
  /** Edges are wanted, not only the nodes they lead to. */
  readonly details: boolean;
  /** At most so many links, the first ones. Only with one origin. */
  readonly limit: number | undefined;
  /** The answer will be remembered: `last` is wanted. Only with one origin. */
  readonly isShort: boolean;
}

/** The edge has no direction. */
export const UNDIRECTED = 1;
/** The edge has a record of its own. */
export const RECORD = 2;
/** Flag of a link whose edge has another owner than its source, or rules: its record says who may see it. */
export const FOREIGN = 4;
/** Seen from its target (undirected edges are listed from both ends). */
export const REVERSED = 8;
/** Flag of a link that comes in, in an answer in both directions. */
export const INCOMING = 16;

export interface ReadSet {
  /** Position in the log when the unit began to read. */
  readonly since: number;
  /** Foreign changes it knew of. */
  readonly seen: number;
  /** Objects whose fields were read, with the version seen; a version above all others asks only that the object exists. */
  readonly nodes: readonly { readonly key: Key; readonly rev: number }[];
  readonly edges: readonly { readonly key: Key; readonly rev: number }[];
  /** Nodes whose neighbours were listed. */
  readonly listed: readonly { readonly key: Key; readonly topo: number }[];
  /** Version of the list of roots, when it was read. */
  readonly roots: number | undefined;
  /** Types whose objects were searched by the store itself. */
  readonly searched: readonly number[];
  /**
   * Number of versions of types that the store knew when neighbours were first listed by type: those it learns of later
   * were not found.
   */
  readonly types: number | undefined;
  /** Cheap: false when the node, or the edge, is surely not among the lists above. */
  mayHoldNode(key: Key): boolean;
  mayHoldEdge(key: Key): boolean;
}

/** Lists, not maps: most have one member, thousands are kept, and each is looked through many times. */
export interface Changed {
  readonly key: Key;
  readonly version: number;
}

export interface LogEntry {
  /** Records written or removed, with their new version; removed ones have Infinity. */
  readonly revs: readonly Changed[];
  readonly edgeRevs: readonly Changed[];
  /** Nodes that gained or lost an edge. */
  readonly topos: readonly Changed[];
  /** A root was added. */
  readonly roots: number | undefined;
  /** Types of the records written. */
  readonly types: readonly number[];
  /**
   * Types of all objects of `revs` and `topos` and of what was created, -1 among them when one is unknown; undefined
   * while nobody follows the log.
   */
  readonly touched: readonly number[] | undefined;
  /** Cache of the runtime that committed, which knows the change already. Never that of one unit: the log keeps thousands of entries. */
  readonly origin: object;
}

/** Whoever wants to hear of changes as they happen (core/live). */
export interface LogFollower {
  /** Called for each entry, inside the transaction, which may still be undone: entries are to be read when the turn is over. */
  appended(): void;
  /** Gives `LogEntry.touched` of a commit (`Draft`). */
  touched(draft: object, topos: readonly Changed[]): readonly number[];
  /** Called when keys or collections of `kvstore` were written. */
  kept(names: readonly string[]): void;
}

export interface CommitLog {
  /** End of the log: the position behind its last entry. */
  readonly position: number;
  append(entry: LogEntry): void;
  /** Takes back the entries after a position: their transaction failed. */
  truncate(position: number): void;
  /** Keys of what has changed since the unit began; undefined when the log does not reach back that far. */
  changed(reads: ReadSet): readonly Key[] | undefined;
  /** Entries from a position on; undefined when the log does not reach back that far. */
  after(position: number): readonly LogEntry[] | undefined;
  /** Whoever wants to hear of changes as they happen; undefined: nobody does. */
  follower: LogFollower | undefined;
}

/** Version in a read set: the object must exist, whatever its version. */
export const ANY_VERSION = Number.MAX_SAFE_INTEGER;
/** Version in the log: the object is gone. */
export const GONE = Number.POSITIVE_INFINITY;

export interface UnitWrite {
  readonly reads: ReadSet;
  readonly newNodes: readonly NewNode[];
  readonly newEdges: readonly NewEdge[];
  readonly nodeChanges: readonly NodeChange[];
  readonly edgeChanges: readonly EdgeChange[];
  readonly removedNodes: readonly RemovedNode[];
  readonly removedEdges: readonly RemovedEdge[];
  /** The finished answer of a call with an idempotency key: stored with the change or not at all (docs/server/requests.md#idempotency). */
  readonly answer: IdempotencyRecord | undefined;
  /** Gives the commit's changes for the log; called when keys and neighbours are filled in. */
  entry(): LogEntry;
  /** Called by the store when the unit's changes have become visible, before anything else of the process runs. */
  applied(): void;
}

export interface NewNode {
  /** '' for a node whose id follows from its key (`nodeId`). */
  uid: string;
  /** Given by `reserveNode`; undefined: the store takes the next one. */
  reserved: Key | undefined;
  readonly type: StoredType;
  /** Undefined: itself (a root). */
  readonly owner: Key | undefined;
  readonly access: string;
  readonly data: string;
  readonly isRoot: boolean;
  /** Given by the store. */
  key: Key;
  /** Edges it starts with; counted by the store. */
  topo: number;
}

export interface NewEdge {
  uid: string;
  readonly type: StoredType;
  readonly source: Key | NewNode;
  readonly target: Key | NewNode;
  readonly sourceType: StoredType;
  readonly targetType: StoredType;
  readonly undirected: boolean;
  /** Undefined: the source's owner. */
  readonly owner: Key | undefined;
  readonly access: string;
  /** '' when the type has no fields. */
  readonly data: string;
  key: Key;
}

export interface NodeChange {
  readonly row: NodeRow;
  readonly type: StoredType;
  readonly data: string;
  readonly attic: string;
  readonly access: string;
  /**
   * Merges the change into `current`, with isolation `merge`; undefined: it may not be made. Gives what to write.
   * Absent: the version must be the same.
   */
  readonly merge: ((current: NodeRow) => { readonly data: string; readonly attic: string } | undefined) | undefined;
  /** Set by the store when it wrote a merged record. */
  merged: NodeRow | undefined;
}

export interface EdgeChange {
  readonly row: EdgeRow;
  readonly sourceType: StoredType;
  readonly targetType: StoredType;
  readonly type: StoredType;
  readonly uid: string;
  readonly owner: Key | undefined;
  readonly data: string;
  readonly attic: string;
  readonly access: string;
}

/**
 * Tells whether a change concerns the links of an edge, its access rules or whether it has a record: its ends then
 * count it as a change of their edges.
 */
export function changesLinks({ row, access }: EdgeChange): boolean {
  return !row.hasRecord || access !== row.access;
}

export interface RemovedNode {
  readonly row: NodeRow;
  /** Nodes that lost an edge by it, once for each link, and those edges; filled in by the store. */
  neighbours: readonly Key[];
  edges: readonly Key[];
}

export interface RemovedEdge {
  readonly row: EdgeRow;
  readonly sourceType: StoredType;
  readonly targetType: StoredType;
}

/** Error of a commit: something the unit read or wants to change has changed meanwhile. */
export class ConflictError extends Error {
  readonly keys: readonly Key[];
  /** True when another process was in the way. */
  readonly fromOutside: boolean;
  /** The unit would have written nothing. */
  readonly onlyRead: boolean;
  /** True when nothing has changed: another process has a lease on them. */
  readonly isLeased: boolean;
  constructor(keys: readonly Key[], fromOutside = false, onlyRead = false, isLeased = false) {
    super(`conflict on ${keys.length} record${keys.length === 1 ? '' : 's'}`);
    this.name = 'ConflictError';
    this.keys = keys;
    this.fromOutside = fromOutside;
    this.onlyRead = onlyRead;
    this.isLeased = isLeased;
  }
}
