/** Module `sqlite3`: databases in files or in memory. Calls return when the database has answered. */

import { existsSync } from 'node:fs';
import { functions, type Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { refuseInReplay } from '../../outside.ts';
import { std } from '../../registry.ts';
import { call } from '../../values/calls/calls.ts';
import { Dict } from '../../values/containers/dict.ts';
import { itemsOf, iter } from '../../values/containers/iteration.ts';
import { getitem } from '../../values/containers/subscripts.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { bare, boxed, Float } from '../../values/numbers/float-box.ts';
import { requireSize } from '../../values/numbers/index-value.ts';
import { OverflowError, StopIteration, TypeError } from '../../values/objects/exceptions.ts';
import { strOf } from '../../values/objects/repr.ts';
import { typeName } from '../../values/objects/type-name.ts';
import { typeOf } from '../../values/objects/types.ts';
import { Bytes, bytesOf } from '../../values/text/bytes.ts';
import { guarded, OperationalError, ProgrammingError, sqliteErrors } from './errors.ts';
import { openSql, type SqlDatabase, type SqlStatement } from './port.ts';
import { SqlRow } from './row.ts';
import { isComplete, readSql } from './sql-text.ts';

const PARSE_DECLTYPES = 1;
const PARSE_COLNAMES = 2;
const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'REPLACE']);
const asking = new Set(['SELECT', 'VALUES', 'EXPLAIN']);

/** Functions of the program that turn its values into those of a database, and back by the name of a column's type. */
const adapters = new Map<unknown, unknown>();
const converters = new Map<string, unknown>();

export class Connection {
  $database: SqlDatabase | undefined;
  readonly $detect: number;
  /** Nothing of it is left when the process has ended. */
  readonly $isInMemory: boolean;
  isolation_level: unknown;
  row_factory: unknown = null;
  text_factory: unknown = null;
  $changes = 0;

  constructor(database: SqlDatabase, detect: number, isolation: unknown, isInMemory: boolean) {
    this.$database = database;
    this.$isInMemory = isInMemory;
    this.$detect = detect;
    this.isolation_level = isolation;
  }

  $open(): SqlDatabase {
    if (this.$database === undefined) throw new ProgrammingError('Cannot operate on a closed database.');
    return this.$database;
  }

  /** The database for a statement that changes it, which a replay leaves as it is. @throws RuntimeError in a replay, unless it is in memory */
  $openToChange(): SqlDatabase {
    if (!this.$isInMemory) refuseInReplay('may not write');
    return this.$open();
  }

  get in_transaction(): boolean {
    return this.$open().inTransaction;
  }

  get total_changes(): number {
    return this.$changes;
  }

  cursor(factory?: unknown): Cursor {
    this.$open();
    const made: any = factory === undefined ? new Cursor(this) : call(factory, this);
    made.row_factory = this.row_factory;
    return made;
  }

  execute(sql: unknown, parameters?: unknown): Cursor {
    return this.cursor().execute(sql, parameters);
  }

  executemany(sql: unknown, rows: unknown): Cursor {
    return this.cursor().executemany(sql, rows);
  }

  executescript(script: unknown): Cursor {
    return this.cursor().executescript(script);
  }

  commit(): null {
    const database = this.$open();
    if (database.inTransaction) guarded(() => this.$openToChange().exec('COMMIT'));
    return null;
  }

  rollback(): null {
    const database = this.$open();
    if (database.inTransaction) guarded(() => this.$openToChange().exec('ROLLBACK'));
    return null;
  }

  close(): null {
    if (this.$database === undefined) return null;
    this.rollback();
    this.$database.close();
    this.$database = undefined;
    return null;
  }

  __enter__(): this {
    return this;
  }

  __exit__(type: unknown): boolean {
    if (type === null || type === undefined) this.commit();
    else this.rollback();
    return false;
  }
}
nativeClass(Connection, {
  name: 'Connection',
  module: 'sqlite3',
  params:
    'database, timeout=5.0, detect_types=0, isolation_level="", check_same_thread=True, factory=None, cached_statements=128, uri=False',
  make: (cls, file, timeout, detect, isolation) => open(cls, file, timeout, detect, isolation),
  methods: {
    cursor: 'factory=None',
    execute: 'sql, parameters=None, /',
    executemany: 'sql, parameters, /',
    executescript: 'sql_script, /',
  },
});

function open(cls: any, file: unknown, timeout: unknown, detect: unknown, isolation: unknown): unknown {
  const path = strOf(file).replace(/^file:([^?]*)(\?.*)?$/, '$1');
  const isInMemory = path === ':memory:' || path === '';
  if (!isInMemory && !existsSync(path)) refuseInReplay('may not write');
  const database = guarded(() => openSql(path, timeout === undefined ? 5 : Number(timeout)));
  if (database === undefined) throw new OperationalError('this host has no driver of SQLite');
  return new cls(
    database,
    detect === undefined ? 0 : Number(detect),
    isolation === undefined ? '' : isolation,
    isInMemory,
  );
}

