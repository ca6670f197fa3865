/**
 * From what a commit changed to the runs that read it: time in proportion to what changed and who is concerned, never to the
 * number of runs.
 */
import type { Key } from '../memory/rows.ts';
import type { Changed } from '../memory/store.ts';
import type { LiveReads } from './live-reads.ts';
import type { Notice } from './notice.ts';

/** A run in the index, with what it read the last time. */
export interface Reader {
  reads: LiveReads;
}

export interface ReadIndex<R extends Reader> {
  /** Takes over what a run has read now, in place of what it read before. */
  renew(reader: R, reads: LiveReads): void;
  remove(reader: R): void;
  /** Gives each reader that a notice concerns, some more than once. */
  concerned(notice: Notice, tell: (reader: R) => void): void;
}

export function createReadIndex<R extends Reader>(): ReadIndex<R> {
  const nodes = new Table<Key, R>();
  const edges = new Table<Key, R>();
  const listed = new Table<Key, R>();
  const types = new Table<number, R>();
  const kept = new Table<string, R>();
  const withRoots = new Set<R>();
  const missing = new Set<R>();

  function remove(reader: R): void {
    const { reads } = reader;
    for (const key of reads.nodes.keys()) nodes.remove(key, reader);
    for (const key of reads.edges.keys()) edges.remove(key, reader);
    for (const key of reads.listed.keys()) listed.remove(key, reader);
    for (const type of reads.types) types.remove(type, reader);
    for (const name of reads.kept) kept.remove(name, reader);
    withRoots.delete(reader);
    missing.delete(reader);
  }

  return {
    remove,
    renew(reader, reads) {
      const before = reader.reads;
      reader.reads = reads;
      nodes.renew(reader, before.nodes, reads.nodes);
      edges.renew(reader, before.edges, reads.edges);
      listed.renew(reader, before.listed, reads.listed);
      for (const type of before.types) types.remove(type, reader);
      for (const type of reads.types) types.add(type, reader);
      for (const name of before.kept) kept.remove(name, reader);
      for (const name of reads.kept) kept.add(name, reader);
      if (reads.roots === undefined) withRoots.delete(reader);
      else withRoots.add(reader);
      if (reads.missed) missing.add(reader);
      else missing.delete(reader);
    },
    concerned(notice, tell) {
      nodes.later(notice.revs, ({ reads }) => reads.nodes, tell);
      edges.later(notice.edgeRevs, ({ reads }) => reads.edges, tell);
      listed.later(notice.topos, ({ reads }) => reads.listed, tell);
      if (notice.touched.includes(-1)) types.all(tell);
      else for (const type of notice.touched) types.at(type, tell);
      for (const name of notice.kept) kept.at(name, tell);
      if (notice.hasRoots) for (const reader of withRoots) tell(reader);
      if (notice.touched.length > 0) for (const reader of missing) tell(reader);
    },
  };
}

/** Tells whether a notice concerns these reads. */
export function isConcerned(reads: LiveReads, notice: Notice): boolean {
  const isLater = (seen: ReadonlyMap<Key, number>) => (change: Changed) => {
    const version = seen.get(change.key);
    return version !== undefined && version < change.version;
  };
  return (
    notice.revs.some(isLater(reads.nodes)) ||
    notice.edgeRevs.some(isLater(reads.edges)) ||
    notice.topos.some(isLater(reads.listed)) ||
    (reads.types.length > 0 && notice.touched.some((type) => type === -1 || reads.types.includes(type))) ||
    notice.kept.some((name) => reads.kept.includes(name)) ||
    (notice.hasRoots && reads.roots !== undefined) ||
    (reads.missed && notice.touched.length > 0)
  );
}

class Table<K, R> {
  /** Most keys have one reader, which then stands for itself: a set takes more than all else that is kept of a record. */
  private readonly readers = new Map<K, R | Set<R>>();

  add(key: K, reader: R): void {
    const known = this.readers.get(key);
    if (known === undefined) this.readers.set(key, reader);
    else if (known instanceof Set) known.add(reader);
    else if (known !== reader) this.readers.set(key, new Set([known, reader]));
  }

  remove(key: K, reader: R): void {
    const known = this.readers.get(key);
    if (known === reader) this.readers.delete(key);
    else if (known instanceof Set && known.delete(reader) && known.size === 0) this.readers.delete(key);
  }

  /** Most runs read again what they read before: only the difference is touched. */
  renew(reader: R, before: ReadonlyMap<K, unknown>, now: ReadonlyMap<K, unknown>): void {
    for (const key of before.keys()) if (!now.has(key)) this.remove(key, reader);
    for (const key of now.keys()) if (!before.has(key)) this.add(key, reader);
  }

  at(key: K, tell: (reader: R) => void): void {
    const known = this.readers.get(key);
    if (known instanceof Set) for (const reader of known) tell(reader);
    else if (known !== undefined) tell(known);
  }

  all(tell: (reader: R) => void): void {
    for (const key of this.readers.keys()) this.at(key, tell);
  }

  later(
    changes: readonly (Changed & { readonly key: K & Key })[],
    seen: (reader: R) => ReadonlyMap<Key, number>,
    tell: (reader: R) => void,
  ): void {
    for (const { key, version } of changes)
      this.at(key, (reader) => {
        if (seen(reader).get(key)! < version) tell(reader);
      });
  }
}
