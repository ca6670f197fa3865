/** Parts that the functions of a bundle share that run the program (server.md 21.3). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTableRateLimit } from '../../adapters/hosts/lambda/table-rate-limit.ts';
import { withDatabases } from '../../adapters/kvstore/with-databases.ts';
import { createTraces } from '../../adapters/modules/traces.ts';
import { openStore, type Stores } from '../../adapters/stores/stores.ts';
import type { Config } from '../../core/config/config.ts';
import { readError, titleOfReport } from '../../core/log/read-error.ts';
import type { PageFacts } from '../../handlers/http/client/page-text.ts';
import { setStrays } from '../../library/builtins/stray-teller.ts';
import { installApi, installRuntime } from '../program/open-runtime.ts';
import { openVersion, type Version } from '../start/open-version.ts';
import { type FunctionBase, openBase } from './open-base.ts';

/** Packages that are in a bundle when it needs them. */
export const drivers = ['mongodb', 'ioredis'] as const;
export type Driver = (typeof drivers)[number];

/** `app/program.json` of a bundle. */
export interface BundledProgram {
  /** Path of the entry module below `app`. */
  readonly entryFile: string;
  readonly entryId: string;
  /** Parts of the program are TypeScript. */
  readonly hasScripts: boolean;
  readonly drivers: readonly Driver[];
  /** The browser application, whose files are in the bundle; absent when the program has none. */
  readonly page?: PageFacts;
  /** Digest of the whole bundle. */
  readonly deployment: string;
}

export interface OpenFunction extends FunctionBase {
  readonly version: Version;
  readonly stores: Stores;
}

/**
 * Opens the application of a bundle once per instance, while the function starts.
 *
 * @param entry `import.meta.url` of the handler, which stands in `handlers` below the bundle's folder
 * @param options `takesSockets`: its events come from connections
 *
 * @throws Error saying what is wrong with the configuration; what the entry blocks threw
 */
export async function openFunction(entry: string, { takesSockets = false } = {}): Promise<OpenFunction> {
  const traces = createTraces();
  const base = await openBase(entry, { readError: (error, withStacks) => readError(error, traces, withStacks) });
  const { root, config, log } = base;
  const bundled = JSON.parse(readFileSync(join(root, 'app', 'program.json'), 'utf8')) as BundledProgram;
  requireDrivers(config, bundled.drivers);
  installRuntime();
  setStrays(({ what, error }) => {
    log.error(`${what.replace(/:$/, '')}: ${titleOfReport(readError(error, traces))}`, { error });
    base.metrics?.meters.uncaughtError('program', 'nothing_ended');
  });
  if (bundled.hasScripts) await installApi();
  // Nothing on the disk of an instance lasts, so there is no embedded database.
  const stores = withDatabases(await openStore(config), config, undefined);
  const version = await openVersion({
    config,
    stores,
    log,
    traces,
    compiled: { ...notCompiledHere, directory: join(root, 'app'), ...bundled },
    print: (line) => process.stdout.write(`${line}\n`),
    buildStatus: undefined,
    takesSockets,
    // Instances come and go: nothing could scrape them.
    metrics: base.metrics && { meters: base.metrics.meters, expose: undefined },
    // Nothing may run after an answer.
    tracer: undefined,
    turns: undefined,
    shared: { rateLimit: (rules) => createTableRateLimit(stores.accounts, rules, Date.now) },
    startOnce: {
      claims: stores.accounts,
      deployment: bundled.deployment,
      nowMs: Date.now,
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    },
    // The bundle's own folder cannot be written to.
    passingDisk: { directory: config.dataDir },
  });
  return { ...base, version, stores };
}

function requireDrivers({ scale }: Config, packaged: readonly Driver[]): void {
  const { docdbUri, kvcacheUrl } = scale.database;
  const require = (driver: Driver, variable: string) => {
    if (!packaged.includes(driver))
      throw new Error(`${variable} is set, but was not when the archive was built: the driver ${driver} is not in it`);
  };
  if (docdbUri !== '') require('mongodb', 'DOCDB_URI');
  if (kvcacheUrl !== '') require('ioredis', 'KVCACHE_URL');
}

const notCompiledHere = { isTemporary: false, labels: [], diagnostics: [], modules: [], wasCached: true } as const;
