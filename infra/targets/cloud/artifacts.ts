/** The bucket of a deployment: archives by digest, files of pages, and revisions. Everything is below the stack's name. */
import type { BucketLocationConstraint } from '@aws-sdk/client-s3';
import { staticFolder } from '../../cloud/roles.ts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import { AwsError } from './failures.ts';
import { isOwn, type Place, tagsOf } from './place.ts';

export interface Archive {
  /** Key in the bucket: `demo-prod/archives/<sha256 of the files>.zip`. */
  readonly key: string;
  /** Compresses anew each time. */
  bytes(): Promise<Uint8Array>;
}

export function archiveKey(stack: string, sha256: string): string {
  return `${stack}/archives/${sha256}.zip`;
}

/** `absent` counts as ours: nobody else can have a bucket of this account's name in this account. @throws DeployFailure for a bucket of others */
export async function bucketState(place: Place): Promise<'absent' | 'ready' | 'untagged'> {
  const { clients, bucket, account, ownsBucket } = place;
  const at = { Bucket: bucket, ExpectedBucketOwner: account };
  try {
    await clients.s3.headBucket(at);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    if (ownsBucket) return 'absent';
    throw new DeployFailure('failed', `bucket ${bucket} does not exist`, {
      hints: ['artifact_bucket of [plugins.scale.cloud] names one that is there; without it svc makes its own'],
    });
  }
  if (!ownsBucket) return 'ready';
  const tags = await clients.s3.getBucketTagging(at).catch((error) => {
    if (error instanceof AwsError && error.code === 'NoSuchTagSet') return { TagSet: [] };
    throw error;
  });
  if (isOwn(tags.TagSet, place.app)) return 'ready';
  const { Contents = [] } = await clients.s3.listObjectsV2({ ...at, MaxKeys: 1 });
  // One that a deployment made and was cut off before it could say so.
  if ((tags.TagSet ?? []).length === 0 && Contents.length === 0) return 'untagged';
  throw new DeployFailure('failed', `bucket ${bucket} exists and is not managed by svc`);
}

export async function makeBucket(place: Place): Promise<void> {
  const { clients, bucket, account } = place;
  const state = await bucketState(place);
  if (state === 'ready') return;
  const { region } = clients;
  const where = region === 'us-east-1' ? {} : { LocationConstraint: region as BucketLocationConstraint };
  if (state === 'absent')
    await clients.s3.createBucket({
      Bucket: bucket,
      ...(region === 'us-east-1' ? {} : { CreateBucketConfiguration: where }),
    });
  await clients.s3.putBucketTagging({
    Bucket: bucket,
    ExpectedBucketOwner: account,
    Tagging: { TagSet: tagsOf(place) },
  });
}

/** Gives the number of archives that were not there yet. */
export async function uploadArchives(
  place: Place,
  archives: readonly Archive[],
  tell: (text: string) => void,
): Promise<number> {
  let sent = 0;
  for (const { key, bytes: read } of new Map(archives.map((one) => [one.key, one])).values()) {
    place.signal.throwIfAborted();
    if (await hasObject(place, key)) continue;
    const bytes = await read();
    tell(`${key} ${Math.ceil(bytes.length / 1024)} KB`);
    await place.clients.s3.putObject({ ...inBucket(place), Key: key, Body: bytes, ContentType: 'application/zip' });
    sent++;
  }
  return sent;
}

/** A file of pages that never changes, as browsers take it. */
export interface PageFile {
  /** Below the folder of these files: `client.3f2a9c1b.js.br`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly type: string;
  /** Content coding; absent for a file as it is. */
  readonly coding?: string | undefined;
}

export const pageFileKey = (stack: string, name: string) => `${stack}/${staticFolder}/${name}`;

/** Headers are for a CDN that somebody puts before the bucket; functions send their own. */
export async function uploadPageFiles(
  place: Place,
  files: readonly PageFile[],
  tell: (text: string) => void,
): Promise<void> {
  const there = new Set(await listKeys(place, `${staticFolder}/`));
  const missing = files.filter(({ name }) => !there.has(pageFileKey(place.stack, name)));
  for (let at = 0; at < missing.length; at += together) {
    place.signal.throwIfAborted();
    await Promise.all(
      missing.slice(at, at + together).map(async ({ name, bytes, type, coding }) => {
        const Key = pageFileKey(place.stack, name);
        await place.clients.s3.putObject({
          ...{ ...inBucket(place), Key, Body: bytes, ContentType: type, ContentEncoding: coding },
          CacheControl: 'public, max-age=31536000, immutable',
        });
        tell(`${Key} ${Math.ceil(bytes.length / 1024)} KB`);
      }),
    );
  }
}

/** Files that are sent at once. */
const together = 8;

export async function hasObject(place: Place, key: string): Promise<boolean> {
  try {
    await place.clients.s3.headObject({ ...inBucket(place), Key: key });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** Keys below a part of the stack's name, in order. None without a bucket. */
export async function listKeys(place: Place, below: string): Promise<string[]> {
  const keys: string[] = [];
  let next: string | undefined;
  try {
    for (let page = 0; page < 1000; page++) {
      const found = await place.clients.s3.listObjectsV2({
        ...inBucket(place),
        Prefix: `${place.stack}/${below}`,
        ContinuationToken: next,
      });
      keys.push(...(found.Contents ?? []).map(({ Key }) => Key!));
      next = found.NextContinuationToken;
      if (next === undefined) break;
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return keys;
}

export async function readText(place: Place, key: string): Promise<string> {
  const { Body } = await place.clients.s3.getObject({ ...inBucket(place), Key: key });
  return (await Body?.transformToString()) ?? '';
}

export async function writeText(place: Place, key: string, text: string): Promise<void> {
  await place.clients.s3.putObject({ ...inBucket(place), Key: key, Body: text, ContentType: 'application/json' });
}

export async function deleteKeys(place: Place, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += 1000) {
    const Objects = keys.slice(at, at + 1000).map((Key) => ({ Key }));
    const { Errors: [failed] = [] } = await place.clients.s3.deleteObjects({ ...inBucket(place), Delete: { Objects } });
    if (failed !== undefined) throw new DeployFailure('failed', `${failed.Key} remains: ${failed.Message}`);
  }
}

function inBucket({ bucket, account }: Place) {
  return { Bucket: bucket, ExpectedBucketOwner: account };
}

function isNotFound(error: unknown): boolean {
  return error instanceof AwsError && ['NotFound', 'NoSuchBucket', 'NoSuchKey'].includes(error.code);
}
