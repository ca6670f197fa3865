/**
 * Reports of `svc doctor` about broken surroundings, a row each: docs/server/configuration.md#default-secrets,
 * docs/server/configuration.md#validation, and what else stands in the way of a start.
 */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needTool } from '../../test/harness/find-tool.ts';
import { type MockProvider, startMockProvider } from '../../test/harness/mock-provider.ts';
import { freePort, takePort } from '../../test/harness/ports.ts';
import { type RedisServer, startRedis } from '../../test/harness/redis-server.ts';
import { main } from '../main.ts';
import { exitCodeOf } from './finding.ts';
import { checkClock, checkLimits, checkNode } from './surroundings.ts';

const strong = { JWT_SECRET: 'f3b1c0a9d8e7462513f4a5b6c7d8e9f00112233445566778' };
const quiet = '[serve]\nport = 0\n';

let busy: Server;
let busyPort: number;
let closedPort: number;
let provider: MockProvider;
let redis: RedisServer | undefined;
beforeAll(async () => {
  busy = createServer();
  await new Promise<void>((ready) => busy.listen(0, '127.0.0.1', ready));
  busyPort = (busy.address() as { port: number }).port;
  closedPort = await freePort();
  provider = await startMockProvider();
});
afterAll(async () => {
  busy.close();
  await provider[Symbol.asyncDispose]();
  await redis?.[Symbol.asyncDispose]();
});

interface Row {
  readonly name: string;
  readonly toml?: string | (() => string);
  readonly env?: Readonly<Record<string, string>> | (() => Record<string, string> | Promise<Record<string, string>>);
  readonly files?: Readonly<Record<string, string>>;
  readonly prepare?: (folder: string) => void;
  /** Check, state and a part of the text that must be among the findings. */
  readonly finds: readonly (readonly [check: string, state: string, text: string | RegExp])[];
  readonly code: number;
}

const production = { SVC_ENV: 'production', ...strong };
const sso = (issuer: string, more = '') =>
  `${quiet}[plugins.scale.sso.corp]\nissuer = "${issuer}"\nclient_id = "a"\nclient_secret = "b"\n${more}`;
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const privatePem = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const publicPem = keys.publicKey.export({ type: 'spki', format: 'pem' }) as string;
const keyed = `${quiet}[plugins.scale.jwt]\nalgorithm = "ES256"\nprivate_key_file = "k.pem"\npublic_key_file = "p.pem"\n`;

/** A line of configuration that has to be found, with its exit code 3. */
const wrong = (name: string, toml: string, text: string | RegExp, env: Record<string, string> = {}): Row => ({
  name,
  toml,
  env,
  finds: [['configuration', 'bad', text]],
  code: 3,
});

