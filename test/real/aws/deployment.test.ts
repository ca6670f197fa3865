/** The life of an application on AWS, by the commands people type: deployed, called, changed, looked at, gone back, destroyed, made again over its data. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDynamoConnections } from '../../../adapters/stores/dynamodb/connections.ts';
import { openDynamoStore } from '../../../adapters/stores/dynamodb/store.ts';
import { bucketName } from '../../../infra/targets/cloud/place.ts';
import { type DynamoServer, startDynamo } from '../../harness/dynamo-server.ts';
import { folderWith, spawnSvc } from '../../harness/svc-process.ts';
import { type Account, cfnLint, hasNoAccount, signed, startAccount } from './account.ts';
import { functionGateway, variablesOf } from './functions.ts';

const program = (word: string) => `
import from svc_scale { publish }
node Visit { has by: str; }
walker:pub Hello {
    has name: str;
    can greet with Root entry {
        here ++> Visit(by=self.name);
        publish("visits", self.name);
        report f"${word} {self.name}, visit {len([here -->])}";
    }
}
@restspec(protocol=APIProtocol.WEBSOCKET)
async walker:pub Room { can come with Root entry { report "in"; } }
`;
const settings = `
[project]
name = "demo"
version = "1.4.0"
[plugins.scale.secrets]
GREETING = "\${GREETING}"
`;
const stack = 'demo-prod';
const canary = 'canary-of-a-secret-0123456789';

describe.skipIf(hasNoAccount())('a deployment to AWS', () => {
  let account: Account;
  let dynamo: DynamoServer;
  let folder: ReturnType<typeof folderWith>;
  const bucket = bucketName('123456789012', 'eu-west-1', stack);

  beforeAll(async () => {
    account = await startAccount();
    dynamo = await startDynamo();
    folder = folderWith({ 'main.svc': program('hello'), 'svc.toml': settings });
    const options = { endpoint: dynamo.endpoint, tablePrefix: `${stack}-` };
    await (await openDynamoStore(options)).graph.close();
    await (await openDynamoConnections(options)).close();
    account.gateway = functionGateway({ account, bucket, stack, dynamo: dynamo.endpoint });
  }, 300_000);
  afterAll(async () => {
    await account?.[Symbol.asyncDispose]();
    await dynamo?.stop();
    folder?.[Symbol.dispose]();
  });

  const begin = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const [command, ...more] = args;
    const line = [command!, 'main.svc', ...more, '--target', 'cloud'];
    return spawnSvc(line, { cwd: folder.path, env: { ...account.env, GREETING: canary, ...env } });
  };
  const svc = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    await using child = begin(args, env);
    const code = await child.exited;
    const result = { code, stdout: child.stdout(), stderr: child.stderr() };
    expect(result.stdout + result.stderr).not.toMatch(/canary|\n {4}at /);
    return result;
  };
  const ask = async (service: string, target: string, body: object): Promise<any> => {
    const headers = { ...signed(service), 'x-amz-target': target };
    const answer = await fetch(account.direct, { method: 'POST', headers, body: JSON.stringify(body) });
    return JSON.parse((await answer.text()) || '{}');
  };
  const tables = async (): Promise<string[]> =>
    (await ask('dynamodb', 'DynamoDB_20120810.ListTables', {})).TableNames.toSorted();
  const hello = async (url: string) => {
    const answer = await fetch(`${url}/walker/Hello`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name": "Ada"}',
    });
    const { data, error } = (await answer.json()) as any;
    return error ?? data.reports;
  };
  const writes = () => account.asked.filter(({ action }) => action === 's3:PutObject').map(({ resource }) => resource);
  let url = '';

  test('the plan without a network is the same twice, and its template has no findings', async () => {
    const dry = () => svc(['start', '--scale', '--dry-run', '--offline'], { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' });
    const [one, two] = [await dry(), await dry()];
    expect([one.code, one.stdout]).toEqual([0, two.stdout]);
    expect(/digest: \w{64}/.exec(one.stderr)![0]).toBe(/digest: \w{64}/.exec(two.stderr)![0]);
    expect(one.stderr).toContain('+ Parameter /demo-prod/GREETING\n+ Parameter /demo-prod/JWT_SECRET\n');
    const [, template] = one.stdout.split(/^---$/m);
    writeFileSync(join(folder.path, 'stack.template'), template!.replace(/^# The policy.*$/m, ''));
    execFileSync(cfnLint, ['stack.template'], { cwd: folder.path });
  }, 300_000);

  test('a first deployment says what it makes, and serves', async () => {
    const { code, stdout, stderr } = await svc(['start', '--scale']);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('Account, region and stack: 123456789012/eu-west-1/demo-prod\n');
    expect(stdout).toContain('      Add Lambda::Function HttpLambdaFunction\n');
    expect(stdout).toContain('      CREATE_COMPLETE CloudFormation::Stack demo-prod\n');
    expect(stdout).toMatch(
      /Deployed demo 1\.4\.0 to 123456789012\/eu-west-1\/demo-prod\nURL: http\S+\nWebSocket: ws:\S+\/prod\n$/,
    );
    url = /URL: (\S+)/.exec(stdout)![1]!;
    expect(await hello(url)).toEqual(['hello Ada, visit 1']);
    expect(stdout).toContain('      Add Lambda::EventSourceMapping LiveEventSourceMappingDynamodbGraphTable\n');
    const { Properties } = account.executed!.Resources['LiveLambdaFunction']!;
    expect(Object.keys(variablesOf(Properties)).filter((name) => /SECRET$|GREETING/.test(name))).toEqual([]);
    // Neither the template nor what is in the bucket has a secret.
    expect(JSON.stringify(account.executed)).not.toMatch(/canary/);
    for (const { resource } of account.asked.filter(({ action }) => action === 's3:PutObject')) {
      const headers = { authorization: signed('s3')['authorization']! };
      expect(await (await fetch(`${account.direct}/${bucket}/${resource}`, { headers })).text()).not.toMatch(/canary/);
    }
  }, 300_000);

  test('the same again: nothing to change, and nothing is sent', async () => {
    account.asked.length = 0;
    const { code, stdout } = await svc(['start', '--scale']);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Nothing to change\nURL: ${url}\n`)]);
    expect(writes()).toEqual([]);
  }, 300_000);

  test('a change is planned field by field and sends only what is new', async () => {
    writeFileSync(
      join(folder.path, 'main.svc'),
      program('welcome').replace('has by: str;', 'has by: str; has at: int = 0;'),
    );
    const plan = await svc(['start', '--scale', '--dry-run'], { GREETING: `${canary}-2` });
    expect(plan.code, plan.stderr).toBe(0);
    expect(plan.stderr).toContain(
      '~ Lambda::Function HttpLambdaFunction\n    Properties.Code.S3Key: demo-prod/archives/',
    );
    expect(plan.stderr).toContain('~ Parameter /demo-prod/GREETING\n    Value: (29 bytes) -> (31 bytes), another\n');
    expect(plan.stderr).toContain('= DynamoDB::Table GraphTable\n');
    account.asked.length = 0;
    const { code, stdout, stderr } = await svc(['start', '--scale'], { GREETING: `${canary}-2` });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('      Modify Lambda::Function HttpLambdaFunction\n');
    // The sweeper is the same; http, ws and live have the program in them.
    expect(writes().filter((key) => key.includes('/archives/'))).toHaveLength(3);
    expect(await hello(url)).toEqual(['welcome Ada, visit 2']);
  }, 300_000);

  test('the status tells version, functions, and what differs from what was applied', async () => {
    account.drift = [{ id: 'HttpLambdaFunction', path: '/MemorySize', expected: '512', actual: '128' }];
    const { code, stdout } = await svc(['status']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^demo 1\.4\.0 in 123456789012\/eu-west-1\/demo-prod\n {2}serves: replicas 4\/4 updated/);
    expect(stdout).toMatch(/^ {2}function demo-prod-http: \w+, since 2/m);
    expect(stdout).toContain('  drift: HttpLambdaFunction: /MemorySize is 128, was applied as 512\n');
    expect(stdout).toMatch(/revisions\n {2}2 .* ada@.*\n {2}1 /);
    account.drift = [];
  }, 300_000);

  test('the lines of all functions come by time', async () => {
    const group = (name: string) => `/aws/lambda/demo-prod-${name}`;
    const now = Date.now();
    const log = async (name: string, message: string, timestamp: number) => {
      const at = { logGroupName: group(name), logStreamName: 'one' };
      await ask('logs', 'Logs_20140328.CreateLogStream', at);
      await ask('logs', 'Logs_20140328.PutLogEvents', { ...at, logEvents: [{ message, timestamp }] });
    };
    await log('http', 'second', now - 2000);
    await log('ws', 'first\n', now - 3000);
    await log('sweeper', 'old', now - 1000_000);
    const { code, stdout } = await svc(['logs', '--since', '10m']);
    expect([code, stdout]).toEqual([0, 'ws  first\nhttp  second\n']);
    expect((await svc(['logs', '--tail', '1', '--json'])).stdout).toBe(
      `{"time":"${new Date(now - 2000).toISOString()}","source":"http","text":"second"}\n`,
    );
    await using followed = begin(['logs', '-f', '--since', '10m']);
    await followed.until(/http {2}second/);
    await log('http', 'third', Date.now());
    await followed.until(/http {2}third/);
    followed.kill('SIGINT');
    expect(await followed.exited).toBe(0);
  }, 300_000);

  test('back to the version before, over the same data', async () => {
    const { code, stdout, stderr } = await svc(['rollback', '--yes']);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('back to revision 1: 1.4.0');
    expect(stderr).toContain('main.Visit.at: objects keep the value of a field that is gone beside it');
    expect(stdout).toContain('Rolled back to revision 1 in 123456789012/eu-west-1/demo-prod\n');
    expect(await hello(url)).toEqual(['hello Ada, visit 3']);
  }, 300_000);

  test.each([
    ['SIGINT', 'anew'],
    ['SIGKILL', 'again'],
  ] as const)(
    'an end by %s in the middle, and a second run that goes on',
    async (signal, word) => {
      writeFileSync(join(folder.path, 'main.svc'), program(word));
      account.intercept = ({ action }) => {
        if (action === 'cloudformation:CreateChangeSet') running.kill(signal);
        return undefined;
      };
      const running = begin(['start', '--scale']);
      expect(await running.exited).not.toBe(0);
      account.intercept = () => undefined;
      expect(await hello(url)).toEqual([expect.not.stringContaining(word)]);
      const { code, stderr } = await svc(['start', '--scale']);
      expect(code, stderr).toBe(0);
      expect(await hello(url)).toEqual([expect.stringContaining(`${word} Ada`)]);
    },
    300_000,
  );

  test('the end leaves tables and whatever is not ours; another beginning takes the tables over', async () => {
    const decoys = { Name: `/${stack}/BY_HAND`, Value: 'theirs', Type: 'SecureString' };
    await ask('ssm', 'AmazonSSM.PutParameter', decoys);
    await ask('dynamodb', 'DynamoDB_20120810.CreateTable', {
      TableName: 'demo-prod-graph-of-others',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    });
    const headers = { authorization: signed('s3')['authorization']! };
    const theirs = `${account.direct}/of-others`;
    const where =
      '<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>';
    await fetch(theirs, { method: 'PUT', headers, body: where });
    const { code, stdout, stderr } = await svc(['destroy', '--yes']);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(
      'Kept, without --purge-data:\n  Table demo-prod-graph\n  Table demo-prod-connections\n  Table demo-prod-live\n',
    );
    const kept = ['demo-prod-connections', 'demo-prod-graph', 'demo-prod-graph-of-others', 'demo-prod-live'];
    expect(await tables()).toEqual(kept);
    const left = (await ask('ssm', 'AmazonSSM.DescribeParameters', {})).Parameters.map(({ Name }: any) => Name);
    expect(left).toEqual([decoys.Name]);
    expect((await fetch(`${account.direct}/${bucket}`, { method: 'HEAD', headers })).status).toBe(404);
    expect((await svc(['status'])).code).toBe(1);
    const again = await svc(['start', '--scale']);
    expect(again.code, again.stderr).toBe(0);
    expect(await hello(url)).toEqual(['again Ada, visit 8']);
    const purged = await svc(['destroy', '--yes', '--purge-data']);
    expect(purged.code, purged.stderr).toBe(0);
    expect(await tables()).toEqual(['demo-prod-graph-of-others']);
    expect((await fetch(theirs, { method: 'HEAD', headers })).status).toBe(200);
    const nothing = await svc(['destroy', '--yes']);
    expect([nothing.code, nothing.stdout]).toEqual([0, 'Nothing to destroy for demo in demo-prod\n']);
  }, 300_000);

  test('without credentials', async () => {
    const env = {
      AWS_ACCESS_KEY_ID: '',
      AWS_SECRET_ACCESS_KEY: '',
      AWS_EC2_METADATA_DISABLED: 'true',
      HOME: folder.path,
    };
    const { code, stderr } = await svc(['start', '--scale'], env);
    expect([code, stderr]).toEqual([7, expect.stringMatching(/^svc: no AWS credentials found\n {2}hint: /m)]);
    expect(readFileSync(join(folder.path, 'main.svc'), 'utf8')).toContain('again');
  }, 300_000);
});
