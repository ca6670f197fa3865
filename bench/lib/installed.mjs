// The package as users have it: what `npm pack` makes of this checkout, unpacked beside the packages of the checkout. A checkout looks at the state of
// its sources in each start, which costs 30 to 50 ms of processor time that no user pays.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Installs svc below `folder`; gives the path of its command. */
export function installSvc(folder) {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules, { recursive: true });
  const hadDist = existsSync(join(root, 'dist'));
  run('npm', ['pack', '--silent', '--pack-destination', folder], root);
  if (!hadDist) rmSync(join(root, 'dist'), { recursive: true, force: true });
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  run('tar', ['xzf', archive], folder);
  renameSync(join(folder, 'package'), join(modules, 'svc-scale'));
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  return join(modules, 'svc-scale/bin/svc.mjs');
}

function run(command, args, cwd) {
  const { status, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error ?? stderr}`);
}
