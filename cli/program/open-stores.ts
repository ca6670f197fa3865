import { withDatabases } from '../../adapters/kvstore/with-databases.ts';
import { shownAddress } from '../../adapters/stores/mongo/address.ts';
import { shownAddress as shownPostgres } from '../../adapters/stores/postgres/address.ts';
import { openSqlFile } from '../../adapters/stores/sqlite/open-sql.ts';
import { openMemory, openStore, type Stores, storeKind } from '../../adapters/stores/stores.ts';
import { UnusableStore } from '../../adapters/stores/unusable-store.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import { migrationNote } from '../../core/archive/import-note.ts';
import type { Config } from '../../core/config/config.ts';
import { setSqlDriver } from '../../library/modules/sqlite3/port.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { fileReason } from '../file-failure.ts';
import type { Terminal } from '../terminal.ts';
import type { GraphForm } from './compile-request.ts';

setSqlDriver(openSqlFile);

/**
 * Opens the store of a project, or one in memory.
 *
 * @throws CommandFailure with exit code 7 when it cannot be used: no driver, damaged file, no permission, nobody answers
 */
export async function openStores(
  config: Config,
  terminal: Terminal,
  persist: boolean,
  readOnly = false,
): Promise<Stores> {
  if (!persist) return withDatabases(await openMemory(), config, ':memory:');
  try {
    return withDatabases(await openStore(config, readOnly), config, config.dataDir);
  } catch (error) {
    if (error instanceof UnusableStore) throw new CommandFailure(exitCodes.prerequisite, error.message, '');
    throw new CommandFailure(
      exitCodes.prerequisite,
      `cannot use the store ${storeName(config, terminal)}`,
      reasonOf(error),
    );
  }
}

/**
 * The same for programs, which need all of what is stored.
 *
 * @throws CommandFailure with exit code 7 as well when an import into the store has begun and not ended (decisions/0087)
 */
export async function openWholeStores(config: Config, terminal: Terminal, persist = true): Promise<Stores> {
  const stores = await openStores(config, terminal, persist);
  // A file is filled before it gets its name.
  if (!persist || storeKind(config) === 'sqlite') return stores;
  try {
    const { unfinishedImport } = await import('../../core/archive/import-store.ts');
    const archive = await unfinishedImport(stores);
    if (archive === undefined) return stores;
    const what = `cannot use the store ${storeName(config, terminal)}`;
    if (archive === migrationNote)
      throw new CommandFailure(exitCodes.prerequisite, what, 'another store is moving here', [
        'svc migrate, given again, does the rest',
      ]);
    throw new CommandFailure(exitCodes.prerequisite, what, `an import of ${archive} has begun here and not ended`, [
      `svc import ${archive} does the rest`,
      'to discard it instead, empty the store',
    ]);
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** Gives the form in which a program is compiled for the store it will run on. */
export function graphForm(config: Config, persist: boolean): GraphForm {
  return persist && storeKind(config) !== 'sqlite' ? 'async' : 'sync';
}

/** Gives the store's name in banners and messages. */
export function storeName(config: Config, terminal: Pick<Terminal, 'cwd'>): string {
  if (storeKind(config) === 'sqlite') return storeFile(config, terminal);
  if (storeKind(config) === 'docdb') return `docdb (${shownAddress(config.scale.database)})`;
  if (storeKind(config) === 'postgres') return `postgres (${shownPostgres(config.scale.database.databaseUrl)})`;
  const { dynamodbTablePrefix, dynamodbEndpoint } = config.scale.database;
  const place = dynamodbEndpoint === '' ? '' : ` at ${dynamodbEndpoint}`;
  return `dynamodb (${dynamodbTablePrefix}graph${place})`;
}

/** Gives the message of a store's error, with its driver's words where its own say nothing. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error as { cause?: { message?: string; code?: string } };
  const detail = cause === undefined ? undefined : fileReason(cause) || cause.code;
  const isPlain = error.message === 'the store is not available';
  return isPlain && detail !== undefined ? `${error.message}: ${detail}` : error.message;
}

/** `.svc/data/svc.db`, relative to the working directory. */
export function storeFile(config: Config, terminal: Pick<Terminal, 'cwd'>): string {
  const path = `${config.dataDir}/${config.scale.database.sqliteFile}`;
  return shownPathFrom(terminal.cwd, path);
}
