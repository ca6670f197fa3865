/** An application as it travels without an image (docs/server/orchestrator.md#bundle). */
import { createHash } from 'node:crypto';
import type { Files } from '../../files.ts';
import { DeployFailure } from '../deploy-failure.ts';
import type { AppSource } from '../deployment.ts';
import { packTar } from './tar.ts';

export interface Bundle {
  readonly parts: readonly Uint8Array[];
  readonly sha256: string;
}

const partBytes = 900 * 1024;
const mostParts = 16;

/** Reproducible: the same files give the same bundle. @throws DeployFailure when it does not fit */
export async function packBundle(files: Files): Promise<Bundle> {
  const { gzipSync } = await import('fflate');
  const archive = gzipSync(packTar(files), { level: 9, mtime: 0 });
  return { parts: splitBundle(archive), sha256: createHash('sha256').update(archive).digest('hex') };
}

export function splitBundle(archive: Uint8Array): Uint8Array[] {
  const count = Math.ceil(archive.length / partBytes);
  if (count > mostParts) {
    const size = (archive.length / 1e6).toFixed(1);
    throw new DeployFailure('failed', `the bundle is ${size} MB, more than fits without an image; use --build`);
  }
  return Array.from({ length: count }, (_, at) => archive.subarray(at * partBytes, (at + 1) * partBytes));
}

/** Unpacked by a container of a stock image. */
export async function bundleSource(files: Files, image: string): Promise<AppSource> {
  return { kind: 'bundle', image, ...(await packBundle(files)) };
}

/** Computes the digest of the files themselves, however they travel. */
export function digestOfFiles(files: Files): string {
  return createHash('sha256').update(packTar(files)).digest('hex');
}
