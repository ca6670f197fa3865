/** Packages that a project lists, or svc needs to build for browsers, put into the project by npm. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClientBuildError } from './failure.ts';
import { importsOf } from './find-imports.ts';
import type { ClientJob } from './job.ts';
import type { MissingPackage } from './missing-packages.ts';
import { readManifest } from './packages.ts';
import { type UnmetPeer, unmetPeers } from './unmet-peers.ts';

const longestMs = 300_000;

export interface Installed {
  readonly unmet: readonly UnmetPeer[];
  /** Packages that are not listed and that npm did not bring, with its reason. */
  readonly failed: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * Installs packages: those of who works on the program apart from the others, which alone come along with a build. Scripts of packages are not
 * run; the lock file is npm's, and versions stay as the project lists them. A package that asks for another React than the page's is taken all the same, as most work with it; those that ask
 * for neighbours in other versions than there are, or that are not there, are given then.
 *
 * @throws ClientBuildError that names the packages, where they are imported, and how they are added by hand
 */
export async function installPackages(missing: readonly MissingPackage[], job: ClientJob): Promise<Installed> {
  const { projectDir } = job.config;
  const { devDependencies } = readManifest(projectDir);
  const needed = missing.filter(({ isDev, isUnlisted }) => !isDev && !isUnlisted);
  // npm leaves out everything that package.json calls a development package, also what a build needs.
  const omitted = needed.some(({ name }) => devDependencies[name] !== undefined) ? [] : ['--omit=dev'];
  const forWork = missing.filter(({ isDev }) => isDev);
  let isLax = false;
  for (const [packages, kind] of [
    [needed, omitted],
    [forWork, ['--save-dev']],
  ] as const) {
    if (packages.length === 0) continue;
    const { status, said } = await install(packages, kind);
    if (status !== 0) throw new ClientBuildError(describe(packages, said, job));
    keepListed(packages, projectDir);
  }
  // A name that is no package's is told by the build, with its place.
  const failed: Installed['failed'][number][] = [];
  for (const one of missing) {
    if (!one.isUnlisted) continue;
    const { status, said } = await install([one], omitted);
    if (status !== 0) failed.push({ name: one.name, reason: reasonOf(said) });
  }
  return { unmet: isLax ? unmetPeers(projectDir) : [], failed };

  async function install(packages: readonly MissingPackage[], kind: readonly string[]) {
    const args = [...always(projectDir), ...kind, ...packages.map(({ wanted }) => wanted)];
    const first = await run('npm', args);
    if (first.status === 0 || !/^peer react(-dom)?@/.test(conflictOf(first.said) ?? '')) return first;
    isLax = true;
    // With `--force` npm brings neighbours that are missing, too, but may never end.
    return run('npm', [...args, '--legacy-peer-deps']);
  }

  function run(command: string, args: readonly string[]): Promise<{ status: number; said: string }> {
    return new Promise((resolve) => {
      const child = spawn(command, args, { cwd: projectDir, stdio: ['ignore', 'ignore', 'pipe'], timeout: longestMs });
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => {
        if (said.length < 20_000) said += chunk;
      });
      child.on('error', (error) => resolve({ status: 1, said: error.message }));
      child.on('close', (code) => resolve({ status: code ?? 1, said }));
    });
  }
}

function always(projectDir: string): readonly string[] {
  return [
    'install',
    '--prefix',
    projectDir,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    // A machine without a network is told so soon.
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=1000',
  ];
}

/** Puts versions back as they are listed, where npm wrote `^18.2.0` in the place of `18.2.0`. */
function keepListed(packages: readonly MissingPackage[], projectDir: string): void {
  for (const file of ['package.json', 'package-lock.json']) {
    const path = join(projectDir, file);
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch {
      // npm may be told to write no lock file.
      continue;
    }
    const content = JSON.parse(text);
    const manifest = file === 'package.json' ? content : content.packages?.[''];
    for (const { name, listed } of packages)
      for (const list of [manifest?.dependencies, manifest?.devDependencies])
        if (listed !== '' && list?.[name] !== undefined) list[name] = listed;
    const indent = /^[ \t]+/m.exec(text)?.[0] ?? '';
    const written = `${JSON.stringify(content, undefined, indent)}\n`;
    if (written !== text) writeFileSync(path, written);
  }
}

/** One problem for all of them, then one for each place that imports one. */
function describe(packages: readonly MissingPackage[], said: string, job: ClientJob) {
  const all = packages.map(({ wanted }) => wanted).join(' ');
  const conflict = conflictOf(said);
  const reason = conflict === undefined ? reasonOf(said) : `versions do not fit: ${conflict}`;
  const message = `npm packages are missing and could not be installed: ${all}${reason === '' ? '' : ` (${reason})`}`;
  const byHand =
    conflict === undefined
      ? `with a network, run \`npm install --ignore-scripts ${all}\` in the folder of the project`
      : 'list versions that go together in [dependencies.npm] of svc.toml';
  const places = packages.flatMap(({ name }) =>
    importsOf(name, job).map((place) => ({
      message: `the package ${name} is imported here and not installed`,
      ...place,
    })),
  );
  return [{ message: `${message}\n  = help: ${byHand}` }, ...places.slice(0, 10)];
}

/** `peer react@"^18" from kit@1.2.3`: the wish of a package that npm could not fulfil. */
function conflictOf(said: string): string | undefined {
  const lines = linesOf(said);
  const start = lines.findIndex((line) => line.startsWith('Could not resolve dependency'));
  return lines.slice(start + 1).find((line) => /^(peer|peerOptional) \S+@.* from /.test(line));
}

/** The sentence of npm that says why. */
function reasonOf(said: string): string {
  const lines = linesOf(said);
  const code = lines.find((line) => line.startsWith('code '))?.slice('code '.length);
  const sentence = lines.find((line) => line !== '' && !/^(code|errno|syscall|A complete log)\b/.test(line)) ?? '';
  return code === undefined || sentence.includes(code) ? sentence : `${code}: ${sentence}`;
}

function linesOf(said: string): readonly string[] {
  return said.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim());
}
