/** Images without a container engine: what they are made of, and what goes wrong on the way to a registry and back. */
import { chmodSync, mkdirSync, readFileSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTar } from '../../library/modules/archives/archive-tar.ts';
import { type BaseOptions, writeBaseLayout } from '../../test/harness/images/base-layout.ts';
import { type StandInRegistry, startStandInRegistry } from '../../test/harness/images/stand-in-registry.ts';
import { folderWith } from '../../test/harness/svc-process.ts';
import { bytesOf } from './blob.ts';
import { type BuildImageRequest, buildImage } from './build-image.ts';
import type { BuiltImage } from './built-image.ts';
import { findCredentials } from './credentials.ts';
import { parseReference } from './reference.ts';

const folder = folderWith({});
afterAll(() => folder[Symbol.dispose]());
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: folder.path,
  XDG_CACHE_HOME: join(folder.path, 'cache'),
  npm_config_registry: 'http://127.0.0.1:1/',
  npm_config_fetch_retries: '0',
};
const text = (contents: string) => Buffer.from(contents);

/** An application without packages, so that nothing has to be installed. */
const files = {
  'main.svc': text('walker:pub Hello {}\n'),
  'data/words.txt': text('words'),
  'svc-client/index.html': text('<p>'),
  'package.json': text('{"name":"shop"}'),
  'package-lock.json': text('{"name":"shop","lockfileVersion":3,"requires":true,"packages":{"":{"name":"shop"}}}'),
};

async function base(name: string, options: BaseOptions = {}): Promise<string> {
  await writeBaseLayout(join(folder.path, name), options);
  return `oci:${join(folder.path, name)}`;
}

const request = (more: Partial<BuildImageRequest>): BuildImageRequest => ({
  name: 'shop',
  version: '1.2.0',
  files,
  clientFolder: 'svc-client',
  entry: 'main.svc',
  port: 8000,
  filesPath: '/app/storage',
  livenessPath: '/healthz/live',
  base: '',
  platforms: ['linux/amd64'],
  projectDir: folder.path,
  env,
  ...more,
});

const json = async (blob: { open(): Promise<Blob> }) => JSON.parse(await (await blob.open()).text());

let built: BuiltImage;
beforeAll(async () => {
  built = await buildImage(request({ base: await base('base', { architectures: ['amd64', 'arm64'] }) }));
});

