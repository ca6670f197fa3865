/** A deployment to a stand-in for Google Cloud of which a step fails: the version before keeps serving, and a second run succeeds. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deployThere, failureOf } from '../../../test/harness/google/deploy-there.ts';
import { type GoogleStandIn, startGoogleStandIn } from '../../../test/harness/google/google-stand-in.ts';
import { project, region } from '../../../test/harness/google/state.ts';
import { destroyRights, readRights, rollbackRights } from './rights.ts';

let google: GoogleStandIn;
let there: ReturnType<typeof deployThere>;
beforeEach(async () => {
  google = await startGoogleStandIn();
  there = deployThere(google);
});
afterEach(() => google[Symbol.asyncDispose]());

const second = () => there.appOf({ secrets: { DOCDB_URI: 'mongodb://canary-2', NEW: 'canary-3' } }, 'two');
const isServed = () => expect(there.serving()).toEqual(['demo-00001 100']);
async function succeeds(): Promise<void> {
  expect(await there.deploy(second())).toMatchObject({ url: expect.any(String) });
  expect(there.serving()).toEqual([expect.stringMatching(/^demo-0000[2-9] 100$/)]);
  expect(await there.deploy(second())).toBe('up to date');
}

/** Every request of a deployment that follows another one. */
const calls = [
  ...['test', 'repositories.get', 'secrets.get', 'secrets.create', 'policy.get', 'policy.set', 'versions.access'],
  ...['versions.add', 'services.get', 'revisions.list', 'accounts.get', 'services.patch', 'operations.get'],
  ...['revisions.get', 'secrets.list', 'versions.list', 'apis.get'],
];

describe.each(calls)('%s', (call) => {
  test('is refused', async () => {
    await there.deploy();
    there.steps.length = 0;
    google.intercept = (line) => (line === call ? { status: 400, message: 'injected' } : undefined);
    const failed = await failureOf(there.deploy(second()));
    expect([failed.name, failed.message]).toEqual(['DeployFailure', expect.stringContaining('injected')]);
    google.intercept = () => undefined;
    // Nothing that fails after the traffic has been sent is a reason to go back.
    if (there.steps.at(-1) === 'forget old revisions') expect(there.serving()).toEqual(['demo-00002 100']);
    else if (there.steps.at(-1)?.startsWith('send traffic') !== true) isServed();
    const again = await there.deploy(second());
    if (again !== 'up to date') expect(again).toMatchObject({ url: expect.any(String) });
    expect(await there.deploy(second())).toBe('up to date');
  });

  test('fails for a while, is slowed down, its answers get lost', async () => {
    await there.deploy();
    const faults = [{ status: 503 }, { status: 429 }, 'gone', 'lost'] as const;
    let n = 0;
    google.intercept = (line) => (line === call ? faults[n++] : undefined);
    await succeeds();
    expect(n).toBeGreaterThanOrEqual(4);
    expect(there.away.length).toBeGreaterThan(0);
    expect(google.state.versions.get(`projects/${project}/secrets/demo-DOCDB_URI`)!.at(-1)).toBe('mongodb://canary-2');
  });
});

test.each([...['check rights', 'push image', 'write secrets', 'release', 'send traffic', 'forget old revisions']])(
  'broken off before step %s',
  async (step) => {
    await there.deploy();
    there.hooks.before = (name) => {
      if (name.startsWith(step)) throw new Error('broken off');
    };
    await expect(there.deploy(second())).rejects.toThrow('broken off');
    there.hooks.before = () => {};
    if (step === 'forget old revisions') expect(there.serving()).toEqual(['demo-00002 100']);
    else isServed();
    const again = await there.deploy(second());
    if (step === 'forget old revisions') expect(again).toBe('up to date');
    expect(there.serving()).toEqual(['demo-00002 100']);
    expect(there.revisions()).toEqual(['demo-00001', 'demo-00002']);
  },
);

test('a first deployment that fails at each of its requests succeeds the second time', async () => {
  const lines = ['repositories.create', 'accounts.create', 'services.create', 'policy.set', 'versions.add'];
  for (const call of lines) {
    await using own = await startGoogleStandIn();
    const { deploy, serving } = deployThere(own);
    own.intercept = (line) => (line === call ? { status: 400 } : undefined);
    expect((await failureOf(deploy())).name, call).toBe('DeployFailure');
    own.intercept = () => undefined;
    await deploy();
    expect(serving(), call).toEqual([expect.stringMatching(/^demo-0000[12] 100$/)]);
  }
});

test('a signal in the middle ends it; the revision that is on its way is used by the second run', async () => {
  await there.deploy();
  google.state.looks = 5;
  const ended = new AbortController();
  const target = await there.open(ended.signal);
  google.intercept = (line) => {
    if (line === 'operations.get') ended.abort(new Error('interrupted'));
    return undefined;
  };
  await expect(there.deploy(second(), target)).rejects.toThrow();
  google.intercept = () => undefined;
  isServed();
  expect(await there.deploy(second())).toMatchObject({ url: expect.any(String) });
  expect(there.serving()).toEqual(['demo-00002 100']);
});

