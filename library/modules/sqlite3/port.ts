/** The database behind module `sqlite3`: hosts that can open files say with what. */

export interface SqlStatement {
  /** True when the statement gives rows. */
  readonly reader: boolean;
  raw(): SqlStatement;
  safeIntegers(): SqlStatement;
  columns(): readonly { readonly name: string; readonly type: string | null }[];
  all(parameters: unknown): unknown[][];
  run(parameters: unknown): { readonly changes: number; readonly lastInsertRowid: number };
}

export interface SqlDatabase {
  readonly inTransaction: boolean;
  prepare(sql: string): SqlStatement;
  exec(sql: string): void;
  close(): void;
}

export type OpenSql = (file: string, timeoutSeconds: number) => SqlDatabase;

let open: OpenSql | undefined;

/** Says who opens databases. */
export function setSqlDriver(driver: OpenSql): void {
  open = driver;
}

/** Opens a file, or `:memory:`; undefined where the host has no driver. */
export function openSql(file: string, timeoutSeconds: number): SqlDatabase | undefined {
  return open?.(file, timeoutSeconds);
}