describe('what an image is', () => {
  test('the base image, packages, the program and the browser application, for a user without rights', async () => {
    const [image] = built.images;
    const config = await json(image!.config);
    expect(config).toMatchObject({ os: 'linux', architecture: 'amd64', created: '1970-01-01T00:00:00Z' });
    expect(config.config).toMatchObject({
      User: '10001:10001',
      Entrypoint: ['/usr/local/bin/node', 'node_modules/svc-scale/bin/svc.mjs'],
      Cmd: ['start', 'main.svc', '--host', '0.0.0.0', '--port', '8000'],
      WorkingDir: '/app',
      ExposedPorts: { '8000/tcp': {} },
      Volumes: { '/app/.svc': {}, '/app/storage': {} },
      Labels: { 'org.opencontainers.image.title': 'shop', 'org.opencontainers.image.version': '1.2.0' },
      Env: ['PATH=/usr/local/bin:/usr/bin:/bin', 'NODE_ENV=production', 'SVC_ENV=production'],
    });
    expect(config.config.Healthcheck.Test[3]).toContain('http://127.0.0.1:8000/healthz/live');
    expect(config.history.map((one: { created_by: string }) => one.created_by)).toEqual([
      'svc build: packages',
      'svc build: program',
      'svc build: browser application',
    ]);
    expect(config.rootfs.diff_ids).toHaveLength(image!.layers.length);
    const [program, client] = await Promise.all(image!.layers.slice(-2).map(entriesIn));
    expect(program!.map(({ name, mode }) => `${name} ${mode.toString(8)}`)).toEqual([
      'app 755',
      'app/.svc 755',
      'app/data 755',
      'app/data/words.txt 644',
      'app/main.svc 644',
      'app/package-lock.json 644',
      'app/package.json 644',
      'app/storage 755',
    ]);
    expect(client!.map(({ name }) => name)).toContain('app/svc-client/index.html');
    const owners = headers(gunzipSync(await bytesOf(image!.layers.at(-2)!)));
    expect([owners.get('app/.svc/'), owners.get('app/storage/'), owners.get('app/main.svc')]).toEqual([
      10001, 10001, 0,
    ]);
  });

  test('several platforms are an index; the same input gives the same digest', async () => {
    const two = request({ base: `oci:${join(folder.path, 'base')}`, platforms: ['linux/amd64', 'linux/arm64'] });
    const index = await buildImage(two);
    const document = await json(index.manifest);
    expect(document.manifests.map(({ platform }: { platform: object }) => platform)).toEqual([
      { os: 'linux', architecture: 'amd64' },
      { os: 'linux', architecture: 'arm64' },
    ]);
    expect(document.manifests[0].digest).toBe(built.digest);
    expect((await buildImage(two)).digest).toBe(index.digest);
    const shuffled = Object.fromEntries(Object.entries(files).reverse());
    expect((await buildImage({ ...two, files: shuffled })).digest).toBe(index.digest);
    expect((await buildImage({ ...two, files: { ...files, 'a.svc': text('') } })).digest).not.toBe(index.digest);
  });

  test('an archive has the layout of OCI and the list that older engines read', async () => {
    const path = join(folder.path, 'out/shop.tar');
    await built.save(path, 'shop:1.2.0');
    const entries = new Map(readTar(readFileSync(path)).map(({ name, data }) => [name, Buffer.from(data ?? [])]));
    const read = (name: string) => JSON.parse(entries.get(name)!.toString());
    expect(read('oci-layout')).toEqual({ imageLayoutVersion: '1.0.0' });
    expect(read('index.json').manifests[0].digest).toBe(built.digest);
    const [{ Config, RepoTags, Layers }] = read('manifest.json');
    expect(RepoTags).toEqual(['shop:1.2.0']);
    for (const one of [Config, ...Layers]) expect(entries.has(one), one).toBe(true);
  });
});

async function entriesIn(blob: Parameters<typeof bytesOf>[0]) {
  return readTar(gunzipSync(await bytesOf(blob)));
}

/** Owners by name. */
function headers(archive: Buffer): Map<string, number> {
  const found = new Map<string, number>();
  for (let at = 0; at < archive.length && archive[at] !== 0; ) {
    const number = (from: number, length: number) =>
      Number.parseInt(archive.toString('latin1', at + from, at + from + length), 8);
    found.set(archive.toString('utf8', at, at + 100).replace(/\0.*$/s, ''), number(108, 7));
    at += 512 + Math.ceil(number(124, 11) / 512) * 512;
  }
  return found;
}

