/**
 * A deployment as an image on a real control plane: built without an engine, pushed to Debian's registry, pulled by the node with the pull secret that
 * the deployment made, and served from what it holds.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canary } from '../../harness/canary-settings.ts';
import { findTool } from '../../harness/find-tool.ts';
import { writeBaseLayout } from '../../harness/images/base-layout.ts';
import { type PackageIndex, startRepositoryIndex } from '../../harness/images/package-index.ts';
import { type RealRegistry, startRealRegistry } from '../../harness/images/real-registry.ts';
import { noteMissing } from '../../harness/missing.ts';
import { repository } from '../../harness/server.ts';
import { folderWith, spawnSvc } from '../../harness/svc-process.ts';
import { type Cluster, hasNoCluster, startCluster } from './cluster.ts';
import { nodeAddress } from './node-agent.ts';

const tools = { 'docker-registry': 'docker-registry', htpasswd: 'apache2-utils', skopeo: 'skopeo', umoci: 'umoci' };
const missing = Object.entries(tools).flatMap(([tool, from]) => (findTool(tool, from) === undefined ? [tool] : []));
const isRoot = process.getuid?.() === 0;
if (!isRoot) noteMissing('root');
const isSkipped = hasNoCluster() || missing.length > 0 || !isRoot;

const login = { username: 'ada', password: canary('registry') };

describe.skipIf(isSkipped)(
  `an image (missing: ${[...missing, ...(isRoot ? [] : ['root'])].join(', ') || 'none'})`,
  () => {
    let cluster: Cluster;
    let index: PackageIndex;
    let registry: RealRegistry;
    let folder: ReturnType<typeof folderWith>;
    let env: Record<string, string>;
    let token = '';
    const printed: string[] = [];

    beforeAll(async () => {
      [cluster, index, registry] = await Promise.all([
        startCluster(undefined, { pulls: true }),
        startRepositoryIndex(),
        startRealRegistry(login),
      ]);
      folder = folderWith({});
      mkdirSync(join(folder.path, 'app'));
      for (const name of ['main.svc', 'svc.toml'])
        cpSync(join(repository, 'examples/todo', name), join(folder.path, 'app', name));
      const settings = `
[plugins.scale.orchestrator]
namespace = "shop"
storage_size = "1Gi"
readiness_initial_delay = 1
readiness_period = 1
`;
      const path = join(folder.path, 'app/svc.toml');
      const given = readFileSync(path, 'utf8').replace('[serve]\n', '[serve]\ndrain_delay_seconds = 0\n');
      writeFileSync(path, given + settings);
      await writeBaseLayout(join(folder.path, 'base'), { isReal: true });
      const to = ['--dest-tls-verify=false', '--dest-authfile', join(folder.path, 'login.json')];
      const auth = Buffer.from(`${login.username}:${login.password}`).toString('base64');
      writeFileSync(join(folder.path, 'login.json'), JSON.stringify({ auths: { [registry.host]: { auth } } }));
      const base = `${registry.host}/base/node:22`;
      const from = `oci:${join(folder.path, 'base')}`;
      execFileSync('skopeo', ['--insecure-policy', 'copy', ...to, from, `docker://${base}`], { stdio: 'pipe' });
      env = {
        ...cluster.env,
        ...index.env,
        REGISTRY_USERNAME: login.username,
        REGISTRY_PASSWORD: login.password,
        REGISTRY_AUTH_FILE: join(folder.path, 'login.json'),
        SVC_REGISTRY_KIND: 'gcr',
        SVC_REGISTRY_REPOSITORY: `${registry.host}/team/todo`,
        SVC_ORCHESTRATOR_BASE_IMAGE: base,
      };
      await cluster.ask('POST', '/api/v1/persistentvolumes', {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: 'one' },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/nowhere' },
          persistentVolumeReclaimPolicy: 'Retain',
        },
      });
    }, 300_000);
    afterAll(async () => {
      await cluster?.[Symbol.asyncDispose]();
      await registry?.[Symbol.asyncDispose]();
      await index?.[Symbol.asyncDispose]();
      folder?.[Symbol.dispose]();
    }, 60_000);

    const svc = async (...args: readonly string[]) => {
      await using child = spawnSvc(args, { cwd: join(folder.path, 'app'), env });
      const code = await child.exited;
      printed.push(child.stdout(), child.stderr());
      return { code, stdout: child.stdout(), stderr: child.stderr() };
    };
    const ask = async (path: string, body?: object) => {
      const headers = {
        'content-type': 'application/json',
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      };
      const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      return await fetch(`http://${nodeAddress}:30001${path}`, { headers, ...request });
    };
    const call = async (path: string, body?: object) => (await (await ask(path, body)).json()) as any;
    /** Image of the Deployment, and of the pods that run. */
    const images = async () => {
      const deployment = await cluster.ask('GET', '/apis/apps/v1/namespaces/shop/deployments/todo');
      const { items } = await cluster.ask('GET', '/api/v1/namespaces/shop/pods');
      const live = items.filter(({ metadata }: any) => metadata.deletionTimestamp === undefined);
      return [deployment, ...live].map((one: any) => (one.spec.template?.spec ?? one.spec).containers[0].image);
    };
    const source = () => join(folder.path, 'app/main.svc');
    let first = '';
    let second = '';

    test('is built, pushed and served from', async () => {
      const { code, stdout, stderr } = await svc('start', 'main.svc', '--scale', '--build');
      expect(code, stdout + stderr).toBe(0);
      expect(stdout).toContain('Deployed todo 1.0.0 to tests/shop\n');
      const running = await images();
      first = running[0];
      expect(first).toMatch(new RegExp(`^${registry.host}/team/todo@sha256:[0-9a-f]{64}$`));
      expect(running).toEqual([first, first]);
      token = (await call('/user/register', { email: 'ada@example.com', password: 'correct horse 1' })).access_token;
      expect((await call('/walker/AddTask', { title: 'buy milk' })).reports[0].title).toBe('buy milk');
    }, 600_000);

    test('is not deployed again while nothing changes', async () => {
      const { code, stdout, stderr } = await svc('start', 'main.svc', '--scale', '--build');
      expect(code, stderr).toBe(0);
      expect(stdout).toContain('Nothing to change\n');
      expect(await images()).toEqual([first, first]);
    }, 120_000);

    test('is another one for a changed program, with the data that are there', async () => {
      const added = '\nwalker:pub Version { can tell with Root entry { report "second"; } }\n';
      writeFileSync(source(), readFileSync(source(), 'utf8') + added);
      const { code, stdout, stderr } = await svc('start', 'main.svc', '--scale', '--build');
      expect(code, stdout + stderr).toBe(0);
      const [image, ...pods] = await images();
      second = image;
      expect(second).not.toBe(first);
      expect(pods).toEqual([second]);
      expect((await call('/walker/Version', {})).reports).toEqual(['second']);
      expect((await call('/walker/ListTasks')).reports).toEqual([expect.objectContaining({ title: 'buy milk' })]);
    }, 300_000);

    test('is the one before after a rollback', async () => {
      const { code, stdout, stderr } = await svc('rollback', 'main.svc', '--yes');
      expect(code, stdout + stderr).toBe(0);
      expect(await images()).toEqual([first, first]);
      expect((await ask('/walker/Version', {})).status).toBe(404);
      expect((await call('/walker/ListTasks')).reports[0].title).toBe('buy milk');
    }, 300_000);

    test('that is named by hand has no pull secret: the node is refused, and the command says so', async () => {
      // The node has pulled it before: it keeps nothing of it.
      rmSync(join(cluster.plane.folder, 'images', second.split(':').at(-1)!), { recursive: true });
      env['SVC_ORCHESTRATOR_IMAGE'] = second;
      const { code, stderr } = await svc('start', 'main.svc', '--scale');
      delete env['SVC_ORCHESTRATOR_IMAGE'];
      expect(code, stderr).toBe(5);
      expect(stderr).toMatch(/pod \S+ cannot pull image .*authentication required/);
    }, 300_000);

    test('goes; no password is in what was printed or in an object but the pull secret', async () => {
      const secret = await cluster.ask('GET', '/api/v1/namespaces/shop/secrets/todo-registry');
      expect(Buffer.from(secret.data['.dockerconfigjson'], 'base64').toString()).toContain(login.password);
      const encoded = [login.password, Buffer.from(login.password).toString('base64').slice(0, -4)];
      for (const path of ['/api/v1/namespaces/shop/configmaps', '/apis/apps/v1/namespaces/shop/deployments']) {
        const text = JSON.stringify(await cluster.ask('GET', path));
        expect([path, encoded.some((one) => text.includes(one))]).toEqual([path, false]);
      }
      const { code, stdout, stderr } = await svc('destroy', 'main.svc', '--yes', '--purge-data');
      expect(code, stdout + stderr).toBe(0);
      const left = await cluster.ask('GET', '/api/v1/namespaces/shop/secrets');
      expect(left.items).toEqual([]);
      expect(printed.join('')).not.toContain('canary-');
    }, 120_000);
  },
);
