import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { shownPathFrom } from '../../base/shown-path.ts';
import { flagType } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { findProjectStore, projectOptions, requireStored, storeFailure } from '../program/project-store.ts';

/** Lines are written in pieces of about this many characters. */
const pieceLength = 256 * 1024;

export const command: Command = {
  name: 'export',
  operands: '[app_file]',
  arity: [0, 1],
  about: 'Writes the stored graph as lines of JSON, also while it is being served.',
  options: [
    {
      name: 'out',
      short: 'o',
      type: { kind: 'text', placeholder: 'FILE' },
      about: 'File.',
      default: 'standard output',
    },
    { name: 'no-accounts', type: flagType, about: 'Leave out names, passwords and profiles.' },
    ...projectOptions,
  ],
  notes: [
    'One line per node, edge and account, all as they were at one commit; svc import makes a store of them. API keys are not exported.',
    'With --no-accounts the users are there, with their graphs, but nobody can sign in as one of them.',
  ],
  async run({ operands, options, terminal }) {
    const store = findProjectStore(operands[0], 'export', options, terminal);
    requireStored(store, 'export');
    const { archiveLines } = await import('../../adapters/stores/sqlite/write-archive.ts');
    const out = options['out'] as string | undefined;
    try {
      const lines = archiveLines(store.file, options['no-accounts'] !== true, Date.now);
      if (out === undefined) for (const piece of pieces(lines)) terminal.out(piece);
      else writeWhole(resolve(terminal.cwd, out), pieces(lines));
    } catch (error) {
      throw storeFailure(error, 'export');
    }
    if (out !== undefined) {
      terminal.err(`svc: ${store.shown} was written to ${shownPathFrom(terminal.cwd, resolve(terminal.cwd, out))}\n`);
    }
    return exitCodes.success;
  },
};

function* pieces(lines: Iterable<unknown>): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += `${JSON.stringify(line)}\n`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** The file appears when it is complete; nobody else reads it, since accounts are in it. */
function writeWhole(path: string, content: Iterable<string>): void {
  const partial = `${path}.partial`;
  rmSync(partial, { force: true });
  const handle = openSync(partial, 'wx', 0o600);
  try {
    for (const piece of content) writeSync(handle, piece);
    fsyncSync(handle);
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}
