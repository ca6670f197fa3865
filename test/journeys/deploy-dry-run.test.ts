/** `svc start --scale --dry-run`: CLI-20 and CLI-21, and what is refused (docs/server/orchestrator.md). */
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyApp, removeFolder, repository, runSvc } from '../harness/server.ts';
import { svcHere } from '../harness/svc-here.ts';
import { folderWith } from '../harness/svc-process.ts';

const { loadAll } = createRequire(join(repository, 'test/cloud/package.json'))('js-yaml');
const hello = 'walker:pub Hello { can greet with Root entry { report "hi"; } }\n';
const reference = (name: string) => `\${${name}}`;

let folder = '';
beforeAll(() => {
  folder = copyApp(join(repository, 'test/wire/app'));
});
afterAll(() => removeFolder(folder));

const command = ['start', 'main.svc', '--scale', '--dry-run'];

async function dryRun(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
  ...more: string[]
) {
  using own = folderWith({ 'main.svc': hello, ...files });
  return await svcHere([...command, ...more], { cwd: own.path, env });
}

test('DEP: the objects as YAML and as JSON, twice the same', async () => {
  const env = {
    ORCH_NODE_PORT: '30123',
    ORCH_CPU_LIMIT: '500m',
    ORCH_READINESS_PERIOD: '7',
    APP_NAME: 'shop',
    API_TOKEN: 'canary-token',
  };
  using own = folderWith({
    'main.svc': hello,
    'svc.toml': `[plugins.scale.secrets]\nAPI_TOKEN = "${reference('API_TOKEN')}"\n`,
  });
  const run = () => runSvc(command, { cwd: own.path, env });
  const first = await run();
  expect(first.code, first.stderr).toBe(0);
  const objects: any[] = loadAll(first.stdout);
  const find = (kind: string, name: string) =>
    objects.find((object) => object.kind === kind && object.metadata.name === name);

  const { spec } = find('Deployment', 'shop');
  expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
  const [container] = spec.template.spec.containers;
  expect(container.readinessProbe).toMatchObject({
    initialDelaySeconds: 10,
    periodSeconds: 7,
    httpGet: { path: '/healthz/ready' },
  });
  expect(container.livenessProbe).toMatchObject({
    initialDelaySeconds: 10,
    periodSeconds: 20,
    failureThreshold: 80,
    httpGet: { path: '/healthz/live' },
  });
  expect(container.resources).toEqual({ limits: { cpu: '500m' } });
  expect(container.envFrom.map(({ secretRef }: any) => secretRef.name)).toEqual(['shop-auth', 'shop-secrets']);
  expect(find('Service', 'shop-service').spec).toMatchObject({
    type: 'NodePort',
    ports: [{ port: 8000, nodePort: 30_123 }],
  });
  expect(find('Secret', 'shop-secrets')).toMatchObject({ type: 'Opaque', data: { API_TOKEN: '(12 bytes)' } });
  for (const { metadata } of objects) expect(metadata.labels).toMatchObject({ app: 'shop', managed: 'svc-scale' });
  expect(objects.filter(({ kind }) => kind === 'StatefulSet')).toEqual([]);
  expect(first.stdout + first.stderr).not.toContain('canary');

  expect((await run()).stdout).toBe(first.stdout);
  const lines = (await svcHere([...command, '--json'], { cwd: own.path, env })).stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(objects);
});

test('DEP: with databases', async () => {
  const env = { ORCH_DOCDB: 'true', ORCH_KVCACHE: 'true', APP_NAME: 'shop' };
  const { code, stdout, stderr } = await svcHere([...command, '--json'], { cwd: folder, env });
  expect(code, stderr).toBe(0);
  const objects = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const sets = objects.filter(({ kind }) => kind === 'StatefulSet').map(({ metadata }) => metadata.name);
  expect(sets).toEqual(['shop-docdb', 'shop-kvcache']);
  expect(stderr).not.toContain('warning: data lives in the pod');
});

test('CLI-20: an unresolved secret stops it, and is named', async () => {
  const settings = `[plugins.scale.secrets]\nOPENAI_API_KEY = "${reference('OPENAI_API_KEY')}"\n`;
  const refused = await dryRun({ 'svc.toml': settings });
  expect([refused.code, refused.stdout]).toEqual([3, '']);
  expect(refused.stderr).toBe('svc: cannot resolve secrets: OPENAI_API_KEY is not set\n');
  const given = await dryRun({ 'svc.toml': settings, '.env': 'OPENAI_API_KEY=canary\n' });
  expect(given.code).toBe(0);
  expect(given.stdout).toContain('OPENAI_API_KEY: "(6 bytes)"');
  expect(given.stdout).not.toContain('canary');
});

test('CLI-21: a literal secret is in the Secret and not on the screen', async () => {
  const settings = '[project]\nname = "demo"\n[plugins.scale.secrets]\nK = "canary-literal"\n';
  const { code, stdout, stderr } = await dryRun({ 'svc.toml': settings });
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('kind: Secret');
  expect(stdout).toContain('demo-secrets');
  expect(stdout + stderr).not.toContain('canary');
  expect(stderr).toContain('warning: data lives in the pod and is lost with it; set ORCH_DOCDB=true or storage_size\n');
});

