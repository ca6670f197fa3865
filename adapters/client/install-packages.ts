/** Packages that a project lists, or svc needs to build for browsers, put into the project by npm. */
import { spawn } from 'node:child_process';
import { ClientBuildError } from './failure.ts';

const longestMs = 300_000;

/** Scripts of packages are not run; the lock file is npm's. @throws ClientBuildError that names the packages */
export async function installPackages(packages: readonly string[], projectDir: string): Promise<void> {
  const args = [
    'install',
    '--prefix',
    projectDir,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...packages,
  ];
  const { status, said } = await run('npm', args, projectDir);
  if (status === 0) return;
  const reason = said.match(/npm (?:error|ERR!) (?!code|A complete log)(.+)/)?.[1] ?? said.trim().split('\n')[0] ?? '';
  throw new ClientBuildError([
    {
      message: `npm packages are missing and could not be installed: ${packages.join(' ')}${reason === '' ? '' : ` (${reason})`}`,
    },
  ]);
}

function run(command: string, args: readonly string[], cwd: string): Promise<{ status: number; said: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], timeout: longestMs });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      if (said.length < 20_000) said += chunk;
    });
    child.on('error', (error) => resolve({ status: 1, said: error.message }));
    child.on('close', (code) => resolve({ status: code ?? 1, said }));
  });
}
