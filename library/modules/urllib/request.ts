/** Module `urllib.request`. */

import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { functions, type Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { pathOf } from '../../builtins/path-of.ts';
import { real } from '../../builtins/real.ts';
import { writeFileSync } from '../../disk.ts';
import { nodeCrypto } from '../../node-parts.ts';
import { call } from '../../values/calls/calls.ts';
import { caught } from '../../values/calls/raise.ts';
import { Dict } from '../../values/containers/dict.ts';
import { toArray } from '../../values/containers/iteration.ts';
import { tuple } from '../../values/containers/tuple.ts';
import { type OSError, TimeoutError, TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { reprOf, strOf } from '../../values/objects/repr.ts';
import { isClass } from '../../values/objects/type-name.ts';
import { bytesOf } from '../../values/text/bytes.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import { BytesIO } from '../memory-file.ts';
import { CaseInsensitiveDict } from '../requests/case-insensitive-dict.ts';
import { exchange, HttpProblem } from '../requests/http-exchange.ts';
import { HTTPError, URLError } from './error.ts';
import { joinUrls } from './parse.ts';
import { quoteUrl, unquoteUrl } from './url-quoting.ts';

/** Header names are kept as `Content-type`. */
const headerName = (name: unknown): string => {
  const text = strOf(name);
  return text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase();
};

class Request {
  full_url: string;
  data: unknown;
  method: string | null;
  readonly headers = new Dict();
  readonly unredirected_hdrs = new Dict();

  constructor(url: unknown, data: unknown, headers: unknown, method: unknown) {
    const text = textOf(url);
    if (text === undefined) throw new TypeError('expected string or bytes-like object');
    if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) throw new ValueError(`unknown url type: ${reprOf(text)}`);
    this.full_url = text;
    this.data = data ?? null;
    this.method = method === undefined || method === null ? null : strOf(method);
    if (headers instanceof Dict) for (const [name, value] of headers.entries()) this.add_header(name, value);
  }

  get host(): string {
    return new URL(this.full_url).host;
  }

  get type(): string {
    return new URL(this.full_url).protocol.slice(0, -1);
  }

  get selector(): string {
    const url = new URL(this.full_url);
    return url.pathname + url.search;
  }

  get_method(): string {
    return this.method ?? (this.data === null ? 'GET' : 'POST');
  }

  get_full_url(): string {
    return this.full_url;
  }

  add_header(name: unknown, value: unknown): null {
    this.headers.set(headerName(name), value);
    return null;
  }

  has_header(name: unknown): boolean {
    return this.headers.has(headerName(name));
  }

  get_header(name: unknown, fallback?: unknown): unknown {
    return this.headers.get(headerName(name)) ?? fallback ?? null;
  }

  header_items(): unknown[] {
    return [...this.headers.entries()].map(([name, value]) => tuple(name, value));
  }

  remove_header(name: unknown): null {
    this.headers.delete(headerName(name));
    return null;
  }
}
nativeClass(Request, {
  name: 'Request',
  module: 'urllib.request',
  params: 'url, data=None, headers=None, origin_req_host=None, unverifiable=False, method=None',
  make: (cls, url, data, headers, _origin, _unverifiable, method) => new cls(url, data, headers, method),
  methods: {
    get_method: '',
    get_full_url: '',
    add_header: 'key, val',
    has_header: 'header_name',
    get_header: 'header_name, default=None',
    header_items: '',
    remove_header: 'header_name',
  },
});

/** Headers of a reply. */
class HTTPMessage extends CaseInsensitiveDict {
  get_content_type(): string {
    return String(this.get('content-type') ?? 'text/plain')
      .split(';', 1)[0]!
      .trim()
      .toLowerCase();
  }

  get_content_charset(fallback?: unknown): unknown {
    return (
      /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(String(this.get('content-type') ?? ''))?.[1]?.toLowerCase() ??
      fallback ??
      null
    );
  }
}
nativeClass(HTTPMessage, {
  name: 'HTTPMessage',
  module: 'http.client',
  methods: { get_content_type: '', get_content_charset: 'failobj=None' },
});

class HTTPResponse extends BytesIO {
  readonly status: number;
  readonly reason: string;
  readonly url: string;
  readonly headers: HTTPMessage;

  constructor(status: number, reason: string, url: string, headers: HTTPMessage, body: Uint8Array) {
    super(body);
    this.status = status;
    this.reason = reason;
    this.url = url;
    this.headers = headers;
  }

  get code(): number {
    return this.status;
  }

  get msg(): string {
    return this.reason;
  }

  getcode(): number {
    return this.status;
  }

  geturl(): string {
    return this.url;
  }

  info(): HTTPMessage {
    return this.headers;
  }

  getheader(name: unknown, fallback?: unknown): unknown {
    return this.headers.get(name) ?? fallback ?? null;
  }

  getheaders(): unknown[] {
    return [...this.headers.entries()].map(([name, value]) => tuple(name, value));
  }
}
nativeClass(HTTPResponse, {
  name: 'HTTPResponse',
  module: 'http.client',
  methods: { getcode: '', geturl: '', info: '', getheader: 'name, default=None', getheaders: '' },
});

function bodyOf(data: any): Uint8Array | undefined {
  if (data === null || data === undefined) return undefined;
  if (textOf(data) !== undefined) {
    throw new TypeError('POST data should be bytes, an iterable of bytes, or a file object. It cannot be of type str.');
  }
  if (typeof data.read === 'function') return bodyOf(callMethod(data, 'read'));
  return (
    bytesOf(data) ?? new Uint8Array(Buffer.concat(toArray(data).map((part) => bytesOf(part) ?? new Uint8Array(0))))
  );
}

/** Follows redirects; error statuses raise. */
async function openUrl(
  request: Request,
  timeout: unknown,
  extra: readonly (readonly [string, string])[],
  proxies: ReadonlyMap<string, string>,
): Promise<HTTPResponse> {
  const local = localContent(request.full_url);
  if (local !== undefined) return local;
  const headers = new Map<string, string>([['User-agent', 'Python-urllib/3.12'], ...extra]);
  for (const [name, value] of request.headers.entries()) headers.set(String(name), strOf(value));
  let [method, url, body] = [request.get_method(), request.full_url, bodyOf(request.data)];
  if (body !== undefined && !headers.has('Content-type'))
    headers.set('Content-type', 'application/x-www-form-urlencoded');
  const timeoutMs = timeout === undefined || timeout === null ? undefined : Math.max(1, real(timeout) * 1000);
  for (let hops = 0; ; hops += 1) {
    const proxy = proxies.get(new URL(url).protocol.slice(0, -1));
    const call = { method, url, headers: [...headers], body, timeoutMs, verify: true, proxy };
    const reply = await exchange(call).catch((e) => {
      throw e instanceof HttpProblem ? problem(e) : e;
    });
    const message = new HTTPMessage();
    for (const [name, value] of reply.headers)
      message.set(
        name.replace(/(^|-)[a-z]/g, (part) => part.toUpperCase()),
        value,
      );
    const response = new HTTPResponse(reply.status, reply.reason, url, message, reply.body);
    const location = message.get('location');
    const follows = [301, 302, 303, 307, 308].includes(reply.status) && typeof location === 'string';
    if (follows && hops < 10 && (method === 'GET' || method === 'HEAD' || (method === 'POST' && reply.status < 304))) {
      url = joinUrls(url, location);
      if (method === 'POST') [method, body] = ['GET', undefined];
      continue;
    }
    if (reply.status >= 200 && reply.status < 300) return response;
    throw new HTTPError(url, reply.status, reply.reason, message, response);
  }
}

function problem(e: HttpProblem): unknown {
  if (e.kind === 'timeout') return new TimeoutError('timed out');
  const found = /^\[Errno (-?\d+)\] (.*)$/.exec(e.message);
  return new URLError(found === null ? e.message : caught(Object.assign(new Error(found[2]), { code: e.code })));
}

function localContent(url: string): HTTPResponse | undefined {
  if (url.startsWith('file:')) {
    try {
      return new HTTPResponse(200, 'OK', url, new HTTPMessage(), new Uint8Array(readFileSync(new URL(url))));
    } catch (e) {
      throw new URLError(caught(e));
    }
  }
  const found = /^data:([^,;]*)[^,]*?(;base64)?,(.*)$/s.exec(url);
  if (found !== null) {
    const text = unquoteUrl(found[3]!, 'latin-1');
    const message = new HTTPMessage();
    message.set('Content-Type', found[1] === '' ? 'text/plain' : found[1]!);
    return new HTTPResponse(
      200,
      'OK',
      url,
      message,
      new Uint8Array(Buffer.from(text, found[2] === undefined ? 'latin1' : 'base64')),
    );
  }
  if (!/^https?:/i.test(url)) throw new URLError(`unknown url type: ${url.split(':', 1)[0]}`);
  return undefined;
}

function urlopen(
  url: unknown,
  data?: unknown,
  timeout?: unknown,
  extra: readonly (readonly [string, string])[] = [],
  proxies: ReadonlyMap<string, string> = new Map(),
): Promise<HTTPResponse> {
  const request = url instanceof Request ? url : new Request(url, data, undefined, undefined);
  if (url instanceof Request && data !== undefined && data !== null) request.data = data;
  bodyOf(request.data);
  return openUrl(request, timeout, extra, proxies);
}

/** Table of the servers that pass requests on, by scheme; without one the environment says so (`http_proxy`). */
class ProxyHandler {
  readonly proxies: Dict;

  constructor(proxies: unknown) {
    this.proxies = proxies instanceof Dict ? proxies : environmentProxies();
  }
}
nativeClass(ProxyHandler, { name: 'ProxyHandler', module: 'urllib.request', params: 'proxies=None' });

function environmentProxies(): Dict {
  const found = new Dict();
  for (const [name, value] of Object.entries(process.env)) {
    const scheme = /^(.+)_proxy$/i.exec(name)?.[1]?.toLowerCase();
    if (scheme !== undefined && value !== undefined && value !== '') found.set(scheme, value);
  }
  return found;
}

class OpenerDirector {
  addheaders: unknown[] = [];
  readonly handlers: unknown[] = [];

  add_handler(handler: unknown): null {
    this.handlers.push(isClass(handler) ? call(handler) : handler);
    return null;
  }

  open(url: unknown, data?: unknown, timeout?: unknown): Promise<HTTPResponse> {
    const extra = this.addheaders.map((pair) => toArray(pair).map((part) => strOf(part)) as [string, string]);
    return urlopen(
      url,
      data,
      timeout,
      extra.map(([name, value]) => [headerName(name), value] as const),
      new Map(
        this.handlers
          .filter((handler) => handler instanceof ProxyHandler)
          .flatMap((handler) => [...handler.proxies.entries()])
          .map(([scheme, proxy]) => [strOf(scheme), strOf(proxy)] as const),
      ),
    );
  }
}
nativeClass(OpenerDirector, {
  name: 'OpenerDirector',
  module: 'urllib.request',
  methods: { open: 'fullurl, data=None, timeout=None', add_handler: 'handler' },
});

async function urlretrieve(url: unknown, filename?: unknown, hook?: unknown, data?: unknown): Promise<unknown> {
  const response = await urlopen(url, data);
  const target =
    filename === undefined || filename === null ? join(tmpdir(), nodeCrypto().randomUUID()) : String(pathOf(filename));
  const size = response.$length;
  if (hook !== undefined && hook !== null) {
    call(hook, 0, 8192, size);
    call(hook, Math.ceil(size / 8192), 8192, size);
  }
  try {
    writeFileSync(target, response.getvalue().data);
  } catch (e) {
    throw caught(e) as OSError;
  }
  return tuple(target, response.headers);
}

export function makeUrllibRequest(): Members {
  let installed = new OpenerDirector();
  return {
    OpenerDirector,
    ProxyHandler,
    Request,
    ...functions('urllib.request', {
      build_opener: [
        '*handlers',
        (handlers: readonly unknown[] = []) => {
          const opener = new OpenerDirector();
          for (const handler of handlers) opener.add_handler(handler);
          return opener;
        },
      ],
      getproxies: ['', environmentProxies],
      install_opener: [
        'opener',
        (opener: OpenerDirector) => {
          installed = opener;
          return null;
        },
      ],
      pathname2url: ['pathname', (path: unknown) => quoteUrl(path)],
      url2pathname: ['pathname', (path: unknown) => unquoteUrl(path)],
      urlcleanup: ['', () => null],
      urlopen: [
        'url, data=None, timeout=None, *, context=None',
        (url: unknown, data?: unknown, timeout?: unknown) => installed.open(url, data, timeout),
      ],
      urlretrieve: ['url, filename=None, reporthook=None, data=None', urlretrieve],
    }),
  };
}
