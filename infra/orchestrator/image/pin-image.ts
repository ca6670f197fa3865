/**
 * The digest an image's tag means at this moment (docs/server/security.md; decisions/0186), asked of its registry
 * without a container engine: https://distribution.github.io/distribution/spec/api/
 */
import { createHash } from 'node:crypto';
import { DeployFailure } from '../deploy-failure.ts';

/** `node@sha256:…` for `node:22-slim`. An image that is named by a digest stays as it is. @throws DeployFailure */
export async function pinImage(image: string): Promise<string> {
  if (image.includes('@sha256:')) return image;
  const reference = parseImage(image);
  try {
    return `${reference.name}@${await digestOf(reference)}`;
  } catch (error) {
    throw new DeployFailure('prerequisite', `the digest of ${image} cannot be found: ${reasonOf(error)}`, {
      hints: [`name the image by its digest: ${reference.name}@sha256:…`],
    });
  }
}

interface ImageReference {
  /** Name without tag. */
  readonly name: string;
  readonly host: string;
  readonly repository: string;
  readonly tag: string;
}

export function parseImage(image: string): ImageReference {
  const [, name = image, tag = 'latest'] = /^(.*?)(?::([\w][\w.-]*))?$/.exec(image) ?? [];
  const [first = '', ...rest] = name.split('/');
  if (rest.length > 0 && (/[.:]/.test(first) || first === 'localhost'))
    return { name, host: first === 'docker.io' ? hub : first, repository: rest.join('/'), tag };
  return { name, host: hub, repository: rest.length === 0 ? `library/${name}` : name, tag };
}

const hub = 'registry-1.docker.io';

const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

async function digestOf({ host, repository, tag }: ImageReference): Promise<string> {
  // Registries of this machine need no certificate, as with the engines.
  const scheme = /^(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(host) ? 'http' : 'https';
  const address = `${scheme}://${host}/v2/${repository}/manifests/${tag}`;
  let answer = await ask(address, { accept: manifestTypes });
  if (answer.status === 401) {
    const token = await tokenFor(answer.headers.get('www-authenticate') ?? '');
    answer = await ask(address, { accept: manifestTypes, authorization: `Bearer ${token}` });
  }
  if (!answer.ok) throw new Error(`${host} answers ${answer.status}`);
  const body = Buffer.from(await answer.arrayBuffer());
  return `sha256:${createHash('sha256').update(body).digest('hex')}`;
}

/** Gets the token that a registry wants to see, which it gives to everybody for public images. */
async function tokenFor(challenge: string): Promise<string> {
  const parameters = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, text]) => [name, text]),
  );
  const { realm, ...query } = parameters as Record<string, string | undefined>;
  if (realm === undefined) throw new Error('the registry wants a login');
  const url = new URL(realm);
  for (const [name, text] of Object.entries(query)) if (text !== undefined) url.searchParams.set(name, text);
  const answer = await ask(url.href, {});
  if (!answer.ok) throw new Error(`${url.host} answers ${answer.status}`);
  const { token, access_token: other } = (await answer.json()) as { token?: string; access_token?: string };
  return token ?? other ?? '';
}

function ask(address: string, headers: Record<string, string>): Promise<Response> {
  return fetch(address, { headers, signal: AbortSignal.timeout(20_000) });
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
