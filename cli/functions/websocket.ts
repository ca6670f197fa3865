/** Entry of the socket function, `handlers/websocket.handler`. */
import {
  createSocketHandler,
  type SocketEvent,
  type SocketResult,
} from '../../adapters/hosts/lambda/socket-handler.ts';
import { openDeployedConnections } from '../../adapters/stores/connections.ts';
import { maxMessageBytes } from '../../core/platforms/aws-limits.ts';
import { createIdSource } from '../../handlers/identifiers.ts';
import type { PostToConnection } from '../../handlers/socket/post-to-connection.ts';
import { createTableSockets } from '../../handlers/socket/table-sockets.ts';
import { observed } from './observed.ts';
import { openFunction } from './open-function.ts';
import { openGateway } from './open-gateway.ts';

const opened = await openFunction(import.meta.url, { takesSockets: true });
const { version, config, stores, log, metrics } = opened;
let gateway: PostToConnection | undefined;

const common = {
  app: () => version.app.sockets!,
  auth: version.auth,
  connections: await openDeployedConnections(config),
  gateway: { post: (cid: string, text: string) => gateway!.post(cid, text), cut: (cid: string) => gateway!.cut(cid) },
  clock: Date,
  nextId: createIdSource(),
};

const sockets = createTableSockets({
  ...common,
  counters: stores.accounts,
  rules: config.scale.websocket,
  maxJsonDepth: config.serve.maxJsonDepth,
  maxFrameBytes: maxMessageBytes,
  log,
  meters: metrics?.meters,
  live: opened.live?.open({ ...common, live: () => version.app.live, store: stores.graph }),
});
const serve = createSocketHandler(version.app, sockets, log);

export const handler = observed<SocketEvent, SocketResult>(opened, (event, context) => {
  gateway ??= openGateway(event.requestContext.domainName, event.requestContext.stage);
  return serve(event, context);
});
