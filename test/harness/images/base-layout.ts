/** A base image of this machine's own Node, as a folder in the OCI layout: no public registry is reached by tests. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { blobOf, bytesOf, digestOf, jsonBlob } from '../../../infra/images/blob.ts';
import { type LayerEntry, packEntries } from '../../../infra/images/make-layer.ts';
import { type ImageBlob, mediaTypes } from '../../../infra/images/oci.ts';
import { repository } from '../server.ts';

export interface BaseOptions {
  readonly architectures?: readonly string[];
  /** Without it the image has no program `node`. */
  readonly hasNode?: boolean;
  readonly env?: readonly string[];
  /** True: the real program with its libraries, which runs; else a file of that name. */
  readonly isReal?: boolean;
  /** Files of this machine by their paths in the image: a Node for another processor, instead of this machine's own. */
  readonly nodeFiles?: Readonly<Record<string, string>>;
  /** Folder of this repository, for who is bundled elsewhere. */
  readonly root?: string;
}

/** Writes the folder and gives the digest of what it holds. */
export async function writeBaseLayout(folder: string, options: BaseOptions = {}): Promise<string> {
  const { architectures = ['amd64'], hasNode = true, isReal = false, root = repository } = options;
  const node = options.nodeFiles === undefined ? nodeEntries(isReal, root) : entriesOf(options.nodeFiles);
  const archive = packEntries([...common, ...(hasNode ? node : [])]);
  const layer = { blob: blobOf(gzipSync(archive, { level: 1 }), mediaTypes.layer), diffId: digestOf(archive) };
  const manifests: ImageBlob[] = [];
  const blobs: ImageBlob[] = [layer.blob];
  for (const architecture of architectures) {
    const config = jsonBlob(
      {
        architecture,
        os: 'linux',
        config: { Env: ['PATH=/usr/local/bin:/usr/bin:/bin', ...(options.env ?? [])], Cmd: ['node'] },
        rootfs: { type: 'layers', diff_ids: [layer.diffId] },
      },
      mediaTypes.config,
    );
    const manifest = jsonBlob(
      {
        schemaVersion: 2,
        mediaType: mediaTypes.manifest,
        config: config.descriptor,
        layers: [layer.blob.descriptor],
      },
      mediaTypes.manifest,
      { platform: { os: 'linux', architecture } },
    );
    blobs.push(config, manifest);
    manifests.push(manifest);
  }
  const top =
    manifests.length === 1
      ? manifests[0]!
      : jsonBlob(
          {
            schemaVersion: 2,
            mediaType: mediaTypes.index,
            manifests: manifests.map(({ descriptor }) => descriptor),
          },
          mediaTypes.index,
        );
  blobs.push(top);
  mkdirSync(join(folder, 'blobs/sha256'), { recursive: true });
  for (const blob of blobs)
    writeFileSync(join(folder, 'blobs', blob.descriptor.digest.replace(':', '/')), await bytesOf(blob));
  writeFileSync(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  const { mediaType, digest, size } = top.descriptor;
  writeFileSync(
    join(folder, 'index.json'),
    JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.index, manifests: [{ mediaType, digest, size }] }),
  );
  return digest;
}

const common: readonly LayerEntry[] = [
  { path: '/tmp' },
  { path: '/etc/passwd', data: Buffer.from('root:x:0:0:root:/root:/bin/sh\n') },
];

function entriesOf(files: Readonly<Record<string, string>>): LayerEntry[] {
  return Object.entries(files).map(([path, from]) => ({ path, data: readFileSync(from), isExecutable: true }));
}

function nodeEntries(isReal: boolean, root: string): LayerEntry[] {
  const path = '/usr/local/bin/node';
  if (!isReal) return [{ path, data: Buffer.from('#!/bin/sh\n'), isExecutable: true }];
  const node = realpathSync(process.execPath);
  // The packages with compiled parts need some more.
  const programs = [node, ...compiledParts(root)];
  const libraries = new Set(
    programs.flatMap((one) =>
      [...execFileSync('ldd', [one], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)].map(([, library]) => library!),
    ),
  );
  return [...entriesOf({ [path]: node }), ...[...libraries].flatMap((library) => entriesOf({ [library]: library }))];
}

function compiledParts(root: string): string[] {
  const packages = ['@libsql', '@node-rs'].map((scope) => join(root, 'node_modules', scope));
  return packages.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.node') && !name.includes('musl'))
      .map((name) => join(folder, name)),
  );
}
