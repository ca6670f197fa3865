/**
 * Limits on the contents of requests, and the answers beyond them (docs/server/errors.md#limits,
 * docs/server/sockets.md, docs/server/security.md). The page
 * `docs/reference/limits.md` is made of these rows, and each is tried with a real request against the program in
 * `app/`, most of whose limits are small. A row reads: input, bound (a key of the configuration, or a text where it is
 * fixed), answer, request.
 */
import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { ConfigPath } from '../../core/config/config.ts';
import { mostListed } from '../../core/problems.ts';
import { mostPairs } from '../../handlers/http/body/read-query.ts';
import { usualBodyBytes } from '../../handlers/http/fixed-route.ts';
import { ask, form, problems, raw, type Talk as Socket, Talk, type Tried, told } from './server.ts';

export interface LimitRow {
  readonly input: string;
  /** Keys whose defaults are the bound, or a text. */
  readonly bound: readonly ConfigPath[] | string;
  readonly answer: string;
  readonly probe: (tried: Tried) => Promise<void>;
}

const take = (tried: Tried, body: unknown) => ask(tried, '/walker/Take', { body });
const register = (tried: Tried, body: unknown) => ask(tried, '/user/register', { body });
const name = () => `u${Math.random().toString(36).slice(2)}`;
const password = 'correct horse 1';

async function newUser(tried: Tried): Promise<string> {
  return (await register(tried, { username: name(), password })).body.access_token;
}

async function apiKey(tried: Tried): Promise<string> {
  const token = await newUser(tried);
  return (await ask(tried, '/api-key/create', { body: { name: 'k' }, token })).body.api_key;
}

function signed(key: string, body: string) {
  const signature = createHmac('sha256', key).update(body).digest('hex');
  return { body, headers: { 'x-api-key': key, 'x-webhook-signature': signature } };
}

/** Opens as many sockets as there may be, and one more. */
async function oneMore(tried: Tried, count: number, tokens: readonly (string | undefined)[]): Promise<void> {
  const sockets: Socket[] = [];
  try {
    for (let i = 0; i < count; i++) {
      sockets.push(new Talk(tried, tokens[i % tokens.length]));
      await sockets[i]!.say({ text: 'in' });
      expect((await sockets[i]!.heard(1))[0].ok).toBe(true);
    }
    sockets.push(new Talk(tried, tokens.at(-1)));
    expect(await sockets[count]!.closed).toBe(4403);
    expect(sockets[count]!.frames[0].error.code).toBe('CAPACITY');
  } finally {
    for (const socket of sockets) socket.socket.terminate();
  }
}

