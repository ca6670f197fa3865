/** A deployment that runs on a real control plane: its logs are followed, and it is watched from inside the cluster. */
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMongo } from '../../harness/mongo/mongo-server.ts';
import { folderWith } from '../../harness/svc-process.ts';
import { type Cluster, hasNoCluster, startCluster, testImages } from './cluster.ts';
import { type Commands, callWalker, commandsIn } from './commands.ts';
import { makeCertificate, startIngress } from './ingress.ts';
import { hasMounts, makeAccount, runInside } from './inside.ts';
import { startMetrics } from './metrics.ts';

const program = `
import os;
import logging;
glob log = logging.getLogger("demo");
walker:pub Say { has text: str; can say with Root entry { log.warning(self.text); report os.getpid(); } }
`;
const settings = `
[project]
name = "demo"
[plugins.scale.orchestrator]
image = "${testImages.app}"
replicas = 2
readiness_initial_delay = 1
readiness_period = 1
[plugins.scale.secrets]
DOCDB_URI = "\${DOCDB_URI}"
[serve]
drain_delay_seconds = 0
`;

describe.skipIf(hasNoCluster())('a deployment that runs', () => {
  let cluster: Cluster;
  let folder: ReturnType<typeof folderWith>;
  let mongo: Awaited<ReturnType<typeof startMongo>>;
  let svc: Commands;

  beforeAll(async () => {
    folder = folderWith({ 'main.svc': program, 'svc.toml': settings });
    mongo = await startMongo();
    cluster = await startCluster(folder.path);
    svc = commandsIn(cluster, folder.path, { DOCDB_URI: mongo.uri });
    await svc.ok(['start', '--scale']);
  }, 300_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    await mongo?.[Symbol.asyncDispose]();
    folder?.[Symbol.dispose]();
  }, 60_000);

  const say = (text: string) => callWalker(30_001, 'Say', { text });
  const pods = '/api/v1/namespaces/default/pods';
  const podNames = async (): Promise<string[]> =>
    (await cluster.ask('GET', pods)).items.map(({ metadata }: any) => metadata.name);

  test('has its log followed: of every pod, of pods that end and that come, and while the cluster is away', async () => {
    await say('before');
    await using logs = svc.begin(['logs', '-f', '--since', '10m']);
    await logs.until(/before/);
    // The node port leads to the pods in turn. Lines of two pods are in the order of the times at which the node has read them: one at a time.
    for (let at = 1; at <= 6; at++) {
      await say(`both-${at}.`);
      await logs.until(new RegExp(`both-${at}\\.`));
    }
    const told = (text: string) =>
      logs
        .stdout()
        .split('\n')
        .filter((line) => line.includes(text));
    const sourceOf = (line: string) => line.split(' ')[0]!;
    const both = told('both-');
    expect(both.map((line) => /both-\d/.exec(line)![0])).toEqual([1, 2, 3, 4, 5, 6].map((at) => `both-${at}`));
    const sources = new Set(both.map(sourceOf));
    expect(sources).toEqual(new Set(await podNames()));

    const [gone] = [...sources];
    await cluster.ask('DELETE', `${pods}/${gone}`);
    const answered: string[] = [];
    const come = async (at = 0): Promise<string> => {
      // A connection that the pod that ends has not accepted yet is lost: it drains for no time here.
      const answer = await say(`later-${at}.`).catch(() => undefined);
      if (answer === undefined) return await come(at + 1);
      answered.push(`later-${at}.`);
      await logs.until(new RegExp(`later-${at}\\.`));
      const source = sourceOf(told(`later-${at}.`)[0]!);
      return sources.has(source) ? come(at + 1) : source;
    };
    const source = await come();
    expect(await podNames()).toContain(source);

    // A container that starts again in its pod has another log.
    const server = await say('last words.');
    await logs.until(/last words\./);
    process.kill(server, 'SIGKILL');
    const restarted = sourceOf(told('last words.')[0]!);
    for (let at = 0, seen = ''; seen !== restarted; at++) {
      const answer = await say(`again-${at}.`).catch(() => undefined);
      if (answer === undefined) continue;
      await logs.until(new RegExp(`again-${at}\\.`));
      seen = sourceOf(told(`again-${at}.`)[0]!);
    }

    await cluster.plane.stopServer();
    await logs.until(/note: the cluster does not answer \(.*\); trying again/);
    await say('meanwhile-1.');
    await say('meanwhile-2.');
    await cluster.plane.startServer();
    await logs.until(/meanwhile-[12]\./);
    await logs.until(/meanwhile-[12]\./);
    logs.kill('SIGINT');
    expect(await logs.exited, logs.stderr()).toBe(0);
    for (const text of ['before', 'both-1.', 'both-6.', ...answered, 'last words.', 'meanwhile-1.', 'meanwhile-2.'])
      expect([text, told(text).length]).toEqual([text, 1]);
  }, 300_000);

  test.skipIf(!hasMounts)(
    'is made from inside the cluster, as the account of a pod',
    async () => {
      const namespace = 'inside';
      const token = await makeAccount(cluster, namespace);
      const variables = {
        ...{ ORCH_NAMESPACE: namespace, ORCH_NODE_PORT: '30005', SVC_ORCHESTRATOR_REPLICAS: '1', DOCDB_URI: mongo.uri },
      };
      const inside = (...args: readonly string[]) =>
        runInside(cluster, { namespace, token }, args, { cwd: folder.path, variables });
      const { code, stdout, stderr } = await inside('start', 'main.svc', '--scale');
      expect(code, stdout + stderr).toBe(0);
      expect(stdout).toContain('Cluster: in-cluster  Namespace: inside\n');
      expect(await callWalker(30_005, 'Say', { text: 'inside' })).toEqual(expect.any(Number));
      expect((await inside('destroy', 'main.svc', '--yes')).code).toBe(0);
      // The token ends with the pod it was given to.
      await cluster.ask('DELETE', `/api/v1/namespaces/${namespace}/pods/deployer`, { gracePeriodSeconds: 0 });
      let late = await inside('status', 'main.svc');
      // The API server remembers for ten seconds what it has found out about a token.
      while (late.code === 1) late = await inside('status', 'main.svc');
      expect([late.code, late.stderr]).toEqual([
        7,
        expect.stringContaining('svc: the cluster does not accept the credentials of context in-cluster\n'),
      ]);
    },
    300_000,
  );

  test('is given up when its pods find no node for two minutes, and not before', async () => {
    const clock = join(cluster.plane.folder, 'clock.cjs');
    // Thirty seconds of the clock by which the command waits are one.
    const faster = 'const now = performance.now.bind(performance); performance.now = () => 30 * now();';
    writeFileSync(clock, faster);
    const deploy = async (timeoutSeconds: number) =>
      await svc.run(['start', '--scale'], {
        ...{ NODE_OPTIONS: `--require ${clock}`, ORCH_CPU_REQUEST: '100' },
        SVC_ORCHESTRATOR_ROLLOUT_TIMEOUT_SECONDS: String(timeoutSeconds),
      });
    const late = await deploy(7200);
    expect([late.code, late.stderr]).toEqual([
      5,
      expect.stringMatching(
        /^svc: pod demo-\w+-\w+ finds no node: 0\/1 nodes are available: 1 Insufficient cpu.*\n {2}hint: the version before keeps serving; svc rollback main\.svc goes back to it$/m,
      ),
    ]);
    // The next command gives the same pods their two minutes anew: less time is over before that, however late it looks.
    const early = await deploy(100);
    expect([early.code, early.stderr]).toEqual([
      6,
      expect.stringMatching(
        /^pod demo-\w+-\w+ finds no node: 0\/1 nodes are available: 1 Insufficient cpu.*\nsvc: demo did not become ready in 100 s /m,
      ),
    ]);
    expect(await say('still')).toEqual(expect.any(Number));
    await svc.ok(['rollback', '--yes']);
  }, 300_000);

  test('is reached by its name, with the certificate that the settings name', async () => {
    await using controller = await startIngress(cluster, 'tests');
    const env = {
      ...{ ORCH_NAMESPACE: 'named', ORCH_NODE_PORT: '30004', SVC_ORCHESTRATOR_REPLICAS: '1' },
      ...{ SVC_ORCHESTRATOR_HOST: 'app.example.org', SVC_ORCHESTRATOR_INGRESS_CLASS: 'tests' },
    };
    const call = async (from: typeof request, port: number, host: string, more: object = {}) =>
      await new Promise<[number, string]>((resolve, reject) => {
        const options = { method: 'POST', headers: { host, 'content-type': 'application/json' }, ...more };
        const sent = from(`${from === request ? 'http' : 'https'}://127.0.0.1:${port}/walker/Say`, options, (got) => {
          let text = '';
          got.on('data', (chunk) => (text += chunk)).on('end', () => resolve([got.statusCode!, text]));
        });
        sent.on('error', reject).end('{"text": "by name"}');
      });
    const { stdout } = await svc.ok(['start', '--scale'], env);
    expect(stdout).toContain('URL: http://app.example.org/\n');
    const [status, text] = await call(request, controller.httpPort, 'app.example.org');
    expect([status, JSON.parse(text).reports]).toEqual([200, [expect.any(Number)]]);
    expect((await call(request, controller.httpPort, 'other.example.org'))[0]).toBe(404);

    const { ca, secret } = makeCertificate(cluster.plane.folder, 'app.example.org');
    await cluster.ask('POST', '/api/v1/namespaces/named/secrets', secret);
    const secured = await svc.ok(['start', '--scale'], { ...env, SVC_ORCHESTRATOR_TLS_SECRET: 'app-tls' });
    expect(secured.stdout).toContain('URL: https://app.example.org/\n');
    const trust = { ca, servername: 'app.example.org', agent: false };
    expect((await call(secureRequest as typeof request, controller.httpsPort, 'app.example.org', trust))[0]).toBe(200);
    await svc.ok(['start', '--scale'], { ...env, SVC_ORCHESTRATOR_HOST: '', SVC_ORCHESTRATOR_INGRESS_CLASS: '' });
    expect((await call(request, controller.httpPort, 'app.example.org'))[0]).toBe(404);
    // The certificate is not ours, and nor is the namespace empty with it.
    await svc.ok(['destroy', '--yes'], env);
    expect((await cluster.ask('GET', '/api/v1/namespaces/named/secrets/app-tls')).metadata.name).toBe('app-tls');
  }, 300_000);

  test('is scaled by its load: what the autoscaler says holds through deployments', async () => {
    await using metrics = await startMetrics(cluster);
    const goal = 80;
    metrics.use(goal);
    const fixed = { ORCH_NAMESPACE: 'busy', ORCH_NODE_PORT: '30003', ORCH_CPU_REQUEST: '100m' };
    const scaled = {
      ...{ ...fixed, SVC_ORCHESTRATOR_AUTOSCALE_MIN: '1', SVC_ORCHESTRATOR_AUTOSCALE_MAX: '3' },
      SVC_ORCHESTRATOR_AUTOSCALE_CPU: String(goal),
    };
    const at = '/apis/apps/v1/namespaces/busy/deployments/demo';
    const replicas = async () => (await cluster.ask('GET', at)).spec.replicas;
    const untilScaled = async (count: number) => {
      while ((await replicas()) !== count) await sleep(200);
    };
    await svc.ok(['start', '--scale'], fixed);
    const plan = await svc.ok(['start', '--scale', '--dry-run'], scaled);
    expect(plan.stderr).not.toContain('spec.replicas');
    await svc.ok(['start', '--scale'], scaled);
    expect(await replicas()).toBe(2);
    metrics.use(2 * goal);
    await untilScaled(3);
    metrics.use(goal);
    await svc.ok(['start', '--scale'], { ...scaled, SVC_ORCHESTRATOR_ENV: '{"TURN": "two"}' });
    expect(await replicas()).toBe(3);
    // By hand, as `kubectl scale` does.
    const scale = { spec: { replicas: 2 } };
    await cluster.ask('PATCH', `${at}/scale?fieldManager=kubectl`, scale, 'application/merge-patch+json');
    await svc.ok(['start', '--scale'], { ...scaled, SVC_ORCHESTRATOR_ENV: '{"TURN": "three"}' });
    expect(await replicas()).toBe(2);
    expect((await svc.ok(['status'], scaled)).stdout).not.toContain('drift');
    metrics.use(2 * goal);
    await untilScaled(3);
    const untilIdle = async () => (metrics.use(0), await untilScaled(1));
    await untilIdle();
    // The autoscaler may say a last word when it goes: that the number is right, whatever that is by then.
    metrics.use(goal);
    // Without it the number is that of the settings again, which nobody else has a say in.
    await svc.ok(['start', '--scale'], fixed);
    expect(await replicas()).toBe(2);
    expect((await cluster.ask('GET', '/apis/autoscaling/v2/namespaces/busy/horizontalpodautoscalers')).items).toEqual(
      [],
    );
    await svc.ok(['destroy', '--yes'], fixed);
  }, 600_000);
});
