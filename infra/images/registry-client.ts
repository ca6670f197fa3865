/** One repository of a registry: https://github.com/opencontainers/distribution-spec (1.1). */
import { DeployFailure } from '../orchestrator/deploy-failure.ts';
import type { Environment } from '../orchestrator/run-tool.ts';
import { type Ask, openAsk, type Request, reasonOf } from './ask.ts';
import { digestOf } from './blob.ts';
import type { Credentials } from './credentials.ts';
import { type ImageReference, registryAddress } from './reference.ts';
import { openSignIn } from './sign-in.ts';

export interface RegistryClient {
  readonly host: string;
  readonly repository: string;
  /** Sends a request below the repository, signed in as the registry asks. @throws DeployFailure when it is refused */
  ask(path: string, request?: Request): Promise<Response>;
  /** Gives a document of at most 4 MiB, checked against its digest where `name` is one. */
  document(name: string, accept: readonly string[]): Promise<RegistryDocument>;
}

export interface RegistryDocument {
  readonly bytes: Buffer;
  readonly mediaType: string;
  readonly digest: string;
}

const largestDocument = 4 * 1024 * 1024;

export interface ClientRequest {
  readonly reference: ImageReference;
  readonly credentials: Credentials | undefined;
  readonly env: Environment;
  readonly actions: 'pull' | 'pull,push';
}

export async function openRegistry({ reference, credentials, env, actions }: ClientRequest): Promise<RegistryClient> {
  const { host, repository } = reference;
  const send = await openAsk(env);
  // A registry asks for reading first, even of who will write.
  const scope = actions === 'pull' ? undefined : `repository:${repository}:${actions}`;
  const signIn = openSignIn({ ask: send, credentials, scope });
  const base = `${registryAddress(host)}${repository}/`;
  const ask: RegistryClient['ask'] = async (path, request = {}) => {
    const address = new URL(path, base).href;
    try {
      let answer = await signedIn(send, address, request, signIn.header(address, base));
      if (answer.status === 401 && address.startsWith(new URL(base).origin)) {
        await answer.body?.cancel();
        await signIn.renew(answer.headers.get('www-authenticate') ?? '');
        answer = await signedIn(send, address, request, signIn.header(address, base));
      }
      if (answer.status === 401 || answer.status === 403) throw refused(reference, actions, answer.status, credentials);
      return answer;
    } catch (error) {
      if (error instanceof DeployFailure) throw error;
      throw new DeployFailure('prerequisite', `cannot reach the registry ${host}: ${reasonOf(error)}`, {
        hints: ['HTTPS_PROXY and NO_PROXY say how to reach it; a registry of this machine is asked without TLS'],
      });
    }
  };
  return { host, repository, ask, document: (name, accept) => readDocument(ask, reference, name, accept) };
}

function signedIn(ask: Ask, address: string, request: Request, header: string | undefined): Promise<Response> {
  if (header === undefined) return ask(address, request);
  return ask(address, { ...request, headers: { ...request.headers, authorization: header } });
}

async function readDocument(
  ask: RegistryClient['ask'],
  { host, repository }: ImageReference,
  name: string,
  accept: readonly string[],
): Promise<RegistryDocument> {
  const answer = await ask(`manifests/${name}`, { headers: { accept: accept.join(', ') }, bytes: largestDocument });
  const shown = `${host}/${repository}${name.includes(':') ? '@' : ':'}${name}`;
  if (answer.status === 404) {
    await answer.body?.cancel();
    throw new DeployFailure('prerequisite', `there is no image ${shown}`, {
      hints: ['is the name right? A private image wants `docker login` first'],
    });
  }
  if (!answer.ok) throw await unexpected(answer, shown);
  const bytes = await readAtMost(answer, largestDocument, shown);
  const digest = digestOf(bytes);
  if (name.startsWith('sha256:') && name !== digest)
    throw new DeployFailure('failed', `the registry ${host} gave something else than ${name}: its digest is ${digest}`);
  return { bytes, digest, mediaType: (answer.headers.get('content-type') ?? '').split(';')[0]!.trim() };
}

/** Reads an answer into memory. @throws DeployFailure when it is larger than allowed */
async function readAtMost(answer: Response, most: number, shown: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.length;
    if (size > most) throw new DeployFailure('failed', `${shown} is larger than ${most} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** A failure from an answer nobody expects, with what the registry says about it. */
export async function unexpected(answer: Response, shown: string): Promise<DeployFailure> {
  const text = await answer.text().catch(() => '');
  const [, message = ''] = /"message"\s*:\s*"([^"]{0,200})/.exec(text) ?? [];
  const hints =
    answer.status === 429 ? ['it limits requests: docker login raises the limit at some, or try later'] : [];
  return new DeployFailure('failed', `${shown}: the registry answers ${answer.status}${message && ` (${message})`}`, {
    hints,
  });
}

function refused(
  { host, repository }: ImageReference,
  actions: ClientRequest['actions'],
  status: number,
  credentials: Credentials | undefined,
): DeployFailure {
  const act = actions === 'pull' ? 'pull from' : 'push to';
  const why = credentials === undefined ? 'nobody is signed in' : `it answers ${status}`;
  return new DeployFailure('prerequisite', `not allowed to ${act} ${host}/${repository}: ${why}`, {
    hints: [`docker login ${host}, or REGISTRY_USERNAME and REGISTRY_PASSWORD`],
  });
}
