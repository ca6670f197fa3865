/** Contents of a base image, read off the names in its layers without unpacking them. */
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { DeployFailure } from '../orchestrator/deploy-failure.ts';
import type { ImageBlob, ImageConfig } from './oci.ts';

export interface BaseContents {
  /** Absolute path of the program Node, if there is one. */
  readonly node: string | undefined;
  /** Library of the C language: packages with compiled parts have a build for each. */
  readonly libc: 'glibc' | 'musl';
}

/** @throws DeployFailure for a layer that is no archive */
export async function lookIntoLayers(layers: readonly ImageBlob[], config: ImageConfig): Promise<BaseContents> {
  const wanted = nodePaths(config);
  const found = new Set<string>();
  let libc: BaseContents['libc'] = 'glibc';
  for (const layer of layers) {
    await eachName(layer, (name) => {
      const path = `/${name.replace(/^(\.?\/)+/, '')}`;
      if (/\/\.wh\.node$/.test(path)) found.delete(path.replace('.wh.', ''));
      else if (wanted.includes(path)) found.add(path);
      if (/^\/(usr\/)?lib\/ld-musl-/.test(path)) libc = 'musl';
    });
  }
  return { node: wanted.find((path) => found.has(path)), libc };
}

/** The program may be what the image starts by itself, or on the path for programs. */
function nodePaths({ config = {} }: ImageConfig): string[] {
  const path = (config.Env ?? []).find((line) => line.startsWith('PATH='))?.slice(5) || '/usr/local/bin:/usr/bin:/bin';
  const entry = config.Entrypoint?.[0];
  const own = entry?.startsWith('/') === true && entry.endsWith('/node') ? [entry] : [];
  return [...own, ...path.split(':').map((folder) => `${folder.replace(/\/+$/, '')}/node`)];
}

const block = 512;

/** Calls back for each member of a compressed archive, and checks its digest on the way. */
async function eachName(layer: ImageBlob, tell: (name: string) => void): Promise<void> {
  const { mediaType, digest } = layer.descriptor;
  const reader = nameReader(tell);
  const hash = createHash('sha256');
  const hashed = async function* (parts: AsyncIterable<Uint8Array>) {
    for await (const part of parts) {
      hash.update(part);
      yield part;
    }
  };
  const read = async (parts: AsyncIterable<Uint8Array>) => {
    for await (const part of parts) reader(Buffer.from(part.buffer, part.byteOffset, part.length));
  };
  // Node 20 cannot read zstd: what is in such a layer stays unknown.
  const skip = async (parts: AsyncIterable<Uint8Array>) => {
    for await (const _ of parts);
  };
  const contents = (await layer.open()).stream();
  try {
    if (mediaType.endsWith('zstd')) await pipeline(contents, hashed, skip);
    else if (mediaType.endsWith('.tar')) await pipeline(contents, hashed, read);
    else await pipeline(contents, hashed, createGunzip(), read);
  } catch (error) {
    if (error instanceof DeployFailure) throw error;
    throw new DeployFailure('failed', `layer ${digest} of the base image is no archive: ${(error as Error).message}`);
  }
  if (`sha256:${hash.digest('hex')}` !== digest)
    throw new DeployFailure('failed', `layer ${digest} of the base image is damaged on this machine`, {
      hints: ['the folder svc-scale/images of the cache of this machine can be removed at any time'],
    });
}

/** A reader that takes parts of any size and keeps at most one header and one long name. */
function nameReader(tell: (name: string) => void): (part: Buffer) => void {
  let kept: Buffer = Buffer.alloc(0);
  let skip = 0;
  let longName: string | undefined;
  return (part) => {
    kept = kept.length === 0 ? part : Buffer.concat([kept, part]);
    for (;;) {
      const passed = Math.min(skip, kept.length);
      skip -= passed;
      kept = kept.subarray(passed);
      if (skip > 0 || kept.length < block) return;
      const size = Number.parseInt(text(kept, 124, 12).trim() || '0', 8);
      const kind = text(kept, 156, 1);
      const room = Math.ceil(size / block) * block;
      if (!(size >= 0)) throw new Error('a header is damaged');
      if (kind === 'x' || kind === 'L') {
        if (size > 1024 * 1024) throw new Error('a name is too long');
        if (kept.length < block + size) return;
        const record = kept.toString('utf8', block, block + size);
        longName = kind === 'L' ? record.replace(/\0.*$/s, '') : /\d+ path=([^\n]*)\n/.exec(record)?.[1];
      } else {
        const prefix = text(kept, 257, 5) === 'ustar' ? text(kept, 345, 155) : '';
        tell(longName ?? (prefix === '' ? '' : `${prefix}/`) + text(kept, 0, 100));
        longName = undefined;
      }
      kept = kept.subarray(block);
      skip = room;
    }
  };
}

function text(bytes: Buffer, at: number, length: number): string {
  const end = bytes.indexOf(0, at);
  return bytes.toString('utf8', at, end < 0 || end > at + length ? at + length : end);
}
