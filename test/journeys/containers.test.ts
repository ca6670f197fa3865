/**
 * Containers of a deployment (docs/server/security.md): what `svc build --target orchestrator` makes keeps every rule,
 * holds no secret, and is an application that starts.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runTool } from '../../infra/orchestrator/run-tool.ts';
import { canary, canarySettings } from '../harness/canary-settings.ts';
import { type ImageHost, standInEngine, startImageHost, startPackageIndex } from '../harness/deploy-tools.ts';
import { writeBaseLayout } from '../harness/images/base-layout.ts';
import { type StandInRegistry, startStandInRegistry } from '../harness/images/stand-in-registry.ts';
import { post, removeFolder, repository } from '../harness/server.ts';
import { svcHere } from '../harness/svc-here.ts';
import { folderWith } from '../harness/svc-process.ts';

const { loadAll } = createRequire(join(repository, 'test/cloud/package.json'))('js-yaml');

const program = `
import from os { environ }
import from lib { word }
walker:pub Show { can show with Root entry { report [len(environ["API_TOKEN"]), word(), open("data/words.txt").read()]; } }
`;
const application = {
  'main.svc': program,
  'lib.svc': 'def:pub word() -> str { return "of lib"; }\n',
  'data/words.txt': 'of the file',
};
let tools = '';
const account = { REGISTRY_USERNAME: 'ada', REGISTRY_PASSWORD: canary('registry') };
let images: ImageHost;
/** Takes what `ada` pushes; everybody may pull. */
let registry: StandInRegistry;
let index: Awaited<ReturnType<typeof startPackageIndex>>;
let env: Record<string, string>;

beforeAll(async () => {
  tools = mkdtempSync(join(tmpdir(), 'svc-deploy-'));
  execFileSync(process.execPath, [join(repository, 'bin/build.mjs'), '--out', join(tools, 'dist'), '--id', 'tested']);
  const files = {
    'bin/svc.mjs': readFileSync(join(repository, 'bin/svc.mjs')),
    ...filesOf(join(tools, 'dist'), 'dist/'),
  };
  images = await startImageHost();
  registry = await startStandInRegistry({ login: { username: 'ada', password: account.REGISTRY_PASSWORD } });
  await writeBaseLayout(join(tools, 'base'));
  registry.take(join(tools, 'base'), 'base/node', '22');
  // npm writes down how it is called.
  mkdirSync(join(tools, 'bin'));
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  writeFileSync(join(tools, 'bin/npm'), `#!/bin/sh\necho "$*" >> ${tools}/calls\nexec ${npm} "$@"\n`);
  chmodSync(join(tools, 'bin/npm'), 0o755);
  index = await startPackageIndex('svc-scale', '1.4.2', files);
  env = {
    PATH: `${tools}/bin:${process.env['PATH'] ?? ''}`,
    HOME: tools,
    npm_config_registry: `http://${index.host}/`,
    npm_config_cache: join(tools, 'cache'),
    npm_config_userconfig: join(tools, 'npmrc'),
    SVC_ORCHESTRATOR_BASE_IMAGE: `${images.host}/node:22-slim`,
    SVC_ORCHESTRATOR_DOCDB_IMAGE: `${images.host}/mongo:7`,
    SVC_ORCHESTRATOR_KVCACHE_IMAGE: `${images.host}/valkey:8`,
  };
});
afterAll(async () => {
  await index[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
  await images[Symbol.asyncDispose]();
  removeFolder(tools);
});

/** Every file below a folder, by path. */
function filesOf(folder: string, prefix = ''): Record<string, Buffer> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = found.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [prefix + relative(folder, path), readFileSync(path)]));
}

const build = (cwd: string, more: readonly string[] = [], moreEnv: Readonly<Record<string, string>> = {}) =>
  svcHere(['build', 'main.svc', '--target', 'orchestrator', '--out', 'out', ...more], {
    cwd,
    env: { ...env, ...moreEnv },
  });

/** Gives the settings with which `--push` sends an image to the registry of these tests. */
const push = () => ({
  ...account,
  SVC_REGISTRY_KIND: 'gcr',
  SVC_REGISTRY_REPOSITORY: `${registry.host}/team/svc-app`,
  SVC_ORCHESTRATOR_BASE_IMAGE: `${registry.host}/base/node:22`,
});

