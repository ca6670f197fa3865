/** Notices of commits: which records and lists of links changed (docs/server/live.md#several-processes). */
import type { Key } from '../memory/rows.ts';
import { type Changed, GONE, type LogEntry } from '../memory/store.ts';

export interface Notice {
  readonly revs: readonly Changed[];
  readonly edgeRevs: readonly Changed[];
  readonly topos: readonly Changed[];
  readonly hasRoots: boolean;
  /** See `LogEntry`; -1 when they are not known. */
  readonly touched: readonly number[];
  /** Keys and collections of `kvstore` that were written. */
  readonly kept: readonly string[];
}

/**
 * `countsLinks`: the versions of lists of links are right, which they are where one process alone writes. Else two commits of
 * different processes may have been given the same one, and each concerns whoever listed the links.
 */
export function noticeOf(entry: LogEntry, countsLinks: boolean): Notice {
  const { revs, edgeRevs, topos, roots, touched } = entry;
  return {
    revs,
    edgeRevs,
    topos: countsLinks ? topos : topos.map(({ key }) => ({ key, version: GONE })),
    hasRoots: roots !== undefined,
    touched: touched ?? unknown,
    kept: noNames,
  };
}

export function noticeOfKept(kept: readonly string[]): Notice {
  return { revs: none, edgeRevs: none, topos: none, hasRoots: false, touched: noTypes, kept };
}

const none: readonly Changed[] = [];
const noNames: readonly string[] = [];
const noTypes: readonly number[] = [];
const unknown: readonly number[] = [-1];

/** Version of a removed record is null, as JSON has no infinity. */
type Pair = readonly [Key, number | null];
type Sent = readonly [readonly Pair[], readonly Pair[], readonly Key[], 0 | 1, readonly number[], readonly string[]];

/** The notices of one turn as one JSON value for other processes. */
export function packNotices(notices: readonly Notice[]): unknown {
  return notices.map(
    ({ revs, edgeRevs, topos, hasRoots, touched, kept }): Sent => [
      revs.map(pair),
      edgeRevs.map(pair),
      topos.map(({ key }) => key),
      hasRoots ? 1 : 0,
      touched,
      kept,
    ],
  );
}

export function unpackNotices(packed: unknown): readonly Notice[] {
  return (packed as readonly Sent[]).map(([revs, edgeRevs, topos, roots, touched, kept]) => ({
    revs: revs.map(changed),
    edgeRevs: edgeRevs.map(changed),
    topos: topos.map((key) => ({ key, version: GONE })),
    hasRoots: roots === 1,
    touched,
    kept,
  }));
}

function pair({ key, version }: Changed): Pair {
  return [key, version === GONE ? null : version];
}

function changed([key, version]: Pair): Changed {
  return { key, version: version ?? GONE };
}
