import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { newsFile } from '../../adapters/backplane/file-news.ts';
import { embeddedFile } from '../../adapters/kvstore/options.ts';
import type { Alone } from '../../adapters/stores/sqlite/take-alone.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import type { Config } from '../../core/config/config.ts';
import { flagType } from '../cli-option.ts';
import type { Command, CommandArgs } from '../command.ts';
import { CommandFailure, usageFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { findProjectStore, projectOptions, storeFailure } from '../program/project-store.ts';
import { confirmed } from '../prompt.ts';
import type { Terminal } from '../terminal.ts';

export const command: Command = {
  name: 'reset',
  operands: '[app_file]',
  arity: [0, 1],
  about: 'Deletes everything an application has stored.',
  examples: [
    ['svc reset', 'says what goes, and asks'],
    ['svc reset main.svc --yes', 'does not ask'],
  ],
  options: [{ name: 'yes', short: 'y', type: flagType, about: 'Do not ask.' }, ...projectOptions],
  notes: [
    'The embedded store with its graph, accounts and keys, the embedded databases of kvstore, and the files of local storage. Sources, svc.toml and secrets stay.',
    'Refused while another process has the store open, and in production without --yes. Stores of their own (MongoDB, DynamoDB, buckets) are emptied with their own tools.',
  ],
  run: reset,
};

/** One thing that goes. */
interface Part {
  /** `.svc/data/svc.db: 5 nodes, 1 account` */
  readonly shown: string;
  remove(): void;
}

async function reset({ operands, options, terminal }: CommandArgs): Promise<number> {
  const store = findProjectStore(operands[0], options, terminal);
  if (store.kind !== 'sqlite')
    throw usageFailure('reset', `the store is ${store.shown}, not a file`, ['empty it with the tools of that service']);
  const { config } = store;
  const isSure = options['yes'] === true;
  if (!isSure && config.mode === 'production')
    throw usageFailure('reset', 'in production it needs --yes', ['svc backup --out FILE makes a copy first']);
  const storage = storageParts(config, terminal);
  await using held = await holdAlone([store.file, join(config.dataDir, embeddedFile)], terminal);
  const parts = [...held.parts, ...storage.parts];
  if (parts.length === 0) {
    terminal.out(`Nothing is stored.\n${storage.kept}`);
    return exitCodes.success;
  }
  terminal.out(`This deletes for good:\n${parts.map(({ shown }) => `  ${shown}\n`).join('')}${storage.kept}`);
  if (!isSure && !(await confirmed('reset', terminal))) {
    terminal.out('Nothing was deleted.\n');
    return exitCodes.failure;
  }
  for (const part of parts) part.remove();
  rmSync(newsFile(config.dataDir), { force: true });
  terminal.out('Deleted.\n');
  return exitCodes.success;
}

/** Databases with nobody else in them until they are gone. @throws CommandFailure 1 when somebody is */
async function holdAlone(files: readonly string[], terminal: Terminal) {
  const { takeAlone } = await import('../../adapters/stores/sqlite/take-alone.ts');
  const { refusedBy } = await import('../../adapters/stores/sqlite/open-file.ts');
  const held = new Set<Alone>();
  const release = () => {
    for (const one of held) one.release();
  };
  const parts: Part[] = [];
  for (const file of files.filter((one) => existsSync(one))) {
    const shown = shownPathFrom(terminal.cwd, file);
    let alone: Alone | undefined;
    try {
      alone = takeAlone(file);
    } catch (error) {
      release();
      throw storeFailure(refusedBy(error, file), 'reset');
    }
    if (alone === undefined) {
      release();
      throw new CommandFailure(exitCodes.failure, 'reset', `${shown} is in use`, [
        'stop the server, or whoever else has it open',
      ]);
    }
    held.add(alone);
    const remove = () => {
      held.delete(alone);
      alone.remove();
    };
    parts.push({ shown: `${shown}${contents(alone)}`, remove });
  }
  return {
    parts,
    async [Symbol.asyncDispose]() {
      release();
    },
  };
}

function contents({ counts }: Alone): string {
  if (counts === undefined) return ', which is damaged';
  const { nodes, accounts, documents } = counts;
  const texts = [
    counted(nodes, 'node'),
    counted(accounts, 'account'),
    counted(documents, 'document or key', 'documents and keys'),
  ];
  return `: ${texts.filter((text) => text !== undefined).join(', ')}`;
}

/** Undefined for what the file has no table of. */
function counted(n: number | undefined, one: string, many = `${one}s`): string | undefined {
  return n === undefined ? undefined : `${n} ${n === 1 ? one : many}`;
}

/** @throws CommandFailure 3 for a folder that has more than stored files in it */
function storageParts(config: Config, terminal: Terminal): { readonly parts: readonly Part[]; readonly kept: string } {
  const { storageType, basePath } = config.storage;
  if (storageType !== 'local')
    return { parts: [], kept: `Files are kept in storage of type ${storageType}: they stay.\n` };
  const folder = resolve(config.projectDir, basePath);
  if (!existsSync(folder)) return { parts: [], kept: '' };
  const shown = shownPathFrom(terminal.cwd, folder);
  if (`${config.projectDir}${sep}`.startsWith(folder === sep ? sep : `${folder}${sep}`))
    throw new CommandFailure(
      exitCodes.invalid,
      'storage.base_path',
      `${shown} is the folder of the project, or above it`,
      ['its files are not deleted: move the stored ones to a folder of their own'],
    );
  const { files, bytes } = sizeOf(folder);
  return {
    parts: [
      {
        shown: `${shown}: ${counted(files, 'file')}, ${Math.ceil(bytes / 1024)} KB`,
        remove: () => rmSync(folder, { recursive: true, force: true }),
      },
    ],
    kept: '',
  };
}

function sizeOf(folder: string): { files: number; bytes: number } {
  const sizes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => lstatSync(join(entry.parentPath, entry.name)).size);
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
