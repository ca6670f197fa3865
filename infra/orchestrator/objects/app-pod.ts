/** The pod of the application (docs/server/orchestrator.md#pod). */
import { appDirectory, commandLine, type DeployedApp } from '../deployment.ts';
import type { Container, EnvVariable, PodSpec, Probe, Resources, Volume, VolumeMount } from '../kubernetes.ts';
import { bundleNames } from './bundle-maps.ts';
import { databaseVariables } from './databases.ts';
import { appSecrets } from './secrets.ts';
import { containerSecurity, podSecurity } from './security.ts';
import { unpackScript } from './unpack-script.ts';

const user = 10_001;

export function appPod(app: DeployedApp): PodSpec {
  const pull = [...app.settings.imagePullSecrets, ...(app.pullSecret === undefined ? [] : [`${app.name}-registry`])];
  return {
    serviceAccountName: app.name,
    ...podSecurity(user),
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 30,
    ...(pull.length === 0 ? {} : { imagePullSecrets: pull.map((name) => ({ name })) }),
    ...(app.source.kind === 'bundle' ? { initContainers: [unpacker(app, app.source)] } : {}),
    containers: [appContainer(app)],
    volumes: volumes(app),
  };
}

function appContainer(app: DeployedApp): Container {
  const { settings, source } = app;
  const port = String(settings.containerPort);
  const own = appSecrets(app)
    .filter(({ type }) => type === 'Opaque')
    .map(({ metadata }) => ({ secretRef: { name: metadata.name } }));
  return {
    name: 'app',
    image: source.image,
    ...(source.kind === 'bundle' ? { command: ['node', commandLine], workingDir: appDirectory } : {}),
    args: ['start', app.entry, '--host', '0.0.0.0', '--port', port],
    ports: [{ name: 'http', containerPort: settings.containerPort }],
    ...(own.length === 0 ? {} : { envFrom: own }),
    env: environment(app),
    resources: resources(app),
    readinessProbe: probe(settings.readinessPath, settings.readinessInitialDelay, settings.readinessPeriod),
    livenessProbe: {
      ...probe(settings.livenessPath, settings.livenessInitialDelay, settings.livenessPeriod),
      failureThreshold: settings.livenessFailureThreshold,
    },
    securityContext: containerSecurity,
    volumeMounts: mounts(app),
  };
}

/**
 * Variables here come before those of Secrets, so a database's address is left to `A-secrets` when that has one
 * (docs/server/orchestrator.md#databases).
 */
function environment(app: DeployedApp): EnvVariable[] {
  const plain = { SVC_ENV: 'production', ...app.env };
  const addresses = databaseVariables(app).filter(({ name }) => !(name in app.secrets) && !(name in plain));
  return [...addresses, ...Object.entries(plain).map(([name, value]) => ({ name, value }))];
}

function resources({ settings }: DeployedApp): Resources {
  const given = (cpu: string, memory: string) => ({
    ...(cpu === '' ? {} : { cpu }),
    ...(memory === '' ? {} : { memory }),
  });
  const requests = given(settings.cpuRequest, settings.memoryRequest);
  const limits = given(settings.cpuLimit, settings.memoryLimit);
  return {
    ...(Object.keys(requests).length === 0 ? {} : { requests }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
}

function probe(path: string, initialDelaySeconds: number, periodSeconds: number): Probe {
  return { httpGet: { path, port: 'http' }, initialDelaySeconds, periodSeconds, timeoutSeconds: 5 };
}

// Uploads are spooled in /tmp, which the read-only root file system would not take (decisions/0186).
const temporary: VolumeMount = { name: 'tmp', mountPath: '/tmp' };

function mounts({ source, settings, filesPath }: DeployedApp): VolumeMount[] {
  const state = `${appDirectory}/.svc`;
  const kept: VolumeMount[] =
    settings.storageSize === ''
      ? [
          { name: 'data', mountPath: state },
          { name: 'files', mountPath: filesPath },
        ]
      : [
          { name: 'data', mountPath: state, subPath: 'svc' },
          { name: 'data', mountPath: filesPath, subPath: 'storage' },
        ];
  const app: VolumeMount[] = source.kind === 'bundle' ? [{ name: 'app', mountPath: appDirectory, readOnly: true }] : [];
  return [...app, ...kept, temporary];
}

function volumes({ name, source, settings }: DeployedApp): Volume[] {
  const kept: Volume[] =
    settings.storageSize === ''
      ? [
          { name: 'data', emptyDir: {} },
          { name: 'files', emptyDir: {} },
        ]
      : [{ name: 'data', persistentVolumeClaim: { claimName: `${name}-data` } }];
  const bundle: Volume[] =
    source.kind === 'bundle'
      ? [
          { name: 'app', emptyDir: {} },
          {
            name: 'bundle',
            projected: { sources: bundleNames(name, source).map((part) => ({ configMap: { name: part } })) },
          },
        ]
      : [];
  return [...bundle, ...kept, { name: 'tmp', emptyDir: {} }];
}

/**
 * Puts the application and its packages where the application's own container finds them, read-only
 * (docs/server/orchestrator.md#bundle).
 */
function unpacker(app: DeployedApp, source: DeployedApp['source'] & { kind: 'bundle' }): Container {
  const variables = {
    APP_DIR: appDirectory,
    BUNDLE_DIR: '/bundle',
    BUNDLE_SHA256: source.sha256,
    FILES_DIR: app.filesPath.startsWith(`${appDirectory}/`) ? app.filesPath : `${appDirectory}/.svc`,
  };
  return {
    name: 'unpack',
    image: source.image,
    command: ['sh', '-c', unpackScript],
    env: Object.entries({ ...app.env, ...variables }).map(([name, value]) => ({ name, value })),
    resources: {},
    securityContext: containerSecurity,
    volumeMounts: [
      { name: 'app', mountPath: appDirectory },
      { name: 'bundle', mountPath: '/bundle', readOnly: true },
      temporary,
    ],
  };
}
