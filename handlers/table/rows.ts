/**
 * Table of what open connections have asked for, beside the table of the connections (docs/server/cloud.md#live): a port. Rows of one `pk` are
 * read in order of their `sk`. What has outlived its `ttl` may still be found.
 */
export interface RowKey {
  readonly pk: string;
  readonly sk: string;
}

export type RowValue = string | number | boolean | null | undefined;
export type RowFields = { readonly [name: string]: RowValue };
export type Row = RowFields & RowKey;

/** Condition of a write. All tests of a list must hold. */
export type RowTest =
  | readonly ['absent' | 'present', string]
  | readonly ['=' | '<' | '<=' | '>', string, RowValue]
  | readonly ['any', readonly RowTest[]];

/** One write: `put` replaces the row, `change` changes or makes it; with neither and no `isDelete` only the tests count. */
export interface RowWrite {
  readonly key: RowKey;
  readonly put?: RowFields;
  readonly change?: { readonly set?: RowFields; readonly remove?: readonly string[] };
  readonly isDelete?: boolean;
  readonly when: readonly RowTest[];
}

export interface RowRange {
  readonly pk: string;
  /** Text that the sort keys must begin with. */
  readonly prefix?: string;
  /** With a prefix: only rows whose sort keys are above this one. */
  readonly above?: string;
}

export interface RowTable {
  get(key: RowKey): Promise<Row | undefined>;
  getMany(keys: readonly RowKey[]): Promise<readonly (Row | undefined)[]>;
  query(range: RowRange): Promise<readonly Row[]>;
  /** False when a test did not hold. */
  write(write: RowWrite): Promise<boolean>;
  /** The row after the change; undefined when a test did not hold. */
  update(write: RowWrite): Promise<Row | undefined>;
  /** All or nothing, at most 100. Gives the places of the writes whose tests did not hold; undefined: done. */
  transact(writes: readonly RowWrite[], token: string): Promise<readonly number[] | undefined>;
}
