/** Object by object what docs/server/orchestrator.md says. */
import { describe, expect, test } from 'vitest';
import type { OrchestratorConfig } from '../../core/config/config.ts';
import { defaultConfig } from '../../core/config/resolve.ts';
import type { DeployedApp } from './deployment.ts';
import type { KubeObject } from './kubernetes.ts';
import { makePlan, unpinnedImages } from './plan.ts';

const { orchestrator } = defaultConfig().scale;

function appOf(more: Partial<DeployedApp> = {}, settings: Partial<OrchestratorConfig> = {}): DeployedApp {
  return {
    name: 'demo',
    version: '1.2.0',
    settings: { ...orchestrator, appName: 'demo', ...settings },
    entry: 'main.svc',
    prefix: '',
    filesPath: '/app/storage',
    sourceDigest: 'f00d',
    source: { kind: 'image', image: 'registry/demo@sha256:digest' },
    store: 'sqlite',
    secrets: { API_TOKEN: 'twelve bytes' },
    settingsSecrets: {},
    makesJwtSecret: true,
    env: {},
    ...more,
  };
}

const bundle = {
  kind: 'bundle',
  image: 'node@sha256:base',
  parts: [Buffer.from('one'), Buffer.from('two')],
  sha256: 'abc',
} as const;

const labels = {
  app: 'demo',
  managed: 'svc-scale',
  'app.kubernetes.io/name': 'demo',
  'app.kubernetes.io/managed-by': 'svc-scale',
  'app.kubernetes.io/version': '1.2.0',
};
const metadata = (name: string) => ({
  name,
  namespace: 'default',
  labels,
  annotations: { 'svc.dev/source-digest': 'f00d' },
});

function find(app: DeployedApp, kind: KubeObject['kind'], name: string): any {
  return makePlan(app).find((object) => object.kind === kind && object.metadata.name === name);
}
const pod = (app: DeployedApp) => find(app, 'Deployment', 'demo').spec.template.spec;
const container = (app: DeployedApp) => pod(app).containers[0];
const names = (app: DeployedApp) => makePlan(app).map(({ kind, metadata }) => `${kind} ${metadata.name}`);

test('every container of every pod has a place for temporary files', () => {
  const both = { docdb: { ...orchestrator.docdb, enabled: true }, kvcache: { ...orchestrator.kvcache, enabled: true } };
  const apps = [appOf(), appOf({ source: bundle, store: 'docdb' }, both)];
  const pods = apps.flatMap((app) => makePlan(app).flatMap((object: any) => object.spec?.template?.spec ?? []));
  const containers = pods.flatMap((spec) => [...(spec.initContainers ?? []), ...spec.containers]);
  expect(containers.length).toBeGreaterThan(5);
  for (const { name, volumeMounts } of containers)
    expect([name, volumeMounts]).toEqual([name, expect.arrayContaining([{ name: 'tmp', mountPath: '/tmp' }])]);
  for (const { volumes } of pods) expect(volumes).toContainEqual({ name: 'tmp', emptyDir: {} });
});

