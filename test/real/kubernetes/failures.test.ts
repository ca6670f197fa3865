/** Failures of deployments to a real control plane, each with its message and exit code; the version before serves on. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { folderWith, spawnSvc } from '../../harness/svc-process.ts';
import { startApiProxy } from './api-proxy.ts';
import { type Cluster, hasNoCluster, startCluster, testImages } from './cluster.ts';
import { users } from './control-plane.ts';
import { nodeAddress } from './node-agent.ts';

const program = 'walker:pub Hello { can greet with Root entry { report "hello"; } }\n';
const settings = `
[project]
name = "demo"
[plugins.scale.orchestrator]
image = "${testImages.app}"
readiness_initial_delay = 1
readiness_period = 1
[plugins.scale.secrets]
GREETING = "\${GREETING}"
[serve]
drain_delay_seconds = 0
`;

describe.skipIf(hasNoCluster())('when something goes wrong', () => {
  let cluster: Cluster;
  let folder: ReturnType<typeof folderWith>;

  beforeAll(async () => {
    folder = folderWith({ 'main.svc': program, 'svc.toml': settings });
    cluster = await startCluster(folder.path);
    const { code, stderr } = await svc(['start', '--scale']);
    expect(code, stderr).toBe(0);
  }, 300_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    folder?.[Symbol.dispose]();
  }, 60_000);
  beforeEach(async () => {
    expect(await hello(), 'the version before serves').toBe(200);
  });

  const begin = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const [command, ...more] = args;
    const line = [command!, 'main.svc', ...more];
    return spawnSvc(line, { cwd: folder.path, env: { ...cluster.env, GREETING: 'canary-one', ...env } });
  };
  const svc = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    await using child = begin(args, env);
    const code = await child.exited;
    const result = { code, stdout: child.stdout(), stderr: child.stderr() };
    expect(result.stdout + result.stderr).not.toMatch(/canary|-token-of-tests|\n {4}at /);
    return result;
  };
  const hello = async (port = 30_001) =>
    await fetch(`http://${nodeAddress}:${port}/walker/Hello`, { method: 'POST' }).then(
      ({ status }) => status,
      () => 0,
    );
  const namespace = async (name: string) =>
    await cluster.ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const other = (name: string) => ({ ORCH_NAMESPACE: name, ORCH_NODE_PORT: '30009' });

  /** Environment of a command whose way to the cluster is a proxy. */
  const through = (server: string) => {
    const path = join(cluster.plane.folder, 'through');
    const config = {
      'current-context': 'x',
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster: { server } }],
      users: [{ name: 'u', user: { token: users.admin } }],
    };
    writeFileSync(path, JSON.stringify(config));
    return { KUBECONFIG: path };
  };

  /** A way to the cluster on which the first such change waits until it is released. */
  const heldAt = async (line: RegExp) => {
    let [arrive, release] = [() => {}, () => {}];
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const released = new Promise<void>((resolve) => (release = resolve));
    const proxy = await startApiProxy(cluster.plane.server, async (asked) => {
      if (!asked.isChange || !line.test(asked.line)) return undefined;
      arrive();
      await released;
      return undefined;
    });
    return { ...{ server: proxy.server, arrived, release }, [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose]() };
  };

  test('an image that cannot be pulled', async () => {
    const { code, stderr } = await svc(['start', '--scale'], { SVC_ORCHESTRATOR_IMAGE: testImages.missing });
    expect(code).toBe(5);
    expect(stderr).toMatch(/^svc: pod demo-\w+-\w+ cannot pull image registry\.test\/missing@sha256:d+: /m);
    expect(stderr).toContain('  hint: the version before keeps serving; svc rollback main.svc goes back to it\n');
    expect(await hello()).toBe(200);
    const back = await svc(['rollback', '--yes']);
    expect(back.code, back.stderr).toBe(0);
  }, 120_000);

  test('a pod that crashes', async () => {
    const { code, stderr } = await svc(['start', '--scale'], { SVC_ORCHESTRATOR_IMAGE: testImages.crashing });
    expect(code).toBe(5);
    expect(stderr).toMatch(
      /^the database is not there\nsvc: pod demo-\w+-\w+ keeps ending: exit code 3, \d restarts\n/m,
    );
    expect(await hello()).toBe(200);
    // A second run, with what works, continues.
    const again = await svc(['start', '--scale']);
    expect(again.code, again.stderr).toBe(0);
  }, 120_000);

  test('a rollout that takes too long', async () => {
    const env = {
      SVC_ORCHESTRATOR_ROLLOUT_TIMEOUT_SECONDS: '2',
      ORCH_READINESS_INITIAL_DELAY: '600',
      GREETING: 'canary-late',
    };
    const first = await svc(['start', '--scale'], env);
    expect([first.code, first.stderr]).toEqual([
      6,
      expect.stringContaining('svc: demo did not become ready in 2 s (replicas '),
    ]);
    // The cluster goes on by itself, in its own time.
    const path = '/apis/apps/v1/namespaces/default/deployments/demo';
    const isUpdated = async () => {
      const { metadata, status } = await cluster.ask('GET', path);
      return status.observedGeneration === metadata.generation && status.updatedReplicas === 1;
    };
    while (!(await isUpdated())) await sleep(100);
    const { code, stderr } = await svc(['start', '--scale'], env);
    expect([code, stderr]).toEqual([
      6,
      expect.stringMatching(/svc: demo did not become ready in 2 s \(replicas 1\/1 updated/),
    ]);
    expect(await hello()).toBe(200);
    expect((await svc(['rollback', '--yes'])).code).toBe(0);
  }, 120_000);

  test('a quota that is used up', async () => {
    await namespace('full');
    const quota = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'none' },
      spec: { hard: { pods: '0' } },
    };
    await cluster.ask('POST', '/api/v1/namespaces/full/resourcequotas', quota);
    const { code, stderr } = await svc(['start', '--scale'], other('full'));
    expect(code).toBe(5);
    expect(stderr).toMatch(
      /^svc: the quota of namespace full is used up: none, requested: pods=1, used: pods=0, limited: pods=0$/m,
    );
    expect((await svc(['destroy', '--yes'], other('full'))).code).toBe(0);
  }, 120_000);

  test('a secret that cannot be resolved', async () => {
    const { code, stderr } = await svc(['start', '--scale'], { ...other('nowhere'), GREETING: '' });
    expect([code, stderr]).toEqual([3, expect.stringContaining('svc: cannot resolve secrets: GREETING is not set\n')]);
    expect((await cluster.ask('GET', '/api/v1/namespaces/nowhere')).code).toBe(404);
  });

  test('a namespace that belongs to somebody else', async () => {
    await namespace('theirs');
    const mine = { KUBECONFIG: cluster.plane.kubeconfigFor('ada', { token: users.ada }) };
    const { code, stderr } = await svc(['start', '--scale'], { ...other('theirs'), ...mine });
    expect([code, stderr]).toEqual([7, expect.stringMatching(/^svc: not allowed/m)]);
    expect((await cluster.ask('GET', '/api/v1/namespaces/theirs/secrets')).items).toEqual([]);
  });

  test('an object of the same name that is not ours', async () => {
    await namespace('shared');
    const foreign = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'demo', labels: { app: 'demo' } } };
    await cluster.ask('POST', '/api/v1/namespaces/shared/serviceaccounts', foreign);
    const { code, stderr } = await svc(['start', '--scale'], other('shared'));
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining('svc: ServiceAccount demo exists and is not managed by svc\n'),
    ]);
    const gone = await svc(['destroy', '--yes'], other('shared'));
    expect([gone.code, gone.stdout]).toEqual([0, 'Nothing to destroy for demo in shared\n']);
    expect((await cluster.ask('GET', '/api/v1/namespaces/shared/serviceaccounts/demo')).metadata.name).toBe('demo');
  });

  test('a node port that is taken', async () => {
    const { code, stderr } = await svc(['start', '--scale'], { ORCH_NAMESPACE: 'shared', APP_NAME: 'second' });
    expect(code).toBe(5);
    expect(stderr).toMatch(/svc: node port 30001 is used by service default\/demo-service\n {2}hint: ORCH_NODE_PORT/);
  });

  test('fields that somebody else has set, until they are taken over', async () => {
    const path = '/apis/apps/v1/namespaces/default/deployments/demo';
    const change = { spec: { revisionHistoryLimit: 9 } };
    await cluster.ask('PATCH', `${path}?fieldManager=somebody`, change, 'application/merge-patch+json');
    const { code, stderr } = await svc(['start', '--scale']);
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining('svc: Deployment demo: others have set spec.revisionHistoryLimit (somebody)\n'),
    ]);
    expect((await svc(['status'])).stdout).toContain(
      '  drift: Deployment demo: spec.revisionHistoryLimit is 9, was applied as 5\n',
    );
    expect((await svc(['start', '--scale', '--adopt'])).code).toBe(0);
    expect((await cluster.ask('GET', path)).spec.revisionHistoryLimit).toBe(5);
  }, 120_000);

  test('two people deploy at once, and the clock of one is ten minutes ahead', async () => {
    // The first one is in the middle of its work until the second one has been told.
    await using way = await heldAt(/^PATCH .*\/deployments\/demo\?/);
    await using first = begin(['start', '--scale'], { GREETING: 'canary-two', ...through(way.server) });
    await Promise.race([way.arrived, first.exited]);
    const clock = join(cluster.plane.folder, 'ahead.cjs');
    const ahead = `const RealDate = Date; const now = () => RealDate.now() + 600_000;
      globalThis.Date = class extends RealDate { constructor(...of) { super(...(of.length ? of : [now()])); } static now = now; };`;
    writeFileSync(clock, ahead);
    const second = { USER: 'bob', GREETING: 'canary-three', NODE_OPTIONS: `--require ${clock}` };
    const { code, stderr } = await svc(['start', '--scale'], second);
    way.release();
    expect([code, stderr]).toEqual([5, expect.stringMatching(/^svc: ada@\S+ is deploying since \d\d:\d\d:\d\d$/m)]);
    expect(await first.exited, first.stderr()).toBe(0);
  }, 120_000);

  test('a token expires in the middle: a plugin is asked for another one', async () => {
    let accepted = 'first';
    let asked = 0;
    await using proxy = await startApiProxy(
      cluster.plane.server,
      ({ token, isChange }) => {
        if (isChange && ++asked === 4) accepted = 'second';
        return token === accepted ? undefined : 401;
      },
      users.admin,
    );
    const state = join(folder.path, '.svc/plugin');
    const script = `const fs = require('fs'); const second = fs.existsSync('${state}'); fs.writeFileSync('${state}', '');
      console.log(JSON.stringify({ kind: 'ExecCredential', status: { token: second ? 'second' : 'first' } }))`;
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: ['-e', script] };
    const kubeconfig = (user: object) => {
      const path = join(cluster.plane.folder, 'expiring');
      const [context, cluster_] = [{ cluster: 'c', user: 'u' }, { server: proxy.server }];
      const named = {
        contexts: [{ name: 'x', context }],
        clusters: [{ name: 'c', cluster: cluster_ }],
        users: [{ name: 'u', user }],
      };
      writeFileSync(path, JSON.stringify({ 'current-context': 'x', ...named }));
      return { KUBECONFIG: path };
    };
    const { code, stderr } = await svc(['start', '--scale'], { GREETING: 'canary-four', ...kubeconfig({ exec }) });
    expect(code, stderr).toBe(0);
    // Without a plugin nobody can give another one.
    accepted = 'first';
    asked = 0;
    const fixed = await svc(['start', '--scale'], { GREETING: 'canary-five', ...kubeconfig({ token: 'first' }) });
    expect([fixed.code, fixed.stderr]).toEqual([
      7,
      expect.stringContaining('svc: the cluster does not accept the credentials of context x\n'),
    ]);
    expect(await hello()).toBe(200);
    // The turn to deploy was given away by nobody, and is free after its time; whoever is the same person waits as well.
    await cluster.ask('DELETE', '/apis/coordination.k8s.io/v1/namespaces/default/leases/demo-deploy');
    const again = await svc(['start', '--scale'], { GREETING: 'canary-five' });
    expect(again.code, again.stderr).toBe(0);
  }, 180_000);

  test('the cluster goes away in the middle and comes back', async () => {
    await using way = await heldAt(/^PATCH .*\/deployments\/demo\?/);
    await using child = begin(['start', '--scale'], { GREETING: 'canary-six', ...through(way.server) });
    await Promise.race([way.arrived, child.exited]);
    await cluster.plane.stopServer();
    way.release();
    await child.until(/note: the cluster does not answer \(.*\); trying again/);
    expect(await hello()).toBe(200);
    await cluster.plane.startServer();
    expect(await child.exited, child.stderr()).toBe(0);
  }, 180_000);

  test('a cluster that is not there, and no kubeconfig', async () => {
    const path = join(cluster.plane.folder, 'gone');
    writeFileSync(
      path,
      'current-context: a\ncontexts: [{name: a, context: {cluster: a, user: a}}]\nclusters: [{name: a, cluster: {server: "http://127.0.0.1:9"}}]\n',
    );
    const { code, stderr } = await svc(['start', '--scale'], { KUBECONFIG: path });
    expect([code, stderr]).toEqual([7, expect.stringMatching(/^svc: cannot reach the cluster: connect ECONNREFUSED/m)]);
    const none = await svc(['start', '--scale'], { KUBECONFIG: '' });
    expect([none.code, none.stderr]).toEqual([
      7,
      expect.stringContaining('svc: cannot reach the cluster: there is no kubeconfig\n'),
    ]);
  }, 60_000);

  test('a client certificate through a proxy, and a proxy that refuses', async () => {
    const targets: string[] = [];
    let isOpen = true;
    const proxy = createServer().on('connect', (request, socket) => {
      socket.on('error', () => {});
      targets.push(request.url!);
      if (!isOpen) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      const [host, port] = request.url!.split(':');
      const to = connect(Number(port), host!);
      to.on('error', () => socket.destroy());
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      return to.pipe(socket).pipe(to);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = proxy.address() as AddressInfo;
      const at = (name: string) => join(cluster.plane.folder, name);
      const user = { 'client-certificate': at('carol.crt'), 'client-key': at('carol.key') };
      const path = cluster.plane.kubeconfigFor('carol', user);
      const config = JSON.parse(readFileSync(path, 'utf8'));
      config.clusters[0].cluster['proxy-url'] = `http://127.0.0.1:${port}`;
      writeFileSync(path, JSON.stringify(config));
      const { code, stdout, stderr } = await svc(['status'], { KUBECONFIG: path });
      expect(code, stderr).toBe(0);
      expect(stdout).toMatch(/^demo \S+ in tests\/default\n {2}serves: /);
      expect(new Set(targets)).toEqual(new Set([cluster.plane.server.replace('https://', '')]));
      isOpen = false;
      const refused = await svc(['status'], { KUBECONFIG: path });
      expect([refused.code, refused.stderr]).toEqual([
        7,
        expect.stringContaining('svc: cannot reach the cluster: the proxy 127.0.0.1 answers 403\n'),
      ]);
    } finally {
      proxy.closeAllConnections();
      proxy.close();
    }
  }, 60_000);

  test('a container that cannot be started: a Secret that it needs is not there', async () => {
    const isSecret = (line: string) => /^PATCH .*\/secrets\/demo-secrets\?/.test(line);
    // The command believes that it was written.
    await using proxy = await startApiProxy(cluster.plane.server, ({ line, isChange }) =>
      isChange && isSecret(line) ? 200 : undefined,
    );
    const { code, stderr } = await svc(['start', '--scale'], { ...other('unset'), ...through(proxy.server) });
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/^svc: pod demo-\w+-\w+ cannot be started \(CreateContainerConfigError\)/m),
    ]);
    expect(stderr).not.toContain('the version before');
    expect((await svc(['destroy', '--yes'], other('unset'))).code).toBe(0);
  }, 120_000);

  test('a namespace that is being deleted', async () => {
    await namespace('ending');
    const path = '/api/v1/namespaces/ending/configmaps';
    const kept = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept', finalizers: ['example.org/kept'] } };
    await cluster.ask('POST', path, kept);
    await cluster.ask('DELETE', '/api/v1/namespaces/ending');
    const { code, stderr } = await svc(['start', '--scale'], other('ending'));
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining('svc: namespace ending is being deleted; try again when it is gone\n'),
    ]);
    const free = { metadata: { finalizers: [] } };
    await cluster.ask('PATCH', `${path}/kept`, free, 'application/merge-patch+json');
  }, 60_000);

  test('nothing to tell of, and nothing to go back to', async () => {
    const none = other('none-yet');
    const back = await svc(['rollback', '--yes'], none);
    expect([back.code, back.stderr]).toEqual([
      5,
      expect.stringContaining('svc: demo has no revisions in tests/none-yet\n'),
    ]);
    const logs = await svc(['logs'], none);
    expect([logs.code, logs.stderr]).toEqual([5, expect.stringContaining('svc: demo has no pods\n')]);
  }, 60_000);

  test('a table of secrets that is empty takes the Secret away', async () => {
    const path = join(folder.path, 'svc.toml');
    writeFileSync(path, settings.replace(/^GREETING.*\n/m, ''));
    const secret = '/api/v1/namespaces/default/secrets/demo-secrets';
    expect((await cluster.ask('GET', secret)).kind).toBe('Secret');
    const { code, stderr } = await svc(['start', '--scale']);
    expect(code, stderr).toBe(0);
    expect((await cluster.ask('GET', secret)).code).toBe(404);
    writeFileSync(path, settings);
    expect((await svc(['start', '--scale'])).code).toBe(0);
    expect((await cluster.ask('GET', secret)).kind).toBe('Secret');
  }, 120_000);

  test('somebody else takes the turn while this deployment was out of reach', async () => {
    await using child = begin(['start', '--scale'], { GREETING: 'canary-taken', ORCH_READINESS_INITIAL_DELAY: '250' });
    await child.until(/replicas 1\/1 updated/);
    await cluster.ask('DELETE', '/apis/coordination.k8s.io/v1/namespaces/default/leases/demo-deploy');
    expect([await child.exited, child.stderr()]).toEqual([
      5,
      expect.stringContaining('svc: somebody else began to deploy while this deployment was out of reach\n'),
    ]);
    expect(await hello()).toBe(200);
    expect((await svc(['start', '--scale'])).code).toBe(0);
  }, 180_000);

  test('destroys everything of its own, and nothing of others', async () => {
    const decoys = [
      ['/api/v1/namespaces/default/configmaps', 'v1', 'ConfigMap', { app: 'demo' }],
      ['/api/v1/namespaces/default/secrets', 'v1', 'Secret', { managed: 'svc-scale' }],
      ['/api/v1/namespaces/default/serviceaccounts', 'v1', 'ServiceAccount', { app: 'other', managed: 'svc-scale' }],
    ] as const;
    for (const [path, apiVersion, kind, labels] of decoys)
      await cluster.ask('POST', path, { apiVersion, kind, metadata: { name: 'demo-decoy', labels } });
    // An object that cannot be deleted is named, and the next run goes on with it.
    await using proxy = await startApiProxy(cluster.plane.server, ({ line }) =>
      line.startsWith('DELETE /api/v1/namespaces/default/secrets/demo-auth') ? 422 : undefined,
    );
    const some = await svc(['destroy', '--yes'], through(proxy.server));
    expect([some.code, some.stderr]).toEqual([
      5,
      expect.stringMatching(
        /^Secret demo-auth: injected 422\nsvc: 1 of \d objects remain\n {2}hint: run the command again: it goes on with what is left\n/m,
      ),
    ]);
    const { code, stdout, stderr } = await svc(['destroy', '--yes']);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).not.toContain('Deployment demo');
    for (const [path] of decoys) {
      const { items } = await cluster.ask('GET', path);
      const names = items.map(({ metadata }: any) => metadata.name);
      expect(names.filter((name: string) => name.startsWith('demo'))).toEqual(['demo-decoy']);
    }
    expect(await hello()).toBe(0);
    await svc(['start', '--scale']);
  }, 120_000);
});
