#!/usr/bin/env node
/**
 * Starts the command line. The published package carries it bundled in `dist/`. In a checkout it is bundled when the sources have
 * changed: each state of the sources has its own folder `node_modules/.cache/svc/build-<stamp>`, so that a running server keeps the
 * files it loads later.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const builds = join(root, 'node_modules', '.cache', 'svc');

nodeModule.enableCompileCache?.();
const { main } = await import(pathToFileURL(await findCommandLine()).href);
const streams = [process.stdout, process.stderr];
const isServer = process.argv[2] === 'start';
// Who reads the output may stop early, as `head` does. A server goes on without, also when a terminal closes or a disk is full.
for (const stream of streams) {
  stream.on('error', (error) => {
    if (isServer) return;
    if (error.code !== 'EPIPE') throw error;
    process.exit(141);
  });
}
const exitCode = await main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error?.stack ?? error}\n`);
  return 1;
});
// What a pipe has not taken yet would be lost. A server that was told to end does not wait for a reader that hangs.
if (isServer) setTimeout(() => process.exit(exitCode), 2000);
for (const stream of streams) await new Promise((done) => stream.write('', done));
process.exit(exitCode);

async function findCommandLine() {
  const published = join(root, 'dist', 'cli.mjs');
  if (!existsSync(join(root, 'cli', 'main.ts'))) return published;
  if (!existsSync(join(root, 'node_modules', 'rolldown')) && existsSync(published)) return published;
  const stamp = stampOfSources();
  const folder = join(builds, `build-${stamp}`);
  if (!existsSync(folder)) await buildOnce(folder, stamp);
  return join(folder, 'cli.mjs');
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

/** Of several processes that find the build missing one makes it and the others wait for it. */
async function buildOnce(folder, stamp) {
  const { spawnSync } = await import('node:child_process');
  const lock = `${folder}.lock`;
  mkdirSync(builds, { recursive: true });
  for (const deadline = Date.now() + 60_000; !existsSync(folder); ) {
    try {
      mkdirSync(lock);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (Date.now() > deadline) rmSync(lock, { recursive: true, force: true });
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
