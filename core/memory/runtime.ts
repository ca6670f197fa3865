/** Runtime that all units of one application share: settings, and ports to the outside. */
import { type ClassTable, liveClasses } from '../../library/classes/registry.ts';
import type { ByllmConfig } from '../config/config.ts';
import { environmentFiles, type FileDesk } from '../files/file-desk.ts';
import type { Databases } from '../kvstore/databases.ts';
import type { Meters } from '../metrics/meters.ts';
import type { Topics } from '../topics/topics.ts';
import type { Compatibility } from './compatibility.ts';
import { createLeases, type Leases } from './leases.ts';
import { createRowCache, type RowCache } from './row-cache.ts';
import type { Key } from './rows.ts';
import type { GraphStore } from './store.ts';
import { createTurns, type Turns } from './turns.ts';
import { createTypeBindings, type TypeBindings } from './type-bindings.ts';

/** Settings of the runtime, read by each unit, so a reload of the configuration applies at once. */
export interface RuntimeSettings {
  readonly isolation: 'serializable' | 'merge';
  readonly onConflict: 'retry' | 'fail';
  readonly conflictMaxAttempts: number;
  readonly conflictBackoffMs: number;
  readonly conflictLeaseMs: number;
  readonly onDenied: 'error' | 'warn';
  readonly traverseRequires: 'read' | 'connect';
  readonly maxCommitOperations: number;
  readonly nodeMaxBytes: number;
}

const defaultSettings: RuntimeSettings = {
  isolation: 'serializable',
  onConflict: 'retry',
  conflictMaxAttempts: 10,
  conflictBackoffMs: 10,
  conflictLeaseMs: 5000,
  onDenied: 'error',
  traverseRequires: 'read',
  maxCommitOperations: 10_000,
  nodeMaxBytes: 1_048_576,
};

export interface Runtime {
  readonly store: GraphStore;
  readonly rows: RowCache;
  readonly types: TypeBindings;
  readonly turns: Turns;
  /** Undefined where no other process shares the store. */
  readonly leases: Leases | undefined;
  readonly settings: () => RuntimeSettings;
  readonly compatibility: Compatibility;
  /** Settings of models; undefined: the environment decides. Read anew for each call. */
  readonly models: (() => ByllmConfig) | undefined;
  /** Desk that opens the storages which `store()` gives. */
  readonly files: FileDesk;
  /** Databases that `kvstore` reaches; undefined where there are none. */
  readonly databases: Databases | undefined;
  /** Topics that programs publish to; undefined where nobody can hear any, `none` on hosts that should have them and do not. */
  readonly topics: Topics | 'none' | undefined;
  /** `svc run` shows reports on standard output. */
  readonly echo: ((value: unknown) => void) | undefined;
  /** `root.shared` is the caller's own root (`svc run`, scripts, tests). */
  readonly sharedIsOwn: boolean;
  readonly warn: (message: string, fields: Record<string, unknown>) => void;
  /** Counts commits, conflicts and what is remembered; undefined when nothing is collected. */
  readonly meters: Meters | undefined;
  /** Before a unit reads: rows that somebody else changed are forgotten. `foreign` counts changes by other processes. */
  catchUp(foreign: number): void;
  /** Records that were found undecodable, as conflicts name them, with their version: invisible until they are written again. */
  readonly unreadable: Map<Key, number>;
  /** Names of the entry module's walkers and functions, for `get_module_walkers()`. Set when a program is loaded. */
  program: { readonly walkers: readonly string[]; readonly functions: readonly string[] } | undefined;
}

export interface RuntimeOptions {
  readonly store: GraphStore;
  /** Classes of the program; absent: whatever is registered in the process. */
  readonly classes?: () => ClassTable;
  /** Gives the table of classes: another object each time something changes. */
  readonly settings?: () => Partial<RuntimeSettings>;
  readonly compatibility?: Partial<Omit<Compatibility, 'warnedSites'>>;
  readonly models?: () => ByllmConfig;
  /** Absent: files of this machine, as the environment says. */
  readonly files?: FileDesk;
  readonly databases?: Databases | undefined;
  readonly topics?: Topics | 'none' | undefined;
  readonly echo?: ((value: unknown) => void) | undefined;
  readonly sharedIsOwn?: boolean;
  readonly warn?: (message: string, fields: Record<string, unknown>) => void;
  readonly meters?: Meters | undefined;
  readonly aliases?: Readonly<Record<string, string>>;
  readonly renamedFields?: Readonly<Record<string, string>>;
}

/** Filled up with defaults, once for each object that is given. */
function wholeSettings(given: RuntimeOptions['settings']): () => RuntimeSettings {
  let from: Partial<RuntimeSettings> = defaultSettings;
  let whole: RuntimeSettings = defaultSettings;
  if (given === undefined) return () => defaultSettings;
  return () => {
    const now = given();
    if (now !== from) {
      from = now;
      whole = { ...defaultSettings, ...now };
    }
    return whole;
  };
}

export function createRuntime(options: RuntimeOptions): Runtime {
  const warn = options.warn ?? (() => {});
  const settings = wholeSettings(options.settings);
  const rows = createRowCache();
  const { meters } = options;
  if (meters !== undefined) options.store.watchCache?.((isHit) => meters.cacheAsked(isHit));
  let foreign = 0;
  let known = options.store.log.position;
  return {
    store: options.store,
    rows,
    types: createTypeBindings(options.store, {
      classes: options.classes ?? (() => liveClasses),
      aliases: options.aliases ?? {},
      fields: options.renamedFields ?? {},
      warn,
    }),
    turns: createTurns(),
    leases: createLeases(options.store),
    settings,
    compatibility: {
      compatWarnings: true,
      connectReturnsList: false,
      exitOrder: 'deferred',
      forwardNestedReports: true,
      warn: (line) => process.stderr.write(`${line}\n`),
      ...options.compatibility,
      warnedSites: new Set(),
    },
    models: options.models,
    files: options.files ?? environmentFiles(process.env, process.cwd()),
    databases: options.databases,
    topics: options.topics,
    echo: options.echo,
    sharedIsOwn: options.sharedIsOwn ?? false,
    warn,
    meters,
    catchUp(now) {
      const { log } = options.store;
      if (log.position !== known) {
        // Two versions of a program may share the store for a while, each with a cache of its own.
        const entries = log.after(known);
        known = log.position;
        if (entries === undefined) rows.clear();
        else
          for (const entry of entries)
            if (entry.origin !== rows)
              for (const list of [entry.revs, entry.topos]) for (const { key } of list) rows.drop(key);
      }
      if (now === foreign) return;
      foreign = now;
      rows.clear();
    },
    unreadable: new Map(),
    program: undefined,
  };
}
