/** The policy that `--dry-run` prints: all that a deployment asks for and nothing else, by our requests and by the published schemas of resource types. */
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Policy } from '../../../infra/targets/cloud/rights.ts';
import { type Account, cfnLint, hasNoAccount, signed, startAccount } from './account.ts';
import { administrator } from './caller.ts';
import { listen, type Opened, open, smallApp } from './small-app.ts';

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
        **{kind: rights(kind) for kind in ('create', 'read', 'delete')}}
print(json.dumps(found))
`;

type Schemas = Readonly<Record<string, Readonly<Record<'all' | 'read' | 'create' | 'delete', string[]>>>>;

/** The policy without one action. */
function without({ Version, Statement }: Policy, missing: string): Policy {
  const rest = Statement.map((one) => ({ ...one, Action: one.Action.filter((action) => action !== missing) }));
  return { Version, Statement: rest };
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
    account.neededFor = (kind, { Resources }) => {
      const types = Object.values(Resources).map(({ Type }) => schemas[Type]!);
      const reads = types.flatMap(({ read }) => read).filter((right) => !notOurs.includes(right));
      return [...types.flatMap((type) => type[kind]).filter((right) => written.test(right)), ...reads];
    };
  };
  const printed = async (checksRights = true): Promise<Policy> => {
    await account.reset();
    await using opened = await open(account, { checksRights });
    return (await opened.target.plan(smallApp())).policy;
  };

  /** Deploys, fails, changes, looks, goes back, destroys. */
  const live = async () => {
    await using opened = await open(account);
    const { target } = opened;
    await opened.deploy(smallApp({ secrets: { KEY: 'one' } }));
    await opened.deploy(smallApp({ code: 'two' }));
    await target.status();
    const request = { follow: false, sinceSeconds: 60, tailLines: undefined, note: () => {} };
    await target.logs({ ...request, signal: opened.ended.signal }, () => {});
    await target.rollback(await target.planRollback(1), listen());
    account.failNext = 'the runtime is unknown';
    await expect(opened.deploy(smallApp({ code: 'bad' }))).rejects.toThrow('the runtime is unknown');
    account.drift = [{ id: 'HttpRole', path: '/x', expected: 'a', actual: 'b' }];
    await target.status();
    account.changeSetFails = 'the template is unknown';
    await expect(opened.deploy(smallApp({ code: 'odd' }))).rejects.toThrow('the template is unknown');
    await target.destroy(await target.planDestroy({ component: 'all', purgeData: true }), listen());
  };

  test('the policy that is printed is enough for a whole life, and every action of it is used', async () => {
    const policy = await printed();
    await enforce(policy);
    await live();
    const asked = new Set(account.asked.map(({ action }) => action));
    // Everybody may ask who they are.
    asked.delete('sts:GetCallerIdentity');
    const allowed = policy.Statement.flatMap(({ Action }) => Action);
    const types = [...new Set(Object.values(smallApp().template.Resources).map(({ Type }) => Type))];
    // Changes of our properties in place, tags, and networks of which a handler reads.
    const registered = new Set(types.flatMap((type) => schemas[type]!.all));
    expect(allowed.filter((action) => !asked.has(action) && !registered.has(action))).toEqual([]);
    expect([...asked].filter((action) => !allowed.includes(action))).toEqual([]);
    // All that handlers read; of what they write, what our properties make them write.
    const read = types.flatMap((type) => schemas[type]!.read).filter((right) => !notOurs.includes(right));
    const needed = [...read, ...[...registered].filter((right) => written.test(right))];
    expect(needed.filter((right) => !allowed.includes(right))).toEqual([]);
  }, 300_000);

  test('without any action of it a deployment ends before anything changed, and names the action', async () => {
    const policy = await printed();
    await enforce(policy);
    await using opened = await open(account);
    // One action of every statement at a time, so that each is missing beside all others of its statement.
    const rounds = Math.max(...policy.Statement.map(({ Action }) => Action.length));
    const named = new Set<string>();
    for (let at = 0; at < rounds; at++) {
      const missing = policy.Statement.slice(1).flatMap(({ Action }) => Action.slice(at, at + 1));
      account.asked.length = 0;
      account.caller = { ...administrator, policy: missing.reduce(without, policy) };
      await expect(opened.deploy(smallApp())).rejects.toMatchObject({
        kind: 'prerequisite',
        message: `not allowed: ${missing.join(', ')}`,
        hints: [expect.stringContaining('--dry-run prints the policy')],
      });
      expect(new Set(account.asked.map(({ action }) => action))).toEqual(new Set(['iam:SimulatePrincipalPolicy']));
      for (const one of missing) named.add(one);
    }
    const [asking, ...others] = policy.Statement;
    expect(named).toEqual(new Set(others.flatMap(({ Action }) => Action)));
    account.caller = { ...administrator, policy: without(policy, asking!.Action[0]!) };
    await expect(opened.deploy(smallApp())).rejects.toThrow('not allowed: iam:SimulatePrincipalPolicy');
  }, 300_000);

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

  test('without asking, each right that anything asks for is named by what needs it', async () => {
    const policy = await printed(false);
    const none = { follow: false, sinceSeconds: 60, tailLines: undefined, note: () => {} };
    /** Parts of a life, each of which follows a first deployment; they give what people read. */
    const parts: Readonly<Record<string, (opened: Opened) => Promise<unknown>>> = {
      change: async ({ deploy }) => await deploy(smallApp({ code: 'two' })),
      status: async ({ target }) => {
        account.drift = [{ id: 'HttpRole', path: '/x', expected: 'a', actual: 'b' }];
        throw new Error(JSON.stringify(await target.status()));
      },
      logs: async ({ target, ended }) => await target.logs({ ...none, signal: ended.signal }, () => {}),
      rollback: async ({ deploy, target }) => {
        await deploy(smallApp({ code: 'two' }));
        await target.rollback(await target.planRollback(1), listen());
      },
      'a change that is none': async ({ deploy }) => {
        account.changeSetFails = 'the template is unknown';
        await deploy(smallApp({ code: 'odd' }));
      },
      end: async ({ target }) =>
        await target.destroy(await target.planDestroy({ component: 'all', purgeData: true }), listen()),
    };
    const first = async ({ deploy }: Opened) => await deploy(smallApp({ secrets: { KEY: 'one' } }));
    /** Runs a part after a first deployment, or that alone; `missing` is what it may not do. Gives what people read. */
    const told = async (part: string, missing?: string) => {
      await enforce();
      const rest = missing === undefined ? undefined : without(policy, missing);
      await using opened = await open(account, { checksRights: false });
      if (part !== 'first') await first(opened);
      account.asked.length = 0;
      account.caller = { ...administrator, policy: rest };
      const work = part === 'first' ? first(opened) : parts[part]!(opened);
      return await work.then(
        () => 'it went well',
        (error: Error) => error.message,
      );
    };
    const asked = new Map<string, string>();
    for (const part of ['first', ...Object.keys(parts)]) {
      await told(part);
      for (const { action } of account.asked) if (!asked.has(action)) asked.set(action, part);
    }
    const allowed = policy.Statement.flatMap(({ Action }) => Action);
    const removed = allowed.filter((action) => asked.has(action));
    for (const missing of removed) {
      const part = asked.get(missing)!;
      expect(await told(part, missing), `${part} without ${missing}`).toContain(`not allowed: ${missing}`);
      if (part === 'first') expect(account.executed, missing).toBeUndefined();
    }
    const types = Object.values(smallApp().template.Resources).map(({ Type }) => schemas[Type]!);
    const ofUpdates = types.flatMap(({ all }) => all);
    const others = allowed.filter((action) => !asked.has(action));
    expect(others.filter((action) => !ofUpdates.includes(action))).toEqual([]);
    process.stderr.write(
      `rights taken out one by one: ${removed.length}; asked for by updates alone: ${others.join(', ')}\n`,
    );
  }, 900_000);

  test('no right is for everything, but for what the services have no finer name for', async () => {
    const policy = await printed();
    const wide = policy.Statement.flatMap(({ Sid, Resource }) => (Resource.includes('*') ? [Sid] : []));
    expect(wide).toEqual(['Drift']);
    for (const { Action, Resource, Sid } of policy.Statement) {
      expect(Action.filter((one) => one.includes('*'))).toEqual([]);
      const named = Resource.filter((one) => !/demo-prod|^\*$/.test(one));
      expect(named.length > 0 ? Sid : '').toMatch(/^(|Apis|LogGroupNames|Asking)$/);
    }
  });
});

/** Read only for resources with keys, files or policies of their own, which ours have not. */
const notOurs = ['kms:Decrypt', 's3:getObject', 'iam:PassRole', 'logs:DescribeResourcePolicies'];

/** Rights to write what our templates have: no networks, no images, no indexes of logs. */
const written =
  /^(lambda:(CreateFunction|UpdateFunctionCode|UpdateFunctionConfiguration|DeleteFunction|AddPermission|RemovePermission)|iam:(CreateRole|DeleteRole|PassRole|PutRolePolicy|DeleteRolePolicy|UpdateRole|UpdateAssumeRolePolicy)|logs:(CreateLogGroup|DeleteLogGroup|PutRetentionPolicy)|dynamodb:(CreateTable|DeleteTable|UpdateTable|UpdateTimeToLive|UpdateContinuousBackups)|events:(Put|Delete|Remove)\w+|apigateway:(POST|PUT|PATCH|DELETE)|(lambda|iam|logs|dynamodb|events|apigateway):(Tag|Untag)(Resource|Role))$/;
