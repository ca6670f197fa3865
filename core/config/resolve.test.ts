import { expect, test } from 'vitest';
import type { Mode } from './config.ts';
import { applyReloadable, diffConfig } from './diff.ts';
import { mergeEnv, parseDotEnv } from './env.ts';
import { formatFinding } from './finding.ts';
import { defaultJwtSecret } from './options.ts';
import { defaultConfig, type ResolveInput, resolveConfig } from './resolve.ts';
import { secretWarnings } from './secret-warnings.ts';
import { parseToml } from './toml.ts';
import { tellUnknown } from './unknown-keys.ts';

const reference = (name: string) => `$\{${name}}`;

function resolve(text: string, more: Partial<ResolveInput> = {}) {
  const file = { name: 'svc.toml', ...parseToml(text, 'svc.toml') };
  const places = { projectDir: '/p', dataDir: '/p/.svc/data' };
  return resolveConfig({ file, tellUnknown, env: {}, mode: 'development', ...places, ...more });
}

function problems(text: string, more: Partial<ResolveInput> = {}): string[] {
  return resolve(text, more).problems.map(formatFinding);
}

test('sources win in order: flag, environment, profile, file, default', () => {
  const text = '[serve]\nport = 1\n[environments.staging.serve]\nport = 2\n';
  const port = (more: Partial<ResolveInput>) => resolve(text, more).config.serve.port;
  expect(defaultConfig().serve.port).toBe(8000);
  expect(port({})).toBe(1);
  expect(port({ profile: 'staging' })).toBe(2);
  expect(port({ profile: 'staging', env: { PORT: '3' } })).toBe(3);
  expect(port({ profile: 'staging', env: { PORT: '3', SVC_SERVE_PORT: '4' } })).toBe(4);
  expect(port({ env: { SVC_SERVE_PORT: '4' }, flags: { 'serve.port': 5 } })).toBe(5);
  expect(port({ env: { SVC_SERVE_PORT: '' } })).toBe(1);
});

test('storage reads the file before the environment, unless told otherwise', () => {
  const env = { SVC_STORAGE_PATH: '/mnt' };
  const text = '[storage]\nbase_path = "./files"\n';
  const fileFirst = resolve(text, { env });
  expect(fileFirst.config.storage.basePath).toBe('./files');
  expect(fileFirst.warnings.map(formatFinding)).toEqual([
    "warning: svc.toml:2:1: storage.base_path: './files' from the file is used, not '/mnt' from SVC_STORAGE_PATH",
  ]);
  expect(resolve(`${text}prefer_file = false\n`, { env }).config.storage.basePath).toBe('/mnt');
  expect(resolve('', { env }).config.storage.basePath).toBe('/mnt');
});

test('every problem is listed with its place', () => {
  expect(problems('[serve]\nport = 70000\nmax_body_bytes = "x"\n\n[plugins.scale.jwt]\nalgorithm = "none"\n')).toEqual([
    'svc.toml:2:1: serve.port: expected a whole number from 0 to 65535, got 70000',
    "svc.toml:3:1: serve.max_body_bytes: expected a whole number from 1024 to 5368709120, got 'x'",
    "svc.toml:6:1: jwt.algorithm: expected one of HS256, HS384, HS512, RS256, ES256, EdDSA, got 'none'",
  ]);
  expect(problems('serve = 3\n')).toEqual(['svc.toml:1:1: serve: expected a table']);
  expect(problems('[serve]\nport = 1\nport = 2\n')).toEqual([
    'svc.toml:3:1: not valid TOML: defining a key multiple times is invalid',
  ]);
});

