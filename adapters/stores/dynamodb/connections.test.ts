import { afterAll, beforeAll } from 'vitest';
import { describeConnections } from '../../../test/contracts/connections.ts';
import { type DynamoServer, startDynamo } from '../../../test/harness/dynamo-server.ts';
import { openDynamoConnections } from './connections.ts';

let server: DynamoServer;
beforeAll(async () => {
  server = await startDynamo();
});
afterAll(() => server?.stop());

let tables = 0;
describeConnections('dynamodb', (nowMs) =>
  openDynamoConnections({ endpoint: server.endpoint, tablePrefix: `t${++tables}-`, nowMs }),
);