const manifestsIn = (folder: string): any[] => loadAll(readFileSync(join(folder, 'out/manifests.yaml'), 'utf8'));

interface Pod {
  readonly name: string;
  readonly spec: any;
}

function podsOf(objects: readonly any[]): Pod[] {
  return objects
    .filter(({ spec }) => spec?.template !== undefined)
    .map(({ kind, metadata, spec }) => ({ name: `${kind} ${metadata.name}`, spec: spec.template.spec }));
}
const containersOf = ({ spec }: Pod): any[] => [...(spec.initContainers ?? []), ...spec.containers];

/** The rules of the line that pods break. */
function brokenRules(objects: readonly any[]): string[] {
  return podsOf(objects).flatMap((pod) => {
    const { securityContext, automountServiceAccountToken, volumes } = pod.spec;
    const ofPod = {
      'runs as root': securityContext?.runAsNonRoot !== true || !(securityContext.runAsUser > 0),
      'has a token': automountServiceAccountToken !== false,
      'has no seccomp profile': securityContext?.seccompProfile?.type !== 'RuntimeDefault',
      'reaches into the node': volumes.some((volume: object) => 'hostPath' in volume),
      'shares with the node': pod.spec.hostNetwork === true || pod.spec.hostPID === true || pod.spec.hostIPC === true,
    };
    const ofContainers = containersOf(pod).map(({ name, image, securityContext: own }) => ({
      [`${name} may gain rights`]: own?.allowPrivilegeEscalation !== false || own.privileged === true,
      [`${name} writes its file system`]: own?.readOnlyRootFilesystem !== true,
      [`${name} has capabilities`]: JSON.stringify(own?.capabilities) !== '{"drop":["ALL"]}',
      [`${name} is not pinned`]: !/@sha256:[0-9a-f]{64}$/.test(image),
      [`${name} runs as root`]: own?.runAsUser === 0 || own?.runAsNonRoot === false,
    }));
    return [ofPod, ...ofContainers].flatMap((rules) =>
      Object.entries(rules).flatMap(([rule, isBroken]) => (isBroken ? [`${pod.name}: ${rule}`] : [])),
    );
  });
}

