import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { defaultConfig } from '../../../core/config/resolve.ts';
import { standInEngine, startImageHost } from '../../../test/harness/deploy-tools.ts';
import { folderWith } from '../../../test/harness/svc-process.ts';
import { parseReference } from '../../images/reference.ts';
import { findEngine } from './engine.ts';
import { pinImage } from './pin-image.ts';
import { findLogin, findRegistry, imageTag, prepareRepository, pullSecretOf } from './registry.ts';
import { dockerignore, writeRecipe } from './write-recipe.ts';

const settings = defaultConfig().scale.registry;
const path = process.env['PATH'] ?? '';

test('a tag becomes the digest it means, once the registry has given a token', async () => {
  await using images = await startImageHost();
  expect(await pinImage(`${images.host}/library/node:22-slim`, {})).toBe(
    `${images.host}/library/node@${images.digest}`,
  );
  expect(images.requests).toEqual([
    'GET /v2/library/node/manifests/22-slim',
    'GET /token?service=images&scope=repository%3Ax%3Apull',
    'GET /v2/library/node/manifests/22-slim',
  ]);
  const pinned = `node@${images.digest}`;
  expect(await pinImage(pinned, {})).toBe(pinned);
  expect(images.requests).toHaveLength(3);
  const missing = pinImage(`${images.host}/missing/node:22`, {});
  await expect(missing).rejects.toMatchObject({
    kind: 'prerequisite',
    message: `the digest of ${images.host}/missing/node:22 cannot be found: there is no image ${images.host}/missing/node:22`,
    hints: [`name the image by its digest: ${images.host}/missing/node@sha256:…`],
  });
  await expect(pinImage('127.0.0.1:1/node', {})).rejects.toThrow('the digest of 127.0.0.1:1/node cannot be found: ');
});

test('names of images', () => {
  const of = (image: string) => {
    const { name, host, repository, tag } = parseReference(image);
    return [name, host, repository, tag];
  };
  const hub = 'registry-1.docker.io';
  expect(of('node')).toEqual(['node', hub, 'library/node', 'latest']);
  expect(of('node:22-slim')).toEqual(['node', hub, 'library/node', '22-slim']);
  expect(of('valkey/valkey:8')).toEqual(['valkey/valkey', hub, 'valkey/valkey', '8']);
  expect(of('docker.io/ada/app:1')).toEqual(['docker.io/ada/app', hub, 'ada/app', '1']);
  expect(of('localhost:5000/app')).toEqual(['localhost:5000/app', 'localhost:5000', 'app', 'latest']);
  expect(of('ghcr.io/a/b/c:v1.2')).toEqual(['ghcr.io/a/b/c', 'ghcr.io', 'a/b/c', 'v1.2']);
});

test('what is secret is never copied, whatever the application says', () => {
  const ignored = dockerignore('!.env').trim().split('\n');
  expect(ignored[0]).toBe('!.env');
  for (const pattern of ['.*', '**/.*', 'node_modules', '**/*.pem', '**/id_ed25519*'])
    expect(ignored).toContain(pattern);
});

test.each(['docker', 'podman', 'buildah'] as const)(
  '%s builds and pushes; the password comes through its standard input',
  async (name) => {
    using folder = folderWith({});
    const standIn = standInEngine(folder.path, name);
    const env = { PATH: `${standIn.bin}:${path}` };
    await writeRecipe(folder.path, {
      dockerfile: 'FROM scratch\n',
      dockerignore: '.*\n',
      files: { 'main.svc': Buffer.from('x'), 'lib/more.svc': Buffer.from('y') },
    });
    const engine = findEngine(name, env);
    const tag = `registry.example/team/demo:${imageTag('1.2.0+3', '0123456789abcdef')}`;
    expect(tag).toBe('registry.example/team/demo:1.2.0_3-0123456789ab');
    const [dockerfile, context] = [join(folder.path, 'Dockerfile'), join(folder.path, 'context')];
    const images = [tag, 'registry.example/team/demo:latest'];
    await engine.login('registry.example', 'ada', 'canary-password');
    await engine.build({ dockerfile, context, platform: 'linux/arm64', images });
    for (const one of images) expect(await engine.push(one)).toBe(standIn.digest);
    const calls = standIn.calls();
    expect(calls.map(({ args }) => args.filter((arg) => !arg.startsWith('/tmp/svc-push-')))).toEqual([
      ['login', '--username', 'ada', '--password-stdin', 'registry.example'],
      [
        ...['build', '--platform', 'linux/arm64', '--file', join(folder.path, 'Dockerfile')],
        ...['--tag', tag, '--tag', 'registry.example/team/demo:latest', join(folder.path, 'context')],
      ],
      ...[tag, 'registry.example/team/demo:latest'].map((one) =>
        name === 'docker' ? ['push', one] : ['push', '--digestfile', one],
      ),
    ]);
    expect(calls.map(({ input }) => input)).toEqual(['canary-password', '', '', '']);
    expect(JSON.stringify(calls.map(({ args }) => args))).not.toContain('canary');
    expect(calls[1]!.context.toSorted()).toEqual(['.dockerignore', 'lib', 'lib/more.svc', 'main.svc']);
    expect(readFileSync(join(folder.path, 'Dockerfile'), 'utf8')).toBe('FROM scratch\n');
  },
);

