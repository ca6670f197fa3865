import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileDigests, isWhole, touch } from './place-modules.ts';
import { areUnchanged, hashText, type Inputs } from './recorded-files.ts';

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
  try {
    const [digest, text] = readFileSync(indexFile(key), 'utf8').split('\n', 2) as [string, string];
    if (hashText(text) !== digest) return undefined;
    const record = JSON.parse(text) as CompileRecord<Note>;
    const directory = join(key.cacheDir, record.folder);
    if (!isWhole(directory, record.digests) || !areUnchanged(record.inputs)) return undefined;
    touch(directory).catch(() => {}); // it is only kept a shorter time then
    return record;
  } catch {
    return undefined;
  }
}

/** Remembers a compilation. A cache that cannot be written is no reason to fail. */
export async function rememberCompiled<Note>(key: IndexKey, record: CompileRecord<Note>): Promise<void> {
  const file = indexFile(key);
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await mkdir(key.cacheDir, { recursive: true });
    const text = JSON.stringify(record);
    await writeFile(temporary, `${hashText(text)}\n${text}`);
    await rename(temporary, file);
  } catch {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

function indexFile({ cacheDir, identity }: IndexKey): string {
  const hash = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 24);
  return join(cacheDir, `index-${hash}.json`);
}