describe('base images', () => {
  test.each([
    ['no program node', { hasNode: false }, 'invalid', /has no Node$/],
    ['an old Node', { env: ['NODE_VERSION=18.20.1'] }, 'invalid', /has Node 18\.20\.1, which is older than 20\.19$/],
    ['another platform only', { architectures: ['arm64'] }, 'invalid', /is not there for linux\/amd64$/],
  ] as const)('with %s', async (name, options, kind, message) => {
    const failure = buildImage(request({ base: await base(`of ${name}`, options) }));
    await expect(failure).rejects.toMatchObject({ kind, message: expect.stringMatching(message) });
  });

  test('a folder without an image, a damaged layer, a platform nobody knows', async () => {
    await expect(buildImage(request({ base: `oci:${folder.path}/nothing` }))).rejects.toThrow('holds no image');
    const name = await base('damaged');
    const [layer] = built.images[0]!.layers;
    const path = join(folder.path, 'damaged/blobs', layer!.descriptor.digest.replace(':', '/'));
    writeFileSync(path, Buffer.concat([readFileSync(path).subarray(0, -8), Buffer.alloc(8)]));
    await expect(buildImage(request({ base: name }))).rejects.toThrow(/layer sha256:\w+ of the base image is/);
    await expect(buildImage(request({ base: name, platforms: ['linux/s390x'] }))).rejects.toMatchObject({
      hints: ['for linux/amd64, linux/arm64'],
    });
  });

  test('a name that is none is refused before anything is asked', async () => {
    for (const name of ['UPPER/case', 'a b', 'shop:', 'https://example.com/shop', '-x', `shop@sha256:12`])
      await expect(buildImage(request({ base: name })), name).rejects.toMatchObject({ kind: 'invalid' });
    expect(parseReference('ghcr.io/acme/shop:1.2')).toMatchObject({
      host: 'ghcr.io',
      repository: 'acme/shop',
      tag: '1.2',
    });
  });
});

