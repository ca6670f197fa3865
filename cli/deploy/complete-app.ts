/** The application of a deployment with everything in it named exactly (decisions/0186). */
import { packageVersion } from '../../infra/check-deployment.ts';
import type { Files } from '../../infra/files.ts';
import { ownFile } from '../../infra/orchestrator/bundle/app-files.ts';
import { bundleSource, digestOfFiles } from '../../infra/orchestrator/bundle/pack-bundle.ts';
import type { DeployedApp } from '../../infra/orchestrator/deployment.ts';
import { dockerfile, dockerignore } from '../../infra/orchestrator/image/dockerfile.ts';
import { findEngine } from '../../infra/orchestrator/image/engine.ts';
import { pinImage } from '../../infra/orchestrator/image/pin-image.ts';
import { publishImage, writeRecipe } from '../../infra/orchestrator/image/publish-image.ts';
import { findLogin, findRegistry } from '../../infra/orchestrator/image/registry.ts';
import { packageName } from '../../infra/orchestrator/packages/add-package.ts';
import { lockPackages } from '../../infra/orchestrator/packages/lock-packages.ts';
import { neededPackages } from '../../infra/orchestrator/packages/needed-packages.ts';
import type { CommandArgs } from '../command.ts';
import { usageFailure } from '../command-failure.ts';
import type { Steps } from '../steps.ts';
import { type DeployJob, pullSecret, registryRequest } from './deploy-job.ts';

export interface Build extends DeployJob {
  readonly args: CommandArgs;
  readonly steps: Steps;
  /** Prints a line of what was resolved. */
  readonly tell: (line: string) => void;
  /** Folder for what is made. */
  readonly out: string;
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
  const files = await lockedFiles(build);
  const sourceDigest = digestOfFiles(files);
  if (publish !== undefined) return { ...app, sourceDigest, ...(await publish(files, settings.baseImage)) };
  return { ...app, sourceDigest, source: await bundleSource(files, settings.baseImage) };
}

/** Pins the images of the settings: only those that are used are asked for. */
async function pinnedSettings({ input, read }: Build): Promise<DeployedApp['settings']> {
  const { settings } = input;
  const { image, baseImage, docdb, kvcache } = settings;
  const pinComponent = async (component: typeof docdb) =>
    component.enabled ? { ...component, image: await pinImage(component.image, read.env) } : component;
  return {
    ...settings,
    ...(image === '' ? { baseImage: await pinImage(baseImage, read.env) } : { image: await pinImage(image, read.env) }),
    docdb: await pinComponent(docdb),
    kvcache: await pinComponent(kvcache),
  };
}

/** The files of an application with the exact versions of its packages. @throws DeployFailure */
export async function lockedFiles({
  appFiles,
  read,
  steps,
  tell,
}: Pick<Build, 'appFiles' | 'read' | 'steps' | 'tell'>): Promise<Files> {
  const wanted = packageVersion(read.config);
  const { files: own } = appFiles;
  const { projectDir } = read.config;
  const further = neededPackages(read.config, own);
  const request = { files: own, version: wanted, further, projectDir, env: read.env };
  const { files, version } = await steps.run('Resolving packages', () => lockPackages(request));
  tell(`  ${packageName} ${version}${wanted === version ? '' : ` (${wanted})`}\n`);
  return files;
}

type Publish = (files: Files, baseImage: string) => Promise<Pick<DeployedApp, 'source' | 'pullSecret'>>;

/** Finds out what is missing before anything takes time. */
async function preparePublish(build: Build): Promise<Publish> {
  const { read, input, args, steps, tell, out: folder } = build;
  const { projectDir } = read.config;
  const { platform, engine: configured } = read.config.scale.registry;
  const request = registryRequest(build, args);
  const registry = findRegistry(request);
  const login = await findLogin(request, registry, read.env);
  const engine = findEngine(configured, read.env);
  return async (files, baseImage) => {
    const recipe = { baseImage, entry: input.entry, port: input.settings.containerPort, env: input.env };
    await writeRecipe(folder, {
      dockerfile: ownFile(projectDir, 'Dockerfile') ?? dockerfile(recipe),
      dockerignore: dockerignore(ownFile(projectDir, '.dockerignore')),
      files,
    });
    const { version } = input;
    const image = await steps.run(`Building and pushing ${registry.repository}`, () =>
      publishImage({ folder, engine, registry, login, platform, version, sourceDigest: digestOfFiles(files) }),
    );
    tell(`  ${image}\n`);
    return { source: { kind: 'image', image }, ...pullSecret(build, registry) };
  };
}
