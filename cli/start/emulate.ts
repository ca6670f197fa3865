import { emulateHttp } from '../../adapters/hosts/emulated/emulate-http.ts';
import { emulateSockets } from '../../adapters/hosts/emulated/emulate-sockets.ts';
import { maxMessageBytes } from '../../adapters/hosts/lambda/limits.ts';
import { createSocketHandler } from '../../adapters/hosts/lambda/socket-handler.ts';
import { createTableRateLimit } from '../../adapters/hosts/lambda/table-rate-limit.ts';
import { openConnections } from '../../adapters/stores/connections.ts';
import type { Stores } from '../../adapters/stores/stores.ts';
import type { Config } from '../../core/config/config.ts';
import type { Log } from '../../core/log/log.ts';
import type { App } from '../../handlers/app.ts';
import type { AccountAuth } from '../../handlers/auth/auth.ts';
import type { RateRules } from '../../handlers/http/rate-limit.ts';
import { createIdSource } from '../../handlers/identifiers.ts';
import { createTableSockets } from '../../handlers/socket/table-sockets.ts';
import type { Front } from './open-serving.ts';
import type { VersionParts } from './open-version.ts';

export interface EmulationParts {
  readonly served: App;
  readonly auth: AccountAuth;
  readonly config: Config;
  readonly stores: Stores;
  readonly log: Log;
}

/** The gateway of the cloud in this process, with the functions' own entries behind it (docs/server/cloud.md#emulation). */
export async function openEmulation({ served, auth, config, stores, log }: EmulationParts): Promise<Front> {
  const { timeoutSeconds, websocketTimeoutSeconds, streamFunctionUrl } = config.scale.cloud;
  const roundTrips = process.env['SVC_EMULATE_JSON'] === '1';
  const sockets = emulateSockets({ timeoutSeconds: websocketTimeoutSeconds, roundTrips });
  let current = auth;
  const table = createTableSockets({
    app: () => served.sockets!,
    auth: {
      identifyToken: (token) => current.identifyToken(token),
      identifyClaims: (claims) => current.identifyClaims(claims),
    },
    connections: await openConnections(config),
    counters: stores.accounts,
    gateway: sockets.gateway,
    rules: config.scale.websocket,
    maxJsonDepth: config.serve.maxJsonDepth,
    maxFrameBytes: maxMessageBytes,
    log,
    clock: Date,
    nextId: createIdSource(),
  });
  sockets.serve(createSocketHandler(served, table, log));
  setInterval(() => void table.sweep().catch((error) => log.warn('the sweep failed', { error })), sweepMs).unref();
  return {
    app: emulateHttp(served, { timeoutSeconds, roundTrips, streams: streamFunctionUrl }),
    sockets,
    programChanged(version) {
      current = version.auth;
    },
  };
}

/**
 * Gives the parts of an instance of a function that differ from a server's: a disk that does not last, rates counted in
 * the store.
 */
export function asInFunction({ accounts }: Stores, shared: VersionParts['shared']) {
  const rateLimit = (rules: RateRules) => createTableRateLimit(accounts, rules, Date.now);
  return { passingDisk: {}, shared: { ...shared, rateLimit } } satisfies Partial<VersionParts>;
}

/** docs/server/cloud.md#resources: the sweeper runs every five minutes. */
const sweepMs = 300_000;