test('unknown keys give a warning with the nearest name, and those of another table with that table', () => {
  expect(resolve('[project]\nentrypoint = "a.svc"\n').warnings.map(formatFinding)).toEqual([
    "warning: svc.toml:2:1: project.entrypoint: unknown key 'entrypoint' (did you mean 'entry-point'?)",
  ]);
  expect(resolve('[project]\nentry = "a.svc"\n').warnings.map(formatFinding)).toEqual([
    "warning: svc.toml:2:1: project.entry: unknown key 'entry' (did you mean 'entry-point'?)",
  ]);
  const text = 'port = 1\n[serve]\nprot = 1\nalgorithm = "HS256"\nxyz = 1\n';
  expect(resolve(text).warnings.map(formatFinding)).toEqual([
    "warning: svc.toml:1:1: port: unknown key 'port' (did you mean port under [serve]?)",
    "warning: svc.toml:3:1: serve.prot: unknown key 'prot' (did you mean 'port'?)",
    "warning: svc.toml:4:1: serve.algorithm: unknown key 'algorithm' (did you mean algorithm under [plugins.scale.jwt]?)",
    "warning: svc.toml:5:1: serve.xyz: unknown key 'xyz'",
  ]);
  expect(resolve('[scale.kubernetes]\ndomain = "a.example"\n').warnings.map(formatFinding)).toEqual([
    "warning: svc.toml:2:1: kubernetes.domain: unknown key 'domain' (did you mean 'host'?)",
  ]);
  expect(problems(text)).toEqual([]);
  expect(problems(text, { env: { SVC_STRICT_CONFIG: '1' } })).toHaveLength(4);
});

test('unknown tables are refused with the nearest name', () => {
  const refused = (text: string) => problems(text).map((line) => line.replace(/^svc\.toml:/, ''));
  expect(refused('[plugin.scale.jwt]\nissuer = "x"\n[plugin.scale.cors]\n')).toEqual([
    '1:1: plugin.scale.jwt: unknown table [plugin.scale.jwt] (did you mean [plugins.scale.jwt]?)',
    '3:1: plugin.scale.cors: unknown table [plugin.scale.cors] (did you mean [plugins.scale.cors]?)',
  ]);
  expect(refused('[plugins.scale.jvt]\n')).toEqual([
    '1:1: jvt: unknown table [plugins.scale.jvt] (did you mean [plugins.scale.jwt]?)',
  ]);
  expect(refused('[cors]\nallow_origins = ["*"]\n')).toEqual([
    '1:1: cors: unknown table [cors] (did you mean [plugins.scale.cors]?)',
  ]);
  expect(refused('[sevre]\n')).toEqual(['1:1: sevre: unknown table [sevre] (did you mean [serve]?)']);
  expect(refused('[serve.jwt]\nx = 1\n')).toEqual([
    '1:1: serve.jwt: unknown table [serve.jwt] (did you mean [plugins.scale.jwt]?)',
  ]);
  expect(refused('[quite.different]\nx = 1\n[plugins.other]\n[[many]]\ny = 2\n')).toEqual([
    '1:1: quite.different: unknown table [quite.different] (what the program or another tool reads itself: [tool.quite.different])',
    '3:1: plugins.other: unknown table [plugins.other] (what the program or another tool reads itself: [tool.other])',
    '4:1: many: unknown table [many] (what the program or another tool reads itself: [tool.many])',
  ]);
  // Keys of another profile are checked as well, but not their values.
  const profiles = '[environments.prod.servve]\nport = 1\n[environments.prod.serve]\nport = "many"\nprot = 1\n';
  expect(refused(profiles)).toEqual([
    '1:1: environments.prod.servve: unknown table [environments.prod.servve] (did you mean [environments.prod.serve]?)',
  ]);
  expect(resolve(profiles).warnings.map(formatFinding)).toEqual([
    "warning: svc.toml:5:1: environments.prod.serve.prot: unknown key 'prot' (did you mean 'port'?)",
  ]);
  expect(refused(`[environments.dev]\n${'[environments.dev.servve]\n'}`)).toHaveLength(1);
  expect(problems('[environments.dev.servve]\n', { profile: 'dev' })).toHaveLength(1);
});

