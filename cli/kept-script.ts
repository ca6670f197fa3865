/**
 * Large parts of the command line that are kept compiled (decisions/0980): the server and the compiler. What Node keeps of modules lacks the functions that are
 * compiled when they are first called; a script can be kept after it ran. `bin/build.mjs` makes scripts of such parts.
 */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { delayOptimising, optimiseAsUsual } from './optimising.ts';

/** Kept versions of one part: of the newest builds, versions of Node and settings of V8. */
const mostVersions = 6;

interface Running {
  readonly script: Script;
  readonly path: string;
  /** Version and settings of V8 when it was read; what is kept under others is refused. */
  readonly tag: number;
  /** Bytes of code that are kept; 0 for a script of which nothing is. */
  readonly size: number;
}

/** Kept code that would grow by less than this factor stays as it is. */
const worthWriting = 1.1;

const running: Running[] = [];
let isAsked = false;

/** Runs the script at `url`, a function of what it takes, and gives what it exports. */
export function runScript(url: string, taken: readonly unknown[]): Readonly<Record<string, unknown>> {
  const filename = fileURLToPath(url);
  const tag = cachedDataVersionTag();
  const folder = keptFolder();
  // V8 takes the name of the file from what was kept.
  const key = createHash('sha256').update(`${filename}\0${tag}`).digest('hex').slice(0, 16);
  const path = folder && join(folder, `${basename(filename, '.js')}-${key}`);
  const cachedData = path === undefined ? undefined : readKept(path);
  const script = new Script(readFileSync(filename, 'latin1'), {
    filename: url,
    cachedData,
  });
  if (path !== undefined) {
    if (!isAsked) process.once('exit', () => keep(({ size }) => size === 0));
    isAsked = true;
    running.push({ script, path, tag, size: script.cachedDataRejected === true ? 0 : (cachedData?.length ?? 0) });
  }
  return script.runInThisContext()(...taken);
}

/**
 * Keeps the functions that have been called, with those that were kept before: a command on a small program calls few of them. V8 optimises as
 * usual afterwards. Never throws.
 *
 * @param grows whether scripts that are kept may be kept anew: to find out takes some tens of milliseconds each.
 */
export function keepScripts(grows: boolean): void {
  keep(({ size }) => grows || size === 0);
}

function keep(which: (one: Running) => boolean): void {
  const wanted = running.splice(0).filter(which);
  // Kept code is accepted under the settings of V8 with which it was written.
  for (const set of [delayOptimising, optimiseAsUsual]) {
    set();
    const tag = cachedDataVersionTag();
    for (const one of wanted) if (one.tag === tag) write(one);
  }
}

function write({ script, path, size }: Running): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const code = script.createCachedData();
    if (code.length < size * worthWriting) return;
    writeFileSync(temporary, Buffer.concat([digestOf(code), code]), { mode: 0o600 });
    renameSync(temporary, path);
    removeOld(path);
  } catch {
    // A full disk: the next process tries again.
    rmSync(temporary, { force: true });
  }
}

/** A folder that nobody else can write to: V8 runs what is in it. Undefined where there is none. */
function keptFolder(): string | undefined {
  if (process.env['NODE_DISABLE_COMPILE_CACHE'] === '1') return undefined;
  const user = process.getuid?.();
  const folder = join(tmpdir(), `svc-code${user === undefined ? '' : `-${user}`}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    const isOwn = user === undefined || (found.uid === user && (found.mode & 0o022) === 0);
    return found.isDirectory() && isOwn ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** V8 would run what a crash of the machine has left of a file. */
function readKept(path: string): Buffer | undefined {
  try {
    const file = readFileSync(path);
    const code = file.subarray(digestBytes);
    return digestOf(code).equals(file.subarray(0, digestBytes)) ? code : undefined;
  } catch {
    return undefined;
  }
}

const digestBytes = 20;

function digestOf(code: Buffer): Buffer {
  return createHash('sha1').update(code).digest();
}

function removeOld(path: string): void {
  const folder = dirname(path);
  const part = basename(path).replace(/-[^-]+-[^-]+$/, '');
  const others = readdirSync(folder).filter((name) => name.startsWith(`${part}-`));
  const byAge = others.map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs })).sort((a, b) => b.at - a.at);
  for (const { name } of byAge.slice(mostVersions)) rmSync(join(folder, name), { force: true });
}
