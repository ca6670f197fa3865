/** The example application on a real control plane (docs/kubernetes.md): deployed, called, changed, gone back, and destroyed. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repository } from '../../harness/server.ts';
import { folderWith, spawnSvc } from '../../harness/svc-process.ts';
import { type Cluster, hasNoCluster, startCluster } from './cluster.ts';
import { nodeAddress } from './node-agent.ts';

describe.skipIf(hasNoCluster())('a deployment', () => {
  let cluster: Cluster;
  let folder: ReturnType<typeof folderWith>;
  let token: string;

  beforeAll(async () => {
    cluster = await startCluster();
    folder = folderWith({});
    // Its test in TypeScript would need a package that the index of these tests does not have.
    for (const name of ['main.svc', 'svc.toml'])
      cpSync(join(repository, 'examples/todo', name), join(folder.path, name));
    const settings = `
[plugins.scale.orchestrator]
namespace = "shop"
storage_size = "1Gi"
readiness_initial_delay = 1
readiness_period = 1

[plugins.scale.secrets]
GREETING = "\${GREETING}"
`;
    writeFileSync(join(folder.path, 'svc.toml'), readFileSync(join(folder.path, 'svc.toml'), 'utf8') + settings);
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
    folder?.[Symbol.dispose]();
  }, 60_000);

  const svc = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    await using child = spawnSvc(args, {
      cwd: folder.path,
      env: { ...cluster.env, GREETING: 'canary-greeting', ...env },
    });
    const code = await child.exited;
    return { code, stdout: child.stdout(), stderr: child.stderr() };
  };
  const address = `http://${nodeAddress}:30001`;
  const call = async (path: string, body?: object) => {
    const answer = await fetch(`${address}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as any;
  };

  test('serves', async () => {
    const { code, stdout, stderr } = await svc(['start', 'main.svc', '--scale']);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toContain('Cluster: tests  Namespace: shop\n');
    expect(stdout).toContain('Deployed todo 1.0.0 to tests/shop\nURL: http://localhost:30001/\n');
    token = (await call('/user/register', { email: 'ada@example.com', password: 'correct horse 1' })).access_token;
    expect((await call('/walker/AddTask', { title: 'buy milk' })).reports[0].title).toBe('buy milk');
  }, 300_000);

  test('is not applied again while nothing changes', async () => {
    const { code, stdout, stderr } = await svc(['start', 'main.svc', '--scale']);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('Nothing to change\n');
  }, 120_000);

  test('tells what runs, and what it logs', async () => {
    const { code, stdout, stderr } = await svc(['status', 'main.svc']);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^todo 1\.0\.0 in tests\/shop\n {2}serves: replicas 1\/1 updated, 1\/1 ready\n/);
    const logs = await svc(['logs', 'main.svc', '--tail', '5']);
    expect(logs.stdout).toMatch(/^todo-\w+-\w+ {2}\{/m);
  }, 120_000);

  test('takes a change of a stored type, with the data that are there', async () => {
    const path = join(folder.path, 'main.svc');
    const source = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      source.replace('    has done: bool = False;', '    has done: bool = False;\n    has stars: int = 3;'),
    );
    const { code, stdout, stderr } = await svc(['start', 'main.svc', '--scale']);
    expect(code, stdout + stderr).toBe(0);
    const { reports } = await call('/walker/ListTasks');
    expect(reports).toEqual([expect.objectContaining({ title: 'buy milk', stars: 3 })]);
  }, 300_000);

  test('goes back, asks before, and says what becomes of stored data', async () => {
    const asked = await svc(['rollback', 'main.svc']);
    expect([asked.code, asked.stdout]).toEqual([2, '']);
    const { code, stdout, stderr } = await svc(['rollback', 'main.svc', '--yes']);
    expect(code, stdout + stderr).toBe(0);
    expect(stderr).toMatch(/^back to revision 1: 1\.0\.0, /m);
    expect(stderr).toContain(
      'of the data that revision 2 has stored:\n  main.Task.stars: objects keep the value of a field that is gone beside it\n',
    );
    expect(stdout).toContain('Rolled back to revision 1 in tests/shop\n');
    const { reports } = await call('/walker/ListTasks');
    expect(reports[0].title).toBe('buy milk');
    expect('stars' in reports[0]).toBe(false);
  }, 300_000);

  test('does not go back to what it no longer has', async () => {
    const maps = '/api/v1/namespaces/shop/configmaps';
    const { spec } = await cluster.ask('GET', '/apis/apps/v1/namespaces/shop/deployments/todo');
    const { items } = await cluster.ask('GET', maps);
    const unused = items.find(
      ({ metadata }: any) => metadata.name.includes('-bundle-') && !JSON.stringify(spec).includes(metadata.name),
    ).metadata.name;
    await cluster.ask('DELETE', `${maps}/${unused}`);
    const { code, stderr } = await svc(['rollback', 'main.svc', '--to', '2', '--yes']);
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining(`svc: revision 2 cannot come back: its ConfigMap ${unused} is gone\n`),
    ]);
  }, 60_000);

  test('goes, and leaves the volume until told otherwise', async () => {
    const decoy = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'todo-decoy', labels: { app: 'todo' } } };
    await cluster.ask('POST', '/api/v1/namespaces/shop/configmaps', decoy);
    const { code, stdout, stderr } = await svc(['destroy', 'main.svc', '--yes']);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toContain('Kept, without --purge-data:\n  Secret todo-auth\n  PersistentVolumeClaim todo-data\n');
    const left = async (kind: string) =>
      ((await cluster.ask('GET', kind)).items ?? []).map(({ metadata }: any) => metadata.name);
    expect(await left('/apis/apps/v1/namespaces/shop/deployments')).toEqual([]);
    expect(await left('/api/v1/namespaces/shop/secrets')).toEqual(['todo-auth']);
    expect(await left('/api/v1/namespaces/shop/configmaps')).toEqual(['kube-root-ca.crt', 'todo-decoy']);
    const purged = await svc(['destroy', 'main.svc', '--yes', '--purge-data']);
    expect(purged.code, purged.stderr).toBe(0);
    expect(await left('/api/v1/namespaces/shop/secrets')).toEqual([]);
    expect(await left('/api/v1/namespaces/shop/configmaps')).toEqual(['kube-root-ca.crt', 'todo-decoy']);
    const again = await svc(['destroy', 'main.svc', '--yes', '--purge-data']);
    expect([again.code, again.stdout]).toEqual([0, 'Nothing to destroy for todo in shop\n']);
  }, 120_000);
});
