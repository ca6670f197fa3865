/** The scrape endpoint (docs/server/observability.md#metrics, docs/server/observability.md#metric-access). */
import { createHash, timingSafeEqual } from 'node:crypto';
import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { parseAddress } from '../../base/parse-address.ts';
import { missingToken, refusedToken, type TokenRefusal } from '../../core/accounts/refusals.ts';
import type { Config } from '../../core/config/config.ts';
import { Failure } from '../../core/errors.ts';
import { bearerToken } from '../auth/identify.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { type Answer, answer, type FixedRoute } from '../routes.ts';

/** `text`: text exposition 0.0.4; `openmetrics`: OpenMetrics 1.0. */
export type MetricsFormat = 'text' | 'openmetrics';

export interface MetricsRouteOptions {
  readonly settings: Pick<Config['scale']['metrics'], 'endpoint' | 'token'>;
  /** Without a token only scrapers of the own network may read. */
  readonly isProduction: boolean;
  expose(format: MetricsFormat): Promise<string>;
  /** Whoever a token stands for; undefined when there are no accounts. */
  readonly identifyToken: ((token: string) => MaybePromise<Caller | TokenRefusal>) | undefined;
}

const contentTypes: Readonly<Record<MetricsFormat, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

export type MetricsRoute = typeof metricsRoute;

export function metricsRoute(options: MetricsRouteOptions): FixedRoute {
  const { settings, expose, identifyToken } = options;

  async function show(call: Call): Promise<Answer> {
    const format = formatFor(call.header('accept'));
    const raw = { contentType: contentTypes[format], body: await expose(format) };
    return answer({ raw, headers: ['Cache-Control', 'no-store', 'Vary', 'Accept'] });
  }

  function mayRead(call: Call): MaybePromise<true> {
    const header = call.header('authorization');
    const token = header === undefined ? undefined : bearerToken(header);
    if (token !== undefined && settings.token !== '' && isSame(token, settings.token)) return true;
    if (token === undefined || identifyToken === undefined) return refuseStranger(call, token, 'invalid');
    return after(identifyToken(token), (found) => {
      if (typeof found === 'string') return refuseStranger(call, token, found);
      return found.role === 'admin' ? true : refuseStranger(call, token, 'invalid');
    });
  }

  function refuseStranger(call: Call, token: string | undefined, refusal: TokenRefusal): true {
    if (settings.token !== '') throw token === undefined ? missingToken() : refusedToken(refusal);
    if (!options.isProduction || isNear(call)) return true;
    throw new Failure('FORBIDDEN', 'Metrics are for scrapers of the own network.');
  }

  return {
    method: 'GET',
    template: settings.endpoint,
    auth: 'none',
    tag: 'Monitoring',
    operationId: 'metrics',
    summary: 'Metrics for Prometheus',
    response: { type: 'string' },
    quiet: true,
    run: ({ call }) => after(mayRead(call), () => show(call)),
  };
}

function formatFor(accept: string | undefined): MetricsFormat {
  return accept !== undefined && /\bapplication\/openmetrics-text\b/i.test(accept) ? 'openmetrics' : 'text';
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** The peer is on this machine or a private network, and speaks for itself. */
function isNear(call: Call): boolean {
  return proxyHeaders.every((name) => call.header(name) === undefined) && isPrivateAddress(call.peer);
}

/** Loopback, private, link-local and unique local addresses (RFC 1918, 3927, 4193). */
export function isPrivateAddress(text: string): boolean {
  const bytes = parseAddress(text.replace(/%.*$/, ''));
  if (bytes === undefined) return false;
  const [a, b] = [bytes[12]!, bytes[13]!];
  const isMapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
  if (isMapped) {
    return (
      a === 127 || a === 10 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168) || (a === 169 && b === 254)
    );
  }
  const isLoopback = bytes.subarray(0, 15).every((byte) => byte === 0) && bytes[15] === 1;
  return isLoopback || (bytes[0]! & 0xfe) === 0xfc || (bytes[0] === 0xfe && (bytes[1]! & 0xc0) === 0x80);
}
