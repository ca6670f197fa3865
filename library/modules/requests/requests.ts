/** Module `requests`: HTTP for programs. Every call waits for the whole reply. */

import { functions, type Members, makeModule } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { nodeHttp } from '../../node-parts.ts';
import { std } from '../../registry.ts';
import { $getattr } from '../../values/objects/protocol.ts';
import { requireText } from '../../values/text/text-arguments.ts';
import { CaseInsensitiveDict } from './case-insensitive-dict.ts';
import { CookieJar } from './cookies.ts';
import { makeRequestsExceptions } from './exceptions.ts';
import { Response } from './response.ts';
import { HTTPBasicAuth, PreparedRequest, Request, requestParams, Session, verbOptions, verbs } from './session.ts';

/** `requests.codes.ok`, `requests.codes.not_found` … */
class Codes {
  readonly $byName = new Map<string, number>([
    ['ok', 200],
    ['okay', 200],
    ['teapot', 418],
    ['unprocessable', 422],
    ['redirect', 302],
    ['server_error', 500],
  ]);

  constructor() {
    for (const [code, reason] of Object.entries(nodeHttp().STATUS_CODES))
      this.$byName.set(reason!.toLowerCase().replace(/['’]/g, '').replace(/\W+/g, '_'), Number(code));
  }

  [$getattr](name: string): unknown {
    return this.$byName.get(name.toLowerCase());
  }

  __getitem__(name: string): unknown {
    return this.$byName.get(name.toLowerCase()) ?? null;
  }
}
nativeClass(Codes, { name: 'LookupDict', module: 'requests.structures', methods: { __getitem__: 'key' } });

/** Mounted on sessions; the platform pools connections itself. */
class HTTPAdapter {
  readonly max_retries: unknown;

  constructor(retries: unknown) {
    this.max_retries = retries ?? 0;
  }

  close(): null {
    return null;
  }
}
nativeClass(HTTPAdapter, {
  name: 'HTTPAdapter',
  module: 'requests.adapters',
  params: 'pool_connections=10, pool_maxsize=10, max_retries=0, pool_block=False',
  make: (cls, _connections, _size, retries) => new cls(retries),
});

export function makeRequests(): Members {
  const errors = makeRequestsExceptions();
  const byVerb = Object.fromEntries(
    Object.entries(verbs).map(([name, params]) => [
      name,
      [
        params,
        (url: unknown, ...slots: unknown[]) => new Session().$send(name.toUpperCase(), url, verbOptions(name, slots)),
      ] as const,
    ]),
  );
  const {
    ConnectionError,
    ConnectTimeout,
    HTTPError,
    JSONDecodeError,
    ReadTimeout,
    RequestException,
    Timeout,
    TooManyRedirects,
    URLRequired,
  } = errors;
  return {
    ConnectionError,
    ConnectTimeout,
    HTTPError,
    JSONDecodeError,
    ReadTimeout,
    RequestException,
    Timeout,
    TooManyRedirects,
    URLRequired,
    PreparedRequest,
    Request,
    Response,
    Session,
    __version__: '2.32.0',
    adapters: makeModule('requests.adapters', { HTTPAdapter }),
    auth: makeModule('requests.auth', { HTTPBasicAuth }),
    codes: new Codes(),
    cookies: makeModule('requests.cookies', { RequestsCookieJar: CookieJar }),
    get exceptions() {
      return std('requests.exceptions');
    },
    structures: makeModule('requests.structures', { CaseInsensitiveDict }),
    ...functions('requests', {
      ...byVerb,
      request: [
        requestParams,
        (method: unknown, url: unknown, ...slots: unknown[]) =>
          new Session().request(requireText(method), url, ...slots),
      ],
      session: ['', () => new Session()],
    }),
  };
}
