/** Two ports of a migration: the store that is left, while it is used, and the one that takes its place (decisions/0735). */
import type { MigrationTable, Row } from './tables.ts';

export interface MigrationSource {
  /** Name of the store for the target, the same at each attempt. */
  readonly id: string;
  /** Names the place the store has moved to; undefined while it has not. */
  movedTo(): string | undefined;
  /** Has every change noted from now on, by whichever process makes it. False when they were noted already. */
  follow(): boolean;
  /** Opens the store as it is now. */
  moment(): SourceMoment;
  /** Keeps everybody from writing, until `thaw` or for so long. Reads go on. */
  freeze(forMs: number): void;
  thaw(): void;
  /**
   * Closes the store for good in favour of another place, when it is still frozen and nothing has changed since `position`. From
   * the moment this returns nobody writes here.
   *
   * @throws Error when it may not
   */
  give(to: string, position: Position): void;
  /** Ends the noting of changes: the migration is given up. */
  unfollow(): void;
  /** Settings that the target takes over. */
  settings(): SourceSettings;
  close(): void;
}

export interface SourceSettings {
  /** Key from which ids of nodes are computed. */
  readonly nodeSecret: string;
  /** Number that no record reaches. */
  readonly nextKey: number;
}

/** The last change that is noted, of each file of the source. */
export type Position = string;

/** One moment of the source: whatever is written meanwhile is not in it. */
export interface SourceMoment {
  readonly position: Position;
  count(table: MigrationTable): number;
  /** Rows behind a key, in order. */
  page(table: MigrationTable, after: Row | undefined, limit: number): readonly Row[];
  /** Keys of what has changed after a position. */
  changed(table: MigrationTable, since: Position): readonly Row[];
  /** Rows that are there. */
  rows(table: MigrationTable, keys: readonly Row[]): readonly Row[];
  end(): void;
}

/** Place that the first copy has reached, kept by the target. */
export interface Progress {
  /** Changes up to here are in the copy; those after it have to be looked at. */
  readonly position: Position;
  /** Index of the table that is being copied; their number when all are. */
  readonly table: number;
  readonly after: Row | undefined;
}

export type Begun = 'begins' | 'goes on' | 'done' | 'full' | 'another';

export interface MigrationTarget {
  /** Enters the migration; nobody uses the target until it is over. */
  begin(sourceId: string, settings: SourceSettings): Promise<Begun>;
  progress(): Promise<Progress | undefined>;
  /** Writes rows, and how far it has come, in one transaction. */
  put(table: MigrationTable, rows: readonly Row[], progress?: Progress): Promise<void>;
  note(progress: Progress): Promise<void>;
  remove(table: MigrationTable, keys: readonly Row[]): Promise<void>;
  count(table: MigrationTable): Promise<number>;
  rows(table: MigrationTable, keys: readonly Row[]): Promise<readonly Row[]>;
  /** All rows in order, in pages. */
  scan(table: MigrationTable): AsyncIterable<readonly Row[]>;
  /** Opens it for its application. */
  finish(settings: SourceSettings): Promise<void>;
  close(): Promise<void>;
}

export interface MigrationEvents {
  /** An earlier attempt broke off; this one goes on with it. */
  resumed(): void;
  /** Rows of the first copy that are done, of those there were. */
  copied(done: number, all: number): void;
  /** Rows that have been compared. */
  compared(done: number, all: number): void;
  equal(shown: string, rows: number, digest: string): void;
  frozen(): void;
}
