/** An application as it is deployed to the cloud: its functions as archives or as an image, the template of its stack, and its secrets. */
import { createHash } from 'node:crypto';
import { mediaTypeOf } from '../../base/media-types.ts';
import { keyFilePath } from '../../core/accounts/jwt-secret.ts';
import { isDigested } from '../../handlers/http/static-files.ts';
import type { FunctionName } from '../../infra/cloud/needs.ts';
import { functionSecrets } from '../../infra/cloud/secrets.ts';
import { type FunctionCode, makeTemplate } from '../../infra/cloud/template.ts';
import { buildFunctionImage } from '../../infra/images/function-image.ts';
import { digestOfFiles } from '../../infra/orchestrator/bundle/pack-bundle.ts';
import { DeployFailure } from '../../infra/orchestrator/deploy-failure.ts';
import { imageTag } from '../../infra/orchestrator/image/registry.ts';
import { type Archive, archiveKey, type PageFile } from '../../infra/targets/cloud/artifacts.ts';
import type { CloudApp } from '../../infra/targets/cloud/find-changes.ts';
import { repositoryName } from '../../infra/targets/cloud/place.ts';
import { type PackagedFunctions, packageFunctions } from '../build/build-functions.ts';
import { zipFiles } from '../build/bundle-functions.ts';
import type { CommandArgs } from '../command.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Steps } from '../steps.ts';
import { readKey, type StoredTypes, storedTypes } from './deploy-job.ts';
import { findSharedRepository } from './shared-repository.ts';

export interface CloudJob extends Pick<PackagedFunctions, 'file' | 'read'> {
  readonly app: CloudApp;
  /** Types that are stored: their fingerprints and fields. */
  readonly types: StoredTypes;
}

/** Variables of a shell that serve `osls offline`, and must not get into a deployment by chance. */
const ownOfShell = ['SVC_ENV', 'SVC_DATABASE_STORE', 'SVC_DATABASE_DYNAMODB_ENDPOINT'];

/**
 * Everything that may be wrong with the application is found here, before anything is made. `isPlanOnly`: an image whose base cannot be reached,
 * or is not asked for with `--offline`, is named by its tag. @throws CommandFailure, DeployFailure
 */
export async function prepareCloudApp(args: CommandArgs, steps: Steps, isPlanOnly: boolean): Promise<CloudJob> {
  const isImage = args.options['build'] === true;
  const packaged = await packageFunctions('start', args, steps, { ownOfShell, isImage });
  const { file, read, needs, variables } = packaged;
  const { config } = read;
  const { code, ...own } = isImage ? await inImage(packaged, args, steps, isPlanOnly) : inArchives(packaged);
  const app: CloudApp = {
    name: config.scale.orchestrator.appName,
    version: config.project.version,
    stack: config.scale.cloud.stackName,
    pageFiles: pageFilesOf(packaged),
    template: makeTemplate({ config, needs, common: variables, code }),
    ...own,
    secrets: secretsOf({ read }),
  };
  return { file, read, app, types: storedTypes() };
}

interface Packed extends Pick<CloudApp, 'sourceDigest' | 'archives' | 'image' | 'sharedRepository'> {
  readonly code: FunctionCode;
}

/** Archives are named by the files in them, so that what is in the bucket already is not compressed, and another Node sends nothing anew. */
function inArchives({ read, bundles }: PackagedFunctions): Packed {
  const { stackName: stack } = read.config.scale.cloud;
  const archives = bundles.functions.map(({ name, files }): readonly [FunctionName, Archive] => [
    name as FunctionName,
    { key: archiveKey(stack, digestOfFiles(files)), bytes: () => zipFiles(files) },
  ]);
  const keys = Object.fromEntries(archives.map(([name, { key }]) => [name, key]));
  const sourceDigest = createHash('sha256').update(JSON.stringify(keys)).digest('hex');
  return { code: { archives: keys }, archives: archives.map(([, archive]) => archive), sourceDigest };
}

/** Files of the built client that never change, each with the copy that takes the least bytes. */
function pageFilesOf({ client }: PackagedFunctions): PageFile[] {
  return Object.entries(client?.files ?? {}).flatMap(([path, bytes]) => {
    const [folder, ...names] = path.split('/');
    const name = names.join('/');
    const plain = name.replace(/\.br$/, '');
    if (folder !== client!.page.folder || !isDigested(plain)) return [];
    return [{ name, bytes, type: mediaTypeOf(plain), coding: plain === name ? undefined : 'br' }];
  });
}

async function inImage(
  { read, bundles: { functions } }: PackagedFunctions,
  { terminal, options }: CommandArgs,
  steps: Steps,
  isPlanOnly: boolean,
): Promise<Packed> {
  const { project, scale } = read.config;
  const { baseImage, runtime, architecture, stackName } = scale.cloud;
  const sharedRepository = findSharedRepository(read.config, options['registry'] === 'ecr', terminal.err);
  const files = functions.flatMap((one) =>
    Object.entries(one.files).map(([path, data]) => [`${one.name}/${path}`, data]),
  );
  const sourceDigest = digestOfFiles(Object.fromEntries(files));
  const tag = imageTag(project.version, sourceDigest);
  const repository = sharedRepository?.name ?? repositoryName(stackName);
  const base = baseImage || `public.ecr.aws/lambda/nodejs:${/\d+/.exec(runtime)?.[0] ?? '22'}`;
  const platform = architecture === 'arm64' ? 'linux/arm64' : 'linux/amd64';
  const request = {
    name: scale.orchestrator.appName,
    version: project.version,
    functions,
    base,
    platform,
    env: read.env,
  };
  const built = { sourceDigest, sharedRepository, archives: [] };
  try {
    if (isPlanOnly && options['offline'] === true)
      throw new DeployFailure('prerequisite', '--offline asks nobody for it');
    const image = await steps.run('Building the image', () => buildFunctionImage(request));
    return { ...built, code: { image: `${repository}@${image.digest}` }, image: { ...image, tag } };
  } catch (error) {
    if (!isPlanOnly || !(error instanceof DeployFailure) || error.kind !== 'prerequisite') throw error;
    terminal.err(`note: the digest of the image is found when deploying, by that of ${base}: ${error.message}\n`);
    return { ...built, code: { image: `${repository}:${tag}` } };
  }
}

function secretsOf({ read }: Pick<PackagedFunctions, 'read'>): CloudApp['secrets'] {
  const { config } = read;
  const secrets = functionSecrets({
    config,
    configFile: read.parsed,
    lookup: (name) => read.env[name] || undefined,
    readKeyFile: (path) => readKey(keyFilePath(config, path)),
  });
  if (!('unresolved' in secrets)) return secrets;
  throw new CommandFailure(exitCodes.invalid, 'cannot resolve secrets', secrets.unresolved.join(', '));
}