export const sections: Readonly<Record<string, readonly LimitRow[]>> = {
  'Every request': [
    {
      input: 'request line',
      bound: ['serve.maxUrlBytes'],
      answer: '414 `URI_TOO_LONG`, closed',
      probe: async (tried) => {
        expect(told(await ask(tried, `/walker/${'x'.repeat(5000)}`))).toEqual([414, 'URI_TOO_LONG']);
      },
    },
    {
      input: 'headers together, cookies included',
      bound: ['serve.maxHeaderBytes'],
      answer: '431 `HEADERS_TOO_LARGE`, closed',
      probe: async (tried) => {
        const cookie = `a=${'x'.repeat(20_000)}`;
        expect(told(await ask(tried, '/walker/Take', { headers: { cookie } }))).toEqual([431, 'HEADERS_TOO_LARGE']);
      },
    },
    {
      input: 'number of headers',
      bound: '100',
      answer: '431 `HEADERS_TOO_LARGE`, closed',
      probe: async (tried) => {
        const many = Array.from({ length: 101 }, (_, i) => `x-${i}: 1\r\n`).join('');
        expect(await raw(tried, `GET /walkers HTTP/1.1\r\nHost: x\r\n${many}\r\n`)).toMatch(/^HTTP\/1.1 431 /);
      },
    },
    {
      input: 'pairs of a query or an urlencoded form',
      bound: mostPairs.toLocaleString('en'),
      answer: '413 `PAYLOAD_TOO_LARGE`',
      probe: async (tried) => {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const send = (pairs: number) =>
          ask(tried, '/walker/Form', { headers, body: Array(pairs).fill('a=1').join('&') });
        expect((await send(mostPairs)).body.reports).toEqual([[false, mostPairs]]);
        expect(told(await send(mostPairs + 1))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      },
    },
    {
      input: 'JSON body',
      bound: ['serve.maxBodyBytes'],
      answer: '413 `PAYLOAD_TOO_LARGE`; declared so long: without being read, closed',
      probe: async (tried) => {
        expect(told(await take(tried, `{"open": "${'x'.repeat(262_144)}"}`))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
        const head = 'POST /walker/Take HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
        expect(await raw(tried, `${head}Content-Length: 999999999\r\n\r\n`)).toMatch(/^HTTP\/1.1 413 .*limit/s);
      },
    },
    {
      input: 'compressed body',
      bound: 'the same when decoded, and 100 times what was sent (64 KiB always)',
      answer: '413 `PAYLOAD_TOO_LARGE`',
      probe: async (tried) => {
        const body = gzipSync(`{"open": "${'x'.repeat(200_000)}"}`);
        const sent = await ask(tried, '/walker/Take', { body, headers: { 'content-encoding': 'gzip' } });
        expect([told(sent), sent.body.error.details.limit]).toEqual([[413, 'PAYLOAD_TOO_LARGE'], 65_536]);
      },
    },
    {
      input: 'depth of JSON',
      bound: ['serve.maxJsonDepth'],
      answer: '400 `INVALID_JSON`',
      probe: async (tried) => {
        const deep = (levels: number) => take(tried, `{"open": ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);
        expect((await deep(64)).status).toBe(200);
        expect(told(await deep(65))).toEqual([400, 'INVALID_JSON']);
      },
    },
    {
      input: 'integers in JSON',
      bound: '±(2⁵³−1)',
      answer: '422 `number_out_of_safe_range`; as text they may be longer (4300 digits)',
      probe: async (tried) => {
        expect(problems(await take(tried, '{"open": [9007199254740992]}'))).toEqual(['number_out_of_safe_range']);
        expect((await take(tried, { items: ['9'.repeat(4300)] })).status).toBe(200);
        expect(problems(await take(tried, { items: ['9'.repeat(4301)] }))).toEqual(['int_parsing']);
      },
    },
    {
      input: 'problems listed by a 422',
      bound: `${mostListed}, 24 KiB`,
      answer: '`truncated` and `count` beside `details`',
      probe: async (tried) => {
        const { error } = (await take(tried, { items: Array(500).fill('x') })).body;
        expect([error.details.length, error.truncated, error.count]).toEqual([mostListed, true, 500]);
      },
    },
    {
      input: 'body of an endpoint of the server itself (accounts, traversal)',
      bound: `${usualBodyBytes / 1024} KiB`,
      answer: '413 `PAYLOAD_TOO_LARGE`',
      probe: async (tried) => {
        const long = { source: 'x'.repeat(usualBodyBytes) };
        expect(told(await ask(tried, '/traverse', { body: long, token: tried.token }))).toEqual([
          413,
          'PAYLOAD_TOO_LARGE',
        ]);
        expect(told(await register(tried, long))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      },
    },
    {
      input: '`Idempotency-Key`',
      bound: '255 visible ASCII characters',
      answer: '400 `BAD_REQUEST`',
      probe: async (tried) => {
        const send = (length: number) => {
          const headers = { 'idempotency-key': 'k'.repeat(length) };
          return ask(tried, '/walker/Echo', { headers, token: tried.token, body: { size: 1 } });
        };
        expect([(await send(255)).status, told(await send(256))]).toEqual([200, [400, 'BAD_REQUEST']]);
      },
    },
    {
      input: 'answer that an idempotency key keeps',
      bound: '256 KiB',
      answer: 'the replay has `data: {"truncated": true}`',
      probe: async (tried) => {
        const headers = { 'idempotency-key': name() };
        const send = () => ask(tried, '/walker/Echo', { headers, token: tried.token, body: { size: 300_000 } });
        expect((await send()).body.reports[0]).toHaveLength(300_000);
        expect((await send()).body.data).toEqual({ truncated: true });
      },
    },
    {
      input: '`X-Request-ID`',
      bound: '128 characters',
      answer: 'replaced',
      probe: async (tried) => {
        const of = async (id: string) =>
          (await ask(tried, '/walker/Take', { headers: { 'x-request-id': id } })).headers['x-request-id'];
        expect([await of('i'.repeat(128)), await of('i'.repeat(129))]).toEqual([
          'i'.repeat(128),
          expect.stringMatching(/^[0-9a-f]{32}$/),
        ]);
      },
    },
    {
      input: 'access token',
      bound: '4096 characters',
      answer: '401 `UNAUTHORIZED`',
      probe: async (tried) => {
        const sent = await ask(tried, '/user/me', { method: 'GET', token: `${tried.token}${'x'.repeat(4096)}` });
        expect(told(sent)).toEqual([401, 'UNAUTHORIZED']);
      },
    },
    {
      input: 'time until a body is there, and of a call',
      bound: ['serve.requestTimeoutSeconds'],
      answer: '408 `REQUEST_TIMEOUT`, closed; 504 `EXECUTION_TIMEOUT`',
      probe: async (tried) => {
        const head = 'POST /walker/Take HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
        const [half, slow] = await Promise.all([
          raw(tried, `${head}Content-Length: 10\r\n\r\n{`),
          ask(tried, '/walker/Slow', { body: { seconds: 30 } }),
        ]);
        expect(half).toMatch(/^HTTP\/1.1 408 /);
        expect(told(slow)).toEqual([504, 'EXECUTION_TIMEOUT']);
      },
    },
    {
      input: 'calls that run in one process',
      bound: ['serve.maxConcurrent'],
      answer: '503 `SERVICE_UNAVAILABLE`',
      probe: async (tried) => {
        const sent = await Promise.all(
          Array.from({ length: 12 }, () => ask(tried, '/walker/Slow', { body: { seconds: 0.5 } })),
        );
        expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200, 503]));
        expect((await take(tried, {})).status).toBe(200);
      },
    },
    {
      input: 'connections of one process',
      bound: ['serve.maxConnections'],
      answer: 'closed',
      probe: async (tried) => {
        await using few = await tried.restarted({ SVC_SERVE_MAX_CONNECTIONS: '3' });
        const held = Array.from({ length: 3 }, () => new Talk(few));
        try {
          for (const talk of held) await talk.opened;
          await expect(take(few, {})).rejects.toThrow();
        } finally {
          for (const talk of held) talk.socket.terminate();
        }
      },
    },
    {
      input: 'requests a minute, when that is switched on',
      bound: ['scale.rateLimit.requestsPerMinute', 'scale.rateLimit.burst'],
      answer: '429 `RATE_LIMITED`',
      probe: async (tried) => {
        await using strict = await tried.restarted({
          SVC_RATE_LIMIT_ENABLED: 'true',
          SVC_RATE_LIMIT_REQUESTS_PER_MINUTE: '1',
          SVC_RATE_LIMIT_BURST: '3',
        });
        const statuses: number[] = [];
        for (let i = 0; i < 5; i++) statuses.push((await take(strict, {})).status);
        expect(statuses.slice(-2)).toEqual([429, 429]);
      },
    },
  ],
  'Forms and files': [
    {
      input: 'whole multipart body',
      bound: ['serve.maxUploadBytes'],
      answer: '413 `PAYLOAD_TOO_LARGE`',
      probe: async (tried) => {
        const sent = await ask(tried, '/walker/Form', form(['name="x"; filename="x"', 'x'.repeat(450_000)]));
        expect(told(sent)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      },
    },
    {
      input: 'one file',
      bound: ['serve.maxFileBytes'],
      answer: '422 `file_too_large`',
      probe: async (tried) => {
        const sent = await ask(tried, '/walker/Form', form(['name="file"; filename="x"', 'x'.repeat(250_000)]));
        expect(problems(sent)).toEqual(['file_too_large']);
      },
    },
    {
      input: 'number of files',
      bound: ['serve.maxUploadFiles'],
      answer: '422 `too_many_files`',
      probe: async (tried) => {
        const one = ['name="file"; filename="x"', 'x'] as const;
        expect((await ask(tried, '/walker/Form', form(one, one))).status).toBe(200);
        expect(problems(await ask(tried, '/walker/Form', form(one, one, one)))).toEqual(['too_many_files']);
      },
    },
    {
      input: 'texts together',
      bound: 'as a JSON body',
      answer: '413 `PAYLOAD_TOO_LARGE`',
      probe: async (tried) => {
        const sent = await ask(tried, '/walker/Form', form(['name="a"', 'x'.repeat(300_000)]));
        expect(told(sent)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      },
    },
    {
      input: 'number of texts; of parts of every kind',
      bound: '1000; 2000',
      answer: '413 `PAYLOAD_TOO_LARGE`',
      probe: async (tried) => {
        const texts = (count: number) => form(...Array.from({ length: count }, () => ['name="a"', '1'] as const));
        const files = form(...Array.from({ length: 2001 }, () => ['name="z"; filename="x"', '1'] as const));
        expect((await ask(tried, '/walker/Form', texts(1000))).body.reports).toEqual([[false, 1000]]);
        expect(told(await ask(tried, '/walker/Form', texts(1001)))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
        expect(told(await ask(tried, '/walker/Form', files))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      },
    },
    {
      input: 'headers of a part; name of a file',
      bound: '8 KiB; 255 bytes',
      answer: 'cut',
      probe: async (tried) => {
        const sent = await ask(tried, '/walker/Form', form([`name="file"; filename="${'n'.repeat(70_000)}"`, 'x']));
        expect(sent.status).toBe(200);
      },
    },
  ],
  'Accounts and keys': [
    {
      input: 'password',
      bound: ['scale.auth.passwordMaxLength'],
      answer: '422 `string_too_long`; signing in: 401',
      probe: async (tried) => {
        const long = { username: name(), password: 'x'.repeat(129) };
        expect(problems(await register(tried, long))).toEqual(['string_too_long']);
        const wrong = await ask(tried, '/user/login', { body: { ...long, password: 'x'.repeat(60_000) } });
        expect(told(wrong)).toEqual([401, 'UNAUTHORIZED']);
      },
    },
    {
      input: 'username; email address; identities of a registration',
      bound: '64; 254 characters; 5',
      answer: '422 `value_error`',
      probe: async (tried) => {
        const identity = { type: 'username', value: 'x' };
        const credential = { type: 'password', password };
        for (const body of [
          { username: 'u'.repeat(65), password },
          { email: `${'u'.repeat(250)}@x.org`, password },
          { identities: Array(6).fill(identity), credential },
        ])
          expect(problems(await register(tried, body))).toEqual(['value_error']);
      },
    },
    {
      input: 'profile: keys; length of a key; of a text; all of it',
      bound: '20; 64; 1024 characters; 8 KiB',
      answer: '422 `value_error`, `string_too_long`',
      probe: async (tried) => {
        const change = async (profile: object) =>
          problems(await ask(tried, '/user/me', { method: 'PATCH', body: { profile }, token: tried.token }));
        const many = (count: number, text: string) =>
          Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, text]));
        expect(await change(many(21, 'x'))).toEqual(['value_error']);
        expect(await change({ ['k'.repeat(65)]: 1 })).toEqual(['value_error']);
        expect(await change({ k: 'x'.repeat(1025) })).toEqual(['string_too_long']);
        expect(await change(many(9, 'x'.repeat(1000)))).toEqual(['value_error']);
      },
    },
    {
      input: 'failed sign-ins in 15 minutes: at one identity; from one address',
      bound: ['scale.auth.loginMaxFailures', 'scale.auth.loginMaxFailuresPerAddress'],
      answer: '429 `RATE_LIMITED`, the right password included',
      probe: async (tried) => {
        const username = name();
        await register(tried, { username, password });
        const guess = (word: string) => ask(tried, '/user/login', { body: { username, password: word } });
        const statuses: number[] = [];
        for (let i = 0; i < 5; i++) statuses.push((await guess(`wrong ${i}`)).status);
        expect(statuses).toEqual([401, 401, 401, 429, 429]);
        expect(told(await guess(password))).toEqual([429, 'RATE_LIMITED']);
      },
    },
    {
      input: 'API keys of one account',
      bound: ['scale.webhook.maxKeysPerUser'],
      answer: '409 `LIMIT_REACHED`',
      probe: async (tried) => {
        const token = await newUser(tried);
        const make = () => ask(tried, '/api-key/create', { body: { name: 'k' }, token });
        expect([(await make()).status, (await make()).status, told(await make())]).toEqual([
          201,
          201,
          [409, 'LIMIT_REACHED'],
        ]);
      },
    },
    {
      input: 'API key: body of its request; name; days',
      bound: '16 KiB; 100 characters; 36,500',
      answer: '413 `PAYLOAD_TOO_LARGE`; 422',
      probe: async (tried) => {
        const make = (body: object) => ask(tried, '/api-key/create', { body, token: tried.token });
        expect(told(await make({ name: 'x'.repeat(17_000) }))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
        expect(problems(await make({ name: 'x'.repeat(101) }))).toEqual(['string_too_long']);
        expect(problems(await make({ name: 'x', expiry_days: 36_501 }))).toEqual(['less_than_equal']);
      },
    },
  ],
  Webhooks: [
    {
      input: 'body of a webhook call',
      bound: ['scale.webhook.maxBodyBytes'],
      answer: '413 `PAYLOAD_TOO_LARGE`',
      probe: async (tried) => {
        const sent = await ask(
          tried,
          '/webhook/Hook',
          signed(await apiKey(tried), `{"n": 1, "x": "${'x'.repeat(3000)}"}`),
        );
        expect(told(sent)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      },
    },
    {
      input: 'calls with one API key a minute, when that is switched on',
      bound: ['scale.webhook.rateLimitPerMinute'],
      answer: '429 `RATE_LIMITED`',
      probe: async (tried) => {
        const key = await apiKey(tried);
        const statuses: number[] = [];
        for (let i = 0; i < 4; i++) statuses.push((await ask(tried, '/webhook/Hook', signed(key, '{}'))).status);
        expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
      },
    },
    {
      input: 'unknown API keys from one address in a minute',
      bound: '30',
      answer: '429 `RATE_LIMITED`',
      probe: async (tried) => {
        const statuses: number[] = [];
        for (let i = 0; i < 32; i++)
          statuses.push((await ask(tried, '/webhook/Hook', signed(`nobody ${i}`, '{}'))).status);
        expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
      },
    },
  ],
  Sockets: [
    {
      input: 'message',
      bound: ['scale.websocket.maxMessageBytes'],
      answer: 'frame `MESSAGE_TOO_LARGE`, close 4413; 16 times as long: close 1009',
      probe: async (tried) => {
        using long = new Talk(tried);
        await long.say({ text: 'x'.repeat(2000) });
        expect([await long.closed, long.frames[0].error.code]).toEqual([4413, 'MESSAGE_TOO_LARGE']);
        using longer = new Talk(tried);
        await longer.say({ text: 'x'.repeat(20_000) });
        expect(await longer.closed).toBe(1009);
      },
    },
    {
      input: 'messages a second',
      bound: ['scale.websocket.maxMessagesPerSecond'],
      answer: 'frame `RATE_LIMITED`; 100 in a minute: close 4429',
      probe: async (tried) => {
        using talk = new Talk(tried);
        for (let i = 0; i < 200; i++) await talk.say({ type: 'ping' });
        expect(await talk.closed).toBe(4429);
        expect(talk.frames.some(({ error }) => error?.code === 'RATE_LIMITED')).toBe(true);
      },
    },
    {
      input: 'messages that wait',
      bound: ['scale.websocket.queueSize'],
      answer: 'frame `RATE_LIMITED`',
      probe: async (tried) => {
        using talk = new Talk(tried);
        await talk.say({ seconds: 0.5 });
        for (let i = 0; i < 4; i++) await talk.say({ text: `${i}` });
        const codes = (await talk.heard(5)).map(({ error }) => error?.code);
        expect(codes.filter((code) => code === 'RATE_LIMITED').length).toBeGreaterThanOrEqual(2);
      },
    },
    {
      input: '`$id` of a message',
      bound: '128 characters',
      answer: 'not repeated',
      probe: async (tried) => {
        using talk = new Talk(tried);
        await talk.say({ $id: 'i'.repeat(128) });
        await talk.say({ $id: 'i'.repeat(129) });
        const ids = (await talk.heard(2)).map(({ id }) => id);
        expect(ids).toEqual(['i'.repeat(128), undefined]);
      },
    },
    {
      input: 'connections of guests to one target',
      bound: ['scale.websocket.maxAnonymousConnections'],
      answer: 'frame `CAPACITY`, close 4403',
      probe: (tried) => oneMore(tried, 3, [undefined]),
    },
    {
      input: 'connections of one user to one target',
      bound: ['scale.websocket.maxConnectionsPerUser'],
      answer: 'frame `CAPACITY`, close 4403',
      probe: (tried) => oneMore(tried, 2, [tried.token]),
    },
    {
      input: 'connections to one target',
      bound: ['scale.websocket.maxConnectionsPerTarget'],
      answer: 'frame `CAPACITY`, close 4403',
      probe: async (tried) => {
        const token = await newUser(tried);
        await oneMore(tried, 4, [undefined, undefined, tried.token, token]);
      },
    },
  ],
  Graph: [
    {
      input: 'objects that one call changes',
      bound: ['scale.database.maxCommitOperations'],
      answer: '413 `COMMIT_TOO_LARGE`',
      probe: async (tried) => {
        const sent = await ask(tried, '/walker/Fill', { body: { n: 60 }, token: tried.token });
        expect([told(sent), sent.body.error.details]).toEqual([[413, 'COMMIT_TOO_LARGE'], { limit: 50 }]);
      },
    },
    {
      input: 'one stored object; its access rules',
      bound: ['scale.database.nodeMaxBytes'],
      answer: '413 `COMMIT_TOO_LARGE`',
      probe: async (tried) => {
        const { token } = tried;
        expect((await ask(tried, '/walker/Long', { body: { size: 4000 }, token })).status).toBe(200);
        expect(told(await ask(tried, '/walker/Long', { body: { size: 5000 }, token }))).toEqual([
          413,
          'COMMIT_TOO_LARGE',
        ]);
        expect((await ask(tried, '/walker/Share', { body: { n: 10 }, token })).status).toBe(200);
        const rules = await ask(tried, '/walker/Share', { body: { n: 200 }, token });
        expect([told(rules), rules.body.error.message]).toEqual([
          [413, 'COMMIT_TOO_LARGE'],
          'the access rules of a Task are larger than 4096 bytes',
        ]);
      },
    },
    {
      input: 'depth of a traversal; objects of one answer; type names',
      bound: ['scale.traverse.maxDepth', 'scale.traverse.maxObjects'],
      answer: '422 `less_than_equal`; `truncated`; more than 100 names: 422 `value_error`',
      probe: async (tried) => {
        const token = await newUser(tried);
        await ask(tried, '/walker/Fill', { body: { n: 20 }, token });
        const traverse = (body: object) => ask(tried, '/traverse', { body, token });
        expect(problems(await traverse({ depth: 5 }))).toEqual(['less_than_equal']);
        expect(problems(await traverse({ limit: 7 }))).toEqual(['less_than_equal']);
        expect(problems(await traverse({ offset: 61 }))).toEqual(['less_than_equal']);
        expect(problems(await traverse({ node_types: Array(101).fill('Task') }))).toEqual(['value_error']);
        const { nodes, edges, truncated } = (await traverse({ depth: 1 })).body.data;
        expect([nodes.length + edges.length <= 6, truncated]).toEqual([true, true]);
      },
    },
    {
      input: 'depth and objects of the graph picture',
      bound: '32; 2000',
      answer: '422 `less_than_equal`',
      probe: async (tried) => {
        const picture = (query: string) => ask(tried, `/graph/data?${query}`, { method: 'GET' });
        expect(problems(await picture('depth=33&limit=2001'))).toEqual(['less_than_equal', 'less_than_equal']);
      },
    },
    {
      input: 'what a call reports',
      bound: '32 MiB',
      answer: '500 `EXECUTION_ERROR`',
      probe: async (tried) => {
        expect(told(await ask(tried, '/walker/Huge'))).toEqual([500, 'EXECUTION_ERROR']);
      },
    },
  ],
};