test('applications have tables of their own, of which one is meant without a name', () => {
  const apps = '[apps.tool]\nkind = "cli"\nentry-point = "tools.main"\n[apps.shop]\nentry-point = "shop"\n';
  const entry = (text: string) => {
    const { config, problems, warnings, notes } = resolve(text);
    expect([problems, warnings, notes]).toEqual([[], [], []]);
    return config.project.entryPoint;
  };
  expect(entry(`[project]\ndefault-app = "tool"\n${apps}`)).toBe('tools/main.svc');
  expect(entry(`[project]\ndefault-app = "tool"\nentry-point = "main.svc"\n${apps}`)).toBe('main.svc');
  expect(entry(apps)).toBe('');
  expect(entry('[project]\nentry-point = "tools.main"\n')).toBe('tools/main.svc');
  expect(entry('[apps.one]\nentry-point = "src/one.svc"\n[apps.one.dependencies.npm]\nreact = "^19"\n')).toBe(
    'src/one.svc',
  );
});

test('what has no effect is accepted and said once', () => {
  const text = `[project]
authors = ["Ada"]
[dependencies]
numpy = ">=1"
[dependencies.npm]
react = "^19"
[dependencies.npm.dev]
vite = "^8"
[client]
port = 1
[client.paths]
"@ui/*" = "./ui/*"
[plugins.client.routing]
auth_redirect = "/in"
[plugins.client.vite]
plugins = ["tailwindcss()"]
server = { hmr = false }
[plugins.scale.orchestrator]
host = "app.example.org"
autoscale = { min = 1, max = 4, cpu = 70 }
[plugins.scale.gcp]
region = "europe-west1"
[studio]
enabled = true
[build]
typecheck = true
`;
  const found = resolve(text);
  expect([found.problems, found.warnings]).toEqual([[], []]);
  expect(found.notes.map(formatFinding)).toEqual([
    'note: svc.toml: no effect in this release: [dependencies], [plugins.client.vite], [build]',
  ]);
  expect(found.config.dependencies).toEqual({ npm: { react: '^19' }, npmDev: { vite: '^8' } });
  expect(resolve('[client]\n[plugins.scale.gcp]\n').notes).toEqual([]);
});

test('tables of the tools around the language are accepted, at their older places too', () => {
  const names = ['svchammer', 'eject', 'entrypoints.scripts', 'project.include.data', 'plugins.mcp', 'desktop.window'];
  names.push('client.npm.auth."//npm.example/"', 'byllm.local', 'byllm.serve', 'scale.admin', 'scale.events');
  names.push('plugins.scale.sandbox', 'mobile');
  const found = resolve(names.map((name) => `[${name}]\nx = 1\n`).join(''));
  expect([found.problems, found.warnings]).toEqual([[], []]);
  expect(found.notes.map(formatFinding)).toEqual([
    'note: svc.toml: no effect in this release: [svchammer], [eject], [entrypoints], [plugins.mcp], [plugins.scale.sandbox], [desktop], [plugins.client.npm], plugins.byllm.local, plugins.byllm.serve, [plugins.scale.admin], [plugins.scale.events], [mobile]',
  ]);
  expect(resolve('[scale.monitoring]\nenabled = true\nendpoint = "/m"\n').config.scale.metrics).toMatchObject({
    enabled: true,
    endpoint: '/m',
  });
  const written = [
    '[project]\nrequires-python = ">=3.12"\n[project.include]\npackages = ["a"]\n',
    '[client]\nframework = "react"\n[client.npm.scoped_registries]\n"@m" = "https://npm.example.org"\n',
    '[run]\ndiagnostics = "error"\ntopology_index = true\n[serve]\ngraph_enabled = false\n',
  ];
  for (const text of written) expect([resolve(text).problems, resolve(text).warnings], text).toEqual([[], []]);
});

test('interpolates variables, and only where it should', () => {
  const text = `[plugins.scale.jwt]\nsecret = "${reference('KEY')}"\n[plugins.scale.secrets]\nA = "${reference('LATER')}"\n`;
  expect(problems(text)).toEqual(['svc.toml:2:1: jwt.secret: environment variable KEY is not set']);
  const { config } = resolve(text, { env: { KEY: 'abc' } });
  expect(config.scale.jwt.secret).toBe('abc');
  expect(config.scale.secrets).toEqual({ A: reference('LATER') });
  expect(resolve(`[serve]\nport = "${reference('P:-81')}"\n`).config.serve.port).toBe(81);
});

