import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { embeddedFile } from '../../adapters/kvstore/options.ts';
import { databasesOptions } from '../../adapters/kvstore/with-databases.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import type { ArchiveLine } from '../../core/archive/archive.ts';
import type { Config } from '../../core/config/config.ts';
import { flagType } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { dropLeftOver, partialPath } from '../partial-file.ts';
import { openStores } from '../program/open-stores.ts';
import {
  findProjectStore,
  type ProjectStore,
  projectOptions,
  type RemoteStore,
  requireStored,
  storeFailure,
  warnOfMoved,
} from '../program/project-store.ts';
import { counted, createProgress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';

/** Lines are written in pieces of about this many characters. */
const pieceLength = 256 * 1024;

export const command: Command = {
  name: 'export',
  operands: '[app_file]',
  arity: [0, 1],
  about: 'Writes what is stored as lines of JSON, also while it is served.',
  examples: [
    ['svc export --out all.jsonl', 'everything'],
    ['svc export --no-accounts | wc -l', 'without names and passwords'],
  ],
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
    'One line per node, edge, account, and document or key that programs keep with kvstore in the file beside the store or in PostgreSQL; svc import makes a store of them, of the same kind or another. API keys are not exported, nor are databases that kvstore has an address of its own for.',
    'All as it was at one moment, each call in it as a whole or not at all. A store that cannot hold a moment is looked through until nothing has changed; where others never stop changing it, the file and standard error say that it is not of one moment.',
    'The file appears when it is complete. An export that broke off is begun anew: what it had written is of another moment.',
    'With --no-accounts the users are there, with their graphs, but nobody can sign in as one of them.',
  ],
  async run({ operands, options, terminal }) {
    const store = findProjectStore(operands[0], options, terminal);
    const out = options['out'] as string | undefined;
    const withCredentials = options['no-accounts'] !== true;
    const graph =
      store.kind === 'sqlite'
        ? await linesOfFile(store, withCredentials, terminal)
        : linesOfStore(store, withCredentials, terminal, out);
    try {
      const lines = await withKeptLines(graph, store);
      if (out === undefined) {
        for await (const piece of pieces(lines)) terminal.out(piece);
        return exitCodes.success;
      }
      const path = resolve(terminal.cwd, out);
      const shown = shownPathFrom(terminal.cwd, path);
      if (dropLeftOver(path)) terminal.err(`svc: an export to ${shown} broke off; this one begins anew\n`);
      await writeWhole(path, pieces(counted(lines, 'lines written', terminal)));
      terminal.err(`svc: ${store.shown} was written to ${shown}\n`);
      return exitCodes.success;
    } catch (error) {
      throw storeFailure(error, 'export');
    }
  },
};

/** Adds the lines of `kvstore`. */
async function withKeptLines(
  lines: Iterable<ArchiveLine> | AsyncIterable<ArchiveLine>,
  { config }: { readonly config: Config },
) {
  const { withKept } = await import('../../core/archive/kept-lines.ts');
  const { keptLines } = await import('../../adapters/kvstore/read-kept.ts');
  const options = databasesOptions(config, config.dataDir);
  return withKept(lines, keptLines(options, join(config.dataDir, embeddedFile), Date.now));
}

/** All as it was at one commit. */
async function linesOfFile(
  store: ProjectStore,
  withCredentials: boolean,
  terminal: Terminal,
): Promise<Iterable<ArchiveLine>> {
  requireStored(store, 'export');
  await warnOfMoved(store, terminal);
  const { archiveLines } = await import('../../adapters/stores/sqlite/write-archive.ts');
  return archiveLines(store.file, withCredentials, Date.now);
}

async function* linesOfStore(
  store: RemoteStore,
  withCredentials: boolean,
  terminal: Terminal,
  out: string | undefined,
): AsyncGenerator<ArchiveLine> {
  const { exportLines } = await import('../../adapters/archive/export-store.ts');
  const stores = await openStores(store.config, terminal, true);
  const { openSpool } = await import('../../adapters/stores/sqlite/spool.ts');
  const progress = out === undefined ? undefined : createProgress(terminal);
  // The rows that are read wait beside the file: where there is room for the one there should be for the other.
  const spool = out === undefined ? join(tmpdir(), 'svc-export') : resolve(terminal.cwd, out);
  const told = (nodes: number) => progress?.tell('nodes read', nodes);
  try {
    for await (const line of exportLines(
      stores,
      withCredentials,
      Date.now,
      () => openSpool(partialPath(spool)),
      told,
    )) {
      if (line.kind === 'svc-graph') progress?.end();
      if (line.kind === 'svc-graph' && !line.of_one_moment) {
        terminal.err('warning: the store kept changing: calls made meanwhile may be in the export in part\n');
      }
      yield line;
    }
  } finally {
    await stores.close();
  }
}

async function* pieces(lines: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<string> {
  let piece = '';
  for await (const line of lines) {
    piece += `${JSON.stringify(line)}\n`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** The file appears when it is complete; nobody else reads it, since accounts are in it. */
async function writeWhole(path: string, content: AsyncIterable<string>): Promise<void> {
  const partial = partialPath(path);
  const handle = openSync(partial, 'wx', 0o600);
  try {
    for await (const piece of content) writeSync(handle, piece);
    fsyncSync(handle);
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}
