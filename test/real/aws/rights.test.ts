/** The policy that `--dry-run` prints: all that a deployment asks for and nothing else, by our requests and by the published schemas of resource types. */
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CloudApp } from '../../../infra/targets/cloud/find-changes.ts';
import type { Policy } from '../../../infra/targets/cloud/rights.ts';
import { folderWith } from '../../harness/svc-process.ts';
import { type Account, cfnLint, hasNoAccount, signed, startAccount } from './account.ts';
import { administrator } from './caller.ts';
import { listen, type Opened, open, type SmallApp, smallApp } from './small-app.ts';

/** Handlers of resource types with the rights they ask for, as the checker of templates has them. */
const readSchemas = `
import json, glob, os, cfnlint
folder = os.path.join(os.path.dirname(cfnlint.__file__), 'data/schemas/resources/*.json')
found = {}
for path in glob.glob(folder):
    schema = json.load(open(path))
    handlers = schema.get('handlers') or {}
    rights = lambda *kinds: [right for kind in kinds for right in (handlers.get(kind) or {}).get('permissions', [])]
    tagging = (schema.get('tagging') or {}).get('permissions', [])
    found[schema['typeName']] = {'all': rights('create', 'read', 'update', 'delete') + tagging,
        **{kind: rights(kind) for kind in ('create', 'read', 'update', 'delete')}}
print(json.dumps(found))
`;

type Schemas = Readonly<Record<string, Readonly<Record<'all' | 'read' | 'create' | 'update' | 'delete', string[]>>>>;

/** The policy without one action; `from`: the one statement that loses it. */
function without({ Version, Statement }: Policy, missing: string, from?: string): Policy {
  const rest = Statement.map((one) => ({
    ...one,
    Action: one.Action.filter((action) => action !== missing || (from !== undefined && one.Sid !== from)),
  }));
  return { Version, Statement: rest };
}

/** Applications that need more and more of the services. */
const applications: readonly (readonly [string, SmallApp])[] = [
  ['calls only', { needs: { hasSockets: false } }],
  ['sockets', {}],
  ['live data', { needs: { hasLive: true } }],
  [
    'everything',
    {
      needs: { hasLive: true, hasWebhooks: true, streams: true },
      pages: ['client.1a2b3c4d.js'],
      toml: `[plugins.scale.cloud]
reserved_concurrency = 5
domain = "demo.example"
certificate_arn = "arn:aws:acm:eu-west-1:123456789012:certificate/12345678-1234-1234-1234-123456789012"
`,
    },
  ],
];

/** The application as another version of this program might make it: each of its resources in another way. */
function changed(app: CloudApp): CloudApp {
  const Resources = Object.entries(app.template.Resources).map(([id, one]) => [
    id,
    { ...one, Metadata: { by: 'next' } },
  ]);
  return { ...app, template: { ...app.template, Resources: Object.fromEntries(Resources) } };
}

