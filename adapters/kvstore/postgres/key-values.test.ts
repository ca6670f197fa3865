import { afterAll, beforeAll, describe } from 'vitest';
import { describeKeyValues } from '../../../test/contracts/key-values.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../../test/harness/postgres-server.ts';
import { testDatabases } from '../../../test/harness/test-databases.ts';

let server: PostgresServer;
let made = 0;

beforeAll(async () => {
  if (hasPostgres()) server = await startPostgres();
});
afterAll(() => server?.[Symbol.asyncDispose]());

describe.skipIf(!hasPostgres())('a real server', () => {
  describeKeyValues('postgres', async () => {
    const databaseUrl = await server.urlOf(`kv${made++}`);
    const ends = [testDatabases({ databaseUrl }), testDatabases({ databaseUrl })] as const;
    return {
      ends,
      async [Symbol.asyncDispose]() {
        for (const end of ends) await end.close();
      },
    };
  });
});