test('environment values are parsed with the same ranges', () => {
  expect(problems('', { env: { SVC_SERVE_PORT: 'many' } })).toEqual([
    "environment: SVC_SERVE_PORT: expected a whole number from 0 to 65535, got 'many'",
  ]);
  expect(problems('', { env: { SVC_SERVE_DOCS_ENABLED: 'maybe' } })).toHaveLength(1);
  expect(resolve('', { env: { SVC_SERVE_DOCS_ENABLED: 'OFF' } }).config.serve.docsEnabled).toBe(false);
  expect(resolve('', { env: { SVC_CORS_ALLOW_ORIGINS: 'a, b' } }).config.scale.cors.allowOrigins).toEqual(['a', 'b']);
});

test('older flat tables and places still count', () => {
  expect(resolve('[byllm.model]\ndefault_model = "m"\n').config.byllm.defaultModel).toBe('m');
  expect(resolve('[scale.kubernetes]\nreplicas = 3\n').config.scale.orchestrator.replicas).toBe(3);
  expect(resolve('[scale.jwt]\nissuer = "old"\n').config.scale.jwt.issuer).toBe('old');
  expect(resolve('[client]\nport = 99\n').config.client.port).toBe(99);
  const text = '[plugins.scale.server]\nport = 7000\n';
  expect(resolve(text).config.serve.port).toBe(7000);
  expect(resolve(`${text}[serve]\nport = 7001\n`).config.serve.port).toBe(7001);
});

test('keys by their older names count, unless the option is written by its own', () => {
  const docs = '[scale.server]\ndocs_enabled = false\n';
  for (const [text, isServed] of [
    [docs, false],
    [`${docs}[serve]\ndocs_enabled = true\n`, true],
    [`[serve]\ndocs_enabled = true\n${docs}`, true],
  ] as const)
    expect(resolve(text).config.serve.docsEnabled, text).toBe(isServed);
  const graph = (text: string, mode: Mode) => resolve(text, { mode }).config.serve.graphView;
  expect(graph('[serve]\ngraph_enabled = false\n', 'development')).toBe('off');
  expect(graph('[serve]\ngraph_enabled = true\n', 'production')).toBe('on');
  expect(graph('[serve]\ngraph_view = "off"\ngraph_enabled = true\n', 'development')).toBe('off');
  expect(problems('[serve]\ngraph_enabled = "maybe"\n')).toEqual([
    "svc.toml:2:1: serve.graph_enabled: expected one of on, off, got 'maybe'",
  ]);
  expect(problems('[plugins.scale.database]\nstore = true\n')[0]).toContain('got true');
});

test('profiles: unknown ones and the reserved name are refused', () => {
  expect(problems('[environments.staging]\n', { profile: 'stagin' })[0]).toContain("did you mean 'staging'?");
  expect(problems('', { profile: 'response' })[0]).toContain('cannot be named response');
  expect(problems('[environments.response.serve]\nport = 1\n')[0]).toContain('cannot be named response');
  expect(resolve('[environments.response.headers]\nX-A = "b"\n').config.responseHeaders).toEqual({ 'X-A': 'b' });
});