const rows: Row[] = [
  {
    name: 'a sound project',
    toml: quiet,
    env: production,
    finds: [
      ['node', 'ok', 'Node'],
      ['sqlite', 'ok', 'SQLite'],
      ['passwords', 'ok', 'argon2id'],
      ['clock', 'ok', 'set'],
      ['configuration', 'ok', '(production)'],
      ['data', 'ok', 'data directory'],
      ['store', 'ok', 'will be made'],
      ['port', 'ok', 'any free port'],
    ],
    code: 0,
  },
  // docs/server/configuration.md#default-secrets
  {
    name: 'default secrets in development',
    toml: quiet,
    finds: [
      ['secrets', 'note', 'JWT_SECRET is the built-in default'],
      ['production', 'note', 'production would refuse: svc.toml: JWT_SECRET'],
    ],
    code: 0,
  },
  wrong('the default secret in production', quiet, 'public knowledge', { SVC_ENV: 'production' }),
  wrong('a short secret in production', quiet, 'HS256 needs 32', { SVC_ENV: 'production', JWT_SECRET: 'short' }),
  wrong('HS384', `${quiet}[plugins.scale.jwt]\nalgorithm = "HS384"\n`, 'HS384 needs 48', {
    SVC_ENV: 'production',
    JWT_SECRET: 'x'.repeat(47),
  }),
  wrong('HS512', `${quiet}[plugins.scale.jwt]\nalgorithm = "HS512"\n`, 'HS512 needs 64', {
    SVC_ENV: 'production',
    JWT_SECRET: 'x'.repeat(63),
  }),
  wrong('a short webhook secret in production', quiet, /WEBHOOK_SECRET.*24/, {
    ...production,
    WEBHOOK_SECRET: 'short',
  }),
  {
    name: 'a secret without variety',
    toml: quiet,
    env: { SVC_ENV: 'production', JWT_SECRET: 'a'.repeat(64) },
    finds: [['secrets', 'note', 'repeats']],
    code: 0,
  },
  wrong(
    'the default among previous secrets',
    `${quiet}[plugins.scale.jwt]\nprevious_secrets = ["svc-insecure-development-secret!"]\n`,
    'entry 1 is the built-in default',
    production,
  ),
  {
    name: 'a secret in a tracked file',
    toml: `${quiet}[plugins.scale.jwt]\nsecret = "${strong.JWT_SECRET}"\n`,
    prepare(folder) {
      execFileSync(needTool('git', 'git'), ['init', '-q'], { cwd: folder });
      execFileSync('git', ['add', 'svc.toml'], { cwd: folder });
    },
    finds: [['secrets', 'note', 'svc.toml is tracked by git and holds a secret: jwt.secret']],
    code: 0,
  },
  {
    name: 'automatic: not made yet',
    toml: `${quiet}[plugins.scale.jwt]\nsecret = "auto"\n`,
    finds: [['secrets', 'ok', 'will be made']],
    code: 0,
  },
  {
    name: 'automatic: open to others',
    toml: `${quiet}[plugins.scale.jwt]\nsecret = "auto"\n`,
    files: { '.svc/secrets/jwt': 'a'.repeat(64) },
    prepare(folder) {
      chmodSync(join(folder, '.svc/secrets'), 0o755);
      chmodSync(join(folder, '.svc/secrets/jwt'), 0o644);
    },
    finds: [
      ['secrets', 'bad', /secrets is open to other users/],
      ['secrets', 'bad', /jwt is open to other users/],
    ],
    code: 1,
  },
  {
    name: 'automatic: damaged',
    toml: `${quiet}[plugins.scale.jwt]\nsecret = "auto"\n`,
    files: { '.svc/secrets/jwt': 'short' },
    finds: [['secrets', 'bad', 'not a secret of at least 32 characters']],
    code: 3,
  },
  {
    name: 'key files',
    toml: keyed,
    files: { 'k.pem': privatePem, 'p.pem': publicPem },
    finds: [['secrets', 'ok', 'ES256']],
    code: 0,
  },
  {
    name: 'key files that are not there',
    toml: keyed,
    finds: [['secrets', 'bad', 'the token key cannot be used']],
    code: 3,
  },
  {
    name: 'a private key open to others',
    toml: keyed,
    files: { 'k.pem': privatePem, 'p.pem': publicPem },
    prepare: (folder) => chmodSync(join(folder, 'k.pem'), 0o644),
    finds: [['secrets', 'bad', /k\.pem is open to other users/]],
    code: 1,
  },
  // docs/server/configuration.md#validation
  wrong('not TOML', 'port = \n', 'not valid TOML'),
  wrong('a key twice', '[serve]\nport = 1\nport = 2\n', /svc\.toml:3/),
  wrong('a wrong type', '[serve]\nport = "x"\n', 'expected a whole number'),
  wrong('out of range', '[serve]\nport = 70000\n', 'from 0 to 65535'),
  wrong('an unknown value', `${quiet}[plugins.scale.jwt]\nalgorithm = "none"\n`, 'expected one of'),
  {
    name: 'an unknown key',
    toml: `${quiet}request_timeout_secs = 3\n`,
    finds: [['configuration', 'note', 'did you mean']],
    code: 0,
  },
  wrong('an unknown key, strictly', `${quiet}request_timeout_secs = 3\n`, 'unknown key', { SVC_STRICT_CONFIG: '1' }),
  wrong('a variable that is not set', `${quiet}[plugins.scale.webhook]\nsecret = "\${NOT_THERE}"\n`, 'NOT_THERE'),
  wrong('credentials for everybody', `${quiet}[plugins.scale.cors]\nallow_credentials = true\n`, "contains '*'"),
  wrong('a proxy that is none', `${quiet}trusted_proxies = ["proxy.local"]\n`, 'not an address or CIDR'),
  wrong('everybody a proxy', `${quiet}trusted_proxies = ["0.0.0.0/0"]\n`, 'trusts everyone', production),
  wrong('no buckets', `${quiet}[plugins.scale.metrics]\nhistogram_buckets = []\n`, 'must not be empty'),
  wrong('buckets in disorder', `${quiet}[plugins.scale.metrics]\nhistogram_buckets = [2, 1]\n`, 'ascending'),
  wrong('metrics in the way', `${quiet}[plugins.scale.metrics]\nendpoint = "/user/x"\n`, 'collides'),
  wrong('metrics without a slash', `${quiet}[plugins.scale.metrics]\nendpoint = "metrics"\n`, 'must start with /'),
  wrong('an algorithm without keys', `${quiet}[plugins.scale.jwt]\nalgorithm = "RS256"\n`, 'needs private_key_file'),
  wrong('a profile with a taken name', `${quiet}[environments.response]\nX = "1"\n`, 'response', {
    SVC_PROFILE: 'response',
  }),
  wrong('S3 without a bucket', `${quiet}[storage]\nstorage_type = "s3"\n`, 's3 needs storage.s3.bucket'),
  {
    name: 'a storage that the program has to bring',
    toml: `${quiet}[storage]\nstorage_type = "ftp"\n`,
    finds: [['files', 'note', "'ftp' (known: local, s3)"]],
    code: 0,
  },
  wrong('a cache of another kind', `${quiet}[plugins.scale.database]\nkvcache_url = "http://x"\n`, 'redis://'),
  wrong('documents of another kind', `${quiet}[plugins.scale.database]\ndocdb_uri = "http://x"\n`, 'mongodb://'),
  wrong('an unknown mode', quiet, 'development, production, test', { SVC_ENV: 'staging' }),
  wrong('a file that is not there', quiet, 'no such file', { SVC_CONFIG: 'other.toml' }),
  wrong('a provider without issuer', `${quiet}[plugins.scale.sso.corp]\nclient_id = "a"\n`, 'issuer is needed'),
  // surroundings
  {
    name: '.env open to others, and not read in production',
    toml: quiet,
    env: production,
    files: { '.env': 'A=1\n' },
    prepare: (folder) => chmodSync(join(folder, '.env'), 0o644),
    finds: [
      ['env', 'note', 'not read in production'],
      ['env', 'note', 'can be read by other users'],
    ],
    code: 0,
  },
  {
    name: 'a data folder that cannot be',
    toml: quiet,
    files: { data: 'a file' },
    env: { SVC_DATA_PATH: 'data/deep' },
    finds: [['data', 'bad', 'cannot be written to']],
    code: 7,
  },
  {
    name: 'a database that is none',
    toml: quiet,
    files: { '.svc/data/svc.db': 'this is no database at all' },
    finds: [['store', 'bad', 'is no SQLite database']],
    code: 7,
  },
  {
    name: 'a database open to others',
    toml: quiet,
    files: { '.svc/data/svc.db': '' },
    prepare: (folder) => chmodSync(join(folder, '.svc/data/svc.db'), 0o644),
    finds: [['store', 'note', 'can be read by other users']],
    code: 0,
  },
  {
    name: 'no document database',
    toml: quiet,
    env: () => ({
      DOCDB_URI: `mongodb://user:canary-password@127.0.0.1:${closedPort}/`,
      SVC_DATABASE_CONNECT_TIMEOUT_MS: '300',
    }),
    finds: [['store', 'bad', /store/]],
    code: 7,
  },
  {
    name: 'no DynamoDB',
    toml: quiet,
    env: () => ({ SVC_DATABASE_STORE: 'dynamodb', SVC_DATABASE_DYNAMODB_ENDPOINT: `http://127.0.0.1:${closedPort}` }),
    finds: [['store', 'bad', /dynamodb at 127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/]],
    code: 7,
  },
  {
    name: 'no key-value store',
    toml: quiet,
    env: () => ({ KVCACHE_URL: `redis://:canary-password@127.0.0.1:${closedPort}` }),
    finds: [['kvcache', 'bad', /cannot be used: .*ECONNREFUSED/]],
    code: 7,
  },
  {
    name: 'a key-value store',
    toml: quiet,
    env: async () => {
      redis = await startRedis();
      return { KVCACHE_URL: redis.url };
    },
    finds: [['kvcache', 'ok', '127.0.0.1']],
    code: 0,
  },
  {
    name: 'a provider',
    toml: () => sso(provider.issuer, 'allow_private_issuer = true\n'),
    finds: [['sso', 'ok', 'sign-in with corp']],
    code: 0,
  },
  {
    name: 'a provider that is away',
    toml: () => sso(`http://127.0.0.1:${closedPort}`, 'allow_private_issuer = true\n'),
    finds: [['sso', 'bad', /corp does not work: .*ECONNREFUSED/]],
    code: 7,
  },
  {
    name: 'a provider at a private address',
    toml: () => sso('https://127.0.0.1:1'),
    env: production,
    finds: [
      ['sso', 'bad', 'not a public address'],
      ['sso', 'note', 'Host header'],
    ],
    code: 7,
  },
  {
    name: 'traces that go nowhere',
    toml: () => `${quiet}[plugins.scale.logging]\ntrace_endpoint = "http://127.0.0.1:${closedPort}/v1/traces"\n`,
    finds: [['traces', 'note', 'spans are dropped']],
    code: 0,
  },
  {
    name: 'a port given by hand that is in use',
    toml: () => `[serve]\nhost = "127.0.0.1"\nport = ${busyPort}\n`,
    finds: [['port', 'bad', 'in use']],
    code: 4,
  },
  {
    name: 'an address of another machine',
    toml: '[serve]\nhost = "192.0.2.1"\nport = 0\n',
    finds: [['port', 'bad', 'not an address of this machine']],
    code: 4,
  },
  { name: 'many workers', toml: `${quiet}workers = 256\n`, finds: [['limits', 'note', '256 workers']], code: 0 },
];

