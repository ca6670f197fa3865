/**
 * Rows that a transaction adds, many to a statement: a call of the driver costs as much as the row it writes. Rows wait
 * until a statement is full, until somebody has to read them, or until the end of the transaction.
 */
import type { SqliteDriver, SqliteStatement, SqlValue } from './driver.ts';

export interface AddedRows {
  /** `id, uid, type, owner, topo, created_at, updated_at, access, data` */
  readonly node: (...values: SqlValue[]) => void;
  /** `src, etype, ntype, eid, far, x` */
  readonly adj: (...values: SqlValue[]) => void;
  readonly radj: (...values: SqlValue[]) => void;
  /** A node gained or lost `count` edges. */
  readonly countEdges: (node: number, count: number) => void;
  /** Writes what waits. Afterwards every statement sees it. */
  flush(): void;
  /** The transaction was undone. */
  clear(): void;
}

export function createAddedRows(db: SqliteDriver): AddedRows {
  const node = new Batch(
    db,
    9,
    (rows) =>
      `INSERT INTO node (id, uid, type, owner, rev, topo, created_at, updated_at, access, data) VALUES ${repeat('(?, ?, ?, ?, 1, ?, ?, ?, ?, ?)', rows)}`,
  );
  const linksOf = (table: 'adj' | 'radj') =>
    new Batch(
      db,
      6,
      (rows) => `INSERT INTO ${table} (src, etype, ntype, eid, far, x) VALUES ${repeat('(?, ?, ?, ?, ?, ?)', rows)}`,
    );
  const [adj, radj] = [linksOf('adj'), linksOf('radj')];
  const counts = new Map<number, number>();
  const addOne = new Batch(db, 1, (rows) => `UPDATE node SET topo = topo + 1 WHERE id IN (${repeat('?', rows)})`);
  const addMany = db.prepare('UPDATE node SET topo = topo + ? WHERE id = ?');
  return {
    node: (...values) => node.add(values),
    adj: (...values) => adj.add(values),
    radj: (...values) => radj.add(values),
    countEdges(node, count) {
      counts.set(node, (counts.get(node) ?? 0) + count);
    },
    flush() {
      node.flush();
      adj.flush();
      radj.flush();
      if (counts.size === 0) return;
      for (const [node, count] of counts) {
        if (count === 1) addOne.add([node]);
        else addMany.run(count, node);
      }
      addOne.flush();
      counts.clear();
    },
    clear() {
      for (const batch of [node, adj, radj, addOne]) batch.clear();
      counts.clear();
    },
  };
}

/**
 * Numbers of rows a statement may have, so that few statements are prepared and any number of rows takes few of them.
 */
const sizes = [32, 16, 8, 4, 2, 1];
const largest = sizes[0]!;

/** Rows for one kind of statement. */
class Batch {
  private values: SqlValue[] = [];
  private readonly statements = new Map<number, SqliteStatement>();
  private readonly db: SqliteDriver;
  private readonly width: number;
  private readonly textOf: (rows: number) => string;

  constructor(db: SqliteDriver, width: number, textOf: (rows: number) => string) {
    this.db = db;
    this.width = width;
    this.textOf = textOf;
  }

  add(values: readonly SqlValue[]): void {
    this.values.push(...values);
    if (this.values.length === largest * this.width) this.flush();
  }

  flush(): void {
    const { values, width } = this;
    if (values.length === 0) return;
    let from = 0;
    for (const rows of sizes) {
      while (values.length - from >= rows * width) {
        this.statement(rows).run(...values.slice(from, (from += rows * width)));
      }
    }
    this.values = [];
  }

  clear(): void {
    this.values = [];
  }

  private statement(rows: number): SqliteStatement {
    let statement = this.statements.get(rows);
    if (statement === undefined) this.statements.set(rows, (statement = this.db.prepare(this.textOf(rows))));
    return statement;
  }
}

function repeat(part: string, times: number): string {
  return Array(times).fill(part).join(', ');
}
