import { openMemory, openStore, type Stores } from '../../adapters/stores/stores.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import type { Config } from '../../core/config/config.ts';
import { Failure } from '../../core/errors.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Opens the store of a project, or one in memory.
 *
 * @throws CommandFailure with exit code 7 when it cannot be used: no driver, damaged file, no permission
 */
export async function openStores(config: Config, terminal: Terminal, persist: boolean): Promise<Stores> {
  if (!persist) return await openMemory();
  const { store } = config.scale.database;
  if (store !== '' && store !== 'sqlite') {
    throw new CommandFailure(exitCodes.notAvailable, `database.store = "${store}"`, 'not available in this release');
  }
  try {
    return await openStore(config);
  } catch (error) {
    const why = error instanceof Failure || error instanceof Error ? error.message : String(error);
    throw new CommandFailure(exitCodes.prerequisite, `cannot use the store ${storeFile(config, terminal)}`, why);
  }
}

/** `.svc/data/svc.db`, relative to the working directory. */
export function storeFile(config: Config, terminal: Pick<Terminal, 'cwd'>): string {
  const path = `${config.dataDir}/${config.scale.database.sqliteFile}`;
  return shownPathFrom(terminal.cwd, path);
}
