/** Every request by which a deployment changes something or waits, made to fail once: a first deployment of everything there is, and a later one. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTool } from '../../harness/find-tool.ts';
import { startMongo } from '../../harness/mongo/mongo-server.ts';
import { folderWith } from '../../harness/svc-process.ts';
import { startApiProxy } from './api-proxy.ts';
import { type Cluster, hasNoCluster, startCluster, testImages } from './cluster.ts';
import { type Commands, callWalker, commandsIn } from './commands.ts';
import { users } from './control-plane.ts';
import { writeDatabasePrograms } from './database-programs.ts';

const program = 'walker:pub Hello { can greet with Root entry { report "hello"; } }\n';
const hasRedis = findTool('redis-server', 'redis-server') !== undefined;

/** The release of the turn is not among them: a turn that is not given back ends by itself, which other tests show. */
const isTried = (line: string, isChange: boolean) =>
  /^POST .*selfsubjectaccessreviews|^GET .*\/(statefulsets\/|replicasets\?|pods\?)/.test(line) ||
  (isChange && !/^(PUT|DELETE) \/apis\/coordination/.test(line));

interface Failure {
  /** `apply the application`, as the command tells it. */
  readonly step: string;
  /** `PATCH /api/v1/namespaces/steps/services/notes-service`. */
  readonly line: string;
  readonly code: number | null;
  readonly message: string;
  readonly hints: string;
}

