/**
 * The part of a generated client that is the same for every program (`svc generate client`). Its text goes into the file, behind those of the
 * modules it imports, which import nothing else.
 */
import { type Connection, type ConnectOptions, connectTo } from './net/connection.ts';
import { StreamError, streamed } from './net/events.ts';
import {
  type LiveError,
  type LiveSocket,
  openLiveSocket,
  type TopicGap,
  type TopicMessage,
} from './net/live-socket.ts';

/** The one error of the client: of a refused call, of a stream that broke off, and where no answer came (`status` 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Code of the server's table, such as `VALIDATION_ERROR`; `NETWORK`, `TIMEOUT` or `ABORTED` where no answer came. */
  readonly code: string;
  readonly status: number;
  /** Advice; servers give one in development. */
  readonly hint: string | undefined;
  readonly details: any;
  readonly requestId: string | undefined;

  constructor(
    code: string,
    message: string,
    more: {
      readonly status?: number | undefined;
      readonly hint?: string | undefined;
      readonly details?: unknown;
      readonly requestId?: string | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message);
    if (more.cause !== undefined) Object.assign(this, { cause: more.cause });
    this.code = code;
    this.status = more.status ?? 0;
    this.hint = more.hint;
    this.details = more.details;
    this.requestId = more.requestId;
  }
}

/** A file to send: a Blob or File, in React Native what its pickers give. */
export type Upload = Blob | { readonly uri: string; readonly name: string; readonly type?: string };

/** A node or edge as an argument: its id, or the object of an answer. */
export type Reference = string | { readonly _svc_id: string | null };

