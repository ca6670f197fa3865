import { DeployFailure } from '../orchestrator/deploy-failure.ts';
import type { Environment } from '../orchestrator/run-tool.ts';
import { emptyConfig, jsonBlob } from './blob.ts';
import type { BuiltImage, PlatformImage, PushOptions } from './built-image.ts';
import { findCredentials } from './credentials.ts';
import { type Descriptor, type ImageBlob, type ImageIndex, isIndex, manifestTypes, mediaTypes } from './oci.ts';
import type { ImageReference } from './reference.ts';
import { openRegistry, type RegistryClient, unexpected } from './registry-client.ts';

export interface PushRequest extends PushOptions {
  readonly reference: ImageReference;
  readonly env: Environment;
}

type Pushed = Pick<BuiltImage, 'digest' | 'images' | 'manifest' | 'base'>;

/**
 * Puts an image with its list of packages into a registry: contents first, the tags last, so that what a tag stands for is complete. Gives the
 * name by digest. @throws DeployFailure
 */
export async function pushImage(image: Pushed, request: PushRequest): Promise<string> {
  const { reference, credentials, env, alsoAs = [] } = request;
  const known = credentials ?? (await findCredentials(reference.host, env));
  const registry = await openRegistry({ reference, credentials: known, env, actions: 'pull,push' });
  const name = `${reference.name}@${image.digest}`;
  const tags: string[] = [];
  for (const tag of [reference.tag, ...alsoAs]) if ((await digestOfTag(registry, tag)) !== image.digest) tags.push(tag);
  if (tags.length === 0) return name;
  const mountFrom = image.base.from?.host === reference.host ? image.base.from.repository : undefined;
  for (const one of image.images) {
    await pushContents(registry, one, mountFrom);
    await attach(registry, one);
  }
  for (const tag of tags) await putManifest(registry, image.manifest, tag);
  return name;
}

/** Gives the digest of what a tag stands for; undefined when it is nothing, or a registry does not say. */
async function digestOfTag(registry: RegistryClient, tag: string): Promise<string | undefined> {
  const headers = { accept: manifestTypes.join(', ') };
  const there = await registry.ask(`manifests/${tag}`, { method: 'HEAD', headers });
  return there.ok ? (there.headers.get('docker-content-digest') ?? undefined) : undefined;
}

async function pushContents(registry: RegistryClient, image: PlatformImage, mountFrom: string | undefined) {
  for (const [at, layer] of image.layers.entries())
    await pushBlob(registry, layer, at < image.baseLayers ? mountFrom : undefined);
  await pushBlob(registry, image.config);
  await putManifest(registry, image.manifest, image.manifest.descriptor.digest);
}

const tries = 3;
/** Larger contents go in parts: proxies before registries limit one request. */
const partBytes = 64 * 1024 * 1024;

async function pushBlob(registry: RegistryClient, blob: ImageBlob, mountFrom?: string): Promise<void> {
  const { digest } = blob.descriptor;
  const there = await registry.ask(`blobs/${digest}`, { method: 'HEAD' });
  if (there.ok) return;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await uploadOnce(registry, blob, mountFrom);
    } catch (error) {
      const mayHelp = error instanceof Broken || (error instanceof DeployFailure && error.kind === 'prerequisite');
      if (attempt === tries || !mayHelp) throw error;
    }
  }
}

/** An upload that ended with an answer nobody expects: another one may succeed. */
class Broken extends DeployFailure {}

async function broken(answer: Response, shown: string): Promise<Broken> {
  return new Broken('failed', (await unexpected(answer, shown)).message);
}

async function uploadOnce(registry: RegistryClient, blob: ImageBlob, mountFrom: string | undefined): Promise<void> {
  const { digest, size } = blob.descriptor;
  const mount = mountFrom === undefined ? '' : `?mount=${digest}&from=${encodeURIComponent(mountFrom)}`;
  const started = await registry.ask(`blobs/uploads/${mount}`, { method: 'POST', headers: { 'content-length': '0' } });
  if (started.status === 201) return;
  let place = await placeOf(started, registry, digest);
  const contents = await blob.open();
  let sent = 0;
  for (; size - sent > partBytes; sent += partBytes) {
    const part = contents.slice(sent, sent + partBytes);
    const range = `${sent}-${sent + partBytes - 1}`;
    const headers = { 'content-type': 'application/octet-stream', 'content-range': range };
    const answer = await registry.ask(place, {
      method: 'PATCH',
      headers,
      body: part,
      bytes: part.size,
      isOnce: true,
    });
    place = await placeOf(answer, registry, digest);
  }
  const end = new URL(place);
  end.searchParams.set('digest', digest);
  const rest = contents.slice(sent);
  const done = await registry.ask(end.href, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream' },
    body: rest,
    bytes: rest.size,
    isOnce: true,
  });
  if (!done.ok) throw await broken(done, `${registry.repository}@${digest}`);
  await done.body?.cancel();
}

/** Gives the address to which an upload goes on. */
async function placeOf(answer: Response, { host, repository }: RegistryClient, digest: string): Promise<string> {
  const place = answer.headers.get('location');
  if (answer.status !== 202 || place === null) throw await broken(answer, `${repository}@${digest}`);
  await answer.body?.cancel();
  if (URL.canParse(place, answer.url)) return new URL(place, answer.url).href;
  throw new DeployFailure('failed', `the registry ${host} does not say where to send ${digest}`);
}

async function putManifest(registry: RegistryClient, manifest: ImageBlob, name: string): Promise<Response> {
  const { mediaType, digest, size } = manifest.descriptor;
  const body = await manifest.open();
  const answer = await registry.ask(`manifests/${name}`, {
    method: 'PUT',
    headers: { 'content-type': mediaType },
    body,
    bytes: size,
  });
  if (!answer.ok) throw await unexpected(answer, `${registry.repository}@${digest}`);
  await answer.body?.cancel();
  return answer;
}

/**
 * Attaches the list of packages: https://github.com/opencontainers/distribution-spec/blob/main/spec.md#referrers-tag-schema
 * for registries that keep no list of attachments themselves.
 */
async function attach(registry: RegistryClient, { sbom, manifest }: PlatformImage): Promise<void> {
  if (sbom === undefined) return;
  await pushBlob(registry, sbom.contents);
  await pushBlob(registry, emptyConfig);
  const answer = await putManifest(registry, sbom.manifest, sbom.manifest.descriptor.digest);
  if (answer.headers.get('oci-subject') !== null) return;
  const tag = manifest.descriptor.digest.replace(':', '-');
  const others = await attachedSoFar(registry, tag);
  const { digest } = sbom.manifest.descriptor;
  if (others.some((one) => one.digest === digest)) return;
  const index: ImageIndex = {
    schemaVersion: 2,
    mediaType: mediaTypes.index,
    manifests: [...others, sbom.manifest.descriptor],
  };
  await putManifest(registry, jsonBlob(index, mediaTypes.index), tag);
}

async function attachedSoFar(registry: RegistryClient, tag: string): Promise<readonly Descriptor[]> {
  const there = await registry.ask(`manifests/${tag}`, { method: 'HEAD', headers: { accept: mediaTypes.index } });
  if (there.status === 404) return [];
  const { bytes } = await registry.document(tag, [mediaTypes.index]);
  const document = JSON.parse(bytes.toString()) as ImageIndex;
  return isIndex(document) ? document.manifests : [];
}
