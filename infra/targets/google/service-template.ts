/** The service as Cloud Run takes it: https://cloud.google.com/run/docs/reference/rest/v2/projects.locations.services. Pure. */
import { createHash } from 'node:crypto';
import type { Texts } from '../../orchestrator/deployment.ts';
import { labelsOf as kubernetesLabels } from '../../orchestrator/objects/metadata.ts';
import { type GoogleApp, secretVariables } from './google-app.ts';
import { accountEmail, registryOf, secretId } from './place.ts';

/** Numbers of the versions of secrets by variable; a text where they are known only later. */
export type SecretVersions = Readonly<Record<string, string>>;

/** Members that are left out are `undefined`, so that a comparison finds what has gone. */
export function serviceTemplate(app: GoogleApp, project: string, image: string, versions: SecretVersions) {
  const { settings } = app;
  const sql = settings.cloudSqlInstance;
  return {
    labels: labelsOf(app),
    scaling: { minInstanceCount: settings.minInstances, maxInstanceCount: settings.maxInstances },
    vpcAccess:
      settings.vpcConnector === '' ? undefined : { connector: settings.vpcConnector, egress: 'PRIVATE_RANGES_ONLY' },
    timeout: `${settings.timeoutSeconds}s`,
    serviceAccount: settings.serviceAccount || accountEmail({ project, app: app.name }),
    containers: [container(app, image, versions)],
    volumes: sql === '' ? undefined : [{ name: 'cloudsql', cloudSqlInstance: { instances: [sql] } }],
    maxInstanceRequestConcurrency: settings.concurrency,
    sessionAffinity: app.hasSockets ? true : undefined,
  };
}

export type ServiceTemplate = ReturnType<typeof serviceTemplate>;

function container(app: GoogleApp, image: string, versions: SecretVersions) {
  const { settings, port, entry } = app;
  const probe = (path: string) => ({ httpGet: { path, port } });
  return {
    name: 'app',
    image,
    args: ['start', entry, '--host', '0.0.0.0', '--port', String(port)],
    env: environment(app, versions),
    resources: {
      limits: { cpu: settings.cpu, memory: settings.memory },
      cpuIdle: !settings.cpuAlways,
      startupCpuBoost: true,
    },
    ports: [{ name: 'http1', containerPort: port }],
    volumeMounts: settings.cloudSqlInstance === '' ? undefined : [{ name: 'cloudsql', mountPath: '/cloudsql' }],
    // Together four minutes, the longest that Cloud Run waits for a start.
    startupProbe: { ...probe(app.readinessPath), periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 120 },
    livenessProbe: { ...probe(app.livenessPath), periodSeconds: 20, timeoutSeconds: 5, failureThreshold: 3 },
  };
}

function environment(app: GoogleApp, versions: SecretVersions) {
  const plain: Texts = { SVC_ENV: 'production', SVC_ADAPTER: 'cloud_b', ...app.env };
  return [
    ...Object.entries(plain).map(([name, value]) => ({ name, value })),
    ...secretVariables(app).map((name) => ({
      name,
      valueSource: { secretKeyRef: { secret: secretId(app.name, name), version: versions[name] ?? 'new' } },
    })),
  ];
}

/** Labels of the orchestrator's objects, `app.kubernetes.io/name` as `app-kubernetes-io-name`: names have neither `.` nor `/` here. */
export function labelsOf({ name, version }: Pick<GoogleApp, 'name' | 'version'>): Texts {
  const there = Object.entries(kubernetesLabels(name, version));
  const here = there.map(([label, text]) => [label.replace(/[./]/g, '-'), labelText(text)]);
  return { ...Object.fromEntries(here), version: labelText(version) };
}

/** Values of labels are lower-case letters, digits, `_` and `-`, at most 63. */
function labelText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '_')
    .slice(0, 63);
}

/** Name of the image; before it is built, a tag of the source stands for its digest. */
export function imageName({ name, image, sourceDigest, settings }: GoogleApp, project: string): string {
  const { region, repository } = settings;
  const path = `${registryOf({ project, region, repository, app: name })}/${name}`;
  return image === undefined ? `${path}:${sourceTag(sourceDigest)}` : `${path}@${image.digest}`;
}

export function sourceTag(sourceDigest: string): string {
  return `source-${sourceDigest.slice(0, 12)}`;
}

/** Hexadecimal SHA-256 of what is wanted; of secrets their contents count, not the numbers of their versions. */
export function planDigest(app: GoogleApp, project: string): string {
  const { public: isPublic, repository } = app.settings;
  const template = serviceTemplate(app, project, imageName(app, project), {});
  const secrets = Object.entries(app.secrets).toSorted();
  return createHash('sha256')
    .update(JSON.stringify([template, isPublic, repository, secrets, app.makesJwtSecret]))
    .digest('hex');
}
