import { expect, test } from 'vitest';
import { authFixture } from '../../auth/fixture.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const hex32 = /^[0-9a-f]{32}$/;
const jwt = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const locs = (details: { loc: unknown }[]) => details.map(({ loc }) => loc);

function claimsOf(token: string): Record<string, any> {
  return JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString());
}

test('USR-01 register, the interface form', async () => {
  const { send } = authFixture();
  const { status, data } = await send('POST', '/user/register', {
    body: { email: 'Ada@Example.com', password: 'correct horse 1' },
  });
  expect(status).toBe(201);
  expect(data).toEqual({
    user_id: expect.stringMatching(uuid),
    root_id: expect.stringMatching(hex32),
    role: 'user',
    email: 'ada@example.com',
    message: 'User registered successfully',
    access_token: expect.stringMatching(jwt),
    token: data!['access_token'],
    token_type: 'bearer',
    expires_in: 604_800,
  });
});

test('USR-02 short form; a value decides what it is', async () => {
  const { send } = authFixture();
  const bob = await send('POST', '/user/register', { body: { username: 'Bob', password: 'correct horse 2' } });
  expect(bob.data).toMatchObject({ username: 'bob' });
  expect(bob.data).not.toHaveProperty('email');
  const dan = await send('POST', '/user/register', { body: { email: 'dan', password: 'correct horse 2' } });
  expect(dan.data).toMatchObject({ username: 'dan' });
  const eve = await send('POST', '/user/register', {
    body: { username: 'eve@example.com', password: 'correct horse 2' },
  });
  expect(eve.data).toMatchObject({ email: 'eve@example.com' });
  const both = await send('POST', '/user/register', {
    body: { username: 'fay', email: 'fay@example.com', password: 'correct horse 2' },
  });
  expect(both.data).toMatchObject({ username: 'fay', email: 'fay@example.com' });
});

const cy = {
  identities: [
    { type: 'username', value: 'cy' },
    { type: 'email', value: 'cy@example.com' },
  ],
  credential: { type: 'password', password: 'correct horse 3' },
  profile: { city: 'Turin' },
};

test('USR-03 long form, with a profile', async () => {
  const { send } = authFixture();
  const { status, data } = await send('POST', '/user/register', { body: cy });
  expect(status).toBe(201);
  expect(data).toMatchObject({ username: 'cy', email: 'cy@example.com' });
  const me = await send('GET', '/user/me', { token: data!['token'] });
  expect(me.data).toMatchObject({ profile: { city: 'Turin' } });
});

