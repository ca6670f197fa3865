/** Records as they are stored, read once and shared by all units of a process. Never changed: a new version is a new record. */

import type { AccessRules } from '../access/rules.ts';
import type { Direction } from '../graph/hop.ts';
import type { JsonFields } from '../stored/drift.ts';

/** The store's own name of a record: a row number or the public id. */
export type Key = number | string;

/** One version of a declared type as it occurs in the store. */
export interface StoredType {
  readonly id: number;
  readonly kind: 'node' | 'edge';
  readonly module: string;
  readonly name: string;
  /** Fingerprint (docs/server/storage.md#changing-types). */
  readonly schema: string;
}

/** Gives the public id of a node that does not store one. */
export type IdMaker = (key: Key) => string;

export class NodeRow {
  readonly key: Key;
  private id: string | IdMaker;
  readonly type: StoredType;
  /** Key of the owner's root; a root owns itself. */
  readonly owner: Key;
  readonly rev: number;
  readonly topo: number;
  /** JSON of the access rules, '' when there are none. */
  readonly access: string;
  /** JSON object of the fields. */
  readonly data: string;
  /** JSON object of fields the type no longer has, '' when there are none. */
  readonly attic: string;
  // Worked out on demand from the texts above, the same for every reader.
  fields: JsonFields | undefined;
  newAttic: JsonFields | undefined;
  rules: AccessRules | null | undefined;
  /** The public fields as text that can go into an answer as it is; null when it cannot. */
  raw: string | null | undefined;
  /** Some of its links, see known-links.ts. */
  links: readonly KnownLinks[] | undefined;

  constructor(
    key: Key,
    id: string | IdMaker,
    type: StoredType,
    owner: Key,
    rev: number,
    topo: number,
    access: string,
    data: string,
    attic: string,
  ) {
    this.key = key;
    this.id = id;
    this.type = type;
    this.owner = owner;
    this.rev = rev;
    this.topo = topo;
    this.access = access;
    this.data = data;
    this.attic = attic;
    this.fields = undefined;
    this.newAttic = undefined;
    this.rules = undefined;
    this.raw = undefined;
    this.links = undefined;
  }

  /** Public id, 32 hex digits. Worked out when first asked for where the store keeps none. */
  get uid(): string {
    if (typeof this.id === 'function') this.id = this.id(this.key);
    return this.id;
  }

  /** The same record for another reader, who works out things anew. */
  copy(): NodeRow {
    return this.next(this);
  }

  /** The next version of the record, without what was worked out. */
  next(change: {
    readonly type: StoredType;
    readonly rev: number;
    readonly topo: number;
    readonly access: string;
    readonly data: string;
    readonly attic: string;
  }): NodeRow {
    return new NodeRow(
      this.key,
      this.id,
      change.type,
      this.owner,
      change.rev,
      change.topo,
      change.access,
      change.data,
      change.attic,
    );
  }

  /** The same record after an edge came or went. */
  withTopo(topo: number): NodeRow {
    const row = new NodeRow(
      this.key,
      this.id,
      this.type,
      this.owner,
      this.rev,
      topo,
      this.access,
      this.data,
      this.attic,
    );
    row.fields = this.fields;
    row.newAttic = this.newAttic;
    row.rules = this.rules;
    row.raw = this.raw;
    return row;
  }
}

/** An edge that has a record of its own: fields, rules, an owner other than its source's, or an id somebody asked for. */
export class EdgeRow {
  readonly key: Key;
  /** '' while nobody asked for it. */
  readonly uid: string;
  readonly type: StoredType;
  readonly source: Key;
  readonly target: Key;
  readonly undirected: boolean;
  /** Undefined: the owner of the source. */
  readonly owner: Key | undefined;
  readonly rev: number;
  readonly access: string;
  readonly data: string;
  readonly attic: string;
  /** False: known from the adjacency alone, there is no record to compare versions with. */
  readonly hasRecord: boolean;
  fields: JsonFields | undefined;
  newAttic: JsonFields | undefined;
  rules: AccessRules | null | undefined;
  raw: string | null | undefined;

  constructor(init: EdgeRowInit) {
    this.key = init.key;
    this.uid = init.uid;
    this.type = init.type;
    this.source = init.source;
    this.target = init.target;
    this.undirected = init.undirected;
    this.owner = init.owner;
    this.rev = init.rev;
    this.access = init.access;
    this.data = init.data;
    this.attic = init.attic;
    this.hasRecord = init.hasRecord;
    this.fields = undefined;
    this.newAttic = undefined;
    this.rules = undefined;
    this.raw = undefined;
  }
}

export type EdgeRowInit = Omit<EdgeRow, 'fields' | 'newAttic' | 'rules' | 'raw'>;

export type Row = NodeRow | EdgeRow;

/** Links of one node. Without details every link is plain: no record, no foreign owner, the origin's direction. */
export interface LinkList {
  readonly nodes: readonly Key[];
  readonly details: LinkDetails | undefined;
  /** Greatest number of an edge in a plain list, 0 when there is none. Absent where the store does not say. */
  readonly last?: number;
  /** Version of the node it starts at, where units assume what they remember (`GraphStore.remembered`); absent: there is no such node. */
  readonly origin?: { readonly rev: number; readonly topo: number };
  /** Versions of the nodes it leads to, where the store keeps copies of records in a cache. */
  readonly versions?: RowVersions;
}

export interface LinkDetails {
  readonly edges: readonly Key[];
  readonly types: readonly number[];
  readonly flags: readonly number[];
}

/** Versions of nodes as the store itself has them now: what a cache says of these versions is true. */
export type RowVersions = ReadonlyMap<Key, { readonly rev: number; readonly topo: number }>;

/** The answer to one question about a node's edges. Only links that are plain. */
export interface KnownLinks {
  readonly dir: Direction;
  readonly edgeTypes: readonly number[] | undefined;
  readonly nodeTypes: readonly number[] | undefined;
  readonly limit: number | undefined;
  readonly links: LinkList;
}
