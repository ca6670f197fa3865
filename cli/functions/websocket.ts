/** Entry of the socket function, `handlers/websocket.handler`. */
import type { Context } from 'aws-lambda';
import { maxMessageBytes } from '../../adapters/hosts/lambda/limits.ts';
import {
  createSocketHandler,
  type SocketEvent,
  type SocketResult,
} from '../../adapters/hosts/lambda/socket-handler.ts';
import { openDeployedConnections } from '../../adapters/stores/connections.ts';
import { createIdSource } from '../../handlers/identifiers.ts';
import { createTableSockets, type PostToConnection } from '../../handlers/socket/table-sockets.ts';
import { openFunction } from './open-function.ts';
import { openGateway } from './open-gateway.ts';

const { version, config, stores, log, metrics, begin } = await openFunction(import.meta.url);
let gateway: PostToConnection | undefined;

const sockets = createTableSockets({
  app: () => version.app.sockets!,
  auth: version.auth,
  connections: await openDeployedConnections(config),
  counters: stores.accounts,
  gateway: { post: (cid, text) => gateway!.post(cid, text), cut: (cid) => gateway!.cut(cid) },
  rules: config.scale.websocket,
  maxJsonDepth: config.serve.maxJsonDepth,
  maxFrameBytes: maxMessageBytes,
  log,
  meters: metrics?.meters,
  clock: Date,
  nextId: createIdSource(),
});
const serve = createSocketHandler(version.app, sockets, log);

export async function handler(event: SocketEvent, context: Context): Promise<SocketResult> {
  await begin(context);
  gateway ??= openGateway(event.requestContext.domainName, event.requestContext.stage);
  const result = await serve(event, context);
  metrics?.flush();
  return result;
}