test('what an engine printed last is told when it fails', async () => {
  using folder = folderWith({});
  const standIn = standInEngine(folder.path, 'docker');
  standIn.fail('build');
  const engine = findEngine('', { PATH: `${standIn.bin}:${path}` });
  const failed = engine.build({ dockerfile: 'x', context: folder.path, platform: 'linux/amd64', images: ['a:b'] });
  await expect(failed).rejects.toMatchObject({
    kind: 'failed',
    message: 'docker build failed',
    output: Array.from({ length: 20 }, (_, at) => `line ${at + 11}`),
  });
});

test('the first engine that is there is taken, in a fixed order; none is told', () => {
  using folder = folderWith({});
  const empty = join(folder.path, 'empty');
  mkdirSync(empty);
  const both = join(folder.path, 'both');
  mkdirSync(both);
  for (const name of ['podman', 'buildah'] as const)
    symlinkSync(join(standInEngine(folder.path, name).bin, name), join(both, name));
  expect(findEngine('', { PATH: `${empty}:${both}` }).name).toBe('podman');
  expect(findEngine('buildah', { PATH: both }).name).toBe('buildah');
  expect(() => findEngine('', { PATH: empty })).toThrow('no container engine found');
  expect(() => findEngine('docker', { PATH: both })).toThrow('container engine docker not found');
});

test('registries and logins', async () => {
  const request = (kind: 'dockerhub' | 'ecr' | 'gcr', more: Partial<typeof settings> = {}) => ({
    kind,
    settings: { ...settings, ...more },
    appName: 'demo',
  });
  const login = async (...args: Parameters<typeof request>) => {
    const asked = request(...args);
    return await findLogin(asked, await findRegistry(asked), { PATH: tools.path });
  };
  using tools = folderWith({});
  expect((await findRegistry(request('dockerhub', { username: 'ada' }))).repository).toBe('docker.io/ada/demo');
  expect((await findRegistry(request('dockerhub', { repository: 'team/x' }))).repository).toBe('docker.io/team/x');
  const needs = 'registry dockerhub needs REGISTRY_USERNAME and REGISTRY_PASSWORD';
  await expect(findRegistry(request('dockerhub'))).rejects.toThrow(needs);
  await expect(login('dockerhub', { username: 'ada' })).rejects.toThrow(needs);
  expect(await login('dockerhub', { username: 'ada', password: 'p' })).toEqual({ username: 'ada', password: 'p' });

  const gcr = { repository: 'europe-docker.pkg.dev/project/repo/demo' };
  expect((await findRegistry(request('gcr', gcr))).host).toBe('europe-docker.pkg.dev');
  expect(await login('gcr', { ...gcr, password: '{"key":1}' })).toEqual({
    username: '_json_key',
    password: '{"key":1}',
  });
  await expect(login('gcr', gcr)).rejects.toThrow(/^registry gcr needs .* or the tool gcloud$/);
  await expect(findRegistry(request('gcr'))).rejects.toThrow(
    'registry gcr needs the full address in registry.repository',
  );

  const [user, pass] = ['ada', 'p'];
  const secret = JSON.parse(
    pullSecretOf(await findRegistry(request('dockerhub', { username: user })), { username: user, password: pass }),
  );
  expect(secret).toEqual({
    auths: {
      'https://index.docker.io/v1/': { username: 'ada', password: 'p', auth: Buffer.from('ada:p').toString('base64') },
    },
  });
});

