import type { HealthProbe } from '../deps.ts';
import { type Answer, answer, type FixedRoute } from '../routes.ts';
import type { Lifecycle } from './lifecycle.ts';

export interface HealthOptions {
  readonly probe: HealthProbe;
  readonly lifecycle: Pick<Lifecycle, 'state'>;
  readonly version: string;
}

const pingTimeoutMs = 2000;
const rememberMs = 2000;

/** `/healthz/live`, `/healthz/ready`, `/healthz` (docs/server/inspection.md#health): not enveloped, logged, limited or authenticated. */
export function healthRoutes(options: HealthOptions): readonly FixedRoute[] {
  const ready = createReadiness(options);
  const shared = { method: 'GET', auth: 'none', tag: 'Health', quiet: true } as const;
  return [
    { ...shared, template: '/healthz/live', operationId: 'health_live', run: () => json(200, { status: 'ok' }) },
    { ...shared, template: '/healthz/ready', operationId: 'health_ready', run: ready },
    { ...shared, template: '/healthz', operationId: 'health', run: ready },
  ];
}

interface Found {
  readonly at: number;
  readonly store: Promise<boolean>;
  readonly cache: Promise<'ok' | 'degraded'>;
}

function createReadiness({ probe, lifecycle, version }: HealthOptions): () => Promise<Answer> {
  let known: Found | undefined;
  const look = (): Found => {
    const at = performance.now();
    if (known === undefined || at - known.at > rememberMs) {
      const store = within(probe.ping(), pingTimeoutMs);
      // A failing cache does not count: without it the server is slower, not unready.
      const cache = probe.cache?.().catch(() => 'degraded' as const) ?? Promise.resolve('ok' as const);
      known = { at, store, cache };
    }
    return known;
  };
  return async () => {
    const found = look();
    const store = (await found.store) ? 'ok' : 'unavailable';
    const cache = await found.cache;
    const isReady = store === 'ok' && lifecycle.state === 'ready';
    const checks = lifecycle.state === 'ready' ? { store, cache } : { store, cache, server: 'draining' };
    const status = isReady ? 'ok' : 'unavailable';
    return json(isReady ? 200 : 503, { status, checks, store: probe.store, durability: probe.durability, version });
  };
}

async function within(ping: Promise<void>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const answered = ping.then(
    () => true,
    () => false,
  );
  return Promise.race([answered, late]).finally(() => clearTimeout(timer));
}

function json(status: number, body: unknown): Answer {
  const raw = { contentType: 'application/json', body: JSON.stringify(body) };
  return answer({ status, raw, headers: ['Cache-Control', 'no-store'] });
}
