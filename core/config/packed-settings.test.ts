import { expect, test } from 'vitest';
import { valueAt } from './diff.ts';
import { optionAt, optionPaths, tomlKey } from './options.ts';
import { packSettings, unpackSettings } from './packed-settings.ts';
import { resolveConfig } from './resolve.ts';
import { parseToml } from './toml.ts';

const reference = (name: string) => `$\{${name}}`;
const input = { mode: 'development', projectDir: '/p', dataDir: '/p/.svc/data' } as const;

/** Packs the text as a build does, and reads it as a function does. */
function pack(text: string) {
  const file = { name: 'svc.toml', ...parseToml(text, 'svc.toml') };
  const { settings, leftOut } = packSettings(file);
  const json = JSON.stringify(settings);
  const resolve = (env: Record<string, string>, profile?: string) =>
    resolveConfig({ ...input, file: unpackSettings(JSON.parse(json)), env, profile });
  return { json, leftOut, file, resolve };
}

function line(path: (typeof optionPaths)[number], value: string): string {
  const key = tomlKey(path);
  const dot = key.lastIndexOf('.');
  return `[${key.slice(0, dot)}]\n${key.slice(dot + 1)} = ${value}\n`;
}

const secretPaths = optionPaths.filter(
  (path) => optionAt(path).secret === true && !['scale.secrets', 'scale.registry.password'].includes(path),
);

test.each(secretPaths)('%s stays out, and the variable that is named sets it', (path) => {
  const isList = optionAt(path).type.kind === 'texts';
  const literal = path.startsWith('scale.database.')
    ? `${path.endsWith('Uri') ? 'mongodb' : 'redis'}://u:canary@h/`
    : 'canary';
  const { json, leftOut, file, resolve } = pack(line(path, isList ? `["${literal}"]` : `"${literal}"`));
  expect(json).not.toContain('canary');
  expect(leftOut).toMatchObject([{ place: { line: 2, col: 1 } }]);
  const wanted = resolveConfig({ ...input, file, env: {} });
  expect(valueAt(resolve({ [leftOut[0]!.variable]: literal }).config, path)).toEqual(valueAt(wanted.config, path));

  const referred = pack(line(path, isList ? `["${reference('GIVEN')}"]` : `"${reference('GIVEN')}"`));
  expect(referred.leftOut).toEqual([]);
  expect(valueAt(referred.resolve({ GIVEN: literal }).config, path)).toEqual(valueAt(wanted.config, path));
});

const plainPaths = optionPaths.filter((path) => optionAt(path).secret !== true && optionAt(path).type.kind === 'text');

test('whatever is no secret is read from the package as from the file, with its place', () => {
  for (const path of plainPaths.filter((path) => !path.startsWith('scale.registry.'))) {
    const { leftOut, file, resolve } = pack(line(path, '"/plain"'));
    expect(leftOut).toEqual([]);
    const wanted = resolveConfig({ ...input, file, env: {} });
    expect(valueAt(resolve({}).config, path)).toEqual(valueAt(wanted.config, path));
    expect(resolve({}).whereOf(path)).toBe(wanted.whereOf(path));
  }
});

test('secrets of providers, profiles and the deployment', () => {
  const { json, leftOut, resolve } = pack(`
[plugins.scale.sso.corp]
client_secret = "canary"
[scale.jwt]
secret = "canary"
[environments.live.plugins.scale.jwt]
secret = "canary"
issuer = "https://id.example"
[plugins.scale.secrets]
STRIPE_KEY = "canary"
OTHER_KEY = "${reference('OTHER_KEY')}"
`);
  expect(json).not.toContain('canary');
  expect(leftOut.map(({ key, variable }) => [key, variable])).toEqual([
    ['sso.corp.client_secret', 'SSO_CORP_CLIENT_SECRET'],
    ['secrets.STRIPE_KEY', 'STRIPE_KEY'],
    ['jwt.secret', 'JWT_SECRET'],
    ['environments.live.jwt.secret', 'JWT_SECRET'],
  ]);
  const { config } = resolve({ SSO_CORP_CLIENT_SECRET: 'given', JWT_SECRET: 'of the environment' }, 'live');
  expect(config.scale.sso.providers['corp']!.clientSecret).toBe('given');
  expect(config.scale.jwt).toMatchObject({ secret: 'of the environment', issuer: 'https://id.example' });
  expect(Object.keys(config.scale.secrets)).toEqual(['STRIPE_KEY', 'OTHER_KEY']);
});

test.each([
  ['docdb_uri', 'mongodb://h/db?replicaSet=r', true],
  ['docdb_uri', `mongodb://${reference('U')}:${reference('P')}@h/db`, true],
  ['kvcache_url', `redis://:${reference('P')}@h/0`, true],
  ['kvcache_url', '${URL:-redis://h:6379}', true],
  ['docdb_uri', 'mongodb://u@h/db', false],
  ['docdb_uri', `mongodb://u:p/@${reference('HOST')}`, false],
  ['docdb_uri', 'mongodb://h/?tlsCertificateKeyFilePassword=x', false],
  ['kvcache_url', '${URL:-redis://u:p@h}', false],
])('%s = "%s" is packaged: %s', (key, value, isKept) => {
  const { leftOut } = pack(`[plugins.scale.database]\n${key} = "${value}"\n`);
  expect(leftOut).toHaveLength(isKept ? 0 : 1);
});

test('what may be a secret is not packaged either: defaults of references, passwords in addresses, unknown keys, comments', () => {
  const { json, leftOut } = pack(`
# token = "canary"
[tool.other]
token = "canary"
[plugins.scale.jwt]
secrets = "canary"
secret = "\${JWT:-canary}"
[plugins.scale.logging]
trace_endpoint = "https://u:canary@collector.example"
[plugins.scale.cloud.env]
KEY = "canary"
`);
  expect(json).not.toContain('canary');
  expect(leftOut.map(({ variable }) => variable)).toEqual(['JWT_SECRET', 'SVC_LOGGING_TRACE_ENDPOINT']);
});
