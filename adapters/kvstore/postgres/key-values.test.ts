import { describeKeyValues } from '../../../test/contracts/key-values.ts';
import { onPostgres } from './fixture.ts';

onPostgres(describeKeyValues);