export class Cursor {
  readonly connection: Connection;
  description: Tuple | null = null;
  rowcount = -1;
  lastrowid: number | null = null;
  arraysize = 1;
  row_factory: unknown = null;
  $columns: readonly string[] = [];
  $rows: readonly unknown[][] = [];
  $next = 0;
  $read: readonly ((value: unknown) => unknown)[] = [];
  $closed = false;

  constructor(connection: Connection) {
    if (!(connection instanceof Connection)) throw new TypeError('argument 1 must be sqlite3.Connection');
    this.connection = connection;
  }

  $open(): SqlDatabase {
    if (this.$closed) throw new ProgrammingError('Cannot operate on a closed cursor.');
    return this.connection.$open();
  }

  execute(sql: unknown, parameters?: unknown): this {
    this.$run(sql, [parameters ?? new Tuple([])], false);
    return this;
  }

  executemany(sql: unknown, rows: unknown): this {
    this.$run(sql, iter(rows) as Iterable<unknown>, true);
    return this;
  }

  $run(sql: unknown, rows: Iterable<unknown>, isMany: boolean): void {
    const database = this.$open();
    if (typeof sql !== 'string') throw new TypeError(`execute() argument 1 must be str, not ${typeName(sql)}`);
    const { word, parameters, more } = readSql(sql);
    if (more) throw new ProgrammingError('You can only execute one statement at a time.');
    if (isMany && !changing.has(word) && word !== 'WITH')
      throw new ProgrammingError('executemany() can only execute DML statements.');
    this.$clear();
    if (word === '') return;
    if (!asking.has(word)) this.connection.$openToChange();
    const statement = guarded(() => database.prepare(sql).safeIntegers());
    const isChange = changing.has(word);
    const begin = this.connection.isolation_level;
    if (isChange && begin !== null && !database.inTransaction) guarded(() => database.exec(`BEGIN ${begin}`));
    if (isChange) this.rowcount = 0;
    for (const row of rows) this.$once(statement, bound(parameters, row), isChange);
    if (isMany) this.$rows = [];
  }

  $once(statement: SqlStatement, values: unknown, isChange: boolean): void {
    if (statement.reader) {
      const rows = statement.raw();
      this.$rows = guarded(() => rows.all(values));
      this.$describe(statement.columns());
      if (isChange) this.rowcount += this.$rows.length;
      return;
    }
    const { changes, lastInsertRowid } = guarded(() => statement.run(values));
    if (!isChange) return;
    this.rowcount += changes;
    this.connection.$changes += changes;
    this.lastrowid = Number(lastInsertRowid);
  }

