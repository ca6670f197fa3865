/**
 * L1: the objects one unit of work has read and changed (server.md 15.1, 15.4). Objects come into it from the store or by being connected
 * to something persistent; nothing in it is seen by another unit before the commit.
 */

import type { MaybePromise } from '../../base/maybe-promise.ts';
import { closeFields, openField } from '../../library/classes/closed-fields.ts';
import { ACCESS, BOTH_WAYS, DELETED, DIRTY, LAZY, READ, WATCHED } from '../../library/classes/state.ts';
import { RuntimeError } from '../../library/values/objects/exceptions.ts';
import type { Operation } from '../access/check.ts';
import { type AccessRules, CONNECT, READ as READ_LEVEL, WRITE } from '../access/rules.ts';
import { denyAccess, levelOfEdge, levelOfNode, mayFollow, mayRemoveEdge } from '../access/session-access.ts';
import type { IdempotencyRecord } from '../accounts/account-store.ts';
import { listed } from '../graph/adjacency.ts';
import type { Hop } from '../graph/hop.ts';
import { SYSTEM_ROOT_ID } from '../graph/ids.ts';
import { type Edge, type GraphObject, Node } from '../graph/objects.ts';
import { decodeValue, isMutable } from '../stored/codec.ts';
import type { Trace } from '../trace/trace.ts';
import { chain } from './chain.ts';
import { edgeName } from './commit-log.ts';
import { hopFromStore } from './hop-from-store.ts';
import { LateMap } from './late-map.ts';
import type { LinksAhead } from './look-ahead.ts';
import { rootShape } from './root-type.ts';
import { createRowCache, type RowCache } from './row-cache.ts';
import { type EdgeRow, type Key, NodeRow, type Row } from './rows.ts';
import type { Runtime, RuntimeSettings } from './runtime.ts';
import { commitSession, commitSessionNow } from './session-commit.ts';
import { findById, idInSession } from './session-lookup.ts';
import { ConflictError, type LinkList, type RowVersions } from './store.ts';

export interface SessionOptions {
  readonly rootId: string;
  readonly kind: 'user' | 'guest' | 'system';
  /** Commit when an outermost walk ends: programs run by `svc run`. Inside a call the call is the outermost scope. */
  readonly commitsAfterWalks?: boolean;
  /** Let the store leave out nodes by their fields; not when the unit was in conflict over it before. */
  readonly pushesConditions?: boolean;
  /** Nothing it changes is stored. */
  readonly discards?: boolean;
}

const none: readonly number[] = [];

function versionsIn(lists: readonly LinkList[]): RowVersions | undefined {
  if (lists.length === 1) return lists[0]!.versions;
  const all = new Map<Key, { readonly rev: number; readonly topo: number }>();
  for (const { versions } of lists) for (const [key, version] of versions ?? []) all.set(key, version);
  return all.size === 0 ? undefined : all;
}

export interface RulesFollower {
  /** Told which objects have other access rules, once they are durable. */
  onRulesChanged?(objects: ReadonlySet<GraphObject>): void;
}

export class Session {
  readonly runtime: Runtime;
  /** Rows it has read: shared by all units where changes by others show at once, else its own. */
  readonly rows: RowCache;
  readonly rootId: string;
  readonly isSystem: boolean;
  readonly commitsAfterWalks: boolean;
  readonly pushesConditions: boolean;
  readonly discards: boolean;
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
  /** Not yet stored. */
  created: Node[];
  joined: Edge[];
  /** Stored objects that changed; stored objects that may have changed in place. */
  dirty: GraphObject[];
  watched: GraphObject[];
  removedNodes: Node[];
  removedEdges: Edge[];
  /** New access rules by object. */
  readonly rules: LateMap<GraphObject, AccessRules>;
  /** Owners of new objects made for somebody else than the caller (never, but for roots). */
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
  /** How many versions of types there were when this unit first asked for objects by type. */
  typesSeen: number | undefined;
  /** Something was committed by `commit()` before the end: the call cannot be replayed. */
  partlyCommitted: boolean;
  effects: (() => unknown)[];
  /** Stored with the last commit, if that writes anything. */
  answer: IdempotencyRecord | undefined;
  /** Called when the commit becomes visible: others need not wait for the disk. */
  onVisible: (() => void) | undefined;
  /** Which run of its unit this is, from 1; no other follows outside of units. */
  attempt: number;
  /** Asked before the unit is run again. */
  canReplay: (() => boolean) | undefined;
  /** Objects whose access rules were set since the last commit. */
  ruleChanges: Set<GraphObject> | undefined;
  /** Told of them once they are durable. */
  rulesFollower: RulesFollower | undefined;
  readonly warnings: string[];
  /** Ids that led nowhere; each is told once. */
  private missing: Set<string> | undefined;
  private rootNode: Node | undefined;
  private ownSettings: RuntimeSettings | undefined;
  /** What its commits are spans of. */
  trace: Trace | undefined;

