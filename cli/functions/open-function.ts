/** What the functions of a bundle share: their folder, configuration, store and program (server.md 21.3). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../adapters/config/read-config.ts';
import { deployedConfig } from '../../adapters/hosts/lambda/function-config.ts';
import { createFunctionLog, type FunctionLog } from '../../adapters/hosts/lambda/function-log.ts';
import { withDatabases } from '../../adapters/kvstore/with-databases.ts';
import { openStore, type Stores } from '../../adapters/stores/stores.ts';
import type { Config } from '../../core/config/config.ts';
import { formatFinding } from '../../core/config/finding.ts';
import { createRedactor } from '../../core/log/redact.ts';
import { installApi, installRuntime } from '../program/open-runtime.ts';
import { openVersion, type Version } from '../start/open-version.ts';

/** `app/program.json` of a bundle. */
export interface BundledProgram {
  /** Path of the entry module below `app`. */
  readonly entryFile: string;
  readonly entryId: string;
  /** Parts of the program are TypeScript. */
  readonly hasScripts: boolean;
  /** Digest of the whole bundle. */
  readonly deployment: string;
}

export interface OpenFunction {
  readonly version: Version;
  readonly config: Config;
  readonly stores: Stores;
  readonly log: FunctionLog;
}

/**
 * Opens the application of a bundle once per instance, while the function starts.
 *
 * @param entry `import.meta.url` of the handler, which stands in `handlers` below the bundle's folder
 * @throws Error saying what is wrong with the configuration; what the entry blocks threw
 */
export async function openFunction(entry: string): Promise<OpenFunction> {
  const root = fileURLToPath(new URL('..', entry));
  const read = readConfig({
    startDir: root,
    cwd: root,
    configFile: process.env['SVC_CONFIG'] ?? join(root, 'svc.toml'),
    env: { SVC_ENV: 'production', SVC_DATA_PATH: '/tmp/svc', ...process.env },
    isTerminal: false,
  });
  if (read.problems.length > 0) throw new Error(read.problems.map(formatFinding).join('\n'));
  const config = deployedConfig(read.config);
  const { secrets, webhook, logging } = config.scale;
  const log = createFunctionLog(
    config,
    createRedactor({
      names: [...logging.redact, webhook.signatureHeader, ...Object.keys(secrets)],
      values: [...Object.keys(secrets).flatMap((name) => process.env[name] ?? []), config.byllm.apiKey],
    }),
  );
  const bundled = JSON.parse(readFileSync(join(root, 'app', 'program.json'), 'utf8')) as BundledProgram;
  installRuntime();
  if (bundled.hasScripts) await installApi();
  // Nothing on the disk of an instance lasts, so there is no embedded database.
  const stores = withDatabases(await openStore(config), config, undefined);
  const version = await openVersion({
    config,
    stores,
    log,
    compiled: { ...notCompiledHere, directory: join(root, 'app'), ...bundled },
    print: (line) => process.stdout.write(`${line}\n`),
    buildStatus: undefined,
    // Instances come and go: nothing could scrape them, and nothing may run after an answer.
    metrics: undefined,
    tracer: undefined,
    turns: undefined,
    startOnce: {
      claims: stores.accounts,
      deployment: bundled.deployment,
      nowMs: Date.now,
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    },
  });
  return { version, config, stores, log };
}

const notCompiledHere = { isTemporary: false, labels: [], diagnostics: [], modules: [], wasCached: true } as const;
