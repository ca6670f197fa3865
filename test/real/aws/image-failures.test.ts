/** Everything that goes wrong with functions in an image: each request made to fail, things of others, and exactly the rights that are printed. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { imageOf } from '../../../infra/cloud/template.ts';
import type { FunctionImage, SharedRepository } from '../../../infra/targets/cloud/images.ts';
import { findTool } from '../../harness/find-tool.ts';
import { writeBaseLayout } from '../../harness/images/base-layout.ts';
import { removeFolder } from '../../harness/server.ts';
import { type Account, hasNoAccount, signed, startAccount } from './account.ts';
import { administrator } from './caller.ts';
import { listen, open, smallApp, smallImage, stack } from './small-app.ts';

const tools = { 'docker-registry': 'docker-registry', htpasswd: 'apache2-utils' };
const lacksTools = Object.entries(tools).some(([name, debian]) => findTool(name, debian) === undefined);

describe.skipIf(hasNoAccount() || lacksTools)('an image of functions', () => {
  let account: Account;
  const base = mkdtempSync(join(tmpdir(), 'svc-base-'));
  const images = new Map<string, FunctionImage>();

  beforeAll(async () => {
    account = await startAccount(true);
    await writeBaseLayout(base, { architectures: ['arm64'], hasNode: false, env: ['LAMBDA_TASK_ROOT=/var/task'] });
  }, 300_000);
  afterAll(async () => {
    await account?.[Symbol.asyncDispose]();
    removeFolder(base);
  });
  beforeEach(async () => await account.reset());

  const version = async (code: string) => {
    if (!images.has(code)) images.set(code, await smallImage(base, code));
    return smallApp({ image: images.get(code)!, secrets: { KEY: `canary-${code}` } });
  };
  const ecr = async (target: string, body: object): Promise<any> => {
    const headers = { ...signed('ecr'), 'x-amz-target': `AmazonEC2ContainerRegistry_V20150921.${target}` };
    const answer = await fetch(account.direct, { method: 'POST', headers, body: JSON.stringify(body) });
    return await answer.json();
  };
  const repositories = async (): Promise<string[]> =>
    (await ecr('DescribeRepositories', {})).repositories.map(({ repositoryName }: any) => repositoryName);
  const changes = (action: string) =>
    /^ecr:(Create|Delete|Set|Put|Initiate|Upload|Complete|BatchDelete|GetAuth)|^s3:(Put|Create|Delete)|^ssm:(Put|Delete)|^cloudformation:(Create|Execute|Delete)/.test(
      action,
    );
  /** Refuses one request, and those after it that do the same: contents of an image are sent again when one is refused. */
  const refuseAt = (at: number) => {
    let count = 0;
    let refused: string | undefined;
    account.intercept = ({ action }) => {
      if (changes(action) && ++count === at) refused = action;
      return action === refused ? { status: 400, code: 'Injected', message: 'injected' } : undefined;
    };
  };
  const failureOf = async (work: Promise<unknown>): Promise<{ kind: string; message: string }> => {
    const error: any = await work.then(
      () => undefined,
      (one) => one,
    );
    expect(error, 'it fails').toBeDefined();
    expect(`${error.message} ${error.hints} ${error.output}`).not.toMatch(/canary/);
    return error;
  };
  const destroyAll = async ({ target }: Awaited<ReturnType<typeof open>>) =>
    await target.destroy(await target.planDestroy({ component: 'all', purgeData: true }), listen());

  test('a failure of any request leaves the version before, and a second run succeeds', async () => {
    await using opened = await open(account);
    await opened.deploy(await version('0'));
    account.asked.length = 0;
    await opened.deploy(await version('1'));
    const steps = account.asked.map(({ action }) => action).filter(changes);
    expect([...new Set(steps)]).toEqual([
      ...['ecr:SetRepositoryPolicy', 'ecr:GetAuthorizationToken', 'ecr:InitiateLayerUpload', 'ecr:UploadLayerPart'],
      ...['ecr:CompleteLayerUpload', 'ecr:PutImage', 'ssm:PutParameter', 'cloudformation:CreateChangeSet'],
      ...['cloudformation:ExecuteChangeSet', 's3:PutObject'],
    ]);
    const executes = steps.indexOf('cloudformation:ExecuteChangeSet') + 1;
    for (let at = 1; at <= steps.length; at++) {
      const [before, after] = [await version(String(at)), await version(String(at + 1))];
      refuseAt(at);
      const { message } = await failureOf(opened.deploy(after));
      expect(message, steps[at - 1]).toContain('injected');
      account.intercept = () => undefined;
      if (at <= executes) expect(account.executed, `at ${steps[at - 1]}`).toEqual(before.template);
      await opened.deploy(after);
      expect(account.executed).toEqual(after.template);
      expect(await opened.target.isUpToDate(await opened.target.plan(after))).toBe(true);
    }
    process.stderr.write(`steps of an image made to fail: ${steps.join(', ')}\n`);
  }, 300_000);

  test('a first deployment that ends anywhere goes on, and can be taken away', async () => {
    await using opened = await open(account);
    await opened.deploy(await version('0'));
    const steps = account.asked.map(({ action }) => action).filter(changes);
    expect(steps).toContain('ecr:CreateRepository');
    await destroyAll(opened);
    expect(await repositories()).toEqual([]);
    for (let at = 1; at <= steps.length; at++) {
      await ecr('CreateRepository', { repositoryName: `${stack}-of-others` });
      refuseAt(at);
      expect((await failureOf(opened.deploy(await version('0')))).message, steps[at - 1]).toContain('injected');
      account.intercept = () => undefined;
      if (at % 2 === 0) await opened.deploy(await version('0'));
      await destroyAll(opened);
      expect(await repositories(), `after ${steps[at - 1]}`).toEqual([`${stack}-of-others`]);
    }
  }, 300_000);

  test('an end that fails anywhere goes on', async () => {
    await using opened = await open(account);
    await opened.deploy(await version('0'));
    account.asked.length = 0;
    await destroyAll(opened);
    const steps = account.asked.map(({ action }) => action).filter(changes);
    expect(steps).toContain('ecr:DeleteRepository');
    for (let at = 1; at <= steps.length; at++) {
      await opened.deploy(await version('0'));
      refuseAt(at);
      expect((await failureOf(destroyAll(opened))).message, steps[at - 1]).toContain('injected');
      account.intercept = () => undefined;
      await destroyAll(opened);
      expect(await repositories()).toEqual([]);
      const plan = await opened.target.planDestroy({ component: 'all', purgeData: true });
      expect([plan.deleted, plan.kept]).toEqual([[], []]);
    }
  }, 300_000);

  test('a repository of others is not touched', async () => {
    await ecr('CreateRepository', { repositoryName: stack, tags: [{ Key: 'app', Value: 'demo' }] });
    await using opened = await open(account);
    expect((await failureOf(opened.deploy(await version('0')))).message).toBe(
      'repository demo-prod exists and is not managed by svc',
    );
    expect(account.asked.map(({ action }) => action).filter(changes)).toEqual([]);
    await destroyAll(opened);
    expect(await repositories()).toEqual([stack]);
  });

  test('ten images are kept, and one that is gone cannot come back', async () => {
    await using opened = await open(account);
    for (let at = 0; at < 12; at++) await opened.deploy(await version(String(at)));
    expect(account.registry!.images.get(stack)!.size).toBe(10);
    const { digest } = images.get('10')!;
    await ecr('BatchDeleteImage', { repositoryName: stack, imageIds: [{ imageDigest: digest }] });
    expect((await failureOf(opened.target.planRollback(undefined))).message).toBe(
      `revision 11 cannot come back: demo-prod@${digest} is gone`,
    );
  }, 300_000);

  test('the printed policy is enough, and without any right of the registry it ends before anything changed', async () => {
    await using opened = await open(account);
    const { policy } = await opened.target.plan(await version('by its policy 0'));
    account.caller = { ...administrator, policy };
    account.asked.length = 0;
    for (let at = 0; at < 12; at++) await opened.deploy(await version(`by its policy ${at}`));
    await opened.target.rollback(await opened.target.planRollback(undefined), listen());
    await destroyAll(opened);
    const ofImages = policy.Statement.filter(({ Sid }) => Sid.startsWith('Image'));
    const allowed = ofImages.flatMap(({ Action }) => Action);
    const asked = account.asked.map(({ action }) => action).filter((action) => action.startsWith('ecr:'));
    expect([...new Set(asked)].toSorted()).toEqual(allowed.toSorted());
    expect(ofImages.map(({ Resource }) => Resource)).toEqual([
      ['arn:aws:ecr:eu-west-1:123456789012:repository/demo-prod'],
      ['*'],
    ]);
    for (const missing of allowed) {
      const Statement = policy.Statement.map((one) => ({ ...one, Action: one.Action.filter((it) => it !== missing) }));
      account.caller = { ...administrator, policy: { ...policy, Statement } };
      account.asked.length = 0;
      expect((await failureOf(opened.deploy(await version('0')))).message).toBe(`not allowed: ${missing}`);
      expect(new Set(account.asked.map(({ action }) => action))).toEqual(new Set(['iam:SimulatePrincipalPolicy']));
    }
    const archives = await opened.target.plan(smallApp());
    expect(JSON.stringify(archives.policy)).not.toContain('ecr:');
  }, 300_000);

  test('a repository that the configuration names is pushed to and nothing more, with exactly the printed rights', async () => {
    // Without a slash, of which moto reads the last part only.
    const name = 'team-shared';
    const address = `${account.registry!.host}/${name}`;
    const shared = (code: string, sharedRepository: SharedRepository = { name, address }) =>
      smallApp({ image: images.get(code)!, sharedRepository });
    for (let at = 0; at < 12; at++) await version(`shared ${at}`);
    await using opened = await open(account);
    expect((await failureOf(opened.deploy(shared('shared 0')))).message).toBe(`repository ${name} does not exist`);
    await ecr('CreateRepository', { repositoryName: name });
    await account.registry!.hear('ecr:CreateRepository', Buffer.from(JSON.stringify({ repositoryName: name })));
    const elsewhere = `999999999999.dkr.ecr.eu-west-1.amazonaws.com/${name}`;
    expect(await failureOf(opened.deploy(shared('shared 0', { name, address: elsewhere })))).toMatchObject({
      kind: 'invalid',
      message: `repository ${elsewhere} is not in account 123456789012 and region eu-west-1, where functions load images from`,
    });
    const { policy, changes: planned } = await opened.target.plan(shared('shared 0'));
    expect(planned.map(({ object }) => object).filter((object) => object.startsWith('Repository'))).toEqual([]);
    account.caller = { ...administrator, policy };
    account.asked.length = 0;
    for (let at = 0; at < 12; at++) await opened.deploy(shared(`shared ${at}`));
    expect(imageOf(account.executed!)).toBe(`${name}@${images.get('shared 11')!.digest}`);
    await opened.target.rollback(await opened.target.planRollback(undefined), listen());
    await destroyAll(opened);
    const ofImages = policy.Statement.filter(({ Sid }) => Sid.startsWith('Image'));
    const asked = account.asked.map(({ action }) => action).filter((action) => action.startsWith('ecr:'));
    expect([...new Set(asked)].toSorted()).toEqual(ofImages.flatMap(({ Action }) => Action).toSorted());
    expect(ofImages[0]!.Resource).toEqual([`arn:aws:ecr:eu-west-1:123456789012:repository/${name}`]);
    // Others may need what is there, so that nothing of it goes.
    expect(account.registry!.images.get(name)!.size).toBe(12);
    expect(await repositories()).toEqual([name]);
  }, 300_000);

  test('a registry that refuses, and one that goes away', async () => {
    await using opened = await open(account);
    account.intercept = ({ action }) =>
      action === 'ecr:InitiateLayerUpload' ? { status: 403, code: 'DENIED', message: 'no' } : undefined;
    expect(await failureOf(opened.deploy(await version('refused')))).toMatchObject({
      kind: 'prerequisite',
      message: expect.stringMatching(/^not allowed to push to .*\/demo-prod: it answers 403$/),
    });
    account.intercept = ({ action }) => (action.startsWith('ecr:Put') ? 'drop' : undefined);
    expect(await failureOf(opened.deploy(await version('refused')))).toMatchObject({
      kind: 'prerequisite',
      message: expect.stringMatching(/^cannot reach the registry /),
    });
    account.intercept = () => undefined;
    await opened.deploy(await version('refused'));
  }, 300_000);
});
