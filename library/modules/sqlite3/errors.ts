/** Errors of module `sqlite3`. */
import { Exception, nameException } from '../../values/objects/exceptions.ts';

class SqlWarning extends Exception {}
class SqlError extends Exception {
  sqlite_errorcode: number | undefined;
  sqlite_errorname: string | undefined;
}
class InterfaceError extends SqlError {}
class DatabaseError extends SqlError {}
class DataError extends DatabaseError {}
export class OperationalError extends DatabaseError {}
class IntegrityError extends DatabaseError {}
export class InternalError extends DatabaseError {}
export class ProgrammingError extends DatabaseError {}
class NotSupportedError extends DatabaseError {}

export const sqliteErrors = {
  Warning: SqlWarning,
  Error: SqlError,
  InterfaceError,
  DatabaseError,
  DataError,
  OperationalError,
  IntegrityError,
  InternalError,
  ProgrammingError,
  NotSupportedError,
};
for (const [name, error] of Object.entries(sqliteErrors)) nameException(error, name, 'sqlite3');

const kinds: readonly (readonly [RegExp, typeof SqlError])[] = [
  [/^SQLITE_(CONSTRAINT|MISMATCH)/, IntegrityError],
  [/^SQLITE_(NOTFOUND|INTERNAL)/, InternalError],
  [/^SQLITE_(TOOBIG)/, DataError],
  [/^SQLITE_(MISUSE|RANGE)/, InterfaceError],
  [/^SQLITE_(CORRUPT|NOTADB|FORMAT)/, DatabaseError],
];

/** Runs what the driver does; its errors come out as those of the module. */
export function guarded<T>(run: () => T): T {
  try {
    return run();
  } catch (error: any) {
    if (/^ConnectionFailed/.test(error?.message)) throw new OperationalError('unable to open database file');
    if (typeof error?.code !== 'string' || !error.code.startsWith('SQLITE')) throw error;
    const kind = kinds.find(([pattern]) => pattern.test(error.code))?.[1] ?? OperationalError;
    const made = new kind(error.message);
    made.sqlite_errorcode = error.rawCode;
    made.sqlite_errorname = error.code;
    throw made;
  }
}
