/**
 * A whole store as lines of JSON (decisions/0087): a header, then nodes, edges, accounts, what programs keep with `kvstore`, and a last line that
 * counts them. Ids are those of the store; `seq` keeps the order of creation.
 */
import type { IndexSpec } from '../kvstore/query.ts';

export interface HeaderLine {
  readonly kind: 'svc-graph';
  readonly format: number;
  readonly made_at: string;
  /** Every call that is in it is in it as a whole. Absent in archives of older versions. */
  readonly of_one_moment?: boolean;
  /** Keys from which the store computes ids that are not written beside their record. */
  readonly id_keys: { readonly node: string; readonly edge: string };
}

interface RecordLine {
  readonly id: string;
  readonly seq: number;
  readonly module: string;
  readonly type: string;
  /** Fingerprint of the type when it was written. */
  readonly schema: string;
  readonly access: unknown;
  readonly attic: unknown;
  /** Unix milliseconds. */
  readonly created_at: number;
  readonly updated_at: number;
  readonly data: unknown;
}

export interface NodeLine extends RecordLine {
  readonly kind: 'node';
  /** Id of the root it belongs to; a root belongs to itself. */
  readonly owner: string;
}

export interface EdgeLine extends RecordLine {
  readonly kind: 'edge';
  /** Null: the owner of the source. */
  readonly owner: string | null;
  readonly source: string;
  readonly target: string;
  readonly undirected: boolean;
}

/**
 * Account and identities, named as docs/server/stores.md#sqlite names them; without credentials only what keeps the
 * root's account there.
 */
export interface AccountLine {
  readonly kind: 'account';
  readonly user: Readonly<Record<string, string | number | null>>;
  readonly identities: readonly Readonly<Record<string, string | number | null>>[];
}

/** Collection of documents of `kvstore`; its documents follow in the order they were inserted. */
export interface CollectionLine {
  readonly kind: 'collection';
  /** Name of the database. */
  readonly db: string;
  readonly name: string;
  readonly indexes: readonly IndexSpec[];
}

export interface DocumentLine {
  readonly kind: 'document';
  readonly db: string;
  readonly collection: string;
  /** The document as the embedded database writes it: JSON, with `{"$…": …}` for what JSON has not. */
  readonly doc: unknown;
}

/** Key of `kvstore` with its value. */
export interface PairLine {
  readonly kind: 'key';
  /** Number of the database. */
  readonly number: number;
  readonly key: string;
  readonly value: string;
  /** Unix milliseconds; null: it stays. */
  readonly expires_at: number | null;
}

export type KeptLine = CollectionLine | DocumentLine | PairLine;

export interface EndLine extends Loaded {
  readonly kind: 'end';
}

export type ArchiveLine = HeaderLine | NodeLine | EdgeLine | AccountLine | KeptLine | EndLine;

export const ARCHIVE_FORMAT = 1;

/** Error of an archive that cannot be read; `line` counts from 1. */
export class ArchiveError extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

export interface Loaded {
  readonly nodes: number;
  readonly edges: number;
  readonly accounts: number;
  /** Numbers of what programs keep with `kvstore`; absent: nothing. */
  readonly documents?: number;
  readonly keys?: number;
}
