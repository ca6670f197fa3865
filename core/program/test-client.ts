/** Module `svclang.runtimelib.testing`: requests to a program from its tests, without a server (decisions/0133). */

import type { Members } from '../../library/builtins/module.ts';
import { nativeClass } from '../../library/builtins/native-class.ts';
import { runUnwatched } from '../../library/builtins/strays.ts';
import { specOf } from '../../library/classes/func.ts';
import { loads } from '../../library/modules/json/json.ts';
import { formText, makeBody } from '../../library/modules/requests/body.ts';
import { CaseInsensitiveDict } from '../../library/modules/requests/case-insensitive-dict.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { RuntimeError } from '../../library/values/objects/exceptions.ts';
import { $repr, $truth } from '../../library/values/objects/protocol.ts';
import { strOf } from '../../library/values/objects/repr.ts';
import { truth } from '../../library/values/objects/truth.ts';
import { className } from '../../library/values/objects/type-name.ts';
import { Bytes } from '../../library/values/text/bytes.ts';
import { type TestApp, type TestHost, type TestReply, testHost } from './test-host.ts';

/** An answer of the program. */
class TestResponse {
  readonly status_code: number;
  readonly headers: CaseInsensitiveDict;
  readonly $body: Uint8Array;

  constructor(reply: TestReply) {
    this.status_code = reply.status;
    this.headers = new CaseInsensitiveDict();
    for (const [name, value] of reply.headers) this.headers.set(name, value);
    this.$body = reply.body;
  }

  get ok(): boolean {
    return this.status_code < 400;
  }

  get content(): Bytes {
    return new Bytes(this.$body);
  }

  get text(): string {
    return Buffer.from(this.$body).toString();
  }

  json(): unknown {
    return loads(this.text);
  }

  /** Value that the program answered, without the envelope around it; the whole body when it has no envelope. */
  get data(): unknown {
    const body = this.$json();
    return body instanceof Dict && body.has('ok') && body.has('data') ? body.get('data') : (body ?? null);
  }

  /** List of the walker's reports. */
  get reports(): unknown {
    return this.$part('reports') ?? [];
  }

  /** Return value of the function. */
  get result(): unknown {
    return this.$part('result') ?? null;
  }

  /** Code, message and details of a failure; None for an answer that is none. */
  get error(): unknown {
    const body = this.$json();
    return (body instanceof Dict ? body.get('error') : undefined) ?? null;
  }

  $part(name: string): unknown {
    const { data } = this;
    return data instanceof Dict ? data.get(name) : undefined;
  }

  $json(): unknown {
    if (!/json/.test(String(this.headers.get('content-type') ?? ''))) return undefined;
    return this.text === '' ? undefined : loads(this.text);
  }

  [$truth](): boolean {
    return this.ok;
  }

  [$repr](): string {
    return `<TestResponse [${this.status_code}]>`;
  }
}
nativeClass(TestResponse, { name: 'TestResponse', module: 'svclang.runtimelib.testing', methods: { json: '' } });

class SvcTestClient {
  readonly $host: TestHost;
  readonly $path: string;
  $app: Promise<TestApp> | undefined;
  /** Sent with every request as long as it is set. */
  token: string | null = null;

  constructor(file: string | undefined, folder: string | undefined) {
    const host = testHost();
    if (host === undefined) throw new RuntimeError('SvcTestClient works in tests: run them with `svc test`');
    this.$host = host;
    this.$path = host.find(file, folder);
  }

  async request(
    method: unknown,
    path: unknown,
    json?: unknown,
    data?: unknown,
    headers?: unknown,
    params?: unknown,
    files?: unknown,
  ): Promise<TestResponse> {
    this.$app ??= this.$host.open(this.$path);
    const app = await this.$app;
    const body = makeBody(data ?? null, json ?? null, files ?? null);
    const all = new Map<string, string>();
    if (body.contentType !== undefined) all.set('content-type', body.contentType);
    if (this.token !== null) all.set('authorization', `Bearer ${this.token}`);
    if (headers instanceof Dict)
      for (const [name, value] of headers.entries()) all.set(strOf(name).toLowerCase(), strOf(value));
    const query = truth(params) ? formText(params) : '';
    const target = strOf(path) + (query === '' ? '' : `${strOf(path).includes('?') ? '&' : '?'}${query}`);
    const request = { method: strOf(method).toUpperCase(), target: target.startsWith('/') ? target : `/${target}` };
    return new TestResponse(await app.send({ ...request, headers: [...all], body: body.data }));
  }

