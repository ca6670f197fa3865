import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { shownPathFrom } from '../../base/shown-path.ts';
import { flagType } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { CommandFailure, usageFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { dropLeftOver, partialPath } from '../partial-file.ts';
import {
  findProjectStore,
  projectOptions,
  requireStored,
  storeFailure,
  warnOfMoved,
} from '../program/project-store.ts';

export const command: Command = {
  name: 'backup',
  operands: '[app_file]',
  arity: [0, 1],
  about: 'Copies the store to one file, also while it is served.',
  examples: [
    ['svc backup --out monday.db', 'a copy beside the project'],
    ['svc backup --out monday.db --force', 'in the place of an older one'],
  ],
  options: [
    { name: 'out', short: 'o', type: { kind: 'text', placeholder: 'FILE' }, about: 'Where the copy goes.' },
    { name: 'force', type: flagType, about: 'Replace a file that is there.' },
    ...projectOptions,
  ],
  notes: [
    'The copy has everything up to one commit: graph, accounts and keys. It appears when it is complete and on the disk.',
    'To restore it, stop the application and put the copy in the place of .svc/data/svc.db, without the files svc.db-wal and svc.db-shm.',
  ],
  async run({ operands, options, terminal }) {
    const out = options['out'] as string | undefined;
    if (out === undefined) throw usageFailure('backup', '--out is missing', ['svc backup --out FILE']);
    const copy = resolve(terminal.cwd, out);
    const store = findProjectStore(operands[0], options, terminal);
    if (store.kind !== 'sqlite') {
      throw usageFailure('backup', `the store is ${store.shown}, not a file`, [
        'use the backups of that service, or svc export for a copy as lines of JSON',
      ]);
    }
    requireStored(store, 'backup');
    await warnOfMoved(store, terminal);
    const shown = shownPathFrom(terminal.cwd, copy);
    if (copy === store.file) throw usageFailure('--out', 'that is the store itself');
    if (existsSync(copy) && options['force'] !== true) {
      throw new CommandFailure(exitCodes.failure, 'backup', `${shown} is there already`, ['--force replaces it']);
    }
    const { backUp } = await import('../../adapters/stores/sqlite/backup.ts');
    try {
      if (dropLeftOver(copy)) terminal.err(`svc: a backup to ${shown} broke off; this one begins anew\n`);
      backUp(store.file, copy, partialPath(copy), Date.now);
    } catch (error) {
      throw storeFailure(error, 'backup');
    }
    terminal.err(`svc: ${store.shown} was copied to ${shown}\n`);
    return exitCodes.success;
  },
};
