/** Builds the image of an application without a container engine (docs/server/orchestrator.md#images). */
import type { Files } from '../files.ts';
import { DeployFailure } from '../orchestrator/deploy-failure.ts';
import { appDirectory } from '../orchestrator/deployment.ts';
import type { Environment } from '../orchestrator/run-tool.ts';
import { userCache } from '../user-cache.ts';
import { type BaseImage, type BaseParts, type BasePlatform, openBaseImage } from './base-image.ts';
import { blobOf, emptyConfig, jsonBlob } from './blob.ts';
import type { BuiltImage, PlatformImage, Sbom } from './built-image.ts';
import { appUser, imageConfig } from './image-config.ts';
import { platforms } from './install-packages.ts';
import { entriesOf, type Layer, type LayerEntry, makeLayer } from './make-layer.ts';
import { type ImageBlob, type ImageConfig, type ImageIndex, type Manifest, mediaTypes, type Texts } from './oci.ts';
import { type PackagesLayer, packagesLayer } from './packages-layer.ts';
import { pushImage } from './push-image.ts';
import { parseReference } from './reference.ts';
import { saveImage } from './save-image.ts';
import { makeSbom } from './sbom.ts';

export interface BuildImageRequest {
  readonly name: string;
  readonly version: string;
  /** Files of the application below its folder, with `package.json` and `package-lock.json`. */
  readonly files: Files;
  /** Paths below which the built browser application is, which has a layer of its own. */
  readonly clientFolder: string;
  /** The application file below the folder. */
  readonly entry: string;
  readonly port: number;
  /** Absolute path of stored files in the image. */
  readonly filesPath: string;
  readonly livenessPath: string;
  /** Name of the base image, or `oci:DIR`. */
  readonly base: string;
  /** `linux/amd64`, `linux/arm64`; several make an index. */
  readonly platforms: readonly string[];
  /** Folder of the project, whose `.npmrc` says where packages are. */
  readonly projectDir: string;
  /** Environment of npm and of requests. */
  readonly env: Environment;
}

/** @throws DeployFailure */
export async function buildImage(request: BuildImageRequest): Promise<BuiltImage> {
  for (const platform of request.platforms) checkPlatform(platform);
  const base = await openBaseImage({ name: request.base, env: request.env, cache: cacheFolder(request.env) });
  const shared = await sharedLayers(request);
  const images: PlatformImage[] = [];
  for (const platform of request.platforms) images.push(await buildPlatform(request, base, platform, shared));
  return finished(images, base, request);
}

/** An image of its parts: an index when there are several platforms. */
export function finished(
  images: readonly PlatformImage[],
  base: BaseImage,
  { name, env }: Pick<BuildImageRequest, 'name' | 'env'>,
): BuiltImage {
  const manifest = images.length === 1 ? images[0]!.manifest : indexOf(images);
  const built = { digest: manifest.descriptor.digest, name, images, manifest, base };
  return {
    ...built,
    save: (path, tag) => saveImage(built, path, tag),
    push: (reference, options) => pushImage(built, { ...options, reference: parseReference(reference), env }),
  };
}

function checkPlatform(platform: string): void {
  if (platforms.includes(platform)) return;
  throw new DeployFailure('invalid', `images are not made for ${platform}`, { hints: [`for ${platforms.join(', ')}`] });
}

export function cacheFolder(env: Environment): string {
  return userCache(env, 'images');
}

/** Layers that are the same on all platforms. */
async function sharedLayers({ files, clientFolder, filesPath }: BuildImageRequest): Promise<readonly Layer[]> {
  const isClient = (path: string) => path.startsWith(`${clientFolder}/`);
  const part = (wanted: boolean) =>
    entriesOf(Object.fromEntries(Object.entries(files).filter(([path]) => isClient(path) === wanted)), appDirectory);
  const client = part(true);
  const folders = writable(filesPath).map((path): LayerEntry => ({ path, owner: appUser }));
  return [
    await makeLayer([...part(false), ...folders], 'program'),
    ...(client.length === 0 ? [] : [await makeLayer([...client, ...folders.slice(0, 1)], 'browser application')]),
  ];
}

