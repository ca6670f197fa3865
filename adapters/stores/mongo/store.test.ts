import { afterAll, beforeAll } from 'vitest';
import { describeStore } from '../../../test/contracts/store.ts';
import { type DocumentDatabase, openDocumentDatabase } from '../../../test/harness/mongo/document-database.ts';
import { openTested } from './fixture.ts';

let database: DocumentDatabase;
beforeAll(async () => {
  database = await openDocumentDatabase();
});
afterAll(() => database?.[Symbol.asyncDispose]());

let names = 0;
const run = Date.now().toString(36);
describeStore('docdb', () => openTested({ uri: database.uri, name: `svc_test_${run}_${++names}` }));