describe.skipIf(hasNoAccount())('the rights that deploying needs', () => {
  let account: Account;
  let schemas: Schemas;

  beforeAll(async () => {
    account = await startAccount();
    const python = join(dirname(cfnLint), 'python3');
    schemas = JSON.parse(execFileSync(python, ['-c', readSchemas], { maxBuffer: 1 << 26 }).toString());
  }, 300_000);
  afterAll(async () => await account?.[Symbol.asyncDispose]());

  /** Makes the account one in which the caller may do what a policy says, also through CloudFormation. */
  const enforce = async (policy?: Policy) => {
    await account.reset();
    account.caller = { ...administrator, policy };
    account.neededFor = (kind, { Type, Properties }) => [
      ...schemas[Type]![kind].filter(
        (right) =>
          written.test(right) && (!right.includes('Concurrency') || 'ReservedConcurrentExecutions' in Properties),
      ),
      ...schemas[Type]!.read.filter((right) => !notOurs.includes(right)),
    ];
  };
  const printed = async (checksRights = true, app: SmallApp = {}): Promise<Policy> => {
    await account.reset();
    await using opened = await open(account, { checksRights });
    return (await opened.target.plan(smallApp(app))).policy;
  };

  /** Deploys, fails, changes, looks, goes back, destroys. */
  const wholeLife = async (app: SmallApp) => {
    await using opened = await open(account);
    const { target } = opened;
    await opened.deploy(smallApp({ ...app, secrets: { KEY: 'one' } }));
    await opened.deploy(smallApp({ ...app, code: 'two' }));
    await opened.deploy(changed(smallApp({ ...app, code: 'three' })));
    await target.status();
    const request = { follow: false, sinceSeconds: 60, tailLines: undefined, note: () => {} };
    await target.logs({ ...request, signal: opened.ended.signal }, () => {});
    await target.rollback(await target.planRollback(1), listen());
    account.failNext = 'the runtime is unknown';
    await expect(opened.deploy(smallApp({ ...app, code: 'bad' }))).rejects.toThrow('the runtime is unknown');
    account.drift = [{ id: 'HttpRole', path: '/x', expected: 'a', actual: 'b' }];
    await target.status();
    account.changeSetFails = 'the template is unknown';
    await expect(opened.deploy(smallApp({ ...app, code: 'odd' }))).rejects.toThrow('the template is unknown');
    await target.destroy(await target.planDestroy({ component: 'all', purgeData: true }), listen());
  };

  test.each(applications)(
    '%s: the policy that is printed is enough for a whole life, and every action of it is used',
    async (_, app) => {
      const policy = await printed(true, app);
      await enforce(policy);
      await wholeLife(app);
      const asked = new Set(account.asked.map(({ action }) => action));
      // Everybody may ask who they are.
      asked.delete('sts:GetCallerIdentity');
      const allowed = policy.Statement.flatMap(({ Action }) => Action);
      expect([...asked].filter((action) => !allowed.includes(action))).toEqual([]);
      // Tags that are taken away: handlers are published to ask for that as well.
      const types = [...new Set(Object.values(smallApp(app).template.Resources).map(({ Type }) => Type))];
      const tagging = types.flatMap((type) => schemas[type]!.all).filter((right) => /:(Tag|Untag|List)/.test(right));
      expect(allowed.filter((action) => !asked.has(action) && !tagging.includes(action))).toEqual([]);
    },
    300_000,
  );

  test.each(applications)(
    '%s: without any action of it a deployment ends before anything changed, and names the action',
    async (_, app) => {
      const policy = await printed(true, app);
      await enforce(policy);
      await using opened = await open(account);
      // One action of every statement at a time, so that each is missing beside all others of its statement.
      const rounds = Math.max(...policy.Statement.map(({ Action }) => Action.length));
      const named = new Set<string>();
      for (let at = 0; at < rounds; at++) {
        const missing = policy.Statement.slice(1).flatMap(({ Sid, Action }) =>
          Action.slice(at, at + 1).map((action) => ({ Sid, action })),
        );
        account.asked.length = 0;
        account.caller = {
          ...administrator,
          policy: missing.reduce((left, { Sid, action }) => without(left, action, Sid), policy),
        };
        await expect(opened.deploy(smallApp(app))).rejects.toMatchObject({
          kind: 'prerequisite',
          message: `not allowed: ${[...new Set(missing.map(({ action }) => action))].join(', ')}`,
          hints: [expect.stringContaining('--dry-run prints the policy')],
        });
        expect(new Set(account.asked.map(({ action }) => action))).toEqual(new Set(['iam:SimulatePrincipalPolicy']));
        for (const { action } of missing) named.add(action);
      }
      const [asking, ...others] = policy.Statement;
      expect(named).toEqual(new Set(others.flatMap(({ Action }) => Action)));
      account.caller = { ...administrator, policy: without(policy, asking!.Action[0]!) };
      await expect(opened.deploy(smallApp(app))).rejects.toThrow('not allowed: iam:SimulatePrincipalPolicy');
    },
    300_000,
  );

  test('all that is missing is told in one list', async () => {
    const policy = await printed();
    await enforce(without(without(policy, 'lambda:CreateFunction'), 's3:PutObject'));
    await using opened = await open(account);
    await expect(opened.deploy(smallApp())).rejects.toThrow(/^not allowed: s3:PutObject, lambda:CreateFunction$/);
    // Allowed for another stack only.
    await enforce(JSON.parse(JSON.stringify(policy).replaceAll('demo-prod', 'other')));
    const refused: Error = await opened.deploy(smallApp()).catch((error) => error);
    expect(refused.message).toMatch(/^not allowed: cloudformation:CreateChangeSet, .*, lambda:UpdateFunctionCode/);
    expect(refused.message).not.toContain('apigateway');
  });

  test.each([
    ['arn:aws:sts::123456789012:assumed-role/Deployer/session', 'arn:aws:iam::123456789012:role/Deployer'],
    ['arn:aws:sts::123456789012:assumed-role/Admins_1/ada', 'arn:aws:iam::123456789012:role/aws-reserved/Admins_1'],
  ])('%s is asked about as its role', async (arn, principal) => {
    const policy = await printed();
    const ofRole = {
      Sid: 'x',
      Effect: 'Allow',
      Action: ['iam:GetRole'],
      Resource: ['arn:aws:iam::*:role/Admins_1'],
    } as const;
    const Statement = [...without(policy, 's3:PutObject').Statement, ofRole];
    account.caller = { arn, principal, policy: { ...policy, Statement } };
    const query = { Action: 'CreateRole', Version: '2010-05-08', RoleName: 'Admins_1', Path: '/aws-reserved/' };
    await fetch(account.direct, {
      method: 'POST',
      headers: { ...signed('iam'), 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...query, AssumeRolePolicyDocument: '{"Version":"2012-10-17","Statement":[]}' }),
    });
    await using opened = await open(account);
    await expect(opened.deploy(smallApp())).rejects.toThrow(/^not allowed: s3:PutObject$/);
  });

  test('an identity without policies of its own is told and deploys; the root of an account is not asked about', async () => {
    await account.reset();
    const told = listen();
    for (const name of ['sts::123456789012:federated-user/ada', 'iam::123456789012:root']) {
      account.caller = { ...administrator, arn: `arn:aws:${name}` };
      await using opened = await open(account);
      await opened.deploy(smallApp(), told);
    }
    expect(told.notes).toEqual([
      'rights of arn:aws:sts::123456789012:federated-user/ada cannot be asked for; the first refusal will be told',
    ]);
    expect(account.asked.map(({ action }) => action)).not.toContain('iam:SimulatePrincipalPolicy');
  });

  test('who may not ask is told of the way without asking, which needs no right to ask', async () => {
    const policy = await printed(false);
    expect(policy.Statement.flatMap(({ Action }) => Action)).not.toContain('iam:SimulatePrincipalPolicy');
    await enforce(policy);
    {
      await using opened = await open(account);
      await expect(opened.deploy(smallApp())).rejects.toMatchObject({
        message: 'not allowed: iam:SimulatePrincipalPolicy',
        hints: [expect.anything(), expect.stringContaining('check_rights = false')],
      });
    }
    await using opened = await open(account, { checksRights: false });
    await opened.deploy(smallApp());
  }, 300_000);

  test.each([
    [applications[0]!, (sid: string) => sid === 'OtherTables'],
    [applications[2]!, () => true],
    // Rights that the application before has not.
    [applications[3]!, (_sid: string, action: string) => /Concurrency|FunctionUrl/.test(action)],
  ] as const)(
    '%s: without asking, each right that anything asks for is named by what needs it',
    async ([, app], isMeant) => {
      const policy = await printed(false, app);
      const none = { follow: false, sinceSeconds: 60, tailLines: undefined, note: () => {} };
      /** Parts of a life, each of which follows a first deployment; they give what people read. */
      const parts: Readonly<Record<string, (opened: Opened) => Promise<unknown>>> = {
        change: async ({ deploy }) => await deploy(smallApp({ ...app, code: 'two' })),
        'another version of svc': async ({ deploy }) => await deploy(changed(smallApp({ ...app, code: 'two' }))),
        status: async ({ target }) => {
          account.drift = [{ id: 'HttpRole', path: '/x', expected: 'a', actual: 'b' }];
          throw new Error(JSON.stringify(await target.status()));
        },
        logs: async ({ target, ended }) => await target.logs({ ...none, signal: ended.signal }, () => {}),
        rollback: async ({ deploy, target }) => {
          await deploy(smallApp({ ...app, code: 'two' }));
          await target.rollback(await target.planRollback(1), listen());
        },
        'a change that is none': async ({ deploy }) => {
          account.changeSetFails = 'the template is unknown';
          await deploy(smallApp({ ...app, code: 'odd' }));
        },
        end: async ({ target }) =>
          await target.destroy(await target.planDestroy({ component: 'all', purgeData: true }), listen()),
      };
      const first = async ({ deploy }: Opened, isBefore: boolean) => {
        // An earlier version leaves tables behind.
        if (isBefore && app.needs?.hasSockets === false) await deploy(smallApp());
        await deploy(smallApp({ ...app, secrets: { KEY: 'one' } }));
      };
      /** Runs a part after a first deployment, or that alone; `missing` is what it may not do. Gives what people read. */
      const told = async (part: string, missing?: string, from?: string) => {
        await enforce();
        const rest = missing === undefined ? undefined : without(policy, missing, from);
        await using opened = await open(account, { checksRights: false });
        if (part !== 'first') await first(opened, true);
        account.asked.length = 0;
        account.caller = { ...administrator, policy: rest };
        const work = part === 'first' ? first(opened, false) : parts[part]!(opened);
        return await work.then(
          () => 'it went well',
          (error: Error) => error.message,
        );
      };
      const asked = new Map<string, string>();
      const results: string[] = [];
      for (const part of ['first', ...Object.keys(parts)]) {
        results.push(await told(part));
        for (const { action, resource } of account.asked) {
          const one = `${resource === mapping ? 'mapping ' : ''}${action}`;
          if (!asked.has(one)) asked.set(one, part);
        }
      }
      const well = 'it went well';
      expect(results).toEqual([
        ...[well, well, well, expect.stringContaining('HttpRole'), well, well],
        ...['the change set failed: the template is unknown', well],
      ]);
      const taken: string[] = [];
      const rest: string[] = [];
      for (const { Sid, Action } of policy.Statement)
        for (const missing of Action.filter((action) => isMeant(Sid, action))) {
          const part =
            Sid === 'OtherTables' ? 'end' : asked.get(`${Sid.includes('Mapping') ? 'mapping ' : ''}${missing}`);
          if (part === undefined) {
            rest.push(missing);
            continue;
          }
          expect(await told(part, missing, Sid), `${part} without ${missing}`).toContain(`not allowed: ${missing}`);
          if (part === 'first') expect(account.executed, missing).toBeUndefined();
          taken.push(missing);
        }
      // Published for handlers, asked for by none of these changes.
      expect(rest.filter((action) => !/:(Untag|List)/.test(action))).toEqual([]);
      expect(taken.length).toBeGreaterThan(1);
      process.stderr.write(
        `rights taken out one by one: ${taken.length}; asked for by nothing here: ${rest.join(', ')}\n`,
      );
    },
    1_200_000,
  );

  test('a version that needs less: what deletes the rest is in its plan, and asked for before anything changes', async () => {
    const [live, plain] = [smallApp({ needs: { hasLive: true } }), smallApp({ code: 'two' })];
    const first = await printed();
    expect(first.Statement.flatMap(({ Action }) => Action)).not.toContain('lambda:DeleteEventSourceMapping');
    await enforce();
    await using opened = await open(account);
    await opened.deploy(live);
    account.caller = { ...administrator, policy: first };
    await expect(opened.deploy(plain)).rejects.toThrow(/^not allowed: .*lambda:DeleteEventSourceMapping/);
    expect(account.executed).toEqual(live.template);
    account.caller = administrator;
    const { policy } = await opened.target.plan(plain);
    account.caller = { ...administrator, policy };
    account.asked.length = 0;
    await opened.deploy(plain);
    expect(account.asked.map(({ action }) => action)).toContain('lambda:DeleteEventSourceMapping');
    expect(account.executed).toEqual(plain.template);
  }, 300_000);

  test.each(applications)(
    '%s: the checker of templates has no findings',
    (_, app) => {
      using folder = folderWith({ 'stack.template': JSON.stringify(smallApp(app).template) });
      execFileSync(cfnLint, ['stack.template'], { cwd: folder.path });
    },
    300_000,
  );

  test('no right is for everything, but for what the services have no finer name for', async () => {
    const policy = await printed(true, applications[3]![1]);
    const wide = policy.Statement.flatMap(({ Sid, Resource }) => (Resource.includes('*') ? [Sid] : []));
    expect(wide).toEqual(['Drift', 'NewMappings']);
    for (const { Action, Resource, Sid } of policy.Statement) {
      expect(Action.filter((one) => one.includes('*'))).toEqual([]);
      const named = Resource.filter((one) => !/demo-prod|^\*$/.test(one));
      expect(named.length > 0 ? Sid : '').toMatch(/^(|Apis|LogGroupNames|Asking|Mappings|MappingDetails)$/);
    }
  });
});

/** Read only for resources with keys, files or policies of their own, which ours have not. */
const notOurs = ['kms:Decrypt', 's3:getObject', 'iam:PassRole', 'logs:DescribeResourcePolicies'];

const mapping = 'AWS::Lambda::EventSourceMapping';

/** Rights to write what our templates have: no networks, no images, no indexes of logs. */
const written =
  /^(lambda:((Create|Update|Delete)(EventSourceMapping|FunctionUrlConfig)|(Put|Delete)FunctionConcurrency|CreateFunction|UpdateFunctionCode|UpdateFunctionConfiguration|DeleteFunction|AddPermission|RemovePermission)|iam:(CreateRole|DeleteRole|PassRole|PutRolePolicy|DeleteRolePolicy|UpdateRole|UpdateAssumeRolePolicy)|logs:(CreateLogGroup|DeleteLogGroup|PutRetentionPolicy)|dynamodb:(CreateTable|DeleteTable|UpdateTable|UpdateTimeToLive|UpdateContinuousBackups)|events:(Put|Delete|Remove)\w+|apigateway:(POST|PUT|PATCH|DELETE)|(lambda|iam|logs|dynamodb|events|apigateway):(Tag|Untag)(Resource|Role))$/;