/** Folders the application writes to. */
function writable(filesPath: string): string[] {
  return [`${appDirectory}/.svc`, filesPath];
}

async function buildPlatform(
  request: BuildImageRequest,
  base: BaseImage,
  platform: string,
  shared: readonly Layer[],
): Promise<PlatformImage> {
  const found = await base.platform(platform);
  const { files, projectDir, env } = request;
  const { libc } = found;
  const packages = await packagesLayer(
    { files, platform, libc, projectDir, env, into: appDirectory },
    cacheFolder(env),
  );
  const own = [packages, ...shared];
  const image = imageOf(configOf(request, base, found, own), found, own, labelsOf(request, base));
  return { platform, ...image, sbom: sbomOf(request, base, packages, image.manifest) };
}

/** Layers over those of a base image, with the documents that make them an image. */
export function imageOf(
  config: ImageConfig,
  found: BaseParts,
  own: readonly Layer[],
  annotations: Texts,
): Omit<PlatformImage, 'platform' | 'sbom'> {
  const described = jsonBlob(config, mediaTypes.config);
  const layers = [...found.layers, ...own.map(({ blob }) => blob)];
  const manifest = jsonBlob(
    {
      schemaVersion: 2,
      mediaType: mediaTypes.manifest,
      config: described.descriptor,
      layers: layers.map(({ descriptor: { mediaType, digest, size } }) => ({ mediaType, digest, size })),
      annotations,
    } satisfies Manifest,
    mediaTypes.manifest,
    { platform: { os: found.config.os, architecture: found.config.architecture } },
  );
  return { manifest, config: described, layers, baseLayers: found.layers.length };
}

function configOf(request: BuildImageRequest, base: BaseImage, found: BasePlatform, layers: readonly Layer[]) {
  return imageConfig({
    base: found,
    layers,
    directory: appDirectory,
    entry: request.entry,
    port: request.port,
    volumes: writable(request.filesPath),
    livenessPath: request.livenessPath,
    labels: labelsOf(request, base),
  });
}

/** https://github.com/opencontainers/image-spec/blob/main/annotations.md */
export function labelsOf({ name, version }: Pick<BuildImageRequest, 'name' | 'version'>, base: BaseImage): Texts {
  return {
    'org.opencontainers.image.base.digest': base.digest,
    ...(base.from === undefined ? {} : { 'org.opencontainers.image.base.name': base.from.name }),
    'org.opencontainers.image.title': name,
    'org.opencontainers.image.version': version,
  };
}

function sbomOf(
  { name, version, files }: BuildImageRequest,
  base: BaseImage,
  packages: PackagesLayer,
  subject: ImageBlob,
): Sbom {
  const installed = new Set(packages.installed);
  const from = `${base.from?.name ?? 'base'}@${base.digest}`;
  const sbom = makeSbom({ name, version, files, base: from, installed });
  const contents = blobOf(Buffer.from(`${JSON.stringify(sbom, null, 2)}\n`), mediaTypes.sbom);
  const { mediaType, digest, size } = subject.descriptor;
  const manifest = jsonBlob(
    {
      schemaVersion: 2,
      mediaType: mediaTypes.manifest,
      artifactType: mediaTypes.sbom,
      config: { mediaType: mediaTypes.empty, digest: emptyConfig.descriptor.digest, size: 2 },
      layers: [contents.descriptor],
      subject: { mediaType, digest, size },
    } satisfies Manifest,
    mediaTypes.manifest,
    { artifactType: mediaTypes.sbom },
  );
  return { contents, manifest };
}

function indexOf(images: readonly PlatformImage[]): ImageBlob {
  const index: ImageIndex = {
    schemaVersion: 2,
    mediaType: mediaTypes.index,
    manifests: images.map(({ manifest }) => manifest.descriptor),
  };
  return jsonBlob(index, mediaTypes.index);
}
