/** Databases of programs (module `sqlite3`), with `libsql`. */
import type { OpenSql } from '../../../library/modules/sqlite3/port.ts';
import { libsql } from './open-driver.ts';

export const openSqlFile: OpenSql = (file, timeoutSeconds) => new (libsql())(file, { timeout: timeoutSeconds * 1000 });