  get(path: unknown, ...rest: unknown[]): Promise<TestResponse> {
    return this.request('GET', path, ...rest);
  }

  post(path: unknown, ...rest: unknown[]): Promise<TestResponse> {
    return this.request('POST', path, ...rest);
  }

  put(path: unknown, ...rest: unknown[]): Promise<TestResponse> {
    return this.request('PUT', path, ...rest);
  }

  patch(path: unknown, ...rest: unknown[]): Promise<TestResponse> {
    return this.request('PATCH', path, ...rest);
  }

  delete(path: unknown, ...rest: unknown[]): Promise<TestResponse> {
    return this.request('DELETE', path, ...rest);
  }

  /** Spawns a walker: `spawn("AddTask", title="milk")`, with `node` at another place than the root. */
  spawn(walker: unknown, node?: unknown, fields?: Dict): Promise<TestResponse> {
    const place = node === undefined || node === null ? '' : `/${strOf(node)}`;
    return this.request('POST', `/walker/${nameOf(walker)}${place}`, fields ?? new Dict());
  }

  /** Calls a function: `call("total", n=2)`. */
  call(name: unknown, fields?: Dict): Promise<TestResponse> {
    return this.request('POST', `/function/${nameOf(name)}`, fields ?? new Dict());
  }

  register_user(username?: unknown, password?: unknown): Promise<TestResponse> {
    return this.$sign('/user/register', username, password);
  }

  login(username?: unknown, password?: unknown): Promise<TestResponse> {
    return this.$sign('/user/login', username, password);
  }

  /** Later requests are those of the user, when the answer has a token. */
  async $sign(path: string, username: unknown, password: unknown): Promise<TestResponse> {
    const name = strOf(username ?? 'testuser');
    const identity = name.includes('@') ? 'email' : 'username';
    const secret = strOf(password ?? 'test password 1');
    const before = this.token;
    this.token = null;
    const response = await this.request(
      'POST',
      path,
      Dict.from([[identity, name] as const, ['password', secret] as const]),
    );
    const token = response.$part('access_token') ?? response.$part('token');
    this.token = typeof token === 'string' ? token : before;
    return response;
  }

  set_auth_token(token: unknown): null {
    this.token = token === undefined || token === null ? null : strOf(token);
    return null;
  }

  clear_auth(): null {
    this.token = null;
    return null;
  }

  /** The graph and the users are gone; the next request begins anew. */
  async close(): Promise<null> {
    const app = this.$app;
    this.$app = undefined;
    this.token = null;
    await (await app)?.close();
    return null;
  }

  __enter__(): this {
    return this;
  }

  /** Does not wait: in a body that cannot wait a promise would count as true, which suppresses what the body raised. */
  __exit__(): null {
    runUnwatched(
      () => 'Exception in SvcTestClient.close',
      () => this.close(),
    );
    return null;
  }

  async __aenter__(): Promise<this> {
    return this;
  }

  async __aexit__(): Promise<null> {
    return this.close();
  }

  [$repr](): string {
    return `<SvcTestClient ${this.$path}>`;
  }
}

const request = 'json=None, data=None, headers=None, params=None, files=None';
nativeClass(SvcTestClient, {
  name: 'SvcTestClient',
  module: 'svclang.runtimelib.testing',
  params: 'file=None, base_path=None',
  make: (_cls, file, folder) => open(file, folder),
  statics: { from_file: ['file, base_path=None', open] },
  methods: {
    request: `method, path, ${request}`,
    get: `path, ${request}`,
    post: `path, ${request}`,
    put: `path, ${request}`,
    patch: `path, ${request}`,
    delete: `path, ${request}`,
    spawn: 'walker, node=None, /, **fields',
    call: 'name, /, **fields',
    register_user: 'username=None, password=None',
    login: 'username=None, password=None',
    set_auth_token: 'token',
    clear_auth: '',
    close: '',
  },
});

function open(file?: unknown, folder?: unknown): SvcTestClient {
  const text = (x: unknown) => (x === undefined || x === null ? undefined : strOf(x));
  return new SvcTestClient(text(file), text(folder));
}

// A walker may be given by its class, a function by itself.
function nameOf(x: unknown): string {
  return typeof x === 'function' ? (specOf(x)?.name ?? className(x)) : strOf(x);
}

export function makeTesting(): Members {
  return { SvcTestClient, TestResponse };
}
