/** Common part of images and of one machine: an application that compiles, its files and the versions of its packages. */
import { resolve } from 'node:path';
import { relative } from 'node:path/posix';
import type { ReadConfig } from '../../adapters/config/read-config.ts';
import { packSettings } from '../../core/config/packed-settings.ts';
import { checkPackage } from '../../infra/check-deployment.ts';
import type { Files } from '../../infra/files.ts';
import { appDirectory } from '../../infra/orchestrator/deployment.ts';
import { storeOf } from '../../infra/orchestrator/input.ts';
import type { CommandArgs } from '../command.ts';
import { lockedFiles } from '../deploy/complete-app.ts';
import { entryOf, outFolder, packApp, requireRepository } from '../deploy/deploy-job.ts';
import { readApp } from '../program/read-app.ts';
import { reportConfig, tellIdle } from '../report-config.ts';
import { createSteps, type Steps } from '../steps.ts';

export interface PackagedApp {
  readonly read: ReadConfig;
  readonly name: string;
  readonly version: string;
  /** The application file below its folder. */
  readonly entry: string;
  /** Folder of stored files below the application's, `storage`; absent when it is elsewhere. */
  readonly storage: string;
  readonly files: Files;
  /** Names of the variables that hold what travels nowhere. */
  readonly secrets: readonly string[];
  /** Folder for what is made. */
  readonly out: string;
  readonly steps: Steps;
}

/** @throws CommandFailure, DeployFailure */
export async function packageApp(args: CommandArgs, target: 'container' | 'machine'): Promise<PackagedApp> {
  const { terminal, options } = args;
  const { file, read } = readApp('build', args);
  const isExperimental = options['experimental'] === true;
  if (isExperimental) requireRepository(read.config);
  tellIdle(read, terminal);
  const { config } = read;
  reportConfig({ problems: checkPackage(config, read.whereOf), warnings: [] }, terminal);
  const out = outFolder(options['out'], config.projectDir, terminal, target);
  const steps = createSteps(terminal, true);
  const entry = entryOf(read, file);
  const appFiles = await steps.run(`Compiling ${file.shown}`, () =>
    packApp({ read, file, store: storeOf(config), out, terminal }),
  );
  const lock = { read, appFiles, steps, tell: terminal.out };
  const files = await lockedFiles(isExperimental ? { ...lock, warn: terminal.err } : lock);
  const { appName } = config.scale.orchestrator;
  const storage = relative(config.projectDir, resolve(file.directory, config.storage.basePath));
  const version = config.project.version;
  return { read, name: appName, version, entry, storage, files, secrets: secretNames(read), out, steps };
}

/** Folder of stored files in an image. */
export function filesPathOf({ storage }: PackagedApp): string {
  return storage.startsWith('..') || storage === '' ? `${appDirectory}/storage` : `${appDirectory}/${storage}`;
}

/** Secrets of the configuration by the variables that set them: those that are named, and those written elsewhere in the file. */
function secretNames({ config, parsed }: ReadConfig): string[] {
  const leftOut = parsed === undefined ? [] : packSettings(parsed).leftOut.map(({ variable }) => variable);
  return [...new Set([...Object.keys(config.scale.secrets), ...leftOut])];
}
