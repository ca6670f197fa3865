/**
 * The repository of a deployment in the registry of its account, for images of functions (docs/server/cloud.md#images). A note in the artifact bucket says
 * that there is one, so that deployments without images ask the registry for nothing. One that the configuration names is used as it is, and never changed.
 */
import type { ImageIdentifier } from '@aws-sdk/client-ecr';
import type { BuiltImage } from '../../images/built-image.ts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import { loginOf } from '../../orchestrator/image/ecr.ts';
import { hasObject, writeText } from './artifacts.ts';
import { AwsError } from './failures.ts';
import { isOwn, type Place, tagsOf } from './place.ts';

/** An image of functions that is not in a registry yet. */
export interface FunctionImage extends Pick<BuiltImage, 'digest' | 'push'> {
  /** Tag for people: the stack names the image by its digest. */
  readonly tag: string;
}

/** A name of a repository that the configuration gives, and its address where that says more: `123456789012.dkr.ecr.eu-west-1.amazonaws.com/shared`. */
export interface SharedRepository {
  readonly name: string;
  readonly address?: string;
}

/** @throws DeployFailure when it is not there, or not in this account and region */
async function sharedAddress({ clients, account }: Place, { name, address }: SharedRepository): Promise<string> {
  const hints = ['registry.repository names one that is there; without it svc makes its own'];
  const { repositories = [] } = await clients.ecr.describeRepositories({ repositoryNames: [name] }).catch((error) => {
    if (isGone(error)) throw new DeployFailure('failed', `repository ${name} does not exist`, { hints });
    throw error;
  });
  const found = repositories[0]?.repositoryUri ?? '';
  if (address === undefined || address === found) return found;
  const where = `account ${account} and region ${clients.region}`;
  throw new DeployFailure('invalid', `repository ${address} is not in ${where}, where functions load images from`);
}

/** Gives the address that images of an application go to. Undefined: its repository is not made yet. @throws DeployFailure */
export async function findAddress(place: Place, shared: SharedRepository | undefined): Promise<string | undefined> {
  return shared === undefined ? await ownRepository(place) : await sharedAddress(place, shared);
}

/** Gives the repository's address, `123456789012.dkr.ecr.eu-west-1.amazonaws.com/demo-prod`, when it is there. */
async function findRepository(
  place: Place,
): Promise<{ readonly address: string; readonly isOwn: boolean } | undefined> {
  const { ecr } = place.clients;
  try {
    const { repositories = [] } = await ecr.describeRepositories({ repositoryNames: [place.repository] });
    const { repositoryArn, repositoryUri: address = '' } = repositories[0] ?? {};
    const { tags } = await ecr.listTagsForResource({ resourceArn: repositoryArn });
    return { address, isOwn: isOwn(tags, place.app) };
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Gives its address. Undefined: there is none. @throws DeployFailure for a repository of others */
async function ownRepository(place: Place): Promise<string | undefined> {
  const found = await findRepository(place);
  if (found?.isOwn === false)
    throw new DeployFailure('failed', `repository ${place.repository} exists and is not managed by svc`, {
      hints: ['stack_name of [plugins.scale.cloud] leads around it; svc never touches it'],
    });
  return found?.address;
}

/** Makes the repository, from which the stack's functions may be loaded, unless the configuration names one. Gives its address. */
export async function makeRepository(place: Place, shared: SharedRepository | undefined): Promise<string> {
  if (shared !== undefined) return await sharedAddress(place, shared);
  const { ecr } = place.clients;
  const there = await ownRepository(place);
  if (!(await hasObject(place, noteKey(place)))) await writeText(place, noteKey(place), place.repository);
  const { repository: name } = place;
  const made =
    there === undefined ? await ecr.createRepository({ repositoryName: name, tags: tagsOf(place) }) : undefined;
  await ecr.setRepositoryPolicy({ repositoryName: name, policyText: JSON.stringify(policyFor(place)) });
  return there ?? made?.repository?.repositoryUri ?? '';
}

/** https://docs.aws.amazon.com/lambda/latest/dg/images-create.html */
function policyFor({ partition, account, clients, stack }: Place): object {
  const functions = `arn:${partition}:lambda:${clients.region}:${account}:function:${stack}-*`;
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'Functions',
        Effect: 'Allow',
        Principal: { Service: 'lambda.amazonaws.com' },
        Action: ['ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'],
        Condition: { StringLike: { 'aws:sourceArn': functions } },
      },
    ],
  };
}

/** Sends what is not there yet. @throws DeployFailure */
export async function pushFunctions({ clients }: Place, image: FunctionImage, address: string): Promise<void> {
  const { authorizationData = [] } = await clients.ecr.getAuthorizationToken({});
  const credentials = loginOf(authorizationData[0]?.authorizationToken);
  await image.push(`${address}:${image.tag}`, { credentials });
}

/** @param image `demo-prod@sha256:…` */
export async function hasImage({ clients }: Place, image: string): Promise<boolean> {
  const [repositoryName, imageDigest] = image.split('@');
  try {
    const { images = [] } = await clients.ecr.batchGetImage({ repositoryName, imageIds: [{ imageDigest }] });
    return images.length > 0;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

/** Deletes the images of the own repository but those that are needed. */
export async function forgetImages({ clients, repository: repositoryName }: Place, needed: readonly string[]) {
  const found: ImageIdentifier[] = [];
  for (let page = 0, nextToken: string | undefined; page < 100; page++) {
    const answer = await clients.ecr.listImages({ repositoryName, nextToken });
    found.push(...(answer.imageIds ?? []));
    nextToken = answer.nextToken;
    if (nextToken === undefined) break;
  }
  const digests = new Set(found.flatMap(({ imageDigest }) => imageDigest ?? []));
  for (const one of needed) digests.delete(one.split('@')[1] ?? '');
  const old = [...digests].map((imageDigest) => ({ imageDigest }));
  for (let at = 0; at < old.length; at += 100)
    await clients.ecr.batchDeleteImage({ repositoryName, imageIds: old.slice(at, at + 100) });
}

/** True when a deployment made a repository that is there and still its own. `keys`: those of the bucket. */
export async function leavesRepository(place: Place, keys: readonly string[]): Promise<boolean> {
  return keys.includes(noteKey(place)) && (await findRepository(place))?.isOwn === true;
}

export async function deleteRepository({ clients, repository: repositoryName }: Place): Promise<void> {
  await clients.ecr.deleteRepository({ repositoryName, force: true }).catch((error) => {
    if (!isGone(error)) throw error;
  });
}

function noteKey({ stack }: Pick<Place, 'stack'>): string {
  return `${stack}/repository`;
}

function isGone(error: unknown): boolean {
  return error instanceof AwsError && error.code === 'RepositoryNotFoundException';
}
