/** Layers of a registry, kept in a folder by their digests: a second build loads none again. */
import { createHash } from 'node:crypto';
import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DeployFailure } from '../orchestrator/deploy-failure.ts';
import { reasonOf } from './ask.ts';
import type { Descriptor, ImageBlob } from './oci.ts';
import { type RegistryClient, unexpected } from './registry-client.ts';

const largestLayer = 4 * 1024 ** 3;
const tries = 3;

/** Gives contents by their descriptor, loaded when they are opened first. */
export function registryBlob(registry: RegistryClient, descriptor: Descriptor, cache: string): ImageBlob {
  return {
    descriptor,
    async open() {
      const path = join(cache, descriptor.digest.replace(':', '-'));
      if ((await sizeOf(path)) !== descriptor.size) await load(registry, descriptor, path);
      return await openAsBlob(path);
    },
  };
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}

async function load(registry: RegistryClient, descriptor: Descriptor, path: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await loadOnce(registry, descriptor, path);
    } catch (error) {
      if (error instanceof DeployFailure || attempt === tries) throw asFailure(error, descriptor);
    }
  }
}

async function loadOnce(registry: RegistryClient, descriptor: Descriptor, path: string): Promise<void> {
  const { digest, size } = descriptor;
  if (!/^sha256:[0-9a-f]{64}$/.test(digest) || !(size >= 0 && size <= largestLayer))
    throw new DeployFailure('failed', `a layer of the base image cannot be used: ${digest}, ${size} bytes`);
  const answer = await registry.ask(`blobs/${digest}`, { bytes: size });
  if (!answer.ok || answer.body === null) throw await unexpected(answer, `${registry.repository}@${digest}`);
  const temporary = `${path}.${process.pid}`;
  await mkdir(join(path, '..'), { recursive: true });
  try {
    await pipeline(answer.body, checkedAs(digest, size, registry.host), createWriteStream(temporary));
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Passes bytes on, not more than announced, and fails at the end when they are others. */
function checkedAs(digest: string, size: number, host: string) {
  return async function* (parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    let seen = 0;
    for await (const part of parts) {
      seen += part.length;
      if (seen > size) throw wrongContents(host, digest, `more than ${size} bytes`);
      hash.update(part);
      yield part;
    }
    if (seen < size) throw new Error(`the connection ended after ${seen} of ${size} bytes`);
    const found = `sha256:${hash.digest('hex')}`;
    if (found !== digest) throw wrongContents(host, digest, `its digest is ${found}`);
  };
}

function wrongContents(host: string, digest: string, what: string): DeployFailure {
  return new DeployFailure('failed', `the registry ${host} gave something else than ${digest}: ${what}`);
}

function asFailure(error: unknown, { digest }: Descriptor): Error {
  if (error instanceof DeployFailure) return error;
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new DeployFailure('failed', `no space is left for ${path ?? digest}`, {
      hints: ['XDG_CACHE_HOME names another place for layers of base images'],
    });
  return new DeployFailure('failed', `${digest} cannot be loaded: ${reasonOf(error)}`);
}
