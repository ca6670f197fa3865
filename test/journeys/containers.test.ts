/**
 * Containers of a deployment (docs/server/security.md): what `svc build --target orchestrator` makes keeps every rule,
 * holds no secret, and is an application that starts.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runTool } from '../../infra/orchestrator/run-tool.ts';
import { canary, canarySettings } from '../harness/canary-settings.ts';
import {
  type EngineCall,
  type ImageHost,
  standInEngine,
  startImageHost,
  startPackageIndex,
} from '../harness/deploy-tools.ts';
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
let images: ImageHost;
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
  index = await startPackageIndex('svc-scale', '1.4.2', files);
  env = {
    PATH: process.env['PATH'] ?? '',
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
  const secrets = { API_TOKEN: canary('token'), REGISTRY_USERNAME: 'ada', REGISTRY_PASSWORD: canary('registry') };
  const settings = `${canarySettings()}
[plugins.scale.secrets]
API_TOKEN = "\${API_TOKEN}"
LITERAL = "${canary('literal')}"
`;
  let folder: ReturnType<typeof folderWith>;
  let bundled: any[];
  let pushed: any[];
  let calls: readonly EngineCall[];
  let digest: string;
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
    const engine = standInEngine(tools, 'docker');
    const second = await build(folder.path, ['--push'], {
      ...secrets,
      ...databases,
      PATH: `${engine.bin}:${env['PATH']}`,
    });
    expect(second.code, second.stderr).toBe(0);
    pushed = manifestsIn(folder.path);
    calls = engine.calls();
    digest = engine.digest;
    const shown = await svcHere(['start', 'main.svc', '--scale', '--dry-run'], {
      cwd: folder.path,
      env: { ...env, ...secrets },
    });
    expect(shown.code, shown.stderr).toBe(0);
    for (const { stdout, stderr } of [first, second, shown]) printed.push(stdout, stderr);
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

  test('the image is the one that was pushed, and its recipe ends without rights', () => {
    const app = podsOf(pushed).at(-1)!.spec.containers[0];
    expect(app.image).toBe(`docker.io/ada/svc-app@${digest}`);
    const recipe = readFileSync(join(folder.path, 'out/Dockerfile'), 'utf8');
    const stages = [...recipe.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(stages).toEqual([`${images.host}/node@${images.digest}`, `${images.host}/node@${images.digest}`]);
    const users = [...recipe.matchAll(/^USER (\d+)/gm)].map(([, user]) => Number(user));
    expect(users).toEqual([10_001]);
    expect(recipe.lastIndexOf('\nUSER ')).toBeGreaterThan(recipe.lastIndexOf('\nRUN '));
    expect(calls.map(({ args }) => args[0])).toEqual(['login', 'build', 'push', 'push']);
  });

  test('no secret is in an object, a part of the bundle, the context of the image, a command line or what is printed', () => {
    const everything = new Map<string, string>();
    for (const [path, bytes] of Object.entries(filesOf(join(folder.path, 'out'))))
      everything.set(path, bytes.toString('latin1'));
    using unpacked = folderWith({});
    unpackBundle(bundled, unpacked.path);
    execFileSync('tar', ['-xzf', 'bundle.tar.gz'], { cwd: unpacked.path });
    for (const [path, bytes] of Object.entries(filesOf(unpacked.path)))
      everything.set(`bundle/${path}`, bytes.toString('latin1'));
    everything.set('command lines', JSON.stringify(calls.map(({ args }) => args)));
    everything.set('printed', printed.join('\n'));
    expect([...everything.keys()]).toEqual(
      expect.arrayContaining([
        'Dockerfile',
        'context/svc.toml',
        'context/.dockerignore',
        'bundle/svc.toml',
        'bundle/main.svc',
      ]),
    );
    const holding = [...everything].filter(([, text]) => /canary-/.test(text)).map(([path]) => path);
    expect(holding).toEqual([]);
    const names = [...everything.keys()].filter((path) => /\.(env|npmrc|key|pem)|secrets\/|notes\.txt/.test(path));
    expect(names).toEqual([]);
    // The second build had before it what the first one made.
    expect([...everything.keys()].filter((path) => path.startsWith('context/out'))).toEqual([]);
    // The secrets were there to be found.
    expect(calls[0]!.input).toBe(canary('registry'));
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

  test('a registry without credentials, no engine, and one that fails', async () => {
    using own = folderWith(application);
    const without = await build(own.path, ['--push']);
    expect(without.code).toBe(7);
    expect(without.stderr).toContain('svc: registry dockerhub needs REGISTRY_USERNAME and REGISTRY_PASSWORD\n');
    const credentials = { REGISTRY_USERNAME: 'ada', REGISTRY_PASSWORD: 'p' };
    const none = await build(own.path, ['--push'], { ...credentials, PATH: join(own.path, 'nothing') });
    expect(none.code).toBe(7);
    expect(none.stderr).toContain('svc: no container engine found\n  hint: install docker, podman, buildah');
    const engine = standInEngine(own.path, 'podman');
    engine.fail('push');
    const failed = await build(own.path, ['--push'], {
      ...credentials,
      SVC_REGISTRY_ENGINE: 'podman',
      PATH: `${engine.bin}:${env['PATH']}`,
    });
    expect(failed.code).toBe(5);
    expect(failed.stderr).toMatch(/\nline 11\n(line \d+\n)+svc: podman push failed\n/);
  });

  test('a recipe of the application is used, with the files that may travel', async () => {
    using own = folderWith({ ...application, Dockerfile: 'FROM mine\n', '.dockerignore': '!.env', '.env': 'A=canary' });
    const engine = standInEngine(own.path, 'docker');
    const env = { REGISTRY_USERNAME: 'ada', REGISTRY_PASSWORD: 'p', PATH: `${engine.bin}:${process.env['PATH']}` };
    expect((await build(own.path, ['--push'], env)).code).toBe(0);
    expect(readFileSync(join(own.path, 'out/Dockerfile'), 'utf8')).toBe('FROM mine\n');
    const { context } = engine.calls().find(({ args }) => args[0] === 'build')!;
    expect(context.filter((path) => path.includes('env'))).toEqual([]);
    expect(context).toEqual(expect.arrayContaining(['main.svc', 'package-lock.json', '.dockerignore']));
  });
});
