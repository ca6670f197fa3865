/** The packages of an application as its image carries them: a pod starts without asking any index. */
import { existsSync } from 'node:fs';
import { copyFile, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import type { Files } from '../files.ts';
import { DeployFailure } from '../orchestrator/deploy-failure.ts';
import { filesOfNpm } from '../orchestrator/packages/add-package.ts';
import { type Environment, isOnPath, lastLines, runTool } from '../orchestrator/run-tool.ts';
import type { LayerEntry } from './make-layer.ts';

export interface InstallRequest {
  /** Files of the application, with `package.json` and `package-lock.json`. */
  readonly files: Files;
  /** `linux/arm64` */
  readonly platform: string;
  readonly libc: 'glibc' | 'musl';
  /** Folder of the project: its `.npmrc` says where packages are; it does not travel. */
  readonly projectDir: string;
  readonly env: Environment;
  /** Folder of the application in the image. */
  readonly into: string;
}

const processors: Readonly<Record<string, string>> = { amd64: 'x64', arm64: 'arm64' };

/** Platforms that images are made for. */
export const platforms = Object.keys(processors).map((architecture) => `linux/${architecture}`);

/** Installs what the lock file names, for a platform that need not be this one. No script of a package runs. @throws DeployFailure */
export async function installPackages(request: InstallRequest): Promise<LayerEntry[]> {
  const { files, platform, libc, projectDir, env, into } = request;
  if (!isOnPath('npm', env)) throw new DeployFailure('prerequisite', 'npm is needed to install packages');
  const folder = await mkdtemp(join(tmpdir(), 'svc-image-'));
  try {
    for (const name of ['package.json', 'package-lock.json'])
      if (files[name] === undefined) throw new DeployFailure('invalid', `${name} is missing among the files`);
    for (const [path, contents] of Object.entries(filesOfNpm(files))) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), contents);
    }
    if (existsSync(join(projectDir, '.npmrc'))) await copyFile(join(projectDir, '.npmrc'), join(folder, '.npmrc'));
    const cpu = processors[platform.split('/')[1]!]!;
    const quiet = ['--no-audit', '--no-fund', '--no-update-notifier'];
    const args = ['ci', '--omit=dev', '--ignore-scripts', ...quiet, '--os=linux', `--cpu=${cpu}`, `--libc=${libc}`];
    const { code, output } = await runTool('npm', args, { env, cwd: folder });
    if (code !== 0) throw installFailure(output);
    return await entriesBelow(join(folder, 'node_modules'), `${into}/node_modules`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Names of files that npm keeps for itself; one says where packages came from. */
const leftOut = new Set(['.package-lock.json', '.cache']);

async function entriesBelow(folder: string, path: string): Promise<LayerEntry[]> {
  const entries: LayerEntry[] = [];
  for (const name of (await readdir(folder).catch(() => [])).sort()) {
    const from = join(folder, name);
    const to = `${path}/${name}`;
    if (leftOut.has(name)) continue;
    const found = await lstat(from);
    if (found.isSymbolicLink()) entries.push({ path: to, link: linkInside(to, await readlink(from)) });
    else if (found.isDirectory()) entries.push(...(await entriesBelow(from, to)));
    else if (found.isFile())
      entries.push({ path: to, data: await readFile(from), isExecutable: (found.mode & 0o100) !== 0 });
  }
  return entries;
}

/** @throws DeployFailure for a link that leads out of the packages, which would lead nowhere in the image */
function linkInside(path: string, link: string): string {
  const target = posix.resolve(posix.dirname(path), link);
  if (!posix.isAbsolute(link) && /^\/[^/]+\/node_modules\//.test(target)) return link;
  const name = path.slice(path.lastIndexOf('node_modules/') + 13);
  throw new DeployFailure('invalid', `package ${name} is a link to a folder of this machine, which is in no image`, {
    hints: ['name a version of it in package.json, or put its files below the project'],
  });
}

function installFailure(output: string): DeployFailure {
  if (/\bENOSPC\b/.test(output))
    return new DeployFailure('failed', 'no space is left to install packages', {
      hints: ['TMPDIR names another folder for what is made on the way'],
    });
  return new DeployFailure('failed', 'the packages cannot be installed', { output: lastLines(ofFailure(output), 20) });
}

/** npm says how it is used where the lock file does not fit: of no use here. */
function ofFailure(output: string): string {
  return output.replace(/^npm error Clean install a project$[\s\S]*/m, '');
}
