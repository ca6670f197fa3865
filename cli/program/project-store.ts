/** The store of a project as a file, for commands that work on all of it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type SqliteTrouble, troubleOf } from '../../adapters/stores/sqlite/driver.ts';
import { type StoreKind, storeKind } from '../../adapters/stores/stores.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import type { Config } from '../../core/config/config.ts';
import { OSError } from '../../library/values/objects/exceptions.ts';
import { strOf } from '../../library/values/objects/repr.ts';
import { requireAppFile } from '../app-file.ts';
import { type CliOption, configOption, type OptionValues, profileOption } from '../cli-option.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { fileReason } from '../file-failure.ts';
import { reportConfig } from '../report-config.ts';
import type { Terminal } from '../terminal.ts';
import { reasonOf, storeName } from './open-stores.ts';
import { readScriptConfig } from './read-app.ts';

export const projectOptions: readonly CliOption[] = [configOption, profileOption];

export interface ProjectStore {
  readonly kind: 'sqlite';
  readonly config: Config;
  /** Absolute. */
  readonly file: string;
  /** Relative to the working directory, as messages show it. */
  readonly shown: string;
  readonly exists: boolean;
}

/** A store that other processes keep. */
export interface RemoteStore {
  readonly kind: Exclude<StoreKind, 'sqlite'>;
  readonly config: Config;
  readonly shown: string;
}

/** The store as a file, or the configuration of one that is none. */
export function findProjectStore(
  appFile: string | undefined,
  options: OptionValues,
  terminal: Terminal,
): ProjectStore | RemoteStore {
  const startDir = appFile === undefined ? terminal.cwd : requireAppFile(appFile, terminal).directory;
  const read = readScriptConfig(startDir, { options, terminal });
  reportConfig(read, terminal);
  const { config } = read;
  const kind = storeKind(config);
  if (kind !== 'sqlite') return { kind, config, shown: storeName(config, terminal) };
  const { sqliteFile } = config.scale.database;
  const file = join(config.dataDir, sqliteFile);
  return { kind: 'sqlite', config, file, shown: shownPathFrom(terminal.cwd, file), exists: existsSync(file) };
}

/** @throws CommandFailure 1 */
export function requireStored(store: ProjectStore, command: string): void {
  if (store.exists) return;
  throw new CommandFailure(exitCodes.failure, command, `nothing is stored yet in ${store.shown}`, [
    'svc run and svc start keep their graph there',
  ]);
}

/** Warns of a file that is only what was there before the application moved to another store. */
export async function warnOfMoved({ file, shown }: ProjectStore, terminal: Terminal): Promise<void> {
  const { movedFrom } = await import('../../adapters/stores/sqlite/moved-from.ts');
  const to = movedFrom(file);
  if (to !== undefined) terminal.err(`warning: ${shown} is what was there before all of it moved to ${to}\n`);
}

/** A failure of the store, or of a disk, as one of the command; anything else as it is. */
export function storeFailure(error: unknown, command: string): unknown {
  if (error instanceof CommandFailure || !(error instanceof Error)) return error;
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  if (code === 'SERVICE_UNAVAILABLE') return new CommandFailure(exitCodes.prerequisite, command, reasonOf(error));
  if (error instanceof OSError) return new CommandFailure(exitCodes.prerequisite, command, strOf(error));
  // The error of a write to an open file does not name it.
  if (syscall !== undefined && path === undefined)
    return new CommandFailure(exitCodes.failure, command, fileReason(error));
  const reason = diskReasons[troubleOf(error)];
  return reason === undefined ? error : new CommandFailure(exitCodes.failure, command, reason);
}

const diskReasons: Partial<Readonly<Record<SqliteTrouble, string>>> = {
  full: 'the disk is full',
  io: 'the disk failed',
  readonly: 'a file of the store cannot be written',
  cannot_open: 'a file of the store cannot be opened',
  busy: 'another process holds the file for too long',
  corrupt: 'a file of the store is damaged',
};
