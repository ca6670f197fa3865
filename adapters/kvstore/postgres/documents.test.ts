import { describeDocuments } from '../../../test/contracts/documents.ts';
import { onPostgres } from './fixture.ts';

onPostgres(describeDocuments);
