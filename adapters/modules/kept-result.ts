/** Results that are kept on the disk with a digest of themselves, until something that they were made of changes. */
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { touch } from './place-modules.ts';
import { areUnchanged, hashText, type Inputs, inputsOf } from './recorded-files.ts';

export interface KeptKey {
  readonly folder: string;
  /** Kind of the result; a file is named by it and by the identity. */
  readonly name: string;
  /** Everything but the files that decides the result. */
  readonly identity: readonly unknown[];
}

/** A result that can be written as JSON, and the absolute paths of the files it was made of. */
export interface Made<Result> {
  readonly result: Result;
  readonly files: readonly string[];
}

interface Record<Result> {
  readonly result: Result;
  readonly inputs: Inputs;
}

/** Results of one kind in a folder; the oldest go. */
const most = 8;

/** Gives what is kept, or makes and keeps it. Without a key it is made each time. */
export async function keepResult<Result>(key: KeptKey | undefined, make: () => Promise<Made<Result>>): Promise<Result> {
  if (key === undefined) return (await make()).result;
  const file = keptFile(key);
  const known = readChecked<Record<Result>>(file);
  if (known !== undefined && areUnchanged(known.inputs)) {
    await touch(file);
    return known.result;
  }
  const { result, files } = await make();
  await writeChecked<Record<Result>>(file, { result, inputs: inputsOf(files) });
  await removeOldest(key);
  return result;
}

export function keptFile({ folder, name, identity }: KeptKey): string {
  const hash = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 24);
  return join(folder, `${name}-${hash}.json`);
}

/** Undefined for a file that is not there or not whole. */
export function readChecked<T>(file: string): T | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    const end = text.indexOf('\n');
    const record = text.slice(end + 1);
    return hashText(record) === text.slice(0, end) ? (JSON.parse(record) as T) : undefined;
  } catch {
    return undefined;
  }
}

/** A cache that cannot be written is no reason to fail. */
export async function writeChecked<T>(file: string, record: T): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    const text = JSON.stringify(record);
    await writeFile(temporary, `${hashText(text)}\n${text}`);
    await rename(temporary, file);
  } catch {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

async function removeOldest({ folder, name }: KeptKey): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const own = names.filter((one) => one.startsWith(`${name}-`) && one.endsWith('.json'));
  const times = own.map(async (one) => {
    const path = join(folder, one);
    return { path, time: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
  });
  const files = (await Promise.all(times)).toSorted((one, other) => other.time - one.time);
  await Promise.all(files.slice(most).map(({ path }) => rm(path, { force: true }).catch(() => {})));
}