async function doctor(folder: string, env: Readonly<Record<string, string>>, ...args: string[]) {
  let out = '';
  let err = '';
  const code = await main(['doctor', ...args], {
    out: (text) => (out += text),
    err: (text) => (err += text),
    env: { PATH: process.env['PATH'], ...env },
    cwd: folder,
    isOutTerminal: false,
    isErrTerminal: false,
    isInTerminal: false,
    hasUnicode: true,
    elapsedMs: () => 0,
  });
  return { code, out, err };
}

test.each(rows)('$name', async ({ toml = '', env = {}, files = {}, prepare, finds, code }) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-doctor-'));
  try {
    writeFileSync(join(folder, 'svc.toml'), typeof toml === 'string' ? toml : toml());
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, name), text, { mode: 0o600 });
    }
    prepare?.(folder);
    const before = (readdirSync(folder, { recursive: true }) as string[]).sort();
    const found = await doctor(folder, typeof env === 'function' ? await env() : env, '--json');
    const findings = found.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    for (const [check, state, text] of finds) {
      const ofCheck = findings.filter((one) => one['check'] === check);
      const matches = ofCheck.some(
        (one) =>
          one['state'] === state && (typeof text === 'string' ? one['text']!.includes(text) : text.test(one['text']!)),
      );
      expect([check, state, text, matches], JSON.stringify(findings, null, 1)).toEqual([check, state, text, true]);
    }
    expect([found.code, findings.filter(({ state }) => state === 'bad')]).toEqual([
      code,
      code === 0 ? [] : expect.anything(),
    ]);
    if (code === 0) expect(found.err).toBe('');
    else expect(found.err).toMatch(/^svc: doctor: \d+ faults?, marked above\n$/);
    expect(found.out).not.toContain('canary-password');
    expect(found.out).not.toContain(strong.JWT_SECRET);
    expect((readdirSync(folder, { recursive: true }) as string[]).sort()).toEqual(before);
    expect(existsSync(join(folder, '.svc/data'))).toBe(before.includes('.svc/data'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the default port in use: a start moves on', async () => {
  await using _taken = await takePort('0.0.0.0', 8000);
  const folder = mkdtempSync(join(tmpdir(), 'svc-doctor-'));
  const { code, out } = await doctor(folder, { SVC_SERVE_HOST: '0.0.0.0' }, '--json');
  expect(out).toContain('"port","state":"note","text":"port 8000 is in use"');
  expect(code).toBe(0);
  rmSync(folder, { recursive: true });
});

