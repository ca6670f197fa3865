/** The policy that `--dry-run` prints: all that a deployment asks for and nothing else, by our requests and by the published schemas of resource types. */
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, cfnLint, hasNoAccount, startAccount } from './account.ts';
import { listen, open, smallApp } from './small-app.ts';

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
    found[schema['typeName']] = {'all': rights('create', 'read', 'update', 'delete') + tagging, 'read': rights('read')}
print(json.dumps(found))
`;

describe.skipIf(hasNoAccount())('the rights that deploying needs', () => {
  let account: Account;

  beforeAll(async () => {
    account = await startAccount();
  }, 300_000);
  afterAll(async () => await account?.[Symbol.asyncDispose]());

  /** Deploys, changes, looks, goes back, destroys. */
  const live = async () => {
    await using opened = await open(account);
    const { target } = opened;
    await opened.deploy(smallApp({ secrets: { KEY: 'one' } }));
    const { policy } = await target.plan(smallApp());
    await opened.deploy(smallApp({ code: 'two' }));
    await target.status();
    const request = { follow: false, sinceSeconds: 60, tailLines: undefined, note: () => {} };
    await target.logs({ ...request, signal: opened.ended.signal }, () => {});
    await target.rollback(await target.planRollback(1), listen());
    account.failNext = 'the runtime is unknown';
    await opened.deploy(smallApp({ code: 'bad' })).catch(() => {});
    account.drift = [{ id: 'HttpRole', path: '/x', expected: 'a', actual: 'b' }];
    await target.status();
    await target.destroy(await target.planDestroy({ component: 'all', purgeData: true }), listen());
    return policy;
  };

  test('every request of a whole life is allowed, and what is allowed is asked for', async () => {
    await account.reset();
    const policy = await live();
    const asked = new Set(account.asked.map(({ action }) => action));
    // Everybody may ask who they are.
    asked.delete('sts:GetCallerIdentity');
    const allowed = new Set(policy.Statement.flatMap(({ Action }) => Action));
    expect([...asked].filter((action) => !allowed.has(action))).toEqual([]);
    const schemas: Readonly<Record<string, Readonly<Record<'all' | 'read', string[]>>>> = JSON.parse(
      execFileSync(join(dirname(cfnLint), 'python3'), ['-c', readSchemas], { maxBuffer: 1 << 26 }).toString(),
    );
    const types = [...new Set(Object.values(smallApp().template.Resources).map(({ Type }) => Type))];
    const registered = new Set(types.flatMap((type) => schemas[type]!.all));
    const rare = [
      // Asked with the tags of a new parameter; and only when a change set is refused.
      ...['ssm:AddTagsToResource', 'cloudformation:DeleteChangeSet'],
      // Asked by the detection of drift: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/detect-drift-stack.html
      ...['cloudformation:DetectStackResourceDrift', 'cloudformation:BatchDescribeTypeConfigurations'],
    ];
    const known = (action: string) => asked.has(action) || registered.has(action) || rare.includes(action);
    expect([...allowed].filter((action) => !known(action))).toEqual([]);
    // All that handlers read; of what they write, what our properties make them write.
    const read = types.flatMap((type) => schemas[type]!.read).filter((right) => !notOurs.includes(right));
    const needed = [...read, ...[...registered].filter((right) => written.test(right))];
    expect(needed.filter((right) => !allowed.has(right))).toEqual([]);
  }, 300_000);

  test('no right is for everything, but for what the services have no finer name for', async () => {
    await account.reset();
    await using opened = await open(account);
    const { policy } = await opened.target.plan(smallApp());
    const wide = policy.Statement.flatMap(({ Sid, Resource }) => (Resource.includes('*') ? [Sid] : []));
    expect(wide).toEqual(['Drift']);
    for (const { Action, Resource, Sid } of policy.Statement) {
      expect(Action.filter((one) => one.includes('*'))).toEqual([]);
      const named = Resource.filter((one) => !/demo-prod|^\*$/.test(one));
      expect(named.length > 0 ? Sid : '').toMatch(/^(|Apis|LogGroupNames)$/);
    }
  });

  test.each([
    'cloudformation:ExecuteChangeSet',
    'ssm:PutParameter',
    's3:PutObject',
    's3:CreateBucket',
    'dynamodb:DescribeTable',
  ])('without %s it ends before anything changed, and says so', async (missing) => {
    await account.reset();
    await using opened = await open(account);
    account.intercept = ({ action }) =>
      action === missing ? { status: 403, code: 'AccessDenied', message: 'Access Denied' } : undefined;
    await expect(opened.deploy(smallApp())).rejects.toMatchObject({
      kind: 'prerequisite',
      message: `not allowed: ${missing}`,
    });
    expect(account.executed).toBeUndefined();
  });
});

/** Read only for resources with keys, files or policies of their own, which ours have not. */
const notOurs = ['kms:Decrypt', 's3:getObject', 'iam:PassRole', 'logs:DescribeResourcePolicies'];

/** Rights to write what our templates have: no networks, no images, no indexes of logs. */
const written =
  /^(lambda:(CreateFunction|UpdateFunctionCode|UpdateFunctionConfiguration|DeleteFunction|AddPermission|RemovePermission)|iam:(CreateRole|DeleteRole|PassRole|PutRolePolicy|DeleteRolePolicy|UpdateRole|UpdateAssumeRolePolicy)|logs:(CreateLogGroup|DeleteLogGroup|PutRetentionPolicy)|dynamodb:(CreateTable|DeleteTable|UpdateTable|UpdateTimeToLive|UpdateContinuousBackups)|events:(Put|Delete|Remove)\w+|apigateway:(POST|PUT|PATCH|DELETE)|(lambda|iam|logs|dynamodb|events|apigateway):(Tag|Untag)(Resource|Role))$/;
