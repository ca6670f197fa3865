import type { MaybePromise } from '../base/maybe-promise.ts';
import type { AccountStore } from '../core/accounts/account-store.ts';
import type { Config } from '../core/config/config.ts';
import type { Log } from '../core/log/log.ts';
import type { Runtime } from '../core/memory/runtime.ts';
import type { Meters } from '../core/metrics/meters.ts';
import type { Tracer } from '../core/trace/trace.ts';
import type { Routes } from './http/build-routes.ts';
import type { Traces } from './http/failure-of.ts';
import type { GraphRoutes } from './http/graph/routes.ts';
import type { MetricsFormat, MetricsRoute } from './http/metrics-route.ts';
import type { RateLimit, RateRules } from './http/rate-limit.ts';
import type { UnitParts } from './http/run/types.ts';
import type { RunAs } from './http/stories/run-as.ts';
import type { StoryBook } from './http/stories/story-book.ts';
import type { Telling } from './http/telling.ts';
import type { CreateLiveApps } from './live/live-app.ts';
import type { Answer, Auth, FixedRoute, RouteContext } from './routes.ts';
import type { CreateSocketApps, SocketAuth } from './socket/socket-app.ts';
import type { CreateWebhookRoutes, WebhookDeps } from './webhook/webhook-route.ts';

/** Dependencies of an application: everything it needs from outside. */
export interface AppDeps {
  readonly config: Config;
  readonly runtime: Runtime;
  readonly parts: AppParts;
  readonly auth: Auth;
  readonly log: Log;
  /** Records of idempotency keys. */
  readonly accounts: Pick<AccountStore, 'claimIdempotency' | 'releaseIdempotency' | 'finishIdempotency'>;
  /** Probe for readiness: the store, and further parts that are reported but do not make the server unready. */
  readonly health: HealthProbe;
  /** Further fixed endpoints: API description, documentation pages, traversal … */
  readonly routes?: readonly FixedRoute[];
  /** Accounts as sockets see them; undefined: there are no socket endpoints. */
  readonly sockets?: SocketAuth;
  /** Dependencies of webhook calls; undefined: there are no webhook endpoints. */
  readonly webhooks?: WebhookDeps;
  /** Answers GET and HEAD when nothing else matches: pages and static files. Undefined: not found. */
  readonly pages?: (context: RouteContext) => MaybePromise<Answer | undefined>;
  /** Makes the counts of rate limits, where processes share them. Absent: each counts for itself. */
  readonly rateLimit?: ((rules: RateRules) => RateLimit) | undefined;
  readonly traces?: Traces;
  /** State of the last build, for `GET /__build_status`; absent when nothing is watched. */
  readonly buildStatus?: () => BuildStatus;
  /** Called with the routes that are served, at first and after each swap: for the API description. */
  readonly onRoutes?: (routes: Routes) => void;
  /** See `UnitParts`; absent where there are no topics. */
  readonly openTopics?: UnitParts['openTopics'];
  /** Counts what happens; absent when nothing is collected. */
  readonly meters?: Meters | undefined;
  /** Exports spans; absent when they go nowhere. */
  readonly tracer?: Tracer | undefined;
  /** Keeps the stories of calls; absent where that is off. */
  readonly stories?: StoryBook | undefined;
  /** Runs calls as other users; absent where that is off. */
  readonly runAs?: RunAs | undefined;
  /** Gives the text for scrapers of metrics; undefined: there is no such endpoint. */
  readonly exposeMetrics?: ((format: MetricsFormat) => Promise<string>) | undefined;
  /** Wall clock in Unix milliseconds. */
  readonly clock?: { now(): number };
  /** Random ids of 32 hexadecimal digits. */
  readonly nextId?: () => string;
}

/** Code that not every application needs. Whoever opens one reads what it does need, and functions start without the rest (decisions/0180). */
export interface AppParts {
  /** Absent where no connection ever comes, as in the function for HTTP. */
  readonly createSocketApps?: CreateSocketApps;
  /** Absent where there are no live subscriptions. */
  readonly createLiveApps?: CreateLiveApps;
  /** Absent where the program has no webhooks. */
  readonly createWebhookRoutes?: CreateWebhookRoutes;
  /** Absent in production. */
  readonly telling?: Telling;
  /** Absent where nobody scrapes. */
  readonly metricsRoute?: MetricsRoute;
  /** Absent where the page of the graph is off. */
  readonly graphRoutes?: GraphRoutes;
}

export interface HealthProbe {
  /** Name and durability of the store, as `/healthz/ready` shows them. */
  readonly store: string;
  readonly durability: string;
  /** Rejects when the store cannot be reached. */
  ping(): Promise<void>;
  /** State of the shared cache, when there is one. */
  readonly cache?: (() => Promise<'ok' | 'degraded'>) | undefined;
}

export interface BuildStatus {
  readonly status: 'ok' | 'compiling' | 'error' | 'unavailable';
  readonly file?: string;
  readonly message?: string;
}
