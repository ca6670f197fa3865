import { afterAll, beforeAll } from 'vitest';
import { describeLeases } from '../../../test/contracts/leases.ts';
import { type DocumentDatabase, openDocumentDatabase } from '../../../test/harness/mongo/document-database.ts';
import { openMongoStore } from './store.ts';

let database: DocumentDatabase;
beforeAll(async () => {
  database = await openDocumentDatabase();
});
afterAll(() => database?.[Symbol.asyncDispose]());

const run = Date.now().toString(36);
describeLeases('docdb', (name, nowMs) =>
  openMongoStore({ uri: database.uri, name: `svc_lease_${run}_${name}`, nowMs }),
);