describe('a registry', () => {
  const login = { username: 'ada', password: 'canary-password' };

  test('gets contents first and the tag last, for who is signed in; then it is a base image itself', async () => {
    await using registry = await startStandInRegistry({ login });
    const name = `${registry.host}/team/base:1`;
    expect(await built.push(name, { credentials: login })).toBe(`${registry.host}/team/base@${built.digest}`);
    const puts = registry.requests.filter((line) => line.startsWith('PUT')).map((line) => line.replace(/\?.*/, ''));
    expect(puts.indexOf('PUT /v2/team/base/manifests/1')).toBeGreaterThan(
      puts.findLastIndex((line) => line.includes(built.images[0]!.config.descriptor.digest)),
    );
    // The registry keeps no list of attachments, so there is a tag for them.
    const list = registry.manifests.get(`team/base:${built.digest.replace(':', '-')}`)!;
    const [attached] = JSON.parse(list.bytes.toString()).manifests;
    expect(attached.artifactType).toBe('application/spdx+json');
    const sbom = JSON.parse(registry.manifests.get(`team/base@${attached.digest}`)!.bytes.toString());
    expect(sbom.subject.digest).toBe(built.digest);
    expect(JSON.parse(registry.blobs.get(sbom.layers[0].digest)!.toString()).spdxVersion).toBe('SPDX-2.3');

    // Layers that the registry has are mounted; a second push sends nothing twice.
    const second = await buildImage(request({ base: name, name: 'second' }));
    registry.requests.length = 0;
    await second.push(`${registry.host}/team/second:1`, { credentials: login });
    const mounts = registry.requests.filter((line) => line.includes('mount='));
    expect(mounts).toHaveLength(built.images[0]!.layers.length);
    registry.requests.length = 0;
    await second.push(`${registry.host}/team/second:1`, { credentials: login });
    expect(registry.requests.filter((line) => /^(POST|PUT|PATCH)/.test(line))).toEqual([]);
    // Another tag of the same image is one document, and what was attached stays one.
    await second.push(`${registry.host}/team/second:1`, { credentials: login, alsoAs: ['latest'] });
    const tagged = registry.requests.filter((line) => line.startsWith('PUT') && !line.includes('sha256'));
    expect(tagged).toEqual(['PUT /v2/team/second/manifests/latest']);
  });

  test('a push that was broken off before the tag attaches the list of packages the second time', async () => {
    let fails = true;
    await using registry = await startStandInRegistry({
      answer: (request, response) => {
        if (!fails || request.method !== 'PUT' || !request.url!.includes('/manifests/')) return false;
        fails = !request.url!.includes(built.images[0]!.sbom!.manifest.descriptor.digest);
        if (!fails) response.writeHead(400).end('{"errors":[{"message":"broken off"}]}');
        return !fails;
      },
    });
    const name = `${registry.host}/team/shop:1`;
    await expect(built.push(name)).rejects.toThrow('the registry answers 400 (broken off)');
    expect(registry.manifests.has('team/shop:1')).toBe(false);
    await built.push(name);
    expect(registry.manifests.has('team/shop:1')).toBe(true);
    expect(registry.manifests.has(`team/shop:${built.digest.replace(':', '-')}`)).toBe(true);
  });

  test('that limits requests is named, with what helps', async () => {
    await using registry = await startStandInRegistry({
      answer: (request, response) => {
        if (!request.url!.includes('/manifests/')) return false;
        const body = '{"errors":[{"code":"TOOMANYREQUESTS","message":"too many pulls"}]}';
        response.writeHead(429, { 'retry-after': '0.01' }).end(body);
        return true;
      },
    });
    const limited = buildImage(request({ base: `${registry.host}/library/node:22` }));
    await expect(limited).rejects.toMatchObject({
      kind: 'failed',
      message: `${registry.host}/library/node:22: the registry answers 429 (too many pulls)`,
      hints: ['it limits requests: docker login raises the limit at some, or try later'],
    });
  });

  test('without an account, with a wrong one, or gone', async () => {
    await using registry = await startStandInRegistry({ login });
    const nobody = built.push(`${registry.host}/team/shop:1`);
    await expect(nobody).rejects.toMatchObject({
      kind: 'prerequisite',
      message: `not allowed to push to ${registry.host}/team/shop: nobody is signed in`,
      hints: [`docker login ${registry.host}, or REGISTRY_USERNAME and REGISTRY_PASSWORD`],
    });
    const wrong = await built
      .push(`${registry.host}/team/shop:1`, { credentials: { ...login, password: 'canary-wrong' } })
      .catch((e) => e);
    expect(wrong).toMatchObject({ kind: 'prerequisite', message: expect.stringContaining('it answers 401') });
    expect(JSON.stringify([wrong.message, wrong.hints])).not.toContain('canary');
    const gone = buildImage(request({ base: '127.0.0.1:1/node:22' }));
    await expect(gone).rejects.toMatchObject({
      kind: 'prerequisite',
      message: expect.stringContaining('cannot reach the registry 127.0.0.1:1: '),
    });
    const unknown = buildImage(request({ base: `${registry.host}/team/unknown:1` }));
    await expect(unknown).rejects.toThrow(`there is no image ${registry.host}/team/unknown:1`);
  });

  test('that stumbles is asked again; one that gives other contents is not believed', async () => {
    let stumbles = 2;
    let lies = false;
    await using registry: StandInRegistry = await startStandInRegistry({
      answer: (request, response) => {
        if (stumbles > 0 && request.method === 'PUT') {
          stumbles -= 1;
          response.writeHead(503, { 'retry-after': '0' }).end();
          return true;
        }
        if (!lies || request.method !== 'GET' || !request.url!.includes('/blobs/')) return false;
        const other = Buffer.from(registry.blobs.get(request.url!.split('/').at(-1)!)!);
        other[0]! ^= 1;
        response.end(other);
        return true;
      },
    });
    const name = `${registry.host}/team/base:1`;
    await built.push(name);
    expect(stumbles).toBe(0);
    lies = true;
    const other = buildImage(request({ base: name, env: { ...env, XDG_CACHE_HOME: join(folder.path, 'empty') } }));
    await expect(other).rejects.toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('something else than sha256:'),
    });
  });

  test('is reached through the proxy of the environment, but for hosts that are exempt', async () => {
    await using registry = await startStandInRegistry();
    const asked: string[] = [];
    const proxy = createServer().on('connect', (request, socket, head) => {
      asked.push(request.url!);
      const [host, port] = request.url!.split(':');
      const through = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        through.write(head);
        through.pipe(socket).pipe(through);
      });
      through.on('error', () => socket.destroy());
      socket.on('error', () => through.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    try {
      const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      const through = await buildImage(
        request({ base: `oci:${join(folder.path, 'base')}`, env: { ...env, HTTP_PROXY: address } }),
      );
      await through.push(`${registry.host}/team/shop:1`);
      expect(new Set(asked)).toEqual(new Set([registry.host]));
      expect(registry.manifests.has('team/shop:1')).toBe(true);
      asked.length = 0;
      const direct = { ...env, HTTP_PROXY: address, NO_PROXY: '127.0.0.1' };
      await (await buildImage(request({ base: `${registry.host}/team/shop:1`, env: direct }))).push(
        `${registry.host}/team/shop:2`,
      );
      expect(asked).toEqual([]);
    } finally {
      proxy.closeAllConnections();
      proxy.close();
    }
  });
});

