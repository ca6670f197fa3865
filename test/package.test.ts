/**
 * Contents of an installation of the package (`npm install svc-scale`): read off the lock file, for the machine of the
 * tests.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyApp, removeFolder, repository, runSvc } from './harness/server.ts';

const read = (name: string) => JSON.parse(readFileSync(join(repository, name), 'utf8'));
const manifest = read('package.json');

interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

test('few packages come along', () => {
  const packages = Object.entries<Locked>(read('package-lock.json').packages).filter(
    ([path, { dev, devOptional, peer, os, cpu }]) =>
      path !== '' &&
      !(dev ?? devOptional ?? peer ?? false) &&
      (os?.includes('linux') ?? true) &&
      (cpu?.includes('x64') ?? true),
  );
  expect(packages.length).toBeGreaterThan(10);
  expect(packages.length).toBeLessThanOrEqual(34); // and svc-scale itself
});

test('what a program may need besides is an optional peer that the tests have', () => {
  const peers = Object.keys(manifest.peerDependencies);
  expect(Object.keys(manifest.peerDependenciesMeta)).toEqual(peers);
  expect(peers.filter((name) => manifest.devDependencies[name] === undefined)).toEqual([]);
});

/** Environment in which `svc` does not find a package. */
function without(name: string): Readonly<Record<string, string>> {
  const absent = `export function resolve(name,context,next){if(name===${JSON.stringify(name)})throw Object.assign(new Error('absent'),{code:'ERR_MODULE_NOT_FOUND'});return next(name,context)}`;
  const hooks = `import{register}from'node:module';if(process.argv[1].endsWith('svc.mjs'))register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(absent)}`)})`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hooks)}` };
}

test('packaging functions says which package it wants and how to add it', async () => {
  const app = copyApp(join(repository, 'examples/todo'));
  try {
    const { code, stderr } = await runSvc(['build', 'main.svc', '--target', 'cloud', '--out', 'out'], {
      cwd: app,
      env: without('esbuild'),
    });
    expect([code, stderr]).toEqual([7, expect.stringContaining('esbuild, which bundles them, is not installed')]);
    expect(stderr).toContain('npm install --save-dev esbuild');
  } finally {
    removeFolder(app);
  }
});

test('so does deploying to AWS', async () => {
  const app = copyApp(join(repository, 'examples/todo'));
  try {
    const env = without('@aws-sdk/client-ssm');
    const { code, stderr } = await runSvc(['status', 'main.svc', '--target', 'cloud'], { cwd: app, env });
    expect([code, stderr]).toEqual([7, expect.stringMatching(/^svc: the clients of AWS, .* are not installed$/m)]);
    const [, hint] = /npm install --save-dev (.*)/.exec(stderr)!;
    expect(hint!.split(' ').filter((name) => manifest.peerDependencies[name] === undefined)).toEqual([]);
    expect(hint!.split(' ')).toContain('@aws-sdk/client-ssm');
  } finally {
    removeFolder(app);
  }
});
