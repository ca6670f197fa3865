import { afterAll, beforeAll, describe } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgres } from '../../../test/harness/postgres-server.ts';
import { testDatabases } from '../../../test/harness/test-databases.ts';

/** Runs a contract of `kvstore` on PostgreSQL: each `open` gives two processes' ways to an empty schema of their own. */
export function onPostgres(contract: (name: string, open: () => ReturnType<typeof openEnds>) => void): void {
  beforeAll(async () => {
    if (hasPostgres()) server = await startPostgres();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());
  describe.skipIf(!hasPostgres())('a real server', () => contract('postgres', openEnds));
}

let server: PostgresServer;
let made = 0;

async function openEnds() {
  const databaseUrl = await server.urlOf(`kv${made++}`);
  const ends = [testDatabases({ databaseUrl }), testDatabases({ databaseUrl })] as const;
  return {
    ends,
    async [Symbol.asyncDispose]() {
      for (const end of ends) await end.close();
    },
  };
}
