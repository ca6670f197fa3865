/** Attacks on a sign-in and what else can go wrong, against a provider on a real socket that can be told to misbehave. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSendToProvider } from '../../adapters/identity/send-to-provider.ts';
import type { ScaleConfig } from '../../core/config/config.ts';
import { Failure } from '../../core/errors.ts';
import { type MockProvider, startMockProvider } from '../../test/harness/mock-provider.ts';
import { authFixture } from '../auth/fixture.ts';
import type { Call } from '../call.ts';
import { type FixedRoute, isAnswer } from '../routes.ts';

let provider: MockProvider;
beforeAll(async () => {
  provider = await startMockProvider();
});
afterAll(() => provider[Symbol.asyncDispose]());
beforeEach(() => {
  provider.failWith = 0;
  provider.emailInUserinfo = false;
  for (const name of Object.keys(provider.document)) delete provider.document[name];
});

interface Sent {
  readonly status: number;
  readonly data: Record<string, any>;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly details: any;
  readonly headers: Readonly<Record<string, string>>;
}

function app(changes: Partial<ScaleConfig['sso']> = {}, options: Parameters<typeof authFixture>[0] = {}) {
  const mock = {
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    scopes: ['openid', 'email'],
    issuer: provider.issuer,
    displayName: '',
    allowPrivateIssuer: true,
    responseMode: 'query',
  } as const;
  const settings: ScaleConfig['sso'] = {
    host: '',
    clientAuthCallbackUrl: '',
    tokenDelivery: 'fragment',
    autoRegister: true,
    stateTtlSeconds: 600,
    allowLoopbackCallback: true,
    ...changes,
    providers: {
      mock,
      other: { ...mock, clientId: 'other-client' },
      form: { ...mock, responseMode: 'form_post' },
      google: { ...mock, issuer: '', clientId: '', clientSecret: '' },
      'no-issuer': { ...mock, issuer: '' },
      ...changes.providers,
    },
  };
  const fixture = authFixture({
    ...options,
    config: { ...options.config, sso: { autoRegister: settings.autoRegister } },
    deps: { sso: { settings, baseUrl: 'https://app.example', send: createSendToProvider() } },
  });
  // Tokens of the provider are of this time.
  fixture.clock.ms = Date.now();

  async function ask(
    address: string,
    { cookie, method = 'GET', body = {} }: { cookie?: string; method?: FixedRoute['method']; body?: object } = {},
  ): Promise<Sent> {
    const url = new URL(address, 'https://app.example');
    const [, , platform = '', ...rest] = url.pathname.split('/');
    const templates = [rest.join('/'), rest.length === 1 ? '{operation}' : '{operation}/callback'];
    const route = templates
      .map((tail) =>
        fixture.auth.routes.find((one) => one.method === method && one.template === `/sso/{platform}/${tail}`),
      )
      .find((found) => found !== undefined);
    if (route === undefined) throw new Error(`no route ${method} ${url.pathname}`);
    const header = (name: string) => (name === 'cookie' ? cookie : undefined);
    const query = new Map([...new Set(url.searchParams.keys())].map((name) => [name, url.searchParams.getAll(name)]));
    const context = {
      call: { header } as unknown as Call,
      caller: fixture.auth.identify({ header } as unknown as Call, 'none') as never,
      params: { platform },
      query,
      body: body as Record<string, unknown>,
      requestId: 'r1',
      traceId: 't1',
      client: '192.0.2.1',
      origin: 'https://app.example',
    };
    try {
      const result = await route.run(context);
      if (!isAnswer(result)) throw new Error('not an answer');
      const headers = Object.fromEntries(
        result.headers.flatMap((name, i) => (i % 2 === 0 ? [[name, result.headers[i + 1]!]] : [])),
      );
      return {
        status: result.status,
        data: result.data ?? {},
        code: undefined,
        message: undefined,
        details: {},
        headers,
      };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { status, code, message, details, headers = {} } = error;
      return { status, code, message, details, headers, data: {} };
    }
  }

  /** Starts, lets the provider vouch, and gives what the browser brings back. */
  async function begin(mock: Record<string, string> = {}, path = '/sso/mock/login') {
    const started = await ask(path);
    const location = new URL(started.headers['Location']!);
    for (const [name, value] of Object.entries(mock)) location.searchParams.set(`mock_${name}`, value);
    const answered = await fetch(location, { redirect: 'manual' });
    const cookie = started.headers['Set-Cookie']!.split(';')[0]!;
    return { started, location, cookie, back: answered.headers.get('location')! };
  }

  async function round(mock: Record<string, string> = {}, path?: string): Promise<Sent> {
    const { back, cookie } = await begin(mock, path);
    return ask(back, { cookie });
  }

  return { ...fixture, ask, begin, round };
}

