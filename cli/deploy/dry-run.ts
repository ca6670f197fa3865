import { toYaml } from '../../base/to-yaml.ts';
import { packageVersion } from '../../infra/check-deployment.ts';
import { hasCluster } from '../../infra/cluster/kubeconfig.ts';
import { bundleSource, digestOfFiles } from '../../infra/orchestrator/bundle/pack-bundle.ts';
import { DeployFailure } from '../../infra/orchestrator/deploy-failure.ts';
import type { AppSource } from '../../infra/orchestrator/deployment.ts';
import { findRegistry, imageTag } from '../../infra/orchestrator/image/registry.ts';
import type { KubeObject } from '../../infra/orchestrator/kubernetes.ts';
import { addPackage, packageName } from '../../infra/orchestrator/packages/add-package.ts';
import { makePlan, unpinnedImages } from '../../infra/orchestrator/plan.ts';
import { shownObject } from '../../infra/orchestrator/show-objects.ts';
import { type OrchestratorPlan, planAlone } from '../../infra/targets/orchestrator/find-changes.ts';
import type { CommandArgs } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { createSteps } from '../steps.ts';
import { completeApp } from './complete-app.ts';
import {
  type DeployJob,
  outFolder,
  prepareDeploy,
  pullSecret,
  registryRequest,
  withDeployFailures,
} from './deploy-job.ts';
import { withOrchestrator } from './open-target.ts';
import { planText } from './show-plan.ts';

/**
 * `svc start --scale --dry-run` (docs/server/commands.md#start): the objects of the deployment on standard output, as YAML or with `--json` one a
 * line; on standard error what would change, the digest of the plan and the rights it needs. Without a cluster, and with `--offline`, no network
 * is asked: everything is new then, and tags of images and `latest` stay what they are.
 */
export async function dryRun(args: CommandArgs): Promise<number> {
  const { terminal, options } = args;
  if (options['registry'] !== undefined && options['build'] !== true)
    terminal.err('note: --registry means nothing without --build\n');
  const job = await prepareDeploy(args, 'start');
  return await withDeployFailures(terminal, async () => {
    const compared = await compareWithCluster(job, args);
    const wanted = compared?.wanted ?? (await planOf(job, args));
    if (compared === undefined) tellUnresolved(wanted, job, args);
    const shown = wanted.map(shownObject);
    if (options['json'] === true) for (const object of shown) terminal.out(`${JSON.stringify(object)}\n`);
    else terminal.out(shown.map((object) => `---\n${toYaml(object)}`).join(''));
    const { namespace } = job.read.config.scale.orchestrator;
    terminal.err(planText(compared ?? planAlone(wanted, `namespace ${namespace}, compared with nothing`)));
    return exitCodes.success;
  });
}

/** Undefined where nothing is deployed or nothing can be asked, which is told. */
async function compareWithCluster(job: DeployJob, args: CommandArgs): Promise<OrchestratorPlan | undefined> {
  const { terminal, options } = args;
  if (options['offline'] === true || options['build'] === true || !hasCluster(job.read.env)) return undefined;
  try {
    return await withOrchestrator(job.read, args, job.input.entry, async ({ target }) => {
      const status = await target.status();
      if (status.version === '') return undefined;
      const { projectDir } = job.read.config;
      const out = outFolder(undefined, projectDir, terminal);
      return await target.plan(
        await completeApp({
          ...job,
          args,
          out,
          publishes: false,
          steps: createSteps(terminal, false),
          tell: terminal.err,
        }),
      );
    });
  } catch (error) {
    if (!(error instanceof DeployFailure) || error.kind !== 'prerequisite') throw error;
    terminal.err(`note: compared with nothing: ${error.message}\n`);
    return undefined;
  }
}

async function planOf(job: DeployJob, args: CommandArgs): Promise<readonly KubeObject[]> {
  const { input, appFiles } = job;
  const sourceDigest = digestOfFiles(appFiles.files);
  if (args.options['build'] !== true) return makePlan({ ...input, sourceDigest, source: await sourceOf(job) });
  const registry = await findRegistry(registryRequest(job, args));
  const image = `${registry.repository}:${imageTag(input.version, sourceDigest)}`;
  return makePlan({ ...input, sourceDigest, source: { kind: 'image', image }, ...pullSecret(job, registry) });
}

async function sourceOf({ input, appFiles, read }: DeployJob): Promise<AppSource> {
  const { image, baseImage } = input.settings;
  if (image !== '') return { kind: 'image', image };
  return await bundleSource(addPackage(appFiles.files, packageVersion(read.config)), baseImage);
}

function tellUnresolved(
  plan: readonly KubeObject[],
  { read, input }: DeployJob,
  { terminal, options }: CommandArgs,
): void {
  const images = unpinnedImages(plan);
  if (images.length > 0) terminal.err(`note: digests are found when deploying: ${images.join(', ')}\n`);
  if (input.settings.image !== '') return;
  const { repository } = read.config.scale;
  const from = options['experimental'] === true ? ` from ${repository}` : `@${packageVersion(read.config)}`;
  terminal.err(`note: packages are locked when deploying: ${packageName}${from}\n`);
}
