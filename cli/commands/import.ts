import { createReadStream, linkSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { ArchiveError } from '../../core/archive/archive.ts';
import type { Command } from '../command.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { openStores } from '../program/open-stores.ts';
import { findProjectStore, projectOptions, type RemoteStore, storeFailure } from '../program/project-store.ts';
import type { Terminal } from '../terminal.ts';

export const command: Command = {
  name: 'import',
  operands: '<file> [app_file]',
  arity: [1, 2],
  about: 'Makes the store of an application from what svc export wrote.',
  options: [...projectOptions],
  notes: [
    'Only where nothing is stored yet. The file is checked to its last line before anything of it can be seen. A SQLite store has all of it',
    'or nothing; another store is filled step by step, and what broke off must be emptied before the next try.',
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
      const { nodes, edges, accounts } = await loadArchive(linesOf(path), partial, Date.now);
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
  const { importLines, isEmpty } = await import('../../core/archive/import-store.ts');
  try {
    const path = archivePath(name, terminal);
    const { nodes, edges, accounts } = await checkLines(linesOf(path));
    const stores = await openStores(store.config, terminal, true);
    try {
      if (!(await isEmpty(stores.graph)))
        throw new CommandFailure(exitCodes.failure, 'import', `there is something stored already: ${store.shown}`);
      await importLines(stores, () => linesOf(path));
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
  if (!statSync(path).isFile()) throw new CommandFailure(exitCodes.failure, `cannot read ${name}`, 'not a file');
  return path;
}

function linesOf(path: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
}

function importFailure(error: unknown, name: string): unknown {
  if (error instanceof ArchiveError)
    return new CommandFailure(exitCodes.invalid, `${name}:${error.line}`, `not a complete export: ${error.message}`);
  return storeFailure(error, 'import');
}