const ada = { sub: 'ada-1', email: 'Ada@Example.com', verified: 'true' };

test('the way to the provider carries state, nonce and a PKCE challenge', async () => {
  const { ask } = app();
  const started = await ask('/sso/mock/login?login_hint=ada');
  const location = new URL(started.headers['Location']!);
  expect([started.status, `${location.origin}${location.pathname}`]).toEqual([302, `${provider.issuer}/authorize`]);
  expect(Object.fromEntries(location.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'demo-client',
    redirect_uri: 'https://app.example/sso/mock/login/callback',
    scope: 'openid email',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    login_hint: 'ada',
  });
  const [value, ...attributes] = started.headers['Set-Cookie']!.split('; ');
  expect(attributes).toEqual(['HttpOnly', 'SameSite=Lax', 'Path=/sso', 'Secure', 'Max-Age=600']);
  for (const name of ['state', 'nonce']) expect(value).not.toContain(location.searchParams.get(name));
  expect(started.headers['Cache-Control']).toBe('no-store');
  const again = new URL((await ask('/sso/mock/register')).headers['Location']!).searchParams;
  expect([again.get('prompt'), location.searchParams.get('prompt')]).toEqual(['select_account', null]);
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(again.get(name)).not.toBe(location.searchParams.get(name));
});

test('the first time creates an account, the second signs in to it', async () => {
  const { round, store, send } = app();
  const created = await round(ada);
  expect(created).toMatchObject({
    status: 201,
    data: { email: 'ada@example.com', token_type: 'bearer', platform: 'mock', created: true, expires_in: 604_800 },
    headers: { 'Set-Cookie': expect.stringMatching(/^svc_sso=; .*Max-Age=0$/) },
  });
  const again = await round({ ...ada, email: 'moved@example.com' });
  expect(again).toMatchObject({ status: 200, data: { user_id: created.data['user_id'], created: false } });
  const account = store.accounts.get(created.data['user_id'])!;
  expect(account).toMatchObject({
    passwordHash: null,
    identities: [
      { type: 'email', value: 'ada@example.com', verified: true },
      { type: 'sso', value: 'mock:ada-1', email: 'ada@example.com' },
    ],
  });
  const me = await send('GET', '/user/me', { token: again.data['token'] });
  expect(me.data).toMatchObject({ email: 'ada@example.com', root_id: created.data['root_id'] });
  expect(me.data!['identities']).toContainEqual({ type: 'sso', value: 'mock', verified: true });
});

test('registering somebody known signs in', async () => {
  const { round } = app();
  const { data } = await round(ada, '/sso/mock/register');
  expect(data['created']).toBe(true);
  expect((await round(ada, '/sso/mock/register')).data).toMatchObject({ user_id: data['user_id'], created: false });
});

test.each(['nonce', 'aud', 'iss', 'exp', 'iat', 'alg', 'signature', 'azp', 'kid', 'hs256'])(
  'an ID token with a bad %s is the fault of the provider',
  async (bad) => {
    const { round, store } = app();
    const answer = await round({ ...ada, bad });
    expect(answer).toMatchObject({ status: 502, code: 'SSO_PROVIDER_ERROR' });
    expect(store.accounts.size).toBe(0);
    expect((await round(ada)).status).toBe(201);
  },
);

test('a state works once, even when everything else is replayed', async () => {
  const { begin, ask } = app();
  const { back, cookie } = await begin(ada);
  expect((await ask(back, { cookie })).status).toBe(201);
  expect(await ask(back, { cookie })).toMatchObject({ status: 400, code: 'INVALID_STATE' });
  // Nor with another code: the provider would have accepted that one.
  const other = await begin(ada);
  const code = new URL(other.back).searchParams.get('code')!;
  const mixed = new URL(back);
  mixed.searchParams.set('code', code);
  expect(await ask(mixed.href, { cookie })).toMatchObject({ status: 400, code: 'INVALID_STATE' });
  expect((await ask(other.back, { cookie: other.cookie })).status).toBe(200);
});

