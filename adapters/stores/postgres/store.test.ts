import { afterAll, beforeAll } from 'vitest';
import { describeStore } from '../../../test/contracts/store.ts';
import { type PostgresServer, startPostgres } from '../../../test/harness/postgres-server.ts';
import { openPostgresStore } from './store.ts';

let server: PostgresServer;
let names = 0;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.[Symbol.asyncDispose]());

describeStore('postgres', async () => openPostgresStore({ url: await server.urlOf(`t${++names}`) }));
