/** The image that an application's image begins with, from a registry or from a folder in the OCI layout. */
import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeployFailure } from '../orchestrator/deploy-failure.ts';
import type { Environment } from '../orchestrator/run-tool.ts';
import { bytesOf, digestOf } from './blob.ts';
import { findCredentials } from './credentials.ts';
import { registryBlob } from './fetch-blob.ts';
import { type BaseContents, lookIntoLayers } from './look-into-layers.ts';
import {
  type Descriptor,
  type ImageBlob,
  type ImageConfig,
  type ImageIndex,
  isIndex,
  type Manifest,
  manifestTypes,
  mediaTypes,
  platformName,
} from './oci.ts';
import { type ImageReference, parseReference } from './reference.ts';
import { openRegistry } from './registry-client.ts';

export interface BaseImage {
  readonly name: string;
  /** Digest of what the name stands for: an index, when there are several platforms. */
  readonly digest: string;
  /** Place of its layers; absent for a folder. */
  readonly from?: ImageReference;
  /** Gives what its documents say; no layer is read. */
  parts(platform: string): Promise<BaseParts>;
  /** Gives the same with what is in its layers. @throws DeployFailure for one that cannot run an application */
  platform(name: string): Promise<BasePlatform>;
}

export interface BaseParts {
  readonly config: ImageConfig;
  readonly layers: readonly ImageBlob[];
}

export interface BasePlatform extends BaseParts, BaseContents {
  readonly node: string;
}

export interface BaseRequest {
  /** `node:22-slim`, or `oci:DIR` for a folder. */
  readonly name: string;
  readonly env: Environment;
  /** Folder that keeps layers. */
  readonly cache: string;
}

/** Reads documents and contents of an image, wherever it is. */
interface Source {
  document(digest: string): Promise<Buffer>;
  blob(descriptor: Descriptor): ImageBlob;
}

/** @throws DeployFailure */
export async function openBaseImage(request: BaseRequest): Promise<BaseImage> {
  const { source, root, digest, from } = request.name.startsWith('oci:')
    ? await openLayout(request.name.slice(4))
    : await openRemote(request);
  return {
    name: request.name,
    digest,
    ...(from === undefined ? {} : { from }),
    parts: (name) => readParts(source, root, request.name, name),
    platform: async (name) => lookInto(await readParts(source, root, request.name, name), request.name),
  };
}

async function openRemote({ name, env, cache }: BaseRequest) {
  const reference = parseReference(name);
  const credentials = await findCredentials(reference.host, env);
  const registry = await openRegistry({ reference, credentials, env, actions: 'pull' });
  const document = await registry.document(reference.digest ?? reference.tag, manifestTypes);
  const source: Source = {
    document: async (digest) => (await registry.document(digest, manifestTypes)).bytes,
    blob: (descriptor) => registryBlob(registry, descriptor, cache),
  };
  return { source, root: readDocument(document.bytes, name), digest: document.digest, from: reference };
}

/** https://github.com/opencontainers/image-spec/blob/main/image-layout.md */
async function openLayout(folder: string) {
  const path = (digest: string) => join(folder, 'blobs', ...digest.split(':'));
  const source: Source = {
    async document(digest) {
      const bytes = await readFile(path(digest)).catch(() => undefined);
      if (bytes !== undefined && digestOf(bytes) === digest) return bytes;
      throw new DeployFailure('failed', `${path(digest)} is ${bytes === undefined ? 'missing' : 'damaged'}`);
    },
    blob: (descriptor) => ({ descriptor, open: () => openAsBlob(path(descriptor.digest)) }),
  };
  const index = await readFile(join(folder, 'index.json')).catch(() => undefined);
  if (index === undefined)
    throw new DeployFailure('invalid', `${folder} holds no image`, {
      hints: ['oci:DIR names a folder with index.json and blobs, as `skopeo copy docker://… oci:DIR` writes it'],
    });
  const top = readDocument(index, folder);
  const [only, ...others] = isIndex(top) ? top.manifests : [];
  if (only === undefined || others.length > 0) return { source, root: top, digest: digestOf(index), from: undefined };
  return {
    source,
    root: readDocument(await source.document(only.digest), folder),
    digest: only.digest,
    from: undefined,
  };
}

