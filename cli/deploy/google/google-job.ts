/** Preparation of a deployment to Google Cloud: everything that may be wrong is found here, before anything is made. */
import type { ReadConfig } from '../../../adapters/config/read-config.ts';
import type { Config } from '../../../core/config/config.ts';
import { checkGoogle } from '../../../infra/check-deployment.ts';
import type { Files } from '../../../infra/files.ts';
import { projectOf } from '../../../infra/targets/google/access.ts';
import { tooLarge } from '../../../infra/targets/google/check-google.ts';
import type { GoogleApp } from '../../../infra/targets/google/google-app.ts';
import type { CommandArgs } from '../../command.ts';
import { CommandFailure } from '../../command-failure.ts';
import { exitCodes } from '../../exit-codes.ts';
import { reportConfig } from '../../report-config.ts';
import { type DeployJob, prepareDeploy } from '../deploy-job.ts';

export interface GoogleJob extends DeployJob {
  /** Everything but the image. */
  readonly app: Omit<GoogleApp, 'image' | 'sourceDigest'>;
}

/** @throws CommandFailure */
export async function prepareGoogle(args: CommandArgs): Promise<GoogleJob> {
  const { terminal } = args;
  const job = await prepareDeploy(args, 'start', (read) => {
    reportConfig({ problems: checkGoogle(read.config, read.whereOf), warnings: [] }, terminal);
    requirePlace(read);
    return asSeenThere(read.config);
  });
  const { input, read } = job;
  const secrets = { ...input.settingsSecrets, ...input.secrets };
  requireStore(job);
  const hasSockets = servesSockets(job);
  requireBus(job, secrets);
  const wrong = tooLarge(input.env, secrets);
  if (wrong.length > 0) throw new CommandFailure(exitCodes.invalid, 'this cannot be deployed', wrong.join('; '));
  if (read.config.storage.storageType === 'local')
    terminal.err(
      'warning: uploaded files are in the memory of an instance and are lost with it: [storage] storage_type = "s3" keeps them\n',
    );
  const { gcp, orchestrator } = read.config.scale;
  const isUsual = (name: 'timeoutSeconds' | 'cpuAlways') => read.sourceOf(`scale.gcp.${name}`) === 'default';
  return {
    ...job,
    app: {
      name: input.name,
      version: input.version,
      entry: input.entry,
      port: orchestrator.containerPort,
      readinessPath: orchestrator.readinessPath,
      livenessPath: orchestrator.livenessPath,
      settings: {
        ...gcp,
        project: gcp.project || projectOf(read.env)!,
        timeoutSeconds: hasSockets && isUsual('timeoutSeconds') ? longestSeconds : gcp.timeoutSeconds,
        // A part of a processor is there for calls only.
        cpuAlways: isUsual('cpuAlways')
          ? Number(gcp.cpu) >= 1 && imports(job.appFiles.files, 'subscribe')
          : gcp.cpuAlways,
      },
      hasSockets,
      env: input.env,
      secrets,
      makesJwtSecret: input.makesJwtSecret,
    },
  };
}

/** A socket lives as long as a call may last. */
const longestSeconds = 3600;

/** https://cloud.google.com/run/docs/locations */
const commonRegions = [
  'europe-west1 (Belgium)',
  'europe-west3 (Frankfurt)',
  'europe-west4 (Netherlands)',
  'us-central1 (Iowa)',
  'us-east1 (South Carolina)',
  'asia-northeast1 (Tokyo)',
  'asia-southeast1 (Singapore)',
  'australia-southeast1 (Sydney)',
  'southamerica-east1 (São Paulo)',
];

