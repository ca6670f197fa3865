/**
 * Stand-ins on this machine for the services of a deployment: a registry of images, an index of packages, a container
 * engine that writes down its commands.
 */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'fflate';
import type { Files } from '../../infra/files.ts';
import { packTar } from '../../infra/orchestrator/bundle/tar.ts';

interface Listening extends AsyncDisposable {
  /** `127.0.0.1:1234` */
  readonly host: string;
  /** `GET /path` of each request. */
  readonly requests: readonly string[];
}

async function listen(
  answer: (request: IncomingMessage, response: ServerResponse, host: string) => void,
): Promise<Listening> {
  const requests: string[] = [];
  let host = '';
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response, host);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export interface ImageHost extends Listening {
  /** Digest of the manifest that every image has here. */
  readonly digest: string;
}

/** Gives everybody a token, as public registries do, and knows every image but those named `missing`. */
export async function startImageHost(): Promise<ImageHost> {
  const manifest = JSON.stringify({ schemaVersion: 2, manifests: [] });
  const server = await listen((request, response, host) => {
    if (request.url?.startsWith('/token?') === true) response.end('{"token":"for-everybody"}');
    else if (request.headers.authorization !== 'Bearer for-everybody') {
      const challenge = `Bearer realm="http://${host}/token",service="images",scope="repository:x:pull"`;
      response.writeHead(401, { 'www-authenticate': challenge }).end();
    } else if (request.url?.includes('/missing/') === true) response.writeHead(404).end();
    else response.end(manifest);
  });
  return { ...server, digest: `sha256:${createHash('sha256').update(manifest).digest('hex')}` };
}

/** An index with one package in one version; anything else is unknown to it. */
export async function startPackageIndex(name: string, version: string, files: Files): Promise<Listening> {
  const inPackage = Object.entries({
    ...files,
    'package.json': Buffer.from(JSON.stringify({ name, version, type: 'module', bin: { svc: 'bin/svc.mjs' } })),
  }).map(([path, contents]) => [`package/${path}`, contents] as const);
  const archive = gzipSync(packTar(Object.fromEntries(inPackage)));
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  return await listen((request, response, host) => {
    if (request.url === `/${name}.tgz`) return response.end(archive);
    if (request.url !== `/${name}`) return response.writeHead(404).end('{"error":"not found"}');
    const dist = { tarball: `http://${host}/${name}.tgz`, integrity };
    const one = { name, version, bin: { svc: 'bin/svc.mjs' }, dist };
    return response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: one } }));
  });
}

export interface EngineCall {
  readonly args: readonly string[];
  readonly input: string;
  /** Files of the build's context, by path. */
  readonly context: readonly string[];
}

export interface StandInEngine {
  /** Folder to have on the PATH. */
  readonly bin: string;
  /** Digest with which the engine answers a push. */
  readonly digest: string;
  calls(): EngineCall[];
  /** The subcommand that fails from now on. */
  fail(subcommand: string): void;
}

/** An executable of this name. It keeps what it is told, and gives what a caller reads from the real one. */
export function standInEngine(folder: string, name: 'docker' | 'podman' | 'buildah'): StandInEngine {
  const bin = join(folder, `bin-${name}`);
  const log = join(bin, 'calls');
  const failing = join(bin, 'failing');
  const digest = `sha256:${createHash('sha256').update(name).digest('hex')}`;
  mkdirSync(bin, { recursive: true });
  writeFileSync(
    join(bin, name),
    `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, readdirSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
const context = args[0] === 'build' ? readdirSync(args.at(-1), { recursive: true }) : [];
appendFileSync(${JSON.stringify(log)}, JSON.stringify({ args, input: readFileSync(0, 'utf8'), context }) + '\\n');
if (existsSync(${JSON.stringify(failing)}) && readFileSync(${JSON.stringify(failing)}, 'utf8') === args[0]) {
  for (let line = 1; line <= 30; line++) console.error('line ' + line);
  process.exit(1);
}
const file = args.indexOf('--digestfile');
if (file > 0) writeFileSync(args[file + 1], '${digest}');
else if (args[0] === 'push') console.log('latest: digest: ${digest} size: 1234');
`,
  );
  chmodSync(join(bin, name), 0o755);
  return {
    bin,
    digest,
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []).map((line) => JSON.parse(line)),
    fail: (subcommand) => writeFileSync(failing, subcommand),
  };
}
