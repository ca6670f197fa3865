/** Every message of a deployment to AWS as people see it, with the code the command ends with; stacks of osls, and a bucket of the configuration. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkSizes } from '../../../cli/build/check-limits.ts';
import { type CommandFailure, formatFailure } from '../../../cli/command-failure.ts';
import { withDeployFailures } from '../../../cli/deploy/deploy-job.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { type Account, hasNoAccount, signed, startAccount } from './account.ts';
import { administrator } from './caller.ts';
import { listen, open, smallApp, stack } from './small-app.ts';

describe.skipIf(hasNoAccount())('what a deployment to AWS says', () => {
  let account: Account;

  beforeAll(async () => {
    account = await startAccount();
  }, 300_000);
  afterAll(async () => await account?.[Symbol.asyncDispose]());
  beforeEach(async () => await account.reset());

  const request = async (service: string, path: string, init: RequestInit) =>
    await fetch(account.direct + path, {
      ...init,
      headers: { ...signed(service), ...(init.headers as Record<string, string>) },
    });
  const makeStack = async (tags: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams({
      ...{ Action: 'CreateStack', Version: '2010-05-15', StackName: stack },
      TemplateBody: JSON.stringify({ Resources: { Topic: { Type: 'AWS::SNS::Topic' } } }),
    });
    for (const [at, [key, value]] of Object.entries(tags).entries()) {
      query.set(`Tags.member.${at + 1}.Key`, key);
      query.set(`Tags.member.${at + 1}.Value`, value);
    }
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await request('cloudformation', '/', { method: 'POST', headers, body: query });
  };
  const makeBucket = async (name: string) => {
    const body =
      '<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>';
    await request('s3', `/${name}`, { method: 'PUT', body });
  };
  const keysIn = async (bucket: string): Promise<string[]> => {
    const answer = await request('s3', `/${bucket}?list-type=2`, { method: 'GET' });
    return [...(await answer.text()).matchAll(/<Key>([^<]+)/g)].map(([, key]) => key!);
  };
  /** Lines and code of a command that does some work. */
  const ended = async (work: () => Promise<unknown>): Promise<readonly [string, number]> => {
    const failure = await withDeployFailures({ err: () => {} } as unknown as Terminal, work).then(
      () => undefined,
      (error) => error as CommandFailure,
    );
    expect(failure, 'it fails').toBeDefined();
    return [formatFailure(failure!), failure!.exitCode];
  };
  const deployed = async (code = 'one', more?: Parameters<typeof open>[1]) => {
    await using opened = await open(account, more);
    return await opened.deploy(smallApp({ code }));
  };
  const answer = (status: number, message: string) => async () => ({
    status,
    body: JSON.stringify({ error: { message } }),
  });
  const policyHint = '\n  hint: svc start --scale --target cloud --dry-run prints the policy that deploying needs\n';

  test.each<readonly [string, () => Promise<void> | void, string | RegExp, number]>([
    [
      'no right',
      () => {
        account.caller = { ...administrator, policy: { Version: '2012-10-17', Statement: [askOnly] } };
      },
      /^svc: not allowed: cloudformation:CreateChangeSet, .*dynamodb:CreateTable.*\n {2}hint: svc start --scale --target cloud --dry-run prints/,
      7,
    ],
    [
      'no right to ask for rights',
      () => {
        account.caller = { ...administrator, policy: { Version: '2012-10-17', Statement: [] } };
      },
      `svc: not allowed: iam:SimulatePrincipalPolicy${policyHint}  hint: check_rights = false under [plugins.scale.cloud] deploys without asking; the first refusal ends it then\n`,
      7,
    ],
    [
      'credentials that AWS does not know',
      () => {
        account.intercept = () => ({ status: 403, code: 'InvalidClientTokenId', message: 'invalid' });
      },
      'svc: AWS does not accept the credentials: InvalidClientTokenId\n',
      7,
    ],
    [
      'no way to the service',
      () => {
        account.intercept = () => 'drop';
      },
      /^svc: cannot reach AWS: .*\n {2}hint: the request was sts:GetCallerIdentity\n$/,
      7,
    ],
    [
      'a stack that is busy',
      async () => {
        await deployed();
        account.state = 'UPDATE_IN_PROGRESS';
      },
      /^svc: stack demo-prod is UPDATE_IN_PROGRESS\n {2}hint: another deployment is under way/,
      5,
    ],
    [
      'a smoke test that fails, of a first version: there is no way back',
      () => {
        account.gateway = answer(503, 'store unavailable');
      },
      /^svc: deployed, but http:\/\/[^ ]+ answers 503: store unavailable\n$/,
      6,
    ],
    [
      'an operation that fails',
      () => {
        account.failNext = 'the runtime is unknown';
      },
      'svc: CREATE_FAILED Lambda::Function HttpLambdaFunction: the runtime is unknown\n',
      5,
    ],
    [
      'a stack of osls',
      () => makeStack({ managed: 'svc-scale' }),
      'svc: stack demo-prod was deployed with osls, which goes on with it\n  hint: npx osls remove deletes it; its tables stay, and are taken over by the next svc start --scale\n',
      5,
    ],
    [
      'a stack of another application',
      () => makeStack({ managed: 'svc-scale', app: 'shop' }),
      'svc: stack demo-prod belongs to the application shop\n',
      5,
    ],
    [
      'a stack of other people, of another tool',
      () => makeStack({ STAGE: 'prod' }),
      /^svc: stack demo-prod exists and is not managed by svc\n {2}hint: stack_name or stage/,
      5,
    ],
  ])('%s', async (_, prepare, line, code) => {
    await prepare();
    const [shown, ends] = await ended(() => deployed('two'));
    expect(shown).toEqual(typeof line === 'string' ? line : expect.stringMatching(line));
    expect(ends).toBe(code);
  });

  test('no credentials', async () => {
    const before = { ...process.env };
    const nothing = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' };
    Object.assign(process.env, account.env, nothing, { AWS_EC2_METADATA_DISABLED: 'true', HOME: '/nowhere' });
    try {
      const reading = { ...account, env: { ...account.env, ...nothing } } as Account;
      expect(await ended(() => open(reading))).toEqual([
        expect.stringMatching(/^svc: no AWS credentials found\n {2}hint: aws configure, aws sso login/),
        7,
      ]);
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
      Object.assign(process.env, before);
    }
  });

  test('a handler that is too large', async () => {
    const files = { 'handlers/http.mjs': new Uint8Array(262 * 1024 * 1024) };
    const packages = new Map([['big', 262 * 1024 * 1024]]);
    const check = async () => checkSizes([{ name: 'http', files, packages }], false);
    expect(await ended(check)).toEqual([
      'svc: handler http is 262 MB unpacked, limit 250 MB\n  hint: 262.0 MB  big\n',
      5,
    ]);
  });

  test('a stack of osls keeps what it has, also when somebody destroys', async () => {
    await makeStack({ managed: 'svc-scale' });
    account.asked.length = 0;
    await using opened = await open(account);
    const [deploying] = await ended(() => opened.deploy(smallApp()));
    const [destroying] = await ended(() => opened.target.planDestroy({ component: 'all', purgeData: true }));
    expect([deploying, destroying]).toEqual(Array(2).fill(expect.stringContaining('was deployed with osls')));
    const actions = account.asked.map(({ action }) => action);
    expect(actions.filter((one) => /:(Create|Put|Delete|Execute|Update)/.test(one))).toEqual([]);
  });

  test('a bucket of the configuration has to be there', async () => {
    expect(await ended(() => deployed('one', { bucket: 'shared' }))).toEqual([
      expect.stringMatching(
        /^svc: bucket shared does not exist\n {2}hint: artifact_bucket of \[plugins\.scale\.cloud\]/,
      ),
      5,
    ]);
    expect(account.executed).toBeUndefined();
  });

  test('a bucket of the configuration is used below the name of the stack, with the rights for that, and stays', async () => {
    await makeBucket('shared');
    await request('s3', '/shared/demo-production/theirs.zip', { method: 'PUT', body: 'theirs' });
    await using opened = await open(account, { bucket: 'shared' });
    const { target } = opened;
    const { policy } = await target.plan(smallApp());
    const ofBucket = policy.Statement.filter(({ Sid }) => Sid === 'Bucket' || Sid === 'Artifacts');
    expect(ofBucket.flatMap(({ Action }) => Action)).toEqual([
      ...['s3:ListBucket', 's3:GetObject', 's3:PutObject', 's3:DeleteObject'],
    ]);
    account.caller = { ...administrator, policy };
    await opened.deploy(smallApp());
    await opened.deploy(smallApp({ code: 'two' }));
    expect(await target.isUpToDate(await target.plan(smallApp({ code: 'two' })))).toBe(true);
    await target.rollback(await target.planRollback(1), listen());
    expect(account.executed).toEqual(smallApp().template);
    const keys = await keysIn('shared');
    expect(keys).toContain('demo-prod/revisions/000003.json');
    expect(keys.filter((key) => !key.startsWith('demo-prod/'))).toEqual(['demo-production/theirs.zip']);
    const plan = await target.planDestroy({ component: 'all', purgeData: true });
    expect(plan.deleted).toContain(`${keys.length - 1} objects below shared/demo-prod/`);
    await target.destroy(plan, listen());
    expect(await keysIn('shared')).toEqual(['demo-production/theirs.zip']);
  });
});

/** The statement of the policy by which others are asked for. */
const askOnly = {
  Sid: 'Asking',
  Effect: 'Allow',
  Action: ['iam:SimulatePrincipalPolicy'],
  Resource: ['arn:aws:iam::123456789012:user/*'],
} as const;
