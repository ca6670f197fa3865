/**
 * L1: the objects one unit of work has read and changed (docs/server/storage.md#tiers, docs/server/storage.md#units).
 * Objects come into it from the store or by being connected to something persistent; nothing in it is seen by another
 * unit before the commit.
 *
 * This is the record. What happens to it is beside it, lowest first: `session-rows.ts` reads, `access/session-access.ts` judges levels,
 * `session-fields.ts` opens and marks fields, `session-graph.ts` takes in and removes, `hop-from-store.ts` follows edges,
 * `session-lookup.ts` finds by id, `session-commit.ts` commits. `live-session.ts` is what objects themselves call.
 */

import { RuntimeError } from '../../library/values/objects/exceptions.ts';
import type { AccessRules } from '../access/rules.ts';
import type { IdempotencyRecord } from '../accounts/account-store.ts';
import type { Failure } from '../errors.ts';
import type { Edge, GraphObject, Node } from '../graph/objects.ts';
import type { TopicStep } from '../topics/topics.ts';
import type { Trace } from '../trace/trace.ts';
import { edgeName } from './commit-log.ts';
import { LateMap } from './late-map.ts';
import type { Assumptions } from './remembered.ts';
import { createRowCache, type RowCache } from './row-cache.ts';
import type { EdgeRow, Key, LinkList, NodeRow } from './rows.ts';
import type { Runtime, RuntimeSettings } from './runtime.ts';

export interface SessionOptions {
  readonly rootId: string;
  readonly kind: 'user' | 'guest' | 'system';
  /** Commit when an outermost walk ends: programs run by `svc run`. Inside a call the call is the outermost scope. */
  readonly commitsAfterWalks?: boolean;
  /** Let the store leave out nodes by their fields; not when the unit was in conflict over it before. */
  readonly pushesConditions?: boolean;
  /** True for a session whose changes are not stored. */
  readonly discards?: boolean;
  readonly isReadOnly?: boolean;
}

/** Links of a location that were fetched before a walk came to it, and the question they answer. */
export interface LinksAhead {
  readonly question: string;
  readonly links: LinkList;
}

export interface RulesFollower {
  /** Called with the objects whose access rules changed, once the changes are durable. */
  onRulesChanged?(objects: ReadonlySet<GraphObject>): void;
}

const none: readonly number[] = [];

/** `LiveSession` is the class of every session. */
export abstract class Session {
  readonly runtime: Runtime;
  /** Rows it has read: shared by all units where changes by others show at once, else its own. */
  readonly rows: RowCache;
  /** Rows it assumes; undefined: it asks for all it reads. */
  assumed: Assumptions | undefined;
  readonly rootId: string;
  readonly isSystem: boolean;
  readonly commitsAfterWalks: boolean;
  readonly pushesConditions: boolean;
  readonly discards: boolean;
  /** Nothing may be written, and what was read is told afterwards (core/live). */
  isReadOnly: boolean;
  rootKey: Key | undefined;
  closed: boolean;
  /** Objects of the store, by its key. */
  readonly nodes: Map<Key, Node>;
  readonly edges: LateMap<Key, Edge>;
  /** Objects whose id was asked for before they had a key. */
  readonly named: LateMap<string, GraphObject>;
  /** Keys of new nodes whose id was asked for. */
  readonly reserved: LateMap<GraphObject, Key>;
  /** A new object has been given an id since this was last false. */
  gaveId: boolean;
  /** Ids that no node has, looked up ahead: the edge, or nothing. Only where the store cannot answer at once. */
  readonly looked: LateMap<string, EdgeRow | undefined>;
  /** Links fetched for locations a walk will come to. */
  readonly ahead: LateMap<Node, LinksAhead>;
  /** New nodes that are not stored yet. */
  created: Node[];
  joined: Edge[];
  /** Stored objects that changed; stored objects that may have changed in place. */
  dirty: GraphObject[];
  watched: GraphObject[];
  removedNodes: Node[];
  removedEdges: Edge[];
  /** New access rules by object. */
  readonly rules: LateMap<GraphObject, AccessRules>;
  /** Objects whose fields were read, and nodes whose edges were listed. */
  readNodes: Node[];
  readEdges: Edge[];
  listed: Node[];
  rootsSeen: number | undefined;
  /** Types whose objects the store searched. */
  searched: readonly number[];
  /** Rows whose rules a decision of this unit rests on. */
  readonly decided: LateMap<Key, NodeRow>;
  readonly decidedEdges: LateMap<Key, EdgeRow>;
  readonly levels: LateMap<Key, number>;
  since: number;
  seen: number;
  /** Number of versions of types that existed when this unit first asked for objects by type. */
  typesSeen: number | undefined;
  /** True when something was committed by `commit()` before the end: the call cannot be replayed. */
  partlyCommitted: boolean;
  effects: (() => unknown)[];
  /** Messages and memberships that wait for the next commit (`core/topics`). */
  topicSteps: TopicStep[] | undefined;
  /** Stored with the last commit, if that writes anything. */
  answer: IdempotencyRecord | undefined;
  /** Called when the commit becomes visible: others need not wait for the disk. */
  onVisible: (() => void) | undefined;
  /** Number of this run of the unit, from 1; infinite outside of units, where no other run follows. */
  attempt: number;
  /** Call that tells, before the unit is run again, whether it may be; undefined: it may. */
  call: { canReplay?(): boolean } | undefined;
  /** Objects whose access rules were set since the last commit. */
  ruleChanges: Set<GraphObject> | undefined;
  /** Follower that is told of them once they are durable. */
  rulesFollower: RulesFollower | undefined;
  readonly warnings: string[];
  /** Ids that led nowhere; each is told once. */
  missing: Set<string> | undefined;
  /** The caller's root once it is loaded. */
  rootNode: Node | undefined;
  private ownSettings: RuntimeSettings | undefined;
  /** Trace to which the spans of its commits belong. */
  trace: Trace | undefined;
  /** Failure of the first write of a read-only unit: it fails with it, whatever the program caught. */
  refused: Failure | undefined;
  /** An object was asked for that there is not. Noted for read-only units. */
  missed: boolean;
  /** The caller's root, or something that the caller owns, was given out: another caller may see other things (core/live/live-reads.ts). */
  sawOwn: boolean;
  /** Names of the keys and collections that `kvstore` read (`core/kvstore/kvstore.ts`). Noted for read-only units. */
  kept: Set<string> | undefined;