test('what cannot be deployed ends with its code and one line', async () => {
  const orchestrator = (lines: string) => ({ 'svc.toml': `[plugins.scale.orchestrator]\n${lines}\n` });
  const bad = await dryRun(orchestrator('memory_limit = "12GB"'));
  expect(bad.code).toBe(3);
  expect(bad.stderr).toContain("orchestrator.memory_limit: '12GB' is not a quantity (did you mean 12Gi?)\n");
  const environment = await dryRun({}, { ORCH_MEMORY_LIMIT: '12GB' });
  expect([environment.code, environment.stderr]).toEqual([3, expect.stringContaining('did you mean 12Gi?')]);
  expect((await dryRun(orchestrator('replicas = 2'))).code).toBe(3);
  expect((await dryRun({ 'main.svc': 'walker {' })).code).toBe(3);
  const declared = await dryRun({ 'main.svc': `@restspec(protocol=APIProtocol.HTTP, broadcast=True)\n${hello}` });
  expect([declared.code, declared.stderr]).toEqual([
    3,
    expect.stringContaining('broadcast requires protocol WEBSOCKET'),
  ]);
  const manifest = await dryRun({ 'package.json': '{' });
  expect([manifest.code, manifest.stderr]).toEqual([3, expect.stringContaining('\nsvc: package.json: ')]);
  const keys = '[plugins.scale.jwt]\nalgorithm = "ES256"\nprivate_key_file = "no.pem"\npublic_key_file = "no.pub"\n';
  const key = await dryRun({ 'svc.toml': keys });
  expect([key.code, key.stderr]).toEqual([3, expect.stringMatching(/^svc: cannot read .*no\.pem: ENOENT\n$/)]);
  using own = folderWith({ 'main.svc': hello, 'below/svc.toml': '' });
  const outside = await svcHere([...command, '--config', 'below/svc.toml'], { cwd: own.path });
  expect([outside.code, outside.stderr]).toEqual([3, expect.stringContaining('not below the folder of svc.toml')]);
  const pushed = await dryRun({}, {}, '--build');
  expect(pushed.code).toBe(7);
  expect(pushed.stderr).toContain('\nsvc: registry dockerhub needs REGISTRY_USERNAME and REGISTRY_PASSWORD\n');
  const elsewhere = await dryRun({}, {}, '--build', '--registry', 'gcr');
  expect(elsewhere.code).toBe(3);
  expect(elsewhere.stderr).toContain('\nsvc: registry gcr needs the full address in registry.repository\n');
  const experimental = await dryRun({}, {}, '--experimental');
  expect([experimental.code, experimental.stderr]).toEqual([
    3,
    'svc: --experimental has no repository to install from\n  hint: set [plugins.scale] repository to a git address\n',
  ]);
});

test('an image that is there, or one that would be built', async () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  const settings = `[plugins.scale.orchestrator]\nimage = "registry.example/demo@${digest}"\n`;
  const given = await dryRun({ 'svc.toml': settings }, {}, '--registry', 'gcr');
  expect(given.stderr).toContain('note: --registry means nothing without --build\n');
  expect(given.stdout).toContain(`image: "registry.example/demo@${digest}"\n`);
  expect(given.stdout).not.toMatch(/ConfigMap|initContainers/);
  const built = await dryRun({}, { REGISTRY_USERNAME: 'ada', REGISTRY_PASSWORD: 'canary' }, '--build');
  expect(built.stdout).toMatch(/image: docker\.io\/ada\/svc-app:0\.1\.0-[0-9a-f]{12}\n/);
  expect(built.stdout).toMatch(/name: svc-app-registry\n/);
  expect(built.stdout).not.toContain('canary');
});

test('functions that were bundled once are the same without bundling, and what changes them does', async () => {
  using own = folderWith({ 'main.svc': hello, 'svc.toml': '[project]\nname = "kept"\n' });
  const plan = async (more: Readonly<Record<string, string>> = {}) => {
    const env = { XDG_CACHE_HOME: join(own.path, 'cache'), ...more };
    const line = [...command, '--offline', '--target', 'cloud'];
    const { code, stdout, stderr } = await runSvc(line, { cwd: own.path, env });
    return { code, stdout, stderr, digest: /^digest: (\w{64})$/m.exec(stderr)?.[1] };
  };
  const made = await plan();
  expect(made.code, made.stderr).toBe(0);
  // The bundler cannot be started.
  const broken = { ESBUILD_BINARY_PATH: '/bin/false' };
  const kept = await plan(broken);
  expect([kept.code, kept.digest, kept.stdout], kept.stderr).toEqual([0, made.digest, made.stdout]);
  // Made anew, it is the same.
  rmSync(join(own.path, 'cache'), { recursive: true });
  rmSync(join(own.path, '.svc'), { recursive: true });
  expect((await plan()).digest).toBe(made.digest);
  writeFileSync(join(own.path, 'main.svc'), hello.replace('hi', 'ho'));
  const changed = await plan();
  expect([changed.code, changed.digest === made.digest]).toEqual([0, false]);
  // A broken bundler shows that one was asked.
  writeFileSync(join(own.path, 'main.svc'), hello.replace('hi', 'ha'));
  expect((await plan(broken)).code).not.toBe(0);
});
