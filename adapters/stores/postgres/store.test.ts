import { afterAll, beforeAll, describe } from 'vitest';
import { describeExportWhileWriting } from '../../../test/contracts/archive.ts';
import { describeStore } from '../../../test/contracts/store.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../../test/harness/postgres-server.ts';
import { openPostgresStore } from './store.ts';

describe.skipIf(!hasPostgres())('PostgreSQL', () => {
  let server: PostgresServer;
  let names = 0;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  describeExportWhileWriting('postgres', true, async (name) =>
    openPostgresStore({ url: await server.urlOf(`export_${name}`) }),
  );
  describeStore('postgres', async () => openPostgresStore({ url: await server.urlOf(`t${++names}`) }));
});
