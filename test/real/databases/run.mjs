/**
 * Runs the tests of a store against another counterpart: `node test/real/databases/run.mjs postgres-13 postgres-18 valkey secantus`, without
 * names all of them. What is given after `--` goes to vitest.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { programs } from './programs.mjs';

const root = join(import.meta.dirname, '../../..');
/** Without the files that start a standby (`line`, `failover`): these builds lack `pg_basebackup`. */
const onPostgres = [
  ...['store', 'crash', 'remembered', 'round-trips'].map((name) => `adapters/stores/postgres/${name}.test.ts`),
  ...['adapters/backplane/postgres.test.ts', 'adapters/postgres', 'adapters/topics/postgres.test.ts'],
  ...['test/journeys/postgres.test.ts', 'test/journeys/migrate.test.ts'],
];
const runs = {
  'postgres-13': { variable: 'POSTGRES', files: onPostgres },
  'postgres-18': { variable: 'POSTGRES', files: onPostgres },
  valkey: {
    variable: 'REDIS_SERVER',
    files: [
      ...[
        'adapters/kvstore/redis',
        'adapters/redis',
        'adapters/backplane/redis.test.ts',
        'adapters/topics/redis.test.ts',
      ],
      ...['adapters/stores/mongo/cache.test.ts', 'test/journeys/redis.test.ts', 'test/journeys/topics-faults.test.ts'],
    ],
  },
  secantus: {
    variable: 'SVC_TEST_MONGO',
    files: [
      ...['store', 'cache', 'leases'].map((name) => `adapters/stores/mongo/${name}.test.ts`),
      ...['adapters/kvstore/mongo/documents.test.ts', 'test/journeys/mongo.test.ts', 'test/journeys/archive.test.ts'],
      ...['test/journeys/live-processes.test.ts', 'test/journeys/histories.test.ts', 'test/wire/mongo.test.ts'],
    ],
  },
};

const given = process.argv.slice(2);
const split = given.includes('--') ? given.indexOf('--') : given.length;
const names = split === 0 ? Object.keys(runs) : given.slice(0, split);
let failed = 0;
for (const name of names) {
  const run = runs[name];
  if (run === undefined || !existsSync(programs[name])) {
    console.error(
      `no counterpart ${name}: node test/real/databases/build.mjs installs ${Object.keys(runs).join(', ')}`,
    );
    process.exit(2);
  }
  console.log(`\n${name}: ${run.variable}=${programs[name]}`);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...run.files, ...given.slice(split + 1)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, [run.variable]: programs[name] },
  });
  if (status !== 0) failed++;
}
process.exit(failed > 0 ? 1 : 0);