describe('the application', () => {
  test('its Deployment is what the reference says of pods, with the default seccomp profile and a place for temporary files', () => {
    const app = appOf();
    const digest = find(app, 'Deployment', 'demo').spec.template.metadata.annotations['svc.dev/config-digest'];
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(find(app, 'Deployment', 'demo')).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: metadata('demo'),
      spec: {
        replicas: 1,
        revisionHistoryLimit: 5,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        selector: { matchLabels: { app: 'demo', 'svc.dev/component': 'app' } },
        template: {
          metadata: {
            labels: { app: 'demo', managed: 'svc-scale', 'svc.dev/component': 'app' },
            annotations: { 'svc.dev/config-digest': digest },
          },
          spec: {
            serviceAccountName: 'demo',
            automountServiceAccountToken: false,
            enableServiceLinks: false,
            terminationGracePeriodSeconds: 30,
            securityContext: {
              runAsNonRoot: true,
              runAsUser: 10001,
              fsGroup: 10001,
              seccompProfile: { type: 'RuntimeDefault' },
            },
            containers: [
              {
                name: 'app',
                image: 'registry/demo@sha256:digest',
                args: ['start', 'main.svc', '--host', '0.0.0.0', '--port', '8000'],
                ports: [{ name: 'http', containerPort: 8000 }],
                envFrom: [{ secretRef: { name: 'demo-auth' } }, { secretRef: { name: 'demo-secrets' } }],
                env: [{ name: 'SVC_ENV', value: 'production' }],
                resources: {},
                readinessProbe: {
                  httpGet: { path: '/healthz/ready', port: 'http' },
                  initialDelaySeconds: 10,
                  periodSeconds: 20,
                  timeoutSeconds: 5,
                },
                livenessProbe: {
                  httpGet: { path: '/healthz/live', port: 'http' },
                  initialDelaySeconds: 10,
                  periodSeconds: 20,
                  failureThreshold: 80,
                  timeoutSeconds: 5,
                },
                securityContext: {
                  allowPrivilegeEscalation: false,
                  readOnlyRootFilesystem: true,
                  capabilities: { drop: ['ALL'] },
                },
                volumeMounts: [
                  { name: 'data', mountPath: '/app/.svc' },
                  { name: 'files', mountPath: '/app/storage' },
                  { name: 'tmp', mountPath: '/tmp' },
                ],
              },
            ],
            volumes: [
              { name: 'data', emptyDir: {} },
              { name: 'files', emptyDir: {} },
              { name: 'tmp', emptyDir: {} },
            ],
          },
        },
      },
    });
  });

  test('its other objects', () => {
    const app = appOf();
    expect(names(app)).toEqual([
      'ServiceAccount demo',
      'Secret demo-auth',
      'Secret demo-secrets',
      'Service demo-service',
      'Deployment demo',
    ]);
    expect(find(app, 'ServiceAccount', 'demo')).toMatchObject({
      metadata: metadata('demo'),
      automountServiceAccountToken: false,
    });
    expect(find(app, 'Secret', 'demo-auth')).toMatchObject({
      type: 'Opaque',
      values: { JWT_SECRET: { generated: 'base64', characters: 64 } },
    });
    expect(find(app, 'Secret', 'demo-secrets').values).toEqual({ API_TOKEN: { text: 'twelve bytes' } });
    expect(find(app, 'Service', 'demo-service')).toEqual({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: metadata('demo-service'),
      spec: {
        type: 'NodePort',
        selector: { app: 'demo', 'svc.dev/component': 'app' },
        ports: [{ name: 'http', port: 8000, targetPort: 8000, nodePort: 30_001 }],
      },
    });
  });

  test('every object has all labels and the digest of the source', () => {
    const all = { replicas: 2, storageSize: '5Gi', docdb: { ...orchestrator.docdb, enabled: true } };
    for (const object of makePlan(appOf({ source: bundle, pullSecret: '{}' }, all)))
      expect(object.metadata).toEqual(metadata(object.metadata.name));
  });

  test('probes, resources, ports, replicas and the kind of service are settings', () => {
    const app = appOf(
      { store: 'docdb' },
      {
        cpuLimit: '500m',
        memoryRequest: '1Gi',
        readinessPath: '/ready',
        readinessPeriod: 7,
        livenessInitialDelay: 3,
        livenessFailureThreshold: 4,
        containerPort: 9000,
        serviceType: 'ClusterIP',
        replicas: 3,
        namespace: 'shop',
      },
    );
    const { resources, readinessProbe, livenessProbe, args, ports } = container(app);
    expect(resources).toEqual({ limits: { cpu: '500m' }, requests: { memory: '1Gi' } });
    expect(readinessProbe).toMatchObject({ httpGet: { path: '/ready' }, initialDelaySeconds: 10, periodSeconds: 7 });
    expect(livenessProbe).toMatchObject({ initialDelaySeconds: 3, periodSeconds: 20, failureThreshold: 4 });
    expect([args.at(-1), ports[0].containerPort]).toEqual(['9000', 9000]);
    expect(find(app, 'Service', 'demo-service').spec).toMatchObject({
      type: 'ClusterIP',
      ports: [{ name: 'http', port: 9000, targetPort: 9000 }],
    });
    expect(find(app, 'Service', 'demo-service').spec.ports[0]).not.toHaveProperty('nodePort');
    expect(find(app, 'PodDisruptionBudget', 'demo').spec).toEqual({
      maxUnavailable: 1,
      selector: { matchLabels: { app: 'demo', 'svc.dev/component': 'app' } },
    });
    expect(new Set(makePlan(app).map((object) => object.metadata.namespace))).toEqual(new Set(['shop']));
  });

  test('with a volume the pod is replaced in place', () => {
    const app = appOf({}, { storageSize: '5Gi' });
    expect(find(app, 'PersistentVolumeClaim', 'demo-data').spec).toEqual({
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '5Gi' } },
    });
    expect(find(app, 'Deployment', 'demo').spec.strategy).toEqual({ type: 'Recreate' });
    expect(pod(app).volumes[0]).toEqual({ name: 'data', persistentVolumeClaim: { claimName: 'demo-data' } });
    expect(container(app).volumeMounts.slice(0, 2)).toEqual([
      { name: 'data', mountPath: '/app/.svc', subPath: 'svc' },
      { name: 'data', mountPath: '/app/storage', subPath: 'storage' },
    ]);
  });

  test('a table without secrets makes no Secret, and configured keys none are generated beside', () => {
    expect(names(appOf({ secrets: {}, makesJwtSecret: false }))).not.toContainEqual(expect.stringMatching(/^Secret/));
    expect(container(appOf({ secrets: {}, makesJwtSecret: false }))).not.toHaveProperty('envFrom');
    const app = appOf({ makesJwtSecret: false, settingsSecrets: { WEBHOOK_SECRET: 'of the file' } });
    expect(find(app, 'Secret', 'demo-auth').values).toEqual({ WEBHOOK_SECRET: { text: 'of the file' } });
  });

  test('secrets for pulling', () => {
    const app = appOf({ pullSecret: '{"auths":{}}' }, { imagePullSecrets: ['mine'] });
    expect(find(app, 'Secret', 'demo-registry')).toMatchObject({
      type: 'kubernetes.io/dockerconfigjson',
      values: { '.dockerconfigjson': { text: '{"auths":{}}' } },
    });
    expect(pod(app).imagePullSecrets).toEqual([{ name: 'mine' }, { name: 'demo-registry' }]);
    expect(container(app).envFrom).toHaveLength(2);
  });

  test('pods are replaced when the bundle, a secret or the environment changes, and only then', () => {
    const digest = (app: DeployedApp) =>
      find(app, 'Deployment', 'demo').spec.template.metadata.annotations['svc.dev/config-digest'];
    const first = appOf({ source: bundle });
    expect(digest(appOf({ source: bundle }))).toBe(digest(first));
    const others = [
      appOf({ source: { ...bundle, sha256: 'abd' } }),
      appOf({ source: bundle, secrets: { API_TOKEN: 'other' } }),
      appOf({ source: bundle, settingsSecrets: { WEBHOOK_SECRET: 'x' } }),
      appOf({ source: bundle, env: { LOG_STYLE: 'compact' } }),
    ];
    expect(new Set([first, ...others].map(digest)).size).toBe(5);
  });
});

