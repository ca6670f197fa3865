import { createReadStream, linkSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from '../command.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { findProjectStore, projectOptions, storeFailure } from '../program/project-store.ts';

export const command: Command = {
  name: 'import',
  operands: '<file> [app_file]',
  arity: [1, 2],
  about: 'Makes the store of an application from what svc export wrote.',
  options: [...projectOptions],
  notes: [
    'Only where nothing is stored yet. All of the file is taken, or nothing: it is checked to its last line before the store is there.',
  ],
  async run({ operands, options, terminal }) {
    const [name, appFile] = operands as [string, string | undefined];
    const store = findProjectStore(appFile, 'import', options, terminal);
    if (store.exists) {
      throw new CommandFailure(exitCodes.failure, 'import', `there is a store already: ${store.shown}`, [
        'svc backup --out FILE copies it; then move it away, with its -wal and -shm',
      ]);
    }
    const partial = `${store.file}.partial`;
    const { ArchiveError, loadArchive } = await import('../../adapters/stores/sqlite/read-archive.ts');
    try {
      const path = resolve(terminal.cwd, name);
      if (!statSync(path).isFile()) throw new CommandFailure(exitCodes.failure, `cannot read ${name}`, 'not a file');
      mkdirSync(dirname(store.file), { recursive: true });
      rmSync(partial, { force: true });
      const lines = createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
      const { nodes, edges, accounts } = await loadArchive(lines, partial, Date.now);
      // Unlike a rename this fails when somebody made a store meanwhile.
      linkSync(partial, store.file);
      terminal.err(`svc: ${nodes} nodes, ${edges} edges and ${accounts} accounts are in ${store.shown}\n`);
      return exitCodes.success;
    } catch (error) {
      if (error instanceof ArchiveError)
        throw new CommandFailure(exitCodes.invalid, `${name}:${error.line}`, `not a complete export: ${error.message}`);
      throw storeFailure(error, 'import');
    } finally {
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${partial}${suffix}`, { force: true });
    }
  },
};
