/** The store of a project as a file, for commands that work on all of it. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readConfig } from '../../adapters/config/read-config.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import type { CliOption, OptionValues } from '../cli-option.ts';
import { CommandFailure, notAvailable } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { reportConfig } from '../report-config.ts';
import type { Terminal } from '../terminal.ts';

export const projectOptions: readonly CliOption[] = [
  { name: 'config', type: { kind: 'text', placeholder: 'PATH' }, about: 'Configuration file.', default: 'svc.toml' },
  { name: 'profile', type: { kind: 'text', placeholder: 'NAME' }, about: 'Apply [environments.<name>].' },
];

export interface ProjectStore {
  /** Absolute. */
  readonly file: string;
  /** Relative to the working directory, as messages show it. */
  readonly shown: string;
  readonly exists: boolean;
}

/** @throws CommandFailure 8 for a store that is not a file */
export function findProjectStore(
  appFile: string | undefined,
  command: string,
  options: OptionValues,
  terminal: Terminal,
): ProjectStore {
  const startDir = appFile === undefined ? terminal.cwd : dirname(resolve(terminal.cwd, appFile));
  const read = readConfig({
    startDir,
    cwd: terminal.cwd,
    env: terminal.env,
    configFile: options['config'] as string | undefined,
    profile: options['profile'] as string | undefined,
    isTerminal: terminal.isErrTerminal,
    isScript: true,
  });
  reportConfig(read, terminal);
  const { store, sqliteFile } = read.config.scale.database;
  if (store !== '' && store !== 'sqlite') throw notAvailable(`svc ${command} with database.store = "${store}"`);
  const file = join(read.config.dataDir, sqliteFile);
  return { file, shown: shownPathFrom(terminal.cwd, file), exists: existsSync(file) };
}

/** @throws CommandFailure 1 */
export function requireStored(store: ProjectStore, command: string): void {
  if (store.exists) return;
  throw new CommandFailure(exitCodes.failure, command, `nothing is stored yet in ${store.shown}`, [
    'svc run and svc start keep their graph there',
  ]);
}

/** A failure of the store or of the file system as one of the command. */
export function storeFailure(error: unknown, command: string): unknown {
  if (error instanceof CommandFailure || !(error instanceof Error)) return error;
  const code = (error as NodeJS.ErrnoException).code;
  const isFile = typeof code === 'string' && /^E[A-Z]+$/.test(code);
  const isStore = code === 'SERVICE_UNAVAILABLE';
  if (!isFile && !isStore) return error;
  return new CommandFailure(isStore ? exitCodes.prerequisite : exitCodes.failure, command, error.message);
}
