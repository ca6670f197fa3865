/** Single sign-on as a person meets it: a real server, a real provider, a browser that follows redirects and submits forms. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OidcProvider, openBrowser, startOidcProvider } from '../harness/oidc-provider.ts';
import { freePort } from '../harness/ports.ts';
import { post, type RunningServer, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const clientSecret = 'a client secret of the provider+:%';
const program = `walker WhoAmI { can go with Root entry { report oid(root); } }\n`;
const settings = (issuer: string) => `
[plugins.scale.logging]
level = "info"
[plugins.scale.sso.corp]
issuer = "${issuer}"
client_id = "svc"
client_secret = "${clientSecret}"
allow_private_issuer = true

[plugins.scale.sso.form]
issuer = "${issuer}"
client_id = "svc"
client_secret = "${clientSecret}"
allow_private_issuer = true
response_mode = "form_post"
`;

let folder: ReturnType<typeof folderWith>;
let server: RunningServer;
let provider: OidcProvider;
let providerPort: number;

const startProvider = (algorithm?: 'ES256' | 'PS256' | 'EdDSA') =>
  startOidcProvider({
    port: providerPort,
    redirectUris: ['corp', 'form'].map((name) => `${server.base}/sso/${name}/login/callback`),
    clientSecret,
    unverified: ['mallory'],
    ...(algorithm && { algorithm }),
  });

beforeAll(async () => {
  providerPort = await freePort();
  folder = folderWith({ 'main.svc': program, 'svc.toml': settings(`http://127.0.0.1:${providerPort}`) });
  server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
});
afterAll(async () => {
  await server.stop();
  await provider?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const isCallback = (url: URL) => url.origin === server.base && url.pathname.endsWith('/callback');

/** A whole sign-in; each person has a browser. */
async function signIn(login: string, path = '/sso/corp/login', browser = openBrowser(login)) {
  const { url, form } = await browser.visit(`${server.base}${path}`, isCallback);
  const response = await browser.fetch(url.href, form ? { method: 'POST', body: form } : {});
  const text = await response.text();
  return { response, url, browser, ...(text === '' ? {} : (JSON.parse(text) as Record<string, any>)) } as {
    response: Response;
    url: URL;
    browser: typeof browser;
    data: Record<string, any>;
    error: Record<string, any>;
  };
}

test('the server starts without its provider and says so until it is there', async () => {
  const early = await fetch(`${server.base}/sso/corp/login`, { redirect: 'manual' });
  expect([early.status, await early.json()]).toMatchObject([502, { error: { code: 'SSO_PROVIDER_ERROR' } }]);
  provider = await startProvider();
  expect((await fetch(`${server.base}/sso/corp/login`, { redirect: 'manual' })).status).toBe(302);
});

test('somebody new gets an account with a graph, and the same one ever after', async () => {
  const first = await signIn('ada');
  expect(first.response.status).toBe(201);
  expect(first.data).toMatchObject({
    email: 'ada@example.test',
    platform: 'corp',
    created: true,
    token_type: 'bearer',
  });
  const walked = await post(server.base, '/walker/WhoAmI', {}, first.data['token']);
  expect(walked.reports).toEqual([first.data['root_id']]);
  const again = await signIn('ada');
  expect([again.response.status, again.data['user_id'], again.data['created']]).toEqual([
    200,
    first.data['user_id'],
    false,
  ]);
  const refreshed = await post(server.base, '/user/refresh-token', { token: again.data['token'] });
  expect(refreshed.status).toBe(200);
});

test('a callback is good for one time, in any process', async () => {
  const browser = openBrowser('bert');
  const started = await browser.fetch(`${server.base}/sso/corp/login`);
  const cookie = started.headers.getSetCookie()[0]!.split(';')[0]!;
  const { url } = await browser.visit(started.headers.get('location')!, isCallback);
  expect((await browser.fetch(url.href)).status).toBe(201);
  for (let i = 0; i < 4; i += 1) {
    // A connection each, so that more than one worker gets to see it.
    const replayed = await fetch(url, { headers: { cookie, connection: 'close' } });
    expect([replayed.status, await replayed.json()]).toMatchObject([400, { error: { code: 'INVALID_STATE' } }]);
  }
});

test('an unverified address opens nothing, an account with a password is not taken over', async () => {
  expect((await signIn('mallory')).error).toMatchObject({ code: 'EMAIL_MISSING' });
  await post(server.base, '/user/register', { email: 'carol@example.test', password: 'correct horse 1' });
  const taken = await signIn('carol');
  expect([taken.response.status, taken.error['code']]).toEqual([409, 'ACCOUNT_EXISTS']);
  expect(
    (await post(server.base, '/user/login', { email: 'carol@example.test', password: 'correct horse 1' })).status,
  ).toBe(200);
});

test('a provider that posts its answer as a form', async () => {
  const posted = await signIn('dora', '/sso/form/login');
  expect([posted.url.search, posted.response.status]).toEqual(['', 201]);
  expect(posted.data).toMatchObject({ platform: 'form', created: true });
});

test('a native client gets the token in the fragment', async () => {
  const target = 'http://127.0.0.1:43210/done';
  const { response } = await signIn('emil', `/sso/corp/login?client_callback=${encodeURIComponent(target)}`);
  const [address, fragment] = response.headers.get('location')!.split('#');
  expect([response.status, address]).toEqual([302, target]);
  const token = new URLSearchParams(fragment).get('token')!;
  expect((await post(server.base, '/walker/WhoAmI', {}, token)).status).toBe(200);
});

test('an account without a password sets one while the sign-in is fresh', async () => {
  const { data } = await signIn('fred');
  const change = await fetch(`${server.base}/user/password`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${data['token']}` },
    body: JSON.stringify({ new_password: 'correct horse 2' }),
  });
  expect(change.status).toBe(200);
  const login = await post(server.base, '/user/login', { email: 'fred@example.test', password: 'correct horse 2' });
  expect(login.data.user_id).toBe(data['user_id']);
});

test.each(['ES256', 'PS256', 'EdDSA'] as const)('the provider goes on with other keys: %s', async (algorithm) => {
  await provider[Symbol.asyncDispose]();
  provider = await startProvider(algorithm);
  const again = await signIn('ada');
  expect([again.response.status, again.data?.['created']]).toEqual([200, false]);
});

test('nothing secret was printed', () => {
  expect(server.output()).toContain('"action":"sso"');
  expect(server.output()).toMatch(/sign-in with corp failed: .*ECONNREFUSED/);
  for (const secret of [clientSecret, 'example.test', 'svc_sso=', 'code_verifier'])
    expect(server.output()).not.toContain(secret);
  expect(server.output()).not.toMatch(/[?&](code|state)=/);
});