/** @throws CommandFailure when nothing says in which project and where */
export function requirePlace({ config: { scale }, env }: ReadConfig): void {
  if (scale.gcp.region === '')
    throw new CommandFailure(exitCodes.invalid, 'gcp.region is not set', '', [
      `common ones: ${commonRegions.join(', ')}`,
      '[plugins.scale.gcp] region, or SVC_GCP_REGION',
    ]);
  if (scale.gcp.project === '' && projectOf(env) === undefined)
    throw new CommandFailure(exitCodes.invalid, 'gcp.project is not set', '', [
      '[plugins.scale.gcp] project, or GOOGLE_CLOUD_PROJECT; gcloud projects list shows those there are',
    ]);
}

/** The configuration without what only the orchestrator has: databases beside the application, ports of nodes, volumes. */
function asSeenThere(config: Config): Config {
  const { orchestrator, gcp } = config.scale;
  const none = (component: typeof orchestrator.docdb) => ({ ...component, enabled: false, storageSize: '1Gi' });
  return {
    ...config,
    scale: {
      ...config.scale,
      orchestrator: {
        ...orchestrator,
        ...{ namespace: 'default', serviceType: 'ClusterIP', replicas: 1, host: '', ingressClass: '', tlsSecret: '' },
        ...{ cpuRequest: '', cpuLimit: '', memoryRequest: '', memoryLimit: '' },
        autoscale: { min: 0, max: 0, cpu: 0 },
        // Keeps quiet about data in pods: requireStore says what there is to say.
        storageSize: '1Gi',
        docdb: none(orchestrator.docdb),
        kvcache: none(orchestrator.kvcache),
        env: gcp.env,
      },
    },
  };
}

/** @throws CommandFailure */
function requireStore({ input }: DeployJob): void {
  if (input.store !== 'sqlite') return;
  const what = 'a Cloud Run service has no disk: set DATABASE_URL (PostgreSQL) or DOCDB_URI (MongoDB)';
  throw new CommandFailure(exitCodes.invalid, what, '', ['[plugins.scale.secrets] DATABASE_URL = "${DATABASE_URL}"']);
}

function servesSockets({ appFiles: { declared } }: DeployJob): boolean {
  return declared === undefined || served(declared.program).some(({ rest }) => rest.protocol === 'WEBSOCKET');
}

function served({ walkers, functions }: NonNullable<DeployJob['appFiles']['declared']>['program']) {
  return [...walkers, ...functions];
}

/**
 * Instances hear of each other through Redis, or through the PostgreSQL that has the graph. Live values need neither, they are looked at once a second
 * without (docs/server/live.md). @throws CommandFailure
 */
function requireBus({ appFiles: { declared, files }, read, input }: DeployJob, secrets: GoogleApp['secrets']): void {
  const { gcp, database } = read.config.scale;
  const broadcasts = declared !== undefined && served(declared.program).some(({ rest }) => rest.broadcast);
  const isShared = broadcasts || imports(files, 'publish|subscribe');
  const hasKeyValues = database.kvcacheUrl !== '' || 'KVCACHE_URL' in { ...secrets, ...input.env };
  if (!isShared || hasKeyValues || input.store === 'postgres' || gcp.maxInstances === 1) return;
  const what = broadcasts ? 'sockets with broadcast' : 'topics';
  throw new CommandFailure(exitCodes.invalid, `${what} need KVCACHE_URL (Redis) or DATABASE_URL (PostgreSQL)`, '', [
    `instances, at most ${gcp.maxInstances}, do not hear each other; [plugins.scale.gcp] max_instances = 1 is the other way`,
  ]);
}

/** True when a source imports one of these functions of topics, `publish|subscribe`. */
function imports(files: Files, functions: string): boolean {
  const names = String.raw`\{[^}]*\b(?:${functions})\b[^}]*\}`;
  const imported = new RegExp(`import\\s+(?:from\\s+svc_scale\\s*${names}|${names}\\s*from\\s*['"]svc-scale['"])`);
  return Object.entries(files).some(
    ([path, bytes]) => /\.(svc|ts)$/.test(path) && imported.test(Buffer.from(bytes).toString()),
  );
}
