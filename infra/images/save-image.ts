/**
 * An image as one file: a folder in the OCI layout as a tar archive, with the list that Docker before 25 looks for
 * (https://github.com/moby/moby/blob/master/image/spec/spec.md).
 */
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { tarHeader } from '../../library/modules/archives/archive-tar.ts';
import { DeployFailure } from '../orchestrator/deploy-failure.ts';
import type { BuiltImage } from './built-image.ts';
import { type ImageBlob, mediaTypes } from './oci.ts';

type Saved = Pick<BuiltImage, 'images' | 'manifest'>;

/** @param tag name under which engines know the image: `shop:1.2` */
export async function saveImage(image: Saved, path: string, tag: string): Promise<void> {
  const temporary = `${path}.${process.pid}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeArchive(image, temporary, tag);
    await rename(temporary, path);
  } catch (error) {
    if (error instanceof DeployFailure) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const isFull = code === 'ENOSPC' || code === 'EDQUOT';
    throw new DeployFailure('failed', isFull ? `no space is left for ${path}` : `cannot write ${path}: ${message}`);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeArchive(image: Saved, path: string, tag: string): Promise<void> {
  const blobs = new Map<string, ImageBlob>();
  for (const { layers, config, manifest } of image.images)
    for (const blob of [...layers, config, manifest]) blobs.set(blob.descriptor.digest, blob);
  blobs.set(image.manifest.descriptor.digest, image.manifest);
  const files = [
    ...Object.entries(documents(image, tag)).map(([name, text]) => ({ name, open: async () => new Blob([text]) })),
    ...[...blobs.values()]
      .sort((a, b) => (a.descriptor.digest < b.descriptor.digest ? -1 : 1))
      .map(({ descriptor, open }) => ({ name: pathOf(descriptor.digest), open })),
  ];
  await pipeline(archiveOf(files), createWriteStream(path));
}

interface ArchivedFile {
  readonly name: string;
  open(): Promise<Blob>;
}

const modified = new Date(0);

/** Parts of a tar archive, one after the other: what is in it may be larger than memory. */
async function* archiveOf(files: readonly ArchivedFile[]): AsyncGenerator<Uint8Array> {
  for (const { name, open } of files) {
    const contents = await open();
    const { size } = contents;
    yield tarHeader(name, '0', size, { mode: 0o644, modified });
    yield* contents.stream() as unknown as AsyncIterable<Uint8Array>;
    yield Buffer.alloc((512 - (size % 512)) % 512);
  }
  yield Buffer.alloc(1024);
}

function documents({ images, manifest }: Saved, tag: string): Record<string, string> {
  const { mediaType, digest, size } = manifest.descriptor;
  const annotations = {
    'io.containerd.image.name': tag,
    'org.opencontainers.image.ref.name': tag.slice(tag.lastIndexOf(':') + 1),
  };
  const index = {
    schemaVersion: 2,
    mediaType: mediaTypes.index,
    manifests: [{ mediaType, digest, size, annotations }],
  };
  // Docker's list knows no platforms: it gets the first image.
  const { config, layers } = images[0]!;
  const list = [
    {
      Config: pathOf(config.descriptor.digest),
      RepoTags: [tag],
      Layers: layers.map(({ descriptor }) => pathOf(descriptor.digest)),
    },
  ];
  return {
    'oci-layout': JSON.stringify({ imageLayoutVersion: '1.0.0' }),
    'index.json': JSON.stringify(index),
    'manifest.json': JSON.stringify(list),
  };
}

function pathOf(digest: string): string {
  return `blobs/${digest.replace(':', '/')}`;
}
