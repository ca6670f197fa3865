import { emulateChanges, type FollowedRows, followRows } from '../../adapters/hosts/emulated/emulate-changes.ts';
import { emulateHttp } from '../../adapters/hosts/emulated/emulate-http.ts';
import { emulateSockets } from '../../adapters/hosts/emulated/emulate-sockets.ts';
import { createSocketHandler } from '../../adapters/hosts/lambda/socket-handler.ts';
import { createTableRateLimit } from '../../adapters/hosts/lambda/table-rate-limit.ts';
import { openConnections, openRows } from '../../adapters/stores/connections.ts';
import type { Stores } from '../../adapters/stores/stores.ts';
import type { Config } from '../../core/config/config.ts';
import type { Log } from '../../core/log/log.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import { maxMessageBytes } from '../../core/platforms/aws-limits.ts';
import type { App } from '../../handlers/app.ts';
import type { AccountAuth } from '../../handlers/auth/auth.ts';
import type { RateRules } from '../../handlers/http/rate-limit.ts';
import { createIdSource } from '../../handlers/identifiers.ts';
import { createTableSockets, type TableSocketParts } from '../../handlers/socket/table-sockets.ts';
import type { RowTable } from '../../handlers/table/rows.ts';
import { liveOn } from '../functions/open-live.ts';
import type { Front } from './front.ts';
import type { VersionParts } from './open-version.ts';

export interface EmulationParts {
  readonly served: App;
  readonly auth: AccountAuth;
  readonly config: Config;
  readonly stores: Stores;
  readonly log: Log;
  readonly rows: FollowedRows;
  readonly meters: Meters | undefined;
}

/** The gateway of the cloud in this process, with the functions' own entries behind it (docs/server/cloud.md#emulation). */
export async function openEmulation(parts: EmulationParts): Promise<Front> {
  const { served, auth, config, stores, log, rows, meters } = parts;
  const { timeoutSeconds, websocketTimeoutSeconds, streamFunctionUrl } = config.scale.cloud;
  const roundTrips = process.env['SVC_EMULATE_JSON'] === '1';
  const sockets = emulateSockets({ timeoutSeconds: websocketTimeoutSeconds, roundTrips });
  let current = auth;
  const common = {
    app: () => served.sockets!,
    auth: {
      identifyToken: (token) => current.identifyToken(token),
      identifyClaims: (claims) => current.identifyClaims(claims),
    },
    connections: await openConnections(config),
    gateway: sockets.gateway,
    log,
    clock: Date,
    nextId: createIdSource(),
  } satisfies Partial<TableSocketParts>;
  const live = liveOn(rows, config, log, meters).open({ ...common, live: () => served.live, store: stores.graph });
  const changes = emulateChanges({ live, rows, store: stores.graph, log });
  const follow = () => current.onSessionEnd(({ userId }) => changes.tell({ users: [userId] }));
  let unfollow = follow();
  const table = createTableSockets({
    ...common,
    counters: stores.accounts,
    rules: config.scale.websocket,
    maxJsonDepth: config.serve.maxJsonDepth,
    maxFrameBytes: maxMessageBytes,
    live,
  });
  sockets.serve(createSocketHandler(served, table, log));
  setInterval(() => void live.look().catch((error) => log.warn('the clock failed', { error })), lookMs).unref();
  setInterval(() => void table.sweep().catch((error) => log.warn('the sweep failed', { error })), sweepMs).unref();
  return {
    app: emulateHttp(served, { timeoutSeconds, roundTrips, streams: streamFunctionUrl }),
    sockets,
    programChanged(version) {
      current = version.auth;
      unfollow();
      unfollow = follow();
    },
  };
}

/** The table of live subscriptions and topics, whose changes call the function of its own. */
export async function openEmulatedRows(config: Config): Promise<FollowedRows> {
  return followRows(await openRows(config, false));
}

/**
 * Gives the parts of an instance of a function that differ from a server's: a disk that does not last, rates counted in
 * the store.
 */
export function asInFunction(
  { accounts }: Stores,
  shared: VersionParts['shared'],
  { rows, config, log, meters }: Pick<EmulationParts, 'config' | 'log' | 'meters'> & { readonly rows: RowTable },
) {
  const rateLimit = (rules: RateRules) => createTableRateLimit(accounts, rules, Date.now);
  const { topics } = liveOn(rows, config, log, meters);
  return { passingDisk: {}, shared: { ...shared, rateLimit }, topics, takesLive: true } satisfies Partial<VersionParts>;
}

/** docs/server/cloud.md#resources: the sweeper runs every five minutes. */
const sweepMs = 300_000;
/** docs/server/cloud.md#live: a clock calls once a minute. */
const lookMs = 60_000;
