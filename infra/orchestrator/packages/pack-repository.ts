/** The package of a git repository, packed on the machine that deploys: pods have neither git nor what building takes (docs/server/orchestrator.md#bundle). */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeployFailure } from '../deploy-failure.ts';
import { type Environment, isOnPath, lastLines, runTool } from '../run-tool.ts';
import { packageName } from './add-package.ts';

export interface PackedRepository {
  /** Commit of the repository's main branch at this moment. */
  readonly commit: string;
  /** Archive as `npm pack` makes it. */
  readonly archive: Uint8Array;
}

const minute = 60_000;

/** Packs the newest commit; what was packed of it before is kept in the cache of the machine. @throws DeployFailure */
export async function packRepository(address: string, given: Environment): Promise<PackedRepository> {
  const repository = checkedAddress(address);
  for (const tool of ['git', 'npm'])
    if (!isOnPath(tool, given))
      throw new DeployFailure('prerequisite', `${tool} is needed for packages of a repository`);
  const env = buildEnvironment(given);
  const asked = await runTool('git', ['ls-remote', '--', repository, 'HEAD'], { env, timeoutMs: minute });
  const [commit = ''] = /^[0-9a-f]{40,64}(?=\s)/m.exec(asked.stdout) ?? [];
  if (asked.code !== 0 || commit === '')
    throw new DeployFailure('prerequisite', `the repository ${repository} cannot be read`, {
      output: lastLines(asked.output, 5),
      hints: ['git ls-remote with the address shows the same'],
    });
  const kept = join(given['XDG_CACHE_HOME'] || join(given['HOME'] || homedir(), '.cache'), 'svc-scale/commits');
  const path = join(kept, `${commit}.tgz`);
  const before = await readFile(path).catch(() => undefined);
  if (before !== undefined) return { commit, archive: before };
  const archive = await packCommit(repository, commit, env);
  await mkdir(kept, { recursive: true });
  await writeFile(`${path}.${process.pid}`, archive);
  await rename(`${path}.${process.pid}`, path);
  return { commit, archive };
}

/** @throws DeployFailure for a password, which would be on a command line, and for what git would take for an option */
function checkedAddress(address: string): string {
  const repository = address.replace(/^git\+/, '');
  const { password = '' } = URL.canParse(repository) ? new URL(repository) : {};
  if (password === '' && !/^-|^ext::/.test(repository)) return repository;
  throw new DeployFailure('invalid', 'repository under [plugins.scale] is not an address that git may be given', {
    hints: ['an https or ssh address without a password: git asks its credential helper'],
  });
}

/** Scripts of the repository see no secret of the deployment. */
function buildEnvironment(env: Environment): Environment {
  const wanted =
    /^(PATH|HOME|USER|LANG|LC_\w+|TMPDIR|XDG_CACHE_HOME|SSH_AUTH_SOCK|GIT_\w+|NODE_EXTRA_CA_CERTS|npm_config_\w+|\w+_proxy)$/i;
  const kept = Object.entries(env).filter(([name]) => wanted.test(name));
  return { ...Object.fromEntries(kept), GIT_TERMINAL_PROMPT: '0' };
}

async function packCommit(repository: string, commit: string, env: Environment): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-repository-'));
  const cwd = join(folder, 'source');
  const run = async (program: string, args: readonly string[]) => {
    const { code, output } = await runTool(program, args, { env, cwd, timeoutMs: 15 * minute });
    if (code !== 0)
      throw new DeployFailure('failed', `commit ${commit} cannot be packed: ${program} ${args[0]} failed`, {
        output: lastLines(output, 20),
      });
  };
  try {
    await mkdir(cwd);
    await run('git', ['init', '--quiet']);
    await run('git', ['fetch', '--quiet', '--depth', '1', '--', repository, commit]);
    await run('git', ['checkout', '--quiet', '--detach', 'FETCH_HEAD']);
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier']);
    await run('npm', ['pack', '--ignore-scripts=false', '--pack-destination', folder]);
    const name = (await readdir(folder)).find((one) => one.startsWith(`${packageName}-`) && one.endsWith('.tgz'));
    if (name !== undefined) return await readFile(join(folder, name));
    throw new DeployFailure('failed', `commit ${commit} is no ${packageName}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
