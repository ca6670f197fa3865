/**
 * Log of the latest commits of this process. Answers "has anything I read changed?" without a query (docs/server/storage.md#units):
 * the log is walked from where the unit began, so a unit that nobody interfered with pays nothing.
 */
import type { Key } from './rows.ts';
import type { Changed, CommitLog, LogEntry, ReadSet } from './store.ts';

const keep = 4096;

export function createCommitLog(): CommitLog {
  let entries: LogEntry[] = [];
  let first = 0; // position of entries[0]
  const log: CommitLog = {
    get position() {
      return first + entries.length;
    },
    append(entry) {
      entries.push(entry);
      if (entries.length > keep * 2) {
        entries = entries.slice(keep);
        first += keep;
      }
      log.follower?.appended();
    },
    truncate(position) {
      entries.length = Math.max(0, position - first);
    },
    changed(reads) {
      if (reads.since < first) return undefined;
      if (reads.since === first + entries.length) return none;
      for (let i = reads.since - first; i < entries.length; i++)
        if (mayConcern(entries[i]!, reads)) return compare(entries.slice(reads.since - first), reads);
      return none;
    },
    follower: undefined,
    after: (position) => (position < first ? undefined : entries.slice(position - first)),
  };
  return log;
}

const none: readonly Key[] = [];

// Most units of others touch nothing this one has seen; then its lists need not be made.
function mayConcern(entry: LogEntry, reads: ReadSet): boolean {
  if (entry.roots !== undefined && reads.roots !== undefined) return true;
  for (const { key } of entry.topos) if (reads.mayHoldNode(key)) return true;
  for (const { key } of entry.revs) if (reads.mayHoldNode(key)) return true;
  for (const { key } of entry.edgeRevs) if (reads.mayHoldEdge(key)) return true;
  return concernsSearch(entry, reads);
}

function concernsSearch(entry: LogEntry, reads: ReadSet): boolean {
  return reads.searched.length > 0 && reads.searched.some((type) => entry.types.includes(type));
}

function compare(later: readonly LogEntry[], reads: ReadSet): Key[] {
  const changed = new Set<Key>();
  const revs = new Map(reads.nodes.map((read) => [read.key, read.rev]));
  const edgeRevs = new Map(reads.edges.map((read) => [read.key, read.rev]));
  const topos = new Map(reads.listed.map((read) => [read.key, read.topo]));
  for (const entry of later) {
    newer(revs, entry.revs, (key) => changed.add(key));
    newer(topos, entry.topos, (key) => changed.add(key));
    newer(edgeRevs, entry.edgeRevs, (key) => changed.add(edgeName(key)));
    if (reads.roots !== undefined && entry.roots !== undefined && entry.roots > reads.roots) changed.add('roots');
    if (concernsSearch(entry, reads)) for (const { key } of entry.revs) changed.add(key);
  }
  return [...changed];
}

function newer(seen: ReadonlyMap<Key, number>, now: readonly Changed[], tell: (key: Key) => void): void {
  if (seen.size === 0) return;
  for (const { key, version } of now) {
    const known = seen.get(key);
    if (known !== undefined && known < version) tell(key);
  }
}

/** Edges and nodes may have the same key; conflicts tell them apart. */
export function edgeName(key: Key): string {
  return `e${key}`;
}
