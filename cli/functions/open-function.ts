/** Parts that the functions of a bundle share that run the program (docs/server/cloud.md#archives). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTableRateLimit } from '../../adapters/hosts/lambda/table-rate-limit.ts';
import { createTraces } from '../../adapters/modules/traces.ts';
import type { Config } from '../../core/config/config.ts';
import { readError, titleOfReport } from '../../core/log/read-error.ts';
import type { StaticFolder } from '../../handlers/http/static-files.ts';
import { setStrays } from '../../library/builtins/stray-teller.ts';
import { type BaseOptions, type FunctionBase, openBase } from './open-base.ts';
import { type BundledProgram, type Driver, type OpenBundle, openBundle } from './open-bundle.ts';
import type { FunctionLive } from './open-live.ts';

export interface OpenFunction extends FunctionBase, OpenBundle {
  /** Undefined: the program uses neither live subscriptions nor topics. */
  readonly live: FunctionLive | undefined;
}

/**
 * Opens the application of a bundle once per instance, while the function starts.
 *
 * @param entry `import.meta.url` of the handler, which stands in `handlers` below the bundle's folder
 * @param options `takesSockets`: its events come from connections; `env`: variables that decide whatever those of the process are
 *
 * @throws Error saying what is wrong with the configuration; what the entry blocks threw
 */
export async function openFunction(
  entry: string,
  { takesSockets = false, env = {} }: { readonly takesSockets?: boolean; readonly env?: BaseOptions['env'] } = {},
): Promise<OpenFunction> {
  const traces = createTraces();
  const base = await openBase(entry, { env, readError: (error, withStacks) => readError(error, traces, withStacks) });
  const { root, config, log } = base;
  const bundled = JSON.parse(readFileSync(join(root, 'app', 'program.json'), 'utf8')) as BundledProgram;
  requireDrivers(config, bundled.drivers);
  setStrays(({ what, error }) => {
    log.error(`${what.replace(/:$/, '')}: ${titleOfReport(readError(error, traces))}`, { error });
    base.metrics?.meters.uncaughtError('program', 'nothing_ended');
  });
  const live = bundled.hasLive
    ? await (await import('./open-live.ts')).openLive(config, log, base.metrics?.meters)
    : undefined;
  const opened = await openBundle({
    bundled,
    directory: join(root, 'app'),
    config,
    log,
    traces,
    // Instances come and go: nothing could scrape them.
    metrics: base.metrics && { meters: base.metrics.meters, expose: undefined },
    takesSockets,
    takesLive: takesSockets && live !== undefined,
    topics: live?.topics,
    print: (line) => process.stdout.write(`${line}\n`),
    otherBuilds: otherBuilds(process.env['SVC_STATIC_FILES']),
    rateLimit: (stores, rules) => createTableRateLimit(stores.accounts, rules, Date.now),
  });
  return { ...base, ...opened, live };
}

/** The client of buckets is loaded when the first file is asked for that this version has not. */
function otherBuilds(address = ''): StaticFolder | undefined {
  if (address === '') return undefined;
  const open = async () => (await import('../../adapters/files/s3/bucket-folder.ts')).openBucketFolder(address);
  let opened: Promise<StaticFolder> | undefined;
  return async (names) => await (await (opened ??= open()))(names);
}

function requireDrivers({ scale }: Config, packaged: readonly Driver[]): void {
  const { databaseUrl, docdbUri, kvcacheUrl } = scale.database;
  const require = (driver: Driver, variable: string) => {
    if (!packaged.includes(driver))
      throw new Error(`${variable} is set, but was not when the archive was built: the driver ${driver} is not in it`);
  };
  if (databaseUrl !== '') require('pg', 'DATABASE_URL');
  if (docdbUri !== '') require('mongodb', 'DOCDB_URI');
  if (kvcacheUrl !== '') require('ioredis', 'KVCACHE_URL');
}
