import { describe, expect, test } from 'vitest';
import { formatFinding } from '../../core/config/finding.ts';
import { resolveConfig } from '../../core/config/resolve.ts';
import { parseToml } from '../../core/config/toml.ts';
import { type Deploy, type DeployInput, deployInput } from './input.ts';
import { isQuantity, nearestQuantity } from './quantities.ts';

const reference = (name: string) => `\${${name}}`;

function deploy(
  text: string,
  env: Record<string, string> = {},
  more: { profile?: string; entry?: string } = {},
): Deploy {
  const configFile = { name: 'svc.toml', ...parseToml(text, 'svc.toml') };
  const { config, whereOf } = resolveConfig({
    file: configFile,
    env,
    mode: 'development',
    profile: more.profile,
    projectDir: '/here',
    dataDir: '/here/.svc/data',
    isScript: true,
  });
  return deployInput({
    config,
    whereOf,
    configFile,
    lookup: (name) => env[name] || undefined,
    entry: more.entry ?? 'main.svc',
    readKeyFile: (path) => `-----BEGIN PRIVATE KEY----- of ${path}`,
  });
}

function inputOf(...args: Parameters<typeof deploy>): DeployInput & { warnings: readonly string[] } {
  const result = deploy(...args);
  if (!('input' in result)) throw new Error(JSON.stringify(result));
  return { ...result.input, warnings: result.warnings };
}

function problemsOf(...args: Parameters<typeof deploy>): string[] {
  const result = deploy(...args);
  return 'problems' in result ? result.problems.map(formatFinding) : [JSON.stringify(result)];
}

const orchestrator = (lines: string) => `[plugins.scale.orchestrator]\n${lines}\n`;

describe('secrets', () => {
  test('references are resolved where the command runs; those that nothing sets are all named', () => {
    const text = `[plugins.scale.secrets]\nA = "literal"\nB = "${reference('FROM_HERE')}"\nC = "x-${reference('NOT:-y')}"\n`;
    expect(inputOf(text, { FROM_HERE: 'here' }).secrets).toEqual({ A: 'literal', B: 'here', C: 'x-y' });
    const missing = `[plugins.scale.secrets]\nA = "${reference('ONE')}"\nB = "${reference('ONE')}${reference('TWO:?needed')}"\n`;
    const env = `[plugins.scale.orchestrator.env]\nC = "${reference('THREE')}"\n`;
    expect(deploy(missing + env)).toEqual({ unresolved: ['ONE is not set', 'THREE is not set'] });
  });

  test('those elsewhere in the file become variables, default ones and the word auto do not', () => {
    const text = `
[plugins.scale.jwt]
secret = "auto"
[plugins.scale.webhook]
secret = "a webhook secret of the file"
[plugins.scale.metrics]
token = "${reference('SCRAPE')}"
[plugins.scale.sso.corp]
issuer = "https://id.example"
client_id = "app"
client_secret = "${reference('CORP')}"
[plugins.scale.registry]
password = "for pushing only"
`;
    const { settingsSecrets, makesJwtSecret } = inputOf(text, {
      SCRAPE: 'scrape',
      CORP: 'corp',
      WEBHOOK_SECRET: 'mine',
    });
    expect(settingsSecrets).toEqual({
      WEBHOOK_SECRET: 'a webhook secret of the file',
      SCRAPE: 'scrape',
      CORP: 'corp',
    });
    expect(makesJwtSecret).toBe(true);
    expect(deploy(text)).toEqual({ unresolved: ['SCRAPE is not set', 'CORP is not set'] });
  });

  test('what the environment of this machine sets stays here', () => {
    expect(inputOf('', { JWT_SECRET: 'x'.repeat(40), DOCDB_URI: 'mongodb://dev' })).toMatchObject({
      settingsSecrets: {},
      makesJwtSecret: true,
      store: 'sqlite',
    });
  });

  test('a key for tokens is made only when none is configured', () => {
    const key = 'k'.repeat(40);
    expect(inputOf(`[plugins.scale.jwt]\nsecret = "${key}"\n`)).toMatchObject({
      makesJwtSecret: false,
      settingsSecrets: { JWT_SECRET: key },
    });
    expect(inputOf(`[plugins.scale.secrets]\nJWT_SECRET = "${key}"\n`)).toMatchObject({
      makesJwtSecret: false,
      settingsSecrets: {},
    });
    expect(
      inputOf(`[plugins.scale.jwt]\nsecret = "${reference('K')}"\n[plugins.scale.secrets]\nK = "${key}"\n`),
    ).toMatchObject({ makesJwtSecret: false, settingsSecrets: {}, secrets: { K: key } });
  });

  test('key files travel as secrets', () => {
    const text =
      '[plugins.scale.jwt]\nalgorithm = "ES256"\nprivate_key_file = "own.pem"\npublic_key_file = "own.pub"\n';
    expect(inputOf(text)).toMatchObject({
      makesJwtSecret: false,
      settingsSecrets: {
        SVC_JWT_PRIVATE_KEY_FILE: '-----BEGIN PRIVATE KEY----- of own.pem',
        SVC_JWT_PUBLIC_KEY_FILE: '-----BEGIN PRIVATE KEY----- of own.pub',
      },
    });
  });

  test('a profile brings its own, and the pod knows of it', () => {
    const text = `
[plugins.scale.webhook]
secret = "the webhook secret of all"
[environments.live.plugins.scale.webhook]
secret = "the webhook secret of live"
[environments.other.plugins.scale.metrics]
token = "${reference('NOBODY')}"
`;
    const { settingsSecrets, env } = inputOf(text, {}, { profile: 'live' });
    expect(settingsSecrets).toEqual({ WEBHOOK_SECRET: 'the webhook secret of live' });
    expect(env).toEqual({ SVC_PROFILE: 'live' });
  });
});

