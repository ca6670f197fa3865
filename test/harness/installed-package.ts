/** The package as somebody has it who installed it: bundled, in a folder `node_modules` beside others. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder, repository } from './server.ts';

export interface InstalledPackage extends Disposable {
  /** Holds `node_modules` with svc-scale in it. */
  readonly folder: string;
}

/** @param without packages of the repository that are not installed beside it */
export function installPackage(without: readonly string[] = []): InstalledPackage {
  const folder = mkdtempSync(join(tmpdir(), 'svc-installed-'));
  const packages = join(folder, 'node_modules');
  const own = join(packages, 'svc-scale');
  mkdirSync(own, { recursive: true });
  cpSync(join(repository, 'package.json'), join(own, 'package.json'));
  const built = spawnSync(
    process.execPath,
    [join(repository, 'bin/build.mjs'), '--out', join(own, 'dist'), '--id', 'test'],
    {
      encoding: 'utf8',
    },
  );
  if (built.status !== 0) throw new Error(`bin/build.mjs ended with ${built.status}\n${built.stderr}`);
  for (const name of readdirSync(join(repository, 'node_modules')))
    if (!name.startsWith('.') && !without.includes(name))
      symlinkSync(join(repository, 'node_modules', name), join(packages, name));
  return { folder, [Symbol.dispose]: () => removeFolder(folder) };
}
