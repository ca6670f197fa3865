/**
 * The registry of the account: Debian's `docker-registry` behind a gate that knows each request by its right, as ECR does
 * (https://docs.aws.amazon.com/AmazonECR/latest/userguide/image-push-iam.html). moto keeps the repositories and the list of their images.
 */
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startRealRegistry } from '../../harness/images/real-registry.ts';
import type { Account, Asked, Refusal } from './account.ts';
import { signed } from './account.ts';
import { allows } from './caller.ts';

export interface ImageGate extends AsyncDisposable {
  /** `127.0.0.1:40123`, instead of the registry's name in the account. */
  readonly host: string;
  /** Gives an answer of moto as who deploys here gets it. */
  translate(action: string, text: string): string;
  /** Sees which repositories come and go, and what is taken out of them. */
  hear(action: string, body: Buffer): Promise<void>;
  /** Takes out everything. */
  forget(): Promise<void>;
  /** Digests of manifests by repository. */
  readonly images: ReadonlyMap<string, ReadonlySet<string>>;
}

const login = { username: 'AWS', password: 'canary-of-the-registry' };
const authorization = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;

/** @param account whose caller may push and pull */
export async function startImageGate(account: () => Account): Promise<ImageGate> {
  const registry = await startRealRegistry(login);
  const images = new Map<string, Set<string>>();
  const server = createServer((request, response) => void pass(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {});
    const body = await buffer(request);
    const [, name = ''] = /^\/v2\/(.+?)\/(?:manifests|blobs)\//.exec(request.url!) ?? [];
    const isSignedIn = request.headers.authorization === authorization;
    const actions = isSignedIn ? actionsOf(request, body.length > 0) : [];
    for (const action of actions) {
      const asked: Asked = { action, resource: name };
      account().asked.push(asked);
      const refusal: Refusal | 'drop' | undefined = await account().intercept(asked);
      if (refusal === 'drop') return void response.destroy();
      const errorOf = (status: number, code: string, message: string) =>
        void response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(request.method === 'HEAD' ? undefined : JSON.stringify({ errors: [{ code, message }] }));
      if (refusal !== undefined) return errorOf(refusal.status, refusal.code, refusal.message);
      const resource = `arn:aws:ecr:eu-west-1:${account().id}:repository/${name}`;
      if (!allows(account().caller, action, resource)) return errorOf(403, 'DENIED', `not authorized: ${action}`);
      if (!images.has(name)) return errorOf(404, 'NAME_UNKNOWN', `The repository with name '${name}' does not exist`);
    }
    const forwarded = send(
      `http://${registry.host}${request.url}`,
      { method: request.method, headers: request.headers },
      async (answer) => {
        if (answer.statusCode === 201 && actions.includes('ecr:PutImage')) await put(name, request, body, answer);
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      },
    );
    forwarded.on('error', () => response.destroy());
    forwarded.end(body);
  }

  async function put(name: string, { url }: IncomingMessage, body: Buffer, answer: IncomingMessage): Promise<void> {
    const digest = String(answer.headers['docker-content-digest']);
    images.get(name)!.add(digest);
    const reference = url!.split('/').at(-1)!;
    const tag = reference.startsWith('sha256:') ? {} : { imageTag: reference };
    await fetch(account().direct, {
      method: 'POST',
      headers: { ...signed('ecr'), 'x-amz-target': 'AmazonEC2ContainerRegistry_V20150921.PutImage' },
      body: JSON.stringify({ repositoryName: name, imageManifest: body.toString(), imageDigest: digest, ...tag }),
    });
  }

  async function remove(name: string, digests: Iterable<string>): Promise<void> {
    for (const digest of [...digests]) {
      const address = `http://${registry.host}/v2/${name}/manifests/${digest}`;
      await fetch(address, { method: 'DELETE', headers: { authorization } });
      images.get(name)?.delete(digest);
    }
  }

  return {
    host,
    images,
    translate(action, text) {
      if (action !== 'ecr:GetAuthorizationToken')
        return text.replaceAll(`${account().id}.dkr.ecr.eu-west-1.amazonaws.com`, host);
      const authorizationToken = authorization.slice('Basic '.length);
      return JSON.stringify({ authorizationData: [{ authorizationToken, proxyEndpoint: `https://${host}` }] });
    },
    async hear(action, body) {
      const asked = JSON.parse(body.toString());
      const name = String(asked.repositoryName);
      if (action === 'ecr:CreateRepository' && !images.has(name)) images.set(name, new Set());
      if (action === 'ecr:BatchDeleteImage')
        await remove(
          name,
          asked.imageIds.map(({ imageDigest }: any) => imageDigest),
        );
      if (action === 'ecr:DeleteRepository') {
        await remove(name, images.get(name) ?? []);
        images.delete(name);
      }
    },
    async forget() {
      for (const [name, digests] of images) await remove(name, digests);
      images.clear();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await registry[Symbol.asyncDispose]();
    },
  };
}

/** The rights that a request of https://github.com/opencontainers/distribution-spec needs. */
function actionsOf({ method, url }: IncomingMessage, hasBody: boolean): string[] {
  const isRead = method === 'GET' || method === 'HEAD';
  if (url!.includes('/manifests/')) return [isRead ? 'ecr:BatchGetImage' : 'ecr:PutImage'];
  if (url!.includes('/blobs/uploads/')) {
    if (method === 'POST') return ['ecr:InitiateLayerUpload'];
    return [...(hasBody ? ['ecr:UploadLayerPart'] : []), ...(method === 'PUT' ? ['ecr:CompleteLayerUpload'] : [])];
  }
  if (!url!.includes('/blobs/')) return [];
  return [method === 'HEAD' ? 'ecr:BatchCheckLayerAvailability' : 'ecr:GetDownloadUrlForLayer'];
}