test.each([
  ['[plugins.scale.cors]\nallow_credentials = true\n', 'cors.allow_credentials'],
  ['[serve]\ntrusted_proxies = ["10.0.0.0/8", "ten"]\n', 'trusted_proxies'],
  ['[plugins.scale.metrics]\nhistogram_buckets = []\n', 'must not be empty'],
  ['[plugins.scale.metrics]\nhistogram_buckets = [2, 1]\n', 'ascending'],
  ['[plugins.scale.metrics]\nendpoint = "metrics"\n', 'must start with /'],
  ['[plugins.scale.metrics]\nendpoint = "/walker/x"\n', 'collides'],
  ['[plugins.scale.logging]\ntrace_endpoint = "collector:4318"\n', 'http:// or https://'],
  ['[plugins.scale.jwt]\nalgorithm = "RS256"\n', 'private_key_file'],
  ['[storage]\nstorage_type = "s3"\n', 's3 needs storage.s3.bucket'],
  ['[plugins.scale.database]\nkvcache_url = "http://x"\n', 'redis://'],
  ['[plugins.scale.database]\ndocdb_uri = "postgres://x"\n', 'mongodb://'],
])('%s is refused', (text, expected) => {
  expect(problems(text)).toHaveLength(1);
  expect(problems(text)[0]).toContain(expected);
});

test('production refuses weak secrets', () => {
  const mode: Mode = 'production';
  expect(problems('', { mode })[0]).toContain('JWT_SECRET');
  expect(problems('', { mode, env: { JWT_SECRET: 'short' } })[0]).toContain('HS256 needs 32');
  expect(problems('', { mode, env: { JWT_SECRET: 'x'.repeat(64) } })).toEqual([]);
  expect(
    problems('[serve]\ntrusted_proxies = ["0.0.0.0/0"]\n', { mode, env: { JWT_SECRET: 'x'.repeat(64) } }),
  ).toHaveLength(1);
  expect(problems('', { mode, env: { JWT_SECRET: 'x'.repeat(64), WEBHOOK_SECRET: 'y'.repeat(23) } })).toEqual([
    'environment: WEBHOOK_SECRET: has 23 bytes, 24 or more are needed in production',
  ]);
  const { config } = resolve('', { mode, env: { JWT_SECRET: 'x'.repeat(64) } });
  expect(config.scale.webhook.secret).toBe('');
  expect(config.scale.auth.passwordMinLength).toBe(8);
  expect(config.serve.drainDelaySeconds).toBe(5);
  expect(secretWarnings(config)).toEqual([]);
  const unverified = '[plugins.scale.webhook]\nverify_signature = false\n';
  const open = resolve(unverified, { mode, env: { JWT_SECRET: 'x'.repeat(64) } }).config;
  expect(secretWarnings(open)).toEqual(['warning: signatures of webhook calls are not verified']);
});

test('production refuses earlier secrets by the same rules', () => {
  const found = (secrets: readonly string[], algorithm = 'HS256') =>
    problems(`[plugins.scale.jwt]\nalgorithm = "${algorithm}"\nprevious_secrets = ${JSON.stringify(secrets)}\n`, {
      mode: 'production',
      env: { JWT_SECRET: 'x'.repeat(64) },
    });
  const of = 'svc.toml:3:1: jwt.previous_secrets: entry';
  expect(found(['', 'y'.repeat(32)])).toEqual([]);
  expect(found(['y'.repeat(32), 'y'.repeat(31), 'auto'])).toEqual([
    `${of} 2 has 31 bytes, HS256 needs 32 or more in production; remove it`,
    `${of} 3 has 4 bytes, HS256 needs 32 or more in production; remove it`,
  ]);
  expect(found(['y'.repeat(63)], 'HS512')).toEqual([
    `${of} 1 has 63 bytes, HS512 needs 64 or more in production; remove it`,
  ]);
  expect(found([defaultJwtSecret])).toEqual([expect.stringMatching(/entry 1 is the built-in default, .*remove it$/)]);
});

test('development warns about default secrets', () => {
  expect(secretWarnings(defaultConfig())).toEqual([
    'warning: JWT_SECRET is the built-in default; anyone can forge tokens and the server listens on 0.0.0.0',
  ]);
  const local = defaultConfig('development', { 'serve.host': '127.0.0.1', 'scale.webhook.secret': 'x' });
  expect(secretWarnings(local)).toEqual(['warning: JWT_SECRET is the built-in default; anyone can forge tokens']);
  const rotated = { 'scale.jwt.secret': 'x'.repeat(64), 'scale.jwt.previousSecrets': [defaultJwtSecret] };
  expect(secretWarnings(defaultConfig('development', { 'serve.host': '127.0.0.1', ...rotated }))).toEqual([
    'warning: jwt.previous_secrets holds the built-in default; anyone can forge tokens',
  ]);
});

