/** K3 and K4 of both clouds: deployments of which one request is refused, and ends beside things of others. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deployThere } from '../../test/harness/google/deploy-there.ts';
import { startGoogleStandIn } from '../../test/harness/google/google-stand-in.ts';
import { project, region } from '../../test/harness/google/state.ts';
import { writeBaseLayout } from '../../test/harness/images/base-layout.ts';
import { type Account, signed, startAccount } from '../../test/real/aws/account.ts';
import { listen, open, smallApp, smallImage } from '../../test/real/aws/small-app.ts';

/** A cloud with one application in it that is deployed to version after version. */
export interface Cloud extends AsyncDisposable {
  readonly name: string;
  /** Begins anew with nothing in it. */
  begin(): Promise<void>;
  deploy(version: number): Promise<unknown>;
  /** Version that answers; undefined: none does. */
  serving(): number | undefined;
  /** Names of requests since the last call. */
  asked(): readonly string[];
  /** Refuses all requests of this name; undefined: none. */
  refuse(name: string | undefined): void;
  /** Puts things of others beside those of the application. */
  seed(): Promise<void>;
  destroy(): Promise<void>;
  /** Everything that is there, by name, with a digest of what it is. */
  contents(): Promise<ReadonlyMap<string, string>>;
}

const digestOf = (value: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('hex')
    .slice(0, 12);

export async function openAws(inImage: boolean): Promise<Cloud> {
  const account = await startAccount(inImage);
  const base = mkdtempSync(join(tmpdir(), 'svc-bench-base-'));
  await writeBaseLayout(base, { architectures: ['arm64'], hasNode: false, env: ['LAMBDA_TASK_ROOT=/var/task'] });
  const versions = new Map<string, number>();
  let refused: string | undefined;
  const appOf = async (version: number) => {
    const image = inImage ? await smallImage(base, `code ${version}`) : undefined;
    const app = smallApp({ code: `code ${version}`, secrets: { KEY: `secret ${version}` }, ...(image && { image }) });
    versions.set(JSON.stringify(app.template), version);
    return app;
  };
  const using = async <T>(work: (opened: Awaited<ReturnType<typeof open>>) => Promise<T>) => {
    const opened = await open(account);
    try {
      return await work(opened);
    } finally {
      await opened[Symbol.asyncDispose]();
    }
  };
  return {
    name: inImage ? 'cloud, one image' : 'cloud, archives',
    async begin() {
      await account.reset();
      account.intercept = ({ action }) =>
        action === refused ? { status: 400, code: 'Injected', message: 'injected' } : undefined;
    },
    deploy: (version) =>
      using(async (opened) => {
        const app = await appOf(version);
        const plan = await opened.target.plan(app);
        return (await opened.target.isUpToDate(plan)) ? undefined : await opened.deploy(app);
      }),
    serving: () => (account.executed === undefined ? undefined : versions.get(JSON.stringify(account.executed))),
    asked: () => account.asked.splice(0).map(({ action }) => action),
    refuse: (name) => {
      refused = name;
    },
    async seed() {
      for (const name of ['others', 'demo', 'demo-prod-of-others']) await seedAws(account, name);
    },
    destroy: () =>
      using(async ({ target }) => {
        await target.destroy(await target.planDestroy({ component: 'all', purgeData: true }), listen());
      }),
    contents: () => contentsOfAws(account),
    async [Symbol.asyncDispose]() {
      await account[Symbol.asyncDispose]();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

const targets = {
  ssm: 'AmazonSSM',
  dynamodb: 'DynamoDB_20120810',
  ecr: 'AmazonEC2ContainerRegistry_V20150921',
  logs: 'Logs_20140328',
};

async function ask(account: Account, service: keyof typeof targets, operation: string, body: object): Promise<any> {
  const headers = { ...signed(service), 'x-amz-target': `${targets[service]}.${operation}` };
  const answer = await fetch(account.direct, { method: 'POST', headers, body: JSON.stringify(body) });
  return JSON.parse((await answer.text()) || '{}');
}

const s3 = { authorization: signed('s3')['authorization']! };

/** Things of an application, or of a person, that has nearly the same name. */
async function seedAws(account: Account, name: string): Promise<void> {
  await ask(account, 'ssm', 'PutParameter', { Name: `/${name}/KEY`, Value: 'theirs', Type: 'SecureString' });
  await ask(account, 'dynamodb', 'CreateTable', {
    TableName: `${name}-graph`,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    Tags: [{ Key: 'app', Value: 'demo' }],
  });
  await ask(account, 'ecr', 'CreateRepository', { repositoryName: name });
  await ask(account, 'logs', 'CreateLogGroup', { logGroupName: `/aws/lambda/${name}` });
  await fetch(`${account.direct}/bucket-of-${name}`, {
    method: 'PUT',
    headers: s3,
    body: '<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>',
  });
  const create = new URLSearchParams({
    ...{ Action: 'CreateStack', Version: '2010-05-15', StackName: name },
    TemplateBody: JSON.stringify({ Resources: { Topic: { Type: 'AWS::SNS::Topic' } } }),
  });
  const headers = { ...signed('cloudformation'), 'content-type': 'application/x-www-form-urlencoded' };
  await fetch(account.direct, { method: 'POST', headers, body: create });
}

async function contentsOfAws(account: Account): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const { Parameters } = await ask(account, 'ssm', 'DescribeParameters', { MaxResults: 50 });
  for (const { Name, Version } of Parameters) found.set(`parameter ${Name}`, digestOf(Version));
  const { TableNames } = await ask(account, 'dynamodb', 'ListTables', {});
  for (const name of TableNames)
    found.set(
      `table ${name}`,
      digestOf((await ask(account, 'dynamodb', 'DescribeTable', { TableName: name })).Table.TableId),
    );
  const { repositories } = await ask(account, 'ecr', 'DescribeRepositories', {});
  for (const { repositoryName, createdAt } of repositories)
    found.set(`repository ${repositoryName}`, digestOf(createdAt));
  const { logGroups } = await ask(account, 'logs', 'DescribeLogGroups', {});
  for (const { logGroupName, creationTime } of logGroups)
    found.set(`log group ${logGroupName}`, digestOf(creationTime));
  const buckets = await (await fetch(account.direct, { headers: s3 })).text();
  for (const [, name] of buckets.matchAll(/<Name>([^<]+)</g)) found.set(`bucket ${name}`, '');
  const body = new URLSearchParams({ Action: 'DescribeStacks', Version: '2010-05-15' });
  const headers = { ...signed('cloudformation'), 'content-type': 'application/x-www-form-urlencoded' };
  const stacks = await (await fetch(account.direct, { method: 'POST', headers, body })).text();
  for (const [, name] of stacks.matchAll(/<StackName>([^<]+)</g)) found.set(`stack ${name}`, '');
  return found;
}

export async function openGoogle(): Promise<Cloud> {
  let google = await startGoogleStandIn();
  let there = deployThere(google);
  let asked: string[] = [];
  let refused: string | undefined;
  const versions = new Map<string, number>();
  return {
    name: 'cloud_b',
    async begin() {
      await google[Symbol.asyncDispose]();
      google = await startGoogleStandIn();
      there = deployThere(google);
      asked = [];
      google.intercept = (line) => {
        asked.push(line);
        return line === refused ? { status: 400, message: 'injected' } : undefined;
      };
    },
    async deploy(version) {
      const app = there.appOf({ secrets: { DOCDB_URI: `mongodb://secret-${version}` } }, `code ${version}`);
      versions.set(app.image!.digest, version);
      return await there.deploy(app);
    },
    serving() {
      const [first = ''] = there.serving() ?? [];
      const revision = [...google.state.revisions].find(([name]) => name.endsWith(`/${first.split(' ')[0]}`))?.[1];
      const [, digest = ''] = /@(sha256:\w+)/.exec(revision?.containers?.[0]?.image ?? '') ?? [];
      return versions.get(digest);
    },
    asked: () => asked.splice(0),
    refuse: (name) => {
      refused = name;
    },
    async seed() {
      const at = `projects/${project}`;
      for (const name of ['others', 'demo-of-others', 'demo2']) {
        google.state.services.set(`${at}/locations/${region}/services/${name}`, { name, labels: { app: 'demo' } });
        google.state.secrets.set(`${at}/secrets/${name}-KEY`, { name: `${at}/secrets/${name}-KEY`, labels: {} });
        google.state.versions.set(`${at}/secrets/${name}-KEY`, ['theirs']);
        const email = `${name}@${project}.iam.gserviceaccount.com`;
        google.state.accounts.set(`${at}/serviceAccounts/${email}`, { email });
        google.state.repositories.set(`${at}/locations/${region}/repositories/${name}`, { name });
        google.state.packages.add(`${at}/locations/${region}/repositories/svc/packages/${name}`);
      }
    },
    async destroy() {
      const target = await there.open();
      await target.destroy(await target.planDestroy({ component: 'all', purgeData: true }), there.progress);
    },
    async contents() {
      const { services, secrets, accounts, repositories, packages } = google.state;
      const maps = { services, secrets, accounts, repositories };
      const entries = Object.values(maps).flatMap((map) =>
        [...map].map(([name, one]) => [name, digestOf(one)] as const),
      );
      return new Map([...entries, ...[...packages].map((name) => [name, ''] as const)]);
    },
    [Symbol.asyncDispose]: () => google[Symbol.asyncDispose](),
  };
}
