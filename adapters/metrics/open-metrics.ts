/** Metrics by prom-client (docs/server/observability.md#metrics). Loaded only when they are switched on: the library is not small. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Config } from '../../core/config/config.ts';
import type { FinishedCall, Meters } from '../../core/metrics/meters.ts';
import { type Cells, counterCells, histogramCells } from './cells.ts';
import type { MetricsSnapshot } from './expose.ts';
import { createPathLabels, methodLabel } from './labels.ts';

export interface MetricsOptions {
  readonly settings: Config['scale']['metrics'];
  /** Labels of `build_info`. */
  readonly version: string;
  readonly store: string;
}

/** Counters of one process, and the functions that read them. */
export interface ProcessMetrics {
  readonly meters: Meters;
  /** Gives everything counted so far, as plain data that can be sent to another process. */
  snapshot(): Promise<MetricsSnapshot>;
  /** Lists the families of metrics, for the reference page. */
  families(): readonly MetricFamily[];
}

export interface MetricFamily {
  readonly name: string;
  readonly type: string;
  readonly labelNames: readonly string[];
  readonly help: string;
}

/** Opens the counters of this process. Each call makes a set of its own. */
export function openMetrics({ settings, version, store }: MetricsOptions): ProcessMetrics {
  const registry = new Registry();
  const { namespace, histogramBuckets } = settings;
  const shared = (name: string, help: string) => ({ name: `${namespace}_${name}`, help, registers: [registry] });
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter<L>({ ...shared(name, help), labelNames });
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge<L>({ ...shared(name, help), labelNames });
  const histogram = (name: string, help: string, ...labelNames: string[]) =>
    histogramCells(registry, { ...shared(name, help), labelNames }, histogramBuckets);

  const requests = counterCells(registry, {
    ...shared('http_requests_total', 'Finished requests.'),
    labelNames: ['method', 'path', 'status_code'],
  });
  const durations = histogram('http_request_duration_seconds', 'Time to answer a request.', 'method', 'path');
  const inProgress = gauge('http_requests_in_progress', 'Requests that run.');
  const walkers = settings.walkerMetrics
    ? histogram('walker_duration_seconds', "Time of each attempt's run of a walker.", 'walker_name', 'success')
    : undefined;
  const connections = gauge('ws_connections_active', 'Open sockets.', 'target');
  const messages = counter('ws_messages_total', 'Messages received over sockets.', 'target', 'outcome');
  const broadcasts = counter('ws_broadcasts_total', 'Frames sent to all clients of a target.', 'target');
  const sendFailures = counter('ws_send_failures_total', 'Frames that did not reach a client.', 'target', 'reason');
  const liveRuns = counter('live_runs_total', 'Runs for live subscriptions.', 'target');
  const liveSubscriptions = gauge('live_subscriptions', 'Live subscriptions.', 'target');
  const liveLatency = histogram('live_latency_seconds', 'From a commit to the frame that follows it.').cell();
  const topicActs = counter('topic_messages_total', 'Messages that programs published, and expulsions.');
  const memberships = gauge('topic_memberships_active', 'Topics that connections are subscribed to.');
  const topicEvents = counter('topic_events_total', 'Gaps, expulsions and failures of topics.', 'event');
  const webhooks = counter('webhook_requests_total', 'Webhook calls.', 'walker_name', 'outcome');
  const authEvents = counter('auth_events_total', 'Sign-ins, registrations, refreshes.', 'event', 'outcome');
  const commits = counter('commits_total', 'Units of work that wrote.', 'outcome');
  const commitTook = histogram('commit_duration_seconds', 'Time of a commit.').cell();
  const replays = counter('replays_total', 'Runs repeated after a conflict.');
  const readConflicts = counter('read_conflicts_total', 'Units that only read and met changes of others.');
  const cache = counterCells(registry, {
    ...shared('cache_requests_total', 'Rows asked for.'),
    labelNames: ['tier', 'result'],
  });
  const limited = counter('rate_limited_total', 'Calls refused by a rate limit.', 'scope');
  const uncaught = counter('uncaught_errors_total', 'Errors that nothing caught.', 'origin', 'effect');
  const labelNames = ['version', 'node_version', 'store'] as const;
  new Gauge({ ...shared('build_info', 'What is running.'), labelNames, aggregator: 'first' }).set(
    { version, node_version: process.version, store },
    1,
  );
  if (settings.processMetrics) collectProcessMetrics(registry);

  const hit = cache.cell('l2', 'hit');
  const miss = cache.cell('l2', 'miss');
  const record = createRequestRecord(requests, durations, settings.maxPaths);
  return {
    snapshot: () => registry.getMetricsAsJSON(),
    families: () => registry.getMetricsAsArray() as unknown as readonly MetricFamily[],
    meters: {
      requestRuns: (by) => inProgress.inc(by),
      requestFinished: record,
      walkerRan: walkers === undefined ? undefined : createWalkerRecord(walkers),
      committed(outcome, seconds) {
        commits.inc({ outcome });
        commitTook(seconds);
      },
      replayed: () => replays.inc(),
      readConflict: () => readConflicts.inc(),
      cacheAsked: (isHit) => (isHit ? hit : miss)(),
      socketOpened: (target) => connections.inc({ target }),
      socketClosed: (target) => connections.dec({ target }),
      socketMessage: (target, outcome) => messages.inc({ target, outcome }),
      broadcast: (target) => broadcasts.inc({ target }),
      sendFailed: (target, reason) => sendFailures.inc({ target, reason }),
      liveRan: (target) => liveRuns.inc({ target }),
      liveSubscribed: (target, by) => liveSubscriptions.inc({ target }, by),
      liveDelivered: liveLatency,
      topicSent: (count) => topicActs.inc(count),
      topicJoined: (by) => memberships.inc(by),
      topicEvent: (event) => topicEvents.inc({ event }),
      webhookAnswered: (walker, outcome) => webhooks.inc({ walker_name: walker, outcome }),
      authEvent: (event, outcome) => authEvents.inc({ event, outcome }),
      rateLimited: (scope) => limited.inc({ scope }),
      uncaughtError: (origin, effect) => uncaught.inc({ origin, effect }),
    },
  };
}

