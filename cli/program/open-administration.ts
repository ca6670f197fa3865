import { tellByFile } from '../../adapters/backplane/file-news.ts';
import { storeKind } from '../../adapters/stores/stores.ts';
import { type Administration, administer } from '../../core/accounts/administer.ts';
import { identityProblem, type LoginIdentity, readIdentity } from '../../core/accounts/identity.ts';
import { passwordProblems } from '../../core/accounts/password-problems.ts';
import { passwordRulesOf } from '../../core/accounts/password-rules.ts';
import { createPasswords } from '../../core/accounts/passwords.ts';
import type { Config } from '../../core/config/config.ts';
import type { OptionValues } from '../cli-option.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { openProcessLog } from '../start/open-log.ts';
import type { Terminal } from '../terminal.ts';
import { openStores } from './open-stores.ts';
import { findProjectStore, requireStored } from './project-store.ts';

export interface OpenAdministration extends AsyncDisposable {
  readonly administration: Administration;
  /** @throws CommandFailure saying what is wrong with a name */
  readName(name: string): LoginIdentity;
  /** Lists the faults of a new password, in words. */
  problemsOf(password: string, names: readonly LoginIdentity[]): readonly string[];
}

/** The accounts of a project, also while it is being served. `mayBegin`: a store that is not there yet is made. @throws CommandFailure */
export async function openAdministration(
  options: OptionValues,
  terminal: Terminal,
  mayBegin: boolean,
): Promise<OpenAdministration> {
  const found = findProjectStore(undefined, options, terminal);
  if (found.kind === 'sqlite' && !mayBegin) requireStored(found, 'user');
  const { config } = found;
  const stores = await openStores(config, terminal, true);
  const news = await openNews(config, terminal);
  const administration = administer({
    store: stores.accounts,
    config,
    passwords: createPasswords({
      preferred: config.scale.auth.passwordHash,
      onFallback: () =>
        terminal.err('note: argon2id cannot be loaded on this system: passwords are hashed with scrypt\n'),
    }),
    async tell(userId) {
      await Promise.all([tellByFile(config.dataDir, userId), news?.tell(userId)]);
    },
  });
  return {
    administration,
    readName(name) {
      const identity = readIdentity(name);
      const problem = identityProblem(identity);
      if (problem !== undefined) throw new CommandFailure(exitCodes.failure, `user add ${name}`, `the name ${problem}`);
      return identity;
    },
    problemsOf: (password, names) =>
      passwordProblems(password, names, passwordRulesOf(config), []).map(({ msg }) => msg),
    async [Symbol.asyncDispose]() {
      await news?.close();
      await stores.close();
    },
  };
}

/** Through the key-value store, where processes of the application have one in common. */
async function openNews(config: Config, terminal: Terminal) {
  const { kvcacheUrl } = config.scale.database;
  if (kvcacheUrl === '') return storeKind(config) === 'postgres' ? await openDatabaseNews(config, terminal) : undefined;
  const { openRedis } = await import('../../adapters/redis/open-redis.ts');
  const { createRedisBackplane } = await import('../../adapters/backplane/redis.ts');
  const { shareNewsBy } = await import('../../adapters/backplane/news.ts');
  const { log, flush } = openProcessLog(config, terminal);
  const link = await openRedis({ url: kvcacheUrl, prefix: `svc:${config.project.name}:`, log });
  const { tell } = shareNewsBy(createRedisBackplane(link), log);
  return {
    tell,
    async close() {
      await link.close();
      flush();
    },
  };
}

/** Through PostgreSQL, which the processes have in common anyhow. */
async function openDatabaseNews(config: Config, terminal: Terminal) {
  const { openBus } = await import('../../adapters/postgres/open-bus.ts');
  const { createPostgresBackplane } = await import('../../adapters/backplane/postgres.ts');
  const { shareNewsBy } = await import('../../adapters/backplane/news.ts');
  const { log, flush } = openProcessLog(config, terminal);
  const { databaseUrl: url } = config.scale.database;
  const bus = await openBus({ url, application: config.project.name, log });
  const { tell } = shareNewsBy(createPostgresBackplane(bus), log);
  return {
    tell,
    async close() {
      await bus.close();
      flush();
    },
  };
}
