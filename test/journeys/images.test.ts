/** Images without a container engine, on real parts: a registry, the tools of others that read images, an engine that runs them. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canary, canarySettings } from '../harness/canary-settings.ts';
import { findTool } from '../harness/find-tool.ts';
import { writeBaseLayout } from '../harness/images/base-layout.ts';
import { type DockerEngine, startDocker } from '../harness/images/docker-engine.ts';
import { type PackageIndex, startRepositoryIndex } from '../harness/images/package-index.ts';
import { openPodman, type Podman } from '../harness/images/podman-engine.ts';
import { type RealRegistry, startRealRegistry } from '../harness/images/real-registry.ts';
import { noteMissing } from '../harness/missing.ts';
import { answers, freePort } from '../harness/ports.ts';
import { post, removeFolder } from '../harness/server.ts';
import { svcHere } from '../harness/svc-here.ts';
import { folderWith } from '../harness/svc-process.ts';

const tools = {
  'docker-registry': 'docker-registry',
  htpasswd: 'apache2-utils',
  skopeo: 'skopeo',
  umoci: 'umoci',
};
const missing = Object.entries(tools).flatMap(([tool, from]) => (findTool(tool, from) === undefined ? [tool] : []));
const hasDocker = findTool('dockerd', 'docker.io') !== undefined && findTool('docker', 'docker.io') !== undefined;
const hasPodman = findTool('podman', 'podman') !== undefined;
const isRoot = process.getuid?.() === 0;
if (!isRoot) noteMissing('root');

const program = `
node Note { has text: str; }
walker:pub Show { can show with Root entry { report [open("data/words.txt").read()]; } }
walker:pub Add { has text: str; can add with Root entry { root ++> Note(text=self.text); report len([-->]); } }
`;
const application = { 'main.svc': program, 'data/words.txt': 'of the file' };
const login = { username: 'ada', password: canary('registry') };

describe.skipIf(missing.length > 0)(`with real parts (missing: ${missing.join(', ') || 'none'})`, () => {
  let place = '';
  let index: PackageIndex;
  let registry: RealRegistry;
  let env: Record<string, string>;
  let base = '';
  /** Name by digest of the first image. */
  let pushed = '';
  /** File of an image that engines load. */
  let archive = '';

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'svc-images-'));
    index = await startRepositoryIndex();
    registry = await startRealRegistry(login);
    // npm writes down how it is called.
    mkdirSync(join(place, 'bin'));
    const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
    writeFileSync(join(place, 'bin/npm'), `#!/bin/sh\necho "$*" >> ${place}/calls\nexec ${npm} "$@"\n`);
    chmodSync(join(place, 'bin/npm'), 0o755);
    mkdirSync(join(place, 'docker'));
    const auth = Buffer.from(`${login.username}:${login.password}`).toString('base64');
    writeFileSync(join(place, 'docker/config.json'), JSON.stringify({ auths: { [registry.host]: { auth } } }));
    env = { ...index.env, PATH: `${place}/bin:${process.env['PATH']}`, DOCKER_CONFIG: join(place, 'docker') };
    await writeBaseLayout(join(place, 'base'), { isReal: true, env: [`NODE_VERSION=${process.versions.node}`] });
    base = `${registry.host}/base/node:22`;
    skopeo('copy', '--dest-tls-verify=false', `oci:${join(place, 'base')}`, `docker://${base}`);
  });
  afterAll(async () => {
    await registry?.[Symbol.asyncDispose]();
    await index?.[Symbol.asyncDispose]();
    removeFolder(place);
  });

  const skopeo = (...args: readonly string[]) =>
    execFileSync('skopeo', ['--insecure-policy', ...args], {
      encoding: 'utf8',
      env: { ...env, REGISTRY_AUTH_FILE: join(place, 'docker/config.json') },
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
    });
  const build = (cwd: string, more: readonly string[], moreEnv: Readonly<Record<string, string>> = {}) =>
    svcHere(['build', 'main.svc', '--target', 'container', '--base', base, ...more], {
      cwd,
      env: { ...env, ...moreEnv },
    });

  /** Name of the image that a command printed. */
  const nameIn = (stdout: string) => /^ {2}(\S+@sha256:[0-9a-f]{64})$/m.exec(stdout)?.[1];

  test('an image is pushed, and another tool reads it with its list of packages', async () => {
    using own = folderWith(application);
    const ref = `${registry.host}/team/shop:1.2`;
    const first = await build(own.path, ['--push', ref]);
    expect(first.code, first.stderr).toBe(0);
    const name = nameIn(first.stdout)!;
    pushed = name;
    expect(name).toContain(`${registry.host}/team/shop@sha256:`);
    const seen = JSON.parse(skopeo('inspect', '--tls-verify=false', `docker://${ref}`));
    expect([seen.Digest, seen.Os, seen.Architecture]).toEqual([name.split('@')[1], 'linux', 'amd64']);
    const tag = seen.Digest.replace(':', '-');
    const list = JSON.parse(
      skopeo('inspect', '--raw', '--tls-verify=false', `docker://${registry.host}/team/shop:${tag}`),
    );
    expect(list.manifests[0].artifactType).toBe('application/spdx+json');
    const sbom = JSON.parse(readFileSync(join(own.path, '.svc/build/container/sbom-linux-amd64.spdx.json'), 'utf8'));
    const packages = sbom.packages.map((one: { name: string }) => one.name);
    expect(packages).toEqual(expect.arrayContaining(['svc-scale', '@node-rs/argon2', 'libsql', 'ioredis']));
    const { layers } = JSON.parse(skopeo('inspect', '--raw', '--tls-verify=false', `docker://${ref}`));
    expect(layers.length).toBe(3);
    expect(layers.slice(1).reduce((sum: number, one: { size: number }) => sum + one.size, 0)).toBeLessThan(70e6);
  });

  test('a machine that has nothing kept builds the same image', async () => {
    using other = folderWith(application);
    const nothing = join(place, 'another machine');
    const again = await build(other.path, ['--push', `${registry.host}/team/again:1`], { XDG_CACHE_HOME: nothing });
    expect(again.code, again.stderr).toBe(0);
    expect(nameIn(again.stdout)!.split('@')[1]).toBe(pushed.split('@')[1]);
  });

  test('two platforms are one index; an image that is not there for one of them is refused', async () => {
    using own = folderWith(application);
    await writeBaseLayout(join(place, 'both'), { architectures: ['amd64', 'arm64'] });
    const both = ['--base', `oci:${join(place, 'both')}`, '--platform', 'linux/amd64,linux/arm64'];
    const ref = `${registry.host}/team/both:1`;
    const built = await build(own.path, [...both, '--push', ref]);
    expect(built.code, built.stderr).toBe(0);
    const raw = JSON.parse(skopeo('inspect', '--raw', '--tls-verify=false', `docker://${ref}`));
    expect(raw.manifests.map((one: { platform: object }) => one.platform)).toEqual([
      { os: 'linux', architecture: 'amd64' },
      { os: 'linux', architecture: 'arm64' },
    ]);
    const one = await build(own.path, ['--platform', 'linux/arm64', '--push', ref]);
    expect([one.code, one.stderr]).toEqual([3, expect.stringContaining('is not there for linux/arm64')]);
  });

  test('no secret and nothing that must not travel is in a layer, an archive, a command line or what is printed', async () => {
    using own = folderWith({
      ...application,
      'svc.toml': `${canarySettings()}\n[plugins.scale.secrets]\nLITERAL = "${canary('literal')}"\n`,
      '.env': `A=${canary('dotenv')}\n`,
      '.npmrc': `//registry.example/:_authToken=${canary('npmrc')}\n`,
      '.git/config': canary('git'),
      '.svc/secrets/jwt': canary('jwt'),
      '.svc/data/svc.db': canary('data'),
      'node_modules/.cache/x': canary('cache'),
      'tls/server.key': canary('key'),
    });
    symlinkSync('..', join(own.path, 'data/loop'));
    const archive = join(place, 'canary.tar');
    const account = { REGISTRY_USERNAME: login.username, REGISTRY_PASSWORD: login.password };
    const built = await build(
      own.path,
      ['--compose', '--load', archive, '--push', `${registry.host}/team/canary:1`],
      account,
    );
    expect(built.code, built.stderr).toBe(0);
    mkdirSync(join(place, 'canary'));
    execFileSync('tar', ['-xf', archive, '-C', join(place, 'canary')]);
    const texts = new Map<string, string>();
    for (const path of readdirSync(join(place, 'canary'), { recursive: true, encoding: 'utf8' })) {
      const at = join(place, 'canary', path);
      if (!statSync(at).isFile()) continue;
      const bytes = readFileSync(at);
      texts.set(path, (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('latin1'));
    }
    for (const name of readdirSync(join(own.path, '.svc/build/container')))
      texts.set(name, readFileSync(join(own.path, '.svc/build/container', name), 'latin1'));
    texts.set('printed', built.stdout + built.stderr);
    texts.set('command lines', readFileSync(join(place, 'calls'), 'utf8'));
    const bodies = readdirSync(index.env['HOME']!, { encoding: 'utf8' }).filter((name) => name === '.npm');
    expect(bodies).toEqual([]);
    expect([...texts].filter(([, text]) => /canary-/.test(text)).map(([path]) => path)).toEqual([]);
    // Everything was there to be found, and what belongs to the application is in it.
    expect([...texts.values()].some((text) => text.includes('of the file'))).toBe(true);
    expect(texts.get('compose.yaml')).toContain('${LITERAL:?set it in .env beside this file}');
    expect([...texts.values()].some((text) => text.includes('app/data/loop'))).toBe(false);
  });

  test.skipIf(!isRoot)('it runs where it is unpacked, without rights and without what an engine adds', async () => {
    using own = folderWith(application);
    const ref = `${registry.host}/team/run:1`;
    const built = await build(own.path, ['--push', ref]);
    expect(built.code, built.stderr).toBe(0);
    skopeo('copy', '--src-tls-verify=false', `docker://${ref}`, `oci:${join(place, 'layout')}:run`);
    execFileSync('umoci', ['unpack', '--image', `${join(place, 'layout')}:run`, join(place, 'unpacked')], {
      stdio: 'pipe',
    });
    const { process: started } = JSON.parse(readFileSync(join(place, 'unpacked/config.json'), 'utf8'));
    expect([started.user.uid, started.user.gid, started.cwd]).toEqual([10001, 10001, '/app']);
    const port = await freePort();
    const args = started.args.map((arg: string) =>
      arg === '8000' ? String(port) : arg === '0.0.0.0' ? '127.0.0.1' : arg,
    );
    const child = spawn(
      'unshare',
      [
        ...['--mount', `--root=${join(place, 'unpacked/rootfs')}`, '--wd=/app', '-S', '10001', '-G', '10001', '--'],
        ...args,
      ],
      {
        env: { ...variables(started.env), JWT_SECRET: 'x'.repeat(64), SVC_SERVE_DRAIN_DELAY_SECONDS: '0' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    await use(child, async (alive) => {
      await answers(`http://127.0.0.1:${port}/healthz/ready`, alive);
      const here = `http://127.0.0.1:${port}`;
      expect((await post(here, '/walker/Show')).reports).toEqual([['of the file']]);
      expect((await post(here, '/walker/Add', { text: 'kept' })).reports).toEqual([1]);
    });
  });

  /** Loads the archive of an image into an engine, runs it read-only, and asks it from inside. */
  const expectRuns = (engine: (...args: readonly string[]) => string) => {
    engine('load', '-i', archive);
    const rights = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
    const environment = ['--network', 'none', '-e', 'JWT_SECRET=auto'];
    const id = engine('run', '-d', ...rights, ...environment, 'svc-app:0.1.0').trim();
    const ask = `const call = (path, body) => fetch('http://127.0.0.1:8000' + path, body && { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then((one) => one.text());
        const until = Date.now() + 60000;
        for (;;) try { await call('/healthz/ready'); break; } catch (error) { if (Date.now() > until) throw error; await new Promise((done) => setTimeout(done, 200)); }
        console.log(await call('/walker/Show', '{}'));`;
    const answer = engine('exec', id, 'node', '--input-type=module', '-e', ask);
    expect(answer, engine('logs', id)).toContain('"of the file"');
    const [{ Config }] = JSON.parse(engine('inspect', id));
    // Podman keeps no health check of an image in the OCI format.
    const [, ...check] = Config.Healthcheck?.Test ?? [];
    if (check.length > 0) engine('exec', id, ...check);
    engine('stop', id);
    const [{ State }] = JSON.parse(engine('inspect', id));
    expect(State.ExitCode).toBe(0);
    return check;
  };

  describe.skipIf(!isRoot)('an archive', () => {
    beforeAll(async () => {
      using own = folderWith(application);
      const built = await build(own.path, []);
      expect(built.code, built.stderr).toBe(0);
      archive = join(place, 'image.tar');
      renameSync(join(own.path, '.svc/build/container/image.tar'), archive);
    });

    test.skipIf(!hasDocker)(
      'is loaded by docker, which runs it read-only, without capabilities and without a network',
      async ({ skip }) => {
        const engine = await startDocker();
        if (engine === undefined) return skip('dockerd does not run on this machine');
        await using docker: DockerEngine = engine;
        expect(expectRuns(docker.docker)).not.toEqual([]);
      },
    );

    test.skipIf(!hasPodman)('is loaded by podman, which runs it in the same way', ({ skip }) => {
      const engine = openPodman();
      if (engine === undefined) return skip('podman does not run on this machine');
      using podman: Podman = engine;
      expectRuns(podman.podman);
    });
  });

  test('what stops a build says what to do', async () => {
    using own = folderWith(application);
    const at = async (args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
      const { code, stderr } = await build(own.path, args, more);
      return [code, stderr];
    };
    const shop = `${registry.host}/team/shop:1`;
    const nobody = { DOCKER_CONFIG: join(place, 'nobody') };
    expect(await at(['--push', shop], nobody)).toEqual([
      7,
      expect.stringMatching(/svc: not allowed to pull from \S+: nobody is signed in\n {2}hint: docker login/),
    ]);
    const wrong = { ...nobody, REGISTRY_USERNAME: 'ada', REGISTRY_PASSWORD: canary('wrong') };
    const refused = await at(['--base', `oci:${join(place, 'base')}`, '--push', shop], wrong);
    expect(refused).toEqual([7, expect.stringContaining('svc: not allowed to push to')]);
    expect(refused[1]).not.toContain('canary');
    expect(await at(['--base', '127.0.0.1:1/node'])).toEqual([7, expect.stringContaining('cannot reach the registry')]);
    expect(await at(['--push', 'Not/A Name:1'])).toEqual([3, expect.stringContaining('is not a name of an image')]);
    expect(await at(['--push'])).toEqual([2, expect.stringContaining('needs a name')]);
    expect(
      await svcHere(['build', 'main.svc', '--target', 'cloud', '--base', 'x'], { cwd: own.path, env }),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--base: needs --target container'),
    });
  });
});

function variables(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

async function use(child: ChildProcess, work: (isAlive: () => boolean) => Promise<void>): Promise<void> {
  let printed = '';
  const keep = (part: Buffer) => (printed += part);
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  try {
    await work(() => child.exitCode === null).catch((error: Error) => {
      throw new Error(`${error.message}\n${printed}`);
    });
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.kill()) await ended;
  }
}
