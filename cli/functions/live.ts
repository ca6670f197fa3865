/** Entry of the function that changes of the tables call, `handlers/live.handler`, and every minute a clock. */
import type { DynamoDBStreamEvent, ScheduledEvent } from 'aws-lambda';
import { createChangesHandler } from '../../adapters/hosts/lambda/stream-records.ts';
import { openDeployedConnections } from '../../adapters/stores/connections.ts';
import { createIdSource } from '../../handlers/identifiers.ts';
import { observed } from './observed.ts';
import { openFunction } from './open-function.ts';
import { openGateway } from './open-gateway.ts';

const opened = await openFunction(import.meta.url, { takesSockets: true });
const { version, config, stores, live } = opened;
const serve = createChangesHandler(
  live!.open({
    app: () => version.app.sockets!,
    live: () => version.app.live,
    auth: version.auth,
    store: stores.graph,
    connections: await openDeployedConnections(config),
    gateway: openGateway('', ''),
    clock: Date,
    nextId: createIdSource(),
  }),
);

export const handler = observed<DynamoDBStreamEvent | ScheduledEvent, void>(opened, serve);
