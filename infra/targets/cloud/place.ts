/** The place of a deployment: its account, region and stack, and how its parts are told from others. */
import { createHash } from 'node:crypto';
import { imageOf, type Template } from '../../cloud/template.ts';
import type { Clients } from './clients.ts';

export interface Place {
  readonly clients: Clients;
  readonly account: string;
  /** ARN of the identity that deploys. */
  readonly caller: string;
  /** `aws`, `aws-cn`, `aws-us-gov`. */
  readonly partition: string;
  readonly stack: string;
  /** `app_name`. */
  readonly app: string;
  readonly bucket: string;
  /** Name of the own repository of images, if there are any. */
  readonly repository: string;
  /** False for a bucket of the configuration, in which only what is below the stack's name is ours. */
  readonly ownsBucket: boolean;
  /** True when rights are asked for before anything changes. */
  readonly checksRights: boolean;
  /** Names of the tables that deployments may have made. */
  readonly tables: readonly string[];
  readonly signal: AbortSignal;
}

/** Says who it is that deploys. @throws AwsError */
export async function findPlace(
  clients: Clients,
  options: Pick<Place, 'stack' | 'app' | 'bucket' | 'checksRights' | 'tables' | 'signal'>,
): Promise<Place> {
  const { stack, app, bucket, checksRights, tables, signal } = options;
  const { Account: account = '', Arn: caller = '' } = await clients.sts.getCallerIdentity({});
  return {
    ...{ clients, account, caller, stack, app, checksRights, tables, signal },
    partition: caller.split(':')[1] || 'aws',
    bucket: bucket === '' ? bucketName(account, clients.region, stack) : bucket,
    ownsBucket: bucket === '',
    repository: repositoryName(stack),
  };
}

/** Buckets of all accounts share their names, so a part of it is made of the account. */
export function bucketName(account: string, region: string, stack: string): string {
  const digest = createHash('sha256').update(`${account}/${region}/${stack}`).digest('hex').slice(0, 16);
  const readable = stack
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .slice(0, 40);
  return `svc-${readable.replace(/-+$/, '')}-${digest}`;
}

/** Gives the stack's name, as far as a repository may be called so. */
export function repositoryName(stack: string): string {
  const readable = stack.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  if (readable === stack) return stack;
  const digest = createHash('sha256').update(stack).digest('hex').slice(0, 8);
  return `${readable.replace(/^-|-$/g, '')}-${digest}`;
}

/** True when functions are in an image of the own repository; one that the configuration names is not changed. */
export function usesOwnRepository(template: Template, { repository }: Pick<Place, 'repository'>): boolean {
  return imageOf(template)?.split(/[@:]/)[0] === repository;
}

/** Tags of everything that a deployment makes. */
export function tagsOf({ app }: Pick<Place, 'app'>): { Key: string; Value: string }[] {
  return [
    { Key: 'managed', Value: 'svc-scale' },
    { Key: 'app', Value: app },
  ];
}

export function isOwn(
  tags: readonly { readonly Key?: string | undefined; readonly Value?: string | undefined }[] | undefined,
  app: string,
): boolean {
  const valueOf = (key: string) => tags?.find((tag) => tag.Key === key)?.Value;
  return valueOf('managed') === 'svc-scale' && valueOf('app') === app;
}

/** `123456789012/eu-west-1/demo-prod` */
export function shownPlace({ account, clients, stack }: Place): string {
  return `${account}/${clients.region}/${stack}`;
}
