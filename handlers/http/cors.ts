import type { Config } from '../../core/config/config.ts';

export type CorsConfig = Config['scale']['cors'];

/** Cross-origin rules (docs/server/endpoints.md#cors), prepared once. Header lists are flat and shared: do not change them. */
export interface Cors {
  /** Headers of an ordinary answer to a request with (or without) `Origin`. */
  answerHeaders(origin: string | undefined): readonly string[];
  /** Headers of the answer to a preflight request; none for a disallowed origin. */
  preflightHeaders(origin: string, requestedHeaders: string | undefined): readonly string[];
}

/** Prepares the rules of `[plugins.scale.cors]`. */
export function createCors(config: CorsConfig): Cors {
  const anyOrigin = config.allowOrigins.includes('*') && !config.allowCredentials;
  const allowed = createOriginCheck(config.allowOrigins);
  const expose = config.exposeHeaders.join(', ');
  const credentials = config.allowCredentials ? ['Access-Control-Allow-Credentials', 'true'] : [];
  const exposed = expose === '' ? [] : ['Access-Control-Expose-Headers', expose];
  const vary = anyOrigin ? [] : ['Vary', 'Origin'];
  const forAny: readonly string[] = ['Access-Control-Allow-Origin', '*', ...exposed];
  const methods = config.allowMethods.join(', ');
  const echoesHeaders = config.allowHeaders.includes('*');
  const names = config.allowHeaders.join(', ');

  return {
    answerHeaders(origin) {
      if (origin === undefined || (!anyOrigin && !allowed(origin))) return vary;
      if (anyOrigin) return forAny;
      return ['Access-Control-Allow-Origin', origin, ...vary, ...credentials, ...exposed];
    },
    preflightHeaders(origin, requestedHeaders) {
      if (!anyOrigin && !allowed(origin)) return vary;
      const headers = echoesHeaders ? cleanNames(requestedHeaders) : names;
      return [
        ...['Access-Control-Allow-Origin', anyOrigin ? '*' : origin, ...vary, ...credentials],
        ...['Access-Control-Allow-Methods', methods],
        ...(headers === '' ? [] : ['Access-Control-Allow-Headers', headers]),
        ...['Access-Control-Max-Age', String(config.maxAgeSeconds)],
      ];
    },
  };
}

/** Makes the check whether an origin is among those configured. */
export function createOriginCheck(allowed: readonly string[]): (origin: string) => boolean {
  if (allowed.includes('*')) return () => true;
  const matchers = allowed.map(originPattern);
  return (origin) => matchers.some((each) => each.test(origin));
}

/** `https://*.example.com`: the star is one label. Everything else is literal. */
function originPattern(entry: string): RegExp {
  const literal = entry.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace('\\*', '[A-Za-z0-9-]+')}$`, 'i');
}

/** Keeps header names and their separators: nothing else is echoed. */
function cleanNames(requested: string | undefined): string {
  return requested !== undefined && /^[\w!#$%&'*+.^`|~, -]*$/.test(requested) ? requested : '';
}
