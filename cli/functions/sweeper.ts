/**
 * Entry of the sweeper, `handlers/sweeper.handler`: every five minutes (docs/server/cloud.md#resources). It runs no
 * code of the application.
 */
import type { Context } from 'aws-lambda';
import { openDeployedConnections } from '../../adapters/stores/connections.ts';
import { openStore } from '../../adapters/stores/stores.ts';
import { sweepConnections } from '../../handlers/socket/sweep-connections.ts';
import { openBase } from './open-base.ts';
import { openGateway } from './open-gateway.ts';

// The sweeper checks no tokens and is given no secrets. Without the address of another database there are the
// connections to sweep.
const store = process.env['SVC_DATABASE_STORE'];
const isElsewhere =
  (store === 'docdb' && !process.env['DOCDB_URI']) || (store === 'postgres' && !process.env['DATABASE_URL']);
const { config, log } = await openBase(import.meta.url, {
  env: { JWT_SECRET: 'x'.repeat(64), ...(isElsewhere ? { SVC_DATABASE_STORE: 'dynamodb' } : {}) },
});
// An application without sockets has no table of connections, and no interface to end them with.
const hasSockets = (process.env['SVC_MANAGEMENT_ENDPOINT'] ?? '') !== '';
const [stores, connections] = await Promise.all([
  openStore(config),
  hasSockets ? openDeployedConnections(config) : undefined,
]);
const gateway = hasSockets ? openGateway('', '') : undefined;
const { authTimeoutSeconds } = config.scale.websocket;

/** Ends connections that ended without notice or owe a login, and settles large commits of processes that died. */
export async function handler(_event: unknown, context: Context): Promise<void> {
  log.begin(context);
  await Promise.all([
    connections && gateway && sweepConnections({ connections, gateway, log, authTimeoutSeconds, clock: Date }),
    stores.accounts.sweep(Date.now()),
  ]);
}