describe.skipIf(hasNoCluster() || !hasRedis)('each step of a deployment that fails', () => {
  let cluster: Cluster;
  let folder: ReturnType<typeof folderWith>;
  let tools: string;
  let mongo: Awaited<ReturnType<typeof startMongo>>;
  let svc: Commands;

  beforeAll(async () => {
    tools = mkdtempSync(join(tmpdir(), 'svc-steps-'));
    const accounts = join(tools, 'users.json');
    mongo = await startMongo({ passwordOf: (user) => JSON.parse(readFileSync(accounts, 'utf8'))[user] });
    const programs = join(tools, 'bin');
    writeDatabasePrograms(programs, mongo.port, accounts);
    folder = folderWith({ 'main.svc': program });
    cluster = await startCluster(folder.path, { further: { valkey: { programs }, mongo: { programs } } });
    const settings = `
[project]
name = "notes"
[plugins.scale.orchestrator]
namespace = "steps"
replicas = 2
readiness_initial_delay = 1
readiness_period = 1
cpu_request = "10m"
docdb = { enabled = true, image = "${cluster.images.host}/mongo:7" }
kvcache = { enabled = true, image = "${cluster.images.host}/valkey:8" }
[plugins.scale.secrets]
GREETING = "\${GREETING}"
[serve]
drain_delay_seconds = 0
`;
    writeFileSync(join(folder.path, 'svc.toml'), settings);
    for (const name of ['one', 'two'])
      await cluster.ask('POST', '/api/v1/persistentvolumes', {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name },
        spec: {
          capacity: { storage: '5Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/nowhere' },
          persistentVolumeReclaimPolicy: 'Retain',
        },
      });
    svc = commandsIn(cluster, folder.path);
  }, 300_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    await mongo?.[Symbol.asyncDispose]();
    folder?.[Symbol.dispose]();
    if (tools !== undefined) rmSync(tools, { recursive: true, force: true });
  }, 60_000);

  /** Deploys again and again; each time the first request that has not failed yet does. Ends with the deployment that succeeds. */
  const failEach = async (env: Readonly<Record<string, string>>, meanwhile: () => Promise<void>) => {
    const failures: Failure[] = [];
    const steps = new Set<string>();
    for (let at = 1; at < 80; at++) {
      let failed = '';
      let isPlanned = false;
      const changed = new Set<string>();
      await using proxy = await startApiProxy(cluster.plane.server, ({ line, isChange }) => {
        // Rights are asked about twice: for the comparison, and before the first change.
        isPlanned ||= line === 'GET /api/v1/namespaces/steps';
        const [method = '', path = ''] = line.replace(/\?.*/, '').split(' ');
        const name = `${method} ${path}${path.includes('selfsubject') && isPlanned ? ' again' : ''}`;
        const isWait = method !== 'GET' || !path.includes('/statefulsets/') || changed.has(path);
        const isNew = failed === '' && isWait && isTried(line, isChange) && failures.every((one) => one.line !== name);
        if (isChange && !isNew) changed.add(path);
        if (!isNew) return undefined;
        failed = name;
        return 422;
      });
      const path = join(cluster.plane.folder, 'failing');
      const config = {
        'current-context': 'x',
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        clusters: [{ name: 'c', cluster: { server: proxy.server } }],
        users: [{ name: 'u', user: { token: users.admin } }],
      };
      writeFileSync(path, JSON.stringify(config));
      const given = { ...env, GREETING: `canary-${at}`, KUBECONFIG: path };
      const { code, stdout, stderr } = await svc.run(['start', '--scale'], given);
      expect(stdout + stderr).not.toMatch(/canary|\n {4}at /);
      for (const [, step] of stdout.matchAll(/^\[\d+\/\d+\] (.*) \.\.\. ok /gm)) steps.add(step!);
      await meanwhile();
      if (failed === '') {
        expect(code, stdout + stderr).toBe(0);
        break;
      }
      const [, step = ''] = /^\[\d+\/\d+\] (.*) \.\.\. failed /m.exec(stdout) ?? [];
      const [, message = ''] = /^svc: (.*)$/m.exec(stderr) ?? [];
      failures.push({ step, line: failed, code, message, hints: stderr.replaceAll(/^(?! {2}hint: ).*\n/gm, '') });
    }
    const shown = failures.map(({ step, line, message }) => `  ${step}: ${line}\n      ${message}\n`);
    process.stderr.write(`requests that were made to fail:\n${shown.join('')}`);
    return { failures, steps };
  };
  const stepsOf = (failures: readonly Failure[]) => new Set(failures.map(({ step }) => step));
  /** `Service notes-service` for `PATCH /api/v1/namespaces/steps/services/notes-service`: whose failure a message has to name. */
  const nameIn = (line: string) => line.split('/').at(-1)!;

  test('the first one says what failed, and the next run goes on, to the end', async () => {
    const env = {
      ...{ SVC_ORCHESTRATOR_HOST: 'app.example.org', SVC_ORCHESTRATOR_INGRESS_CLASS: 'tests' },
      ...{ SVC_ORCHESTRATOR_AUTOSCALE_MIN: '2', SVC_ORCHESTRATOR_AUTOSCALE_MAX: '3' },
    };
    const { failures, steps } = await failEach(env, async () => {});
    expect(failures.map(({ code }) => code)).toEqual(failures.map(() => 5));
    for (const { line, message } of failures) {
      expect([line, message]).toEqual([line, expect.stringContaining('injected 422')]);
      if (line.startsWith('PATCH')) expect([line, message]).toEqual([line, expect.stringContaining(nameIn(line))]);
    }
    const kinds = failures.flatMap(({ line }) => /^P\w+ .*?\/([a-z]+)(?:\/notes[-\w]*)?$/.exec(line)?.[1] ?? []);
    expect(kinds).toEqual(
      expect.arrayContaining([
        ...['namespaces', 'leases', 'serviceaccounts', 'secrets', 'services', 'statefulsets', 'configmaps'],
        ...['poddisruptionbudgets', 'deployments', 'horizontalpodautoscalers', 'ingresses'],
      ]),
    );
    // Nothing has served that could go on.
    expect(failures.map(({ hints }) => hints).join('')).not.toContain('version before');
    // Steps before the first question to the cluster have tests of their own.
    const before = ['resolve images and packages', 'compare with what is there'];
    expect([...steps].filter((step) => !before.includes(step) && !stepsOf(failures).has(step))).toEqual([]);
    expect(await callWalker(30_001, 'Hello')).toBe('hello');
  }, 1_200_000);

  test('a later one leaves the version before serving, and the next run goes on, to the end', async () => {
    const env = { SVC_ORCHESTRATOR_IMAGE: testImages.app };
    const { failures, steps } = await failEach(env, async () =>
      expect(await callWalker(30_001, 'Hello')).toBe('hello'),
    );
    expect(failures.map(({ code }) => code)).toEqual(failures.map(() => 5));
    for (const { line, message } of failures)
      expect([line, message]).toEqual([line, expect.stringContaining('injected 422')]);
    expect(failures.map(({ line }) => line)).toEqual(
      expect.arrayContaining([
        'DELETE /apis/networking.k8s.io/v1/namespaces/steps/ingresses/notes',
        'DELETE /apis/autoscaling/v2/namespaces/steps/horizontalpodautoscalers/notes',
      ]),
    );
    const before = ['resolve images and packages', 'compare with what is there'];
    expect([...steps].filter((step) => !before.includes(step) && !stepsOf(failures).has(step))).toEqual([]);
  }, 1_200_000);
});