test('a short-lived password comes from the tool people are signed in with', async () => {
  using folder = folderWith({});
  const { chmodSync, writeFileSync } = await import('node:fs');
  writeFileSync(join(folder.path, 'gcloud'), '#!/bin/sh\necho of-gcloud\n');
  chmodSync(join(folder.path, 'gcloud'), 0o755);
  const request = {
    kind: 'gcr',
    settings: { ...settings, repository: 'gcr.io/project/demo' },
    appName: 'demo',
  } as const;
  const env = { PATH: `${folder.path}:${path}` };
  expect(await findLogin(request, await findRegistry(request), env)).toEqual({
    username: 'oauth2accesstoken',
    password: 'of-gcloud',
  });
});

describe('ECR', () => {
  const host = '123456789012.dkr.ecr.eu-west-1.amazonaws.com';
  const asked: string[] = [];
  const refused = new Map<string, string>();
  const server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1]!;
    const { repositoryName, repositoryNames } = JSON.parse((await text(request)) || '{}');
    asked.push([operation, repositoryName ?? repositoryNames ?? []].flat().join(' '));
    const code = refused.get(operation);
    const authorizationToken = Buffer.from('AWS:canary-of-ecr').toString('base64');
    const given = { authorizationData: [{ authorizationToken, proxyEndpoint: `https://${host}` }] };
    response
      .writeHead(code === undefined ? 200 : 400, { 'content-type': 'application/x-amz-json-1.1' })
      .end(JSON.stringify(code === undefined ? given : { __type: code, message: 'no' }));
  });
  const request = (more: Partial<typeof settings> = {}) =>
    ({ kind: 'ecr', settings: { ...settings, ...more }, appName: 'demo' }) as const;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    vi.stubEnv('AWS_ENDPOINT_URL_ECR', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'x');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'x');
    vi.stubEnv('AWS_REGION', 'eu-west-1');
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    asked.length = 0;
    refused.clear();
  });

  test('the registry of the account is found and signed in to, without a tool', async () => {
    const registry = await findRegistry(request());
    expect(registry).toEqual({ repository: `${host}/demo`, host });
    expect((await findRegistry(request({ repository: 'team/shop' }))).repository).toBe(`${host}/team/shop`);
    const login = { username: 'AWS', password: 'canary-of-ecr' };
    expect(await findLogin(request(), registry, { PATH: '' })).toEqual(login);
    expect(new Set(asked)).toEqual(new Set(['GetAuthorizationToken']));
    const other = '1234.dkr.ecr.us-east-1.amazonaws.com/demo';
    expect(await findRegistry(request({ repository: other }))).toEqual({ repository: other, host: other.slice(0, -5) });
  });

  test('a repository that is missing is made before the push', async () => {
    const registry = { repository: `${host}/team/demo`, host };
    await prepareRepository(request(), registry);
    expect(asked).toEqual(['DescribeRepositories team/demo']);
    refused.set('DescribeRepositories', 'AccessDeniedException');
    await prepareRepository(request(), registry);
    refused.set('DescribeRepositories', 'RepositoryNotFoundException');
    asked.length = 0;
    await prepareRepository(request(), registry);
    expect(asked).toEqual(['DescribeRepositories team/demo', 'CreateRepository team/demo']);
    refused.set('CreateRepository', 'RepositoryAlreadyExistsException');
    await prepareRepository(request(), registry);
    refused.set('CreateRepository', 'AccessDeniedException');
    await expect(prepareRepository(request(), registry)).rejects.toMatchObject({
      kind: 'prerequisite',
      message: 'not allowed: ecr:CreateRepository',
    });
    // With a password of the configuration, who pushes need not have rights of AWS.
    await prepareRepository(request({ password: 'p' }), registry);
  });

  test('what is missing is named', async () => {
    refused.set('GetAuthorizationToken', 'UnrecognizedClientException');
    await expect(findRegistry(request())).rejects.toMatchObject({
      kind: 'prerequisite',
      message: 'AWS does not accept the credentials: UnrecognizedClientException',
    });
  });
});
