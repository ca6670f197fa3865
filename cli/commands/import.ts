import { createHash } from 'node:crypto';
import { createReadStream, existsSync, linkSync, mkdirSync, rmSync, type Stats, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { embeddedFile } from '../../adapters/kvstore/options.ts';
import { configuredDatabases } from '../../adapters/kvstore/with-databases.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import { ArchiveError, type KeptLine, type Loaded } from '../../core/archive/archive.ts';
import type { Databases } from '../../core/kvstore/databases.ts';
import type { Command } from '../command.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { fileReason } from '../file-failure.ts';
import { partialPath } from '../partial-file.ts';
import { openStores } from '../program/open-stores.ts';
import {
  findProjectStore,
  type ProjectStore,
  projectOptions,
  type RemoteStore,
  storeFailure,
} from '../program/project-store.ts';
import { counted, createProgress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';

export const command: Command = {
  name: 'import',
  operands: '<file> [app_file]',
  arity: [1, 2],
  about: 'Makes the store of an application from what svc export wrote.',
  examples: [
    ['svc import all.jsonl', 'into the store that svc.toml names'],
    ['svc import all.jsonl other/main.svc', 'into that of another application'],
  ],
  options: [...projectOptions],
  notes: [
    'Only where nothing is stored yet. The file is checked to its last line before anything of it can be seen. A SQLite store has all of it or nothing; another store is filled step by step: when that breaks off, the same command again does the rest, and until then svc start refuses the store.',
  ],
  async run({ operands, options, terminal }) {
    const [name, appFile] = operands as [string, string | undefined];
    const store = findProjectStore(appFile, options, terminal);
    if (store.kind !== 'sqlite') return await fillStore(store, name, terminal);
    if (store.exists) {
      throw new CommandFailure(exitCodes.failure, 'import', `there is a store already: ${store.shown}`, [
        'svc backup --out FILE copies it; then move it away, with its -wal and -shm',
      ]);
    }
    return await fillFile(store, name, terminal);
  },
};

/** A file gets its name when it is full: that of `kvstore` first, as the store's own says that all is there. */
async function fillFile(store: ProjectStore, name: string, terminal: Terminal): Promise<number> {
  const { config, file, shown } = store;
  const partial = `${file}.partial`;
  const kept = join(config.dataDir, embeddedFile);
  const keptPartial = join(config.dataDir, `${embeddedFile}.partial`);
  const { loadArchive } = await import('../../adapters/stores/sqlite/read-archive.ts');
  try {
    const path = archivePath(name, terminal);
    mkdirSync(dirname(file), { recursive: true });
    if (isSameFile(kept, join(keptPartial, embeddedFile))) removeDatabase(kept); // an import was killed between the two names
    rmSync(keptPartial, { recursive: true, force: true });
    removeDatabase(partial);
    const loaded = await loadArchive(counted(linesOf(path), 'lines read', terminal), partial, Date.now);
    const isKept = hasKept(loaded);
    if (isKept) await fillKept(store, path, keptPartial, terminal);
    const keptFile = join(keptPartial, embeddedFile);
    const isBeside = existsSync(keptFile);
    if (isBeside) linkSync(keptFile, kept);
    try {
      // Unlike a rename this fails when somebody made a store meanwhile.
      linkSync(partial, file);
    } catch (error) {
      if (isBeside) removeDatabase(kept);
      throw error;
    }
    tell(loaded, shown, isBeside ? shownPathFrom(terminal.cwd, kept) : undefined, terminal);
    return exitCodes.success;
  } catch (error) {
    throw importFailure(error, name);
  } finally {
    removeDatabase(partial);
    rmSync(keptPartial, { recursive: true, force: true });
  }
}

/** The databases of `kvstore`, where those that have no address are a file in the folder. */
async function fillKept({ config }: ProjectStore, path: string, folder: string, terminal: Terminal): Promise<void> {
  const kept = join(config.dataDir, embeddedFile);
  const { takeAlone } = await import('../../adapters/stores/sqlite/take-alone.ts');
  const alone = existsSync(kept) ? takeAlone(kept) : undefined;
  const isInTheWay = existsSync(kept) && alone?.counts?.documents !== 0;
  if (isInTheWay) alone?.release();
  else alone?.remove();
  const databases = configuredDatabases(config, folder);
  try {
    const isOwn = (['docdb', 'kvcache'] as const).every((kind) => databases.addressOf(kind) !== undefined);
    if (isInTheWay && !isOwn)
      throw new CommandFailure(
        exitCodes.failure,
        'import',
        `there are documents or keys of kvstore already: ${shownPathFrom(terminal.cwd, kept)}`,
        ['move that file away, with its -wal and -shm'],
      );
    await bringAll(databases, path);
  } finally {
    await databases.close();
  }
  const file = join(folder, embeddedFile);
  if (!existsSync(file)) return;
  const { openDriver } = await import('../../adapters/stores/sqlite/open-driver.ts');
  const db = openDriver(file);
  // Only the file itself gets another name, not the log beside it.
  db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').row();
  db.close();
}

async function bringAll(databases: Databases, path: string, told?: (done: number) => void): Promise<void> {
  const { bringKept } = await import('../../adapters/kvstore/write-kept.ts');
  // Documents and keys that are in the way are found before anything is written.
  await bringKept(databases, keptOf(path), 'looks', Date.now);
  await bringKept(databases, keptOf(path), 'writes', Date.now, told);
}

async function* keptOf(path: string): AsyncGenerator<KeptLine> {
  const { parseLine } = await import('../../core/archive/check-lines.ts');
  const { isKept } = await import('../../core/archive/kept-lines.ts');
  for await (const text of linesOf(path)) {
    // Most lines are others, and long ones.
    if (!/^\s*\{\s*"kind"\s*:\s*"(node|edge|account)"/.test(text) && text.trim() !== '') {
      const line = parseLine(text);
      if (isKept(line)) yield line;
    }
  }
}

function hasKept({ documents, keys }: Loaded): boolean {
  return documents !== undefined || keys !== undefined;
}

/** `beside`: the file of kvstore, when it was made. */
function tell(loaded: Loaded, shown: string, beside: string | undefined, terminal: Terminal): void {
  const { nodes, edges, accounts, documents = 0, keys = 0 } = loaded;
  terminal.err(`svc: ${nodes} nodes, ${edges} edges and ${accounts} accounts are in ${shown}\n`);
  if (!hasKept(loaded)) return;
  const where = beside === undefined ? 'are where kvstore has them' : `are in ${beside}`;
  terminal.err(`svc: ${documents} documents and ${keys} keys of kvstore ${where}\n`);
}

function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}

function isSameFile(one: string, other: string): boolean {
  return existsSync(one) && existsSync(other) && statSync(one).ino === statSync(other).ino;
}

/** A store that other processes keep: checked as a whole, then filled. */
async function fillStore(store: RemoteStore, name: string, terminal: Terminal): Promise<number> {
  const { checkLines } = await import('../../core/archive/check-lines.ts');
  const { beginImport, importLines } = await import('../../core/archive/import-store.ts');
  const { bringKept } = await import('../../adapters/kvstore/write-kept.ts');
  const { openKnownNodes } = await import('../../adapters/stores/sqlite/known-nodes.ts');
  const path = archivePath(name, terminal);
  const known = openKnownNodes(partialPath(join(tmpdir(), 'svc-import')));
  try {
    const loaded = await checkLines(counted(linesOf(path), 'lines checked', terminal), known);
    const { nodes, edges, accounts, documents = 0, keys = 0 } = loaded;
    const stores = await openStores(store.config, terminal, true);
    const databases = stores.databases!;
    try {
      if (hasKept(loaded)) await bringKept(databases, keptOf(path), 'looks', Date.now);
      const begun = await beginImport(stores, { digest: await digestOf(path), name }, Date.now());
      if (begun === 'full')
        throw new CommandFailure(exitCodes.failure, 'import', `there is something stored already: ${store.shown}`);
      if (begun === 'another')
        throw new CommandFailure(exitCodes.failure, 'import', `another import broke off here: ${store.shown}`, [
          'import that file again to finish it, or empty the store',
        ]);
      if (begun === 'goes on') terminal.err('svc: an import of this file broke off here; this one goes on with it\n');
      const progress = createProgress(terminal);
      const graph = nodes + edges + accounts;
      const told = (done: number) => progress.tell('imported', done, graph + documents + keys);
      const bring = () => bringKept(databases, keptOf(path), 'writes', Date.now, (done) => told(graph + done));
      const more = hasKept(loaded) ? bring : undefined;
      await importLines(stores, () => linesOf(path), known, begun === 'goes on', told, more).finally(progress.end);
    } finally {
      await stores.close();
    }
    tell(loaded, store.shown, undefined, terminal);
    return exitCodes.success;
  } catch (error) {
    throw importFailure(error, name);
  } finally {
    known.close();
  }
}

function archivePath(name: string, terminal: Terminal): string {
  const path = resolve(terminal.cwd, name);
  const found = readStat(path, name);
  if (found.isFile()) return path;
  throw new CommandFailure(
    exitCodes.failure,
    `cannot read ${name}`,
    found.isDirectory() ? 'it is a folder' : 'not a file',
  );
}

function readStat(path: string, name: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    throw new CommandFailure(exitCodes.failure, `cannot read ${name}`, fileReason(error));
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part);
  return hash.digest('hex');
}

async function* linesOf(path: string): AsyncGenerator<string> {
  let fault: Error | undefined;
  const input = createReadStream(path, 'utf8').on('error', (error) => {
    fault = error;
    lines.close();
  });
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  yield* lines;
  // A reader of lines does not say why they end.
  if (fault !== undefined) throw fault;
}

function importFailure(error: unknown, name: string): unknown {
  if (error instanceof ArchiveError)
    return new CommandFailure(exitCodes.invalid, `${name}:${error.line}`, `not a complete export: ${error.message}`);
  if (error instanceof Error && error.name === 'KeptOtherwise')
    return new CommandFailure(exitCodes.failure, 'import', error.message);
  return storeFailure(error, 'import');
}