test('a revision that does not become ready: its message, its last 30 lines, and no traffic for it', async () => {
  await there.deploy();
  google.state.notReady = () => 'The container failed to start and listen on PORT=8000.';
  for (let i = 0; i < 40; i++)
    google.state.logs.push({
      insertId: `id-${i}`,
      timestamp: new Date(1e12 + i * 1000).toISOString(),
      resource: { labels: { service_name: 'demo', revision_name: 'demo-00002', location: region } },
      textPayload: `line ${i}`,
    });
  const { kind, message, output, hints } = await failureOf(there.deploy(second()));
  expect([kind, message]).toEqual([
    'failed',
    'revision demo-00002 did not become ready: The container failed to start and listen on PORT=8000.',
  ]);
  expect(output).toEqual(Array.from({ length: 30 }, (_, i) => `line ${i + 10}`));
  expect(hints).toEqual([expect.stringMatching(/^the version before keeps serving/)]);
  isServed();
  expect(await (await there.open()).status()).toMatchObject({
    ...{ isHealthy: false, revision: { number: 1 } },
    lastError: 'revision demo-00002: The container failed to start and listen on PORT=8000.',
  });
  google.state.notReady = () => undefined;
  await succeeds();
  expect(there.serving()).toEqual(['demo-00003 100']);
});

test('somebody else deploys meanwhile: whoever comes second is told, and nothing of the first is undone', async () => {
  await there.deploy();
  const target = await there.open();
  const plan = await target.plan(second());
  await there.deploy(there.appOf({}, 'of somebody else'));
  const revision = { version: '1.0.0', sourceDigest: 'x', schema: {} };
  const failed = await failureOf(target.apply(plan, { allowDataLoss: [], revision }, there.progress));
  expect([failed.kind, failed.message]).toEqual([
    'failed',
    'service demo was changed while deploying (etag); run again',
  ]);
  expect(there.serving()).toEqual(['demo-00002 100']);
  await succeeds();
});

test('somebody takes the traffic while the revision becomes ready: told, and not taken back', async () => {
  await there.deploy();
  there.hooks.before = (step) => {
    if (!step.startsWith('send traffic')) return;
    there.service().etag = '"another"';
    there.hooks.before = () => {};
  };
  expect((await failureOf(there.deploy(second()))).message).toContain('(etag); run again');
  isServed();
  await succeeds();
});

test('a token that ends in the middle is renewed; credentials that end are told, and a second run continues', async () => {
  await there.deploy();
  const endAt = (call: string, signsIn: boolean) => {
    google.intercept = (line) => {
      if (line !== call) return undefined;
      google.state.tokens.clear();
      google.state.signsIn = signsIn;
      google.intercept = () => undefined;
      return undefined;
    };
  };
  endAt('versions.add', true);
  await succeeds();
  endAt('versions.add', false);
  const third = there.appOf({ secrets: { DOCDB_URI: 'mongodb://canary-4' } }, 'three');
  const failed = await failureOf(there.deploy(third));
  expect([failed.kind, failed.message]).toEqual([
    'prerequisite',
    expect.stringContaining('does not accept the credentials'),
  ]);
  expect(failed.message + failed.hints.join('')).not.toContain('canary');
  google.state.signsIn = true;
  expect(await there.deploy(third)).toMatchObject({ url: expect.any(String) });
});

test('every right that is printed is needed, and no other: without each one a deployment ends before it changes anything', async () => {
  const { rights } = await (await there.open()).plan(there.appOf());
  for (const right of rights) {
    google.state.denied.clear();
    google.state.denied.add(right);
    const { kind, message } = await failureOf(there.deploy());
    expect([kind, message]).toEqual(['prerequisite', `not allowed: ${right} in project ${project}`]);
    expect(google.changes).toEqual([]);
  }
  // Whatever a method asks for beyond what is printed is missing here.
  google.state.denied.clear();
  const { methods } = await import('../../../test/harness/google/methods.ts');
  for (const { permission } of methods)
    if (permission !== undefined && !rights.includes(permission)) google.state.denied.add(permission);
  expect(await there.deploy()).toMatchObject({ url: expect.any(String) });
});