  $describe(columns: ReturnType<SqlStatement['columns']>): void {
    const detect = this.connection.$detect;
    this.$columns = columns.map(({ name }) => ((detect & PARSE_COLNAMES) === 0 ? name : name.replace(/ *\[.*\]$/, '')));
    this.description = new Tuple(this.$columns.map((name) => new Tuple([name, null, null, null, null, null, null])));
    this.$read = columns.map(({ name, type }) => {
      const written = (detect & PARSE_COLNAMES) === 0 ? undefined : /\[(.*)\]$/.exec(name)?.[1];
      const declared = (detect & PARSE_DECLTYPES) === 0 ? undefined : type?.split(/[ (]/)[0];
      const convert = converters.get((written ?? declared ?? '').toLowerCase());
      if (convert === undefined) return fromDatabase;
      return (value) => (value === null ? null : call(convert, asBytes(value)));
    });
  }

  $clear(): void {
    this.description = null;
    this.rowcount = -1;
    this.$rows = [];
    this.$next = 0;
  }

  executescript(script: unknown): this {
    const database = this.$open();
    if (typeof script !== 'string')
      throw new TypeError(`executescript() argument must be str, not ${typeName(script)}`);
    this.connection.$openToChange();
    this.connection.commit();
    this.$clear();
    guarded(() => database.exec(script));
    return this;
  }

  $row(): unknown {
    const values = this.$rows[this.$next];
    if (values === undefined) return undefined;
    this.$next += 1;
    const row = new Tuple(values.map((value, i) => this.$read[i]!(value)));
    return this.row_factory === null || this.row_factory === undefined ? row : call(this.row_factory, this, row);
  }

  fetchone(): unknown {
    this.$open();
    return this.$row() ?? null;
  }

  fetchmany(size?: unknown): unknown[] {
    this.$open();
    const wanted = size === undefined ? this.arraysize : requireSize(size);
    const rows: unknown[] = [];
    for (let row: unknown; rows.length < wanted && (row = this.$row()) !== undefined; ) rows.push(row);
    return rows;
  }

  fetchall(): unknown[] {
    return this.fetchmany(Number.MAX_SAFE_INTEGER);
  }

  close(): null {
    this.$closed = true;
    return null;
  }

  setinputsizes(): null {
    return null;
  }

  setoutputsize(): null {
    return null;
  }

  __iter__(): this {
    return this;
  }

  __next__(): unknown {
    const row = this.fetchone();
    if (row === null) throw new StopIteration();
    return row;
  }
}
nativeClass(Cursor, {
  name: 'Cursor',
  module: 'sqlite3',
  params: 'connection, /',
  methods: {
    execute: 'sql, parameters=None, /',
    executemany: 'sql, parameters, /',
    executescript: 'sql_script, /',
    fetchmany: 'size=1',
    setinputsizes: 'sizes, /',
    setoutputsize: 'size, column=None, /',
  },
});

// ---------------------------------------------------------------- values

function bound(parameters: readonly (string | undefined)[], given: unknown): unknown {
  const isNamed = given instanceof Dict || (!Array.isArray(given) && typeof (given as any)?.keys === 'function');
  if (isNamed) return byName(parameters, given);
  const values = itemsOf(given).map(toDatabase);
  if (values.length !== parameters.length)
    throw new ProgrammingError(
      `Incorrect number of bindings supplied. The current statement uses ${parameters.length}, and there are ${values.length} supplied.`,
    );
  return values;
}

function byName(parameters: readonly (string | undefined)[], given: any): unknown {
  const values: Record<string, unknown> = {};
  parameters.forEach((name, i) => {
    if (name === undefined)
      throw new ProgrammingError(`Binding ${i + 1} has no name, but you supplied a dictionary (which has only names).`);
    if (given instanceof Dict && !given.has(name) && typeof (given as any).__missing__ !== 'function')
      throw new ProgrammingError(`You did not supply a value for binding parameter :${name}.`);
    values[name] = toDatabase(getitem(given, name), i);
  });
  return values;
}

function toDatabase(value: unknown, place: number): unknown {
  if (value === null || value === undefined || typeof value === 'string') return value ?? null;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'bigint') return requireInt64(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (value instanceof Float) return bare(value);
  const data = bytesOf(value);
  if (data !== undefined) return Buffer.from(data);
  const adapt = adapters.get(typeOf(value)) ?? (value as any).__conform__;
  if (adapt !== undefined)
    return toDatabase(adapters.has(typeOf(value)) ? call(adapt, value) : (value as any).__conform__(null), place);
  const date = defaultAdapted(value);
  if (date !== undefined) return date;
  throw new ProgrammingError(`Error binding parameter ${place + 1}: type '${typeName(value)}' is not supported`);
}

function requireInt64(value: bigint): bigint {
  if (BigInt.asIntN(64, value) === value) return value;
  throw new OverflowError('Python int too large to convert to SQLite INTEGER');
}

// Dates and times are kept as text.
function defaultAdapted(value: any): string | undefined {
  const { date, datetime } = std('datetime');
  if (value instanceof datetime) return value.isoformat(' ');
  return value instanceof date ? value.isoformat() : undefined;
}

function fromDatabase(value: unknown): unknown {
  if (typeof value === 'bigint')
    return BigInt(Number(value)) === value && Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return value instanceof Uint8Array ? new Bytes(new Uint8Array(value)) : boxed(value ?? null);
}

function asBytes(value: unknown): Bytes {
  return value instanceof Uint8Array
    ? new Bytes(new Uint8Array(value))
    : new Bytes(new TextEncoder().encode(strOf(fromDatabase(value))));
}

function textOf(data: any): string {
  return new TextDecoder().decode(bytesOf(data));
}

const defaultConverters: Readonly<Record<string, (data: unknown) => unknown>> = {
  date: (data) => std('datetime').date.fromisoformat(textOf(data)),
  timestamp: (data) => std('datetime').datetime.fromisoformat(textOf(data)),
};
for (const [name, convert] of Object.entries(defaultConverters)) converters.set(name, convert);

export function makeSqlite3(): Members {
  return {
    ...sqliteErrors,
    Connection,
    Cursor,
    Row: SqlRow,
    PARSE_DECLTYPES,
    PARSE_COLNAMES,
    apilevel: '2.0',
    paramstyle: 'qmark',
    threadsafety: 1,
    version: '2.6.0',
    version_info: new Tuple([2, 6, 0]),
    get sqlite_version() {
      return versionOf();
    },
    get sqlite_version_info() {
      return new Tuple(versionOf().split('.').map(Number));
    },
    ...functions('sqlite3', {
      connect: [
        'database, timeout=5.0, detect_types=0, isolation_level="", check_same_thread=True, factory=None, cached_statements=128, uri=False',
        (file, timeout, detect, isolation, _thread, factory) =>
          open(factory ?? Connection, file, timeout, detect, isolation),
      ],
      complete_statement: ['statement', (sql: unknown) => isComplete(strOf(sql))],
      register_adapter: [
        'type, adapter, /',
        (type: unknown, adapt: unknown) => {
          adapters.set(type, adapt);
          return null;
        },
      ],
      register_converter: [
        'typename, converter, /',
        (name: string, convert: unknown) => {
          converters.set(name.toLowerCase(), convert);
          return null;
        },
      ],
    }),
  };
}

function versionOf(): string {
  const database = openSql(':memory:', 0);
  const [[version] = ['']] = database?.prepare('SELECT sqlite_version()').raw().all([]) ?? [];
  database?.close();
  return String(version);
}
