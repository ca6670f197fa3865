/** Functions in an image (`--build`), by the commands people type: the image is made without an engine, pushed to the account's registry, and what was pushed serves. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDynamoStore } from '../../../adapters/stores/dynamodb/store.ts';
import { imageOf } from '../../../infra/cloud/template.ts';
import { type DynamoServer, startDynamo } from '../../harness/dynamo-server.ts';
import { findTool } from '../../harness/find-tool.ts';
import { writeBaseLayout } from '../../harness/images/base-layout.ts';
import { httpEvent } from '../../harness/packaged-function.ts';
import { runFunction } from '../../harness/platforms/runtime-client.ts';
import { repository } from '../../harness/server.ts';
import { folderWith, spawnSvc } from '../../harness/svc-process.ts';
import { pullImage } from '../kubernetes/unpacked-image.ts';
import { type Account, cfnLint, hasNoAccount, signed, startAccount } from './account.ts';
import { secretsOf, variablesOf } from './functions.ts';

const program = (word: string) => `
node Visit { has by: str; }
walker:pub Hello {
    has name: str;
    can greet with Root entry {
        here ++> Visit(by=self.name);
        report f"${word} {self.name}, visit {len([here -->])}";
    }
}
`;
const settings = `
[project]
name = "demo"
version = "1.4.0"
[plugins.scale.cloud]
base_image = "oci:base"
`;
const stack = 'demo-prod';
const tools = { 'docker-registry': 'docker-registry', htpasswd: 'apache2-utils', skopeo: 'skopeo', umoci: 'umoci' };
const lacksTools = Object.entries(tools).some(([name, debian]) => findTool(name, debian) === undefined);

describe.skipIf(hasNoAccount() || lacksTools)('functions in an image', () => {
  let account: Account;
  let dynamo: DynamoServer;
  let folder: ReturnType<typeof folderWith>;

  beforeAll(async () => {
    account = await startAccount(true);
    dynamo = await startDynamo();
    await (await openDynamoStore({ endpoint: dynamo.endpoint, tablePrefix: `${stack}-` })).graph.close();
    folder = folderWith({ 'main.svc': program('hello'), 'svc.toml': settings });
    const env = ['LAMBDA_TASK_ROOT=/var/task'];
    await writeBaseLayout(join(folder.path, 'base'), { architectures: ['arm64', 'amd64'], hasNode: false, env });
    account.gateway = async () => ({ status: 200, body: '{}' });
  }, 300_000);
  afterAll(async () => {
    await account?.[Symbol.asyncDispose]();
    await dynamo?.stop();
    folder?.[Symbol.dispose]();
  });

  const svc = async (...[command, ...more]: readonly string[]) => {
    const line = [command!, 'main.svc', ...more, '--target', 'cloud'];
    await using child = spawnSvc(line, { cwd: folder.path, env: account.env });
    const code = await child.exited;
    const result = { code, stdout: child.stdout(), stderr: child.stderr() };
    expect(result.stdout + result.stderr).not.toMatch(/canary|\n {4}at /);
    return result;
  };
  const deploy = async (...more: readonly string[]) => await svc('start', '--scale', ...more);
  const ask = async (service: string, target: string, body: object): Promise<any> => {
    const headers = { ...signed(service), 'x-amz-target': target };
    const answer = await fetch(account.direct, { method: 'POST', headers, body: JSON.stringify(body) });
    return JSON.parse((await answer.text()) || '{}');
  };
  const repositories = async (): Promise<string[]> =>
    (await ask('ecr', 'AmazonEC2ContainerRegistry_V20150921.DescribeRepositories', {})).repositories
      .map(({ repositoryName }: any) => repositoryName)
      .toSorted();
  const functions = () =>
    Object.values(account.executed!.Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
  const pushed = () => account.asked.filter(({ action }) => /^ecr:(Put|Complete|Initiate|Upload)/.test(action));
  const digestOf = (text: string) => /digest: (\w{64})/.exec(text)![1];

  /** Unpacks the image of the executed template, and gives the folder in which its functions are. */
  const unpacked = async () => {
    const [name, digest] = imageOf(account.executed!)!.split('@');
    const { username, password } = { username: 'AWS', password: 'canary-of-the-registry' };
    const auth = Buffer.from(`${username}:${password}`).toString('base64');
    const login = JSON.stringify({ auths: { [account.registry!.host]: { auth } } });
    const image = `${account.registry!.host}/${name}@${digest}`;
    const { root, cwd, env } = await pullImage(image, login, mkdtempSync(join(folder.path, 'pulled-')));
    expect([cwd, env['LAMBDA_TASK_ROOT']]).toEqual(['/', '/var/task']);
    // Beside the runtime's client are the packages of AWS.
    symlinkSync(join(repository, 'node_modules'), join(root, 'var/node_modules'));
    return join(root, 'var/task');
  };
  const call = async (name: string, event: object) => {
    const { Properties } = functions().find(
      ({ Properties: { FunctionName } }) => FunctionName === `${stack}-${name}-image`,
    )!;
    const [handler] = (Properties as any).ImageConfig.Command;
    const env = {
      ...variablesOf(Properties),
      ...(await secretsOf(account, stack)),
      ...{ SVC_SECRETS_PATH: '', SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint, AWS_ENDPOINT_URL: '' },
    };
    await using running = await runFunction({ folder: await unpacked(), handler, env, instances: 1 });
    const { result } = await running.invoke(event);
    return result;
  };
  const hello = async () =>
    JSON.parse((await call('http', httpEvent('POST', '/walker/Hello', { name: 'Ada' }))).body).data.reports;

  test('the plan without a network names the image by its tag; with one, the digest is the same twice', async () => {
    const offline = await deploy('--build', '--dry-run', '--offline');
    expect(offline.code, offline.stderr).toBe(0);
    expect(offline.stdout).toMatch(/demo-prod:1\.4\.0-\w{12}/);
    expect(offline.stderr).toContain('note: the digest of the image is found when deploying, by that of oci:base');
    const [one, two] = [await deploy('--build', '--dry-run'), await deploy('--build', '--dry-run')];
    expect([one.code, one.stdout], one.stderr).toEqual([0, two.stdout]);
    expect(digestOf(one.stderr)).toBe(digestOf(two.stderr));
    expect(one.stderr).toContain('+ Repository demo-prod\n');
    expect(one.stdout).toContain('ecr:PutImage');
    const [, template] = one.stdout.split(/^---$/m);
    writeFileSync(join(folder.path, 'stack.template'), template!.replace(/^# The policy.*$/m, ''));
    execFileSync(cfnLint, ['stack.template'], { cwd: folder.path });
    expect(await repositories()).toEqual([]);
  }, 300_000);

  test('a first deployment makes the repository, pushes, and what was pushed serves', async () => {
    await ask('ecr', 'AmazonEC2ContainerRegistry_V20150921.CreateRepository', { repositoryName: 'of-others' });
    const { code, stdout, stderr } = await deploy('--build');
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/prepare the repository .*\n.*push the image/);
    expect(functions().map(({ Properties }) => [Properties['FunctionName'], Properties['PackageType']])).toEqual([
      ['demo-prod-http-image', 'Image'],
      ['demo-prod-sweeper-image', 'Image'],
    ]);
    expect(await repositories()).toEqual(['demo-prod', 'of-others']);
    expect(await hello()).toEqual(['hello Ada, visit 1']);
    // The sweeper has a folder and settings of its own in the same image.
    expect(await call('sweeper', { 'detail-type': 'Scheduled Event' })).toBeNull();
    const { policyText } = await ask('ecr', 'AmazonEC2ContainerRegistry_V20150921.GetRepositoryPolicy', {
      repositoryName: 'demo-prod',
    });
    expect(JSON.parse(policyText).Statement[0].Principal).toEqual({ Service: 'lambda.amazonaws.com' });
  }, 300_000);

  test('the same again: nothing to change, and nothing is pushed', async () => {
    account.asked.length = 0;
    const { code, stdout } = await deploy('--build');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing to change\n')]);
    expect(pushed()).toEqual([]);
  }, 300_000);

  test('a change is another image, and the one before serves again after a rollback', async () => {
    writeFileSync(join(folder.path, 'main.svc'), program('welcome'));
    const { code, stderr } = await deploy('--build');
    expect(code, stderr).toBe(0);
    expect(await hello()).toEqual(['welcome Ada, visit 2']);
    // The repository keeps the images of both revisions.
    expect(account.registry!.images.get(stack)!.size).toBe(2);
    const back = await svc('rollback', '--yes');
    expect(back.code, back.stderr).toBe(0);
    expect(await hello()).toEqual(['hello Ada, visit 3']);
  }, 300_000);

  test('functions of archives take over, and those of an image again, without an end between', async () => {
    const archives = await deploy();
    expect(archives.code, archives.stderr).toBe(0);
    expect(functions().map(({ Properties }) => Properties['FunctionName'])).toEqual([
      'demo-prod-http',
      'demo-prod-sweeper',
    ]);
    const plan = await deploy('--build', '--dry-run');
    expect(plan.stderr).toMatch(/Lambda::Function HttpLambdaFunction\n {4}Properties\.FunctionName: demo-prod-http ->/);
    expect(plan.stderr).toContain('= DynamoDB::Table GraphTable\n');
    const again = await deploy('--build');
    expect(again.code, again.stderr).toBe(0);
    expect(await hello()).toEqual(['welcome Ada, visit 4']);
    const back = await svc('rollback', '--to', '1', '--yes');
    expect(back.code, back.stderr).toBe(0);
  }, 300_000);

  test('the end takes the repository with it and no other', async () => {
    const { code, stdout, stderr } = await svc('destroy', '--yes');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('  Repository demo-prod\n');
    expect(await repositories()).toEqual(['of-others']);
    expect((await svc('destroy', '--yes', '--purge-data')).code).toBe(0);
    expect((await svc('destroy', '--yes')).stdout).toBe('Nothing to destroy for demo in demo-prod\n');
  }, 300_000);
});
