/**
 * The command line of a checkout: each state of the sources has its own folder `node_modules/.cache/svc/build-<stamp>`, so that a
 * running server keeps the files it loads later.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const builds = join(root, 'node_modules', '.cache', 'svc');

/** The folder of the sources as they are now, which is made when it is missing. */
export function buildOfSources() {
  const stamp = stampOfSources();
  const folder = join(builds, `build-${stamp}`);
  if (!existsSync(folder)) buildOnce(folder, stamp);
  return folder;
}

/** Path, size and time of every source file in one number: FNV-1a, twice with different seeds. */
function stampOfSources() {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  const add = (text) => {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      a = Math.imul(a ^ code, 0x01000193);
      b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13);
    }
  };
  const walk = (folder, prefix) => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((x, y) => (x.name < y.name ? -1 : 1))) {
      const path = `${prefix}/${entry.name}`;
      if (entry.isDirectory()) walk(join(folder, entry.name), path);
      else if (/\.(ts|js|html|css|svg)$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
        addFile(join(folder, entry.name), path);
    }
  };
  const addFile = (file, path) => {
    const { mtimeMs, size } = statSync(file);
    add(`${path}:${mtimeMs}:${size};`);
  };
  for (const name of ['base', 'lang', 'library', 'core', 'handlers', 'adapters', 'infra', 'cli', 'client']) {
    if (existsSync(join(root, name))) walk(join(root, name), name);
  }
  for (const name of ['package.json', 'bin/build.mjs']) addFile(join(root, name), name);
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0');
}

/** Of several processes that find the build missing one makes it, whose id the lock holds, and the others wait for it. */
function buildOnce(folder, stamp) {
  const lock = `${folder}.lock`;
  mkdirSync(builds, { recursive: true });
  for (const deadline = Date.now() + 60_000; !existsSync(folder); ) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (Date.now() > deadline || isAbandoned(lock)) rmSync(lock, { recursive: true, force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      continue;
    }
    try {
      if (existsSync(folder)) return;
      const args = [join(root, 'bin', 'build.mjs'), '--out', folder, '--id', stamp];
      const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
      if (status !== 0) {
        rmSync(lock, { recursive: true, force: true });
        process.stderr.write('svc: building the command line: failed, see above\n');
        process.exit(1);
      }
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
    removeOldBuilds(folder);
  }
}

/** Tells whether the process that made a lock has ended without taking it away, as Ctrl-C has it. */
function isAbandoned(lock) {
  try {
    // Empty while it is being made.
    const pid = Number(readFileSync(lock, 'utf8'));
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Keeps the newest three builds, and those of the last hour, which a running server may still load from. */
function removeOldBuilds(current) {
  const found = readdirSync(builds)
    .filter((name) => name.startsWith('build-'))
    .map((name) => ({ path: join(builds, name), time: timeOf(join(builds, name)) }))
    .sort((x, y) => y.time - x.time);
  for (const { path, time } of found.slice(3)) {
    if (path !== current && Date.now() - time > 3_600_000) rmSync(path, { recursive: true, force: true });
  }
}

function timeOf(path) {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
