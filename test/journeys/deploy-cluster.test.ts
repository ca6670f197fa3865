/** `svc start --scale`, `status`, `rollback`, `destroy` against a stand-in for a cluster (docs/server/orchestrator.md): on machines without a control plane too. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClusterStandIn, startClusterStandIn } from '../harness/cluster-stand-in.ts';
import { svcHere } from '../harness/svc-here.ts';
import { folderWith } from '../harness/svc-process.ts';

const image = `registry.test/demo@sha256:${'a'.repeat(64)}`;
const settings = `[project]
name = "demo"
[plugins.scale.orchestrator]
image = "${image}"
[plugins.scale.secrets]
TOKEN = "\${TOKEN}"
`;
let cluster: ClusterStandIn;
let folder: ReturnType<typeof folderWith>;

beforeEach(async () => {
  cluster = await startClusterStandIn();
  folder = folderWith({
    'main.svc': 'walker:pub Hello { can greet with Root entry { report "hi"; } }\n',
    'svc.toml': settings,
  });
  writeFileSync(join(folder.path, 'kubeconfig'), JSON.stringify(cluster.kubeconfig));
});
afterEach(async () => {
  await cluster[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const svc = async (command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const given = { USER: 'ada', TOKEN: 'canary-1', KUBECONFIG: join(folder.path, 'kubeconfig'), ...env };
  const result = await svcHere([command, 'main.svc', ...args], { cwd: folder.path, env: given });
  expect(result.stdout + result.stderr).not.toContain('canary');
  return result;
};
const names = () => [...cluster.objects.keys()].map((path) => path.split('/').slice(-2).join('/')).toSorted();
const deploy = (env: Readonly<Record<string, string>> = {}) => svc('start', ['--scale'], env);
const path = '/apis/apps/v1/namespaces/default/deployments/demo';

test('a deployment, the same again, another one, back, and gone', async () => {
  const first = await deploy();
  expect(first.code, first.stderr).toBe(0);
  expect(first.stdout).toMatch(/\nDeployed demo \d+\.\d+\.\d+ to here\/default\nURL: http:\/\/localhost:30001\/\n$/);
  expect(names()).toEqual([
    ...[
      'configmaps/demo-revisions',
      'deployments/demo',
      'namespaces/default',
      'secrets/demo-auth',
      'secrets/demo-secrets',
    ],
    ...['serviceaccounts/demo', 'services/demo-service'],
  ]);
  const generated = cluster.objects.get('/api/v1/namespaces/default/secrets/demo-auth').data.JWT_SECRET;
  expect(Buffer.from(generated, 'base64')).toHaveLength(64);

  cluster.changes.length = 0;
  expect((await deploy()).stdout).toContain('\nNothing to change\nURL: http://localhost:30001/\n');
  expect(cluster.changes).toEqual([]);

  const digest = () => cluster.objects.get(path).spec.template.metadata.annotations['svc.dev/config-digest'];
  const before = digest();
  expect((await deploy({ TOKEN: 'canary-2' })).code).toBe(0);
  expect(digest()).not.toBe(before);
  expect(cluster.objects.get('/api/v1/namespaces/default/secrets/demo-auth').data.JWT_SECRET).toBe(generated);

  const status = JSON.parse((await svc('status', ['--json'])).stdout);
  expect(status).toMatchObject({ name: 'demo', isHealthy: true, revision: { number: 2 }, drift: [] });
  expect(status.revisions.map(({ number }: any) => number)).toEqual([2, 1]);

  const back = await svc('rollback', ['--yes']);
  expect([back.code, back.stdout]).toEqual([0, expect.stringContaining('Rolled back to revision 1 in here/default\n')]);
  expect(digest()).toBe(before);
  expect((await svc('rollback', ['--to', '9', '--yes'])).stderr).toContain('svc: there is no revision 9\n');

  expect((await svc('destroy', ['--yes'])).code).toBe(0);
  expect(names()).toEqual(['namespaces/default']);
  expect(await svc('destroy', ['--yes'])).toMatchObject({
    code: 0,
    stdout: 'Nothing to destroy for demo in default\n',
  });
});

test('no secret is in what is stored but in Secrets', async () => {
  await deploy();
  for (const [at, object] of cluster.objects)
    if (!at.includes('/secrets/')) expect(JSON.stringify(object)).not.toContain('canary');
  const { binaryData } = cluster.objects.get('/api/v1/namespaces/default/configmaps/demo-revisions');
  const { gunzipSync } = await import('node:zlib');
  const revision = gunzipSync(Buffer.from(binaryData['revision-1'], 'base64')).toString();
  expect(revision).toContain('"kind":"Deployment"');
  expect(revision).not.toMatch(/canary|Y2FuYXJ5/);
});

test('a right that is missing is told before anything changes', async () => {
  cluster.denied.add('create secrets').add('patch deployments');
  const { code, stderr } = await deploy();
  expect([code, stderr]).toEqual([
    7,
    expect.stringContaining(
      'svc: not allowed to create secrets in namespace default\n  hint: nor to patch deployments.apps\n',
    ),
  ]);
  expect(cluster.changes).toEqual([]);
});

test('somebody else deploys; a turn that nobody renews is free after a minute', async () => {
  const lease = (renewed: number) => ({
    metadata: { name: 'demo-deploy', resourceVersion: '1', labels: { app: 'demo', managed: 'svc-scale' } },
    spec: {
      holderIdentity: 'bob@there#1',
      leaseDurationSeconds: 60,
      acquireTime: new Date(renewed).toISOString(),
      renewTime: new Date(renewed).toISOString(),
    },
  });
  const at = '/apis/coordination.k8s.io/v1/namespaces/default/leases/demo-deploy';
  cluster.objects.set(at, lease(Date.now()));
  const { code, stderr } = await deploy();
  expect([code, stderr]).toEqual([5, expect.stringMatching(/^svc: bob@there is deploying since \d\d:\d\d:\d\d$/m)]);
  expect(cluster.changes).toEqual([]);
  cluster.objects.set(at, lease(Date.now() - 61_000));
  expect((await deploy()).code).toBe(0);
  expect(cluster.objects.has(at)).toBe(false);
});

test('objects of others are never touched', async () => {
  const foreign = { kind: 'Service', metadata: { name: 'demo-service', labels: { app: 'demo' } }, spec: {} };
  cluster.objects.set('/api/v1/namespaces/default/services/demo-service', foreign);
  const { code, stderr } = await deploy();
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining('svc: Service demo-service exists and is not managed by svc\n'),
  ]);
  expect(cluster.changes).toEqual([]);
});

test('a lease and a memory of others are not taken for ours, by a deployment or its end', async () => {
  const foreign = {
    Lease: '/apis/coordination.k8s.io/v1/namespaces/default/leases/demo-deploy',
    ConfigMap: '/api/v1/namespaces/default/configmaps/demo-revisions',
  };
  for (const [kind, at] of Object.entries(foreign)) {
    const name = at.split('/').at(-1)!;
    const object = { kind, metadata: { name, labels: { app: 'demo' } }, spec: {}, binaryData: { theirs: 'AA==' } };
    const before = structuredClone(object);
    cluster.objects.set(at, object);
    const { code, stderr } = await deploy();
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining(`svc: ${kind} ${name} exists and is not managed by svc\n`),
    ]);
    expect(cluster.objects.get(at)).toEqual(before);
    expect(cluster.changes).toEqual([]);
    cluster.objects.delete(at);
  }
  await deploy();
  const lease = { kind: 'Lease', metadata: { name: 'demo-deploy', labels: {} }, spec: {} };
  cluster.objects.set(foreign.Lease, lease);
  const ended = await svc('destroy', ['--yes']);
  expect([ended.code, ended.stderr]).toEqual([
    5,
    expect.stringContaining('svc: Lease demo-deploy exists and is not managed by svc\n'),
  ]);
  expect(cluster.objects.get(foreign.Lease)).toEqual(lease);
});

test('a rollout that cannot succeed ends with its reason, one that is slow with its time', async () => {
  await deploy();
  cluster.statusOf = () => ({ observedGeneration: 1, replicas: 2, updatedReplicas: 1, availableReplicas: 1 });
  const set = { metadata: { name: 's', uid: 's', labels: { app: 'demo', 'svc.dev/component': 'app' } } };
  const live = cluster.objects.get(path);
  cluster.objects.set('/apis/apps/v1/namespaces/default/replicasets/s', {
    ...set,
    metadata: { ...set.metadata, ownerReferences: [{ uid: live.metadata.uid }] },
  });
  const slow = await deploy({ TOKEN: 'canary-3', SVC_ORCHESTRATOR_ROLLOUT_TIMEOUT_SECONDS: '1' });
  expect([slow.code, slow.stderr]).toEqual([
    6,
    expect.stringContaining('svc: demo did not become ready in 1 s (replicas 1/1 updated'),
  ]);
  cluster.objects.set('/api/v1/namespaces/default/pods/p', {
    metadata: { name: 'p', labels: set.metadata.labels, ownerReferences: [{ uid: 's' }] },
    status: {
      containerStatuses: [
        { name: 'app', image, restartCount: 0, state: { waiting: { reason: 'ImagePullBackOff', message: 'denied' } } },
      ],
    },
  });
  const stuck = await deploy({ TOKEN: 'canary-4' });
  expect([stuck.code, stuck.stderr]).toEqual([
    5,
    expect.stringContaining(
      `svc: pod p cannot pull image ${image}: denied\n  hint: the version before keeps serving; svc rollback main.svc goes back to it\n`,
    ),
  ]);
});

test('credentials that are refused are not asked for ever, and passing errors are', async () => {
  let refused = 0;
  cluster.intercept = ({ authorization }) => {
    expect(authorization).toBe('Bearer canary-token');
    refused++;
    return 401;
  };
  const { code, stderr } = await deploy();
  expect([code, stderr]).toEqual([
    7,
    expect.stringContaining('svc: the cluster does not accept the credentials of context here\n'),
  ]);
  expect(refused).toBe(2);
  let left = 3;
  cluster.intercept = ({ line }) => (line.startsWith('PATCH') && left-- > 0 ? 503 : undefined);
  const away = await deploy();
  expect([away.code, away.stderr]).toEqual([
    0,
    expect.stringContaining('note: the cluster does not answer (injected 503); trying again\n'),
  ]);
});

test('a dry run compares with what is deployed, and changes nothing', async () => {
  const fresh = await svc('start', ['--scale', '--dry-run']);
  expect(fresh.stderr).toContain('plan for namespace default, compared with nothing: 5 to create\n');
  await deploy();
  cluster.changes.length = 0;
  const { code, stdout, stderr } = await svc('start', ['--scale', '--plan'], { TOKEN: 'canary-55' });
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('\n  TOKEN: "(9 bytes)"\n');
  expect(stderr).toContain('~ Secret demo-secrets\n    data.TOKEN: (hidden) -> (hidden, another)\n');
  expect(stderr).toMatch(/\n {4}spec\.template\.metadata\.annotations\.svc\.dev\/config-digest: \w+ -> \w+\n/);
  expect(stderr).toMatch(/\nplan for here\/default: 2 to change, 3 to keep\ndigest: [0-9a-f]{64}\nrights: /);
  expect(cluster.changes).toEqual([]);
});
