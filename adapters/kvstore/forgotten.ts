/** Content of the embedded database that programs no longer find: what they keep has an address now (decisions/0800). */
import { existsSync } from 'node:fs';
import { openDriver } from '../stores/sqlite/open-driver.ts';
import { markOnlyLocal, onlyLocalKinds } from './embedded/database.ts';
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
      const count = (text: string) => db.prepare(`SELECT count(*) AS v FROM (${text} LIMIT 1)`).value() as number;
      const hasMoved =
        count("SELECT 1 FROM sqlite_master WHERE name = 'migration_state'") === 1 &&
        count("SELECT 1 FROM migration_state WHERE key = 'moved'") === 1;
      return !hasMoved && kinds.some((kind) => !known.includes(kind) && count(`SELECT 1 FROM ${tableOf[kind]}`) === 1);
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