  constructor(runtime: Runtime, options: SessionOptions, warnings: string[]) {
    this.runtime = runtime;
    this.rows = runtime.store.isSync
      ? runtime.rows
      : createRowCache(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    this.rootId = options.rootId;
    this.isSystem = options.kind === 'system';
    this.commitsAfterWalks = options.commitsAfterWalks === true;
    this.pushesConditions = options.pushesConditions !== false;
    this.discards = options.discards === true;
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
    this.answer = undefined;
    this.onVisible = undefined;
    this.attempt = Number.POSITIVE_INFINITY;
    this.canReplay = undefined;
    this.ruleChanges = undefined;
    this.rulesFollower = undefined;
    this.warnings = warnings;
    this.missing = undefined;
    this.rootNode = undefined;
    this.ownSettings = undefined;
    this.trace = undefined;
  }

  // ---- beginning

  /** Before the first read: remembers where the log stands, and forgets cached rows when another process wrote. */
  begin(): MaybePromise<void> {
    if (this.since >= 0) return undefined;
    const { store } = this.runtime;
    return chain(store.foreignChanges(), (seen) => {
      this.runtime.catchUp(seen);
      this.seen = seen;
      this.since = store.log.position;
    });
  }

  /** Loads the caller's root. Stores that answer at once need no call; it happens on first use. */
  open(): MaybePromise<Node> {
    if (this.rootNode !== undefined) return this.rootNode;
    return chain(this.begin(), () =>
      chain(this.rowByUid(this.rootId), (row) => {
        if (row === undefined) throw new Error(`there is no root ${this.rootId}`);
        this.rootKey = row.key;
        this.rootNode = this.materialize(row);
        return this.rootNode!;
      }),
    );
  }

  /** As they were when the unit first asked. */
  get settings(): RuntimeSettings {
    return (this.ownSettings ??= this.runtime.settings());
  }

  get root(): Node {
    if (this.rootNode !== undefined) return this.rootNode;
    const opened = this.open();
    if (opened instanceof Promise) throw new Error('the session was used before its root was loaded');
    return opened;
  }

  sharedRoot(): MaybePromise<Node> {
    if (this.runtime.sharedIsOwn) return this.root;
    const opened = chain(this.open(), () => this.rowsOf([this.runtime.store.sharedRoot]));
    return chain(opened, ([row]) => this.materialize(row!)!);
  }

  /**
   * The system's root as a name for it. Nobody else has a level on it (server.md 14.3), so nothing of its record is needed, and nothing is read:
   * also where the store would have to be waited for.
   */
  systemRoot(): Node {
    const { store } = this.runtime;
    const key = store.systemRoot;
    if (this.rootKey === key || (this.rootKey === undefined && this.root.$row.key === key)) return this.root;
    const known = this.nodes.get(key);
    if (known !== undefined) return known;
    const type = { id: -1, ...rootShape() };
    return this.materialize(new NodeRow(key, SYSTEM_ROOT_ID, type, key, 0, 0, '', '{}', ''))!;
  }

  // ---- objects from the store

  rowByUid(uid: string): MaybePromise<NodeRow | undefined> {
    const { rows } = this;
    const { store } = this.runtime;
    const key = rows.keyOf(uid);
    const cached = key === undefined ? undefined : rows.get(key);
    if (store.isSync) this.runtime.meters?.cacheAsked(cached !== undefined);
    if (cached !== undefined) return cached;
    return chain(store.nodesByUid([uid]), ([row]) => {
      if (row !== undefined) rows.putNamed(row);
      return row;
    });
  }

  /** Rows in the order asked, those that are remembered without a query, the rest in one. `lists`: the links that led to them. */
  rowsOf(keys: readonly Key[], lists: readonly LinkList[] = []): MaybePromise<(NodeRow | undefined)[]> {
    const { rows } = this;
    const { store } = this.runtime;
    // What a unit remembers for itself is no cache.
    const meters = store.isSync ? this.runtime.meters : undefined;
    const found: (NodeRow | undefined)[] = new Array(keys.length);
    let missing: Key[] | undefined;
    let places: number[] | undefined;
    for (let i = 0; i < keys.length; i++) {
      const row = rows.get(keys[i]!);
      meters?.cacheAsked(row !== undefined);
      found[i] = row;
      if (row === undefined) {
        (missing ??= []).push(keys[i]!);
        (places ??= []).push(i);
      }
    }
    if (missing === undefined) return found;
    return chain(store.nodes(missing, versionsIn(lists)), (fetched) => {
      for (let i = 0; i < fetched.length; i++) {
        const row = fetched[i];
        if (row === undefined) continue;
        found[places![i]!] = row;
        rows.put(row);
      }
      return found;
    });
  }

  /** The unit's instance of a stored node; undefined while the program has no class for it. */
  materialize(row: NodeRow): Node | undefined {
    const known = this.nodes.get(row.key);
    if (known !== undefined) return known;
    const binding = this.runtime.types.of(row.type);
    if (binding === undefined || this.isUnreadable(row.key, row)) return undefined;
    const node: Node = binding.meta.blank();
    node.$s = this;
    node.$row = row;
    node.$st = LAZY;
    closeFields(node);
    this.nodes.set(row.key, node);
    return node;
  }

  materializeEdge(row: EdgeRow, source: Node, target: Node): Edge | undefined {
    const known = this.edges.get(row.key);
    if (known !== undefined) return known;
    const binding = this.runtime.types.of(row.type);
    if (binding === undefined || this.isUnreadable(edgeName(row.key), row)) return undefined;
    const edge: Edge = binding.meta.blank();
    edge.$s = this;
    edge.$row = row;
    edge.$st = row.undirected ? LAZY | BOTH_WAYS : LAZY;
    edge.$id = row.uid;
    closeFields(edge);
    edge.$src = source;
    edge.$dst = target;
    edge.$seq = typeof row.key === 'number' ? row.key : 0; // by its key then
    this.edges.set(row.key, edge);
    return edge;
  }

  /** `oget`: null when there is none, it is deleted, or the caller may not read it. */
  byId(uid: string): MaybePromise<GraphObject | null> {
    return findById(this, uid);
  }

  /** The instance, when the caller may read it and it is not deleted in this unit. */
  visible(row: NodeRow): Node | undefined {
    if (row.owner !== this.rootKey && !this.isSystem && levelOfNode(this, row) < READ_LEVEL) return undefined;
    const node = this.materialize(row);
    return node === undefined || (node.$st & DELETED) !== 0 ? undefined : node;
  }

  /** The class behind a stored name. */
  classNamed(name: string): unknown {
    return this.runtime.types.classNamed(name);
  }

  /** What a field refers to; None once it is deleted. */
  reference(uid: string): GraphObject | null {
    const found = this.byId(uid);
    if (found instanceof Promise) throw new Error('a reference was read before it was loaded');
    if (found === null && this.missing?.has(uid) !== true) {
      this.missing ??= new Set();
      this.missing.add(uid);
      this.runtime.warn('a reference to a deleted object reads as None', { id: uid });
    }
    return found;
  }

  know(x: GraphObject): void {
    this.named.set(x.$id, x);
  }

  /** The public id of an object that belongs to this session. */
  idOf(x: GraphObject): string {
    return idInSession(this, x);
  }

  // ---- fields

  /** First read of a stored object's field: fills the plain ones, containers stay closed. */
  hydrate(x: GraphObject): void {
    const row = x.$row as Row;
    const fields = this.fieldsOf(row, x);
    x.$meta.load(x, fields, this);
    this.noteRead(x);
  }

  /** The stored fields in the shape of the class. */
  fieldsOf(row: Row, x: GraphObject): Record<string, any> {
    try {
      return this.runtime.types.fieldsOf(row);
    } catch (cause) {
      return this.meetUnreadable(row, x, cause);
    }
  }

  /**
   * A record that cannot be decoded is copied to the quarantine and is invisible from then on (server.md 15.9). It was visible to this run, so
   * the unit begins again; where it cannot, the program is told.
   */
  private meetUnreadable(row: Row, x: GraphObject, cause: unknown): never {
    for (const node of [x, ...this.nodes.values()]) {
      const met: Row = node.$row;
      try {
        this.runtime.types.fieldsOf(met);
      } catch (error) {
        const isNode = met instanceof NodeRow;
        this.runtime.unreadable.set(isNode ? met.key : edgeName(met.key), met.rev);
        const uid = isNode || met.uid !== '' ? met.uid : this.runtime.store.edgeUid(met.key, met.source);
        this.runtime.store.quarantine(uid, String((error as Error).message), met.data);
        this.runtime.warn('a stored record cannot be decoded and is left aside', { id: uid, type: met.type.name });
      }
    }
    if (this.mayRunAgain()) throw new ConflictError([row.key], false, true);
    throw new RuntimeError(`the record of ${x.$meta.name} ${row.uid} cannot be read`, { cause });
  }

  private isUnreadable(name: Key, row: Row): boolean {
    const { unreadable } = this.runtime;
    return unreadable.size > 0 && unreadable.get(name) === row.rev;
  }

  noteRead(x: GraphObject): void {
    if ((x.$st & READ) !== 0) return;
    x.$st |= READ;
    if (x instanceof Node) this.readNodes.push(x);
    else this.readEdges.push(x as Edge);
  }

  /**
   * First read of a field that may hold a container or a reference: gives the unit its own copy. A reference that leads nowhere for this caller
   * stays closed, so that it is stored again as it was.
   */
  unfold(x: GraphObject, index: number): void {
    if ((x.$st & LAZY) !== 0) this.hydrate(x);
    const field = x.$meta.fields[index]!;
    const json = this.fieldsOf(x.$row, x)[field.name];
    const value = decodeValue(json, this, field.type);
    (x as any)[field.slot] = value;
    if (isMutable(value)) this.watch(x);
    if (value !== null || json === null || json === undefined) openField(x, field);
  }

  /** A value with structure in a field whose type promised none. */
  openPlain(x: GraphObject, json: unknown): unknown {
    const value = decodeValue(json, this);
    if (isMutable(value)) this.watch(x);
    return value;
  }

  watch(x: GraphObject): void {
    if ((x.$st & WATCHED) !== 0) return;
    x.$st |= WATCHED;
    this.watched.push(x);
  }

  /** Before a field is assigned: may it be, and remember that it changed. False: leave the field alone. */
  touch(x: GraphObject, _field: string): boolean {
    const state = x.$st;
    if ((state & DIRTY) !== 0) return true;
    if (this.closed) throw finished(x);
    if ((state & LAZY) !== 0) this.hydrate(x);
    if (x.$row !== null && !this.require(x, WRITE, 'write')) return false;
    x.$st |= DIRTY;
    if (x.$row !== null && (state & ACCESS) === 0) this.dirty.push(x);
    return true;
  }

  // ---- edges

  hop(node: Node, hop: Hop, wantEdges: boolean): MaybePromise<any[]> {
    if (this.closed) throw finished(node);
    return chain(hopFromStore(this, [node], hop, wantEdges), (lists) => lists[0]!);
  }

  hopMany(nodes: readonly Node[], hop: Hop, wantEdges: boolean): MaybePromise<any[][]> {
    return hopFromStore(this, nodes, hop, wantEdges);
  }

  /** A new edge with at least one end in this session: edge and other end become persistent, and what hangs on that (15.2). */
  adopt(edge: Edge): void {
    const pending: Edge[] = [edge];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (next.$s !== null) continue;
      next.$s = this;
      next.$st |= DIRTY;
      this.joined.push(next);
      if (next.$id !== '') this.named.set(next.$id, next);
      for (const end of [next.$src, next.$dst]) if (end.$s === null) this.adoptNode(end, pending);
    }
  }

