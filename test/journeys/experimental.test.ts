/** `svc start --scale --experimental` (docs/server/orchestrator.md#bundle): the package of a git repository, built here and carried along. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test as plainTest } from 'vitest';
import { runTool } from '../../infra/orchestrator/run-tool.ts';
import { canary } from '../harness/canary-settings.ts';
import { type ClusterStandIn, startClusterStandIn } from '../harness/cluster-stand-in.ts';
import { type ImageHost, startImageHost } from '../harness/deploy-tools.ts';
import { findTool } from '../harness/find-tool.ts';
import { writeBaseLayout } from '../harness/images/base-layout.ts';
import { startStandInRegistry } from '../harness/images/stand-in-registry.ts';
import { svcHere } from '../harness/svc-here.ts';
import { folderWith } from '../harness/svc-process.ts';

const manifest = {
  name: 'svc-scale',
  version: '9.9.9-next.1',
  bin: { svc: 'bin/svc.mjs' },
  files: ['bin', 'dist'],
  scripts: { prepack: 'node build.mjs' },
};
/** Writes what only a build makes, with the variables that it saw. */
const builder = `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('dist', { recursive: true });
writeFileSync('dist/cli.mjs', 'first');
writeFileSync('dist/seen.json', JSON.stringify(process.env));
`;

const test = plainTest.skipIf(findTool('git', 'git') === undefined);

let place: ReturnType<typeof folderWith>;
let cluster: ClusterStandIn;
let images: ImageHost;
let env: Record<string, string>;
const at = (...path: readonly string[]) => join(place.path, ...path);
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=ada', '-c', 'user.email=ada@example.com', ...args], {
    cwd: at('repository'),
    encoding: 'utf8',
  }).trim();
const commit = () => {
  git('add', '-A');
  git('commit', '-qm', 'x');
  return git('rev-parse', 'HEAD');
};

beforeAll(async () => {
  place = folderWith({
    'app/main.svc': 'walker:pub Hello { can greet with Root entry { report "hi"; } }\n',
    'app/svc.toml': '[plugins.scale.orchestrator.plugin_versions]\nscale = "1.2.3"\n',
    'repository/package.json': JSON.stringify(manifest),
    'repository/package-lock.json': JSON.stringify({ ...manifest, lockfileVersion: 3, packages: { '': manifest } }),
    'repository/build.mjs': builder,
    'repository/bin/svc.mjs': '#!/usr/bin/env node\n',
    'repository/.gitignore': 'dist\n',
  });
  cluster = await startClusterStandIn();
  images = await startImageHost();
  writeFileSync(at('kubeconfig'), JSON.stringify(cluster.kubeconfig));
  git('init', '-q');
  env = {
    PATH: process.env['PATH'] ?? '',
    HOME: place.path,
    KUBECONFIG: at('kubeconfig'),
    npm_config_registry: 'http://127.0.0.1:1/',
    REGISTRY_PASSWORD: canary('registry'),
    SVC_REPOSITORY: `file://${at('repository')}`,
    SVC_ORCHESTRATOR_BASE_IMAGE: `${images.host}/node:22`,
  };
});
afterAll(async () => {
  await images?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
  place?.[Symbol.dispose]();
});

const deploy = async (more: Readonly<Record<string, string>> = {}, ...args: readonly string[]) => {
  const given = ['start', 'main.svc', '--scale', '--experimental', ...args];
  const result = await svcHere(given, { cwd: at('app'), env: { ...env, ...more } });
  expect(result.stdout + result.stderr).not.toContain('canary');
  return result;
};

/** Unpacks the bundle that was applied last, and gives its folder. */
const unpack = (name: string) => {
  const app = at(name);
  mkdirSync(app);
  const { spec } = cluster.objects.get('/apis/apps/v1/namespaces/default/deployments/svc-app');
  const { sources } = spec.template.spec.volumes.find((volume: any) => volume.name === 'bundle').projected;
  const parts = sources.flatMap(({ configMap }: any) =>
    Object.values<string>(cluster.objects.get(`/api/v1/namespaces/default/configmaps/${configMap.name}`).binaryData),
  );
  const archive = Buffer.concat(parts.map((part: string) => Buffer.from(part, 'base64')));
  execFileSync('tar', ['-xzf', '-', '-C', app], { input: archive });
  return app;
};

