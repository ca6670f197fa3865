import { createHash } from 'node:crypto';
import { createReadStream, linkSync, mkdirSync, rmSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { ArchiveError } from '../../core/archive/archive.ts';
import type { Command } from '../command.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { fileReason } from '../file-failure.ts';
import { openStores } from '../program/open-stores.ts';
import { findProjectStore, projectOptions, type RemoteStore, storeFailure } from '../program/project-store.ts';
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
    const partial = `${store.file}.partial`;
    const { loadArchive } = await import('../../adapters/stores/sqlite/read-archive.ts');
    try {
      const path = archivePath(name, terminal);
      mkdirSync(dirname(store.file), { recursive: true });
      rmSync(partial, { force: true });
      const { nodes, edges, accounts } = await loadArchive(
        counted(linesOf(path), 'lines read', terminal),
        partial,
        Date.now,
      );
      // Unlike a rename this fails when somebody made a store meanwhile.
      linkSync(partial, store.file);
      terminal.err(`svc: ${nodes} nodes, ${edges} edges and ${accounts} accounts are in ${store.shown}\n`);
      return exitCodes.success;
    } catch (error) {
      throw importFailure(error, name);
    } finally {
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${partial}${suffix}`, { force: true });
    }
  },
};

/** A store that other processes keep: checked as a whole, then filled. */
async function fillStore(store: RemoteStore, name: string, terminal: Terminal): Promise<number> {
  const { checkLines } = await import('../../core/archive/check-lines.ts');
  const { beginImport, importLines } = await import('../../core/archive/import-store.ts');
  try {
    const path = archivePath(name, terminal);
    const { nodes, edges, accounts } = await checkLines(counted(linesOf(path), 'lines checked', terminal));
    const stores = await openStores(store.config, terminal, true);
    try {
      const begun = await beginImport(stores, { digest: await digestOf(path), name }, Date.now());
      if (begun === 'full')
        throw new CommandFailure(exitCodes.failure, 'import', `there is something stored already: ${store.shown}`);
      if (begun === 'another')
        throw new CommandFailure(exitCodes.failure, 'import', `another import broke off here: ${store.shown}`, [
          'import that file again to finish it, or empty the store',
        ]);
      if (begun === 'goes on') terminal.err('svc: an import of this file broke off here; this one goes on with it\n');
      const progress = createProgress(terminal);
      const told = (done: number) => progress.tell('imported', done, nodes + edges + accounts);
      await importLines(stores, () => linesOf(path), begun === 'goes on', told).finally(progress.end);
    } finally {
      await stores.close();
    }
    terminal.err(`svc: ${nodes} nodes, ${edges} edges and ${accounts} accounts are in ${store.shown}\n`);
    return exitCodes.success;
  } catch (error) {
    throw importFailure(error, name);
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
  return storeFailure(error, 'import');
}
