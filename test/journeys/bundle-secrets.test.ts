/**
 * Secrets of every kind, in every file of a project that may hold some, are in no archive of `svc build`
 * (docs/server/cloud.md#environment, docs/server/security.md).
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { canary, canarySettings } from '../harness/canary-settings.ts';
import { httpEvent, unpackFunction } from '../harness/packaged-function.ts';
import { runSvc } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const program = `
import from os { environ }
walker :pub Show { can show with Root entry { report len(environ["STRIPE_KEY"]); } }
@restspec(protocol=APIProtocol.WEBSOCKET)
async walker :pub Talk { can talk with Root entry { report 1; } }
walker :priv Mine { can mine with Root entry { report "mine"; } }
`;

test('no secret is in an archive or a map, and what has to be set instead is said', async () => {
  const settings = `${canarySettings()}
[plugins.scale.secrets]
STRIPE_KEY = "${canary('stripe')}"
`;
  using folder = folderWith({ 'main.svc': program, 'svc.toml': settings, '.env': `LOCAL_KEY=${canary('dotenv')}\n` });
  mkdirSync(join(folder.path, '.svc/secrets'), { recursive: true });
  writeFileSync(join(folder.path, '.svc/secrets/jwt'), canary('jwt-file'));
  const env = { GIVEN_IN_SHELL: canary('shell') };
  const { code, stdout, stderr } = await runSvc(['build', 'main.svc', '--out', 'out'], { cwd: folder.path, env });
  expect(code, stderr).toBe(0);
  expect(stdout + stderr).not.toContain('canary-');

  const out = join(folder.path, 'out');
  const archives = readdirSync(out).filter((name) => name.endsWith('.zip'));
  expect(archives.sort()).toEqual(['http.zip', 'sweeper.zip', 'websocket.zip']);
  const everything = new Map([['serverless.yml', readFileSync(join(out, 'serverless.yml'), 'utf8')]]);
  for (const archive of archives) {
    for (const [path, bytes] of Object.entries(unzipSync(readFileSync(join(out, archive)))))
      everything.set(`${archive}/${path}`, Buffer.from(bytes).toString('latin1'));
  }
  for (const path of readdirSync(join(out, 'maps'), { recursive: true, withFileTypes: true }))
    if (path.isFile()) everything.set(path.name, readFileSync(join(path.parentPath, path.name), 'latin1'));
  const holding = [...everything].filter(([, text]) => text.includes('canary-')).map(([path]) => path);
  expect(holding).toEqual([]);

  const told = [...stderr.matchAll(/^ {2}(\w+) {2}instead of ([\w.]+) \(svc\.toml:\d+:\d+\)$/gm)];
  const variables = Object.fromEntries(told.map(([, variable, key]) => [key!, variable!]));
  expect(variables).toMatchObject({
    'jwt.secret': 'JWT_SECRET',
    'webhook.secret': 'WEBHOOK_SECRET',
    'database.docdb_uri': 'DOCDB_URI',
    'sso.corp.client_secret': 'SSO_CORP_CLIENT_SECRET',
    'secrets.STRIPE_KEY': 'STRIPE_KEY',
    'environments.live.jwt.secret': 'JWT_SECRET',
  });

  // The secrets left out are needed: without a key for tokens the function does not start, with it it does.
  const production = { SVC_ENV: 'production', SVC_DATABASE_STORE: 'sqlite' };
  using bare = unpackFunction(join(out, 'http.zip'), 'http', production);
  await expect(bare.call([httpEvent('POST', '/walker/Show', {})])).rejects.toThrow('JWT_SECRET');
  const given = { JWT_SECRET: 'k'.repeat(40), STRIPE_KEY: canary('given'), SSO_CORP_CLIENT_SECRET: canary('sso') };
  using whole = unpackFunction(join(out, 'http.zip'), 'http', { ...production, ...given });
  const [answer] = await whole.call([httpEvent('POST', '/walker/Show', {})]);
  expect(JSON.parse(answer.body).reports).toEqual([canary('given').length]);
  // The sweeper needs none of them.
  using sweeper = unpackFunction(join(out, 'sweeper.zip'), 'sweeper', {
    SVC_ENV: 'production',
    SVC_DATABASE_STORE: 'sqlite',
  });
  expect(await sweeper.call([{}])).toEqual([null]);
});
