/** `svc start --scale --target cloud_b` and its sisters against a stand-in for Google Cloud (docs/server/google-cloud.md), with a real image in a registry. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type GoogleStandIn, startGoogleStandIn } from '../harness/google/google-stand-in.ts';
import { project, region } from '../harness/google/state.ts';
import { writeBaseLayout } from '../harness/images/base-layout.ts';
import { type PackageIndex, startRepositoryIndex } from '../harness/images/package-index.ts';
import { type StandInRegistry, startStandInRegistry } from '../harness/images/stand-in-registry.ts';
import { cuts, type HearKind, interruptAtEachKind } from '../harness/pseudo-terminal.ts';
import { removeFolder } from '../harness/server.ts';
import { svcHere } from '../harness/svc-here.ts';
import { folderWith, spawnSvc } from '../harness/svc-process.ts';

const hello = 'walker:pub Hello { can greet with Root entry { report "hi"; } }\n';
const settings = `[project]
name = "demo"
[plugins.scale.gcp]
region = "${region}"
[plugins.scale.secrets]
DOCDB_URI = "\${DOCDB_URI}"
`;
const secret = 'mongodb://ada:canary-1@db.test/demo';

let place = '';
let index: PackageIndex;
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'svc-google-'));
  index = await startRepositoryIndex();
  await writeBaseLayout(join(place, 'base'), {});
});
afterAll(async () => {
  await index?.[Symbol.asyncDispose]();
  removeFolder(place);
});

let google: GoogleStandIn;
let registry: StandInRegistry;
let folder: ReturnType<typeof folderWith>;
/** Hears of a manifest that is pushed. */
let pushed: () => Promise<undefined> | undefined = () => undefined;
beforeEach(async () => {
  google = await startGoogleStandIn();
  google.state.looks = 0;
  const login = {
    username: 'oauth2accesstoken',
    get password() {
      return [...google.state.tokens].at(-1)!;
    },
  };
  registry = await startStandInRegistry({
    login,
    answer: async ({ method, url }) => {
      const path = `projects/${project}/locations/${region}/repositories/svc/packages/demo`;
      if (method === 'PUT' && /\/manifests\//.test(url!)) {
        google.state.packages.add(path);
        await pushed();
      }
      return false;
    },
  });
  google.state.registry = `${registry.host}/${project}/svc`;
  folder = folderWith({
    'main.svc': hello,
    'svc.toml': `${settings}[plugins.scale.orchestrator]\nbase_image = "oci:${join(place, 'base')}"\n`,
  });
});
afterEach(async () => {
  await google[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const environment = () => ({
  ...index.env,
  ...google.env,
  USER: 'ada',
  DOCDB_URI: secret,
  XDG_CACHE_HOME: join(place, 'cache'),
});
const svc = async (command: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) => {
  const given = { PATH: process.env['PATH'], ...environment(), ...env };
  const result = await svcHere([command, 'main.svc', ...args, '--target', 'cloud_b'], { cwd: folder.path, env: given });
  expect(result.stdout + result.stderr).not.toContain('canary');
  return result;
};

test('an application from nothing to an address, the same again, its state, back, and gone', async () => {
  google.state.apisOff.add('run').add('iam');
  const asked = await svc('start', ['--scale']);
  expect([asked.code, asked.stderr]).toEqual([
    7,
    expect.stringContaining(
      `svc: APIs that are off in project ${project} have to be enabled: run.googleapis.com, iam.googleapis.com\n  hint: --yes does that\n`,
    ),
  ]);
  expect(google.changes).toEqual([]);
  const first = await svc('start', ['--scale', '--yes']);
  expect([first.code, first.stderr]).toEqual([0, expect.any(String)]);
  expect(first.stdout).toContain(`Project and region: ${project}/${region}\n`);
  expect(first.stdout).toMatch(
    /\nDeployed demo \d+\.\d+\.\d+ to demo-project\/europe-west1\nURL: https:\/\/demo-.*run\.app\n$/,
  );
  const service = google.state.services.get(`projects/${project}/locations/${region}/services/demo`);
  const [{ image }] = service.template.containers;
  expect(image).toMatch(new RegExp(`^${registry.host}/${project}/svc/demo@sha256:`));
  expect(registry.manifests.has(`${project}/svc/demo@${image.split('@')[1]}`)).toBe(true);
  for (const contents of registry.blobs.values()) expect(contents.includes('canary')).toBe(false);

  google.changes.length = 0;
  registry.requests.length = 0;
  expect((await svc('start', ['--scale'])).stdout).toContain('\nNothing to change\nURL: https://demo-');
  expect([...google.changes, ...registry.requests]).toEqual([]);

  const again = await svc('start', ['--scale', '--json'], { DOCDB_URI: `${secret}2` });
  expect(again.code, again.stderr).toBe(0);
  const events: any[] = again.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const told = events.filter(({ event }) => event === 'step');
  // Nobody knows how many there are before it is known what is there.
  const of = (n: number) => (n <= 2 ? 2 : told.length);
  expect(told).toEqual(
    told.map(({ name }, i) => ({ event: 'step', n: i + 1, of: of(i + 1), name, ms: expect.any(Number) })),
  );
  expect(told.map(({ name }) => name)).toContain('release demo-00002');
  expect(events.map(({ event }) => event)).toContain('plan');
  expect(events.at(-1)).toMatchObject({ event: 'deployed', name: 'demo' });
  const status = JSON.parse((await svc('status', ['--json'])).stdout);
  expect(status).toMatchObject({ name: 'demo', isHealthy: true, revision: { number: 2 }, drift: [] });
  expect(status.pods).toMatchObject([{ kind: 'revision', name: 'demo-00002' }]);
  const back = await svc('rollback', ['--yes']);
  expect([back.code, back.stdout]).toEqual([
    0,
    expect.stringContaining(`Rolled back to revision 1 in ${project}/${region}\n`),
  ]);
  expect((await svc('logs')).code).toBe(0);
  expect((await svc('destroy', ['--yes'])).stdout).toContain(`Destroyed demo in ${project}/${region}\n`);
  expect(await svc('destroy', ['--yes'])).toMatchObject({
    code: 0,
    stdout: `Nothing to destroy for demo in ${region}\n`,
  });
});

/** Cuts a command off at each kind of request that changes something. */
async function interrupted(
  cut: keyof typeof cuts,
  [command, ...args]: readonly string[],
  env = environment(),
): Promise<readonly string[]> {
  const line = [command!, 'main.svc', ...args, '--target', 'cloud_b'];
  const listen = (hear: HearKind) => {
    google.intercept = (asked) =>
      /\.(get|list|access)$|^test|^entries|^operations/.test(asked) ? undefined : hear(asked);
    pushed = () => hear('push');
  };
  const kinds = await interruptAtEachKind(() => cuts[cut](line, { cwd: folder.path, env }), listen);
  google.intercept = () => undefined;
  pushed = () => undefined;
  return kinds;
}

test.each(['Ctrl-C', 'SIGKILL'] as const)(
  '%s at each step of a first deployment, of a later one and of an end: the next run goes on',
  async (cut) => {
    google.state.apisOff.add('run').add('iam');
    expect(await interrupted(cut, ['start', '--scale', '--yes'])).toEqual([
      ...[
        'apis.enable',
        'repositories.create',
        'push',
        'accounts.create',
        'secrets.create',
        'policy.set',
        'versions.add',
      ],
      ...['services.create', 'services.patch'],
    ]);
    const service = () => google.state.services.get(`projects/${project}/locations/${region}/services/demo`);
    const serving = () => service().trafficStatuses.map(({ revision, percent }: any) => [revision, percent]);
    expect(serving()).toEqual([['demo-00001', 100]]);
    const env = { ...environment(), DOCDB_URI: `${secret}2` };
    expect(await interrupted(cut, ['start', '--scale'], env)).toEqual(['versions.add', 'services.patch']);
    expect(serving()).toEqual([['demo-00002', 100]]);
    expect(await interrupted(cut, ['destroy', '--yes'])).toEqual([
      ...['services.delete', 'secrets.delete', 'accounts.delete', 'packages.delete', 'repositories.delete'],
    ]);
    const { services, secrets, accounts, packages, repositories } = google.state;
    expect([services, secrets, accounts, packages, repositories].map(({ size }) => size)).toEqual([0, 0, 0, 0, 0]);
  },
  600_000,
);

test('SIGKILL in the middle: the version before serves, a second run continues', async () => {
  expect((await svc('start', ['--scale'])).code).toBe(0);
  google.state.looks = 2;
  let child: ReturnType<typeof spawnSvc> | undefined;
  google.intercept = (line) => {
    if (line === 'services.patch') child?.kill('SIGKILL');
    return undefined;
  };
  const env = { ...environment(), DOCDB_URI: `${secret}2` };
  child = spawnSvc(['start', 'main.svc', '--scale', '--target', 'cloud_b'], { cwd: folder.path, env });
  expect(await child.exited).not.toBe(0);
  expect(child.stdout() + child.stderr()).not.toContain('canary');
  google.intercept = () => undefined;
  google.state.looks = 0;
  const service = () => google.state.services.get(`projects/${project}/locations/${region}/services/demo`);
  expect(service().trafficStatuses).toMatchObject([{ revision: 'demo-00001', percent: 100 }]);
  expect((await svc('start', ['--scale'], { DOCDB_URI: `${secret}2` })).code).toBe(0);
  expect(service().trafficStatuses).toMatchObject([{ revision: 'demo-00002', percent: 100 }]);
});

test('a dry run asks no network, is twice the same, and says what it needs', async () => {
  const run = () => svc('start', ['--scale', '--dry-run', '--offline']);
  const first = await run();
  expect([first.code, await run()]).toEqual([0, first]);
  expect(google.requests).toEqual([]);
  expect(first.stderr).toMatch(
    /\+ Service demo\n\+ Access of everybody to demo\nplan for demo-project\/europe-west1: \d+ to create\ndigest: [0-9a-f]{64}\nrights: artifactregistry\.repositories\.create; /,
  );
  expect(first.stdout).toContain('value: "(35 bytes)"');
  const compared = await svc('start', ['--scale', '--dry-run']);
  expect([compared.code, compared.stdout]).toEqual([0, first.stdout]);
  expect(google.changes).toEqual([]);
});

test.each([
  [
    'no region',
    { SVC_GCP_REGION: '' },
    'region = "europe-west1"\n',
    3,
    'svc: gcp.region is not set\n  hint: common ones: europe-west1',
  ],
  [
    'no store',
    {},
    '[plugins.scale.secrets]\nDOCDB_URI = "${DOCDB_URI}"\n',
    3,
    'svc: a Cloud Run service has no disk: set DATABASE_URL (PostgreSQL) or DOCDB_URI (MongoDB)\n',
  ],
  [
    'no credentials',
    { GOOGLE_APPLICATION_CREDENTIALS: '' },
    '',
    7,
    'svc: no Google Cloud credentials found\n  hint: gcloud auth application-default login',
  ],
] as const)('%s', async (_, env, without, code, line) => {
  using own = folderWith({ 'main.svc': hello, 'svc.toml': settings.replace(without, '') });
  const given = { ...environment(), HOME: place, ...env };
  const args = ['start', 'main.svc', '--scale', '--target', 'cloud_b'];
  const command = code === 7 ? ['status', 'main.svc', '--target', 'cloud_b'] : args;
  const result = await svcHere(command, { cwd: own.path, env: given });
  expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(line)]);
});

test.each([
  [
    'sockets with broadcast',
    '@restspec(protocol=APIProtocol.WEBSOCKET, broadcast=True)\nasync walker:pub Room { async can say with Root entry { report 1; } }\n',
  ],
  [
    'topics',
    'import from svc_scale { publish, subscribe }\n@restspec(protocol=APIProtocol.WEBSOCKET)\nasync walker:pub Room { async can say with Root entry { subscribe("tea"); publish("tea", 1); } }\n',
  ],
])('%s need a way between instances when there may be more than one', async (what, program) => {
  using own = folderWith({ 'main.svc': program, 'svc.toml': settings });
  const args = ['start', 'main.svc', '--scale', '--target', 'cloud_b', '--dry-run', '--offline'];
  const env = environment();
  const refused = await svcHere(args, { cwd: own.path, env });
  expect([refused.code, refused.stderr]).toEqual([
    3,
    expect.stringContaining(`svc: ${what} need KVCACHE_URL (Redis) or DATABASE_URL (PostgreSQL)\n`),
  ]);
  const one = await svcHere(args, { cwd: own.path, env: { ...env, SVC_GCP_MAX_INSTANCES: '1' } });
  expect([one.code, one.stdout]).toEqual([0, expect.stringMatching(/timeout: "3600s"[\s\S]*sessionAffinity: true/)]);
  // An instance hears of other ones between its calls.
  const idle = what === 'topics' ? 'false' : 'true';
  expect(one.stdout).toContain(`cpuIdle: ${idle}\n`);
  for (const [name, value] of [
    ['SVC_GCP_CPU_ALWAYS', 'false'],
    ['SVC_GCP_CPU', '0.5'],
  ] as const) {
    const less = { ...env, SVC_GCP_MAX_INSTANCES: '1', SVC_GCP_CONCURRENCY: '1', [name]: value };
    expect((await svcHere(args, { cwd: own.path, env: less })).stdout).toContain('cpuIdle: true\n');
  }
  using shared = folderWith({ 'main.svc': program, 'svc.toml': settings.replaceAll('DOCDB_URI', 'DATABASE_URL') });
  const there = { ...env, DATABASE_URL: 'postgres://ada:canary@db.test/demo' };
  expect(await svcHere(args, { cwd: shared.path, env: there })).toMatchObject({ code: 0 });
});
