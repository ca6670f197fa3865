/** One application that tests deploy to the stand-in for Google Cloud, with an image that is pushed to nobody. */
import { createHash } from 'node:crypto';
import type { DeployFailure } from '../../../infra/orchestrator/deploy-failure.ts';
import { type Google, openGoogle } from '../../../infra/targets/google/google.ts';
import type { GoogleApp } from '../../../infra/targets/google/google-app.ts';
import type { Progress } from '../../../infra/targets/target.ts';
import type { GoogleStandIn } from './google-stand-in.ts';
import { project, region } from './state.ts';

const settings: GoogleApp['settings'] = {
  ...{ project, region, minInstances: 0, maxInstances: 10, cpu: '1', memory: '512Mi', concurrency: 80 },
  ...{
    timeoutSeconds: 300,
    cpuAlways: false,
    public: true,
    cloudSqlInstance: '',
    vpcConnector: '',
    serviceAccount: '',
  },
  ...{ repository: 'svc', env: {} },
};

export function deployThere(google: GoogleStandIn) {
  const steps: string[] = [];
  const away: string[] = [];
  /** Called when a step begins. */
  const hooks: { before: (step: string) => void } = { before: () => {} };
  const progress: Progress = {
    begin: () => {},
    async step(name, work) {
      steps.push(name);
      hooks.before(name);
      return await work();
    },
    detail: () => {},
    note: () => {},
  };

  function appOf(more: Partial<GoogleApp> = {}, source = 'one'): GoogleApp {
    const hash = createHash('sha256').update(source).digest('hex');
    return {
      ...{ name: 'demo', version: '1.0.0', entry: 'main.svc', port: 8000, hasSockets: false, makesJwtSecret: true },
      ...{ readinessPath: '/healthz/ready', livenessPath: '/healthz/live', env: { GREETING: 'hi' } },
      secrets: { DOCDB_URI: 'mongodb://canary-1' },
      sourceDigest: hash,
      image: {
        digest: `sha256:${hash}`,
        async push(reference, options) {
          const { password } = options!.credentials as { password: string };
          if (!google.state.tokens.has(password)) throw new Error('the registry refuses');
          const repository = `projects/${project}/locations/${region}/repositories/svc`;
          if (!google.state.repositories.has(repository)) throw new Error('no repository');
          google.state.packages.add(`${repository}/packages/demo`);
          google.changes.push('push');
          return `${reference.replace(/:source-.*/, '')}@sha256:${hash}`;
        },
      },
      ...more,
      settings: { ...settings, ...more.settings },
    };
  }

  async function open(signal = new AbortController().signal): Promise<Google> {
    return await openGoogle({
      ...{ project, region, repository: 'svc', app: 'demo', who: 'ada@here', signal },
      ...{ goBack: 'svc rollback main.svc --target cloud_b', timeoutMs: 600_000, env: google.env },
      onAway: (reason) => away.push(reason),
      waits: { patienceMs: 600_000, pollMs: { first: 2, most: 10 } },
    });
  }

  async function deploy(app = appOf(), by?: Google) {
    const target = by ?? (await open());
    const plan = await target.plan(app);
    if (await target.isUpToDate(plan)) return 'up to date';
    const revision = { version: app.version, sourceDigest: app.sourceDigest, schema: {} };
    return await target.apply(plan, { allowDataLoss: [], revision }, progress);
  }

  const service = () => google.state.services.get(`projects/${project}/locations/${region}/services/demo`);
  return {
    ...{ steps, away, hooks, progress, appOf, open, deploy, service },
    serving: (): string[] | undefined =>
      service()?.trafficStatuses?.map(({ revision, percent }: any) => `${revision} ${percent}`),
    revisions: () => [...google.state.revisions.keys()].map((name) => name.split('/').at(-1)),
  };
}

/** A version of the application in which image and secrets differ from every other one. */
export function numberedApp({ appOf }: Pick<ReturnType<typeof deployThere>, 'appOf'>, number: number): GoogleApp {
  return appOf({ secrets: { DOCDB_URI: `mongodb://canary-${number}` } }, `source ${number}`);
}

export async function failureOf(work: Promise<unknown>): Promise<DeployFailure> {
  const nothing = { kind: 'none', message: 'no failure', hints: [], output: [] };
  return (await work.then(
    () => nothing,
    (error) => error,
  )) as DeployFailure;
}
