/**
 * Place on the disk for all of a store while an export reads it: a port, so that the size of a graph does not matter to the memory of the process
 * (decisions/0800). Keys are those of the store; nodes keep the order in which they were put.
 */
import type { AccountRecord } from '../../core/accounts/account-store.ts';
import type { Key } from '../../core/memory/rows.ts';

export interface SpooledNode {
  readonly key: Key;
  readonly uid: string;
  readonly type: number;
  readonly owner: Key;
  readonly rev: number;
  readonly topo: number;
  readonly access: string;
  readonly data: string;
  readonly attic: string;
}

export interface SpooledEdge {
  readonly key: Key;
  readonly uid: string;
  readonly type: number;
  readonly source: Key;
  readonly target: Key;
  readonly undirected: boolean;
  /** Undefined for an edge that is known from its ends alone. */
  readonly record: SpooledRecord | undefined;
}

export interface SpooledRecord {
  readonly rev: number;
  /** Undefined: the owner of the source. */
  readonly owner: Key | undefined;
  readonly access: string;
  readonly data: string;
  readonly attic: string;
}

export interface OwnedNode extends SpooledNode {
  readonly ownerUid: string;
}

/** Edge with the public ids of what it joins; `ownerUid` undefined: the owner of the source. */
export interface JoinedEdge extends SpooledEdge {
  readonly sourceUid: string;
  readonly targetUid: string;
  readonly ownerUid: string | undefined;
}

export interface Spool {
  /** Number of nodes. */
  readonly size: number;
  /** Puts all roots, in their order, in the place of those before. */
  putRoots(keys: readonly Key[]): void;
  /** Forgets the accounts. */
  dropAccounts(): void;
  putAccount(account: AccountRecord): void;
  /** Marks nodes that are to be read; `onlyNew`: those that were never marked. Gives the number of those that are marked by it. */
  want(keys: readonly Key[], onlyNew: boolean): number;
  /** Takes marks away, and what is known of those nodes and the edges that leave them. */
  takeWanted(most: number): readonly Key[];
  putNodes(nodes: readonly SpooledNode[]): void;
  putEdges(edges: readonly SpooledEdge[]): void;
  /** The node that an edge leaves. */
  sourceOf(edge: Key): Key | undefined;
  /** Versions of nodes, in pages. */
  nodeVersions(): Iterable<readonly { readonly key: Key; readonly rev: number; readonly topo: number }[]>;
  /** The same of edges that have a record. */
  edgeVersions(): Iterable<readonly { readonly key: Key; readonly rev: number }[]>;
  /** Roots in their order. */
  roots(): Iterable<SpooledNode>;
  /** Nodes that are no roots and belong to one. */
  owned(): Iterable<OwnedNode>;
  /** Edges between such nodes, and whose owner is there, in order of creation. */
  edges(): Iterable<JoinedEdge>;
  /** Accounts whose root is there. */
  accounts(): Iterable<AccountRecord>;
  close(): void;
}
