import type { MaybePromise } from '../base/maybe-promise.ts';
import type { Call, Reply } from './call.ts';
import type { Caller } from './caller.ts';
import type { Exchange } from './http/exchange.ts';

/**
 * Callers that are admitted: `none` takes no notice of credentials, `optional` runs as guest without (or with a bad)
 * token, `bearer` needs a valid token (docs/server/accounts.md#authentication).
 */
export type AuthNeed = 'none' | 'optional' | 'bearer';

/** Answers who is calling. One per application; `handlers/auth` makes it. */
export interface Auth {
  /**
   * Runs before the body is read, on every request, so it must answer at once for a remembered token.
   *
   * @throws Failure `UNAUTHORIZED` or `ACCOUNT_DISABLED`, only when `need` is `bearer`.
   */
  identify(call: Call, need: AuthNeed): MaybePromise<Caller>;
  /** Account, session, API key and single sign-on endpoints. */
  readonly routes: readonly FixedRoute[];
}

/** Parts of one request that a fixed endpoint can see. */
export interface RouteContext {
  readonly call: Call;
  readonly caller: Caller;
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Query parameters, decoded; each name with all its values in order. */
  readonly query: ReadonlyMap<string, readonly string[]>;
  /** Decoded JSON object (or form, see `FixedRoute.body`); empty when there was no body. Keys are the client's: read own ones. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly requestId: string;
  readonly traceId: string;
  /** Address of the client after `trusted_proxies`. */
  readonly client: string;
  /** Scheme and authority the client used, e.g. `https://api.example.com`, after `trusted_proxies`. */
  readonly origin: string;
}

/** An answer that is more than `200` with data. Made by `answer`. */
export interface Answer {
  readonly [answered]: true;
  readonly status: number;
  /** Data of the envelope; not used when `raw` is given. */
  readonly data: Readonly<Record<string, unknown>> | null;
  /** A body outside the envelope, e.g. a page or a redirect; `undefined` content type for none. */
  readonly raw:
    | {
        readonly contentType: string | undefined;
        readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
      }
    | undefined;
  /** The body goes on until somebody goes away: the call behind it has ended. */
  readonly isEndless: boolean;
  /** Flat list of further headers: name, value, name, value … */
  readonly headers: readonly string[];
}

const answered = Symbol('answered');

/** Builds an answer with a status, headers, or a raw body. */
export function answer(parts: {
  readonly status?: number;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly raw?: Answer['raw'];
  readonly headers?: readonly string[];
  readonly isEndless?: boolean;
}): Answer {
  return {
    [answered]: true,
    status: parts.status ?? 200,
    data: parts.data ?? null,
    raw: parts.raw,
    headers: parts.headers ?? [],
    isEndless: parts.isEndless === true,
  };
}

/** Tells whether a fixed endpoint returned an `Answer` rather than plain data. */
export function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && answered in value;
}

/**
 * An endpoint of the server itself. `run` gives the data of the envelope (members are mirrored,
 * docs/server/answers.md#mirrored-members) or an `Answer`; it throws `Failure` for what a caller should get. List new
 * ones in `fixedRoutes` of their own file.
 */
export interface FixedRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{param}` segments. */
  readonly template: string;
  readonly auth: AuthNeed;
  /** Tag and operation id of the API description; an empty operation id leaves the endpoint out of it. */
  readonly tag: string;
  readonly operationId: string;
  run(context: RouteContext): MaybePromise<Readonly<Record<string, unknown>> | Answer>;
  /** `json` (default for methods with a body), `form` also takes urlencoded forms, `none` leaves the body unread. */
  readonly body?: 'json' | 'form' | 'none';
  /** 64 KiB unless it is said. */
  readonly maxBodyBytes?: number;
  /** Members of the data that are not repeated at the top level. */
  readonly unmirrored?: readonly string[];
  /** Health checks: no access log, no rate limit, no metrics, answered while draining. */
  readonly quiet?: boolean;
  /** Texts for the API description: one-line summary, JSON Schema of the request body and of `data` (most are in `http/openapi/`, by the id of the operation). */
  readonly summary?: string;
  readonly request?: unknown;
  readonly response?: unknown;
  /** Limits that those schemas name. */
  readonly bounds?: Readonly<Record<string, number>>;
  /** Status of success in the API description, where it is not 200. */
  readonly status?: number;
}

/** Match of a path: a fixed endpoint, or one of the program's walkers and functions (`http/build-routes.ts`). */
export interface Route {
  readonly template: string;
  readonly auth: AuthNeed;
  /** True for routes that are not logged, limited or measured, and are answered while the server drains. */
  readonly isQuiet: boolean;
  /** Walker or function that runs. */
  readonly target: string | undefined;
  /** API keys with the scope `call` sign callers in (docs/server/api-keys.md#scopes). */
  readonly takesKeys?: true;
  /**
   * Largest body the request may declare; above it the answer is 413 before anything else is looked at. Infinity: a body is ignored.
   */
  maxBodyBytes(call: Call): number;
  /** Reads the body, binds, runs and answers: steps 10 to 14 of docs/server/endpoints.md#order. Throws or rejects with what went wrong. */
  serve(exchange: Exchange): MaybePromise<Reply>;
}
