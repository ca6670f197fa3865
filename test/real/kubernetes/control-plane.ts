/**
 * A real control plane on this machine: etcd, kube-apiserver, kube-controller-manager and kube-scheduler, built by
 * `build.mjs` from Go modules. The addresses are of the loopback range.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../harness/ports.ts';

/** Folder of the binaries: `SVC_CONTROL_PLANE`, else in the user's cache. */
export const binaries = process.env['SVC_CONTROL_PLANE'] || join(homedir(), '.cache/svc-scale/control-plane/bin');

const programs = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];

export const hasControlPlane = programs.every((name) => existsSync(join(binaries, name)));

export interface ControlPlane extends AsyncDisposable {
  readonly server: string;
  /** Folder of its files; also for those of tests. */
  readonly folder: string;
  /** Kubeconfig of an administrator. */
  readonly kubeconfig: string;
  /** Writes a kubeconfig for a user of `users`, or one with these credentials. */
  kubeconfigFor(name: string, user: object): string;
  /** Stops and starts the API server, as when a cluster is away for a while. */
  stopServer(): Promise<void>;
  startServer(): Promise<void>;
  versions(): string;
}

/** Tokens by user: an administrator, and people whom tests give rights to. */
export const users = { admin: 'admin-token-of-tests', ada: 'ada-token-of-tests', bob: 'bob-token-of-tests' };

export async function startControlPlane(): Promise<ControlPlane> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-control-plane-'));
  const [client, peer, port] = [await freePort(), await freePort(), await freePort()];
  const at = (name: string) => join(folder, name);
  const running = new Map<string, ChildProcess>();
  const run = (name: string, args: readonly string[]) => {
    const log = openSync(at(`${name}.log`), 'a');
    running.set(name, spawn(join(binaries, name), args, { cwd: folder, stdio: ['ignore', log, log] }));
  };
  const end = async (name: string) => {
    const child = running.get(name);
    if (child === undefined || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(name === 'etcd' ? 'SIGKILL' : 'SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
    await gone;
    clearTimeout(timer);
  };
  execFileSync('openssl', ['genrsa', '-out', at('accounts.key'), '2048'], { stdio: 'ignore' });
  makeAuthority(folder);
  writeFileSync(
    at('tokens.csv'),
    `${users.admin},admin,admin,"system:masters"\n${users.ada},ada,ada\n${users.bob},bob,bob\n`,
  );
  const server = `https://127.0.0.1:${port}`;
  const etcd = `http://127.0.0.1:${client}`;
  run('etcd', [
    ...['--data-dir', at('etcd'), '--listen-client-urls', etcd, '--advertise-client-urls', etcd, '--unsafe-no-fsync'],
    ...['--listen-peer-urls', `http://127.0.0.1:${peer}`, '--initial-advertise-peer-urls', `http://127.0.0.1:${peer}`],
    ...['--initial-cluster', `default=http://127.0.0.1:${peer}`, '--log-level', 'error'],
  ]);
  const startServer = async () => {
    run('kube-apiserver', [
      ...[`--etcd-servers=${etcd}`, `--secure-port=${port}`, '--bind-address=127.0.0.1', `--cert-dir=${at('certs')}`],
      ...['--advertise-address=127.0.0.1', '--endpoint-reconciler-type=none', '--authorization-mode=RBAC'],
      ...[`--token-auth-file=${at('tokens.csv')}`, `--client-ca-file=${at('ca.crt')}`, '--shutdown-delay-duration=0s'],
      ...['--service-account-issuer=https://svc.test', `--service-account-key-file=${at('accounts.key')}`],
      ...[`--service-account-signing-key-file=${at('accounts.key')}`, '--service-cluster-ip-range=10.96.0.0/16'],
      ...['--kubelet-preferred-address-types=InternalIP', '--disable-admission-plugins=TaintNodesByCondition'],
    ]);
    await untilReady(server, () => readFileSync(at('kube-apiserver.log'), 'utf8').slice(-2000));
  };
  await startServer();
  const kubeconfigFor = (name: string, user: object) => {
    const path = at(`kubeconfig-${name}`);
    // JSON is YAML.
    writeFileSync(path, JSON.stringify(kubeconfigOf(server, at('certs/apiserver.crt'), name, user)), { mode: 0o600 });
    return path;
  };
  const kubeconfig = kubeconfigFor('admin', { token: users.admin });
  run('kube-controller-manager', [
    ...[`--kubeconfig=${kubeconfig}`, `--service-account-private-key-file=${at('accounts.key')}`],
    ...['--leader-elect=false', '--secure-port=0', '--concurrent-deployment-syncs=2'],
    ...['--horizontal-pod-autoscaler-sync-period=1s', '--horizontal-pod-autoscaler-initial-readiness-delay=0s'],
    ...[
      '--horizontal-pod-autoscaler-cpu-initialization-period=1s',
      '--horizontal-pod-autoscaler-downscale-stabilization=1ms',
    ],
  ]);
  run('kube-scheduler', [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--secure-port=0']);
  return {
    ...{ server, folder, kubeconfig, kubeconfigFor, startServer },
    stopServer: () => end('kube-apiserver'),
    versions: () => execFileSync(join(binaries, 'kube-apiserver'), ['--version'], { encoding: 'utf8' }).trim(),
    async [Symbol.asyncDispose]() {
      await Promise.all(['kube-scheduler', 'kube-controller-manager', 'kube-apiserver'].map(end));
      await end('etcd');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An authority for client certificates, and one certificate of a person named `carol`. */
function makeAuthority(folder: string): void {
  const ssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  ssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'ca.key',
    '-out',
    'ca.crt',
    '-subj',
    '/CN=tests',
    '-days',
    '2',
  );
  ssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'carol.key',
    '-out',
    'carol.csr',
    '-subj',
    '/CN=carol/O=system:masters',
  );
  ssl(
    'x509',
    '-req',
    '-in',
    'carol.csr',
    '-CA',
    'ca.crt',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-out',
    'carol.crt',
    '-days',
    '2',
  );
  mkdirSync(join(folder, 'certs'));
}

function kubeconfigOf(server: string, authority: string, name: string, user: object): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'tests',
    contexts: [{ name: 'tests', context: { cluster: 'tests', user: name } }],
    clusters: [{ name: 'tests', cluster: { server, 'certificate-authority': authority } }],
    users: [{ name, user }],
  };
}

/** The API server answers with a certificate it has made itself. */
async function untilReady(server: string, log: () => string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if ((await readyStatus(server)) === 200) return;
    await sleep(200);
  }
  throw new Error(`the API server does not become ready\n${log()}`);
}

async function readyStatus(server: string): Promise<number> {
  const { request } = await import('node:https');
  return await new Promise((resolve) => {
    const headers = { authorization: `Bearer ${users.admin}` };
    const asked = request(`${server}/readyz`, { rejectUnauthorized: false, headers, timeout: 5000 }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('error', () => resolve(0));
    asked.end();
  });
}
