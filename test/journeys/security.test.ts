/**
 * The security checklist of docs/server/security.md, a line each, against a server in production mode. Lines another
 * file proves are named with it.
 */
import { createHmac } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  copyApp,
  post,
  type RunningServer,
  register,
  removeFolder,
  repository,
  runSvc,
  startServer,
} from '../harness/server.ts';

const secret = 'a secret of the tests that is long enough';
const password = 'correct horse 1';
const folder = copyApp(join(import.meta.dirname, 'security'));
writeFileSync(join(folder, 'svc.toml'), '[project]\nname = "<script>alert(1)</script>"\n');
let server: RunningServer;
let base: string;
let ann: { token: string; rootId: string };
let bob: { token: string; rootId: string };
let note: string;

beforeAll(async () => {
  const env = { SVC_ENV: 'production', JWT_SECRET: secret, SVC_SERVE_DRAIN_DELAY_SECONDS: '0' };
  server = await startServer({ folder, env });
  base = server.base;
  [ann, bob] = [await register(base, 'ann'), await register(base, 'bob')];
  note = (await post(base, '/walker/Write', { text: 'canary-text' }, ann.token)).reports[0]._svc_id;
});
afterAll(async () => {
  await server.stop();
  removeFolder(folder);
});

type Line = readonly [number: number, matter: string, proof: (() => Promise<void>) | string];

const get = (path: string, headers: Record<string, string> = {}) => fetch(base + path, { headers });
const codeOf = (answer: any) => answer.error?.code;

/** The bytes that come back for bytes sent, until the server closes. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(text, 'latin1'));
    let got = '';
    socket.on('data', (chunk) => (got += chunk.toString('latin1')));
    socket.on('close', () => resolve(got));
    socket.on('error', reject);
  });
}

const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
function sign(header: object, claims: object, hash = 'sha256', key = secret): string {
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`;
}
const me = async (token: string) => (await get('/user/me', { authorization: `Bearer ${token}` })).status;

/** Gives an answer without the parts that differ between any two. */
const said = ({ meta: _meta, ...rest }: any) => rest;