export interface ClientOptions {
  /** Address of the server; the origin of the page where absent. */
  readonly baseUrl?: string;
  /** Token to begin with. */
  readonly token?: string | null;
  /** Is told of each new token, to keep it; null: signed out. */
  readonly onToken?: (token: string | null) => void;
  /** Sent where there is no token. */
  readonly apiKey?: string;
  /** Milliseconds until an answer must have begun: 65,000 where absent. */
  readonly timeout?: number;
  readonly fetch?: typeof fetch;
  /** For platforms without one of their own, such as Node.js 20. */
  readonly WebSocket?: new (
    url: string,
  ) => WebSocket;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** A call that is repeated with the same key is done once. */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answer to a walk. */
export interface WalkerAnswer<Report, Result> {
  readonly reports: Report[];
  /** The walker after its walk. */
  readonly result: Result;
  readonly warnings: readonly string[];
}

/** Arguments before the options: none are needed where every field has a default. */
type FieldsArgument<Fields> = Record<string, never> extends Fields ? [fields?: Fields] : [fields: Fields];

export interface WalkerCall<Fields, Report, Result> {
  /** Walks from the caller's root. @throws ApiError */
  (...given: [...FieldsArgument<Fields>, options?: CallOptions]): Promise<WalkerAnswer<Report, Result>>;
  /** Walks from a node. @throws ApiError */
  on(
    node: Reference,
    ...given: [...FieldsArgument<Fields>, options?: CallOptions]
  ): Promise<WalkerAnswer<Report, Result>>;
}

export interface StreamCall<Fields, Value> {
  /** Values as they come; ended by leaving the loop. Throws ApiError. */
  (...given: [...FieldsArgument<Fields>, options?: CallOptions]): AsyncIterableIterator<Value>;
  on(node: Reference, ...given: [...FieldsArgument<Fields>, options?: CallOptions]): AsyncIterableIterator<Value>;
}

export type FunctionCall<Fields, Value> = (
  ...given: [...FieldsArgument<Fields>, options?: CallOptions]
) => Promise<Value>;

/** Gives its values one by one. Throws ApiError. */
export type StreamFunction<Fields, Value> = (
  ...given: [...FieldsArgument<Fields>, options?: CallOptions]
) => AsyncIterableIterator<Value>;

export interface LiveWatcher<Value> {
  readonly onValue: (value: Value) => void;
  /** Final: the subscription has ended. */
  readonly onError?: (error: ApiError, isFinal: boolean) => void;
  /** A message of a topic that the walker subscribes to. */
  readonly onMessage?: (message: TopicMessage) => void;
  readonly onGap?: (gap: TopicGap) => void;
  /** Node where the walk begins. */
  readonly node?: Reference;
  /** Seconds after which it is asked again whatever has changed. */
  readonly every?: number;
}

/** Follows a walker or function that only reads: gives each new value, until the function that it returns is called. */
export type LiveCall<Fields, Value> = (
  fields: Fields,
  watcher: LiveWatcher<Value> | ((value: Value) => void),
) => () => void;

export interface SocketOptions<Fields, Answer> extends Omit<ConnectOptions, 'hello' | 'kind' | 'onMessage'> {
  /** Answers to runs, and what others cause where the walker broadcasts. */
  readonly onMessage?: (data: Answer, frame: any) => void;
  /** Fields of a run that comes first whenever the connection stands; topics that it subscribes to are resumed. */
  readonly hello?: Fields;
}

/** Opens a connection, which is opened again when it breaks. */
export type SocketCall<Fields, Answer> = (
  options?: SocketOptions<Fields, Answer>,
) => Omit<Connection, 'send'> & { send(fields: Fields): void };

export interface Account {
  readonly user_id: string;
  readonly root_id: string;
  readonly role: string;
  readonly username?: string | null;
  readonly email?: string | null;
  readonly identities: readonly { readonly type: string; readonly value: string; readonly verified: boolean }[];
  readonly profile: Readonly<Record<string, string | number | boolean | null>>;
  readonly created_at: string;
}

export interface SignedIn {
  readonly user_id: string;
  readonly root_id: string;
  readonly role: string;
  readonly email?: string;
  readonly username?: string;
}

export interface ApiKey {
  readonly api_key_id: string;
  readonly name: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly active: boolean;
  readonly last_used_at: string | null;
  readonly allowed_walkers: readonly string[];
  readonly scopes: readonly string[];
}

export interface CreatedKey extends Omit<ApiKey, 'active' | 'last_used_at'> {
  /** Shown this once. */
  readonly api_key: string;
  readonly signing_secret: string;
}

/** Parts of a client that do not depend on the program. All calls throw ApiError. */
export interface ClientBase {
  /** Token of the person who is signed in. */
  readonly token: string | null;
  setToken(token: string | null): void;
  /** Makes an account, and signs in where the server gives a token with it. A name without `@` is a user name. */
  register(name: string, password: string, profile?: Account['profile']): Promise<SignedIn>;
  login(name: string, password: string): Promise<SignedIn>;
  /** Exchanges the token for a newer one. It also happens by itself when a call is refused because the token is over. */
  refresh(): Promise<string>;
  /** Signs out, here or (`all`) everywhere. The token is forgotten even when the server cannot be told. */
  logout(options?: { readonly all?: boolean }): Promise<void>;
  me(): Promise<Account>;
  updateProfile(profile: Account['profile']): Promise<Account>;
  changePassword(current: string, next: string): Promise<void>;
  changeUsername(next: string): Promise<void>;
  readonly keys: {
    create(key: {
      readonly name: string;
      readonly expiry_days?: number;
      readonly allowed_walkers?: readonly string[];
      readonly scopes?: readonly ('webhook' | 'call')[];
    }): Promise<CreatedKey>;
    list(): Promise<ApiKey[]>;
    revoke(id: string): Promise<void>;
  };
  /** Ends the connection of subscriptions. */
  close(): void;
}

/** Facts about an endpoint that a call needs; an empty path is the usual one. */
export interface EndpointFacts {
  readonly method?: string;
  readonly path?: string;
  readonly streams?: boolean;
  /** The answer is the value itself, as text or bytes or JSON. */
  readonly raw?: 'text' | 'bytes' | 'json';
}

export interface EndpointTable {
  readonly walkers: Readonly<Record<string, EndpointFacts>>;
  readonly functions: Readonly<Record<string, EndpointFacts>>;
  readonly sockets: Readonly<Record<string, 'walker' | 'function'>>;
}

const tokenName = 'svc_token';

/** Makes the client of a table of endpoints. */
export function makeClient(table: EndpointTable, options: ClientOptions): any {
  const base = (options.baseUrl ?? globalThis.location?.origin ?? '').replace(/\/$/, '');
  const isKept = options.token === undefined && options.onToken === undefined;
  const kept = isKept ? storageOf() : undefined;
  let token: string | null = options.token ?? kept?.getItem(tokenName) ?? null;
  let refreshing: Promise<string> | undefined;
  let page: LiveSocket | undefined;

  const setToken = (next: string | null) => {
    if (next === token) return;
    token = next;
    if (next === null) kept?.removeItem(tokenName);
    else kept?.setItem(tokenName, next);
    options.onToken?.(next);
    page?.tokenChanged();
  };

  const once = async (method: string, path: string, fields: any, given: CallOptions = {}): Promise<Response> => {
    const hasBody = method !== 'GET' && method !== 'DELETE';
    const { body, type } = hasBody ? bodyFrom(fields) : { body: undefined, type: undefined };
    const headers = {
      ...(type !== undefined && { 'Content-Type': type }),
      ...(token !== null
        ? { Authorization: `Bearer ${token}` }
        : options.apiKey !== undefined && { 'X-API-Key': options.apiKey }),
      ...(given.idempotencyKey !== undefined && { 'Idempotency-Key': given.idempotencyKey }),
      ...given.headers,
    };
    const ending = new AbortController();
    const abort = () => ending.abort();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      abort();
    }, options.timeout ?? 65_000);
    given.signal?.addEventListener('abort', abort);
    if (given.signal?.aborted === true) abort();
    try {
      const ask = options.fetch ?? globalThis.fetch;
      const url = base + path + (hasBody ? '' : queryFrom(fields));
      return await ask(url, { method, headers, signal: ending.signal, ...(body !== undefined && { body }) });
    } catch (cause) {
      if (isLate) throw new ApiError('TIMEOUT', `${method} ${path}: no answer came in time`, { cause });
      if (ending.signal.aborted) throw new ApiError('ABORTED', `${method} ${path}: was given up`, { cause });
      throw new ApiError('NETWORK', `${method} ${path}: the server cannot be reached`, { cause });
    } finally {
      clearTimeout(timer);
    }
  };

  const call = async (method: string, path: string, fields: any, given?: CallOptions): Promise<Response> => {
    const sent = token;
    const response = await once(method, path, fields, given);
    if (response.ok) return response;
    const error = await errorFrom(response);
    if (error.status !== 401 || error.details?.reason !== 'expired' || sent === null) throw error;
    // The call was refused before anything of it was read: it is made again with a newer token.
    if (token === sent)
      await refresh().catch(() => {
        throw error;
      });
    const again = await once(method, path, fields, given);
    if (!again.ok) throw await errorFrom(again);
    return again;
  };

  const refresh = (): Promise<string> => {
    refreshing ??= (async () => {
      try {
        const response = await once('POST', '/user/refresh-token', { token });
        if (!response.ok) {
          if (response.status === 401) setToken(null);
          throw await errorFrom(response);
        }
        const { access_token: next } = await dataFrom(response);
        setToken(next);
        return next as string;
      } finally {
        refreshing = undefined;
      }
    })();
    return refreshing;
  };

  const data = async (method: string, path: string, fields: any = {}): Promise<any> =>
    dataFrom(await call(method, path, fields));
  const signIn = async (path: string, fields: any): Promise<any> => {
    const response = await once('POST', path, fields);
    if (!response.ok) throw await errorFrom(response);
    const { access_token: next, token: _same, token_type: _type, ...account } = await dataFrom(response);
    if (next !== undefined) setToken(next);
    return account;
  };
  const named = (name: string) => ({ [name.includes('@') ? 'email' : 'username']: name });

  const walker = (name: string, facts: EndpointFacts) => {
    const placeOf = (node: Reference | undefined, fields: any) => {
      const usual = `/walker/${name}`;
      const id = typeof node === 'object' ? (node._svc_id ?? undefined) : node;
      if (facts.path === undefined) return { path: id === undefined ? usual : `${usual}/${id}`, rest: fields };
      const { path, rest } = filledPath(facts.path, fields);
      return { path: id === undefined ? path : `${path}?nd=${id}`, rest };
    };
    const ask = async (node: Reference | undefined, fields: any = {}, given?: CallOptions) => {
      const { path, rest } = placeOf(node, fields);
      return call(facts.method ?? 'POST', path, rest, given);
    };
    if (facts.streams === true) {
      return Object.assign((fields?: any, given?: CallOptions) => valuesOf(() => ask(undefined, fields, given)), {
        on: (node: Reference, fields?: any, given?: CallOptions) => valuesOf(() => ask(node, fields, given)),
      });
    }
    const answer = async (asked: Promise<Response>) => {
      const { reports = [], result = null, warnings = [] } = joinedRefs(await dataFrom(await asked));
      return { reports, result, warnings };
    };
    return Object.assign((fields?: any, given?: CallOptions) => answer(ask(undefined, fields, given)), {
      on: (node: Reference, fields?: any, given?: CallOptions) => answer(ask(node, fields, given)),
    });
  };
  const fn = (name: string, facts: EndpointFacts) => {
    const ask = (fields: any = {}, given?: CallOptions) => {
      const { path, rest } = filledPath(facts.path ?? `/function/${name}`, fields);
      return call(facts.method ?? 'POST', path, rest, given);
    };
    if (facts.streams === true) return (fields?: any, given?: CallOptions) => valuesOf(() => ask(fields, given));
    return async (fields?: any, given?: CallOptions) => {
      const response = await ask(fields, given);
      if (facts.raw !== undefined) return rawValue(response, facts.raw);
      return joinedRefs(await dataFrom(response)).result ?? null;
    };
  };
  const address = (path: string) => base.replace(/^http/, 'ws') + path;
  const socket = (name: string, kind: 'walker' | 'function') => (given: ConnectOptions) => {
    const url = address(kind === 'walker' ? `/ws/${name}` : `/ws/function/${name}`);
    const host = { url: () => url, token: () => token, read: joinedRefs, WebSocket: options.WebSocket };
    return connectTo(host, given ?? {});
  };
  const live = (of: 'walker' | 'function', name: string) => (fields: any, given: any) => {
    const watcher: LiveWatcher<any> = typeof given === 'function' ? { onValue: given } : given;
    const { onValue, onError, onMessage, onGap, node, every } = watcher;
    page ??= openLiveSocket({
      url: () => address('/live'),
      token: () => token,
      WebSocket: options.WebSocket,
      refused: (sent) => {
        if (sent !== token || sent === null) return;
        refresh().catch(() => undefined);
      },
    });
    const id = typeof node === 'object' ? (node._svc_id ?? undefined) : node;
    const target = { [of]: name, fields: JSON.parse(JSON.stringify(fields ?? {}, plainValue)), node: id, every };
    return page.subscribe(target, {
      value: (value) => {
        const { reports = [], result = null, warnings = [] } = joinedRefs(value);
        onValue(of === 'walker' ? { reports, result, warnings } : result);
      },
      failed: (error: LiveError, isFinal) =>
        onError?.(new ApiError(error.code, error.message, error as { readonly hint?: string }), isFinal),
      ...(onMessage && { message: onMessage }),
      ...(onGap && { gap: onGap }),
    });
  };

  const each = <Facts, Made>(facts: Readonly<Record<string, Facts>>, make: (name: string, one: Facts) => Made) =>
    Object.fromEntries(Object.entries(facts).map(([name, one]) => [name, make(name, one)]));
  const base_: ClientBase = {
    get token() {
      return token;
    },
    setToken,
    register: (name, password, profile) =>
      profile === undefined
        ? signIn('/user/register', { ...named(name), password })
        : signIn('/user/register', {
            identities: [{ type: name.includes('@') ? 'email' : 'username', value: name }],
            credential: { type: 'password', password },
            profile,
          }),
    login: (name, password) => signIn('/user/login', { ...named(name), password }),
    refresh,
    logout: async ({ all = false } = {}) => {
      const response = token === null ? undefined : await once('POST', '/user/logout', { all }).catch(() => undefined);
      await response?.body?.cancel();
      setToken(null);
    },
    me: () => data('GET', '/user/me'),
    updateProfile: (profile) => data('PATCH', '/user/me', { profile }),
    changePassword: async (current, next) => {
      setToken((await data('PUT', '/user/password', { current_password: current, new_password: next })).access_token);
    },
    changeUsername: async (next) => {
      setToken((await data('PUT', '/user/username', { new_username: next })).access_token);
    },
    keys: {
      create: (key) => data('POST', '/api-key/create', key),
      list: async () => (await data('GET', '/api-key/list')).api_keys,
      revoke: async (id) => {
        await data('DELETE', `/api-key/${id}`);
      },
    },
    close: () => page?.close(),
  };
  const followed = (kind: 'walker' | 'function', facts: EndpointTable['walkers']) =>
    Object.fromEntries(Object.keys(facts).map((name) => [name, live(kind, name)]));
  return Object.defineProperties(
    {
      walkers: each(table.walkers, walker),
      functions: each(table.functions, fn),
      sockets: each(table.sockets, socket),
      live: { ...followed('function', table.functions), ...followed('walker', table.walkers) },
    },
    Object.getOwnPropertyDescriptors(base_),
  );
}