test.each([
  ['a variable that is not set', {}],
  ['a short secret', { SVC_ENV: 'production', JWT_SECRET: 'short' }],
])('one fault of the token secret is told once: %s', async (_, env) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-doctor-'));
  writeFileSync(join(folder, 'svc.toml'), `${quiet}[plugins.scale.jwt]\nsecret = "\${JWT_SECRET}"\n`);
  const { out, code } = await doctor(folder, env, '--json');
  expect(code).toBe(3);
  expect(out.split('\n').filter((line) => line.includes('JWT_SECRET'))).toEqual([expect.stringContaining('"bad"')]);
  rmSync(folder, { recursive: true });
});

test('in words', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-doctor-'));
  writeFileSync(join(folder, 'svc.toml'), '[serve]\nport = 70000\n');
  const { out } = await doctor(folder, {});
  expect(out).toMatch(/^svc \d/);
  expect(out).toMatch(/^ {2}ok {4}Node/m);
  expect(out).toMatch(/^ {2}BAD {3}svc\.toml:2:1: serve\.port/m);
  rmSync(folder, { recursive: true });
});

test('what cannot be arranged here', () => {
  const patient = { read: { config: { serve: { workers: 1 } } } } as never;
  expect(checkNode(patient, '20.18.3')).toMatchObject([{ state: 'bad' }]);
  expect(checkNode(patient, '18.20.0')).toMatchObject([{ state: 'bad' }]);
  expect(checkNode(patient, '20.19.0')).toMatchObject([{ state: 'ok' }]);
  expect(checkClock(patient, Date.parse('2001-01-01'))).toMatchObject([{ check: 'clock', state: 'bad' }]);
  expect(
    checkLimits(patient, 'Max open files            256                  524288               files\n'),
  ).toMatchObject([{ check: 'limits', state: 'note', text: 'at most 256 files and connections may be open' }]);
  const bad = (exitCode?: number) => ({ check: '', state: 'bad', text: '', ...(exitCode && { exitCode }) }) as const;
  expect([[bad(4), bad()], [bad(), bad(3)], [bad(1), bad(4)], [bad(1)], []].map(exitCodeOf)).toEqual([7, 3, 4, 1, 0]);
});