describe('a bundle', () => {
  test('is in ConfigMaps, and an init container puts it where the application reads only', () => {
    const app = appOf({ source: bundle, env: { npm_config_registry: 'https://npm.example/' } });
    expect(find(app, 'ConfigMap', 'demo-bundle-abc-1').binaries).toEqual({ 'part-01': Buffer.from('one') });
    expect(find(app, 'ConfigMap', 'demo-bundle-abc-2').binaries).toEqual({ 'part-02': Buffer.from('two') });
    const { initContainers, volumes } = pod(app);
    expect(initContainers).toHaveLength(1);
    expect(initContainers[0]).toMatchObject({
      image: 'node@sha256:base',
      command: ['sh', '-c', expect.stringContaining('npm ci --omit=dev --ignore-scripts')],
      volumeMounts: [
        { name: 'app', mountPath: '/app' },
        { name: 'bundle', mountPath: '/bundle', readOnly: true },
        { name: 'tmp', mountPath: '/tmp' },
      ],
    });
    expect(initContainers[0].env).toEqual([
      { name: 'npm_config_registry', value: 'https://npm.example/' },
      { name: 'APP_DIR', value: '/app' },
      { name: 'BUNDLE_DIR', value: '/bundle' },
      { name: 'BUNDLE_SHA256', value: 'abc' },
      { name: 'FILES_DIR', value: '/app/storage' },
    ]);
    expect(volumes.slice(0, 2)).toEqual([
      { name: 'app', emptyDir: {} },
      {
        name: 'bundle',
        projected: {
          sources: [{ configMap: { name: 'demo-bundle-abc-1' } }, { configMap: { name: 'demo-bundle-abc-2' } }],
        },
      },
    ]);
    expect(container(app)).toMatchObject({
      image: 'node@sha256:base',
      command: ['node', 'node_modules/svc-scale/bin/svc.mjs'],
      workingDir: '/app',
    });
    expect(container(app).volumeMounts[0]).toEqual({ name: 'app', mountPath: '/app', readOnly: true });
  });
});

