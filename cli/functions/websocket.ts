/** Entries of the socket function, `handlers/websocket.handler`, and of the sweeper, `handlers/websocket.sweep`. */
import process from 'node:process';
import type { Context } from 'aws-lambda';
import { maxMessageBytes } from '../../adapters/hosts/lambda/limits.ts';
import { openManagementApi } from '../../adapters/hosts/lambda/management-api.ts';
import {
  createSocketHandler,
  type SocketEvent,
  type SocketResult,
} from '../../adapters/hosts/lambda/socket-handler.ts';
import { openConnections } from '../../adapters/stores/connections.ts';
import { createIdSource } from '../../handlers/identifiers.ts';
import { createTableSockets, type PostToConnection } from '../../handlers/socket/table-sockets.ts';
import { openFunction } from './open-function.ts';

const { version, config, stores, log } = await openFunction(import.meta.url);
let gateway: PostToConnection | undefined;

/** `SVC_MANAGEMENT_ENDPOINT` is for the sweeper, which gets no events of the API, and for emulators. */
function openGateway(domain: string, stage: string): PostToConnection {
  return openManagementApi(
    process.env['SVC_MANAGEMENT_ENDPOINT'] || `https://${domain}/${stage}`,
    process.env['AWS_REGION'],
  );
}

const sockets = createTableSockets({
  app: () => version.app.sockets!,
  auth: version.auth,
  connections: await openConnections(config),
  counters: stores.accounts,
  gateway: { post: (cid, text) => gateway!.post(cid, text), cut: (cid) => gateway!.cut(cid) },
  rules: config.scale.websocket,
  maxJsonDepth: config.serve.maxJsonDepth,
  maxFrameBytes: maxMessageBytes,
  log,
  clock: Date,
  nextId: createIdSource(),
});
const serve = createSocketHandler(version.app, sockets, log);

export async function handler(event: SocketEvent, context: Context): Promise<SocketResult> {
  log.begin(context);
  gateway ??= openGateway(event.requestContext.domainName, event.requestContext.stage);
  return await serve(event, context);
}

/** Every five minutes: removes connections that ended without notice, and ends those that owe a login. */
export async function sweep(_event: unknown, context: Context): Promise<void> {
  log.begin(context);
  gateway ??= openGateway('', '');
  await sockets.sweep();
}
