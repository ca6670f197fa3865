/** `requests.Session`: preparing requests, redirects, cookies. */
import { after } from '../../../base/after.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { real } from '../../builtins/real.ts';
import { call as callFunction } from '../../values/calls/calls.ts';
import { Dict } from '../../values/containers/dict.ts';
import { toArray } from '../../values/containers/iteration.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { TypeError } from '../../values/objects/exceptions.ts';
import { $repr } from '../../values/objects/protocol.ts';
import { reprOf, strOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { Bytes } from '../../values/text/bytes.ts';
import { requireText } from '../../values/text/text-arguments.ts';
import { TimeDelta } from '../datetime/timedelta.ts';
import { joinUrls } from '../urllib/parse.ts';
import { formText, makeBody } from './body.ts';
import { CaseInsensitiveDict } from './case-insensitive-dict.ts';
import { CookieJar, storeCookies } from './cookies.ts';
import {
  ConnectionError,
  ConnectTimeout,
  InvalidSchema,
  InvalidURL,
  MissingSchema,
  ReadTimeout,
  type RequestException,
  TooManyRedirects,
} from './exceptions.ts';
import { exchange, HttpProblem, type HttpReply } from './http-exchange.ts';
import { Response } from './response.ts';

/** Options of `request` in the order of its parameters. */
export const optionNames = [
  'params',
  'data',
  'headers',
  'cookies',
  'files',
  'auth',
  'timeout',
  'allow_redirects',
  'proxies',
  'hooks',
  'stream',
  'verify',
  'cert',
  'json',
] as const;
export type Options = Partial<Record<(typeof optionNames)[number], any>>;

/** Request as it goes on the wire. */
export class PreparedRequest {
  method: string;
  url: string;
  headers: CaseInsensitiveDict;
  readonly $data: Uint8Array | undefined;
  $hooks: unknown[] = [];

  constructor(method: string, url: string, headers: CaseInsensitiveDict, data: Uint8Array | undefined) {
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.$data = data;
  }

  get body(): Bytes | null {
    return this.$data === undefined ? null : new Bytes(this.$data);
  }

  get path_url(): string {
    const url = new URL(this.url);
    return url.pathname + url.search;
  }

  [$repr](): string {
    return `<PreparedRequest [${this.method}]>`;
  }
}
nativeClass(PreparedRequest, { name: 'PreparedRequest', module: 'requests.models' });

/** A request that is not sent yet. */
export class Request {
  method: unknown;
  url: unknown;
  readonly $options: Options;

  constructor(method: unknown, url: unknown, options: Options) {
    this.method = method;
    this.url = url;
    this.$options = options;
    for (const name of ['headers', 'files', 'data', 'params', 'auth', 'cookies', 'json'] as const)
      (this as any)[name] = options[name] ?? null;
  }

  prepare(): PreparedRequest {
    return new Session().prepare_request(this);
  }

  [$repr](): string {
    return `<Request [${strOf(this.method)}]>`;
  }
}
nativeClass(Request, {
  name: 'Request',
  module: 'requests.models',
  params:
    'method=None, url=None, headers=None, files=None, data=None, params=None, auth=None, cookies=None, hooks=None, json=None',
  make: (cls, method, url, headers, files, data, params, auth, cookies, hooks, json) =>
    new cls(method, url, { headers, files, data, params, auth, cookies, hooks, json }),
  methods: { prepare: '' },
});

export class HTTPBasicAuth {
  readonly username: unknown;
  readonly password: unknown;

  constructor(username: unknown, password: unknown) {
    this.username = username;
    this.password = password;
  }

  __call__(request: PreparedRequest): PreparedRequest {
    request.headers.set(
      'Authorization',
      `Basic ${Buffer.from(`${strOf(this.username)}:${strOf(this.password)}`).toString('base64')}`,
    );
    return request;
  }
}
nativeClass(HTTPBasicAuth, {
  name: 'HTTPBasicAuth',
  module: 'requests.auth',
  params: 'username, password',
  methods: { __call__: 'r' },
});

export class Session {
  headers = defaultHeaders();
  auth: unknown = null;
  params: unknown = new Dict();
  cookies = new CookieJar();
  verify: unknown = true;
  proxies: unknown = new Dict();
  hooks: Dict = Dict.of('response', []);
  stream = false;
  cert: unknown = null;
  max_redirects = 30;
  trust_env = true;

  prepare_request(request: Request): PreparedRequest {
    return prepare(this, strOf(request.method).toUpperCase(), request.url, request.$options);
  }

  request(method: unknown, url: unknown, ...slots: unknown[]): Promise<Response> {
    const options: Options = Object.fromEntries(optionNames.map((name, i) => [name, slots[i] ?? undefined]));
    return this.$send(requireText(method).toUpperCase(), url, options);
  }

  $send(method: string, url: unknown, options: Options): Promise<Response> {
    return deliver(this, prepare(this, method, url, options), options);
  }

  send(request: PreparedRequest, options: Dict): Promise<Response> {
    return deliver(this, request, optionsOf(options));
  }

  mount(): null {
    return null;
  }

  close(): null {
    return null;
  }

  __enter__(): this {
    return this;
  }

  __exit__(): null {
    return null;
  }
}

/** Keyword arguments of `get`, `post` … @throws TypeError */
export function optionsOf(given: Dict): Options {
  const unknown = [...given.keys()].find((name) => !(optionNames as readonly unknown[]).includes(name));
  if (unknown !== undefined) throw new TypeError(`Session.request() got an unexpected keyword argument '${unknown}'`);
  return Object.fromEntries([...given.entries()].map(([name, value]) => [name, value ?? undefined]));
}

/** Parameters of the functions of the HTTP methods. */
export const verbs: Readonly<Record<string, string>> = {
  get: 'url, params=None, **kwargs',
  options: 'url, **kwargs',
  head: 'url, **kwargs',
  post: 'url, data=None, json=None, **kwargs',
  put: 'url, data=None, **kwargs',
  patch: 'url, data=None, **kwargs',
  delete: 'url, **kwargs',
};

/** Gives the options for the request that `name(url, …)` sends. */
export function verbOptions(name: string, slots: readonly unknown[]): Options {
  const given = optionsOf(slots.at(-1) as Dict);
  if (name === 'get') return { params: slots[0], ...given };
  if (name === 'post') return { data: slots[0], json: slots[1] ?? undefined, ...given };
  if (name === 'put' || name === 'patch') return { data: slots[0], ...given };
  return name === 'head' ? { allow_redirects: false, ...given } : given;
}

for (const name of Object.keys(verbs)) {
  const method = {
    [name](this: Session, url: unknown, ...slots: unknown[]): Promise<Response> {
      return this.$send(name.toUpperCase(), url, verbOptions(name, slots));
    },
  }[name]!;
  Object.defineProperty(Session.prototype, name, { value: method, writable: true, configurable: true });
}
export const requestParams = `method, url, ${optionNames.map((name) => `${name}=None`).join(', ')}`;
nativeClass(Session, {
  name: 'Session',
  module: 'requests.sessions',
  methods: {
    ...verbs,
    request: requestParams,
    prepare_request: 'request',
    send: 'request, **kwargs',
    mount: 'prefix, adapter',
    close: '',
    __exit__: '*args',
  },
});

function defaultHeaders(): CaseInsensitiveDict {
  return CaseInsensitiveDict.fromPairs([
    ['User-Agent', 'python-requests/2.32'],
    ['Accept-Encoding', 'gzip, deflate'],
    ['Accept', '*/*'],
    ['Connection', 'keep-alive'],
  ]);
}

function prepare(session: Session, method: string, url: unknown, options: Options): PreparedRequest {
  const target = targetUrl(url, [session.params, options.params]);
  const headers = session.headers.copy();
  for (const [name, value] of options.headers instanceof Dict ? options.headers.entries() : []) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  const body = makeBody(options.data, options.json, options.files);
  if (body.contentType !== undefined && !headers.has('content-type')) headers.set('Content-Type', body.contentType);
  if (body.data !== undefined) headers.set('Content-Length', String(body.data.length));
  else if (method !== 'GET' && method !== 'HEAD') headers.set('Content-Length', '0');
  const jar = session.cookies.copy();
  if (options.cookies instanceof Dict) for (const [name, value] of options.cookies.entries()) jar.set(name, value);
  const cookies = jar.$header(target);
  if (cookies !== '' && !headers.has('cookie')) headers.set('Cookie', cookies);
  const request = new PreparedRequest(method, target.href, headers, body.data);
  request.$hooks = [session.hooks, options.hooks].flatMap((hooks) => hooksOf(hooks));
  authenticate(request, options.auth ?? session.auth, target);
  return request;
}

function hooksOf(hooks: unknown): unknown[] {
  const found = hooks instanceof Dict ? hooks.get('response') : undefined;
  return found === undefined || found === null ? [] : typeof found === 'function' ? [found] : toArray(found);
}

function authenticate(request: PreparedRequest, auth: any, url: URL): void {
  const given = truth(auth) || typeof auth === 'function' ? auth : undefined;
  if (given instanceof Tuple || Array.isArray(given))
    new HTTPBasicAuth(...(toArray(given) as [unknown, unknown])).__call__(request);
  else if (given !== undefined) callFunction(given, request);
  else if (url.username !== '')
    new HTTPBasicAuth(decodeURIComponent(url.username), decodeURIComponent(url.password)).__call__(request);
  if (url.username === '') return;
  const bare = new URL(url.href);
  bare.username = bare.password = '';
  request.url = bare.href;
}

function targetUrl(given: unknown, queries: readonly unknown[]): URL {
  const text = given instanceof Bytes ? given.latin1 : strOf(given).trimStart();
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined || (!text.includes('://') && /^[\w.-]+:\d/.test(text))) {
    if (scheme !== undefined) throw new InvalidSchema(`No connection adapters were found for ${reprOf(text)}`);
    throw new MissingSchema(`Invalid URL ${reprOf(text)}: No scheme supplied. Perhaps you meant https://${text}?`);
  }
  if (scheme !== 'http' && scheme !== 'https')
    throw new InvalidSchema(`No connection adapters were found for ${reprOf(text)}`);
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new InvalidURL(
      /^https?:\/*($|[/?#])/i.test(text) ? `Invalid URL ${reprOf(text)}: No host supplied` : `Failed to parse: ${text}`,
    );
  }
  for (const query of queries) {
    const added = truth(query) ? formText(query) : '';
    if (added !== '') url.search = url.search === '' ? added : `${url.search}&${added}`;
  }
  return url;
}

async function deliver(session: Session, first: PreparedRequest, options: Options): Promise<Response> {
  const history: Response[] = [];
  const follow = options.allow_redirects === undefined || truth(options.allow_redirects);
  let request = first;
  for (;;) {
    const response = await transfer(session, request, options);
    response.history = [...history];
    if (!follow || !response.is_redirect) return withHooks(first, response);
    history.push(response);
    if (history.length > session.max_redirects) {
      throw attach(new TooManyRedirects(`Exceeded ${session.max_redirects} redirects.`), request, response);
    }
    request = redirected(session, request, response);
  }
}

async function withHooks(request: PreparedRequest, response: Response): Promise<Response> {
  let current = response;
  for (const hook of request.$hooks)
    current = (await after(callFunction(hook, current), (result) =>
      result instanceof Response ? result : current,
    )) as Response;
  return current;
}

/** The request that follows a redirect: methods change as browsers change them; secrets stay with their host. */
function redirected(session: Session, from: PreparedRequest, response: Response): PreparedRequest {
  const url = new URL(joinUrls(from.url, String(response.headers.get('location'))));
  if (url.hash === '') url.hash = new URL(from.url).hash;
  const { status_code: status } = response;
  const becomesGet =
    (status === 303 && from.method !== 'HEAD') ||
    (status === 302 && from.method !== 'HEAD') ||
    (status === 301 && from.method === 'POST');
  const headers = from.headers.copy();
  if (becomesGet) for (const name of ['Content-Length', 'Content-Type', 'Transfer-Encoding']) headers.delete(name);
  if (url.host !== new URL(from.url).host) headers.delete('Authorization');
  headers.delete('Cookie');
  const cookies = session.cookies.$header(url);
  if (cookies !== '') headers.set('Cookie', cookies);
  return new PreparedRequest(becomesGet ? 'GET' : from.method, url.href, headers, becomesGet ? undefined : from.$data);
}

/** The proxy for an address: named by its scheme and host, by its scheme, or for all. */
function proxyOf(url: URL, proxies: unknown): string | undefined {
  if (!(proxies instanceof Dict)) return undefined;
  const scheme = url.protocol.slice(0, -1);
  const named = [`${scheme}://${url.hostname}`, scheme, `all://${url.hostname}`, 'all'].map((name) =>
    proxies.get(name),
  );
  const found = named.find((proxy) => proxy !== undefined && proxy !== null && proxy !== '');
  return found === undefined ? undefined : strOf(found);
}

async function transfer(session: Session, request: PreparedRequest, options: Options): Promise<Response> {
  const began = process.hrtime.bigint();
  const verify = options.verify === undefined ? session.verify : options.verify;
  let reply: HttpReply;
  try {
    reply = await exchange({
      method: request.method,
      url: request.url,
      headers: sentHeaders(request),
      body: request.$data,
      timeoutMs: timeoutOf(options.timeout),
      verify: verify !== false,
      proxy: proxyOf(new URL(request.url), options.proxies ?? session.proxies),
    });
  } catch (e) {
    throw e instanceof HttpProblem ? attach(failure(e, request, options.timeout), request) : e;
  }
  const cookies = new CookieJar();
  storeCookies(cookies, reply.headers, new URL(request.url));
  storeCookies(session.cookies, reply.headers, new URL(request.url));
  const headers = new CaseInsensitiveDict();
  for (const [name, value] of reply.headers) {
    const shown = name.replace(/(^|-)[a-z]/g, (part) => part.toUpperCase());
    headers.set(shown, headers.has(shown) ? `${headers.get(shown)}, ${value}` : value);
  }
  const elapsed = new TimeDelta((process.hrtime.bigint() - began) / 1000n);
  return new Response({
    status_code: reply.status,
    reason: reply.reason,
    url: request.url,
    headers,
    cookies,
    elapsed,
    request,
    body: reply.body,
  });
}

// The connection is the platform's business, and so is the length it counts itself.
function sentHeaders(request: PreparedRequest): [string, string][] {
  const own = new Set(['connection', 'content-length', 'transfer-encoding', 'host']);
  return [...request.headers.entries()]
    .filter(([name]) => !own.has(String(name).toLowerCase()))
    .map(([name, value]) => [String(name), headerText(value)]);
}

function headerText(value: unknown): string {
  return value instanceof Bytes ? value.latin1 : strOf(value);
}

function timeoutOf(timeout: unknown): number | undefined {
  if (timeout === undefined || timeout === null) return undefined;
  if (!(timeout instanceof Tuple) && !Array.isArray(timeout)) return Math.max(1, real(timeout) * 1000);
  const parts = toArray(timeout).filter((part) => part !== null);
  return parts.length === 0 ? undefined : Math.max(1, Math.max(...parts.map(real)) * 1000);
}

function failure(problem: HttpProblem, request: PreparedRequest, timeout: unknown): RequestException {
  const url = new URL(request.url);
  const pool = `${url.protocol === 'https:' ? 'HTTPSConnectionPool' : 'HTTPConnectionPool'}(host='${url.hostname}', port=${url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port})`;
  if (problem.kind === 'timeout') return new ReadTimeout(`${pool}: Read timed out. (read timeout=${reprOf(timeout)})`);
  if (problem.code === 'UND_ERR_CONNECT_TIMEOUT' || problem.code === 'ETIMEDOUT') {
    return new ConnectTimeout(
      `${pool}: Max retries exceeded with url: ${url.pathname}${url.search} (Caused by ConnectTimeoutError('${problem.message}'))`,
    );
  }
  if (problem.kind === 'connect') {
    return new ConnectionError(
      `${pool}: Max retries exceeded with url: ${url.pathname}${url.search} (Caused by NewConnectionError('Failed to establish a new connection: ${problem.message}'))`,
    );
  }
  return new ConnectionError(`('Connection aborted.', ${reprOf(problem.message)})`);
}

function attach<E extends RequestException>(error: E, request: unknown, response?: unknown): E {
  Object.assign(error, { request, ...(response === undefined ? {} : { response }) });
  return error;
}
