/**
 * An application with pages travels whole: its built browser half, its lock file and its packages are in what every target gets, and it starts where no
 * network is.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runTool } from '../../infra/orchestrator/run-tool.ts';
import { findTool } from '../harness/find-tool.ts';
import { writeBaseLayout } from '../harness/images/base-layout.ts';
import { type PackageIndex, startRepositoryIndex } from '../harness/images/package-index.ts';
import { type StandInRegistry, startStandInRegistry } from '../harness/images/stand-in-registry.ts';
import { unpackArchive } from '../harness/images/unpack-archive.ts';
import { linkPackages } from '../harness/link-packages.ts';
import { copyApp, removeFolder, repository, runSvc } from '../harness/server.ts';

const { loadAll } = createRequire(join(repository, 'test/cloud/package.json'))('js-yaml');
const isRoot = process.getuid?.() === 0;
const canRun = findTool('bwrap', 'bubblewrap') !== undefined && isRoot;

/** Runs beside the server, where the network ends: asks for the page and for what it loads, calls a walker, and tries to get out. */
const visitor = `
import { spawn } from 'node:child_process';
const [outside, ...args] = process.argv.slice(2);
const server = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
const ask = async (path, body) => {
  const headers = { accept: body ? 'application/json' : 'text/html', 'content-type': 'application/json' };
  const answer = await fetch('http://127.0.0.1:8000' + path, { headers, ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}) });
  return { status: answer.status, text: await answer.text() };
};
const until = Date.now() + 90000;
for (;;) {
  const ready = await ask('/healthz/ready').catch(() => undefined);
  if (ready?.status === 200) break;
  if (Date.now() > until || server.exitCode !== null) throw new Error('it does not start');
  await new Promise((done) => setTimeout(done, 100));
}
const page = await ask('/');
const loaded = [...page.text.matchAll(/(?:src|href)="(\\/[^"]+)"/g)].map(([, path]) => path);
const parts = await Promise.all(loaded.map(async (path) => [path, (await ask(path)).status]));
const made = await ask('/user/register', { email: 'ada@example.com', password: 'correct horse 1' });
const reached = await fetch(outside).then(() => true, () => false);
console.log('\\nANSWER ' + JSON.stringify({ page: page.status, text: page.text, parts, made: made.status, reached }));
server.kill();
process.exit(0);
`;

interface Visit {
  readonly page: number;
  readonly text: string;
  readonly parts: readonly (readonly [string, number])[];
  readonly made: number;
  readonly reached: boolean;
}

