/** The life of a deployment in a stand-in for Google Cloud (docs/server/google-cloud.md). What becomes of it when a step fails: failures.test.ts. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deployThere, failureOf } from '../../../test/harness/google/deploy-there.ts';
import { type GoogleStandIn, startGoogleStandIn } from '../../../test/harness/google/google-stand-in.ts';
import { project, region } from '../../../test/harness/google/state.ts';
import { type GooglePlan, planAlone } from './find-changes.ts';
import { shownThings } from './shown-things.ts';

let google: GoogleStandIn;
let there: ReturnType<typeof deployThere>;
beforeEach(async () => {
  google = await startGoogleStandIn();
  there = deployThere(google);
});
afterEach(() => google[Symbol.asyncDispose]());

test('a deployment, the same again, another one, back, and gone', async () => {
  const { appOf, open, deploy, steps, progress, serving, service } = there;
  for (const api of ['run', 'secretmanager', 'cloudresourcemanager']) google.state.apisOff.add(api);
  const plan = (await (await open()).plan(appOf())) as GooglePlan;
  expect(plan.apisOff).toEqual(['run', 'secretmanager', 'cloudresourcemanager']);
  expect(google.changes).toEqual([]);

  const first = await deploy();
  expect(first).toEqual({ place: `${project}/${region}`, url: 'https://demo-abc123-ew.a.run.app', notes: [] });
  expect(steps).toEqual([
    ...['check rights', 'enable APIs', 'push image', 'create service account', 'write secrets'],
    ...['release demo-00001', 'send traffic to demo-00001', 'forget old revisions'],
  ]);
  expect(serving()).toEqual(['demo-00001 100']);
  const { template, labels } = service();
  expect(labels).toEqual({
    ...{ app: 'demo', managed: 'svc-scale', version: '1_0_0' },
    'app-kubernetes-io-name': 'demo',
    'app-kubernetes-io-managed-by': 'svc-scale',
    'app-kubernetes-io-version': '1_0_0',
  });
  expect(template).toMatchObject({
    serviceAccount: `demo-run@${project}.iam.gserviceaccount.com`,
    timeout: '300s',
    maxInstanceRequestConcurrency: 80,
    containers: [
      {
        args: ['start', 'main.svc', '--host', '0.0.0.0', '--port', '8000'],
        image: expect.stringMatching(/^europe-west1-docker\.pkg\.dev\/demo-project\/svc\/demo@sha256:/),
        resources: { limits: { cpu: '1', memory: '512Mi' }, cpuIdle: true, startupCpuBoost: true },
      },
    ],
  });
  expect(template.containers[0].env).toEqual([
    ...[
      { name: 'SVC_ENV', value: 'production' },
      { name: 'SVC_ADAPTER', value: 'cloud_b' },
    ],
    { name: 'GREETING', value: 'hi' },
    { name: 'DOCDB_URI', valueSource: { secretKeyRef: { secret: 'demo-DOCDB_URI', version: '1' } } },
    { name: 'JWT_SECRET', valueSource: { secretKeyRef: { secret: 'demo-JWT_SECRET', version: '1' } } },
  ]);
  const policy = google.state.policies.get(`projects/${project}/locations/${region}/services/demo`);
  expect(policy.bindings).toEqual([{ role: 'roles/run.invoker', members: ['allUsers'] }]);

  google.changes.length = 0;
  expect(await deploy()).toBe('up to date');
  expect(google.changes).toEqual([]);

  const changed = appOf({ secrets: { DOCDB_URI: 'mongodb://canary-2' } });
  const { changes } = await (await open()).plan(changed);
  expect(changes.filter(({ kind }) => kind !== 'keep')).toEqual([
    {
      kind: 'change',
      object: 'Secret demo-DOCDB_URI',
      fields: [{ path: 'value', from: '(hidden)', to: '(hidden, another)' }],
      losesData: false,
    },
    {
      kind: 'change',
      object: 'Service demo',
      fields: [{ path: 'containers[app].env[DOCDB_URI].valueSource.secretKeyRef.version', from: '1', to: 'new' }],
      losesData: false,
    },
  ]);
  await deploy(changed);
  expect(serving()).toEqual(['demo-00002 100']);
  expect(google.state.versions.get(`projects/${project}/secrets/demo-DOCDB_URI`)).toEqual([
    'mongodb://canary-1',
    'mongodb://canary-2',
  ]);
  expect(google.state.versions.get(`projects/${project}/secrets/demo-JWT_SECRET`)).toHaveLength(1);

  const target = await open();
  expect(await target.status()).toMatchObject({
    ...{ name: 'demo', isHealthy: true, version: '1.0.0', url: 'https://demo-abc123-ew.a.run.app', drift: [] },
    revision: { number: 2, who: 'ada@here' },
    revisions: [{ number: 2 }, { number: 1 }],
  });
  const back = await target.planRollback(undefined);
  expect([back.to.number, back.from.number]).toEqual([1, 2]);
  await target.rollback(back, progress);
  expect(serving()).toEqual(['demo-00001 100']);
  expect((await failureOf(target.planRollback(9))).message).toBe('there is no revision 9');
  expect((await failureOf(target.planRollback(undefined))).message).toBe('there is no earlier revision');

  const gone = await target.planDestroy({ component: 'all', purgeData: false });
  expect(gone.deleted).toEqual([
    ...['Service demo', 'Secret demo-DOCDB_URI', 'Secret demo-JWT_SECRET', 'ServiceAccount demo-run'],
    ...['Image svc/demo', 'Repository svc'],
  ]);
  await target.destroy(gone, progress);
  const { services, secrets, accounts, repositories, packages } = google.state;
  expect([services.size, secrets.size, accounts.size, repositories.size, packages.size]).toEqual([0, 0, 0, 0, 0]);
  expect((await target.planDestroy({ component: 'all', purgeData: false })).deleted).toEqual([]);
});

test('a plan without network: everything is new, twice the same, another source is another digest, secrets are not in it', async () => {
  const { appOf } = there;
  const { image: _, ...app } = appOf();
  const plan = planAlone(app, project);
  expect(plan.changes.map(({ kind, object }) => `${kind} ${object}`).slice(-6)).toEqual([
    ...['create Repository svc', 'create ServiceAccount demo-run', 'create Secret demo-DOCDB_URI'],
    ...['create Secret demo-JWT_SECRET', 'create Service demo', 'create Access of everybody to demo'],
  ]);
  expect(planAlone({ ...app }, project).digest).toBe(plan.digest);
  expect(planAlone({ ...app, sourceDigest: 'b'.repeat(64) }, project).digest).not.toBe(plan.digest);
  const { app: __, ...told } = plan;
  expect(JSON.stringify([told, shownThings(app, project)])).not.toContain('canary');
  expect(google.requests).toEqual([]);
});

test('settings: sockets, processors that never rest, a private network, a database, an account of others, identities only', async () => {
  const { appOf, deploy, service } = there;
  const account = `other@${project}.iam.gserviceaccount.com`;
  google.state.accounts.set(`projects/${project}/serviceAccounts/${account}`, { email: account });
  const settings = {
    ...appOf().settings,
    ...{ cpuAlways: true, vpcConnector: 'net', cloudSqlInstance: 'p:r:db', serviceAccount: account, public: false },
    timeoutSeconds: 3600,
  };
  await deploy(appOf({ settings, hasSockets: true }));
  expect(service().template).toMatchObject({
    ...{ sessionAffinity: true, serviceAccount: account, timeout: '3600s' },
    vpcAccess: { connector: 'net', egress: 'PRIVATE_RANGES_ONLY' },
    volumes: [{ cloudSqlInstance: { instances: ['p:r:db'] } }],
    containers: [{ resources: { cpuIdle: false }, volumeMounts: [{ mountPath: '/cloudsql' }] }],
  });
  expect(google.state.policies.get(`projects/${project}`).bindings).toEqual([
    { role: 'roles/cloudsql.client', members: [`serviceAccount:${account}`] },
  ]);
  expect(google.state.policies.has(`projects/${project}/locations/${region}/services/demo`)).toBe(false);
});

test('everybody may call where the organisation forbids everybody as a member, and no longer when that is not wanted', async () => {
  const { appOf, deploy, service } = there;
  google.state.forbidsEverybody = true;
  await deploy();
  expect(service().invokerIamDisabled).toBe(true);
  expect(await deploy()).toBe('up to date');
  await deploy(appOf({ settings: { ...appOf().settings, public: false } }));
  expect(service().invokerIamDisabled).toBe(false);
});

test('ten revisions and what they need stay; older ones and secrets that nobody uses go', async () => {
  const { appOf, deploy, revisions } = there;
  for (let i = 1; i <= 12; i++)
    await deploy(appOf({ secrets: { DOCDB_URI: `mongodb://canary-${i}`, ...(i === 1 ? { OLD: 'canary' } : {}) } }));
  expect(revisions()).toEqual(Array.from({ length: 10 }, (_, i) => `demo-${String(i + 3).padStart(5, '0')}`));
  const versions = google.state.versions.get(`projects/${project}/secrets/demo-DOCDB_URI`)!;
  expect(versions.map((text) => text !== undefined)).toEqual([false, false, ...Array.from({ length: 10 }, () => true)]);
  expect([...google.state.secrets.keys()].map((name) => name.split('/').at(-1))).toEqual([
    ...['demo-DOCDB_URI', 'demo-JWT_SECRET'],
  ]);
});

test('drift: another image by hand, traffic elsewhere', async () => {
  const { deploy, open, service } = there;
  await deploy();
  service().template.containers[0].image = 'other';
  service().template.containers[0].resources.limits.memory = '1Gi';
  service().trafficStatuses = [{ revision: 'demo-00077-xyz', percent: 100 }];
  const { drift, isHealthy } = await (await open()).status();
  expect(isHealthy).toBe(false);
  expect(drift).toEqual([
    'traffic goes to demo-00077-xyz, which svc did not make',
    expect.stringMatching(/^Service demo: containers\[app\]\.image is other, was applied as europe-west1-docker/),
    'Service demo: containers[app].resources.limits.memory is 1Gi, was applied as 512Mi',
  ]);
});

test('logs of all instances by time, the last ones, and those that come', async () => {
  const { deploy, open } = there;
  await deploy();
  const log = (second: number, instance: string, payload: object) =>
    google.state.logs.push({
      insertId: `id-${second}-${instance}`,
      timestamp: new Date(Date.now() + second * 1000).toISOString(),
      resource: { labels: { service_name: 'demo', revision_name: 'demo-00001', location: region } },
      labels: { instanceId: `00f46b92850${instance}` },
      ...payload,
    });
  log(-9000, 'aaaaaa', { textPayload: 'one\n' });
  log(-3000, 'bbbbbb', { jsonPayload: { msg: 'two' } });
  log(-5, 'aaaaaa', { textPayload: 'three' });
  const target = await open();
  const told: string[] = [];
  const write = ({ source, text }: { source: string; text: string }) => void told.push(`${source} ${text}`);
  const quick = new AbortController();
  const request = {
    follow: false,
    sinceSeconds: undefined,
    tailLines: undefined,
    note: () => {},
    signal: quick.signal,
  };
  await target.logs(request, write);
  expect(told).toEqual(['demo-00001/aaaaaa one', 'demo-00001/bbbbbb {"msg":"two"}', 'demo-00001/aaaaaa three']);
  told.length = 0;
  await target.logs({ ...request, tailLines: 1 }, write);
  await target.logs({ ...request, sinceSeconds: 6000 }, write);
  expect(told.map((line) => line.split(' ')[1])).toEqual(['three', '{"msg":"two"}', 'three']);
  told.length = 0;
  const followed = target.logs({ ...request, follow: true, tailLines: 0 }, (line) => {
    write(line);
    if (line.text === 'four') quick.abort();
  });
  log(1, 'aaaaaa', { textPayload: 'four' });
  await followed;
  expect(told).toContain('demo-00001/aaaaaa four');
});
