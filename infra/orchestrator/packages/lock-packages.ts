/** Resolves the packages of a deployment once, so that a pod that starts later gets the same ones (docs/server/orchestrator.md#bundle). */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Files } from '../../files.ts';
import { DeployFailure } from '../deploy-failure.ts';
import { type Environment, isOnPath, lastLines, runTool } from '../run-tool.ts';
import { filesOfNpm, packageName } from './add-package.ts';

export interface LockRequest {
  readonly files: Files;
  /** `1.2.3`, `latest`, or `file:` with an archive among the files. */
  readonly version: string;
  /** Names of packages that are installed beside it, in the versions it asks for. */
  readonly further: readonly string[];
  /** Folder of the project: its `.npmrc` says where packages are; it does not travel. */
  readonly projectDir: string;
  readonly env: Environment;
}

export interface LockedPackages {
  /** Files of the package, with `package.json` and `package-lock.json`. */
  readonly files: Files;
  /** Exact. */
  readonly version: string;
}

const manifests = ['package.json', 'package-lock.json'] as const;

/** @throws DeployFailure */
export async function lockPackages({ files, version, further, projectDir, env }: LockRequest): Promise<LockedPackages> {
  if (!isOnPath('npm', env)) throw new DeployFailure('prerequisite', 'npm is needed to resolve packages');
  const temporary = await mkdtemp(join(tmpdir(), 'svc-packages-'));
  // npm writes the name of the folder into the lock file of an application without a name.
  const folder = join(temporary, 'app');
  try {
    await mkdir(folder);
    const empty = { 'package.json': Buffer.from('{ "private": true }\n') };
    for (const [path, contents] of Object.entries({ ...empty, ...filesOfNpm(files) })) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), contents);
    }
    if (existsSync(join(projectDir, '.npmrc'))) await copyFile(join(projectDir, '.npmrc'), join(folder, '.npmrc'));
    const flags = [
      '--package-lock-only',
      '--ignore-scripts',
      '--save-exact',
      '--save-prod',
      '--omit-lockfile-registry-resolved',
    ];
    const quiet = ['--no-audit', '--no-fund', '--no-update-notifier'];
    const args = ['install', ...flags, ...quiet, `${packageName}@${version}`, ...further];
    const { code, output } = await runTool('npm', args, { env, cwd: folder });
    if (code !== 0) throw lockFailure(version, output);
    const [manifest, lock] = await Promise.all(manifests.map((name) => readFile(join(folder, name))));
    return {
      files: { ...files, 'package.json': manifest!, 'package-lock.json': lock! },
      version: JSON.parse(lock!.toString()).packages[`node_modules/${packageName}`].version,
    };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function lockFailure(version: string, output: string): DeployFailure {
  const isUnknown = /\b(ETARGET|E404)\b/.test(output) && output.includes(packageName);
  if (isUnknown)
    return new DeployFailure('failed', `${packageName}@${version} is not in the package index`, {
      hints: ['--experimental takes it from a git repository; npm_config_registry names another index'],
    });
  return new DeployFailure('failed', 'the packages cannot be resolved', { output: lastLines(output, 20) });
}