function sources(...folders: string[]): { path: string; text: string }[] {
  return folders.flatMap((name) =>
    readdirSync(join(repository, name), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .map((path) => ({ path: `${name}/${path}`, text: readFileSync(join(repository, name, path), 'utf8') })),
  );
}

const lines: readonly Line[] = [
  [
    1,
    'default secrets',
    async () => {
      const other = copyApp(join(import.meta.dirname, 'security'));
      const env = { SVC_ENV: 'production', JWT_SECRET: '' };
      const refused = await runSvc(['start', 'main.svc', '--port', '0'], { cwd: other, env });
      expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('JWT_SECRET')]);
      removeFolder(other);
    },
  ],
  [
    2,
    'comparisons',
    async () => {
      for (const name of [
        'core/accounts/api-keys.ts',
        'core/accounts/phc.ts',
        'core/accounts/tokens.ts',
        'handlers/webhook/signature.ts',
      ])
        if (
          existsSync(join(repository, name)) &&
          /digest|hash|Hash|signature/.test(readFileSync(join(repository, name), 'utf8'))
        )
          expect(`${name} ${readFileSync(join(repository, name), 'utf8')}`).not.toMatch(
            /(digest|[hH]ash|signature)\w* (===|!==) (?!null|undefined|'|")/,
          );
      expect(sources('core', 'handlers').some(({ text }) => text.includes('timingSafeEqual'))).toBe(true);
    },
  ],
  [
    3,
    'JWT',
    async () => {
      const claims = claimsOf(ann.token);
      const header = JSON.parse(Buffer.from(ann.token.split('.')[0]!, 'base64url').toString());
      // The forger's tools work: with the right key and header its token is good.
      expect(await me(sign(header, claims))).toBe(200);
      const { exp: _exp, ...endless } = claims;
      const [head, body, tag] = ann.token.split('.') as [string, string, string];
      const forged: Record<string, string> = {
        'no algorithm': `${part({ ...header, alg: 'none' })}.${body}.`,
        'none, any case': `${part({ ...header, alg: 'NoNe' })}.${body}.`,
        'another algorithm': sign({ ...header, alg: 'HS512' }, claims, 'sha512'),
        'asymmetric header': sign({ ...header, alg: 'RS256' }, claims),
        'another key': sign(header, claims, 'sha256', 'svc-insecure-development-secret!'),
        'kid as a path': sign({ ...header, kid: '../../../../dev/null' }, claims, 'sha256', ''),
        'kid as a query': sign({ ...header, kid: "' UNION SELECT 'x" }, claims, 'sha256', 'x'),
        'key in the token': sign({ ...header, jwk: { kty: 'oct', k: part('x') } }, claims, 'sha256', 'x'),
        'key elsewhere': sign({ ...header, jku: 'http://127.0.0.1:1/keys' }, claims, 'sha256', 'x'),
        'no end': sign(header, endless),
        'another user': `${head}.${part({ ...claims, sub: claimsOf(bob.token).sub })}.${tag}`,
        'another type': sign(header, { ...claims, type: 'api_key' }),
        'no signature': `${head}.${body}.`,
        'too long': sign(header, { ...claims, more: 'x'.repeat(9000) }),
        'not a token': 'x.y.z',
      };
      for (const [name, token] of Object.entries(forged)) expect([name, await me(token)]).toEqual([name, 401]);
    },
  ],
  [
    4,
    'passwords',
    async () => {
      const { stdout } = await runSvc(['export'], { cwd: folder });
      const hashes = [...stdout.matchAll(/"password_hash":"([^"]+)"/g)].map((match) => match[1]);
      expect(hashes.length).toBeGreaterThan(1);
      for (const hash of hashes) expect(hash).toMatch(/^\$(scrypt|argon2id)\$.*=\d+/);
      expect(new Set(hashes).size).toBe(hashes.length);
      // Two ways to write one text are one password.
      await post(base, '/user/register', { username: 'nia', password: '\ufb01ne caf\u00e9 7' });
      expect((await post(base, '/user/login', { username: 'nia', password: 'fine cafe\u0301 7' })).ok).toBe(true);
    },
  ],
  [
    5,
    'enumeration',
    async () => {
      const wrong = { username: 'ann', password: 'correct horse 2' };
      const unknown = { username: 'nobody', password: 'correct horse 2' };
      expect(said(await post(base, '/user/login', unknown))).toEqual(said(await post(base, '/user/login', wrong)));
      // The times of these answers are compared in enumeration.test.ts.
      const none = `${'f'.repeat(12)}4fff8${'f'.repeat(15)}`;
      for (const path of ['/walker/Read/', '/traverse?']) {
        const ask = (id: string) =>
          post(base, path === '/traverse?' ? '/traverse' : path + id, { source: id }, bob.token);
        const [hidden, absent] = [await ask(note), await ask(none)];
        expect([codeOf(hidden), said(hidden)]).toEqual(['NODE_NOT_FOUND', said(absent)]);
      }
      const made = await post(base, '/api-key/create', { name: 'shop' }, ann.token);
      const taken = await post(base, `/api-key/${made.data.api_key_id}`, {}, bob.token, 'DELETE');
      expect(said(taken)).toEqual(
        said(await post(base, `/api-key/${'0'.repeat(made.data.api_key_id.length)}`, {}, bob.token, 'DELETE')),
      );
      expect(taken.status).toBe(404);
    },
  ],
  [
    6,
    'brute force',
    async () => {
      await register(base, 'cay');
      const tries: number[] = [];
      for (let i = 0; i < 12; i++)
        tries.push((await post(base, '/user/login', { username: 'cay', password: `wrong ${i}` })).status);
      expect([tries[0], tries.at(-1)]).toEqual([401, 429]);
      // Not even the right one, and the answer does not tell.
      expect((await post(base, '/user/login', { username: 'CAY', password })).status).toBe(429);
    },
  ],
  [
    7,
    'sessions',
    async () => {
      const dan = await register(base, 'dan');
      const second = (await post(base, '/user/login', { username: 'dan', password })).data.access_token;
      const changed = await post(
        base,
        '/user/password',
        { current_password: password, new_password: 'another horse 2' },
        dan.token,
        'PUT',
      );
      expect([changed.status, await me(second)]).toEqual([200, 401]);
      const token = changed.data?.access_token ?? dan.token;
      expect((await post(base, '/user/logout', {}, token)).status).toBe(200);
      expect(await me(token)).toBe(401);
    },
  ],
  [
    8,
    'webhook',
    async () => {
      const { api_key: key } = (await post(base, '/api-key/create', { name: 'hook' }, ann.token)).data;
      const hook = async (headers: Record<string, string>, body = '{"n":1}') =>
        (
          await fetch(`${base}/webhook/Hook`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body,
          })
        ).status;
      const signed = (by: string, body = '{"n":1}') => createHmac('sha256', by).update(body).digest('hex');
      expect(await hook({ 'x-api-key': key, 'x-webhook-signature': signed(key) })).toBe(200);
      for (const by of ['webhook-secret-key', '', ann.token])
        expect(await hook({ 'x-api-key': key, 'x-webhook-signature': signed(by) })).toBe(401);
      expect(await hook({ 'x-api-key': key })).toBe(401);
      expect(await hook({ 'x-api-key': key, 'x-webhook-signature': signed(key) }, '{"n": 1}')).toBe(401);
      // The caller is checked before the body.
      expect(await hook({ 'x-api-key': 'svck_x' }, 'no json')).toBe(401);
    },
  ],
  [
    9,
    'object permissions',
    async () => {
      const description: any = await (await get('/openapi.json')).json();
      const seen: string[] = [];
      for (const [path, methods] of Object.entries<any>(description.paths)) {
        for (const method of Object.keys(methods)) {
          if (/logout|password|username|register|refresh/.test(path)) continue;
          const at = path.replace(/\{[^}]+\}/g, note);
          const every = {
            id: note,
            source: note,
            note,
            text: 'stolen',
            data: { id: note },
            task: note,
            root: note,
            who: { name: note },
          };
          const answer = await fetch(
            `${base}${at}${method === 'get' ? `?root=${note}&id=${note}&source=${note}` : ''}`,
            {
              method: method.toUpperCase(),
              headers: { authorization: `Bearer ${bob.token}`, 'content-type': 'application/json' },
              ...(method === 'get' ? {} : { body: JSON.stringify(every) }),
            },
          );
          expect(`${method} ${path} ${await answer.text()}`).not.toContain('canary-text');
          seen.push(path);
        }
      }
      expect(seen).toEqual(
        expect.arrayContaining(['/traverse', '/walker/Read/{nd}', '/walker/Find', '/walker/Remove']),
      );
      expect((await post(base, `/walker/Read/${note}`, {}, ann.token)).reports[0].text).toBe('canary-text');
    },
  ],
  [
    10,
    'mass assignment',
    async () => {
      const made = await post(base, '/user/register', {
        username: 'eve',
        password,
        role: 'admin',
        user_id: 'x',
        root_id: ann.rootId,
      });
      if (made.ok) expect([made.data.role ?? 'user', made.data.root_id === ann.rootId]).toEqual(['user', false]);
      const written = await post(
        base,
        '/walker/Write',
        { text: 'mine', hidden: 'x', _svc_id: note, owner: bob.rootId },
        ann.token,
      );
      expect(written.reports?.[0]?._svc_id).not.toBe(note);
      const tagged = await post(base, '/walker/Greet', { who: { name: 'x', _svc_type: 'Note', text: 'x' } });
      expect(codeOf(tagged)).toBe('VALIDATION_ERROR');
      expect(JSON.stringify((await post(base, `/walker/Read/${note}`, {}, ann.token)).data)).not.toContain(
        'canary-hidden',
      );
    },
  ],
  [
    11,
    'prototype pollution',
    async () => {
      const body =
        '{"data": {"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}, "__proto__": {"polluted": 1}}';
      const echo = async (text: string) =>
        (
          await fetch(`${base}/walker/Echo`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: text,
          })
        ).text();
      await echo(body);
      await echo(`{"data": ${body}}`);
      await get('/walkers?__proto__[polluted]=1&constructor.prototype.polluted=1');
      expect(await echo('{"data": {}}')).not.toContain('polluted');
      expect(await (await get('/user/me', { authorization: `Bearer ${ann.token}` })).text()).not.toContain('polluted');
    },
  ],
  [12, 'NoSQL injection', 'test/journeys/kvstore.test.ts'],
  [
    13,
    'SQL',
    async () => {
      for (const name of ["x' OR '1'='1", "ann'--", 'ann"; DROP TABLE users; --']) {
        expect((await post(base, '/user/login', { username: name, password: "' OR 1=1 --" })).status).toBe(401);
      }
      expect(
        (await post(base, '/traverse', { source: "' OR 1=1 --", node_types: ["x' OR 1"] }, ann.token)).status,
      ).toBe(422);
      expect((await post(base, '/traverse', { node_types: ["Note' OR '1'='1"] }, ann.token)).data.nodes).toHaveLength(
        1,
      );
      expect((await post(base, '/walker/Find', { id: "' OR 1=1 --" }, ann.token)).reports).toEqual([null]);
      expect((await post(base, '/user/login', { username: 'bob', password })).ok).toBe(true);
    },
  ],
  [
    14,
    'path traversal',
    async () => {
      for (const path of [
        '/static/../main.svc',
        '/static/_docs/..%2f..%2fmain.svc',
        '/static/_docs/%2e%2e/%2e%2e/svc.toml',
        '/..%5c..%5csvc.toml',
        '/static//etc/passwd',
        '/cl/../.svc/data/svc.db',
      ]) {
        const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
        expect([path, answer.slice(0, 12)]).toEqual([path, expect.stringMatching(/HTTP\/1.1 40[04]/)]);
        expect(answer).not.toMatch(/root:|alert|SQLite/);
      }
      const form = new FormData();
      form.append('file', new Blob(['x']), '../../../escaped.txt');
      expect((await fetch(`${base}/walker/Take`, { method: 'POST', body: form })).status).toBeLessThan(500);
      expect(existsSync(join(folder, '../../../escaped.txt')) || existsSync(join(folder, '../escaped.txt'))).toBe(
        false,
      );
    },
  ],
  [15, 'SSRF', 'adapters/identity/send-to-provider.test.ts'],
  [16, 'open redirect', 'handlers/sso/sso-routes.test.ts'],
  [17, 'SSO', 'handlers/sso/sso-routes.test.ts'],
  [
    18,
    'CSRF',
    async () => {
      const login = await fetch(`${base}/user/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'ann', password }),
      });
      expect([login.status, login.headers.get('set-cookie')]).toEqual([200, null]);
      for (const name of ['token', 'access_token', 'session', 'Authorization'])
        expect((await get('/user/me', { cookie: `${name}=${ann.token}` })).status).toBe(401);
    },
  ],
  [19, 'WebSocket', 'test/wire/8-wsk.md'],
  [
    20,
    'resource limits',
    async () => {
      const send = async (body: string) =>
        (await fetch(`${base}/walker/Echo`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }))
          .status;
      expect(await send(`{"data": ${'{"a":'.repeat(70)}1${'}'.repeat(71)}`)).toBe(400);
      expect(await send(`{"data": {"a": "${'x'.repeat(4 * 1024 * 1024)}"}}`)).toBe(413);
      expect((await post(base, '/traverse', { depth: 33, limit: 1_000_000 }, ann.token)).error.details).toHaveLength(2);
      expect((await raw(`GET /${'a'.repeat(10_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)).slice(9, 12)).toBe('414');
      expect((await raw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`)).slice(9, 12)).toBe('431');
    },
  ],
  [
    21,
    'request smuggling',
    async () => {
      const head = 'POST /walker/Echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
      for (const rest of [
        'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /walkers HTTP/1.1\r\nHost: x\r\n\r\n',
        'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}GET',
        'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
        'X-Folded: a\r\n b\r\nContent-Length: 2\r\n\r\n{}',
      ]) {
        const answer = await raw(head + rest);
        expect([rest, answer.slice(9, 12), answer.match(/HTTP\/1\.1/g)?.length]).toEqual([
          rest,
          expect.stringMatching(/400|501/),
          1,
        ]);
      }
    },
  ],
  [
    22,
    'headers',
    async () => {
      const answer = await get('/user/me', { authorization: `Bearer ${ann.token}`, 'x-request-id': 'a b\t<x>' });
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('cache-control')).toContain('no-store');
      expect([answer.headers.get('server'), answer.headers.get('x-powered-by')]).toEqual([null, null]);
      expect([...answer.headers.values()].join()).not.toContain('<x>');
    },
  ],
  [23, 'proxies', 'handlers/client-address.test.ts'],
  [
    24,
    'errors',
    async () => {
      const failed = await post(base, '/walker/Fail');
      expect([failed.status, JSON.stringify(failed)]).toEqual([
        500,
        expect.not.stringMatching(/canary|main\.svc|\bat \w|node_modules|ValueError\(/),
      ]);
    },
  ],
  [
    25,
    'logs',
    async () => {
      await post(base, '/user/login', {
        username: 'x\n{"level":"error","msg":"injected"}',
        password: 'canary-password',
      });
      await post(base, '/walker/Echo', { data: { text: 'canary-body' } });
      await get('/user/me?token=canary-query', { authorization: 'Bearer canary-token' });
      const printed = server.output();
      expect(printed).not.toMatch(/canary-(password|body|query|token|text|hidden)|correct horse/);
      for (const token of [ann.token, bob.token, secret]) expect(printed).not.toContain(token);
      for (const line of printed
        .trim()
        .split('\n')
        .filter((text) => text.startsWith('{')))
        expect(() => JSON.parse(line)).not.toThrow();
      expect(printed.split('\n').filter((line) => line.startsWith('{"level":"error","msg":"injected"'))).toEqual([]);
    },
  ],
  [
    26,
    'pages',
    async () => {
      for (const path of ['/docs', '/redoc']) {
        const answer = await get(path);
        const page = await answer.text();
        expect([path, answer.headers.get('content-security-policy')]).toEqual([
          path,
          expect.stringContaining("default-src 'self'"),
        ]);
        expect(page).not.toMatch(/(src|href)="(https?:)?\/\/|<script>alert/);
      }
    },
  ],
  [
    27,
    'metrics, graph view, introspection',
    async () => {
      for (const path of ['/walkers', '/functions', '/walker/Echo'])
        expect([path, (await get(path)).status]).toEqual([path, 401]);
      for (const path of ['/graph', '/graph/data', '/metrics'])
        expect([path, (await get(path)).status]).toEqual([path, 404]);
      const other = copyApp(join(import.meta.dirname, 'security'));
      await using open = await startServer({
        folder: other,
        env: { SVC_ENV: 'production', JWT_SECRET: secret, SVC_SERVE_GRAPH_VIEW: 'on' },
      });
      const { token } = await register(open.base, 'ann');
      const page = await fetch(`${open.base}/graph`);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('data-needs-token="true"')]);
      expect((await fetch(`${open.base}/graph/data`)).status).toBe(401);
      const authorization = { authorization: `Bearer ${token}` };
      expect((await fetch(`${open.base}/graph/data`, { headers: authorization })).status).toBe(403);
    },
  ],
  [
    28,
    'secrets at rest',
    async () => {
      const data = join(folder, '.svc/data');
      const { api_key: key } = (await post(base, '/api-key/create', { name: 'rest' }, ann.token)).data;
      for (const name of readdirSync(data).filter((file) => file.startsWith('svc.db'))) {
        expect([name, statSync(join(data, name)).mode & 0o077]).toEqual([name, 0]);
        const bytes = readFileSync(join(data, name), 'latin1');
        for (const text of [password, key.slice(key.indexOf('_', 'svck_'.length) + 1), secret, ann.token])
          expect(bytes).not.toContain(text);
      }
    },
  ],
  [29, 'containers', 'test/journeys/containers.test.ts'],
  [30, 'cloud roles', 'test/journeys/cloud-template.test.ts'],
  [
    31,
    'dependencies',
    async () => {
      const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
      const pinned = Object.entries<any>(lock.packages).filter(
        ([name]) => name !== '' && name.includes('node_modules/'),
      );
      expect(
        pinned.filter(([, entry]) => entry.link !== true && entry.integrity === undefined).map(([name]) => name),
      ).toEqual([]);
      expect(Object.keys(JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')).scripts)).not.toContain(
        'postinstall',
      );
    },
  ],
  [
    32,
    'inspector',
    async () => {
      const { code, stderr } = await runSvc(['debug', 'main.svc'], { cwd: folder, env: { SVC_ENV: 'production' } });
      expect(code).not.toBe(0);
      expect(stderr).not.toContain('ws://');
    },
  ],
  [
    33,
    'time',
    async () => {
      const header = JSON.parse(Buffer.from(bob.token.split('.')[0]!, 'base64url').toString());
      const claims = claimsOf(bob.token);
      const now = Math.floor(Date.now() / 1000);
      expect(await me(sign(header, { ...claims, exp: now - 10 }))).toBe(200);
      expect(await me(sign(header, { ...claims, exp: now - 45 }))).toBe(401);
      expect(await me(sign(header, { ...claims, nbf: now + 300, iat: now + 300 }))).toBe(401);
    },
  ],
  [
    34,
    'randomness',
    async () => {
      // Waiting times before another try, which calls of a share are recorded, and the language's own `random` are no secrets.
      const users = sources('base', 'core', 'handlers', 'adapters').filter(({ text }) => text.includes('Math.random'));
      expect(
        users
          .map(({ path }) => path)
          .filter((path) => !/base\/back-off\.ts|stories\/story-book\.ts|library\//.test(path)),
      ).toEqual([]);
    },
  ],
];

describe('checklist', () => {
  for (const [number, matter, proof] of lines) {
    if (typeof proof !== 'string') test(`${number} ${matter}`, proof);
  }

  test('every line is here once, and the files that prove the others exist', () => {
    expect(lines.map(([number]) => number)).toEqual(Array.from({ length: 34 }, (_, i) => i + 1));
    const elsewhere = lines.flatMap(([, , proof]) => (typeof proof === 'string' ? [proof] : []));
    for (const path of elsewhere) expect([path, existsSync(join(repository, path))]).toEqual([path, true]);
  });
});
