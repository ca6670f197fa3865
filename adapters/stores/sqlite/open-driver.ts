/** Opens a database file with `node:sqlite` where Node has it without a flag, else with `libsql`, which needs no compiler either. */
import { existsSync } from 'node:fs';
import { Failure } from '../../../core/errors.ts';
import type { SqliteDriver, SqliteStatement, SqlValue } from './driver.ts';

/** `prefer` is for tests that run both. */
export function openDriver(file: string, prefer?: SqliteDriver['package']): SqliteDriver {
  const builtIn = prefer === 'libsql' ? undefined : nodeSqlite();
  if (builtIn !== undefined) return overNode(new builtIn.DatabaseSync(file));
  return overLibsql(new (libsql())(file));
}

/** Does this Node have its own SQLite? */
export function hasNodeSqlite(): boolean {
  return nodeSqlite() !== undefined;
}

// Node 22.13 and newer have it unflagged; asking for it earlier would only print a warning and fail.
function nodeSqlite(): any {
  const get = (process as any).getBuiltinModule as ((name: string) => any) | undefined;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (get === undefined || major < 22 || (major === 22 && minor < 13)) return undefined;
  return quietly(() => get('node:sqlite'));
}

// The module is stable enough for what is used here; its experimental warning would greet every start.
function quietly<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = ((warning: unknown, ...rest: unknown[]) => {
    if (!String(warning).includes('SQLite')) (emitWarning as any)(warning, ...rest);
  }) as typeof process.emitWarning;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

export function libsql(): any {
  try {
    return withKnownLibc(() => process.getBuiltinModule('node:module').createRequire(import.meta.url)('libsql'));
  } catch (cause) {
    throw new Failure(
      'SERVICE_UNAVAILABLE',
      "svc: 'libsql' is needed for the SQLite store on this version of Node; run npm install libsql",
      { cause },
    );
  }
}

// Loaders of programs, by which a system with one C library is told from one with the other.
const loaders: Readonly<Record<string, { readonly glibc: string; readonly musl: string }>> = {
  'linux-x64': { glibc: '/lib64/ld-linux-x86-64.so.2', musl: '/lib/ld-musl-x86_64.so.1' },
  'linux-arm64': { glibc: '/lib/ld-linux-aarch64.so.1', musl: '/lib/ld-musl-aarch64.so.1' },
};

// The package asks for a report on the whole process to know that, which takes longer than half of its loading.
function withKnownLibc<T>(load: () => T): T {
  const { report, platform, arch } = process;
  const loader = loaders[`${platform}-${arch}`];
  if (loader === undefined || !existsSync(loader.glibc) || existsSync(loader.musl)) return load();
  const { getReport } = report;
  report.getReport = () => ({ header: { glibcVersionRuntime: '' } });
  try {
    return load();
  } finally {
    report.getReport = getReport;
  }
}

function overNode(db: any): SqliteDriver {
  return {
    package: 'node:sqlite',
    exec: (sql) => db.exec(sql),
    prepare(sql): SqliteStatement {
      const statement = db.prepare(sql);
      return {
        value(...params: SqlValue[]) {
          const row = statement.get(...params);
          for (const name in row) return row[name];
          return null;
        },
        row: (...params: SqlValue[]) => statement.get(...params),
        rows: (...params: SqlValue[]) => statement.all(...params),
        run: (...params: SqlValue[]) => Number(statement.run(...params).changes),
      };
    },
    close: () => db.close(),
  };
}

function overLibsql(db: any): SqliteDriver {
  return {
    package: 'libsql',
    exec: (sql) => db.exec(sql),
    prepare(sql): SqliteStatement {
      const statement = db.prepare(sql);
      let raw: any;
      return {
        // Rows as arrays cost half of rows as objects.
        value(...params: SqlValue[]) {
          raw ??= db.prepare(sql).raw();
          const row = raw.get(params);
          return row === undefined ? null : row[0];
        },
        row: (...params: SqlValue[]) => statement.get(params),
        rows: (...params: SqlValue[]) => statement.all(params),
        run: (...params: SqlValue[]) => statement.run(params).changes,
      };
    },
    close: () => db.close(),
  };
}
