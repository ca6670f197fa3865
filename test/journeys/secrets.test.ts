/**
 * Secrets of every kind, sent to every endpoint, never come out again: not in logs, not in metrics, not in answers
 * (docs/server/observability.md#redaction, docs/server/security.md).
 */
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { copyApp, post, type RunningServer, removeFolder, startServer } from '../harness/server.ts';

const configured = {
  jwt: 'canary-jwt-secret-0123456789abcdef',
  webhook: 'canary-webhook-secret',
  scrape: 'canary-scrape-token',
  deployed: 'canary-deployed-value',
};
const sent = {
  password: 'canary-Passw0rd-one',
  newPassword: 'canary-Passw0rd-two',
  cookie: 'canary-cookie-value',
  unknownToken: `eyJhbGciOiJIUzI1NiJ9.${Buffer.from('{"sub":"canary"}').toString('base64url')}.Y2FuYXJ5LXNpZ25hdHVyZQ`,
  unknownKey: `svck_${'ca'.repeat(16)}_${'C'.repeat(43)}`,
  inQuery: 'canary-in-the-query',
  inField: 'canary-in-a-field',
};

function configure(folder: string, format: string): void {
  const file = join(folder, 'svc.toml');
  const text = readFileSync(file, 'utf8').replace(
    'walker_metrics = true',
    `walker_metrics = true\ntoken = "${configured.scrape}"`,
  );
  writeFileSync(
    file,
    `${text}
[plugins.scale.jwt]
secret = "${configured.jwt}"
[plugins.scale.logging]
format = "${format}"
[plugins.scale.webhook]
secret = "${configured.webhook}"
[plugins.scale.secrets]
DEPLOYED = "${configured.deployed}"
`,
  );
}

interface Operation {
  readonly method: string;
  readonly path: string;
}

async function operations(base: string): Promise<Operation[]> {
  const { paths } = (await (await fetch(`${base}/openapi.json`)).json()) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => ({ method: method.toUpperCase(), path: path.replace(/\{[^}]*\}/g, '1') })),
  );
}

const secretHeaders = {
  authorization: `Bearer ${sent.unknownToken}`,
  cookie: `session=${sent.cookie}`,
  'x-api-key': sent.unknownKey,
  'x-webhook-signature': createHmac('sha256', sent.unknownKey).update('x').digest('hex'),
  'webhook-signature': 'v1,Y2FuYXJ5LXNpZ25hdHVyZQ==',
};
const secretBody = {
  username: 'canary@example.org',
  password: sent.password,
  current_password: sent.password,
  new_password: sent.newPassword,
  token: sent.unknownToken,
  refresh_token: sent.unknownToken,
  api_key: sent.unknownKey,
  client_secret: sent.inField,
  secret: sent.inField,
  code: sent.inField,
  state: sent.inField,
};

/** Sends secrets in every place a call has; gives all answers. */
async function sendEverywhere(base: string, all: readonly Operation[]): Promise<string> {
  let answers = '';
  const send = async (path: string, init: RequestInit) => {
    const answer = await fetch(base + path, { ...init, redirect: 'manual' });
    answers += `${JSON.stringify([...answer.headers])}\n${await answer.text()}\n`;
  };
  for (const { method, path } of all) {
    const target = `${path}?token=${sent.inQuery}&api_key=${sent.inQuery}`;
    const bodies =
      method === 'GET'
        ? [undefined]
        : [JSON.stringify(secretBody), `{"password": "${sent.password}", "token": "${sent.inField}`];
    for (const body of bodies) {
      const headers = { ...secretHeaders, 'content-type': 'application/json' };
      await send(target, { method, headers, ...(body === undefined ? {} : { body }) });
      await send(target, { method, headers: { ...headers, authorization: 'Basic Y2FuYXJ5OmNhbmFyeQ==' } });
    }
  }
  await send(`/no/${sent.unknownToken}/${sent.unknownKey}`, { method: 'GET' });
  // A request id is answered as it was given; only the log masks it.
  await fetch(`${base}/walker/Ping`, { method: 'POST', headers: { 'x-request-id': sent.unknownToken } });
  return answers;
}

/** A user's real credentials at work. */
async function realCredentials(base: string): Promise<string[]> {
  const account = { username: 'real@example.org', password: sent.password };
  await post(base, '/user/register', account);
  const { access_token: first } = (await post(base, '/user/login', account)).data;
  const { access_token: token } = (await post(base, '/user/refresh-token', { token: first })).data ?? {
    access_token: first,
  };
  await post(base, '/user/password', { current_password: sent.password, new_password: sent.newPassword }, token, 'PUT');
  const login = (await post(base, '/user/login', { ...account, password: sent.newPassword })).data ?? {
    access_token: token,
  };
  const { api_key: key, signing_secret: signing } = (
    await post(base, '/api-key/create', { name: 'one' }, login.access_token)
  ).data;
  const body = '{"payment_id":"p","order_id":"o","amount":1}';
  const signature = createHmac('sha256', key).update(body).digest('hex');
  for (const given of [signature, '0'.repeat(64)]) {
    const headers = { 'content-type': 'application/json', 'x-api-key': key, 'x-webhook-signature': given };
    await fetch(`${base}/webhook/PaymentReceived`, { method: 'POST', headers, body });
  }
  for (const given of [login.access_token, sent.unknownToken]) {
    const socket = new WebSocket(`${base.replace('http', 'ws')}/ws/PrivateWs?token=${given}`);
    await new Promise((resolve) => socket.once('open', resolve).once('error', resolve));
    socket.terminate();
  }
  return [first, token, login.access_token, key, signing, signature];
}

async function run(server: RunningServer): Promise<void> {
  const { base } = server;
  const all = await operations(base);
  expect(all.length).toBeGreaterThan(25);
  const answers = await sendEverywhere(base, all);
  const issued = await realCredentials(base);
  for (const secret of issued) expect(secret).toMatch(/.{32}/);
  const scraped = await fetch(`${base}/metrics`, { headers: { authorization: `Bearer ${configured.scrape}` } });
  expect(scraped.status).toBe(200);
  const metrics = await scraped.text();
  await server.stop();
  const log = server.output();
  expect(log.split('\n').length).toBeGreaterThan(2 * all.length);
  const given = Object.values({ ...configured, ...sent });
  const where = (text: string, secrets: readonly string[]) => secrets.filter((secret) => text.includes(secret));
  expect(where(log, [...given, ...issued]), 'log').toEqual([]);
  expect(where(metrics, [...given, ...issued]), 'metrics').toEqual([]);
  expect(where(answers, given), 'answers').toEqual([]);
}

for (const format of ['json', 'text']) {
  test(`no secret comes out again, logs as ${format}`, async () => {
    const folder = copyApp(join(import.meta.dirname, '../wire/app'));
    configure(folder, format);
    await using server = await startServer({ folder, args: ['--log-level', 'debug'] });
    await run(server);
    removeFolder(folder);
  });
}
