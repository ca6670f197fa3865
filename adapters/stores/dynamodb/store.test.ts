import { afterAll, beforeAll } from 'vitest';
import { describeStore } from '../../../test/contracts/store.ts';
import { type DynamoServer, startDynamo } from '../../../test/harness/dynamo-server.ts';
import { openDynamoStore } from './store.ts';

let server: DynamoServer;
beforeAll(async () => {
  server = await startDynamo();
});
afterAll(() => server?.stop());

let tables = 0;
describeStore('dynamodb', () => openDynamoStore({ endpoint: server.endpoint, tablePrefix: `t${++tables}-` }));