describe('databases', () => {
  const databases = {
    docdb: { ...orchestrator.docdb, enabled: true, image: 'mongo@sha256:d' },
    kvcache: { ...orchestrator.kvcache, enabled: true, image: 'valkey@sha256:k', storageClass: 'fast' },
  };
  const app = appOf({ store: 'docdb' }, databases);

  test('none unless asked for', () => {
    expect(names(appOf())).not.toContainEqual(expect.stringMatching(/docdb|kvcache|StatefulSet/));
  });

  test('a Secret, a headless Service and a StatefulSet each', () => {
    expect(names(app)).toEqual([
      'ServiceAccount demo',
      'Secret demo-docdb-auth',
      'Service demo-docdb-service',
      'StatefulSet demo-docdb',
      'Secret demo-kvcache-auth',
      'Service demo-kvcache-service',
      'StatefulSet demo-kvcache',
      'Secret demo-auth',
      'Secret demo-secrets',
      'Service demo-service',
      'Deployment demo',
    ]);
    expect(find(app, 'Service', 'demo-docdb-service').spec).toEqual({
      type: 'ClusterIP',
      clusterIP: 'None',
      selector: { app: 'demo', 'svc.dev/component': 'docdb' },
      ports: [{ name: 'docdb', port: 27_017, targetPort: 27_017 }],
    });
  });

  test('the document database is a replica set of one, with a password and a key file', () => {
    expect(find(app, 'Secret', 'demo-docdb-auth').values).toEqual({
      username: { text: 'svc' },
      password: { generated: 'letters and digits', characters: 32 },
      keyfile: { generated: 'base64', characters: 756 },
      DOCDB_URI: {
        composed: [
          'mongodb://svc:',
          { value: 'password' },
          '@demo-docdb-service:27017/?authSource=admin&directConnection=true',
        ],
      },
    });
    const { spec } = find(app, 'StatefulSet', 'demo-docdb');
    expect(spec).toMatchObject({ replicas: 1, serviceName: 'demo-docdb-service' });
    const { initContainers, containers } = spec.template.spec;
    expect(initContainers[0].command[2]).toContain('rs.initiate');
    expect(containers[0].image).toBe('mongo@sha256:d');
    expect(containers[0].command).toEqual(expect.arrayContaining(['--replSet', '--auth', '--keyFile']));
    expect(containers[0].readinessProbe.exec.command.join(' ')).toContain('ping');
    expect(spec.volumeClaimTemplates[0].spec).toEqual({
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '5Gi' } },
    });
  });

  test('the key-value store keeps an append-only file and evicts only what expires', () => {
    const { spec } = find(app, 'StatefulSet', 'demo-kvcache');
    const [main] = spec.template.spec.containers;
    expect(main.command[2]).toContain('appendonly yes');
    expect(main.command[2]).toContain('maxmemory-policy volatile-lru');
    expect(spec.volumeClaimTemplates[0].spec).toMatchObject({
      storageClassName: 'fast',
      resources: { requests: { storage: '1Gi' } },
    });
  });

  test('the application gets their addresses, unless its secrets or its environment have some', () => {
    const address = (name: string, component: string) => ({
      name,
      valueFrom: { secretKeyRef: { name: `demo-${component}-auth`, key: name } },
    });
    const production = { name: 'SVC_ENV', value: 'production' };
    expect(container(app).env).toEqual([address('DOCDB_URI', 'docdb'), address('KVCACHE_URL', 'kvcache'), production]);
    const own = appOf({ secrets: { DOCDB_URI: 'mongodb://x' }, env: { KVCACHE_URL: 'redis://y' } }, databases);
    expect(container(own).env).toEqual([production, { name: 'KVCACHE_URL', value: 'redis://y' }]);
  });
});

test('images that a tag names are known', () => {
  expect(unpinnedImages(makePlan(appOf()))).toEqual([]);
  const docdb = { ...orchestrator.docdb, enabled: true };
  const tagged = appOf({ source: { ...bundle, image: 'node:22-slim' } }, { docdb });
  expect(unpinnedImages(makePlan(tagged))).toEqual(['mongo:7', 'node:22-slim']);
});
