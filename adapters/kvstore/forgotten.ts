/** Content of the embedded database that programs no longer find: what they keep has an address now (decisions/0800). */
import { existsSync } from 'node:fs';
import { openDriver } from '../stores/sqlite/open-driver.ts';
import { hasMoved, markOnlyLocal, onlyLocalKinds } from './embedded/database.ts';
import { type DatabasesOptions, kindsElsewhere } from './options.ts';

const tableOf = { docdb: 'documents', kvcache: 'pairs' };

/** False as well for a file that cannot be read: nobody needs it. */
export function isForgotten(file: string, options: DatabasesOptions): boolean {
  const kinds = kindsElsewhere(options);
  if (kinds.length === 0 || !existsSync(file)) return false;
  try {
    const db = openDriver(file);
    try {
      const known = onlyLocalKinds(db);
      const isEmpty = (table: string) => db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).row() === undefined;
      return !hasMoved(db) && kinds.some((kind) => !known.includes(kind) && !isEmpty(tableOf[kind]));
    } finally {
      db.close();
    }
  } catch {
    return false;
  }
}

/** Notes that the content was brought along. */
export function markForgotten(file: string, options: DatabasesOptions): void {
  const db = openDriver(file);
  markOnlyLocal(db, kindsElsewhere(options));
  db.close();
}
