/** Everything that goes wrong with a deployment to AWS: each with its message, and with the version before still there. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DeployFailure } from '../../../infra/orchestrator/deploy-failure.ts';
import { bucketName } from '../../../infra/targets/cloud/place.ts';
import { type Account, hasNoAccount, type Refusal, signed, startAccount } from './account.ts';
import { listen, open, smallApp, stack } from './small-app.ts';

describe.skipIf(hasNoAccount())('when something goes wrong', () => {
  let account: Account;

  beforeAll(async () => {
    account = await startAccount();
  }, 300_000);
  afterAll(async () => await account?.[Symbol.asyncDispose]());
  beforeEach(async () => await account.reset());

  const failureOf = async (
    work: Promise<unknown>,
  ): Promise<{ kind: string; message: string; hints: readonly string[] }> => {
    const error = await work.then(
      () => undefined,
      (one) => one as DeployFailure,
    );
    expect(error, 'it fails').toBeDefined();
    expect(`${error!.message} ${error!.hints} ${error!.output}`).not.toMatch(/canary/);
    return { kind: error!.kind, message: error!.message, hints: error!.hints };
  };
  const json = async (service: string, target: string, body: object): Promise<any> => {
    const headers = { ...signed(service), 'x-amz-target': target };
    const answer = await fetch(account.direct, { method: 'POST', headers, body: JSON.stringify(body) });
    return await answer.json();
  };
  /** Nobody's: without tags, as CloudFormation has one that it makes just now. */
  const bareTable = {
    TableName: 'demo-prod-graph',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  };
  const parameters = async (): Promise<Record<string, string>> => {
    const found = await json('ssm', 'AmazonSSM.GetParametersByPath', { Path: `/${stack}`, WithDecryption: true });
    return Object.fromEntries(found.Parameters.map(({ Name, Value }: any) => [Name, Value]));
  };
  const refuseAt = (at: number, refusal: Refusal | 'drop', isMeant: (action: string) => boolean) => {
    let count = 0;
    account.intercept = ({ action }) => (isMeant(action) && ++count === at ? refusal : undefined);
  };
  const changes = (action: string) =>
    /^s3:(Put|Create|Delete)|^ssm:(Put|Delete)|^cloudformation:(Create|Execute|Delete)/.test(action);

  test('a failure of any request leaves the version before, and a second run succeeds', async () => {
    await using opened = await open(account);
    const version = (number: number) =>
      smallApp({ code: `code ${number}`, secrets: { KEY: `canary-${number}`, [`NEW${number}`]: 'canary-new' } });
    await opened.deploy(version(0));
    account.asked.length = 0;
    await opened.deploy(version(1));
    const steps = account.asked.map(({ action }) => action).filter(changes);
    expect(new Set(steps)).toEqual(
      new Set([
        ...['s3:PutObject', 'ssm:PutParameter', 'cloudformation:CreateChangeSet', 'cloudformation:ExecuteChangeSet'],
        ...['ssm:DeleteParameters'],
      ]),
    );
    const executes = steps.indexOf('cloudformation:ExecuteChangeSet') + 1;
    for (let at = 1; at <= steps.length; at++) {
      const [before, after] = [version(at), version(at + 1)];
      const secrets = await parameters();
      refuseAt(at, { status: 400, code: 'Injected', message: 'injected' }, changes);
      expect((await failureOf(opened.deploy(after))).message).toContain('injected');
      account.intercept = () => undefined;
      if (at <= executes) {
        expect(account.executed, `at ${steps[at - 1]}`).toEqual(before.template);
        expect(await parameters()).toEqual(secrets);
      }
      expect((await opened.target.status()).isHealthy).toBe(true);
      await opened.deploy(after);
      expect(account.executed).toEqual(after.template);
      expect(await parameters()).toMatchObject({ '/demo-prod/KEY': `canary-${at + 1}` });
      expect(Object.keys(await parameters())).toHaveLength(3);
      expect(await opened.target.isUpToDate(await opened.target.plan(after))).toBe(true);
    }
  }, 300_000);

  test('a change that CloudFormation rolls back tells the first failure', async () => {
    await using opened = await open(account);
    await opened.deploy(smallApp());
    const secrets = await parameters();
    account.failNext = 'Resource handler returned message: the runtime is unknown';
    const told = listen();
    const failed = await failureOf(opened.deploy(smallApp({ code: 'two', secrets: { NEW: 'canary-new' } }), told));
    expect(failed).toEqual({
      kind: 'failed',
      message:
        'UPDATE_FAILED Lambda::Function HttpLambdaFunction: Resource handler returned message: the runtime is unknown',
      hints: ['the version before keeps serving'],
    });
    expect(told.details).toContain(failed.message);
    expect(await parameters()).toEqual(secrets);
    const { isHealthy, lastError, revision } = await opened.target.status();
    expect([isHealthy, lastError, revision?.number]).toEqual([true, undefined, 1]);
    await opened.deploy(smallApp({ code: 'two' }));
  });

  test('a first deployment that was rolled back is deleted before the next', async () => {
    await using opened = await open(account);
    account.failNext =
      'User: arn:aws:iam::123456789012:user/ada is not authorized to perform: lambda:CreateFunction on resource: x';
    expect(await failureOf(opened.deploy(smallApp()))).toEqual({
      kind: 'prerequisite',
      message: 'not allowed: lambda:CreateFunction',
      hints: [],
    });
    expect(await parameters()).toEqual({});
    const told = listen();
    await opened.deploy(smallApp(), told);
    expect(told.notes).toEqual(['stack demo-prod is ROLLBACK_COMPLETE: it is deleted first']);
    expect((await opened.target.status()).isHealthy).toBe(true);
  });

  test.each([
    'UPDATE_IN_PROGRESS',
    'DELETE_IN_PROGRESS',
    'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS',
    'DELETE_FAILED',
    'UPDATE_ROLLBACK_FAILED',
  ])('a stack that is %s', async (state) => {
    await using opened = await open(account);
    await opened.deploy(smallApp());
    account.asked.length = 0;
    account.state = state;
    const { kind, message, hints } = await failureOf(opened.deploy(smallApp({ code: 'two' })));
    expect([kind, message, hints.length]).toEqual(['failed', `stack demo-prod is ${state}`, 1]);
    expect(account.asked.map(({ action }) => action).filter(changes)).toEqual([]);
  });

  test.each([
    ['is being made', 'CREATE_IN_PROGRESS', 'stack demo-prod is CREATE_IN_PROGRESS'],
    ['was made', 'CREATE_COMPLETE', 'stack demo-prod was changed by somebody else meanwhile'],
  ])('a first stack that %s while another run looks at its tables', async (_, state, message) => {
    await using opened = await open(account);
    const refusal = { status: 400, code: 'InvalidChangeSetStatus', message: 'obsolete' };
    account.intercept = ({ action }) => (action === 'cloudformation:ExecuteChangeSet' ? refusal : undefined);
    await failureOf(opened.deploy(smallApp()));
    let began = 0;
    account.intercept = async ({ action }) => {
      if (action !== 'dynamodb:DescribeTable' || began++ > 0) return undefined;
      account.state = state;
      await json('dynamodb', 'DynamoDB_20120810.CreateTable', bareTable);
      return undefined;
    };
    const failed = await failureOf(opened.deploy(smallApp()));
    expect([began, failed.kind, failed.message]).toEqual([1, 'failed', message]);
    expect(failed.hints).toEqual([expect.stringContaining('run th')]);
  });

  test('two at once: the second finds that the stack was changed, and takes its secrets back', async () => {
    await using opened = await open(account);
    await opened.deploy(smallApp());
    const secrets = await parameters();
    account.intercept = ({ action }) =>
      action === 'cloudformation:ExecuteChangeSet'
        ? { status: 400, code: 'InvalidChangeSetStatus', message: 'obsolete' }
        : undefined;
    const failed = await failureOf(opened.deploy(smallApp({ code: 'two', secrets: { NEW: 'canary-new' } })));
    expect(failed.message).toBe('stack demo-prod was changed by somebody else meanwhile');
    expect(await parameters()).toEqual(secrets);
  });

  test('credentials that end in the middle', async () => {
    await using opened = await open(account);
    let isOver = false;
    account.intercept = ({ action }) => {
      isOver ||= action === 'cloudformation:ExecuteChangeSet';
      return isOver && action !== 'cloudformation:ExecuteChangeSet'
        ? { status: 400, code: 'ExpiredToken', message: 'The security token included in the request is expired' }
        : undefined;
    };
    const { kind, message, hints } = await failureOf(opened.deploy(smallApp()));
    expect([kind, message, hints]).toEqual([
      'prerequisite',
      'the AWS credentials have expired',
      [expect.stringContaining('sign in again and run the command again')],
    ]);
    account.intercept = () => undefined;
    const secrets = await parameters();
    await opened.deploy(smallApp());
    expect(await parameters()).toEqual(secrets);
  });

  test('throttled requests are made again', async () => {
    await using opened = await open(account);
    let seen = 0;
    account.intercept = ({ action }) =>
      /DescribeStacks|PutParameter|PutObject/.test(action) && ++seen % 2 === 1
        ? { status: 400, code: 'ThrottlingException', message: 'Rate exceeded' }
        : undefined;
    await opened.deploy(smallApp());
    expect(seen).toBeGreaterThan(6);
    account.intercept = ({ action }) =>
      action === 's3:PutObject'
        ? { status: 503, code: 'SlowDown', message: 'Please reduce your request rate.' }
        : undefined;
    const { kind, message } = await failureOf(opened.deploy(smallApp({ code: 'two' })));
    expect([kind, message]).toEqual(['failed', 'AWS is too busy for s3:PutObject']);
  }, 300_000);

  test('a signal in the middle: what was new is taken back, and a second run goes on', async () => {
    {
      await using opened = await open(account);
      account.intercept = ({ action }) => {
        if (action === 'cloudformation:CreateChangeSet') opened.ended.abort(new Error('interrupted'));
        return undefined;
      };
      await expect(opened.deploy(smallApp())).rejects.toThrow();
      account.intercept = () => undefined;
      expect(account.executed).toBeUndefined();
    }
    await using again = await open(account);
    await again.deploy(smallApp());
    expect((await again.target.status()).isHealthy).toBe(true);
  });

  test('what is deployed but does not answer well', async () => {
    await using opened = await open(account);
    await opened.deploy(smallApp());
    account.gateway = async ({ headers }) =>
      headers.upgrade === undefined
        ? {
            status: 503,
            body: JSON.stringify({ error: { code: 'SERVICE_UNAVAILABLE', message: 'store unavailable' } }),
          }
        : { status: 404, body: '' };
    const ready = await failureOf(opened.deploy(smallApp({ code: 'two' })));
    expect([ready.kind, ready.message, ready.hints]).toEqual([
      'late',
      expect.stringMatching(/^deployed, but http:\/\/127\.0\.0\.1:\d+\/healthz\/ready answers 503: store unavailable$/),
      ['svc rollback main.svc --target cloud goes back'],
    ]);
    const { isHealthy, lastError } = await opened.target.status();
    expect([isHealthy, lastError]).toEqual([false, expect.stringContaining('answers 503: store unavailable')]);
    account.gateway = async ({ headers }) => ({ status: headers.upgrade === undefined ? 200 : 502, body: '{}' });
    expect((await failureOf(opened.deploy(smallApp({ code: 'two' })))).message).toMatch(
      /^deployed, but ws:.* answers 502$/,
    );
    account.gateway = async () => ({ status: 200, body: '{}' });
    const plan = await opened.target.planRollback(undefined);
    expect(plan.to.number).toBe(1);
    await opened.target.rollback(plan, listen());
    expect(account.executed).toEqual(smallApp().template);
  });

  test('things of other people are not touched', async () => {
    const foreign = { Name: `/${stack}/KEY`, Value: 'canary-of-others', Type: 'SecureString' };
    await using opened = await open(account);
    await json('ssm', 'AmazonSSM.PutParameter', foreign);
    const wanted = smallApp({ secrets: { KEY: 'canary-mine' } });
    expect((await failureOf(opened.deploy(wanted))).message).toBe(
      'parameter /demo-prod/KEY has another value and is not managed by svc',
    );
    await json('dynamodb', 'DynamoDB_20120810.CreateTable', bareTable);
    expect((await failureOf(opened.deploy(smallApp()))).message).toBe(
      'table demo-prod-graph exists and is not managed by svc',
    );
    await account.reset();
    const create = new URLSearchParams({
      ...{ Action: 'CreateStack', Version: '2010-05-15', StackName: stack },
      TemplateBody: JSON.stringify({ Resources: { Topic: { Type: 'AWS::SNS::Topic' } } }),
    });
    const headers = { ...signed('cloudformation'), 'content-type': 'application/x-www-form-urlencoded' };
    await fetch(account.direct, { method: 'POST', headers, body: create });
    account.asked.length = 0;
    expect((await failureOf(opened.deploy(smallApp()))).message).toBe(
      'stack demo-prod exists and is not managed by svc',
    );
    expect((await failureOf(opened.target.planDestroy({ component: 'all', purgeData: true }))).message).toBe(
      'stack demo-prod exists and is not managed by svc',
    );
    await account.reset();
    const bucket = bucketName(account.id, 'eu-west-1', stack);
    await fetch(`${account.direct}/${bucket}`, {
      method: 'PUT',
      headers: { authorization: signed('s3')['authorization']! },
      body: '<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>',
    });
    await fetch(`${account.direct}/${bucket}/theirs.txt`, {
      method: 'PUT',
      headers: { authorization: signed('s3')['authorization']! },
      body: 'x',
    });
    expect((await failureOf(opened.deploy(smallApp()))).message).toBe(
      `bucket ${bucket} exists and is not managed by svc`,
    );
    expect(account.asked.map(({ action }) => action).filter(changes)).toEqual([]);
  });

  const tables = async (): Promise<Record<string, boolean>> => {
    const { TableNames } = await json('dynamodb', 'DynamoDB_20120810.ListTables', {});
    const described = (TableNames as string[]).toSorted().map(async (TableName) => {
      const { Table } = await json('dynamodb', 'DynamoDB_20120810.DescribeTable', { TableName });
      return [TableName, Table.StreamSpecification?.StreamEnabled === true] as const;
    });
    return Object.fromEntries(await Promise.all(described));
  };
  const live = (code: string) => smallApp({ code, needs: { hasLive: true } });

  test('live data added, left out, back by a rollback and forward again: tables stay and are taken over', async () => {
    await using opened = await open(account);
    const { target } = opened;
    await opened.deploy(smallApp());
    const added = (await target.plan(live('two'))).changes;
    expect(added).toContainEqual(
      expect.objectContaining({
        ...{ kind: 'change', losesData: false, object: 'DynamoDB::Table GraphTable' },
        fields: [expect.objectContaining({ path: expect.stringContaining('StreamSpecification') })],
      }),
    );
    await opened.deploy(live('two'));
    expect(await tables()).toEqual({ 'demo-prod-connections': false, 'demo-prod-graph': true, 'demo-prod-live': true });
    await opened.deploy(smallApp({ code: 'three' }));
    expect(Object.keys(await tables())).toContain('demo-prod-live');
    const plan = await target.planRollback(2);
    await target.rollback(plan, listen());
    expect(account.executed).toEqual(live('two').template);
    expect((await target.status()).revision).toMatchObject({ number: 4, rollbackTo: 2 });
    await target.rollback(await target.planRollback(3), listen());
    expect(account.executed).toEqual(smallApp({ code: 'three' }).template);
    await opened.deploy(live('four'));
    expect((await target.status()).isHealthy).toBe(true);
  }, 300_000);

  test('the end keeps the table of live data too, also of an earlier version, until it is asked for', async () => {
    await using opened = await open(account);
    const { target } = opened;
    await opened.deploy(live('one'));
    await opened.deploy(smallApp({ code: 'two' }));
    const kept = ['graph', 'connections', 'live'].map((name) => `Table demo-prod-${name}`);
    const plan = await target.planDestroy({ component: 'all', purgeData: false });
    expect(plan.kept).toEqual(kept);
    await target.destroy(plan, listen());
    expect(Object.keys(await tables())).toEqual(['demo-prod-connections', 'demo-prod-graph', 'demo-prod-live']);
    const purge = await target.planDestroy({ component: 'all', purgeData: true });
    expect(purge.deleted).toEqual(expect.arrayContaining(kept));
    await target.destroy(purge, listen());
    expect(await tables()).toEqual({});
  }, 300_000);

  test('a stack with live data takes over a table that has no stream: it is opened first', async () => {
    await using opened = await open(account);
    const { target } = opened;
    await opened.deploy(smallApp());
    await target.destroy(await target.planDestroy({ component: 'all', purgeData: false }), listen());
    expect(await tables()).toEqual({ 'demo-prod-connections': false, 'demo-prod-graph': false });
    account.asked.length = 0;
    await opened.deploy(live('two'));
    expect(account.asked.map(({ action }) => action).filter((one) => one === 'dynamodb:UpdateTable')).toHaveLength(1);
    expect(account.executed).toEqual(live('two').template);
  }, 300_000);

  test('a role that may not read the streams: the service says so, and the version before keeps serving', async () => {
    await using opened = await open(account);
    await opened.deploy(smallApp());
    for (const action of ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams']) {
      const app = live(action);
      const text = JSON.stringify(app.template).replace(new RegExp(`"dynamodb:${action}",?|,"dynamodb:${action}"`), '');
      const template = JSON.parse(text.replaceAll(',]', ']'));
      expect(text.length, action).toBeLessThan(JSON.stringify(app.template).length);
      const { kind, message, hints } = await failureOf(opened.deploy({ ...app, template }));
      expect([kind, message, hints]).toEqual([
        'failed',
        expect.stringContaining('Cannot access stream GraphTable. Please ensure the role can perform'),
        ['the version before keeps serving'],
      ]);
      expect(account.executed).toEqual(smallApp().template);
    }
    await opened.deploy(live('whole'));
  }, 300_000);

  test('a table is never replaced by an empty one unless that is said', async () => {
    await using opened = await open(account);
    await opened.deploy(smallApp());
    account.asked.length = 0;
    const renamed = smallApp({ toml: '[plugins.scale.database]\ndynamodb_table_prefix = "other_"\n' });
    const { message, hints } = await failureOf(opened.deploy(renamed));
    expect(message).toBe('this would leave the data of GraphTable, ConnectionsTable behind; nothing was changed');
    expect(hints[0]).toContain('--allow-data-loss GraphTable');
    expect(account.asked.map(({ action }) => action).filter(changes)).toEqual([]);
  });

  test.each([
    [
      'AccessDenied',
      403,
      'User: arn:aws:iam::1:user/ada is not authorized to perform: cloudformation:CreateChangeSet on resource: x',
    ],
    ['AccessDeniedException', 400, 'no'],
  ])('a right that is missing (%s)', async (code, status, message) => {
    await using opened = await open(account);
    account.intercept = ({ action }) =>
      action === 'cloudformation:CreateChangeSet' ? { status, code, message } : undefined;
    const failed = await failureOf(opened.deploy(smallApp()));
    expect([failed.kind, failed.message]).toEqual(['prerequisite', 'not allowed: cloudformation:CreateChangeSet']);
    expect(await parameters()).toEqual({});
  });

  test('credentials that AWS does not know, and no way to it', async () => {
    account.intercept = () => ({ status: 403, code: 'InvalidClientTokenId', message: 'The security token is invalid' });
    expect((await failureOf(open(account))).message).toBe('AWS does not accept the credentials: InvalidClientTokenId');
    account.intercept = () => 'drop';
    const { kind, message } = await failureOf(open(account));
    expect([kind, message]).toEqual(['prerequisite', expect.stringMatching(/^cannot reach AWS: /)]);
  }, 300_000);
});
