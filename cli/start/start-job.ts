import { availableParallelism } from 'node:os';
import { type ReadConfig, readConfig } from '../../adapters/config/read-config.ts';
import { functionConfig } from '../../adapters/hosts/lambda/function-config.ts';
import type { Config } from '../../core/config/config.ts';
import { secretWarnings } from '../../core/config/secret-warnings.ts';
import { cloudRunLimits } from '../../core/platforms/cloud-run-limits.ts';
import { createKeptFiles, type KeptFiles } from '../../lang/project/kept-files.ts';
import { type AppFile, findAppFile } from '../app-file.ts';
import type { CommandArgs } from '../command.ts';
import { usageFailure } from '../command-failure.ts';
import { refusedInProduction } from '../debug/engine/refused.ts';
import { inspectedPorts } from '../debug/inspect-option.ts';
import { reportConfig, tellIdle } from '../report-config.ts';
import type { Terminal } from '../terminal.ts';
import type { ListenOptions } from './listen.ts';
import { configFlags, emulatedPlatform, type Platform } from './options.ts';

/** Facts of one `svc start`. */
export interface StartJob {
  readonly terminal: Terminal;
  /** Time before the first file of the project was read. */
  readonly begunAt: number;
  readonly file: AppFile;
  readonly read: ReadConfig;
  readonly config: Config;
  /** Reads the configuration anew, for `--reload`. */
  readonly readAgain: () => ReadConfig;
  readonly isJson: boolean;
  readonly reloads: boolean;
  /** The client is served as it is written: `--dev`. */
  readonly isDevelopment: boolean;
  /** Client code is compiled and served. */
  readonly hasClient: boolean;
  /** Every call goes through the events and entries of the cloud's functions, or is held to the limits of Cloud Run. */
  readonly emulates: Platform | undefined;
  /** Processes that serve. */
  readonly workers: number;
  readonly port: Pick<ListenOptions, 'mayMove' | 'givenIn'>;
  /** Port of the inspector, for a program that a debugger may attach to. */
  readonly inspectorPorts: readonly number[] | undefined;
  /** True when the start only prints the targets. */
  readonly isFaux: boolean;
  /** Trees of the files of the first compilation for those that follow; undefined where none do. */
  readonly kept: KeptFiles | undefined;
}

/** Finds the application, reads its configuration; what is questionable is printed. @throws CommandFailure */
export function prepareStart({ operands, options, terminal }: CommandArgs): StartJob {
  const begunAt = Date.now();
  const isJson = options['json'] === true;
  const configFile = options['config'] as string | undefined;
  const file = findAppFile('start', operands[0], terminal, configFile);
  // Variables that come from `.env` must not look like the process's own when the file is read again.
  const env = { ...terminal.env };
  const emulates = emulatedPlatform(options);
  const readAgain = () => {
    const read = readConfig({
      startDir: file.directory,
      cwd: terminal.cwd,
      env,
      configFile,
      profile: options['profile'] as string | undefined,
      flags: configFlags(options),
      isTerminal: terminal.isErrTerminal && !isJson,
    });
    return emulates === undefined ? read : { ...read, config: configThere(emulates, read.config) };
  };
  const read = readAgain();
  reportConfig(read, terminal);
  tellIdle(read, terminal);
  const { config } = read;
  const inspectorPorts = inspectedPorts(options['inspect']);
  if (inspectorPorts !== undefined) checkInspected(config);
  for (const line of secretWarnings(config)) terminal.err(`${line}\n`);
  Object.assign(process.env, read.dotEnv);
  process.chdir(file.directory);
  const reloads = options['reload'] === true || options['dev'] === true;
  return {
    terminal,
    begunAt,
    file,
    read,
    config,
    readAgain,
    isJson,
    reloads,
    isDevelopment: options['dev'] === true,
    hasClient: options['no-client'] !== true,
    emulates,
    // The client's development server belongs to one process.
    workers: options['dev'] === true || emulates !== undefined ? 1 : config.serve.workers || availableParallelism(),
    port: portOf(read),
    inspectorPorts,
    isFaux: options['faux'] === true,
    kept: reloads ? createKeptFiles() : undefined,
  };
}

/** @throws CommandFailure where no inspector may be open */
function checkInspected({ mode, serve }: Config): void {
  if (mode === 'production') throw refusedInProduction('start with --inspect');
  if (serve.workers !== 1) throw usageFailure('--inspect', 'needs one worker', ['workers = 1 under [serve]']);
}

/** Cloud Run ends an instance ten seconds after it has told it. */
function configThere(platform: Platform, config: Config): Config {
  if (platform === 'cloud') return functionConfig(config);
  const { drainDelaySeconds, drainTimeoutSeconds, ...serve } = config.serve;
  const most = cloudRunLimits.stopSeconds.value;
  const delay = Math.min(drainDelaySeconds, most);
  return {
    ...config,
    serve: {
      ...serve,
      drainDelaySeconds: delay,
      drainTimeoutSeconds: Math.min(drainTimeoutSeconds, most - delay),
    },
  };
}

/** Whoever names a port means that one: only the default may give way to another, and not in production. */
export function portOf({ config, sourceOf, whereOf }: ReadConfig): StartJob['port'] {
  const path = (['serve.port', 'scale.server.port'] as const).find(
    (one) => sourceOf(one) !== 'default' && (one === 'serve.port' || config.scale.server.port !== 0),
  );
  if (path === undefined) return { mayMove: config.mode !== 'production', givenIn: '' };
  return { mayMove: false, givenIn: sourceOf(path) === 'flag' ? '' : whereOf(path) };
}
