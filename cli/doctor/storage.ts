/** Checks of the places where data is kept: the folder, the database, the key-value store. */
import { closeSync, constants, existsSync, openSync, readSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileTypes } from '../../adapters/files/types.ts';
import { storeKind } from '../../adapters/stores/stores.ts';
import type { Config } from '../../core/config/config.ts';
import { CommandFailure } from '../command-failure.ts';
import { openStores, storeName } from '../program/open-stores.ts';
import type { Finding, Patient } from './finding.ts';
import { reach } from './reach.ts';
import { isOpen } from './settings.ts';

const littleBytes = 256 * 1024 * 1024;

export async function checkDataFolder({ read: { config } }: Patient): Promise<Finding[]> {
  const check = 'data';
  const { dataDir } = config;
  if (!(await canWrite(dataDir)))
    return [{ check, state: 'bad', text: `data directory ${dataDir} cannot be written to` }];
  const findings: Finding[] = [{ check, state: 'ok', text: `data directory ${dataDir}` }];
  const { bavail, bsize } = await statfs(nearest(dataDir));
  if (bavail * bsize < littleBytes) {
    const text = `data directory: ${Math.floor((bavail * bsize) / 1024 / 1024)} MiB are left on its disk`;
    findings.push({ check, state: 'note', text });
  }
  return findings;
}

/** A server may have the file open: it is looked at, not opened as a database. */
export async function checkStore({ read: { config }, terminal }: Patient): Promise<Finding[]> {
  const kind = storeKind(config);
  if (kind === 'sqlite') return checkFile(config);
  if (kind === 'dynamodb') return checkDynamo(config);
  try {
    const stores = await openStores(config, terminal, true);
    await stores.ping().finally(() => stores.close());
    return [{ check: 'store', state: 'ok', text: `store: ${storeName(config, terminal)}` }];
  } catch (error) {
    const exit = error instanceof CommandFailure ? { exitCode: error.exitCode } : {};
    return [{ check: 'store', state: 'bad', text: (error as Error).message, ...exit }];
  }
}

async function checkFile(config: Config): Promise<Finding[]> {
  const check = 'store';
  const file = join(config.dataDir, config.scale.database.sqliteFile);
  if (!existsSync(file)) return [{ check, state: 'ok', text: `store: ${file} will be made` }];
  const isUsable = await access(file, constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isUsable) return [{ check, state: 'bad', text: `store: ${file} cannot be read and written` }];
  const head = headOf(file);
  if (head !== '' && head !== 'SQLite format 3\0')
    return [{ check, state: 'bad', text: `store: ${file} is no SQLite database` }];
  if (!isOpen(file)) return [{ check, state: 'ok', text: `store: ${file}` }];
  return [{ check, state: 'note', text: `store: ${file} can be read by other users`, hint: `chmod 600 ${file}` }];
}

function headOf(file: string): string {
  const bytes = Buffer.alloc(16);
  const handle = openSync(file, 'r');
  try {
    return bytes.toString('latin1', 0, readSync(handle, bytes, 0, 16, 0));
  } finally {
    closeSync(handle);
  }
}

async function checkDynamo({ scale }: Config): Promise<Finding[]> {
  const { dynamodbEndpoint, connectTimeoutMs } = scale.database;
  const text = `store: dynamodb${dynamodbEndpoint === '' ? '' : ` at ${new URL(dynamodbEndpoint).host}`}`;
  if (dynamodbEndpoint === '') return [{ check: 'store', state: 'ok', text }];
  const trouble = await reach(dynamodbEndpoint, connectTimeoutMs);
  if (trouble === undefined) return [{ check: 'store', state: 'ok', text }];
  return [{ check: 'store', state: 'bad', text: `${text} cannot be reached: ${trouble}` }];
}

/** The program is not run here: what it registers is not known. */
export function checkStorageType({ read: { config } }: Patient): Finding[] {
  const { storageType } = config.storage;
  const known = ['local', ...Object.keys(fileTypes)];
  if (known.includes(storageType)) return [];
  const text = `file storage is of the type '${storageType}' (known: ${known.join(', ')}): the program has to register it`;
  return [{ check: 'files', state: 'note', text }];
}

export async function checkKeyValueStore({ read: { config } }: Patient): Promise<Finding[]> {
  const { kvcacheUrl, connectTimeoutMs } = config.scale.database;
  if (!/^rediss?:\/\//.test(kvcacheUrl) || !URL.canParse(kvcacheUrl)) return [];
  const check = 'kvcache';
  const name = `key-value store at ${new URL(kvcacheUrl).host}`;
  const { Redis } = await import('../../adapters/redis/client.ts');
  const settings = { lazyConnect: true, retryStrategy: () => null, connectTimeout: connectTimeoutMs };
  const redis = new Redis(kvcacheUrl, {
    ...settings,
    commandTimeout: connectTimeoutMs,
    maxRetriesPerRequest: 0,
  } as never);
  let cause: Error | undefined;
  redis.on('error', (error: Error) => (cause ??= error));
  try {
    await redis.connect();
    await redis.ping();
    return [{ check, state: 'ok', text: name }];
  } catch (error) {
    return [{ check, state: 'bad', text: `${name} cannot be used: ${(cause ?? (error as Error)).message}` }];
  } finally {
    redis.disconnect();
  }
}

/** Tells whether a folder can be written to, or made where it is to be. */
export async function canWrite(folder: string): Promise<boolean> {
  return await access(nearest(folder), constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

function nearest(folder: string): string {
  let path = folder;
  while (!existsSync(path)) path = dirname(path);
  return path;
}
