/** Rollouts under load, exactly the rights that are printed, and every kind of object, on a real control plane. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultConfig } from '../../../core/config/resolve.ts';
import { pathOf } from '../../../infra/cluster/kinds.ts';
import { findCluster } from '../../../infra/cluster/kubeconfig.ts';
import { openOrchestrator } from '../../../infra/targets/orchestrator/orchestrator.ts';
import { startMongo } from '../../harness/mongo/mongo-server.ts';
import { repository } from '../../harness/server.ts';
import { folderWith, spawnSvc } from '../../harness/svc-process.ts';
import { type Cluster, hasNoCluster, startCluster, testImages } from './cluster.ts';
import { users } from './control-plane.ts';
import { nodeAddress } from './node-agent.ts';

const { loadAll } = createRequire(join(repository, 'test/cloud/package.json'))('js-yaml');

const programOf = (field: string) => `
node Note { has text: str;${field} }
walker:pub AddNote { has text: str; can add with Root entry { root.shared ++> Note(text=self.text); report "added"; } }
walker:pub CountNotes { can count with Root entry { report len([root.shared -->[?:Note]]); } }
`;
const settings = `
[project]
name = "notes"
[plugins.scale.orchestrator]
image = "${testImages.app}"
replicas = 2
readiness_initial_delay = 1
readiness_period = 1
[plugins.scale.secrets]
DOCDB_URI = "\${DOCDB_URI}"
GREETING = "\${GREETING}"
`;

describe.skipIf(hasNoCluster())('a deployment on a real control plane', () => {
  let cluster: Cluster;
  let folder: ReturnType<typeof folderWith>;

  beforeAll(async () => {
    folder = folderWith({ 'main.svc': programOf(''), 'svc.toml': settings });
    cluster = await startCluster(folder.path);
  }, 300_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    folder?.[Symbol.dispose]();
  }, 60_000);

  const svc = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const [command, ...more] = args;
    await using child = spawnSvc([command!, 'main.svc', ...more], {
      cwd: folder.path,
      env: { ...cluster.env, ...env },
    });
    const code = await child.exited;
    return { code, stdout: child.stdout(), stderr: child.stderr() };
  };
  const call = async (walker: string, body: object = {}): Promise<any> => {
    const answer = await fetch(`http://${nodeAddress}:30001/walker/${walker}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify(body),
    });
    const { ok, reports } = (await answer.json()) as any;
    return ok ? reports[0] : `status ${answer.status}`;
  };

  test('changes of a secret, of code and of a stored type under load lose no request and no write', async () => {
    await using mongo = await startMongo();
    const env = (greeting: string) => ({ DOCDB_URI: mongo.uri, GREETING: greeting });
    const first = await svc(['start', '--scale'], env('one'));
    expect(first.code, first.stderr).toBe(0);
    let isOver = false;
    let sent = 0;
    const failed: string[] = [];
    const load = async () => {
      while (!isOver) {
        const answer = await call('AddNote', { text: `note ${++sent}` }).catch((error) => String(error.cause ?? error));
        if (answer !== 'added') failed.push(answer);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const running = [load(), load()];
    const changes = [
      ['a secret', () => {}, 'two'],
      ['the code', () => writeFileSync(join(folder.path, 'main.svc'), `${programOf('')}# changed\n`), 'two'],
      ['a stored type', () => writeFileSync(join(folder.path, 'main.svc'), programOf(' has stars: int = 3;')), 'two'],
    ] as const;
    for (const [name, change, greeting] of changes) {
      change();
      const before = sent;
      const { code, stdout, stderr } = await svc(['start', '--scale'], env(greeting));
      expect([name, code], stdout + stderr).toEqual([name, 0]);
      process.stderr.write(`rollout of ${name}: ${sent - before} requests, ${failed.length} failed\n`);
    }
    isOver = true;
    await Promise.all(running);
    expect(failed).toEqual([]);
    expect(await call('CountNotes')).toBe(sent);
    const gone = await svc(['destroy', '--yes'], env('two'));
    expect(gone.code, gone.stderr).toBe(0);
  }, 300_000);

  test('needs exactly the rights that a dry run prints', async () => {
    const env = {
      ...{ DOCDB_URI: 'mongodb://nowhere', GREETING: 'x', ORCH_NAMESPACE: 'rights', ORCH_NODE_PORT: '30004' },
      SVC_ORCHESTRATOR_REPLICAS: '1',
      KUBECONFIG: cluster.plane.kubeconfigFor('ada', { token: users.ada }),
    };
    const one = (text: string) => text.replace(/^DOCDB_URI.*\n/m, '');
    writeFileSync(join(folder.path, 'svc.toml'), one(settings));
    await cluster.ask('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'rights' },
    });
    const shown = await svc(['start', '--scale', '--dry-run', '--offline'], env);
    const lines = /^rights: (.*)$/m
      .exec(shown.stderr)![1]!
      .split('; ')
      .filter((line) => !line.endsWith(' namespaces'));
    const rules = lines.map((line) => {
      const [verbs, name] = line.split(' ') as [string, string];
      const [resource, ...group] = name.split('.') as [string, ...string[]];
      return { verbs: verbs.split(','), apiGroups: [group.join('.')], resources: [resource] };
    });
    const path = '/apis/rbac.authorization.k8s.io/v1/namespaces/rights';
    const give = async (given: readonly object[]) => {
      const role = {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'deploy' },
        rules: given,
      };
      await cluster.ask(
        'PATCH',
        `${path}/roles/deploy?fieldManager=test&force=true`,
        role,
        'application/apply-patch+yaml',
      );
    };
    await give(rules);
    await cluster.ask('POST', `${path}/rolebindings`, {
      ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: { name: 'deploy' } },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'deploy' },
      subjects: [{ kind: 'User', name: 'ada', apiGroup: 'rbac.authorization.k8s.io' }],
    });
    for (const [at, { resources, verbs }] of rules.entries()) {
      await give(rules.filter((_, other) => other !== at));
      const { code, stderr } = await svc(['start', '--scale'], env);
      expect([resources[0], code, stderr]).toEqual([
        resources[0],
        7,
        expect.stringContaining(`svc: not allowed to ${verbs[0]} ${resources[0]} in namespace rights\n`),
      ]);
    }
    expect((await cluster.ask('GET', '/api/v1/namespaces/rights/secrets')).items).toEqual([]);
    await give(rules);
    const { code, stdout, stderr } = await svc(['start', '--scale'], env);
    expect(code, stdout + stderr).toBe(0);
    expect((await svc(['destroy', '--yes'], env)).code).toBe(0);
  }, 300_000);

  test('every kind of object is taken as it is, all fields known', async () => {
    const access = findCluster('', { KUBECONFIG: cluster.plane.kubeconfig });
    const signal = new AbortController().signal;
    const { orchestrator } = defaultConfig().scale;
    const enabled = <T extends object>(component: T) => ({ ...component, enabled: true });
    const target = openOrchestrator({
      ...{ access, signal, namespace: 'default', app: 'full', adopt: false, who: 'test', timeoutMs: 0, goBack: '' },
      onAway: () => {},
    });
    try {
      const plan = await target.plan({
        ...{
          name: 'full',
          version: '1.0.0',
          entry: 'main.svc',
          prefix: '',
          filesPath: '/app/storage',
          sourceDigest: 'f00d',
        },
        settings: {
          ...orchestrator,
          appName: 'full',
          ...{ host: 'app.example.org', ingressClass: 'nginx', tlsSecret: 'tls', storageSize: '1Gi', nodePort: 30_010 },
          ...{ cpuRequest: '100m', cpuLimit: '1', memoryRequest: '128Mi', memoryLimit: '512Mi' },
          autoscale: { min: 2, max: 5, cpu: 70 },
          imagePullSecrets: ['own'],
          docdb: enabled(orchestrator.docdb),
          kvcache: enabled(orchestrator.kvcache),
        },
        source: { kind: 'bundle', image: 'node@sha256:base', parts: [Buffer.from('one')], sha256: 'abcdef0123456789' },
        store: 'docdb',
        secrets: { API_TOKEN: 'canary' },
        settingsSecrets: {},
        makesJwtSecret: true,
        env: { LOG: 'x' },
        pullSecret: '{"auths":{}}',
      });
      expect(plan.changes.filter(({ kind }) => kind !== 'create')).toEqual([]);
      expect(new Set(plan.changes.map(({ object }) => object.split(' ')[0]))).toEqual(
        new Set([
          ...['ServiceAccount', 'Secret', 'Service', 'StatefulSet', 'ConfigMap', 'PersistentVolumeClaim'],
          ...['PodDisruptionBudget', 'Ingress', 'Deployment', 'HorizontalPodAutoscaler'],
        ]),
      );
      expect(JSON.stringify(plan.changes)).not.toContain('canary');
    } finally {
      target.close();
    }
  }, 60_000);

  /** Gives what the server says against an object, in a dry run that knows every field. */
  const refusal = async (object: any): Promise<string | undefined> => {
    const query = 'fieldManager=svc-scale&fieldValidation=Strict&dryRun=All';
    const path = `${pathOf(object.kind, 'default', object.metadata.name)}?${query}`;
    const answer = await cluster.ask('PATCH', path, object, 'application/apply-patch+yaml');
    return answer.kind === object.kind ? undefined : `${object.kind} ${object.metadata.name}: ${answer.message}`;
  };
  /** Values of Secrets and parts of bundles are shown by their sizes only: `{}` stands for each, which a pull secret may be. */
  const withValues = (object: any) => {
    const values = (shown?: object) =>
      shown === undefined ? {} : Object.fromEntries(Object.keys(shown).map((key) => [key, 'e30=']));
    const { data, binaryData, ...others } = { ...object, metadata: { ...object.metadata, namespace: 'default' } };
    return {
      ...others,
      ...(data === undefined ? {} : { data: values(data) }),
      ...(binaryData === undefined ? {} : { binaryData: values(binaryData) }),
    };
  };

  test.each(['small', 'full'])('every object of golden/%s.yaml is taken by a dry run of the server', async (name) => {
    const objects = loadAll(readFileSync(join(repository, `infra/orchestrator/golden/${name}.yaml`), 'utf8'));
    expect(objects.length).toBeGreaterThan(3);
    const refused = [];
    for (const object of objects) refused.push(await refusal(withValues(object)));
    expect(refused.filter((one) => one !== undefined)).toEqual([]);
    expect(await refusal({ ...withValues(objects[0]), spek: {} })).toContain('spek');
  });

  test('every object of the manifest that svc build writes is taken by a dry run of the server', async () => {
    using own = folderWith({ 'main.svc': programOf('') });
    await using child = spawnSvc(['build', 'main.svc', '--target', 'orchestrator', '--out', 'out'], {
      cwd: own.path,
      env: cluster.env,
    });
    expect(await child.exited, child.stderr()).toBe(0);
    const objects = loadAll(readFileSync(join(own.path, 'out/manifests.yaml'), 'utf8'));
    expect(objects.map(({ kind }: any) => kind)).toEqual(['ServiceAccount', 'ConfigMap', 'Service', 'Deployment']);
    for (const object of objects) expect(await refusal(object)).toBe(undefined);
  }, 60_000);
});