test('going back and the end need exactly their rights, and without each one nothing changes', async () => {
  await there.deploy();
  await there.deploy(second());
  const back = async () => {
    const target = await there.open();
    await target.rollback(await target.planRollback(1), there.progress);
  };
  const end = async () => {
    const target = await there.open();
    await target.destroy(await target.planDestroy({ component: 'all', purgeData: false }), there.progress);
  };
  const { methods } = await import('../../../test/harness/google/methods.ts');
  const all = methods.flatMap(({ permission }) => permission ?? []);
  const parts = [
    [back, rollbackRights],
    [end, destroyRights],
  ] as const;
  for (const [work, rights] of parts) {
    for (const right of [...readRights, ...rights]) {
      google.state.denied.clear();
      google.changes.length = 0;
      google.state.denied.add(right);
      const { message, kind } = await failureOf(work());
      if (message === 'no failure' && readRights.includes(right)) {
        // This part reads nothing of that kind.
        google.state.denied.clear();
        await there.deploy();
        await there.deploy(second());
        continue;
      }
      expect([kind, message], right).toEqual(['prerequisite', `not allowed: ${right} in project ${project}`]);
      expect(google.changes).toEqual([]);
    }
    google.state.denied.clear();
    for (const one of all) if (![...readRights, ...rights].includes(one)) google.state.denied.add(one);
    await work();
  }
  expect(google.state.services.size).toBe(0);
});

test('an end that fails at any of its requests goes on', async () => {
  const target = await there.open();
  const plan = () => target.planDestroy({ component: 'all', purgeData: false });
  await there.deploy();
  const deletes = ['services.delete', 'secrets.delete', 'accounts.delete', 'packages.delete', 'repositories.delete'];
  for (const call of deletes) {
    if (google.state.services.size === 0) await there.deploy();
    google.intercept = (line) => (line === call ? { status: 400, message: 'injected' } : undefined);
    const failed = await failureOf(target.destroy(await plan(), there.progress));
    expect(`${failed.message} ${failed.output}`, call).toMatch(/remain.*injected/);
    google.intercept = () => undefined;
    await target.destroy(await plan(), there.progress);
    expect((await plan()).deleted, call).toEqual([]);
  }
});

test('destroy touches nothing of others, and goes on where it was broken off', async () => {
  await there.deploy();
  const { state } = google;
  const other = { labels: { app: 'other', managed: 'svc-scale' } };
  state.secrets.set(`projects/${project}/secrets/demo-HAND`, { name: `projects/${project}/secrets/demo-HAND` });
  state.secrets.set(`projects/${project}/secrets/other-X`, { name: `projects/${project}/secrets/other-X`, ...other });
  state.accounts.set(`projects/${project}/serviceAccounts/x`, { email: 'x' });
  state.packages.add(`projects/${project}/locations/${region}/repositories/svc/packages/other`);
  state.services.set(`projects/${project}/locations/${region}/services/other`, { ...other });
  const target = await there.open();
  const plan = await target.planDestroy({ component: 'all', purgeData: false });
  google.intercept = (line) => (line === 'accounts.delete' ? { status: 400 } : undefined);
  const failed = await failureOf(target.destroy(plan, there.progress));
  expect([failed.message, failed.output]).toEqual(['1 of 5 things remain', ['ServiceAccount demo-run: injected 400']]);
  google.intercept = () => undefined;
  const rest = await target.planDestroy({ component: 'all', purgeData: false });
  expect(rest.deleted).toEqual(['ServiceAccount demo-run']);
  await target.destroy(rest, there.progress);
  expect([...state.secrets.keys()].map((name) => name.split('/').at(-1))).toEqual(['demo-HAND', 'other-X']);
  expect([state.accounts.size, state.services.size, state.packages.size, state.repositories.size]).toEqual([
    1, 1, 1, 1,
  ]);
});

test.each([
  ['service', () => google.state.services.set(`projects/${project}/locations/${region}/services/demo`, { etag: 'x' })],
  ['secret', () => google.state.secrets.set(`projects/${project}/secrets/demo-DOCDB_URI`, {})],
  [
    'service account',
    () =>
      google.state.accounts.set(`projects/${project}/serviceAccounts/demo-run@${project}.iam.gserviceaccount.com`, {}),
  ],
] as const)('a %s of others of that name is never touched', async (kind, add) => {
  add();
  const failed = await failureOf(there.deploy());
  expect(failed.message).toMatch(new RegExp(`^${kind} .* exists and is not managed by svc$`));
  expect(google.changes).toEqual([]);
});

test('a secret of others is not written to when only its API was off', async () => {
  google.state.apisOff.add('secretmanager');
  google.state.secrets.set(`projects/${project}/secrets/demo-DOCDB_URI`, {});
  expect((await failureOf(there.deploy())).message).toContain('is not managed by svc');
  expect(google.changes).not.toContain('secretmanager versions.add');
});

test('nothing that is secret is in what is stored, said or asked, but in Secret Manager', async () => {
  await there.deploy();
  await there.deploy(second());
  const { services, revisions, repositories, policies } = google.state;
  const stored = [services, revisions, repositories, policies].map((map) => JSON.stringify([...map]));
  expect(stored.join()).not.toContain('canary');
  for (const { line, text } of google.requests) {
    expect(text).not.toContain('canary');
    if (line !== 'secretmanager versions.add')
      expect(text).not.toContain(Buffer.from('mongodb://canary').toString('base64').slice(0, 20));
  }
  expect([...there.steps, ...there.away].join()).not.toContain('canary');
});