test('sign-in providers come with their defaults and their variables', () => {
  const text = '[plugins.scale.sso.acme]\nissuer = "https://id.acme.test"\nclient_idd = "x"\n';
  const { config, warnings } = resolve(text, { env: { SSO_ACME_CLIENT_ID: 'me', SSO_GOOGLE_CLIENT_SECRET: 's' } });
  expect(config.scale.sso.providers['acme']).toMatchObject({
    issuer: 'https://id.acme.test',
    clientId: 'me',
    scopes: ['openid', 'email', 'profile'],
  });
  expect(config.scale.sso.providers['google']?.clientSecret).toBe('s');
  expect(warnings.map(formatFinding)[0]).toContain("did you mean 'client_id'?");
});

test('providers that cannot work are found', () => {
  const problemsOf = (text: string) => resolve(text).problems.map(({ key, problem }) => `${key}: ${problem}`);
  const acme = (lines: string) => problemsOf(`[plugins.scale.sso.acme]\n${lines}`);
  const credentials = 'client_id = "a"\nclient_secret = "b"\n';
  expect(acme(`${credentials}issuer = "https://id.acme.test"`)).toEqual([]);
  expect(acme(credentials)).toEqual([expect.stringContaining('sso.acme: issuer is needed')]);
  expect(acme('issuer = "https://id.acme.test"\nclient_id = "a"')).toEqual([
    expect.stringContaining('no client_secret'),
  ]);
  expect(acme('issuer = "https://id.acme.test"\nclient_secret = "a"')).toEqual([
    expect.stringContaining('no client_id'),
  ]);
  for (const issuer of ['http://id.acme.test', 'id.acme.test', 'https://id.acme.test/?x=1', 'file:///x']) {
    expect(acme(`${credentials}issuer = "${issuer}"`)).toEqual([expect.stringContaining('is not an https address')]);
  }
  expect(acme(`${credentials}issuer = "http://127.0.0.1:1"\nallow_private_issuer = true`)).toEqual([]);
  expect(problemsOf('[plugins.scale.sso.Acme]\nissuer = "https://id.acme.test"')).toEqual([
    expect.stringContaining('names of providers'),
  ]);
  expect(problemsOf('[plugins.scale.sso]\nhost = "/sso"\nclient_auth_callback_url = "javascript:x"')).toHaveLength(2);
});

test('names secrets that stand in the file', () => {
  expect(resolve('[plugins.scale.jwt]\nsecret = "abc"\n').literalSecrets).toEqual(['scale.jwt.secret']);
  expect(resolve('[plugins.scale.jwt]\nsecret = "auto"\n').literalSecrets).toEqual([]);
  expect(resolve(`[plugins.scale.jwt]\nsecret = "${reference('K')}"\n`, { env: { K: 'v' } }).literalSecrets).toEqual(
    [],
  );
});

test('a reload applies only what it may', () => {
  const before = resolve('[serve]\nport = 1\nmax_concurrent = 5\n').config;
  const after = resolve('[serve]\nport = 2\nmax_concurrent = 6\n').config;
  expect(diffConfig(before, after)).toEqual({ reloadable: ['serve.maxConcurrent'], needRestart: ['serve.port'] });
  expect(applyReloadable(before, after).serve).toMatchObject({ port: 1, maxConcurrent: 6 });
});

test('reads .env text', () => {
  const text = 'A=1\nexport B = two words # note\nC="x\\ny#z"\n# no\nD=\'$raw\' # note\nE=\nF=a#b\nnonsense\n';
  expect(parseDotEnv(text)).toEqual({ A: '1', B: 'two words', C: 'x\ny#z', D: '$raw', E: '', F: 'a#b' });
  expect(mergeEnv({ A: 'process', E: '' }, { A: 'file', E: 'file' })).toEqual({ A: 'process', E: 'file' });
});