type Counters = Cells<() => void>;
type Durations = Cells<(seconds: number) => void>;

function createWalkerRecord(durations: Durations): NonNullable<Meters['walkerRan']> {
  const known = {
    true: new Map<string, (seconds: number) => void>(),
    false: new Map<string, (seconds: number) => void>(),
  };
  return (walker, isSuccess, seconds) => {
    const success = isSuccess ? 'true' : 'false';
    let observe = known[success].get(walker);
    if (observe === undefined) known[success].set(walker, (observe = durations.cell(walker, success)));
    observe(seconds);
  };
}

/** The counters of one method and path, found once. */
interface RequestCells {
  readonly observe: (seconds: number) => void;
  readonly byStatus: Map<number, () => void>;
}

function createRequestRecord(requests: Counters, durations: Durations, maxPaths: number): Meters['requestFinished'] {
  const pathLabel = createPathLabels(maxPaths);
  const cells = new Map<string, Map<string, RequestCells>>();

  function cellsOf(method: string, path: string): RequestCells {
    let byMethod = cells.get(path);
    if (byMethod === undefined) cells.set(path, (byMethod = new Map()));
    let found = byMethod.get(method);
    if (found === undefined) {
      found = { observe: durations.cell(method, path), byStatus: new Map() };
      byMethod.set(method, found);
    }
    return found;
  }

  return ({ method: given, template, status, seconds }: FinishedCall) => {
    const method = methodLabel(given);
    const path = pathLabel(template);
    const { observe, byStatus } = cellsOf(method, path);
    observe(seconds);
    let count = byStatus.get(status);
    if (count === undefined) byStatus.set(status, (count = requests.cell(method, path, String(status))));
    count();
  };
}

/** Names that break the rule that only counters end in `_total`; the same numbers are there by type, without it. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
}