test('without the browser that started, a callback is nothing', async () => {
  const { begin, ask } = app();
  const victim = await begin();
  const attacker = await begin({ sub: 'attacker', email: 'attacker@example.com', verified: 'true' });
  const cleared = { 'Set-Cookie': expect.stringMatching(/^svc_sso=; .*Max-Age=0$/) };
  // Login CSRF: the attacker's answer in the victim's browser.
  expect(await ask(attacker.back, { cookie: victim.cookie })).toMatchObject({
    code: 'INVALID_STATE',
    headers: cleared,
  });
  expect(await ask(attacker.back)).toMatchObject({ status: 400, code: 'INVALID_STATE', headers: cleared });
  expect(await ask('/sso/mock/login/callback?code=x&state=forged')).toMatchObject({ code: 'INVALID_STATE' });
  for (const cookie of ['svc_sso=', 'svc_sso=AAAA', `${attacker.cookie}A`, `svc_sso=${'%00'.repeat(9)}`, 'a=b; ;;=']) {
    expect((await ask(attacker.back, { cookie })).code).toBe('INVALID_STATE');
  }
});

test('a code stolen from another sign-in is refused: the verifier and the nonce belong to one', async () => {
  const { begin, ask } = app();
  const victim = await begin(ada);
  const attacker = await begin({ sub: 'attacker', email: 'attacker@example.com', verified: 'true' });
  const injected = new URL(attacker.back);
  injected.searchParams.set('code', new URL(victim.back).searchParams.get('code')!);
  expect(await ask(injected.href, { cookie: attacker.cookie })).toMatchObject({ status: 502 });
});

test('answers of one provider are not taken for those of another', async () => {
  const { begin, ask } = app();
  const { back, cookie } = await begin(ada);
  expect(await ask(back.replace('/sso/mock/', '/sso/other/'), { cookie })).toMatchObject({ code: 'INVALID_STATE' });
  const mixed = await begin({ ...ada, iss: 'https://attacker.example' });
  expect(await ask(mixed.back, { cookie: mixed.cookie })).toMatchObject({ status: 502 });
  const named = await begin({ ...ada, iss: provider.issuer });
  expect((await ask(named.back, { cookie: named.cookie })).status).toBe(201);
});

test('a provider that says it names itself must do so', async () => {
  provider.document['authorization_response_iss_parameter_supported'] = true;
  const { round } = app();
  expect((await round(ada)).status).toBe(502);
  expect((await round({ ...ada, iss: provider.issuer })).status).toBe(201);
});

test('a sign-in ends with its time', async () => {
  const { begin, ask, clock } = app();
  const { back, cookie } = await begin(ada);
  clock.advance(600);
  expect(await ask(back, { cookie })).toMatchObject({ code: 'INVALID_STATE' });
});

test('an address opens no account that did not prove it', async () => {
  const { round, register, store } = app();
  const squatter = await register('ada@example.com');
  expect(await round(ada)).toMatchObject({ status: 409, code: 'ACCOUNT_EXISTS' });
  expect(store.accounts.get(squatter['user_id']!)!.identities).toHaveLength(1);
  const unverified = await round({ ...ada, verified: 'false' });
  const unused = await round({ sub: 'new', email: 'new@example.com', verified: 'false' });
  const absent = await round({ sub: 'new' });
  expect(unverified).toMatchObject({ status: 400, code: 'EMAIL_MISSING' });
  for (const other of [unused, absent, await round({ ...ada, email: 'not an address' })])
    expect(other).toEqual(unverified);
});

test('an address verified here links a second subject, one that was not does not', async () => {
  const { round, store, send } = app();
  const { data } = await round(ada);
  const linked = await round({ ...ada, sub: 'ada-2' });
  expect(linked).toMatchObject({ status: 200, data: { user_id: data['user_id'], created: false } });
  expect(store.accounts.get(data['user_id'])!.identities.map(({ value }) => value)).toEqual([
    'ada@example.com',
    'mock:ada-1',
    'mock:ada-2',
  ]);
  // An address that was typed in afterwards proves nothing.
  await send('PUT', '/user/username', { token: linked.data['token'], body: { new_username: 'victim@example.com' } });
  expect(await round({ sub: 'victim', email: 'victim@example.com', verified: 'true' })).toMatchObject({
    code: 'ACCOUNT_EXISTS',
  });
});

