import { afterAll, beforeAll } from 'vitest';
import { describeExportWhileWriting } from '../../../test/contracts/archive.ts';
import { describeLeases } from '../../../test/contracts/leases.ts';
import {
  type DocumentDatabase,
  holdsMoments,
  openDocumentDatabase,
} from '../../../test/harness/mongo/document-database.ts';
import { openTested } from './fixture.ts';

let database: DocumentDatabase;
beforeAll(async () => {
  database = await openDocumentDatabase();
});
afterAll(() => database?.[Symbol.asyncDispose]());

const run = Date.now().toString(36);
const open = (name: string, nowMs = Date.now) =>
  openTested({ uri: database.uri, name: `svc_lease_${run}_${name}`, nowMs });

describeLeases('docdb', open);
describeExportWhileWriting('docdb', holdsMoments, open);
