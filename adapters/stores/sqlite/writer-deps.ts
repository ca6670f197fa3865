/** Parts that the files which write units share. */
import type { Key, StoredType } from '../../../core/memory/rows.ts';
import type { CommitLog, NewNode } from '../../../core/memory/store.ts';
import type { AddedRows } from './added-rows.ts';
import type { RowReader } from './read-rows.ts';
import type { Sql } from './sql-cache.ts';

export interface WriterDeps {
  readonly sql: Sql;
  readonly rows: RowReader;
  /** New rows go through it; who reads what others of the transaction added flushes it first. */
  readonly added: AddedRows;
  readonly log: CommitLog;
  readonly types: ReadonlyMap<number, StoredType>;
  readonly nowMs: () => number;
  /** The next free number of a node or edge. */
  readonly nextKey: () => number;
  /** Gives the number of changes by other processes seen so far, now that the write lock is held. */
  readonly foreign: () => number;
  readonly rootsVersion: () => number;
  readonly addRoot: (key: number) => void;
}

/** Keys of this store are numbers. */
export function num(key: Key): number {
  return key as number;
}

export function keyOf(end: Key | NewNode): number {
  return num(typeof end === 'object' ? end.key : end);
}

/** Edges that nodes gained or lost in one unit. */
export type TopoCounts = Map<number, number>;

export function count(topos: TopoCounts, key: number): void {
  topos.set(key, (topos.get(key) ?? 0) + 1);
}

export function orNull(text: string): string | null {
  return text === '' ? null : text;
}