  /** Makes a node persistent, with everything connected to it. */
  adoptAll(node: Node): void {
    if (node.$s !== null) return;
    const pending: Edge[] = [];
    this.adoptNode(node, pending);
    for (const edge of pending) this.adopt(edge);
  }

  private adoptNode(node: Node, pending: Edge[]): void {
    node.$s = this;
    node.$st |= DIRTY;
    this.created.push(node);
    if (node.$id !== '') this.named.set(node.$id, node);
    for (const list of [listed(node.$out), listed(node.$in)]) {
      for (const edge of list) if (edge.$s === null && (edge.$st & DELETED) === 0) pending.push(edge);
    }
  }

  mayConnect(node: Node): boolean {
    if (this.closed) throw finished(node);
    return node.$row === null || this.require(node, CONNECT, 'connect');
  }

  mayDelete(node: Node): boolean {
    if (this.closed) throw finished(node);
    return node.$row === null || this.require(node, WRITE, 'delete');
  }

  mayRemove(edge: Edge, operation: 'disconnect' | 'delete'): boolean {
    if (this.closed) throw finished(edge);
    return mayRemoveEdge(this, edge, operation);
  }

  removed(x: GraphObject): void {
    if (x.$row === null) return;
    if (x instanceof Node) this.removedNodes.push(x);
    else this.removedEdges.push(x as Edge);
  }

