/**
 * A whole store as lines of JSON (decisions/0087): a header, then nodes, edges, accounts, and a last line that counts them. Ids are those of the
 * store; `seq` keeps the order of creation.
 */
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

export interface EndLine {
  readonly kind: 'end';
  readonly nodes: number;
  readonly edges: number;
  readonly accounts: number;
}

export type ArchiveLine = HeaderLine | NodeLine | EdgeLine | AccountLine | EndLine;

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
}
