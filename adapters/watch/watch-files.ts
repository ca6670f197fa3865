import { type FSWatcher, readdirSync, type Stats, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { longestEmptyMs } from './when-written.ts';

export interface WatchOptions {
  readonly directory: string;
  /** Names of directories that are not looked into, at any depth. */
  readonly ignore: ReadonlySet<string>;
  /** Absolute paths of directories that are not looked into. */
  readonly ignorePaths?: ReadonlySet<string>;
  /** Tells whether a file counts, by its name. */
  readonly matches: (name: string) => boolean;
  readonly quietMs: number;
  /** Time from which on the files were read: what has changed since is told at once. */
  readonly since?: number;
  /** Time for which a file that is empty is taken for one that is being written, and nothing is told: 1000 ms when absent. */
  readonly emptyMs?: number;
  /** Called with the changed paths once nothing has changed for `quietMs`. */
  readonly onChange: (paths: readonly string[]) => void;
}

export interface Watcher {
  /** Paths that seem to have changed, and are not told yet. */
  pending(): readonly string[];
  close(): void;
}

/** Watches a directory tree, new directories included, until it is closed. */
export function watchFiles(options: WatchOptions): Watcher {
  const watchers = new Map<string, FSWatcher>();
  const stamps = new Map<string, string>();
  const changed = new Set<string>();
  const { since = Number.POSITIVE_INFINITY } = options;
  let timer: NodeJS.Timeout | undefined;

  function note(path: string): void {
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(settle, options.quietMs);
  }

  function settle(): void {
    timer = [...changed].some(isBeingWritten) ? setTimeout(tell, options.emptyMs ?? longestEmptyMs) : undefined;
    if (timer === undefined) tell();
  }

  function isBeingWritten(path: string): boolean {
    const now = stampOf(path);
    return isEmpty(now) && now !== stamps.get(path);
  }

  function tell(): void {
    // A file that was touched or written with the same time and size has not changed.
    const real = [...changed].filter((path) => {
      const now = stampOf(path);
      const before = stamps.get(path) ?? '';
      stamps.set(path, now);
      return now !== before;
    });
    changed.clear();
    if (real.length > 0) options.onChange(real);
  }

  function add(directory: string, isNew: boolean): void {
    if (watchers.has(directory) || options.ignorePaths?.has(directory)) return;
    let watcher: FSWatcher;
    try {
      watcher = watch(directory, (_event, name) => {
        if (name !== null) look(directory, name);
      }).on('error', () => forget(directory));
    } catch {
      return;
    }
    watchers.set(directory, watcher);
    for (const entry of entriesOf(directory)) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) {
        if (!options.ignore.has(entry.name)) add(path, isNew);
      } else if (options.matches(entry.name)) {
        if (isNew || (statOf(path)?.ctimeMs ?? 0) >= since) note(path);
        else stamps.set(path, stampOf(path));
      }
    }
  }

  function look(directory: string, name: string): void {
    const path = join(directory, name);
    if (options.matches(name)) note(path);
    const found = statOf(path);
    if (found?.isDirectory()) {
      if (!options.ignore.has(name)) add(path, true);
    } else if (found === undefined && watchers.has(path)) {
      forget(path);
      for (const known of stamps.keys()) if (known.startsWith(`${path}/`)) note(known);
    }
  }

  function forget(directory: string): void {
    watchers.get(directory)?.close();
    watchers.delete(directory);
  }

  add(options.directory, false);
  return {
    pending: () => [...changed],
    close() {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isEmpty(stamp: string): boolean {
  return stamp.split(':')[1] === '0';
}

/** Undefined for what is not there, or cannot be looked at: a folder on the way may be a file by now. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function stampOf(path: string): string {
  const found = statOf(path);
  return found === undefined ? '' : `${found.mtimeMs}:${found.size}:${found.ino}`;
}