  // ---- access

  mayRead(node: Node): boolean {
    return node.$row === null || levelOfNode(this, node.$row) >= READ_LEVEL;
  }

  /** By an edge, a visit or a spawn. */
  mayArrive(node: Node): boolean {
    return node.$row === null || mayFollow(this, node.$row);
  }

  nodeLevel(node: Node): number {
    return node.$row === null ? WRITE : levelOfNode(this, node.$row);
  }

  edgeLevel(edge: Edge): number {
    return levelOfEdge(this, edge);
  }

  /** Is the level there? Raises, or warns and says no, as configured. */
  require(x: GraphObject, level: number, operation: Operation): boolean {
    const has = x instanceof Node ? this.nodeLevel(x) : this.edgeLevel(x as Edge);
    return has >= level || this.deny(x, operation, level, has);
  }

  deny(x: GraphObject, operation: Operation, required: number, effective: number): false {
    return denyAccess(this, x, { operation, required, effective });
  }

  setRules(x: GraphObject, rules: AccessRules): void {
    if (x.$row !== null && (x.$st & (DIRTY | ACCESS)) === 0) this.dirty.push(x);
    if ((x.$st & LAZY) !== 0) this.hydrate(x);
    x.$st |= ACCESS;
    this.rules.set(x, rules);
    this.ruleChanges ??= new Set();
    this.ruleChanges.add(x);
  }

  // ---- the end

  /** False in the last run of a unit: what it only read is then answered as it was found. */
  mayRunAgain(): boolean {
    return !this.partlyCommitted && this.attempt < this.settings.conflictMaxAttempts && this.canReplay?.() !== false;
  }

  /** May there be something to write? Containers that were handed out are compared at the commit. */
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

  /** Everything in it, as conflicts name it. */
  get allKeys(): readonly Key[] {
    return [...this.nodes.keys(), ...[...this.edges.keys()].map(edgeName)];
  }

  commit(): Promise<void> {
    return commitSession(this);
  }

  /** For programs that answer nobody. */
  commitNow(): MaybePromise<void> {
    return commitSessionNow(this);
  }

  close(): void {
    this.closed = true;
  }
}

function finished(x: GraphObject): RuntimeError {
  return new RuntimeError(`this ${x.$meta.name} belongs to a call that is over; look it up again with oget`);
}
