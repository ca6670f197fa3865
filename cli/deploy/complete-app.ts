/** The application of a deployment with everything in it named exactly (decisions/0186). */
import { packageVersion } from '../../infra/check-deployment.ts';
import type { Files } from '../../infra/files.ts';
import { bundleSource, digestOfFiles } from '../../infra/orchestrator/bundle/pack-bundle.ts';
import type { DeployedApp } from '../../infra/orchestrator/deployment.ts';
import { pinImage } from '../../infra/orchestrator/image/pin-image.ts';
import { addArchive, packageName } from '../../infra/orchestrator/packages/add-package.ts';
import { lockPackages } from '../../infra/orchestrator/packages/lock-packages.ts';
import { neededPackages } from '../../infra/orchestrator/packages/needed-packages.ts';
import { packRepository } from '../../infra/orchestrator/packages/pack-repository.ts';
import { usageFailure } from '../command-failure.ts';
import { type PublishJob, preparePublish } from './publish-image.ts';

export interface Build extends PublishJob {
  /** True when an image is built and pushed. */
  readonly publishes: boolean;
}

/**
 * Completes the application with images by digest and packages by version, so that a pod that starts later is the same.
 */
export async function completeApp(build: Build): Promise<DeployedApp> {
  const { input, appFiles, args, steps, publishes } = build;
  const { image } = input.settings;
  if (publishes && image !== '')
    throw usageFailure(
      args.options['build'] === true ? '--build' : '--push',
      `orchestrator.image names an image already: ${image}`,
    );
  const publish = publishes ? await preparePublish(build) : undefined;
  const settings = await steps.run('Finding digests of images', () => pinnedSettings(build));
  const app = { ...input, settings };
  if (image !== '') {
    const source = { kind: 'image', image: settings.image } as const;
    return { ...app, source, sourceDigest: digestOfFiles(appFiles.files) };
  }
  const { err } = args.terminal;
  const files = await lockedFiles(args.options['experimental'] === true ? { ...build, warn: err } : build);
  const sourceDigest = digestOfFiles(files);
  if (publish !== undefined) return { ...app, sourceDigest, ...(await publish(files)) };
  return { ...app, sourceDigest, source: await bundleSource(files, settings.baseImage) };
}

/** Pins the images of the settings: only those that are used are asked for. */
async function pinnedSettings({ input, read, publishes }: Build): Promise<DeployedApp['settings']> {
  const { settings } = input;
  const { image, baseImage, docdb, kvcache } = settings;
  const pinComponent = async (component: typeof docdb) =>
    component.enabled ? { ...component, image: await pinImage(component.image, read.env) } : component;
  const isBundle = image === '' && !publishes;
  return {
    ...settings,
    ...(isBundle ? { baseImage: await pinImage(baseImage, read.env) } : {}),
    ...(image === '' ? {} : { image: await pinImage(image, read.env) }),
    docdb: await pinComponent(docdb),
    kvcache: await pinComponent(kvcache),
  };
}

export interface LockJob extends Pick<Build, 'appFiles' | 'read' | 'steps' | 'tell'> {
  /** Present where the package is taken from a repository (`--experimental`). Prints a warning. */
  readonly warn?: (line: string) => void;
}

/** The files of an application with the exact versions of its packages. @throws DeployFailure */
export async function lockedFiles(job: LockJob): Promise<Files> {
  const { appFiles, read, steps, tell } = job;
  const wanted = job.warn === undefined ? undefined : await experimentalPackage(job, job.warn);
  const version = wanted?.version ?? packageVersion(read.config);
  const own = wanted?.files ?? appFiles.files;
  const { projectDir } = read.config;
  const further = neededPackages(read.config, own);
  const request = { files: own, version, further, projectDir, env: read.env };
  const { files, version: locked } = await steps.run('Resolving packages', () => lockPackages(request));
  tell(`  ${packageName} ${locked}${version === locked ? '' : ` (${version})`}\n`);
  return files;
}

/** Packs the repository of the configuration, whose commit is told: versions mean nothing then. */
async function experimentalPackage({ appFiles, read, steps }: LockJob, warn: (line: string) => void) {
  const { repository } = read.config.scale;
  const { commit, archive } = await steps.run(`Packing ${repository}`, () => packRepository(repository, read.env));
  warn(`warning: experimental build ${commit}\n`);
  const version = packageVersion(read.config);
  if (version !== 'latest') warn(`note: version ${version} under plugin_versions is ignored with --experimental\n`);
  return addArchive(appFiles.files, commit, archive);
}
