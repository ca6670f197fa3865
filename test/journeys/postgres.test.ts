/** The to-do list kept in PostgreSQL: a user's life, processes that are killed, a database that goes away, two workers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApps, describeOutage, describeServedStore, describeTwoWorkers } from '../contracts/served-store.ts';
import { type PostgresServer, startPostgres } from '../harness/postgres-server.ts';
import { runSvc } from '../harness/server.ts';

let database: PostgresServer;
const app = createApps();
const urls = new Map<string, string>();

beforeAll(async () => {
  database = await startPostgres();
  for (const name of ['todo', 'kill', 'run', 'workers']) urls.set(name, await database.urlOf(name));
});
afterAll(() => database?.[Symbol.asyncDispose]());

function inDatabase(name: string): Record<string, string> {
  return { DATABASE_URL: urls.get(name)! };
}

describeServedStore({ kind: 'postgres', envFor: inDatabase });
describeTwoWorkers(inDatabase);
describeOutage(async () => {
  const server = await startPostgres();
  return { server, env: { DATABASE_URL: server.url, SVC_DATABASE_OPERATION_TIMEOUT_MS: '2000' } };
});

test('nobody at the address, a wrong one, or no such database: the start ends and says so, without the password', async () => {
  const folder = app('examples/todo');
  const start = (url: string) =>
    runSvc(['start', 'main.svc', '--port', '0'], {
      cwd: folder,
      env: { DATABASE_URL: url, SVC_DATABASE_CONNECT_TIMEOUT_MS: '3000' },
    });
  const nobody = await start('postgres://ada:canary-secret@127.0.0.1:1,127.0.0.1:2/shop');
  const missing = await start(`postgres://svc:canary-secret@127.0.0.1:${database.port}/nowhere`);
  const wrong = await start('mysql://ada:canary-secret@127.0.0.1/shop');
  expect([nobody.code, missing.code, wrong.code]).toEqual([7, 7, 3]);
  expect(nobody.stderr).toMatch(
    /^svc: cannot use the store postgres \(shop at 127\.0\.0\.1:1,127\.0\.0\.1:2\): the store is not available: .*ECONNREFUSED/m,
  );
  expect(missing.stderr).toMatch(
    /^svc: cannot use the store postgres \(nowhere at .*\): the database does not exist$/m,
  );
  expect(wrong.stderr).toContain('must start with postgres:// or postgresql://');
  for (const { stderr } of [nobody, missing, wrong]) {
    expect(stderr).not.toContain('canary-secret');
    expect(stderr).not.toContain('    at ');
  }
});