async function readParts(
  source: Source,
  root: Manifest | ImageIndex,
  base: string,
  wanted: string,
): Promise<BaseParts> {
  const manifest = await manifestFor(source, root, base, wanted);
  const config = await readConfig(source.blob(manifest.config), base);
  const layers = manifest.layers.map((layer) => asOci(source.blob(layer)));
  if (platformName(config) !== wanted) throw otherPlatform(base, wanted, [platformName(config)]);
  if (config.rootfs?.diff_ids?.length !== layers.length)
    throw new DeployFailure(
      'failed',
      `the base image ${base} is damaged: its layers are not those of its configuration`,
    );
  return { config, layers };
}

async function lookInto({ config, layers }: BaseParts, base: string): Promise<BasePlatform> {
  const { node, libc } = await lookIntoLayers(layers, config);
  const isUnknown = layers.some(({ descriptor }) => descriptor.mediaType.endsWith('zstd'));
  if (node === undefined && !isUnknown)
    throw new DeployFailure('invalid', `the base image ${base} has no Node`, {
      hints: ['an image such as node:22-slim, or base_image under [plugins.scale.orchestrator]'],
    });
  checkVersion(base, config);
  return { config, layers, libc, node: node ?? '/usr/local/bin/node' };
}

async function manifestFor(
  source: Source,
  root: Manifest | ImageIndex,
  base: string,
  wanted: string,
): Promise<Manifest> {
  if (!isIndex(root)) return root;
  const images = root.manifests.filter(({ platform }) => platform !== undefined && platform.os !== 'unknown');
  const found = images.find(({ platform }) => platformName(platform!) === wanted);
  if (found === undefined)
    throw otherPlatform(
      base,
      wanted,
      images.map(({ platform }) => platformName(platform!)),
    );
  const manifest = readDocument(await source.document(found.digest), base);
  if (!isIndex(manifest)) return manifest;
  throw new DeployFailure('failed', `the base image ${base} is an index of indexes`);
}

const largestConfig = 4 * 1024 * 1024;

async function readConfig(blob: ImageBlob, base: string): Promise<ImageConfig> {
  const { digest, size } = blob.descriptor;
  const bytes = size > largestConfig ? undefined : await bytesOf(blob);
  if (bytes === undefined || digestOf(bytes) !== digest)
    throw new DeployFailure('failed', `the base image ${base} is damaged: its configuration is not ${digest}`);
  return parse(bytes, base) as ImageConfig;
}

function readDocument(bytes: Buffer, base: string): Manifest | ImageIndex {
  const document = parse(bytes, base) as Partial<Manifest & ImageIndex>;
  if (Array.isArray(document.manifests) || (document.config !== undefined && Array.isArray(document.layers)))
    return document as Manifest | ImageIndex;
  throw new DeployFailure('failed', `${base} is no image of a kind that is known here`);
}

function parse(bytes: Buffer, base: string): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new DeployFailure('failed', `${base}: a document of the image is not JSON`);
  }
}

/** Layers of Docker's older format are the same archives under another name. */
function asOci(blob: ImageBlob): ImageBlob {
  const { mediaType } = blob.descriptor;
  const isOlder = mediaType === 'application/vnd.docker.image.rootfs.diff.tar.gzip';
  return isOlder ? { ...blob, descriptor: { ...blob.descriptor, mediaType: mediaTypes.layer } } : blob;
}

function otherPlatform(base: string, wanted: string, there: readonly string[]): DeployFailure {
  return new DeployFailure('invalid', `the base image ${base} is not there for ${wanted}`, {
    hints: [
      `it is there for ${[...new Set(there)].sort().join(', ') || 'no platform'}: --platform says which are built`,
    ],
  });
}

function checkVersion(base: string, { config = {} }: ImageConfig): void {
  const version = (config.Env ?? []).find((line) => line.startsWith('NODE_VERSION='))?.slice(13);
  const [, major = 0, minor = 0] = /^v?(\d+)\.(\d+)/.exec(version ?? '')?.map(Number) ?? [];
  if (major === 0 || major > 20 || (major === 20 && minor >= 19)) return;
  throw new DeployFailure('invalid', `the base image ${base} has Node ${version}, which is older than 20.19`, {
    hints: ['an image such as node:22-slim'],
  });
}