describe('accounts', () => {
  test('come from the file of docker login, its helpers and its token', async () => {
    using home = folderWith({});
    const auth = Buffer.from('ada:pass:word').toString('base64');
    mkdirSync(join(home.path, 'bin'));
    writeFileSync(
      join(home.path, 'bin/docker-credential-kept'),
      `#!/bin/sh\nread -r server\n[ $# = 1 ] || exit 9\necho "{\\"Username\\":\\"<token>\\",\\"Secret\\":\\"of $server\\"}"\n`,
    );
    chmodSync(join(home.path, 'bin/docker-credential-kept'), 0o755);
    writeFileSync(
      join(home.path, 'config.json'),
      JSON.stringify({
        auths: { 'https://index.docker.io/v1/': { auth }, 'ghcr.io': { identitytoken: 'lasting' } },
        credHelpers: { 'kept.example': 'kept', 'gone.example': 'not-installed' },
      }),
    );
    const at = { DOCKER_CONFIG: home.path, HOME: home.path, PATH: `${home.path}/bin:/usr/bin:/bin` };
    expect(await findCredentials('registry-1.docker.io', at)).toEqual({ username: 'ada', password: 'pass:word' });
    expect(await findCredentials('ghcr.io', at)).toEqual({ identityToken: 'lasting' });
    expect(await findCredentials('kept.example', at)).toEqual({ identityToken: 'of kept.example' });
    expect(await findCredentials('gone.example', at)).toBeUndefined();
    writeFileSync(join(home.path, 'config.json'), 'not json');
    await expect(findCredentials('ghcr.io', at)).rejects.toMatchObject({ kind: 'prerequisite' });
  });
});

test('packages that are not there, and links that lead out of them', async () => {
  const lock = (more: object) => text(JSON.stringify({ lockfileVersion: 3, requires: true, packages: more }));
  const missing = {
    ...files,
    'package.json': text('{"dependencies":{"absent":"1.0.0"}}'),
    'package-lock.json': lock({
      '': { dependencies: { absent: '1.0.0' } },
      'node_modules/absent': { version: '1.0.0', integrity: 'sha512-AAAA' },
    }),
  };
  const from = `oci:${join(folder.path, 'base')}`;
  await expect(buildImage(request({ base: from, files: missing }))).rejects.toMatchObject({
    kind: 'failed',
    message: 'the packages cannot be installed',
  });
  const { 'package-lock.json': _, ...without } = files;
  await expect(buildImage(request({ base: from, files: without }))).rejects.toThrow('package-lock.json is missing');
});

// Only root may make a file system that is too small.
const tiny = '/dev/full';
test.skipIf(!hasFull())('a disk that is full is told, and leaves nothing half written', async () => {
  using small = folderWith({});
  symlinkSync(tiny, join(small.path, `shop.tar.${process.pid}`));
  const failure = built.save(join(small.path, 'shop.tar'), 'shop:1');
  await expect(failure).rejects.toMatchObject({
    kind: 'failed',
    message: `no space is left for ${small.path}/shop.tar`,
  });
});

function hasFull(): boolean {
  try {
    return statfsSync('/dev') !== undefined && process.platform === 'linux';
  } catch {
    return false;
  }
}