test('USR-04 identity taken, case does not matter; only one of two at the same time wins', async () => {
  const { send, register } = authFixture();
  await register('ada@example.com');
  const again = { email: 'ADA@example.com', password: 'another one 9' };
  expect(await send('POST', '/user/register', { body: again })).toMatchObject({
    status: 409,
    code: 'IDENTITY_TAKEN',
    details: { identity: 'email' },
  });
  const both = await Promise.all(
    [1, 2].map(() => send('POST', '/user/register', { body: { username: 'x1', password: 'y'.repeat(9) } })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
});

test('USR-05 everything that is missing or malformed, at once', async () => {
  const { send } = authFixture();
  const malformed = await send('POST', '/user/register', { body: { email: 'a@b@c', password: 'short' } });
  expect(malformed).toMatchObject({ status: 422, code: 'VALIDATION_ERROR' });
  expect(malformed.details).toEqual([
    { loc: ['body', 'email'], type: 'value_error', msg: expect.any(String) },
    { loc: ['body', 'password'], type: 'string_too_short', msg: expect.any(String) },
  ]);
  const empty = await send('POST', '/user/register');
  expect(empty.details).toEqual([
    { loc: ['body', 'email'], type: 'missing', msg: expect.any(String) },
    { loc: ['body', 'password'], type: 'missing', msg: expect.any(String) },
  ]);
  const odd = await send('POST', '/user/register', { body: { username: 7, password: null, profile: { 'x-y': [] } } });
  expect(locs(odd.details)).toEqual([
    ['body', 'username'],
    ['body', 'password'],
    ['body', 'profile', 'x-y'],
  ]);
});

test('USR-05 in the long form', async () => {
  const { send } = authFixture();
  const ask = async (body: object) =>
    (await send('POST', '/user/register', { body })).details.map(
      (one: any) => `${one.loc.slice(1).join('.')} ${one.type}`,
    );
  const { credential } = cy;
  expect(await ask({ identities: [], credential })).toEqual(['identities value_error']);
  expect(await ask({ identities: 'x', credential })).toEqual(['identities list_type']);
  expect(await ask({ credential })).toEqual(['identities missing']);
  expect(await ask({ identities: cy.identities })).toEqual(['credential missing']);
  const twice = [cy.identities[0], { type: 'username', value: 'other' }];
  expect(await ask({ identities: twice, credential })).toEqual(['identities.1.type value_error']);
  const odd = [
    { type: 'sso', value: 'google:1' },
    7,
    { type: 'email', value: 'no-at' },
    { type: 'username', value: 'a@b.c' },
    {},
  ];
  expect(await ask({ identities: odd, credential: { type: 'key', password: 'x' } })).toEqual([
    'identities.0.type enum',
    'identities.1 dict_type',
    'identities.2.value value_error',
    'identities.3.value value_error',
    'identities.4.type missing',
    'identities.4.value missing',
    'credential.type enum',
    'credential.password string_too_short',
  ]);
});

test('USR-06 reserved names', async () => {
  const { send } = authFixture();
  for (const username of ['__guest__', ' __System__ ', '＿＿x']) {
    const body = { username, password: 'correct horse 1' };
    expect(await send('POST', '/user/register', { body })).toMatchObject({ status: 422, code: 'VALIDATION_ERROR' });
  }
});

test('registration can be closed, and can be without a token', async () => {
  const closed = authFixture({ config: { auth: { allowRegistration: false } } });
  expect(await closed.send('POST', '/user/register', { body: {} })).toMatchObject({
    status: 403,
    code: 'FORBIDDEN',
    details: { reason: 'registration_closed' },
  });
  const plain = authFixture({ config: { auth: { autoLoginOnRegister: false } } });
  expect(await plain.register('ada@example.com')).not.toHaveProperty('access_token');
});

test('production refuses common passwords and those equal to the name', async () => {
  const { send } = authFixture({ config: { mode: 'production' } });
  const types = async (email: string, password: string) =>
    (await send('POST', '/user/register', { body: { email, password } })).details?.map((one: any) => one.type);
  expect(await types('ada@example.com', 'password1')).toEqual(['value_error']);
  expect(await types('ada@example.com', 'Ada@example.com')).toEqual(['value_error']);
  expect(await types('ada@example.com', 'correct horse 1')).toBeUndefined();
});

test('USR-07 and USR-08 login in three forms', async () => {
  const { send } = authFixture();
  const { data: created } = await send('POST', '/user/register', { body: cy });
  const forms = [
    { email: 'CY@example.com', password: 'correct horse 3' },
    { username: 'cy', password: 'correct horse 3' },
    {
      identity: { type: 'username', value: 'Cy@Example.com' },
      credential: { type: 'password', password: 'correct horse 3' },
    },
    { identity: { value: 'cy' }, credential: { type: 'password', password: 'correct horse 3' } },
  ];
  for (const body of forms) {
    const { status, data } = await send('POST', '/user/login', { body });
    expect(status).toBe(200);
    expect(data).toEqual({
      user_id: created!['user_id'],
      root_id: created!['root_id'],
      role: 'user',
      email: 'cy@example.com',
      username: 'cy',
      access_token: expect.stringMatching(jwt),
      token: data!['access_token'],
      token_type: 'bearer',
      expires_in: 604_800,
      expires_at: '2026-01-08T00:00:00.000Z',
    });
  }
});

test('USR-09 one answer whatever was wrong, and the work of a hash every time', async () => {
  const { send, register, store, passwords } = authFixture();
  await register('ada@example.com');
  const { user_id: ssoOnly } = await register('sso@example.com');
  store.accounts.set(ssoOnly!, { ...store.accounts.get(ssoOnly!)!, passwordHash: null });
  const { user_id: system } = await register('sys@example.com');
  store.accounts.set(system!, { ...store.accounts.get(system!)!, role: 'system' });
  const attempts: [object, string][] = [
    [{ email: 'ada@example.com', password: 'wrong password' }, 'verify'],
    [{ email: 'nobody@example.com', password: 'wrong password' }, 'verifyNothing'],
    [{ email: 'sso@example.com', password: 'correct horse 1' }, 'verifyNothing'],
    [{ email: 'sys@example.com', password: 'correct horse 1' }, 'verifyNothing'],
    [{ username: '__guest__', password: '' }, 'verifyNothing'],
    [{ username: '', password: '' }, 'verifyNothing'],
    [{ email: 'ada@example.com', password: 'x'.repeat(50_000) }, 'verifyNothing'],
  ];
  for (const [body, work] of attempts) {
    passwords.calls.length = 0;
    const answer = await send('POST', '/user/login', { body });
    expect(answer).toEqual({
      status: 401,
      code: 'UNAUTHORIZED',
      message: 'Invalid credentials',
      details: { reason: 'credentials' },
      headers: { 'WWW-Authenticate': 'Bearer realm="svc"' },
    });
    expect(passwords.calls).toEqual([work]);
  }
});

test('USR-10 login without members', async () => {
  const { send } = authFixture();
  expect(locs((await send('POST', '/user/login')).details)).toEqual([
    ['body', 'email'],
    ['body', 'password'],
  ]);
  const body = { identity: {}, credential: {} };
  expect(locs((await send('POST', '/user/login', { body })).details)).toEqual([
    ['body', 'identity', 'value'],
    ['body', 'credential', 'type'],
    ['body', 'credential', 'password'],
  ]);
});

test('USR-11 too many failures lock the identity for a while', async () => {
  const { send, register, clock, log } = authFixture();
  await register('ada@example.com');
  const guess = (password: string) => send('POST', '/user/login', { body: { email: 'ada@example.com', password } });
  for (let i = 0; i < 5; i += 1) expect((await guess(`guess ${i}`)).status).toBe(401);
  expect(await guess('correct horse 1')).toMatchObject({
    status: 429,
    code: 'RATE_LIMITED',
    details: { retry_after: 900 },
    headers: { 'Retry-After': '900' },
  });
  expect(log.records.at(-1)?.fields).toMatchObject({ audit: true, action: 'account_lock' });
  clock.advance(900);
  expect((await guess('correct horse 1')).status).toBe(200);
});

test('asking which identities exist by registering is limited per address', async () => {
  const { send, register } = authFixture({ config: { auth: { loginMaxFailuresPerAddress: 3 } } });
  await register('ada@example.com');
  const ask = (client: string) =>
    send('POST', '/user/register', { body: { email: 'ada@example.com', password: 'correct horse 1' }, client });
  for (let i = 0; i < 3; i += 1) expect((await ask(`2001:db8::${i}`)).status).toBe(409);
  expect((await ask('2001:db8::f')).status).toBe(429);
  expect((await ask('2001:db8:1::f')).status).toBe(409);
});

test('disabled accounts are told so once the password was right', async () => {
  const { send, register, store } = authFixture();
  const { user_id: id } = await register('ada@example.com');
  store.accounts.set(id!, { ...store.accounts.get(id!)!, disabled: true });
  const login = (password: string) => send('POST', '/user/login', { body: { email: 'ada@example.com', password } });
  expect((await login('wrong')).status).toBe(401);
  expect(await login('correct horse 1')).toMatchObject({ status: 403, code: 'ACCOUNT_DISABLED' });
});

test('a weak hash is made anew at login, and the time is noted', async () => {
  const { send, register, store, clock } = authFixture();
  const { user_id: id } = await register('ada@example.com');
  store.accounts.set(id!, { ...store.accounts.get(id!)!, passwordHash: 'weak:correct horse 1' });
  clock.advance(60);
  await send('POST', '/user/login', { body: { email: 'ada@example.com', password: 'correct horse 1' } });
  expect(store.accounts.get(id!)).toMatchObject({
    passwordHash: 'plain:correct horse 1',
    lastLoginAt: '2026-01-01T00:01:00.000Z',
    sessionVersion: 0,
  });
});

test('USR-12 who am I', async () => {
  const { send, register } = authFixture();
  const { token, user_id, root_id } = await register('ada@example.com');
  const account = {
    user_id,
    username: null,
    email: 'ada@example.com',
    role: 'user',
    root_id,
    identities: [{ type: 'email', value: 'ada@example.com', verified: false }],
    profile: {},
    created_at: expect.stringMatching(iso),
  };
  expect((await send('GET', '/user/me', { token: token! })).data).toEqual(account);
  expect((await send('GET', '/user/info', { token: token! })).data).toEqual(account);
  expect((await send('GET', '/user/me')).details).toEqual({ reason: 'missing' });
});

test('subjects of identity providers are shown as the provider', async () => {
  const { send, register, store } = authFixture();
  const { token, user_id: id } = await register('ada@example.com');
  const account = store.accounts.get(id!)!;
  const sso = {
    type: 'sso' as const,
    value: 'google:1234',
    email: 'ada@x.org',
    verified: true,
    createdAt: account.createdAt,
  };
  store.accounts.set(id!, { ...account, identities: [...account.identities, sso] });
  expect((await send('GET', '/user/me', { token: token! })).data!['identities'][1]).toEqual({
    type: 'sso',
    value: 'google',
    verified: true,
  });
});

test('USR-13 profile: merged, null removes, problems listed, size bounded', async () => {
  const { send, register } = authFixture();
  const { token } = await register('ada@example.com');
  const patch = (profile: unknown) => send('PATCH', '/user/me', { token: token!, body: { profile } });
  expect((await patch({ city: 'Rome', age: 30 })).data).toMatchObject({ profile: { city: 'Rome', age: 30 } });
  expect((await patch({ age: null, tall: true })).data!['profile']).toEqual({ city: 'Rome', tall: true });
  expect(locs((await patch({ 'no-name': 1, sso: 1, ok: [] })).details)).toEqual([
    ['body', 'profile', 'no-name'],
    ['body', 'profile', 'sso'],
    ['body', 'profile', 'ok'],
  ]);
  expect((await patch(undefined)).details).toMatchObject([{ type: 'missing' }]);
  const many = Object.fromEntries(Array.from({ length: 19 }, (_, i) => [`k${i}`, i]));
  expect((await patch(many)).status).toBe(422);
});

test('USR-14 refresh', async () => {
  const { send, register, clock } = authFixture();
  const { token } = await register('ada@example.com');
  clock.advance(1);
  const refreshed = await send('POST', '/user/refresh-token', { body: { token: `Bearer ${token}` } });
  expect(refreshed.data).toEqual({
    token: expect.stringMatching(jwt),
    access_token: refreshed.data!['token'],
    token_type: 'bearer',
    expires_in: 604_800,
    message: 'Token refreshed successfully',
  });
  expect(refreshed.data!['token']).not.toBe(token);
  expect((await send('GET', '/user/me', { token: token! })).status).toBe(200);
  expect(claimsOf(refreshed.data!['token'])['auth_time']).toBe(claimsOf(token!)['auth_time']);
  expect((await send('POST', '/user/refresh-token', { token: token! })).status).toBe(200);
});

test('USR-15 refresh without a token, and with a bad one', async () => {
  const { send } = authFixture();
  const missing = { status: 400, code: 'VALIDATION_ERROR', message: 'Token is required' };
  for (const body of [{}, { token: '' }, { token: 'Bearer ' }, { token: 7 }]) {
    expect(await send('POST', '/user/refresh-token', { body })).toMatchObject(missing);
  }
  expect(await send('POST', '/user/refresh-token', { body: { token: 'not.a.token' } })).toMatchObject({
    status: 401,
    code: 'UNAUTHORIZED',
    message: 'Invalid or expired token',
  });
});

test('refresh of expired tokens: within one lifetime, and while the sign-in is young', async () => {
  const { send, register, clock } = authFixture();
  const day = 86_400;
  let { token } = await register('ada@example.com');
  const refresh = async (text: string) => send('POST', '/user/refresh-token', { body: { token: text } });
  const first = token!;
  clock.advance(13 * day);
  expect((await send('GET', '/user/me', { token: first })).details).toEqual({ reason: 'expired' });
  token = (await refresh(first)).data!['token'];
  clock.advance(2 * day);
  expect((await refresh(first)).details).toEqual({ reason: 'expired' });
  clock.advance(10 * day);
  token = (await refresh(token!)).data!['token'];
  clock.advance(6 * day);
  expect((await send('GET', '/user/me', { token: token! })).status).toBe(200);
  expect((await refresh(token!)).details).toEqual({ reason: 'expired' });
});

test('a refresh may revoke what it replaces', async () => {
  const { send, register } = authFixture({ config: { jwt: { refreshRevokesOld: true } } });
  const { token } = await register('ada@example.com');
  await send('POST', '/user/refresh-token', { body: { token } });
  expect((await send('GET', '/user/me', { token: token! })).details).toEqual({ reason: 'revoked' });
});

test.each([false, true])('a token that is exchanged twice is stolen (remote store: %s)', async (isRemote) => {
  const { send, register, clock, log } = authFixture({ isRemote, config: { jwt: { refreshRevokesOld: true } } });
  const { token } = await register('ada@example.com');
  const refresh = (old: string) => send('POST', '/user/refresh-token', { body: { token: old } });
  const me = async (of: string) => (await send('GET', '/user/me', { token: of })).status;
  const race = await Promise.all([refresh(token!), refresh(token!), refresh(token!)]);
  const fresh = race.flatMap(({ data }) => (data ? [data['token'] as string] : []));
  expect(fresh).toHaveLength(1);
  // Tabs that were a moment late.
  expect((await refresh(token!)).details).toEqual({ reason: 'revoked' });
  expect(await me(fresh[0]!)).toBe(200);
  clock.advance(31);
  expect((await refresh(token!)).details).toEqual({ reason: 'revoked' });
  expect(await me(fresh[0]!)).toBe(401);
  expect(log.records.map(({ fields }) => fields['outcome'])).toContain('reused');
  // Sessions that a stolen token ended stay ended; the token used again does not end those opened since.
  const again = await send('POST', '/user/login', { body: { email: 'ada@example.com', password: 'correct horse 1' } });
  await refresh(token!);
  expect(await me(again.data!['token'])).toBe(200);
  // Signing out is no theft.
  await send('POST', '/user/logout', { token: again.data!['token'] });
  clock.advance(60);
  expect((await refresh(again.data!['token'])).details).toEqual({ reason: 'revoked' });
  expect(log.records.filter(({ fields }) => fields['outcome'] === 'reused')).toHaveLength(1);
});

test('USR-16 change the username, or the address', async () => {
  const { send, register } = authFixture();
  const bob = await register('bob');
  await register('ada@example.com');
  await register('cy');
  let token = bob['token']!;
  const rename = async (body: object) => {
    const answer = await send('PUT', '/user/username', { token, body });
    token = answer.data?.['token'] ?? token;
    return answer;
  };
  const renamed = await rename({ current_username: 'BOB', new_username: 'Bobby' });
  expect(renamed.data).toEqual({
    message: 'Username updated successfully',
    username: 'bobby',
    user_id: bob['user_id'],
    token: expect.stringMatching(jwt),
    access_token: renamed.data!['token'],
    token_type: 'bearer',
    expires_in: 604_800,
  });
  expect(claimsOf(renamed.data!['token'])['preferred_username']).toBe('bobby');
  expect((await send('GET', '/user/me', { token: bob['token']! })).details).toEqual({ reason: 'revoked' });
  expect(await rename({ current_username: 'ada@example.com', new_username: 'thief' })).toMatchObject({
    status: 403,
    code: 'FORBIDDEN',
  });
  expect(await rename({ new_username: 'cy' })).toMatchObject({ status: 409, code: 'IDENTITY_TAKEN' });
  expect(await rename({ new_username: '__root__' })).toMatchObject({ status: 422 });
  expect(locs((await rename({ current_username: 1 })).details)).toEqual([
    ['body', 'current_username'],
    ['body', 'new_username'],
  ]);
  const same = await rename({ new_username: 'bobby' });
  expect([same.status, claimsOf(same.data!['token'])['sv']]).toEqual([200, 1]);

  const moved = await rename({ new_username: 'bob@example.com' });
  expect(moved.data).toMatchObject({ username: 'bob@example.com' });
  expect((await send('GET', '/user/me', { token: moved.data!['token'] })).data).toMatchObject({
    username: 'bobby',
    email: 'bob@example.com',
  });
  const login = { email: 'bob@example.com', password: 'correct horse 1' };
  expect((await send('POST', '/user/login', { body: login })).status).toBe(200);
  expect(
    (await send('POST', '/user/register', { body: { username: 'bob', password: 'correct horse 9' } })).status,
  ).toBe(201);
});

test('USR-17 change the password ends other sessions', async () => {
  const { send } = authFixture();
  const created = (await send('POST', '/user/register', { body: cy })).data!;
  const token = created['token'];
  const change = (body: object, by = token) => send('PUT', '/user/password', { token: by, body });
  expect(await change({ current_password: 'not it at all', new_password: 'correct horse 4' })).toMatchObject({
    status: 400,
    code: 'UPDATE_FAILED',
    message: 'Current password is incorrect',
  });
  expect(
    await change({ username: 'bob', current_password: 'correct horse 3', new_password: 'correct horse 4' }),
  ).toMatchObject({
    status: 403,
  });
  expect((await change({ new_password: 'correct horse 4' })).details).toMatchObject([
    { loc: ['body', 'current_password'], type: 'missing' },
  ]);
  expect((await change({ new_password: 'short' })).details).toMatchObject([{ loc: ['body', 'new_password'] }]);
  const changed = await change({
    username: 'CY',
    current_password: 'correct horse 3',
    new_password: 'correct horse 4',
  });
  expect(changed.data).toEqual({
    message: 'Password updated successfully',
    username: 'cy',
    user_id: created['user_id'],
    token: expect.stringMatching(jwt),
    access_token: changed.data!['token'],
    token_type: 'bearer',
    expires_in: 604_800,
  });
  expect(await send('GET', '/user/me', { token })).toMatchObject({
    status: 401,
    details: { reason: 'revoked' },
    headers: { 'WWW-Authenticate': 'Bearer realm="svc", error="invalid_token"' },
  });
  expect((await send('GET', '/user/me', { token: changed.data!['token'] })).data).toMatchObject({ username: 'cy' });
  expect((await send('POST', '/user/refresh-token', { body: { token } })).details).toEqual({ reason: 'revoked' });
});

test('wrong current passwords count as failed logins', async () => {
  const { send, register } = authFixture();
  const { token } = await register('ada@example.com');
  const change = (current: string) =>
    send('PUT', '/user/password', {
      token: token!,
      body: { current_password: current, new_password: 'correct horse 4' },
    });
  for (let i = 0; i < 5; i += 1) expect((await change('wrong')).status).toBe(400);
  expect((await change('correct horse 1')).status).toBe(429);
  const login = { email: 'ada@example.com', password: 'correct horse 1' };
  expect((await send('POST', '/user/login', { body: login })).status).toBe(429);
});

test('an account without a password sets one soon after its sign-in', async () => {
  const { send, register, store, clock } = authFixture();
  const { token, user_id: id } = await register('ada@example.com');
  store.accounts.set(id!, { ...store.accounts.get(id!)!, passwordHash: null });
  const set = () => send('PUT', '/user/password', { token: token!, body: { new_password: 'correct horse 4' } });
  clock.advance(601);
  expect(await set()).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  clock.advance(-1);
  expect((await set()).status).toBe(200);
});

test('of two password changes at the same time one wins', async () => {
  const { send, register, store } = authFixture();
  const { token } = await register('ada@example.com');
  const change = (fresh: string) =>
    send('PUT', '/user/password', {
      token: token!,
      body: { current_password: 'correct horse 1', new_password: fresh },
    });
  const results = await Promise.all([change('correct horse 5'), change('correct horse 6')]);
  expect(results.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect([...store.accounts.values()][0]?.sessionVersion).toBe(1);
});

test('USR-18 logout, also from refreshing, for as long as that would be possible', async () => {
  const { send, register, clock } = authFixture();
  const { token } = await register('ada@example.com');
  expect((await send('POST', '/user/logout', { token: token! })).data).toEqual({ message: 'Logged out' });
  expect((await send('GET', '/user/me', { token: token! })).details).toEqual({ reason: 'revoked' });
  clock.advance(13 * 86_400);
  expect((await send('POST', '/user/refresh-token', { body: { token } })).details).toEqual({ reason: 'revoked' });
  expect((await send('POST', '/user/logout')).status).toBe(401);
});

test('logout of all sessions', async () => {
  const { send, register } = authFixture();
  const { token } = await register('ada@example.com');
  const other = (await send('POST', '/user/refresh-token', { body: { token } })).data!['token'];
  expect((await send('POST', '/user/logout', { token: token!, body: { all: 'yes' } })).status).toBe(422);
  await send('POST', '/user/logout', { token: token!, body: { all: true } });
  for (const one of [token!, other]) {
    expect((await send('GET', '/user/me', { token: one })).details).toEqual({ reason: 'revoked' });
  }
});

test('USR-20 claims', async () => {
  const { register } = authFixture();
  const data = await register('ada@example.com');
  const claims = claimsOf(data['token']!);
  expect(claims).toMatchObject({ iss: 'svc', sub: data['user_id'], user_id: data['user_id'], type: 'access', sv: 0 });
  expect(claims['exp'] - claims['iat']).toBe(604_800);
  expect(claims['jti']).toMatch(/^[\w-]{22}$/);
});

test('audit records name actions and outcomes, never secrets', async () => {
  const { send, register, log } = authFixture();
  const { token, user_id: id } = await register('ada@example.com');
  await send('POST', '/user/login', { body: { email: 'ada@example.com', password: 'a wrong secret' } });
  await send('POST', '/user/login', { body: { email: 'ada@example.com', password: 'correct horse 1' } });
  await send('PUT', '/user/username', { token: token!, body: { new_username: 'ada' } });
  const { data } = await send('POST', '/user/login', { body: { username: 'ada', password: 'correct horse 1' } });
  await send('POST', '/user/refresh-token', { body: { token: data!['token'] } });
  await send('POST', '/user/refresh-token', { body: { token: 'not.a.token' } });
  await send('POST', '/user/logout', { token: data!['token'] });
  expect(log.records.map(({ fields }) => `${fields['action']} ${fields['outcome']}`)).toEqual([
    'register created',
    'login refused',
    'login success',
    'username_change success',
    'login success',
    'refresh success',
    'refresh refused_invalid',
    'logout success',
  ]);
  for (const { fields } of log.records)
    expect(fields).toMatchObject({ audit: true, client: '192.0.2.1', request_id: 'r1' });
  expect(log.records[0]?.fields['user_id']).toBe(id);
  const text = JSON.stringify(log.records);
  for (const secret of ['correct horse', 'a wrong secret', token!, 'ada@example.com'])
    expect(text).not.toContain(secret);
});