/** Storage of a browser; a page may be denied it. */
function storageOf(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

async function errorFrom(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('X-Request-ID') ?? undefined;
  const answer: any = await response.json().catch(() => undefined);
  const { code = `HTTP_${response.status}`, message, hint, details } = answer?.error ?? {};
  const told = message ?? `the server answered ${response.status}`;
  return new ApiError(code, told, { status: response.status, hint, details, requestId });
}

async function dataFrom(response: Response): Promise<any> {
  try {
    return ((await response.json()) as any)?.data ?? {};
  } catch (cause) {
    throw new ApiError('NETWORK', 'the answer broke off', { cause });
  }
}

async function rawValue(response: Response, form: 'text' | 'bytes' | 'json'): Promise<unknown> {
  if (response.status === 204) return null;
  if (form === 'text') return response.text();
  return form === 'bytes' ? new Uint8Array(await response.arrayBuffer()) : response.json();
}

/** React Native's own `fetch` answers when all of an answer is there. */
const noStreams =
  'this platform has the values of a stream when it has ended: give a `fetch` that streams, or follow a socket or a live subscription';

async function* valuesOf(ask: () => Promise<Response>): AsyncGenerator<any, void> {
  try {
    const response = await ask();
    if ((response.headers.get('Content-Type') ?? '').startsWith('text/event-stream')) yield* streamed(response);
    else yield* (await dataFrom(response)).reports ?? [];
  } catch (error) {
    if (error instanceof StreamError) throw new ApiError(error.code, error.message, { status: 200, cause: error });
    if (error instanceof ApiError && error.code === 'TIMEOUT' && typeof ReadableStream === 'undefined')
      throw new ApiError('TIMEOUT', `${error.message}; ${noStreams}`, { cause: error });
    if (error instanceof ApiError) throw error;
    throw new ApiError('NETWORK', 'the stream broke off', { cause: error });
  }
}

/** Repeated objects of an answer are one again. */
function joinedRefs<T>(answer: T): T {
  const known = new Map<string, unknown>();
  const refs: (() => void)[] = [];
  const look = (value: any): void => {
    if (typeof value !== 'object' || value === null) return;
    if (typeof value._svc_id === 'string') known.set(value._svc_id, value);
    for (const [name, one] of Object.entries<any>(value)) {
      if (typeof one?.$ref !== 'string') look(one);
      else
        refs.push(() => {
          value[name] = known.get(one.$ref) ?? one;
        });
    }
  };
  look(answer);
  for (const join of refs) join();
  return answer;
}

function filledPath(path: string, fields: any): { readonly path: string; readonly rest: any } {
  const rest = { ...fields };
  const filled = path.replace(/\{(\w+)(?::\w+)?\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(plainValue('', value)));
  });
  return { path: filled, rest };
}

