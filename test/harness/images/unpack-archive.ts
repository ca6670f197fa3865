import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../server.ts';

/** Unpacks the layers of an image that `svc build --load` or `--push` made into a folder, one over the other. */
function unpackLayers(layers: readonly string[], root: string): void {
  mkdirSync(root, { recursive: true });
  for (const layer of layers) execFileSync('tar', ['-xzf', layer, '-C', root], { stdio: 'pipe' });
}

/** Unpacks the image of an archive; gives the digest of its manifest. */
export function unpackArchive(archive: string, root: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-archive-'));
  try {
    execFileSync('tar', ['-xf', archive, '-C', folder]);
    const read = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'));
    const [{ digest }] = read('index.json').manifests;
    const blob = (of: string) => `blobs/${of.replace(':', '/')}`;
    const { layers } = read(blob(digest));
    unpackLayers(
      layers.map((layer: { digest: string }) => join(folder, blob(layer.digest))),
      root,
    );
    return digest;
  } finally {
    removeFolder(folder);
  }
}
