import { toYaml } from '../../base/to-yaml.ts';
import { packageVersion } from '../../infra/check-deployment.ts';
import { bundleSource, digestOfFiles } from '../../infra/orchestrator/bundle/pack-bundle.ts';
import type { AppSource } from '../../infra/orchestrator/deployment.ts';
import { findRegistry, imageTag } from '../../infra/orchestrator/image/registry.ts';
import type { KubeObject } from '../../infra/orchestrator/kubernetes.ts';
import { addPackage, packageName } from '../../infra/orchestrator/packages/add-package.ts';
import { makePlan, unpinnedImages } from '../../infra/orchestrator/plan.ts';
import { shownObject } from '../../infra/orchestrator/show-objects.ts';
import type { CommandArgs } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { type DeployJob, prepareDeploy, pullSecret, registryRequest, withDeployFailures } from './deploy-job.ts';

/**
 * `svc start --scale --dry-run` (docs/server/commands.md#start): the objects of the deployment on standard output, as
 * YAML or with `--json` one a line. Asks no network, so tags of images and `latest` stay what they are.
 */
export async function dryRun(args: CommandArgs): Promise<number> {
  const { terminal, options } = args;
  if (options['registry'] !== undefined && options['build'] !== true)
    terminal.err('note: --registry means nothing without --build\n');
  const job = await prepareDeploy(args, 'start');
  const plan = await withDeployFailures(terminal, () => planOf(job, args));
  tellUnresolved(plan, job, terminal);
  const shown = plan.map(shownObject);
  if (options['json'] === true) for (const object of shown) terminal.out(`${JSON.stringify(object)}\n`);
  else terminal.out(shown.map((object) => `---\n${toYaml(object)}`).join(''));
  return exitCodes.success;
}

async function planOf(job: DeployJob, args: CommandArgs): Promise<readonly KubeObject[]> {
  const { input, appFiles } = job;
  const sourceDigest = digestOfFiles(appFiles.files);
  if (args.options['build'] !== true) return makePlan({ ...input, sourceDigest, source: await sourceOf(job) });
  const registry = findRegistry(registryRequest(job, args));
  const image = `${registry.repository}:${imageTag(input.version, sourceDigest)}`;
  return makePlan({ ...input, sourceDigest, source: { kind: 'image', image }, ...pullSecret(job, registry) });
}

async function sourceOf({ input, appFiles, read }: DeployJob): Promise<AppSource> {
  const { image, baseImage } = input.settings;
  if (image !== '') return { kind: 'image', image };
  return await bundleSource(addPackage(appFiles.files, packageVersion(read.config)), baseImage);
}

function tellUnresolved(plan: readonly KubeObject[], { read, input }: DeployJob, terminal: Terminal): void {
  const images = unpinnedImages(plan);
  if (images.length > 0) terminal.err(`note: digests are found when deploying: ${images.join(', ')}\n`);
  if (input.settings.image === '')
    terminal.err(`note: packages are locked when deploying: ${packageName}@${packageVersion(read.config)}\n`);
}