  constructor(runtime: Runtime, options: SessionOptions, warnings: string[]) {
    this.runtime = runtime;
    this.rows = runtime.store.isSync
      ? runtime.rows
      : createRowCache(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    this.assumed = undefined;
    this.rootId = options.rootId;
    this.isSystem = options.kind === 'system';
    this.commitsAfterWalks = options.commitsAfterWalks === true;
    this.pushesConditions = options.pushesConditions !== false;
    this.discards = options.discards === true;
    this.isReadOnly = options.isReadOnly === true;
    this.rootKey = undefined;
    this.closed = false;
    this.nodes = new Map();
    this.edges = new LateMap();
    this.named = new LateMap();
    this.reserved = new LateMap();
    this.gaveId = false;
    this.ahead = new LateMap();
    this.looked = new LateMap();
    this.created = [];
    this.joined = [];
    this.dirty = [];
    this.watched = [];
    this.removedNodes = [];
    this.removedEdges = [];
    this.rules = new LateMap();
    this.readNodes = [];
    this.readEdges = [];
    this.listed = [];
    this.rootsSeen = undefined;
    this.searched = none;
    this.decided = new LateMap();
    this.decidedEdges = new LateMap();
    this.levels = new LateMap();
    this.since = -1;
    this.seen = 0;
    this.typesSeen = undefined;
    this.partlyCommitted = false;
    this.effects = [];
    this.topicSteps = undefined;
    this.answer = undefined;
    this.onVisible = undefined;
    this.attempt = Number.POSITIVE_INFINITY;
    this.call = undefined;
    this.ruleChanges = undefined;
    this.rulesFollower = undefined;
    this.warnings = warnings;
    this.missing = undefined;
    this.rootNode = undefined;
    this.ownSettings = undefined;
    this.trace = undefined;
    this.refused = undefined;
    this.missed = false;
    this.sawOwn = false;
    this.kept = undefined;
  }

  /** Settings as they were when the unit first asked. */
  get settings(): RuntimeSettings {
    return (this.ownSettings ??= this.runtime.settings());
  }

  /** Everything it read must have been there at one moment. */
  get isStrict(): boolean {
    return this.isReadOnly || this.settings.isolation === 'serializable';
  }

  know(x: GraphObject): void {
    this.named.set(x.$id, x);
  }

  /** False in the last run of a unit: what it only read is then answered as it was found. */
  mayRunAgain(): boolean {
    return (
      !this.partlyCommitted && this.attempt < this.settings.conflictMaxAttempts && this.call?.canReplay?.() !== false
    );
  }

  /** Tells whether there may be something to write. Containers that were handed out are compared at the commit. */
  get mayWrite(): boolean {
    return (
      this.created.length > 0 ||
      this.joined.length > 0 ||
      this.dirty.length > 0 ||
      this.watched.length > 0 ||
      this.removedNodes.length > 0 ||
      this.removedEdges.length > 0
    );
  }

  /** Does a contested record, as conflicts name it, belong to this unit? An edge more than there is only makes it wait. */
  holds(key: Key): boolean {
    if (this.nodes.has(key)) return true;
    if (typeof key !== 'string' || !key.startsWith('e')) return false;
    const edge = key.slice(1);
    return this.edges.has(edge) || this.edges.has(Number(edge));
  }

  /** Keys of all objects in the session, as conflicts name them. */
  get allKeys(): readonly Key[] {
    return [...this.nodes.keys(), ...[...this.edges.keys()].map(edgeName)];
  }

  close(): void {
    this.closed = true;
  }
}

/** @throws RuntimeError when the unit is over: the object outlived its call */
export function requireOpen(session: Session, x: GraphObject): void {
  if (session.closed) throw finished(x);
}

function finished(x: GraphObject): RuntimeError {
  return new RuntimeError(`this ${x.$meta.name} belongs to a call that is over; look it up again with oget`);
}