describe('what cannot be deployed', () => {
  test.each([
    [
      orchestrator('memory_limit = "12GB"'),
      "svc.toml:2:1: orchestrator.memory_limit: '12GB' is not a quantity (did you mean 12Gi?)",
    ],
    [
      orchestrator('cpu_request = "2 cores"'),
      "svc.toml:2:1: orchestrator.cpu_request: '2 cores' is not a quantity (did you mean 2?)",
    ],
    [orchestrator('storage_size = "much"'), "svc.toml:2:1: orchestrator.storage_size: 'much' is not a quantity"],
    [orchestrator('node_port = 8080'), 'svc.toml:2:1: orchestrator.node_port: expected 30000 to 32767, got 8080'],
    [
      orchestrator('app_name = "My App"'),
      "svc.toml:2:1: orchestrator.app_name: 'My App' is not a name of a deployment: a letter, then a-z, 0-9 or -, at most 40 (did you mean 'my-app'?)",
    ],
    [
      orchestrator('namespace = "no_good"'),
      "svc.toml:2:1: orchestrator.namespace: 'no_good' is not a name of a namespace",
    ],
    [
      '[plugins.scale.secrets]\n"NOT-GOOD" = "x"\n',
      'svc.toml:1:1: secrets.NOT-GOOD: is not a name of an environment variable',
    ],
    [
      '[plugins.scale.orchestrator.env]\nSVC_ENV = "development"\n',
      'svc.toml:1:1: orchestrator.env.SVC_ENV: is production in every deployment',
    ],
    [
      orchestrator('replicas = 2'),
      'svc.toml:2:1: orchestrator.replicas: must be 1 without a document database: each pod would have a graph of its own; set ORCH_DOCDB=true',
    ],
    [
      orchestrator('replicas = 2\nstorage_size = "1Gi"\ndocdb = { enabled = true }'),
      'svc.toml:2:1: orchestrator.replicas: must be 1 with storage_size: the volume admits one pod',
    ],
    [
      orchestrator('plugin_versions = { core = "none" }'),
      "svc.toml:2:21: orchestrator.plugin_versions.core: cannot be 'none': nothing runs without it",
    ],
    [
      orchestrator('plugin_versions = { core = "1.2.0", scale = "1.3.0" }'),
      'svc.toml:2:21: orchestrator.plugin_versions.core: is 1.2.0 and scale is 1.3.0, but they are one package',
    ],
    [
      orchestrator('plugin_versions = { llm = "new" }'),
      "svc.toml:2:21: orchestrator.plugin_versions.llm: expected a version such as 1.2.3, latest or none, got 'new'",
    ],
    // Settings that would keep the application from starting in its pod.
    [
      `[serve]\nbase_url = "${reference('ADDRESS')}"\n`,
      'svc.toml:2:1: serve.base_url: environment variable ADDRESS is not set',
    ],
    [
      '[plugins.scale.webhook]\nsecret = "short"\n',
      'environment: WEBHOOK_SECRET: has 5 bytes, 24 or more are needed in production',
    ],
  ])('%s', (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  test('variables of the deployment count in the pod, those of this machine do not', () => {
    const text = `[serve]\nbase_url = "https://${reference('ADDRESS')}"\n`;
    expect(problemsOf(text, { ADDRESS: 'here.example' })).toHaveLength(1);
    expect(inputOf(`${text}[plugins.scale.orchestrator.env]\nADDRESS = "shop.example"\n`).env).toEqual({
      ADDRESS: 'shop.example',
    });
  });
});

describe('where the graph is', () => {
  const lost = 'data lives in the pod and is lost with it; set ORCH_DOCDB=true or storage_size';

  test.each([
    ['', {}, 'sqlite', [lost]],
    [orchestrator('storage_size = "1Gi"'), {}, 'sqlite', []],
    [orchestrator('replicas = 3'), { ORCH_DOCDB: 'true' }, 'docdb', []],
    ['[plugins.scale.secrets]\nDOCDB_URI = "mongodb://x"\n', {}, 'docdb', []],
    [`[plugins.scale.secrets]\nDATABASE_URL = "postgres://x/y"\n${orchestrator('replicas = 3')}`, {}, 'postgres', []],
    [
      '[plugins.scale.secrets]\nDOCDB_URI = "mongodb://x"\n',
      { ORCH_DOCDB: 'true' },
      'docdb',
      ['DOCDB_URI of [plugins.scale.secrets] is used, not the docdb that is deployed'],
    ],
    [
      '[plugins.scale.database]\nkvcache_url = "redis://:pw@x"\n',
      { ORCH_KVCACHE: 'true' },
      'sqlite',
      ['the kvcache that is deployed is used, not KVCACHE_URL of the configuration', lost],
    ],
  ] as const)('%s %o', (text, env, store, warnings) => {
    const input = inputOf(text, env);
    expect([input.store, input.warnings]).toEqual([store, warnings]);
  });

  test('files are kept below the application, wherever the program asks for them', () => {
    expect(inputOf('').filesPath).toBe('/app/storage');
    expect(inputOf('[storage]\nbase_path = "../files"\n', {}, { entry: 'src/main.svc' }).filesPath).toBe('/app/files');
    expect(inputOf('[storage]\nbase_path = "/data/files"\n').filesPath).toBe('/data/files');
  });
});

test('a path that the file fixes is not changed by a variable of the pod, and that is told', () => {
  const text = '[storage]\nbase_path = "./files"\n[plugins.scale.orchestrator.env]\nSVC_STORAGE_PATH = "/mnt"\n';
  const { filesPath, warnings } = inputOf(text);
  expect(filesPath).toBe('/app/files');
  expect(warnings[0]).toBe(
    "svc.toml:2:1: storage.base_path: './files' from the file is used, not '/mnt' from SVC_STORAGE_PATH",
  );
});

test('quantities', () => {
  for (const text of ['1', '0.5', '500m', '12Gi', '12G', '128974848', '129e6', '1Ki'])
    expect([text, isQuantity(text)]).toEqual([text, true]);
  for (const text of ['', '12GB', '1.', '-1', '1 Gi', 'Gi']) expect([text, isQuantity(text)]).toEqual([text, false]);
  expect(['512mb', '1 g', '2KiB', '3 bytes'].map((text) => nearestQuantity(text, 'bytes'))).toEqual([
    '512Mi',
    '1Gi',
    '2Ki',
    undefined,
  ]);
  expect(['250 millicores', '2cpu', 'all'].map((text) => nearestQuantity(text, 'cpu'))).toEqual([
    '250m',
    '2',
    undefined,
  ]);
});
