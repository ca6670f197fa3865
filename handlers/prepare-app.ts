import { createRulesAudit } from './auth/audit-rules.ts';
import { createKeyGate } from './auth/key-gate.ts';
import { createClientAddresses } from './client-address.ts';
import type { AppDeps } from './deps.ts';
import { createClockText } from './http/clock-text.ts';
import { createCors } from './http/cors.ts';
import { createFailureOf } from './http/failure-of.ts';
import { createFinish } from './http/finish.ts';
import { createLifecycle } from './http/lifecycle.ts';
import { createProgramRoutes } from './http/program-routes.ts';
import { createRateGate } from './http/rate-gate.ts';
import { createRateLimit, type RateRules } from './http/rate-limit.ts';
import { createRecorder } from './http/record.ts';
import { createReplies } from './http/replies.ts';
import { createDeadlines } from './http/run/deadlines.ts';
import { plainText } from './http/serialize/plain-text.ts';
import { createIdSource } from './identifiers.ts';

/** Parts of an application that neither requests nor new versions of the program change. */
export type PreparedApp = ReturnType<typeof prepareApp>;

/** Joins what an application is given (`deps.ts`) with the parts of it that are the same for all requests. `app.ts` calls it once. */
export function prepareApp(deps: AppDeps) {
  const { config, log, meters, parts } = deps;
  const hintFor = config.mode === 'development' ? parts.telling?.hintFor : undefined;
  const nextId = deps.nextId ?? createIdSource();
  const lifecycle = createLifecycle();
  const cors = createCors(config.scale.cors);
  const clients = createClientAddresses(config.serve.trustedProxies);
  const replies = createReplies({
    cors,
    mirrorFields: config.serve.mirrorFields,
    responseHeaders: config.responseHeaders,
    timestamp: createClockText(deps.clock?.now ?? Date.now),
    toText: plainText,
    hintFor,
  });
  const { accessLog, slowRequestMs } = config.scale.logging;
  const recorder = createRecorder({
    log,
    accessLog,
    slowRequestMs,
    meters,
    clients,
    isTraced: deps.tracer !== undefined || deps.stories !== undefined,
  });
  const failureOf = createFailureOf({ log, traces: deps.traces, showsErrors: config.mode !== 'production' });
  const { enabled, requestsPerMinute, burst } = config.scale.rateLimit;
  const limitBy = deps.rateLimit ?? ((rules: RateRules) => createRateLimit({ ...rules, now: () => performance.now() }));
  const rateLimit = enabled ? limitBy({ requestsPerMinute, burst }) : undefined;
  const perKey = config.scale.webhook.rateLimitPerMinute;
  const keyLimit = perKey > 0 ? limitBy({ requestsPerMinute: perKey, burst: perKey }) : undefined;
  const nowMs = deps.clock?.now ?? Date.now;
  const rates = rateLimit && createRateGate(rateLimit, clients, meters);
  const keys = deps.webhooks && createKeyGate({ ...deps.webhooks, clients, rateLimit: keyLimit, nowMs, meters, log });
  const makeRoutes = createProgramRoutes({ deps, replies, lifecycle, clients, failureOf, keys, keyLimit });
  const connected = deps.sockets && {
    auth: deps.sockets,
    keys,
    config,
    lifecycle,
    failureOf,
    nextId,
    tracer: deps.tracer,
    runtime: deps.runtime,
    deadlines: createDeadlines(config.scale.websocket.executionTimeoutSeconds * 1000),
    warn: (message: string, fields: Record<string, unknown>) => log.warn(message, fields),
    withPrivate: config.serve.serializePrivate,
    tellsIdle: config.mode !== 'production',
    hintFor,
    createFindUnknown: parts.telling?.createFindUnknown,
    maxConcurrent: config.serve.maxConcurrent,
    rulesChanged: createRulesAudit({ log }, clients),
    stories: deps.stories,
  };
  const makeSockets = connected && parts.createSocketApps?.(connected);
  const makeLive = connected && parts.createLiveApps?.(connected);
  const finish = createFinish({ recorder, lifecycle, replies, failureOf, meters });
  return {
    nextId,
    lifecycle,
    cors,
    replies,
    recorder,
    failureOf,
    finish,
    rates,
    keys,
    makeRoutes,
    makeSockets,
    makeLive,
  };
}
