import { join } from 'node:path';
import { keptFile, readChecked, writeChecked } from './kept-result.ts';
import { type FileDigests, isWhole, touch } from './place-modules.ts';
import { areUnchanged, type Inputs } from './recorded-files.ts';

/** Record of a compilation: where its modules are, which files it read, and which notes it made. */
export interface CompileRecord<Note> {
  /** Name of the folder below the cache directory. */
  readonly folder: string;
  /** Path of the entry module in it. */
  readonly entry: string;
  readonly digests: FileDigests;
  readonly inputs: Inputs;
  readonly notes: Note;
}

export interface IndexKey {
  readonly cacheDir: string;
  /** Compiler build, entry file, options: everything but the files that decides the result. */
  readonly identity: readonly unknown[];
}

/** The last compilation, if every file it looked at is as it was and its modules are still there. Loads no part of the compiler. */
export function findCompiled<Note>(key: IndexKey): CompileRecord<Note> | undefined {
  const record = readChecked<CompileRecord<Note>>(indexFile(key));
  if (record === undefined) return undefined;
  const directory = join(key.cacheDir, record.folder);
  if (!isWhole(directory, record.digests) || !areUnchanged(record.inputs)) return undefined;
  touch(directory).catch(() => {}); // it is only kept a shorter time then
  return record;
}

/** Remembers a compilation. A cache that cannot be written is no reason to fail. */
export async function rememberCompiled<Note>(key: IndexKey, record: CompileRecord<Note>): Promise<void> {
  await writeChecked(indexFile(key), record);
}

function indexFile({ cacheDir, identity }: IndexKey): string {
  return keptFile({ folder: cacheDir, name: 'index', identity });
}
