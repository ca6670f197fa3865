import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { appSpecifier, type CompiledModule, runtimeSpecifier } from './compiled-module.ts';
import { hashText } from './recorded-files.ts';
import { runtimeShim } from './runtime-shim.ts';

export interface PlaceOptions {
  /** `<project>/.svc/cache`. */
  readonly cacheDir: string;
  /** Names the runtime exports. */
  readonly runtimeNames: readonly string[];
  /**
   * Set apart from other folders with the same content: a module that this process has imported once is never evaluated again, so a
   * reload needs a folder of its own.
   */
  readonly apart?: string | undefined;
}

export interface PlacedModules {
  /** Folder with all modules of one state of the program. */
  readonly directory: string;
  /** The folder is for this process alone and should be removed when it ends. */
  readonly isTemporary: boolean;
  /** Digests of the files that are loaded, by path in the folder. */
  readonly digests: FileDigests;
}

/** `hashText` of each file, by its path. */
export type FileDigests = Readonly<Record<string, string>>;

/**
 * Writes compiled modules into a folder named for their content, `<cacheDir>/<hash>`, or finds them already there. Appears at once
 * or not at all; several processes may do it together. Where the project cannot be written to, a temporary folder is used.
 */
export async function placeModules(modules: readonly CompiledModule[], options: PlaceOptions): Promise<PlacedModules> {
  const shim = runtimeShim(options.runtimeNames);
  const directory = join(options.cacheDir, hashOf(modules, shim, options.apart));
  const files = filesOf(modules, shim);
  const digests = Object.fromEntries(files.map(([path, text]) => [path, hashText(text)]));
  if (existsSync(directory)) {
    if (isWhole(directory, digests)) {
      await touch(directory);
      return { directory, isTemporary: false, digests };
    }
    await rm(directory, { recursive: true, force: true }).catch(() => {});
  }
  const building = `${directory}.${randomUUID()}.tmp`;
  try {
    await mkdir(building, { recursive: true });
    writeAll(building, modules, files);
    await rename(building, directory);
  } catch {
    await rm(building, { recursive: true, force: true }).catch(() => {});
    // Another process was faster; or the folder is read-only, the disk full, what is damaged in the way.
    if (!isWhole(directory, digests))
      return { directory: await placeTemporarily(modules, files, options.cacheDir), isTemporary: true, digests };
  }
  return { directory, isTemporary: false, digests };
}

/**
 * Tells whether all files are there as they were written: a machine that stopped meanwhile, a full disk or another
 * program may have left anything. What is looked at is about to be loaded, so reading it costs little.
 */
export function isWhole(directory: string, digests: FileDigests): boolean {
  try {
    for (const path in digests) if (hashText(readFileSync(join(directory, path))) !== digests[path]) return false;
    return true;
  } catch {
    return false;
  }
}

/** Marks a folder as in use, so that it is not among the oldest. */
export async function touch(directory: string): Promise<void> {
  const now = new Date();
  await utimes(directory, now, now).catch(() => {});
}

const keptFolders = 6;
const keptMs = 3_600_000;

/** Removes folders of older states of the program: all but the newest few and those of the last hour. */
export async function removeStaleModules(cacheDir: string, nowMs: number): Promise<void> {
  const names = await readdir(cacheDir).catch(() => []);
  const folders = await Promise.all(
    names
      .filter((name) => /^([0-9a-f]{24}|client-[0-9a-f]{24}\.json)(\.[0-9a-f-]+\.tmp)?$/.test(name))
      .map(async (name) => ({
        path: join(cacheDir, name),
        time: (await stat(join(cacheDir, name)).catch(() => undefined))?.mtimeMs ?? 0,
      })),
  );
  folders.sort((a, b) => b.time - a.time);
  const isClient = ({ path }: { readonly path: string }) => basename(path).startsWith('client-');
  const [client, server] = [folders.filter(isClient), folders.filter((one) => !isClient(one))];
  const stale = [client, server].flatMap((kind) => kind.slice(keptFolders)).filter(({ time }) => nowMs - time > keptMs);
  await Promise.all(stale.map(({ path }) => rm(path, { recursive: true, force: true }).catch(() => {})));
}

function hashOf(modules: readonly CompiledModule[], shim: string, apart = ''): string {
  const hash = createHash('sha256').update(apart).update(shim);
  for (const { path, code, map } of modules) hash.update(`\0${path}\0`).update(code).update('\0').update(map);
  return hash.digest('hex').slice(0, 24);
}

type Files = readonly (readonly [path: string, text: string])[];

/** Lists the files that are loaded; source maps are read only for traces. */
function filesOf(modules: readonly CompiledModule[], shim: string): Files {
  const imports = { [runtimeSpecifier]: `./${shimName}`, [`${appSpecifier}*`]: './*' };
  return [
    ...modules.map(({ path, code }) => [path, `${code}\n//# sourceMappingURL=${basename(path)}.map\n`] as const),
    [shimName, shim],
    ['package.json', JSON.stringify({ type: 'module', imports })],
  ];
}

/** Writes at once: hundreds of small files take a tenth of the time that they take with a turn of the event loop for each step. */
function writeAll(directory: string, modules: readonly CompiledModule[], files: Files): void {
  const folders = new Set(files.map(([path]) => dirname(join(directory, path))));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  for (const [path, text] of files) writeFileSync(join(directory, path), text);
  for (const { path, map } of modules) writeFileSync(join(directory, `${path}.map`), map);
}

const shimName = 'svc-runtime.mjs';

/** Packages are looked up from the folder upwards, so the project's are linked in. */
async function placeTemporarily(modules: readonly CompiledModule[], files: Files, cacheDir: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-'));
  writeAll(directory, modules, files);
  const packages = join(dirname(dirname(cacheDir)), 'node_modules');
  if (existsSync(packages)) await symlink(packages, join(directory, 'node_modules')).catch(() => {});
  return directory;
}