/** Sets are lists on the wire, objects of the graph their ids. */
function plainValue(_: string, value: any): unknown {
  if (value instanceof Set) return [...value];
  return typeof value?._svc_id === 'string' && value._svc_archetype !== 'walker' ? value._svc_id : value;
}

function queryFrom(fields: any): string {
  // React Native's URLSearchParams did not escape what it was given for years.
  const parts: string[] = [];
  for (const [name, value] of Object.entries<any>(fields ?? {})) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) || value instanceof Set ? value : [value])
      parts.push(`${encodeURIComponent(name)}=${encodeURIComponent(textOf(plainValue('', one)))}`);
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

function textOf(value: any): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' && value !== null ? JSON.stringify(value, plainValue) : String(value);
}

function isFileLike(value: any): boolean {
  return value instanceof Blob || (typeof value?.uri === 'string' && typeof value?.name === 'string');
}

function holdsFiles(value: any): boolean {
  return isFileLike(value) || (Array.isArray(value) && value.length > 0 && value.every(isFileLike));
}

/** JSON, or a form where a field is a file or a list of them. */
function bodyFrom(fields: any): { readonly body: string | FormData; readonly type: string | undefined } {
  if (!Object.values(fields ?? {}).some(holdsFiles))
    return { body: JSON.stringify(fields ?? {}, plainValue), type: 'application/json' };
  const form = new FormData();
  for (const [name, value] of Object.entries<any>(fields)) {
    if (value === undefined || value === null) continue;
    if (isFileLike(value)) form.append(name, value);
    else if (holdsFiles(value)) for (const file of value) form.append(name, file);
    else form.append(name, textOf(plainValue('', value)));
  }
  return { body: form, type: undefined };
}