describe('examples/board', () => {
  let app = '';
  let place = '';
  let index: PackageIndex;
  let registry: StandInRegistry;

  beforeAll(async () => {
    app = copyApp(join(repository, 'examples/board'));
    linkPackages(app);
    place = mkdtempSync(join(tmpdir(), 'svc-travels-'));
    writeFileSync(join(place, 'visitor.mjs'), visitor);
    [index, registry] = await Promise.all([startRepositoryIndex(), startStandInRegistry()]);
    await writeBaseLayout(join(place, 'base'), { isReal: true });
    registry.take(join(place, 'base'), 'base/node', '22');
  });
  afterAll(async () => {
    await registry?.[Symbol.asyncDispose]();
    await index?.[Symbol.asyncDispose]();
    for (const folder of [app, place]) if (folder !== '') removeFolder(folder);
  });

  const build = async (target: string, more: readonly string[] = []) => {
    const args = ['build', 'main.svc', '--target', target, '--out', join(place, target), ...more];
    const built = await runSvc(args, {
      cwd: app,
      env: {
        ...index.env,
        SVC_ORCHESTRATOR_BASE_IMAGE: `${registry.host}/base/node:22`,
        SVC_REGISTRY_KIND: 'gcr',
        SVC_REGISTRY_REPOSITORY: `${registry.host}/team/board`,
        REGISTRY_USERNAME: 'ada',
        REGISTRY_PASSWORD: 'p',
      },
    });
    expect(built.code, built.stdout + built.stderr).toBe(0);
    return built.stdout;
  };

  /** The browser half, the lock file and the packages are below this folder. */
  const expectWhole = (folder: string) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'svc-client/.manifest.json'), 'utf8'));
    for (const name of manifest.files)
      expect([name, existsSync(join(folder, 'svc-client', name))]).toEqual([name, true]);
    expect(existsSync(join(folder, 'public/favicon.svg'))).toBe(true);
    const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
    const wanted = Object.entries<{ optional?: boolean }>(lock.packages).filter(
      ([path, one]) => path !== '' && !one.optional,
    );
    expect(wanted.map(([path]) => path)).toContain('node_modules/svc-scale');
    for (const [path] of wanted) expect([path, existsSync(join(folder, path, 'package.json'))]).toEqual([path, true]);
    // Packages that only a build of pages needs stay behind.
    const names = readdirSync(join(folder, 'node_modules'));
    expect(names.filter((name) => ['vite', 'react', 'esbuild', 'typescript'].includes(name))).toEqual([]);
  };

  /** Starts it where the only network is this machine's own address, and visits it. */
  const visit = (mounts: readonly string[], node: string, args: readonly string[]): Visit => {
    const outside = `http://${registry.host}/v2/`;
    const cut = ['--unshare-net', '--unshare-pid', '--die-with-parent', '--proc', '/proc', '--dev', '/dev'];
    const { stdout, stderr } = spawnSync(
      'bwrap',
      [...mounts, ...cut, '--', node, '/tmp/visitor.mjs', outside, ...args],
      {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], SVC_ENV: 'production', JWT_SECRET: 'x'.repeat(64) },
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    const line = stdout.split('\n').find((one) => one.startsWith('ANSWER '));
    expect(line, stdout + stderr).toBeDefined();
    return JSON.parse(line!.slice(7));
  };

  const expectServed = ({ page, text, parts, made, reached }: Visit) => {
    expect([page, made, reached]).toEqual([200, 201, false]);
    expect(text).toContain('<title>Board</title>');
    expect(parts.some(([path]) => /client\.[\w-]+\.js$/.test(path))).toBe(true);
    expect(parts.filter(([, status]) => status !== 200)).toEqual([]);
  };

  const serve = ['start', 'main.svc', '--host', '127.0.0.1', '--port', '8000'];
  const svc = 'node_modules/svc-scale/bin/svc.mjs';
  const visitorAt = ['--tmpfs', '/tmp', '--ro-bind', '', '/tmp/visitor.mjs'];
  const withVisitor = () => visitorAt.map((word) => (word === '' ? join(place, 'visitor.mjs') : word));
  const node = realpathSync(process.execPath);
  /** The files of this machine, but for `/tmp`, in which `node` may lie, and with `folder` as `/mnt`. */
  const hostWith = (folder: string) => [
    ...['--ro-bind', '/', '/', ...withVisitor(), '--ro-bind', node, node],
    ...['--bind', folder, '/mnt', '--chdir', '/mnt'],
  ];
  let digest = '';

  test('as a container: everything is in the image, and it starts without a network', async () => {
    const archive = join(place, 'board.tar');
    await build('container', ['--load', archive]);
    const root = join(place, 'root');
    digest = unpackArchive(archive, root);
    expectWhole(join(root, 'app'));
    if (!canRun) return;
    mkdirSync(join(root, 'dev'));
    mkdirSync(join(root, 'proc'));
    expectServed(
      visit(['--bind', root, '/', ...withVisitor(), '--chdir', '/app'], '/usr/local/bin/node', [svc, ...serve]),
    );
  });

  test('on the orchestrator, as an image: the same one', async () => {
    await build('orchestrator', ['--push']);
    const manifests: any[] = loadAll(readFileSync(join(place, 'orchestrator/manifests.yaml'), 'utf8'));
    const { spec } = manifests.find(({ kind }) => kind === 'Deployment');
    expect(spec.template.spec.containers[0].image).toBe(`${registry.host}/team/board@${digest}`);
    expect(spec.template.spec.initContainers).toBeUndefined();
  });

  test('on the orchestrator, as a bundle: the packages come once, and then it starts without a network', async () => {
    await build('orchestrator');
    const manifests: any[] = loadAll(readFileSync(join(place, 'orchestrator/manifests.yaml'), 'utf8'));
    const [init] = manifests.find(({ kind }) => kind === 'Deployment').spec.template.spec.initContainers;
    const [pod, parts] = [join(place, 'pod'), join(place, 'parts')];
    for (const folder of [pod, parts, join(place, 'pod-tmp')]) mkdirSync(folder);
    for (const { kind, binaryData } of manifests)
      for (const [name, text] of Object.entries<string>(kind === 'ConfigMap' ? binaryData : {}))
        writeFileSync(join(parts, name), Buffer.from(text, 'base64'));
    const given = Object.fromEntries(init.env.map(({ name, value }: any) => [name, value]));
    const places = { APP_DIR: pod, BUNDLE_DIR: parts, FILES_DIR: join(pod, 'storage'), TMPDIR: join(place, 'pod-tmp') };
    const [program, ...args] = init.command;
    const { code, output } = await runTool(program, args, { env: { ...index.env, ...given, ...places } });
    expect(code, output).toBe(0);
    expectWhole(pod);
    if (!canRun) return;
    expectServed(visit(hostWith(pod), node, [svc, ...serve]));
  });

  test('on one machine: everything is in the release, and it starts without a network', async () => {
    await build('machine');
    execFileSync('tar', ['-xzf', join(place, 'machine/board.tar.gz'), '-C', place]);
    const release = join(place, 'release');
    expectWhole(release);
    if (!canRun) return;
    expectServed(visit(hostWith(release), node, [svc, ...serve]));
  });
});
