import { after } from '../../base/after.ts';
import { createSlices } from '../../base/slices.ts';
import type { Program } from '../../core/program/program.ts';
import { createRulesAudit } from '../auth/audit-rules.ts';
import type { KeyGate } from '../auth/key-gate.ts';
import type { ClientAddresses } from '../client-address.ts';
import type { AppDeps } from '../deps.ts';
import { answer, type FixedRoute } from '../routes.ts';
import { type ServedTarget, servedTargets } from '../served-targets.ts';
import { apiKeyRoutes } from '../webhook/api-key-routes.ts';
import { buildRoutes, type Routes } from './build-routes.ts';
import type { FailureOf } from './failure-of.ts';
import { traverseRoute } from './graph/traverse-route.ts';
import { healthRoutes } from './health.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Replies } from './replies.ts';
import { createRunTarget } from './run/answer.ts';
import { createDeadlines } from './run/deadlines.ts';
import { createIdempotency } from './run/idempotency.ts';
import { plainText } from './serialize/plain-text.ts';

export interface ProgramRoutesParts {
  readonly deps: AppDeps;
  readonly replies: Replies;
  readonly lifecycle: Lifecycle;
  readonly clients: ClientAddresses;
  readonly failureOf: FailureOf;
  /** Undefined: there are no API keys. */
  readonly keys: KeyGate | undefined;
  /** Rate limit of each API key, and of each webhook without; undefined: none. */
  readonly keyLimit: RateLimit | undefined;
}

/** Time that long requests have together in one turn of the event loop (decisions/0411). */
const sliceMs = 5;

/** Prepares what all versions of a program share; the function it gives makes the route table of one version. */
export function createProgramRoutes({
  deps,
  replies,
  lifecycle,
  clients,
  failureOf,
  keys,
  keyLimit,
}: ProgramRoutesParts): (program: Program) => Routes {
  const { config, runtime, log } = deps;
  const { serve } = config;
  const limits = {
    maxBodyBytes: serve.maxBodyBytes,
    maxJsonDepth: serve.maxJsonDepth,
    maxUploadBytes: serve.maxUploadBytes,
    maxFileBytes: serve.maxFileBytes,
    maxUploadFiles: serve.maxUploadFiles,
    maxFieldBytes: serve.maxBodyBytes,
    slices: createSlices(sliceMs),
  };
  const idempotency = createIdempotency({
    store: deps.accounts,
    replies,
    now: deps.clock?.now ?? Date.now,
    ttlSeconds: serve.idempotencyTtlSeconds,
    executionSeconds: serve.requestTimeoutSeconds,
    toText: plainText,
  });
  const run = createRunTarget({
    runtime,
    lifecycle,
    deadlines: createDeadlines(serve.requestTimeoutSeconds * 1000),
    failureOf,
    replies,
    warn: (message, fields) => log.warn(message, fields),
    withPrivate: serve.serializePrivate,
    tellsIdle: config.mode !== 'production',
    meters: deps.meters,
    stories: deps.stories,
    openTopics: deps.openTopics,
    rulesChanged: createRulesAudit({ log }, clients),
  });
  const createFindUnknown = deps.parts.telling?.createFindUnknown;
  const webhooks =
    deps.webhooks === undefined || keys === undefined
      ? undefined
      : deps.parts.createWebhookRoutes?.(deps.webhooks, {
          rules: config.scale.webhook,
          limits,
          nowSeconds: () => Math.floor((deps.clock?.now ?? Date.now)() / 1000),
          clients,
          idempotency,
          run,
          replies,
          keys,
          rateLimit: keyLimit,
          meters: deps.meters,
          log: deps.log,
          createFindUnknown,
        });
  const traversal = traverseRoute({ runtime, ...config.scale.traverse, withPrivate: serve.serializePrivate });
  const pictures =
    serve.graphView === 'on'
      ? deps.parts.graphRoutes?.({ runtime, forAdminsOnly: config.mode === 'production', title: config.project.name })
      : undefined;
  const probe = deps.health;
  const health = serve.healthEndpoints ? healthRoutes({ probe, lifecycle, version: config.project.version }) : [];

  return (program) => {
    const targets = servedTargets(program);
    return buildRoutes({
      targets,
      fixed: [
        ...deps.auth.routes,
        ...(deps.webhooks === undefined ? [] : apiKeyRoutes(deps.webhooks.apiKeys, config.scale.webhook, targets)),
        ...(deps.routes ?? []),
        traversal,
        ...(pictures ?? []),
        ...health,
        ...metricsRoutes(deps),
        ...ownRoutes(deps, targets),
      ],
      further: webhooks === undefined ? [] : targets.filter(({ rest }) => rest.protocol === 'WEBHOOK').map(webhooks),
      pages: deps.pages,
      introspection: config.mode === 'production' ? 'bearer' : 'none',
      rootAlias: serve.rootWalkerAlias,
      tellsNames: config.mode !== 'production',
      nearestPlace: deps.parts.telling?.nearestPlace,
      internal: program.internal,
      runAs: deps.runAs,
      parts: { replies, clients, limits, idempotency, run, createFindUnknown },
    });
  };
}

function metricsRoutes({ config, exposeMetrics, sockets, parts: { metricsRoute } }: AppDeps): readonly FixedRoute[] {
  if (exposeMetrics === undefined || metricsRoute === undefined) return [];
  const isProduction = config.mode === 'production';
  const settings = config.scale.metrics;
  return [metricsRoute({ settings, isProduction, expose: exposeMetrics, identifyToken: sockets?.identifyToken })];
}

/** `GET /` where there is no start page, and the state of the last build. */
function ownRoutes(deps: AppDeps, targets: readonly ServedTarget[]): readonly FixedRoute[] {
  const { name, version } = deps.config.project;
  const count = (kind: string) => targets.filter((target) => target.kind === kind).length;
  const info: FixedRoute = {
    method: 'GET',
    template: '/',
    auth: 'none',
    tag: 'Pages',
    operationId: '',
    run: (context) =>
      after(
        deps.pages?.(context),
        (page) => page ?? { name, version, docs: '/docs', walkers: count('walker'), functions: count('function') },
      ),
  };
  const build: FixedRoute = {
    method: 'GET',
    template: '/__build_status',
    auth: 'none',
    tag: 'Pages',
    operationId: '',
    run: () => {
      const status = deps.buildStatus?.() ?? { status: 'unavailable' };
      return answer({
        raw: { contentType: 'application/json', body: JSON.stringify(status) },
        headers: ['Cache-Control', 'no-store'],
      });
    },
  };
  return [info, build];
}