test('two first sign-ins at the same time make one account', async () => {
  for (const isRemote of [false, true]) {
    const { begin, ask, store } = app({}, { isRemote });
    const rounds = await Promise.all([begin(ada), begin(ada), begin(ada)]);
    const answers = await Promise.all(rounds.map(({ back, cookie }) => ask(back, { cookie })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(store.accounts.size).toBe(1);
  }
});

test('newcomers only where they are wanted', async () => {
  const closed = app({ autoRegister: false });
  expect(await closed.round(ada)).toMatchObject({
    status: 401,
    code: 'UNAUTHORIZED',
    details: { reason: 'credentials' },
  });
  expect((await closed.round(ada, '/sso/mock/register')).status).toBe(201);
  expect((await closed.round(ada)).status).toBe(200);
  const shut = app({ autoRegister: false }, { config: { auth: { allowRegistration: false } } });
  expect(await shut.round(ada, '/sso/mock/register')).toMatchObject({
    status: 403,
    details: { reason: 'registration_closed' },
  });
});

test('a disabled account stays out', async () => {
  const { round, store } = app();
  const { data } = await round(ada);
  const account = store.accounts.get(data['user_id'])!;
  store.accounts.set(account.userId, { ...account, disabled: true });
  expect(await round(ada)).toMatchObject({ status: 403, code: 'ACCOUNT_DISABLED' });
  expect(await round({ ...ada, sub: 'ada-2' })).toMatchObject({ status: 403, code: 'ACCOUNT_DISABLED' });
});

test('an address in the user information counts, one of somebody else does not', async () => {
  provider.emailInUserinfo = true;
  const { round } = app();
  expect((await round({ ...ada, other: 'somebody else' })).status).toBe(502);
  expect(await round(ada)).toMatchObject({ status: 201, data: { email: 'ada@example.com' } });
  const before = provider.asked.get('/userinfo');
  expect((await round(ada)).status).toBe(200);
  expect(provider.asked.get('/userinfo')).toBe(before);
});

test('keys are remembered, and fetched once more when one is new', async () => {
  const { round, clock } = app();
  const asked = () => [provider.asked.get('/keys') ?? 0, provider.asked.get('/.well-known/openid-configuration') ?? 0];
  const [keys = 0, documents = 0] = asked();
  await round(ada);
  await round(ada);
  expect(asked()).toEqual([keys + 1, documents + 1]);
  await provider.rotateKey();
  expect((await round(ada)).status).toBe(200);
  expect(asked()).toEqual([keys + 2, documents + 1]);
  expect((await round({ ...ada, bad: 'kid' })).status).toBe(502);
  expect(asked()).toEqual([keys + 3, documents + 1]);
  clock.advance(3600);
  await round(ada);
  expect(asked()).toEqual([keys + 4, documents + 2]);
});

test('a provider that is down is asked again', async () => {
  const { begin, round, ask } = app();
  for (const status of [500, 404, 302]) {
    provider.failWith = status;
    expect(await ask('/sso/mock/login')).toMatchObject({ status: 502, code: 'SSO_PROVIDER_ERROR' });
  }
  provider.failWith = 0;
  const { back, cookie } = await begin(ada);
  provider.failWith = 503;
  expect(await ask(back, { cookie })).toMatchObject({ status: 502 });
  provider.failWith = 0;
  expect((await round(ada)).status).toBe(201);
});

test.each([
  ['another issuer', { issuer: 'https://attacker.example' }],
  ['a script as endpoint', { authorization_endpoint: 'javascript:alert(1)' }],
  ['no token endpoint', { token_endpoint: undefined }],
])('a discovery document with %s is refused', async (_name, members) => {
  Object.assign(provider.document, members);
  expect(await app().ask('/sso/mock/login')).toMatchObject({ status: 502, code: 'SSO_PROVIDER_ERROR' });
});

test('the secret goes where the provider wants it', async () => {
  provider.document['token_endpoint_auth_methods_supported'] = ['client_secret_post'];
  expect((await app().round(ada)).status).toBe(201);
});

test('what the provider refuses', async () => {
  const { round, log } = app();
  expect(await round({ error: 'access_denied' })).toMatchObject({
    status: 401,
    code: 'UNAUTHORIZED',
    details: { reason: 'credentials' },
    headers: { 'Set-Cookie': expect.stringContaining('Max-Age=0') },
  });
  expect(await round({ error: 'server_error' })).toMatchObject({ status: 502 });
  const actions = log.records.filter(({ fields }) => fields['audit']).map(({ fields }) => fields['outcome']);
  expect(actions).toEqual(['refused_unauthorized', 'refused_sso_provider_error']);
  expect(log.records.at(-1)!.message).toBe(
    'sign-in with mock failed: the authorization endpoint answered with an error',
  );
});

test('audit records tell what happened and hold no secret', async () => {
  const { begin, ask, log } = app();
  const { back, cookie, location } = await begin(ada);
  const { data } = await ask(back, { cookie });
  await ask(back, { cookie });
  expect(log.records.map(({ fields }) => [fields['action'], fields['outcome'], fields['user_id']])).toEqual([
    ['sso', 'created', data['user_id']],
    ['sso', 'refused_invalid_state', undefined],
  ]);
  const written = JSON.stringify(log.records);
  const secrets = [...new URL(back).searchParams.values(), location.searchParams.get('nonce')!, data['token'], cookie];
  for (const secret of [...secrets, 'example.com']) expect(written).not.toContain(secret);
});

test('unknown platforms and operations', async () => {
  const { ask } = app();
  for (const platform of ['nowhere', 'MOCK', '__proto__', 'constructor', 'no-issuer', '..']) {
    expect(await ask(`/sso/${platform}x/login`)).toMatchObject({ status: 400, code: 'INVALID_PLATFORM' });
  }
  expect(await ask('/sso/no-issuer/login')).toMatchObject({ code: 'INVALID_PLATFORM' });
  expect(await ask('/sso/google/login')).toMatchObject({ status: 501, code: 'SSO_NOT_CONFIGURED' });
  expect(await ask('/sso/google/login/callback?code=x&state=y')).toMatchObject({ code: 'SSO_NOT_CONFIGURED' });
  expect(await ask('/sso/mock/logout')).toMatchObject({ status: 400, code: 'INVALID_OPERATION' });
  expect(await ask('/sso/mock/logout/callback')).toMatchObject({ code: 'INVALID_OPERATION' });
});

test('aliases of the callback, and a provider that posts a form', async () => {
  const { begin, ask } = app();
  for (const path of ['/sso/mock/register/callback', '/sso/mock/callback']) {
    const { back, cookie } = await begin(ada);
    expect((await ask(`${path}${new URL(back).search}`, { cookie })).status).toBeLessThan(202);
  }
  for (const path of ['/sso/form/callback', '/sso/form/login/callback']) {
    const { back, cookie, started, location } = await begin({ ...ada, sub: 'form' }, '/sso/form/login');
    expect(location.searchParams.get('response_mode')).toBe('form_post');
    expect(started.headers['Set-Cookie']).toContain('SameSite=None; Path=/sso; Secure');
    const body = Object.fromEntries(new URL(back).searchParams);
    const answer = await ask(path, { method: 'POST', body, cookie });
    expect(answer.status).toBeLessThan(202);
    expect(answer.headers['Set-Cookie']).toContain('SameSite=None');
    const odd = await ask(path, { method: 'POST', body: { ...body, state: { length: 43 } }, cookie });
    expect(odd.code).toBe('INVALID_STATE');
  }
});

test('a configured client gets the token in the fragment, failures in the query', async () => {
  const { round, ask } = app({ clientAuthCallbackUrl: 'https://web.example/done?x=1' });
  const { status, headers } = await round(ada);
  const location = new URL(headers['Location']!);
  expect([status, location.origin, location.pathname, location.search]).toEqual([
    302,
    'https://web.example',
    '/done',
    '?x=1',
  ]);
  const values = new URLSearchParams(location.hash.slice(1));
  expect([...values.keys()]).toEqual(['token', 'user_id']);
  expect(headers).toMatchObject({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
  const failed = await ask('/sso/mock/login/callback?state=x&code=y');
  expect(failed.status).toBe(302);
  const { searchParams } = new URL(failed.headers['Location']!);
  expect([searchParams.get('error'), searchParams.get('message')]).toEqual([
    'INVALID_STATE',
    expect.stringMatching(/\w+/),
  ]);

  const inQuery = app({ clientAuthCallbackUrl: 'https://web.example/done', tokenDelivery: 'query' });
  const there = new URL((await inQuery.round(ada)).headers['Location']!);
  expect([there.searchParams.has('token'), there.hash]).toEqual([true, '']);
});

test('the browser is sent to no foreign address', async () => {
  const { ask, begin } = app({ clientAuthCallbackUrl: 'https://web.example/done' });
  const start = (target: string) => ask(`/sso/mock/login?client_callback=${encodeURIComponent(target)}`);
  for (const target of [
    'https://evil.example/',
    'https://web.example.evil.example/done',
    'https://web.example@evil.example/done',
    'https://user@web.example/done',
    'http://web.example/done',
    'https://web.example:444/done',
    'https://web.example/doneandmore',
    'https://web.example/done/../admin',
    'https://web.example/done/%2e%2e/admin',
    'https://web.example\\@evil.example/done',
    '//evil.example/done',
    '/done',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://localhost:1234/done',
    'http://127.0.0.1.evil.example/',
    'http://127.0.0.1@evil.example/',
    'https://127.0.0.1:9/',
    'http://[::2]:9/',
    `https://web.example/done/${'a'.repeat(2000)}`,
    '',
  ]) {
    const answer = await start(target);
    expect([target, answer.status, answer.code]).toEqual([target, 400, 'INVALID_CALLBACK_URL']);
    expect(answer.headers['Location']).toBeUndefined();
  }
  for (const target of ['https://web.example/done', 'https://web.example/done/deep?next=1', 'http://[::1]:43210/x']) {
    expect((await start(target)).status).toBe(302);
  }
  const native = await begin(ada, '/sso/mock/login?client_callback=http://127.0.0.1:43210/done');
  const { headers } = await ask(native.back, { cookie: native.cookie });
  expect(headers['Location']).toMatch(/^http:\/\/127\.0\.0\.1:43210\/done#token=[\w.-]+&user_id=[\w-]+$/);
  const strict = app({ allowLoopbackCallback: false });
  expect((await strict.ask('/sso/mock/login?client_callback=http://127.0.0.1:1/')).code).toBe('INVALID_CALLBACK_URL');
});

test('of the pages of the server only the start page may be returned to, and it stands for the configured address', async () => {
  const start = (target: string, own = app()) =>
    own.ask(`/sso/mock/login?client_callback=${encodeURIComponent(target)}`);
  for (const target of ['https://app.example', 'https://app.example/deep', 'https://app.example/?next=1']) {
    expect([target, (await start(target)).code]).toEqual([target, 'INVALID_CALLBACK_URL']);
  }
  const back = async (own: ReturnType<typeof app>) => {
    const begun = await own.begin(ada, `/sso/mock/login?client_callback=${encodeURIComponent('https://app.example/')}`);
    return (await own.ask(begun.back, { cookie: begun.cookie })).headers['Location']!.split('#')[0];
  };
  expect(await back(app())).toBe('https://app.example/');
  expect(await back(app({ clientAuthCallbackUrl: 'https://web.example/done' }))).toBe('https://web.example/done');
});

test('without leave, no address that is not public is asked', async () => {
  expect((await app().ask('/sso/mock/login')).status).toBe(302);
  const before = [...provider.asked.values()].reduce((sum, count) => sum + count, 0);
  const shut = app({
    providers: {
      mock: {
        clientId: 'a',
        clientSecret: 'b',
        scopes: [],
        displayName: '',
        responseMode: 'query',
        issuer: provider.issuer,
        allowPrivateIssuer: false,
      },
    },
  });
  expect(await shut.ask('/sso/mock/login')).toMatchObject({ status: 502, code: 'SSO_PROVIDER_ERROR' });
  expect([...provider.asked.values()].reduce((sum, count) => sum + count, 0)).toBe(before);
});
