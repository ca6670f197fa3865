/** A registry of images in memory that can fail: https://github.com/opencontainers/distribution-spec, as far as a build asks it. */
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { MaybePromise } from '../../../base/maybe-promise.ts';

export interface StandInRegistry extends AsyncDisposable {
  /** `127.0.0.1:1234` */
  readonly host: string;
  /** `PUT /v2/…` of each request. */
  readonly requests: string[];
  /** Contents by digest, of all repositories. */
  readonly blobs: Map<string, Buffer>;
  /** Documents by `repository@digest` and `repository:tag`. */
  readonly manifests: Map<string, { readonly type: string; readonly bytes: Buffer }>;
  /** Has an image from now on: that of a folder in the OCI layout. */
  take(folder: string, repository: string, tag: string): void;
}

export interface Faults {
  /** Account that may push; absent: everybody. */
  readonly login?: { readonly username: string; readonly password: string };
  /** Answers instead of the registry where it gives true; the registry waits for a promise. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => MaybePromise<boolean>;
  /** True: it keeps a list of attachments itself. */
  readonly knowsSubjects?: boolean;
}

export async function startStandInRegistry({ login, answer, knowsSubjects }: Faults = {}): Promise<StandInRegistry> {
  const requests: string[] = [];
  const blobs: StandInRegistry['blobs'] = new Map();
  const manifests: StandInRegistry['manifests'] = new Map();
  const owned = new Set<string>();
  const uploads = new Map<string, Buffer>();
  let host = '';

  const token = (request: IncomingMessage, response: ServerResponse) => {
    const basic = `Basic ${Buffer.from(`${login?.username}:${login?.password}`).toString('base64')}`;
    const isKnown = request.headers.authorization === basic;
    const scope = new URL(request.url!, `http://${host}`).searchParams.get('scope') ?? '';
    if (request.headers.authorization !== undefined && !isKnown) return response.writeHead(401).end();
    return response.end(JSON.stringify({ token: isKnown ? 'for-ada' : scope.includes('push') ? 'no' : 'for-all' }));
  };
  const isAllowed = ({ headers, method }: IncomingMessage) =>
    login === undefined ||
    headers.authorization === 'Bearer for-ada' ||
    (headers.authorization === 'Bearer for-all' && (method === 'GET' || method === 'HEAD'));

  const upload = (repository: string, id: string, digest: string | null, body: Buffer, response: ServerResponse) => {
    const soFar = Buffer.concat([uploads.get(id) ?? Buffer.alloc(0), body]);
    uploads.set(id, soFar);
    if (digest === null) return response.writeHead(202, { location: `/v2/${repository}/blobs/uploads/${id}` }).end();
    if (digestOf(soFar) !== digest) return response.writeHead(400).end('{"errors":[{"message":"digest invalid"}]}');
    blobs.set(digest, soFar);
    owned.add(`${repository}@${digest}`);
    return response.writeHead(201).end();
  };

  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', async () => {
      requests.push(`${request.method} ${request.url}`);
      if ((await answer?.(request, response)) === true) return;
      const url = new URL(request.url!, `http://${host}`);
      const body = Buffer.concat(parts);
      if (url.pathname === '/token') return token(request, response);
      if (!isAllowed(request)) {
        const challenge = `Bearer realm="http://${host}/token",service="stand-in",scope="repository:any:pull"`;
        return response.writeHead(401, { 'www-authenticate': challenge }).end();
      }
      const [, repository = '', kind, name = ''] =
        /^\/v2\/(.+?)\/(manifests|blobs\/uploads|blobs)\/(.*)$/.exec(url.pathname) ?? [];
      if (kind === 'blobs/uploads') {
        const mount = url.searchParams.get('mount');
        if (request.method === 'POST' && mount !== null && owned.has(`${url.searchParams.get('from')}@${mount}`)) {
          owned.add(`${repository}@${mount}`);
          return response.writeHead(201).end();
        }
        return upload(repository, name || randomUUID(), url.searchParams.get('digest'), body, response);
      }
      if (kind === 'blobs') {
        const found = owned.has(`${repository}@${name}`) ? blobs.get(name) : undefined;
        return found === undefined
          ? response.writeHead(404).end()
          : response.end(request.method === 'HEAD' ? '' : found);
      }
      if (request.method === 'PUT') {
        const type = String(request.headers['content-type']);
        const digest = digestOf(body);
        manifests.set(`${repository}@${digest}`, { type, bytes: body });
        if (!name.startsWith('sha256:')) manifests.set(`${repository}:${name}`, { type, bytes: body });
        const { subject } = JSON.parse(body.toString());
        const more = knowsSubjects === true && subject !== undefined ? { 'oci-subject': subject.digest } : {};
        return response.writeHead(201, { 'docker-content-digest': digest, ...more }).end();
      }
      const found = manifests.get(`${repository}${name.startsWith('sha256:') ? '@' : ':'}${name}`);
      if (found === undefined) return response.writeHead(404).end();
      response.setHeader('content-type', found.type);
      response.setHeader('docker-content-digest', digestOf(found.bytes));
      return response.end(request.method === 'HEAD' ? '' : found.bytes);
    });
  });
  // A connection must not end just when it is taken again.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    requests,
    blobs,
    manifests,
    take(folder, repository, tag) {
      for (const name of readdirSync(join(folder, 'blobs/sha256'))) {
        const bytes = readFileSync(join(folder, 'blobs/sha256', name));
        blobs.set(`sha256:${name}`, bytes);
        owned.add(`${repository}@sha256:${name}`);
        const type = bytes[0] === 0x7b ? JSON.parse(bytes.toString()).mediaType : undefined;
        if (type !== undefined) manifests.set(`${repository}@sha256:${name}`, { type, bytes });
      }
      const [top] = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')).manifests;
      manifests.set(`${repository}:${tag}`, manifests.get(`${repository}@${top.digest}`)!);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
