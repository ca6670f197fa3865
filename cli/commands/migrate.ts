import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openDatabases } from '../../adapters/kvstore/open-databases.ts';
import { embeddedFile, kindsElsewhere } from '../../adapters/kvstore/options.ts';
import { databasesOptions } from '../../adapters/kvstore/with-databases.ts';
import { shownAddress } from '../../adapters/stores/postgres/address.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import type { Config } from '../../core/config/config.ts';
import type { MigrationEvents, MigrationSource, MigrationTarget } from '../../core/migration/ports.ts';
import { flagType } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { CommandFailure, usageFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { findProjectStore, projectOptions, requireStored, storeFailure } from '../program/project-store.ts';
import { createProgress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';

export const command: Command = {
  name: 'migrate',
  operands: '[app_file]',
  arity: [0, 1],
  about: 'Moves the store of an application to PostgreSQL, also while it is served.',
  examples: [
    ['svc migrate --to SHOP_DATABASE --env /etc/shop/env', 'the address is in a variable, and goes to a file'],
    ['svc migrate --kvstore', 'what kvstore had in a file, after its store got an address'],
  ],
  options: [
    {
      name: 'to',
      type: { kind: 'text', placeholder: 'ADDRESS' },
      about: 'Address of PostgreSQL, or the name of the environment variable that has it.',
    },
    {
      name: 'env',
      type: { kind: 'text', placeholder: 'FILE' },
      about: 'File of variables that gets DATABASE_URL with the address when everything has moved.',
    },
    {
      name: 'kvstore',
      type: flagType,
      about: 'Only bring documents and keys of kvstore from the file kvstore.db to where they are kept now.',
    },
    {
      name: 'keep',
      type: flagType,
      about: 'With --kvstore: what is there already stays, also when it is not the same.',
    },
    { name: 'cancel', type: flagType, about: 'Give up a move that broke off; the application goes on where it is.' },
    ...projectOptions,
  ],
  notes: [
    'Everything is copied while the application runs, then what has changed since. Every row of both stores is compared. Then nobody writes for a moment, the last changes follow, and the old store is closed for good: the application ends as after SIGTERM, and goes on with the new store when it is started with DATABASE_URL.',
    'When it breaks off, the same command again goes on where it was. Where the stores are not equal it ends with 1, and the application goes on with the old one. Data of kvstore in the file beside it go along; stored files stay where they are.',
  ],
  async run({ operands, options, terminal }) {
    const store = findProjectStore(operands[0], options, terminal);
    if (options['kvstore'] === true) return await bringKvstore(store.config, options['keep'] === true, terminal);
    if (store.kind !== 'sqlite')
      throw usageFailure('migrate', `the store is ${store.shown}, not a file`, [
        'svc export and svc import take it elsewhere',
      ]);
    requireStored(store, 'migrate');
    const { openEmbedded } = await import('../../adapters/kvstore/embedded/database.ts');
    const { openMigrationSource } = await import('../../adapters/stores/sqlite/migration-source.ts');
    try {
      const kept = join(store.config.dataDir, embeddedFile);
      // Programs that run may use it for the first time while everything moves.
      openEmbedded({ file: kept, durability: 'full', busyTimeoutMs: 5000 }).close();
      const source = openMigrationSource({ file: store.file, kept }, Date.now);
      try {
        if (options['cancel'] === true) return cancel(source, store.shown, terminal);
        const url = addressOf(options['to'] as string | undefined, terminal);
        const env = options['env'] as string | undefined;
        return await move({ source, url, env, config: store.config, terminal });
      } finally {
        source.close();
      }
    } catch (error) {
      throw migrateFailure(error);
    }
  },
};

/** From the file of the folder to the databases of the configuration. The file stays, and is not looked at again. `keeps`: what is there wins. */
async function bringKvstore(config: Config, keeps: boolean, terminal: Terminal): Promise<number> {
  const file = join(config.dataDir, embeddedFile);
  const shown = shownPathFrom(terminal.cwd, file);
  const options = databasesOptions(config, config.dataDir);
  const kinds = kindsElsewhere(options);
  if (kinds.length === 0) throw usageFailure('migrate', `documents and keys are kept in ${shown} itself`);
  if (!existsSync(file)) throw new CommandFailure(exitCodes.failure, 'migrate', `there is no ${shown}`);
  const { keptInFile } = await import('../../adapters/kvstore/read-kept.ts');
  const { bringKept } = await import('../../adapters/kvstore/write-kept.ts');
  const { markForgotten } = await import('../../adapters/kvstore/forgotten.ts');
  const databases = openDatabases(options);
  const progress = createProgress(terminal);
  let count = 0;
  const told = (done: number) => {
    count = done;
    progress.tell('documents and keys', done);
  };
  try {
    for (const mode of keeps ? (['keeps'] as const) : (['looks', 'writes'] as const))
      await bringKept(
        databases,
        keptInFile(options, file, kinds, Date.now()),
        mode,
        Date.now,
        mode === 'looks' ? undefined : told,
      );
    markForgotten(file, options);
  } catch (error) {
    throw error instanceof Error && error.name === 'KeptOtherwise'
      ? new CommandFailure(exitCodes.failure, 'migrate', error.message, [
          'nothing of it was replaced; --keep leaves what is there as it is, and brings the rest',
        ])
      : storeFailure(error, 'migrate');
  } finally {
    progress.end();
    await databases.close();
  }
  terminal.err(
    `svc: ${count} documents and keys of ${shown} are where kvstore keeps them now; the file can be deleted\n`,
  );
  return exitCodes.success;
}

function addressOf(to: string | undefined, terminal: Terminal): string {
  if (to === undefined) throw usageFailure('migrate', '--to is missing', ['svc migrate --to postgres://…']);
  const url = to.includes('://') ? to : (terminal.env[to] ?? '');
  if (/^postgres(ql)?:\/\//i.test(url)) return url;
  throw usageFailure(
    '--to',
    to.includes('://') ? 'the address must start with postgres://' : `${to} has no address of PostgreSQL`,
  );
}

function cancel(source: MigrationSource, shown: string, terminal: Terminal): number {
  if (source.movedTo() !== undefined)
    throw new CommandFailure(exitCodes.failure, 'migrate', `${shown} has moved to ${source.movedTo()} already`);
  source.thaw();
  source.unfollow();
  terminal.err(`svc: ${shown} stays; empty the other store before it is used again\n`);
  return exitCodes.success;
}

interface Move {
  readonly source: MigrationSource;
  readonly url: string;
  readonly env: string | undefined;
  readonly config: Config;
  readonly terminal: Terminal;
}

async function move({ source, url, env, config, terminal }: Move): Promise<number> {
  const { openMigrationTarget } = await import('../../adapters/stores/postgres/migration-target.ts');
  const { migrate } = await import('../../core/migration/migrate.ts');
  const { connectTimeoutMs, operationTimeoutMs } = config.scale.database;
  const to = `postgres (${shownAddress(url)})`;
  const target: MigrationTarget = await openMigrationTarget({
    url,
    connectTimeoutMs,
    operationTimeoutMs,
    nowMs: Date.now,
  });
  const progress = createProgress(terminal);
  const say = (text: string) => {
    progress.end();
    terminal.err(`svc: ${text}\n`);
  };
  const events: MigrationEvents = {
    resumed: () => say('a move broke off here; this one goes on with it'),
    copied: (done, all) => progress.tell('copied', done, all),
    compared: (done, all) => progress.tell('compared', done, all),
    equal: (shown, rows, digest) =>
      say(`equal: ${rows.toLocaleString('en-US')} ${shown}, sha256 ${digest.slice(0, 16)}`),
    frozen: () => say('nobody writes until the last changes are there'),
  };
  try {
    const done = await migrate({ source, target, to, events, nowMs: () => performance.now() });
    if (done.is !== 'moved')
      throw new CommandFailure(
        exitCodes.failure,
        'migrate',
        done.is === 'full' ? `there is something stored already: ${to}` : `another store was moving there: ${to}`,
        ['take an empty database'],
      );
    if (env !== undefined) writeAddress(resolve(terminal.cwd, env), url);
    say(`everything has moved to ${to}; nobody could write for ${(done.frozenMs / 1000).toFixed(2)} s`);
    if (env !== undefined) say(`DATABASE_URL is in ${shownPathFrom(terminal.cwd, resolve(terminal.cwd, env))}`);
    else say('set DATABASE_URL to that address and start the application');
    return exitCodes.success;
  } finally {
    progress.end();
    await target.close();
  }
}

/** The file appears as a whole, readable for its owner alone. */
function writeAddress(path: string, url: string): void {
  const before = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  const others = before.filter((line) => !/^\s*(export\s+)?DATABASE_URL\s*=/.test(line));
  while (others.at(-1) === '') others.pop();
  const partial = `${path}.partial`;
  rmSync(partial, { force: true });
  writeFileSync(partial, `${[...others, `DATABASE_URL=${url}`].join('\n')}\n`, { mode: 0o600 });
  renameSync(partial, path);
}

function migrateFailure(error: unknown): unknown {
  if (error instanceof Error && error.name === 'UnequalError')
    return new CommandFailure(exitCodes.failure, 'migrate', `the two stores are not equal: ${error.message}`, [
      'the application goes on with the old one; empty the new one and begin again',
    ]);
  return storeFailure(error, 'migrate');
}
