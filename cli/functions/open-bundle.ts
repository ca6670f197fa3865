/** The program of a bundle over the store that its configuration names: what functions and workers have in common. */
import { withDatabases } from '../../adapters/kvstore/with-databases.ts';
import { openStore, type Stores } from '../../adapters/stores/stores.ts';
import type { PageFacts } from '../../handlers/http/client/page-text.ts';
import type { RateLimit, RateRules } from '../../handlers/http/rate-limit.ts';
import { installApi, installRuntime } from '../program/open-runtime.ts';
import { openVersion, type Version, type VersionParts } from '../start/open-version.ts';
import type { Runnable } from '../start/reload.ts';

/** Packages that are in a bundle when it needs them. */
export const drivers = ['mongodb', 'ioredis', 'pg'] as const;
export type Driver = (typeof drivers)[number];

/** `app/program.json` of a bundle. */
export interface BundledProgram {
  /** Path of the entry module below `app`. */
  readonly entryFile: string;
  readonly entryId: string;
  /** Parts of the program are TypeScript. */
  readonly hasScripts: boolean;
  readonly drivers: readonly Driver[];
  /** True for one with the parts for live subscriptions and topics. */
  readonly hasLive?: boolean;
  /** The browser application, whose files are in the bundle; absent when the program has none. */
  readonly page?: PageFacts;
  /** Digest of the whole bundle. */
  readonly deployment: string;
}

export interface BundleParts
  extends Pick<
    VersionParts,
    'config' | 'log' | 'traces' | 'metrics' | 'takesSockets' | 'takesLive' | 'topics' | 'sendToProvider' | 'otherBuilds'
  > {
  readonly bundled: BundledProgram;
  /** Folder of the entry module. */
  readonly directory: string;
  /** Gives the program's modules; absent: they are read from the folder. */
  readonly load?: Runnable['load'];
  readonly print: (line: string) => void;
  readonly rateLimit: (stores: Stores, rules: RateRules) => RateLimit;
}

export interface OpenBundle {
  readonly version: Version;
  readonly stores: Stores;
}

/** @throws Error saying what is wrong with the configuration or the store; what the entry blocks threw */
export async function openBundle({ bundled, directory, load, rateLimit, ...parts }: BundleParts): Promise<OpenBundle> {
  const { config } = parts;
  installRuntime();
  if (bundled.hasScripts) await installApi();
  // Nothing on the disk of an instance lasts, so there is no embedded database.
  const stores = withDatabases(await openStore(config), config, undefined);
  const version = await openVersion({
    ...parts,
    stores,
    compiled: { ...notCompiledHere, directory, ...bundled, ...(load && { load }) },
    buildStatus: undefined,
    // Nothing may run after an answer.
    tracer: undefined,
    turns: undefined,
    shared: { rateLimit: (rules) => rateLimit(stores, rules) },
    startOnce: {
      claims: stores.accounts,
      deployment: bundled.deployment,
      nowMs: Date.now,
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    },
    // The bundle's own folder cannot be written to.
    passingDisk: { directory: config.dataDir },
  });
  return { version, stores };
}

const notCompiledHere = { isTemporary: false, labels: [], diagnostics: [], modules: [], wasCached: true } as const;
