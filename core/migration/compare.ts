/** Both sides of a migration, row by row. */
import { createHash } from 'node:crypto';
import type { MigrationTarget, SourceMoment } from './ports.ts';
import { compareKeys, keyOf, type MigrationTable, type Row } from './tables.ts';

export interface Compared {
  readonly rows: number;
  /** SHA-256 over the rows in order, the same on both sides. */
  readonly digest: string;
}

/** Error of a migration: the two sides are not equal. */
export class UnequalError extends Error {
  constructor(table: MigrationTable, rows: readonly Row[], how: string) {
    const some = rows.slice(0, 3).map((row) => JSON.stringify(keyOf(table, row)));
    const more = rows.length > some.length ? ' and others' : '';
    super(`${table.shown}: ${how}${some.length === 0 ? '' : `: ${some.join(', ')}${more}`}`);
    this.name = 'UnequalError';
  }
}

const pageLength = 1000;

/** Looks through all rows of a table. @throws UnequalError */
export async function compareAll(
  table: MigrationTable,
  moment: SourceMoment,
  target: MigrationTarget,
  tell: (rows: number) => void = () => {},
): Promise<Compared> {
  const hash = createHash('sha256');
  let rows = 0;
  let after: Row | undefined;
  let mine: readonly Row[] = [];
  let at = 0;
  const next = (): Row | undefined => {
    if (at === mine.length) {
      mine = moment.page(table, after, pageLength);
      at = 0;
    }
    const row = mine[at++];
    if (row !== undefined) after = keyOf(table, row);
    return row;
  };
  for await (const page of target.scan(table)) {
    for (const theirs of page) {
      const ours = next();
      const order = ours === undefined ? 1 : compareKeys(keyOf(table, ours), keyOf(table, theirs));
      if (order > 0) throw new UnequalError(table, [theirs], 'more in the new store than in the old one');
      if (order < 0) throw new UnequalError(table, [ours!], 'missing in the new store');
      const text = JSON.stringify(ours);
      if (text !== JSON.stringify(theirs)) throw new UnequalError(table, [theirs], 'not the same in both stores');
      hash.update(text).update('\n');
      rows++;
    }
    tell(rows);
  }
  const rest = next();
  if (rest !== undefined) throw new UnequalError(table, [rest], 'missing in the new store');
  return { rows, digest: hash.digest('hex') };
}

/** Looks at the rows with these keys, and at the number of all. @throws UnequalError */
export async function compareSome(
  table: MigrationTable,
  keys: readonly Row[],
  moment: SourceMoment,
  target: MigrationTarget,
): Promise<void> {
  for (let i = 0; i < keys.length; i += pageLength) {
    const some = keys.slice(i, i + pageLength);
    const here = byKey(table, moment.rows(table, some));
    const there = byKey(table, await target.rows(table, some));
    const differ = some.filter((key) => here.get(JSON.stringify(key)) !== there.get(JSON.stringify(key)));
    if (differ.length > 0) throw new UnequalError(table, differ, 'not the same in both stores');
  }
  const [ours, theirs] = [moment.count(table), await target.count(table)];
  if (ours !== theirs) throw new UnequalError(table, [], `${ours} in the old store, ${theirs} in the new one`);
}

function byKey(table: MigrationTable, rows: readonly Row[]): Map<string, string> {
  return new Map(rows.map((row) => [JSON.stringify(keyOf(table, row)), JSON.stringify(row)]));
}
