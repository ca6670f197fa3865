/**
 * An index of packages with svc-scale as it would be published and everything it depends on, packed from the packages
 * of this repository: images are built of the real packages without a network.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar } from '../../../infra/orchestrator/bundle/tar.ts';
import { removeFolder, repository } from '../server.ts';

export interface PackageIndex extends AsyncDisposable {
  /** Environment of npm that asks this index only. */
  readonly env: Readonly<Record<string, string>>;
  readonly requests: readonly string[];
}

interface Packed {
  readonly manifest: any;
  readonly folder: string;
}

/**
 * @param root folder of this repository, for who is bundled elsewhere
 * @param further folders of packages that are not installed here: those for another processor
 */
export async function startRepositoryIndex(root = repository, further: readonly string[] = []): Promise<PackageIndex> {
  const own = mkdtempSync(join(tmpdir(), 'svc-index-'));
  execFileSync(process.execPath, [join(root, 'bin/build.mjs'), '--out', join(own, 'dist'), '--id', 'tested']);
  const packages = installedPackages(root);
  for (const folder of further) {
    const manifest = manifestIn(folder);
    packages.set(manifest.name, new Map([[String(manifest.version), { manifest, folder }]]));
  }
  const { name, version, type, bin, dependencies, optionalDependencies } = manifestIn(root);
  const manifest = { name, version, type, bin, dependencies, optionalDependencies };
  packages.set('svc-scale', new Map([[String(version), { manifest, folder: own }]]));
  // Builds for other systems are not installed here: who asks for them would find the lock file wanting.
  for (const versions of packages.values())
    for (const { manifest } of versions.values())
      manifest['optionalDependencies'] = Object.fromEntries(
        Object.entries(manifest['optionalDependencies'] ?? {}).filter(([one]) => packages.has(one)),
      );
  const archives = new Map<string, Buffer>();
  const archiveOf = (packed: Packed): Buffer => {
    const key = packed.folder;
    if (!archives.has(key)) archives.set(key, pack(packed, root));
    return archives.get(key)!;
  };
  const requests: string[] = [];
  let host = '';
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    requests.push(`${request.method} ${path}`);
    const [, file, of] = /^\/-\/(.+)\/([^/]+)\.tgz$/.exec(path) ?? [];
    const found = packages.get(file ?? path.slice(1));
    const one = of === undefined ? undefined : found?.get(of);
    if (one !== undefined) return response.end(archiveOf(one));
    if (found === undefined) return response.writeHead(404).end('{"error":"not found"}');
    const versions = Object.fromEntries(
      [...found].map(([version, packed]) => {
        const integrity = `sha512-${createHash('sha512').update(archiveOf(packed)).digest('base64')}`;
        const tarball = `http://${host}/-/${path.slice(1)}/${version}.tgz`;
        return [version, { ...packed.manifest, dist: { tarball, integrity } }];
      }),
    );
    const latest = [...found.keys()].at(-1);
    return response.end(JSON.stringify({ name: path.slice(1), 'dist-tags': { latest }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    requests,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: own,
      npm_config_registry: `http://${host}/`,
      npm_config_cache: join(own, 'npm-cache'),
      npm_config_userconfig: join(own, 'npmrc'),
      XDG_CACHE_HOME: join(own, 'cache'),
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      removeFolder(own);
    },
  };
}

/** Packages that are not for development, by name and version. */
function installedPackages(root: string): Map<string, Map<string, Packed>> {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const found = new Map<string, Map<string, Packed>>();
  for (const [path, { dev, peer }] of Object.entries<{ dev?: boolean; peer?: boolean }>(lock)) {
    if (path === '' || dev === true || peer === true) continue;
    const folder = join(root, path);
    const name = path.slice(path.lastIndexOf('node_modules/') + 13);
    const manifest = manifestIn(folder);
    if (manifest === undefined) continue;
    const { scripts: _, devDependencies: __, ...published } = manifest;
    found.set(name, (found.get(name) ?? new Map()).set(String(manifest['version']), { manifest: published, folder }));
  }
  return found;
}

function manifestIn(folder: string): any {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

function pack({ manifest, folder }: Packed, root: string): Buffer {
  const files: Record<string, Uint8Array> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name));
    if (entry.isFile() && !/(^|\/)node_modules\/|^cache\/|^npm-cache\//.test(path))
      files[`package/${path}`] = readFileSync(join(folder, path));
  }
  if (manifest['name'] === 'svc-scale') files['package/bin/svc.mjs'] = readFileSync(join(root, 'bin/svc.mjs'));
  files['package/package.json'] = Buffer.from(JSON.stringify(manifest));
  return gzipSync(packTar(files), { level: 1 });
}
