/**
 * Errors in `svc.toml`, `.env` and the environment, which are printed with their places before anything starts
 * (docs/server/configuration.md#validation).
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runSvc } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const app = 'walker:pub Hi { can go with Root entry { report 1; } }\n';

interface Row {
  readonly toml: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly says: readonly string[];
}

const reference = (text: string) => `$\{${text}}`;

const refused: readonly Row[] = [
  { toml: '[serve]\nport 8\n', says: ['svc.toml:2:6: not valid TOML'] },
  { toml: '[serve]\nport = 1\nport = 2\n', says: ['svc.toml:3:1: not valid TOML'] },
  {
    toml: `[project]
name = "${reference('NOPE')}"
description = "${reference('NOPE:?describe it')}"
[serve]
port = "8000"
  max_body_bytes = 5
on_conflict = "fial"
trusted_proxies = ["10.0.0.0/8", "nonsense"]
[storage]
storage_type = "s3"
[environments.response]
serve = { port = 1 }
[plugins.scale.cors]
allow_credentials = true
[plugins.scale.metrics]
histogram_buckets = [1.0, 0.5]
endpoint = "metrics"
[plugins.scale.jwt]
algorithm = "RS256"
exp_delta_days = 0
[plugins.scale.database]
kvcache_url = "http://x"
docdb_uri = "postgres://x"
[plugins.scale.websocket]
idle_second = 4
`,
    env: { SVC_STRICT_CONFIG: '1', SVC_SERVE_MIRROR_FIELDS: 'maybe' },
    says: [
      'svc.toml:2:1: project.name: environment variable NOPE is not set',
      'svc.toml:3:1: project.description: NOPE: describe it',
      'svc.toml:5:1: serve.port: expected a whole number from 0 to 65535',
      'svc.toml:6:3: serve.max_body_bytes: expected a whole number from 1024',
      'svc.toml:7:1: serve.on_conflict: expected one of retry, fail',
      "svc.toml:8:1: serve.trusted_proxies: 'nonsense' is not an address or CIDR",
      'svc.toml:10:1: storage.storage_type: s3 needs storage.s3.bucket',
      'svc.toml:12:1: environments.response.serve: a profile cannot be named response',
      'svc.toml:14:1: cors.allow_credentials: ',
      'svc.toml:16:1: metrics.histogram_buckets: must be ascending',
      "svc.toml:17:1: metrics.endpoint: 'metrics' must start with /",
      'svc.toml:19:1: jwt.algorithm: RS256 needs private_key_file and public_key_file',
      'svc.toml:20:1: jwt.exp_delta_days: expected a whole number from 1 to 3650',
      'svc.toml:22:1: database.kvcache_url: must start with redis:// or rediss://',
      'svc.toml:23:1: database.docdb_uri: must start with mongodb:// or mongodb+srv://',
      "svc.toml:25:1: websocket.idle_second: unknown key 'idle_second' (did you mean 'idle_seconds'?)",
      'environment: SVC_SERVE_MIRROR_FIELDS: expected true or false',
      'svc: invalid configuration: 17 problems, listed above',
    ],
  },
  {
    toml: `[plugins.scale.metrics]
histogram_buckets = [${Array.from({ length: 51 }, (_, i) => i + 1).join(', ')}]
endpoint = "/docs"
[plugins.scale.jwt]
algorithm = "none"
[plugins.scale.webhook]
secret = "short"
[serve]
trusted_proxies = ["0.0.0.0/0"]
`,
    env: { SVC_ENV: 'production', JWT_SECRET: 'short' },
    says: [
      'metrics.histogram_buckets: has 51 entries, at most 50',
      "metrics.endpoint: '/docs' collides with a route",
      'jwt.algorithm: expected one of HS256',
      'WEBHOOK_SECRET: has 5 bytes, 24 or more',
      'JWT_SECRET: has 5 bytes, HS256 needs 32',
      "serve.trusted_proxies: '0.0.0.0/0' trusts everyone; refused in production",
    ],
  },
  ...[
    ['example.org/app', "serve.base_url: 'example.org/app' is not an http or https address"],
    ['https://example.org/app?a=1', "serve.base_url: 'https://example.org/app?a=1' is not an http or https address"],
    [
      'https://example.org/a/../b',
      "serve.base_url: names in the path '/a/../b' have letters, digits and -._~@+, and none",
    ],
    ['https://example.org//app', "serve.base_url: names in the path '//app' have"],
    ['https://example.org/caf%C3%A9', "serve.base_url: names in the path '/caf%C3%A9' have"],
    ['https://example.org/walker/', "serve.base_url: the path '/walker' begins as a route of the server, /walker"],
  ].map(([address, problem]) => ({ toml: `[serve]\nbase_url = "${address}"\n`, says: [problem!] })),
  { toml: '[plugins.scale.metrics]\nhistogram_buckets = []\n', says: ['metrics.histogram_buckets: must not be empty'] },
  {
    toml: '[environments.staging]\n',
    env: { SVC_ENV: 'prod', SVC_PROFILE: 'stagin', SVC_SERVE_PORT: 'abc' },
    says: [
      "environment: SVC_ENV: expected one of development, production, test, got 'prod'",
      "environments.stagin: no such profile (did you mean 'staging'?)",
      'environment: SVC_SERVE_PORT: expected a whole number',
    ],
  },
  { toml: '', env: { SVC_CONFIG: 'nowhere.toml' }, says: ['nowhere.toml: no such file'] },
];

test('every finding that refuses a start', async () => {
  using folder = folderWith({ 'main.svc': app });
  for (const { toml, env = {}, says } of refused) {
    writeFileSync(join(folder.path, 'svc.toml'), toml);
    const { code, stdout, stderr } = await runSvc(['start', 'main.svc', '--faux'], { cwd: folder.path, env });
    expect(code, `${toml}\n${stderr}`).toBe(3);
    expect(stdout).toBe('');
    for (const text of says) expect(stderr).toContain(text);
    expect(stderr.match(/^svc: invalid configuration: \d+ problems?, listed above$/gm)).toHaveLength(1);
  }
});

test('a file that cannot be read names no entry point', async () => {
  using folder = folderWith({ 'shop.svc': app, 'svc.toml': '[project]\nentry-point = "shop.svc"\n[serve\n' });
  for (const command of ['start', 'run', 'graph']) {
    const { code, stderr } = await runSvc([command], { cwd: folder.path });
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^svc\.toml:4:1: not valid TOML: .*\nsvc: invalid configuration: 1 problem, listed above\n$/,
    );
  }
});

test('what is only questionable is a warning, and what has no effect is said once', async () => {
  using folder = folderWith({
    'main.svc': app,
    'svc.toml': `[project]
name = "${reference('NAME_FROM_DOTENV')}-${reference('NOPE:-fallback')}"
authors = ["Ada"]
[plugins.scale.websocket]
idle_second = 4
[client]
port = 5174
[dependencies.npm]
react = "^19"
[build]
typecheck = true
[tool.other]
y = 2
`,
    '.env': 'NAME_FROM_DOTENV=shop\nSVC_SERVE_PROT=1\n',
  });
  const lines = async (...args: string[]) => {
    const { code, stderr } = await runSvc(args, { cwd: folder.path });
    expect(code, stderr).toBe(0);
    return stderr.split('\n').filter((line) => line !== '' && !/built-in default/.test(line));
  };
  const warnings = [
    "warning: svc.toml:5:1: websocket.idle_second: unknown key 'idle_second' (did you mean 'idle_seconds'?)",
    'warning: environment: SVC_SERVE_PROT: unknown variable (did you mean SVC_SERVE_PORT?)',
  ];
  const note = 'note: svc.toml: no effect in this release: [build]';
  expect(await lines('start', 'main.svc', '--faux')).toEqual([...warnings, note]);
  expect(await lines('check', 'main.svc')).toEqual([...warnings, note]);
  expect(await lines('run', 'main.svc', '--no-persist')).toEqual(warnings);
});

test('an unknown table is refused by every command that reads the file, with the nearest name', async () => {
  using folder = folderWith({
    'main.svc': app,
    'svc.toml': '[project]\nname = "shop"\n[plugin.scale.jwt]\nexp_delta_days = 1\n',
  });
  for (const args of [['start', 'main.svc'], ['check'], ['run', 'main.svc'], ['build'], ['export']]) {
    const { code, stderr } = await runSvc(args, { cwd: folder.path });
    expect(code, args.join(' ')).toBe(3);
    expect(stderr).toBe(
      'svc.toml:3:1: plugin.scale.jwt: unknown table [plugin.scale.jwt] (did you mean [plugins.scale.jwt]?)\nsvc: invalid configuration: 1 problem, listed above\n',
    );
  }
});

test('--config and --profile', async () => {
  using folder = folderWith({
    'main.svc': app,
    'svc.toml': '[serve]\nport = "bad"\n',
    'other/fine.toml': '[serve]\nport = 1234\n[environments.loud.serve]\nport = "worse"\n',
  });
  const start = (...args: string[]) => runSvc(['start', 'main.svc', '--faux', ...args], { cwd: folder.path });
  expect((await start('--config', 'other/fine.toml')).code).toBe(0);
  const profile = await start('--config', 'other/fine.toml', '--profile', 'loud');
  expect(profile.code).toBe(3);
  expect(profile.stderr).toMatch(/^other\/fine\.toml:4:1: serve\.port: /m);
  expect((await start('--config', 'no.toml')).stderr).toMatch(/^no\.toml: no such file$/m);
});