test('the newest commit is built once, told, and installed by a pod without git', async () => {
  const first = commit();
  const { code, stdout, stderr } = await deploy();
  expect(code, stderr).toBe(0);
  expect(stderr).toContain(`warning: experimental build ${first}\n`);
  expect(stderr).toContain('note: version 1.2.3 under plugin_versions is ignored with --experimental\n');
  expect(stdout).toContain(`  svc-scale 9.9.9-next.1 (file:svc-package/svc-scale-${first.slice(0, 12)}.tgz)\n`);
  const app = unpack('first');
  const install = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  const installed = await runTool('npm', install, { cwd: app, env: { ...env, HOME: app } });
  expect(installed.code, installed.output).toBe(0);
  expect(readFileSync(join(app, 'node_modules/svc-scale/dist/cli.mjs'), 'utf8')).toBe('first');
  const seen = JSON.parse(readFileSync(join(app, 'node_modules/svc-scale/dist/seen.json'), 'utf8'));
  expect([JSON.stringify(seen).includes('canary'), 'KUBECONFIG' in seen]).toEqual([false, false]);
  expect((await deploy()).stdout).toContain('\nNothing to change\n');
});

test('a new commit is another version', async () => {
  writeFileSync(at('repository/build.mjs'), builder.replace("'first'", "'second'"));
  const second = commit();
  const { code, stderr } = await deploy();
  expect([code, stderr]).toEqual([0, expect.stringContaining(`warning: experimental build ${second}\n`)]);
  expect(readFileSync(join(unpack('second'), 'package.json'), 'utf8')).toContain(
    `svc-scale-${second.slice(0, 12)}.tgz`,
  );
});

test('it is in an image too', async () => {
  await using registry = await startStandInRegistry();
  await writeBaseLayout(at('base'));
  registry.take(at('base'), 'base/node', '22');
  const push = {
    SVC_ORCHESTRATOR_BASE_IMAGE: `${registry.host}/base/node:22`,
    SVC_REGISTRY_REPOSITORY: `${registry.host}/team/app`,
    REGISTRY_USERNAME: 'ada',
  };
  const { code, stderr } = await deploy(push, '--build', '--registry', 'gcr');
  expect(code, stderr).toBe(0);
  const layers = [...registry.blobs.values()].filter((bytes) => bytes[0] === 0x1f).map((bytes) => gunzipSync(bytes));
  expect(layers.some((layer) => layer.includes('app/node_modules/svc-scale/dist/cli.mjs'))).toBe(true);
});

test('it is in a release for one machine too', async () => {
  const newest = git('rev-parse', 'HEAD');
  const build = (env_: Readonly<Record<string, string>>) =>
    svcHere(['build', 'main.svc', '--target', 'machine', '--experimental', '--out', 'machine'], {
      cwd: at('app'),
      env: env_,
    });
  const { code, stderr } = await build(env);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain(`warning: experimental build ${newest}\n`);
  const list = execFileSync('tar', ['-tzf', at('app/machine/svc-app.tar.gz')], { encoding: 'utf8' });
  expect(list).toContain('/node_modules/svc-scale/dist/cli.mjs\n');
  const { SVC_REPOSITORY: _, ...without } = env;
  expect(await build(without)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('svc: --experimental has no repository to install from\n'),
  });
});

test('a build that fails, an address that cannot be read, one with a password', async () => {
  writeFileSync(at('repository/build.mjs'), 'console.log("no builder here"); process.exit(1);\n');
  const broken = commit();
  const failed = await deploy();
  expect([failed.code, failed.stderr]).toEqual([5, expect.stringContaining('no builder here')]);
  expect(failed.stderr).toContain(`svc: commit ${broken} cannot be packed: npm pack failed\n`);
  const missing = await deploy({ SVC_REPOSITORY: `file://${at('nowhere')}` });
  expect(missing.code).toBe(7);
  expect(missing.stderr).toContain(`svc: the repository file://${at('nowhere')} cannot be read\n  hint: git ls-remote`);
  const address = `https://ada:${canary('git')}@git.example/svc.git`;
  const refused = await deploy({ SVC_REPOSITORY: address });
  expect([refused.code, refused.stderr]).toEqual([
    3,
    expect.stringContaining(
      'svc: repository under [plugins.scale] is not an address that git may be given\n  hint: an https',
    ),
  ]);
});

test('a dry run asks no repository', async () => {
  const { code, stderr } = await deploy({ SVC_REPOSITORY: 'https://127.0.0.1:1/x.git' }, '--dry-run', '--offline');
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('note: packages are locked when deploying: svc-scale from https://127.0.0.1:1/x.git\n'),
  ]);
});
