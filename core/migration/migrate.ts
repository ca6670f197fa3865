/**
 * A store into another one while its application runs (decisions/0735): a copy, what has changed since, a look at every
 * row of both, and a short time in which nobody writes. What broke off goes on where it was.
 */
import { compareAll, compareSome } from './compare.ts';
import type { MigrationEvents, MigrationSource, MigrationTarget, Position, Progress, SourceMoment } from './ports.ts';
import { keyOf, migrationTables, type Row } from './tables.ts';

export type Migrated =
  /** Milliseconds without writes. */
  { readonly is: 'moved'; readonly frozenMs: number } | { readonly is: 'full' | 'another' };

export interface MigrationJob {
  readonly source: MigrationSource;
  readonly target: MigrationTarget;
  /** Name of the target, which the source keeps. */
  readonly to: string;
  readonly events: MigrationEvents;
  readonly nowMs: () => number;
}

const pageLength = 2000;
/** Changed rows that are few enough to be copied while nobody writes. */
const fewChanges = 2000;
const mostRounds = 50;
/** Milliseconds after which writes are taken again, should this process end meanwhile. */
const frozenMs = 30_000;

/** @throws UnequalError when the sides differ: the source goes on as if nothing had been tried */
export async function migrate(job: MigrationJob): Promise<Migrated> {
  const { source, target, to, events, nowMs } = job;
  const begun = await target.begin(source.id, source.settings());
  if (begun === 'full' || begun === 'another') return { is: begun };
  if (source.movedTo() !== undefined) {
    if (begun === 'goes on') await target.finish(source.settings());
    return { is: 'moved', frozenMs: 0 };
  }
  const isNew = source.follow();
  const known = isNew ? undefined : await target.progress();
  if (known !== undefined) events.resumed();
  let position = await copy(job, known);
  position = await catchUp(job, position);
  position = await compare(job, position);
  const checked = position;
  position = await catchUp(job, position);
  const from = nowMs();
  source.freeze(frozenMs);
  events.frozen();
  try {
    const moment = source.moment();
    try {
      await apply(job, moment, position);
      for (const table of migrationTables) await compareSome(table, moment.changed(table, checked), moment, target);
      source.give(to, moment.position);
    } finally {
      moment.end();
    }
  } catch (error) {
    source.thaw();
    throw error;
  }
  await target.finish(source.settings());
  return { is: 'moved', frozenMs: nowMs() - from };
}

/** Gives the position from which changes have to be looked at. */
async function copy({ source, target, events }: MigrationJob, known: Progress | undefined): Promise<Position> {
  const moment = source.moment();
  try {
    const { position, table: first, after: begin } = known ?? { position: moment.position, table: 0, after: undefined };
    if (known === undefined) await target.note({ position, table: 0, after: undefined });
    const counts = migrationTables.map((table) => moment.count(table));
    const all = sum(counts);
    let done = sum(counts.slice(0, first));
    for (const [i, table] of migrationTables.entries()) {
      if (i < first) continue;
      for (let after = i === first ? begin : undefined; ; ) {
        const rows = moment.page(table, after, pageLength);
        if (rows.length === 0) break;
        after = keyOf(table, rows.at(-1)!);
        await target.put(table, rows, { position, table: i, after });
        done += rows.length;
        events.copied(Math.min(done, all), all);
      }
    }
    await target.note({ position, table: migrationTables.length, after: undefined });
    return position;
  } finally {
    moment.end();
  }
}

/** Copies what has changed, until little changes while it does. */
async function catchUp(job: MigrationJob, since: Position): Promise<Position> {
  let position = since;
  for (let round = 0; round < mostRounds; round++) {
    const moment = job.source.moment();
    try {
      const count = await apply(job, moment, position);
      position = moment.position;
      await job.target.note({ position, table: migrationTables.length, after: undefined });
      if (count <= fewChanges) break;
    } finally {
      moment.end();
    }
  }
  return position;
}

/** Brings the target to a moment; gives the number of rows that had changed. */
async function apply({ target }: MigrationJob, moment: SourceMoment, since: Position): Promise<number> {
  if (moment.position === since) return 0;
  let count = 0;
  const late: (() => Promise<void>)[] = [];
  for (const table of migrationTables) {
    const keys = moment.changed(table, since);
    count += keys.length;
    for (let i = 0; i < keys.length; i += pageLength) {
      const some = keys.slice(i, i + pageLength);
      const rows = moment.rows(table, some);
      const there = new Set(rows.map((row) => JSON.stringify(keyOf(table, row))));
      const gone = some.filter((key: Row) => !there.has(JSON.stringify(key)));
      // A name that moves from one record to another one is free before it is taken.
      if (gone.length > 0) await target.remove(table, gone);
      if (rows.length > 0) late.push(() => target.put(table, rows));
    }
  }
  for (const put of late) await put();
  return count;
}

/** Looks at every row of both sides as they are at one moment; gives its position. */
async function compare(job: MigrationJob, since: Position): Promise<Position> {
  const { source, target, events } = job;
  const moment = source.moment();
  try {
    await apply(job, moment, since);
    const all = sum(migrationTables.map((table) => moment.count(table)));
    let done = 0;
    for (const table of migrationTables) {
      const { rows, digest } = await compareAll(table, moment, target, (count) => events.compared(done + count, all));
      done += rows;
      events.equal(table.shown, rows, digest);
    }
    return moment.position;
  } finally {
    moment.end();
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
