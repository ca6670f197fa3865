/** The layer of packages, made once for a lock file and a platform: to install and compress is most of a build's time. */
import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesOf, digestOf } from './blob.ts';
import { type InstallRequest, installPackages } from './install-packages.ts';
import { type Layer, makeLayer } from './make-layer.ts';
import type { Descriptor } from './oci.ts';

export interface PackagesLayer extends Layer {
  /** Paths below the application that hold a package: `node_modules/ioredis`. */
  readonly installed: readonly string[];
}

interface Kept {
  readonly descriptor: Descriptor;
  readonly diffId: string;
  readonly installed: readonly string[];
}

/** Raised when the same lock file would make another layer. */
const form = 1;
const about = 'packages';

/** @param cache folder that keeps layers @throws DeployFailure */
export async function packagesLayer(request: InstallRequest, cache: string): Promise<PackagesLayer> {
  const key = keyOf(request);
  const path = key === undefined ? undefined : join(cache, `packages-${key}`);
  const kept = path === undefined ? undefined : await readKept(path);
  if (kept !== undefined && path !== undefined) {
    const { descriptor, diffId, installed } = kept;
    return { blob: { descriptor, open: () => openAsBlob(`${path}.tar.gz`) }, diffId, installed, about };
  }
  const entries = await installPackages(request);
  const layer = await makeLayer(entries, about);
  const installed = entries
    .filter((entry) => entry.path.endsWith('/package.json'))
    .map((entry) => entry.path.slice(request.into.length + 1, -'/package.json'.length));
  // A cache that cannot be written costs time, not the build.
  if (path !== undefined) await keep(path, layer, installed).catch(() => {});
  return { ...layer, installed };
}

/** Packages without a checksum may differ from one time to the next; so those are installed anew. */
function keyOf({ files, platform, libc, into }: InstallRequest): string | undefined {
  const lock = Buffer.from(files['package-lock.json'] ?? '').toString();
  const packages = Object.entries<{ integrity?: string }>(parsed(lock).packages ?? {});
  if (packages.some(([path, { integrity }]) => path !== '' && integrity === undefined)) return undefined;
  const manifest = Buffer.from(files['package.json'] ?? '').toString();
  return createHash('sha256')
    .update(JSON.stringify([form, manifest, lock, platform, libc, into]))
    .digest('hex');
}

function parsed(lock: string): { packages?: Record<string, { integrity?: string }> } {
  try {
    return JSON.parse(lock);
  } catch {
    return { packages: { unreadable: {} } };
  }
}

async function readKept(path: string): Promise<Kept | undefined> {
  try {
    const kept = JSON.parse(await readFile(`${path}.json`, 'utf8')) as Kept;
    const bytes = await readFile(`${path}.tar.gz`);
    return digestOf(bytes) === kept.descriptor.digest ? kept : undefined;
  } catch {
    return undefined;
  }
}

async function keep(path: string, { blob, diffId }: Layer, installed: readonly string[]): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  const write = async (end: string, contents: Uint8Array | string) => {
    await writeFile(`${path}${end}.${process.pid}`, contents);
    await rename(`${path}${end}.${process.pid}`, `${path}${end}`);
  };
  await write('.tar.gz', await bytesOf(blob));
  await write('.json', JSON.stringify({ descriptor: blob.descriptor, diffId, installed } satisfies Kept));
}