describe('29 containers', () => {
  const secrets = { API_TOKEN: canary('token'), ...account };
  const settings = `${canarySettings()}
[plugins.scale.secrets]
API_TOKEN = "\${API_TOKEN}"
LITERAL = "${canary('literal')}"
`;
  let folder: ReturnType<typeof folderWith>;
  let bundled: any[];
  let pushed: any[];
  /** Requests to the registry of a build with the same files and another of that image. */
  let again: readonly string[];
  const printed: string[] = [];

  beforeAll(async () => {
    folder = folderWith({
      ...application,
      'svc.toml': settings,
      '.env': `LOCAL_KEY=${canary('dotenv')}\n`,
      '.env.production': `LOCAL_KEY=${canary('dotenv')}\n`,
      '.npmrc': `//registry.example/:_authToken=${canary('npmrc')}\n`,
      '.svc/secrets/jwt': canary('jwt-file'),
      'tls/server.key': canary('key'),
      'tls/server.crt.pem': canary('pem'),
      'notes.txt': `-----BEGIN EC PRIVATE KEY-----\n${canary('pasted')}\n`,
    });
    const databases = { ORCH_DOCDB: 'true', ORCH_KVCACHE: 'true' };
    const first = await build(folder.path, [], { ...secrets, ...databases });
    expect(first.code, first.stderr).toBe(0);
    bundled = manifestsIn(folder.path);
    const second = await build(folder.path, ['--push'], { ...secrets, ...databases, ...push() });
    expect(second.code, second.stderr).toBe(0);
    pushed = manifestsIn(folder.path);
    registry.requests.length = 0;
    const third = await build(folder.path, ['--push'], { ...secrets, ...databases, ...push() });
    expect(third.code, third.stderr).toBe(0);
    expect(manifestsIn(folder.path)).toEqual(pushed);
    again = [...registry.requests];
    const shown = await svcHere(['start', 'main.svc', '--scale', '--dry-run'], {
      cwd: folder.path,
      env: { ...env, ...secrets },
    });
    expect(shown.code, shown.stderr).toBe(0);
    for (const { stdout, stderr } of [first, second, third, shown]) printed.push(stdout, stderr);
  });
  afterAll(() => folder[Symbol.dispose]());

  test('every pod, of the application and of its databases, keeps every rule', () => {
    for (const objects of [bundled, pushed]) {
      expect(podsOf(objects).map(({ name }) => name)).toEqual([
        'StatefulSet svc-app-docdb',
        'StatefulSet svc-app-kvcache',
        'Deployment svc-app',
      ]);
      expect(brokenRules(objects)).toEqual([]);
    }
    expect(
      podsOf(bundled)
        .flatMap(containersOf)
        .map(({ name }) => name),
    ).toEqual(['init', 'docdb', 'kvcache', 'unpack', 'app']);
    const account = bundled.find(({ kind }) => kind === 'ServiceAccount');
    expect(account.automountServiceAccountToken).toBe(false);
  });

  test('a rule that is broken is found', () => {
    const breaks: readonly ((pod: any, container: any) => void)[] = [
      (pod) => delete pod.securityContext.runAsNonRoot,
      (pod) => (pod.securityContext.runAsUser = 0),
      (pod) => delete pod.automountServiceAccountToken,
      (pod) => delete pod.securityContext.seccompProfile,
      (pod) => pod.volumes.push({ name: 'node', hostPath: { path: '/' } }),
      (pod) => (pod.hostNetwork = true),
      (_, container) => delete container.securityContext,
      (_, container) => (container.securityContext.allowPrivilegeEscalation = true),
      (_, container) => (container.securityContext.privileged = true),
      (_, container) => (container.securityContext.readOnlyRootFilesystem = false),
      (_, container) => (container.securityContext.capabilities.add = ['NET_ADMIN']),
      (_, container) => (container.securityContext.capabilities.drop = []),
      (_, container) => (container.securityContext.runAsUser = 0),
      (_, container) => (container.image = 'node:22-slim'),
    ];
    for (const breakRule of breaks) {
      const objects = structuredClone(bundled);
      const pod = podsOf(objects).at(-1)!;
      breakRule(pod.spec, pod.spec.initContainers[0]);
      expect([String(breakRule), brokenRules(objects).length > 0]).toEqual([String(breakRule), true]);
    }
  });

  const pushedImage = () => {
    const { image } = podsOf(pushed).at(-1)!.spec.containers[0];
    const digest = String(image).split('@')[1]!;
    const manifest = JSON.parse(registry.manifests.get(`team/svc-app@${digest}`)!.bytes.toString());
    return { image, digest, manifest, config: JSON.parse(registry.blobs.get(manifest.config.digest)!.toString()) };
  };

  test('the image is the one that was pushed, begins with the base image, and starts without rights', () => {
    const { image, digest, manifest, config } = pushedImage();
    expect(image).toBe(`${registry.host}/team/svc-app@${digest}`);
    const tags = [...registry.manifests.keys()].filter((name) => /^team\/svc-app:(?!sha256-)/.test(name));
    expect(tags).toEqual([expect.stringMatching(/^team\/svc-app:0\.1\.0-[0-9a-f]{12}$/), 'team/svc-app:latest']);
    for (const tag of tags)
      expect(JSON.parse(registry.manifests.get(tag)!.bytes.toString()).config).toEqual(manifest.config);
    const base = JSON.parse(registry.manifests.get('base/node:22')!.bytes.toString());
    expect(manifest.layers[0]).toMatchObject({ digest: base.layers[0].digest });
    expect(config.config).toMatchObject({
      User: '10001:10001',
      WorkingDir: '/app',
      Cmd: ['start', 'main.svc', '--host', '0.0.0.0', '--port', '8000'],
    });
    const { args, command } = podsOf(pushed).at(-1)!.spec.containers[0];
    expect([command, args]).toEqual([undefined, config.config.Cmd]);
    expect(podsOf(pushed).at(-1)!.spec.imagePullSecrets).toEqual([{ name: 'svc-app-registry' }]);
  });

  test('the same files are pushed once', () => {
    expect(again.filter((line) => /^(POST|PUT|PATCH) /.test(line))).toEqual([]);
    expect(again.some((line) => line.startsWith('HEAD /v2/team/svc-app/manifests/0.1.0-'))).toBe(true);
  });

  test('no secret is in an object, a part of the bundle, a layer, what a registry is told, a command line, the state or what is printed', () => {
    const everything = new Map<string, string>();
    for (const [path, bytes] of Object.entries(filesOf(join(folder.path, 'out'))))
      everything.set(path, bytes.toString('latin1'));
    using unpacked = folderWith({});
    unpackBundle(bundled, unpacked.path);
    execFileSync('tar', ['-xzf', 'bundle.tar.gz'], { cwd: unpacked.path });
    for (const [path, bytes] of Object.entries(filesOf(unpacked.path)))
      everything.set(`bundle/${path}`, bytes.toString('latin1'));
    for (const [digest, bytes] of registry.blobs)
      everything.set(`blob ${digest}`, (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('latin1'));
    for (const [name, { bytes }] of registry.manifests) everything.set(`manifest ${name}`, bytes.toString('latin1'));
    everything.set('addresses asked', registry.requests.join('\n'));
    everything.set('command lines', readFileSync(join(tools, 'calls'), 'utf8'));
    everything.set('printed', printed.join('\n'));
    for (const [path, bytes] of Object.entries(filesOf(join(folder.path, '.svc'))))
      if (path !== 'secrets/jwt') everything.set(`.svc/${path}`, bytes.toString('latin1'));
    expect([...everything.keys()]).toEqual(
      expect.arrayContaining(['manifests.yaml', 'bundle/svc.toml', 'bundle/main.svc']),
    );
    const layers = pushedImage().manifest.layers.map(({ digest }: any) => everything.get(`blob ${digest}`));
    const program = layers.find((text: string) => text.includes('app/main.svc'));
    expect(program).toContain('app/svc.toml');
    const holding = [...everything].filter(([, text]) => /canary-/.test(text)).map(([path]) => path);
    expect(holding).toEqual([]);
    const forbidden = /\.(env|npmrc|key|pem)|secrets\/|notes\.txt/;
    expect([...everything.keys()].filter((path) => path.startsWith('bundle/') && forbidden.test(path))).toEqual([]);
    // The second build had before it what the first one made.
    for (const name of ['app/.env', 'app/.npmrc', 'server.key', 'notes.txt', 'app/out'])
      expect([name, layers.filter((text: string) => text.includes(name)).length]).toEqual([name, 0]);
    // The secrets were there to be found.
    expect(program).toContain('app/lib.svc');
    expect(printed[1]).toMatch(/^ {2}svc-app-secrets: API_TOKEN \(\d+ bytes\), LITERAL \(\d+ bytes\)$/m);
    expect(printed[1]).toMatch(/^note: notes\.txt looks like a key and stays here$/m);
  });

  function unpackBundle(objects: readonly any[], into: string): void {
    const maps = objects.filter(({ kind }) => kind === 'ConfigMap');
    const parts = maps.flatMap(({ binaryData }) => Object.values<string>(binaryData));
    writeFileSync(join(into, 'bundle.tar.gz'), Buffer.concat(parts.map((part) => Buffer.from(part, 'base64'))));
  }
});

describe('a bundle', () => {
  /** Makes the folders that the volumes of the pod would be, and runs the init container on them. */
  async function unpack(objects: readonly any[], root: string): Promise<{ code: number; app: string; output: string }> {
    const app = join(root, 'app');
    const parts = join(root, 'bundle');
    for (const folder of [app, parts, join(root, 'tmp')]) mkdirSync(folder, { recursive: true });
    for (const { kind, binaryData } of objects)
      for (const [name, text] of Object.entries<string>(kind === 'ConfigMap' ? binaryData : {}))
        writeFileSync(join(parts, name), Buffer.from(text, 'base64'));
    const [init] = podsOf(objects)[0]!.spec.initContainers;
    const given = Object.fromEntries(init.env.map(({ name, value }: any) => [name, value]));
    const places = { APP_DIR: app, BUNDLE_DIR: parts, FILES_DIR: join(app, 'storage'), TMPDIR: join(root, 'tmp') };
    const [program, ...args] = init.command;
    const { code, output } = await runTool(program, args, { env: { ...env, ...given, ...places } });
    return { code, app, output };
  }

  test('is unpacked by the script of its manifest, and starts with what the pod gives it', async () => {
    using own = folderWith({ ...application, 'svc.toml': '[plugins.scale.secrets]\nAPI_TOKEN = "twelve bytes"\n' });
    const built = await build(own.path);
    expect(built.code, built.stderr).toBe(0);
    expect(built.stdout).toContain('  svc-scale 1.4.2 (latest)\n');
    using root = folderWith({});
    const { code, app, output } = await unpack(manifestsIn(own.path), root.path);
    expect(code, output).toBe(0);
    expect(readdirSync(app).toSorted()).toEqual([
      ...[
        '.svc',
        'data',
        'lib.svc',
        'main.svc',
        'node_modules',
        'package-lock.json',
        'package.json',
        'storage',
        'svc.toml',
      ],
    ]);
    const installed = JSON.parse(readFileSync(join(app, 'node_modules/svc-scale/package.json'), 'utf8'));
    expect(installed.version).toBe('1.4.2');

    // The index of these tests has one package only; the driver of SQLite for Node 20 comes from here.
    symlinkSync(join(repository, 'node_modules/libsql'), join(app, 'node_modules/libsql'));
    const before = stamps(app);
    const [container] = podsOf(manifestsIn(own.path))[0]!.spec.containers;
    const [node, ...args] = [...container.command, ...container.args.slice(0, 2)];
    expect(node).toBe('node');
    const server = spawn(process.execPath, [...args, '--host', '127.0.0.1', '--port', '0', '--json'], {
      cwd: app,
      env: { PATH: env['PATH'], SVC_ENV: 'production', JWT_SECRET: 'x'.repeat(64), API_TOKEN: 'twelve bytes' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const port = await new Promise<number>((resolve, reject) => {
        let text = '';
        server.stdout.on('data', (chunk) => {
          text += chunk;
          const ready = text.split('\n').find((line) => line.includes('"event":"ready"') && line.endsWith('}'));
          if (ready !== undefined) resolve(JSON.parse(ready).port);
        });
        server.on('exit', (status) => reject(new Error(`ended with ${status}\n${text}`)));
      });
      const base = `http://127.0.0.1:${port}`;
      expect((await post(base, '/walker/Show')).reports).toEqual([[12, 'of lib', 'of the file']]);
      for (const path of [container.readinessProbe, container.livenessProbe].map(({ httpGet }) => httpGet.path))
        expect((await fetch(base + path)).status).toBe(200);
    } finally {
      server.kill('SIGKILL');
    }
    // The application's directory is mounted read-only, but for these two.
    expect(stamps(app)).toEqual(before);
  });

  function stamps(folder: string): Record<string, number> {
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return Object.fromEntries(
      paths
        .filter((path) => !/^(\.svc|storage)(\/|$)/.test(path))
        .map((path) => [path, statSync(join(folder, path)).mtimeMs]),
    );
  }

  test('that was damaged is not unpacked', async () => {
    using own = folderWith(application);
    expect((await build(own.path, [], { API_TOKEN: 'x' })).code).toBe(0);
    const objects = manifestsIn(own.path);
    const map = objects.find(({ kind }) => kind === 'ConfigMap');
    map.binaryData['part-01'] = Buffer.from('not it').toString('base64');
    using root = folderWith({});
    const { code, app, output } = await unpack(objects, root.path);
    expect([code, output]).toEqual([1, expect.stringContaining('checksum did NOT match')]);
    expect(readdirSync(app)).toEqual(['.bundle.tar.gz']);
  });

  test('keeps the packages of the application as its lock file has them', async () => {
    const lock = {
      name: 'own',
      lockfileVersion: 3,
      requires: true,
      packages: { '': { name: 'own', devDependencies: { 'svc-scale': '^1.0.0' } } },
    };
    using own = folderWith({
      ...application,
      'package.json': JSON.stringify({ name: 'own', type: 'module', devDependencies: { 'svc-scale': '^1.0.0' } }),
      'package-lock.json': JSON.stringify(lock),
    });
    expect((await build(own.path)).code).toBe(0);
    using root = folderWith({});
    const { app } = await unpack(manifestsIn(own.path), root.path);
    const manifest = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'own', type: 'module', dependencies: { 'svc-scale': '1.4.2' } });
    expect(statSync(join(app, 'node_modules/svc-scale/dist/cli.mjs')).isFile()).toBe(true);
  });
});

describe('what stops a build', () => {
  test('a version that is not in the index', async () => {
    using own = folderWith({
      ...application,
      'svc.toml': '[plugins.scale.orchestrator.plugin_versions]\nscale = "9.9.9"\n',
    });
    const { code, stderr } = await build(own.path);
    expect([code, stderr]).toEqual([5, expect.stringContaining('svc: svc-scale@9.9.9 is not in the package index\n')]);
  });

  test('a registry without credentials, one that refuses, a base image that is not there', async () => {
    using own = folderWith(application);
    const without = await build(own.path, ['--push']);
    expect(without.code).toBe(7);
    expect(without.stderr).toContain('svc: registry dockerhub needs REGISTRY_USERNAME and REGISTRY_PASSWORD\n');
    const refused = await build(own.path, ['--push'], { ...push(), REGISTRY_PASSWORD: canary('wrong') });
    expect(refused.code).toBe(7);
    expect(refused.stderr).toContain(`svc: sign-in at ${registry.host} failed: it answers 401\n  hint: the name or`);
    expect(refused.stderr).not.toContain('canary');
    const base = { SVC_ORCHESTRATOR_BASE_IMAGE: `${registry.host}/base/missing:1` };
    const missing = await build(own.path, ['--push'], { ...push(), ...base });
    expect([missing.code, missing.stderr]).toEqual([
      7,
      expect.stringContaining(`svc: there is no image ${registry.host}/base/missing:1\n  hint: is the name right?`),
    ]);
    expect(readdirSync(own.path)).not.toContain('out');
  });

  test('with a recipe of its own: no engine, and one that fails', async () => {
    using own = folderWith({ ...application, Dockerfile: 'FROM mine\n' });
    const none = await build(own.path, ['--push'], { ...push(), PATH: join(own.path, 'nothing') });
    expect(none.code).toBe(7);
    expect(none.stderr).toContain(
      "svc: no container engine found\n  hint: a Dockerfile of the application's own needs",
    );
    const engine = standInEngine(own.path, 'podman');
    engine.fail('push');
    const failed = await build(own.path, ['--push'], {
      ...push(),
      SVC_REGISTRY_ENGINE: 'podman',
      PATH: `${engine.bin}:${env['PATH']}`,
    });
    expect(failed.code).toBe(5);
    expect(failed.stderr).toMatch(/\nline 11\n(line \d+\n)+svc: podman push failed\n/);
  });

  test('a recipe of the application is used, with the files that may travel', async () => {
    using own = folderWith({ ...application, Dockerfile: 'FROM mine\n', '.dockerignore': '!.env', '.env': 'A=canary' });
    const engine = standInEngine(own.path, 'docker');
    const given = { REGISTRY_USERNAME: 'ada', REGISTRY_PASSWORD: canary('registry') };
    const built = await build(own.path, ['--push'], { ...given, PATH: `${engine.bin}:${env['PATH']}` });
    expect(built.code, built.stderr).toBe(0);
    const [container] = podsOf(manifestsIn(own.path))[0]!.spec.containers;
    expect(container.image).toBe(`docker.io/ada/svc-app@${engine.digest}`);
    const calls = engine.calls();
    expect(calls.map(({ args }) => args[0])).toEqual(['login', 'build', 'push', 'push']);
    expect([calls[0]!.input, calls[0]!.args.at(-1)]).toEqual([canary('registry'), 'docker.io']);
    expect(JSON.stringify(calls.map(({ args }) => args))).not.toContain('canary');
    expect(readFileSync(join(own.path, 'out/Dockerfile'), 'utf8')).toBe('FROM mine\n');
    const { context } = engine.calls().find(({ args }) => args[0] === 'build')!;
    expect(context.filter((path) => path.includes('env'))).toEqual([]);
    expect(context).toEqual(expect.arrayContaining(['main.svc', 'package-lock.json', '.dockerignore']));
  });
});
