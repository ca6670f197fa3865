/** The one synchronous SQLite interface the store is written against; `open-driver.ts` has the two packages that fill it. */
import { MOVING } from './moving.ts';

export interface SqliteDriver {
  readonly package: 'node:sqlite' | 'libsql';
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export type SqlValue = string | number | null;

export interface SqliteStatement {
  /** First column of the first row; null when there is none. */
  value(...params: SqlValue[]): any;
  row(...params: SqlValue[]): any;
  rows(...params: SqlValue[]): any[];
  /** Runs the statement and gives the number of rows changed. */
  run(...params: SqlValue[]): number;
}

export type SqliteTrouble = 'busy' | 'full' | 'io' | 'corrupt' | 'constraint' | 'readonly' | 'cannot_open' | 'other';

/** Primary result codes of SQLite. */
const numbers: Readonly<Record<number, SqliteTrouble>> = {
  5: 'busy',
  6: 'busy',
  8: 'readonly',
  10: 'io',
  11: 'corrupt',
  13: 'full',
  14: 'cannot_open',
  19: 'constraint',
  26: 'corrupt',
};

const names: readonly (readonly [RegExp, SqliteTrouble])[] = [
  [/^SQLITE_(BUSY|LOCKED)/, 'busy'],
  [/^SQLITE_READONLY/, 'readonly'],
  [/^SQLITE_IOERR/, 'io'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'corrupt'],
  [/^SQLITE_FULL/, 'full'],
  [/^SQLITE_CANTOPEN/, 'cannot_open'],
  [/^SQLITE_CONSTRAINT/, 'constraint'],
];

/** Gives the kind of an error, whichever package it comes from. */
export function troubleOf(error: any): SqliteTrouble {
  const text = String(error?.message ?? '');
  if (text.includes(MOVING)) return 'readonly';
  const number = error?.errcode ?? error?.rawCode;
  if (typeof number === 'number' && numbers[number & 0xff] !== undefined) return numbers[number & 0xff]!;
  const code = String(error?.code ?? '');
  for (const [pattern, trouble] of names) if (pattern.test(code)) return trouble;
  if (/database is locked|database table is locked/.test(text)) return 'busy';
  if (/disk is full/.test(text)) return 'full';
  if (/disk I\/O error/.test(text)) return 'io';
  if (/malformed|not a database/.test(text)) return 'corrupt';
  if (/readonly database/.test(text)) return 'readonly';
  if (/unable to open (database|connection)/i.test(text)) return 'cannot_open';
  return 'other';
}
