/** A command that runs where a pod would: with the account that the cluster gives it, and nothing else that says where the cluster is. */
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { noteMissing } from '../../harness/missing.ts';
import { svcBin } from '../../harness/server.ts';
import type { Cluster } from './cluster.ts';
import type { Ended } from './commands.ts';

/** Folders can be put where a container has them. */
export const hasMounts = spawnSync('bwrap', ['--dev-bind', '/', '/', 'true']).status === 0;
if (!hasMounts) noteMissing('bwrap');

/** Makes a pod whose account may do everything in its namespace, and its token, which holds as long as the pod is there. */
export async function makeAccount({ ask }: Cluster, namespace: string): Promise<string> {
  const core = `/api/v1/namespaces/${namespace}`;
  const metadata = { name: 'deployer' };
  await ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await ask('POST', `${core}/serviceaccounts`, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  await ask('POST', `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`, {
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' },
    subjects: [{ kind: 'ServiceAccount', name: 'deployer', namespace }],
  });
  const pod = await ask('POST', `${core}/pods`, {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata },
    spec: { serviceAccountName: 'deployer', schedulerName: 'nobody', containers: [{ name: 'one', image: 'one' }] },
  });
  const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'deployer', uid: pod.metadata.uid };
  const { status } = await ask('POST', `${core}/serviceaccounts/deployer/token`, {
    ...{ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' },
    spec: { expirationSeconds: 600, boundObjectRef },
  });
  return status.token;
}

export async function runInside(
  { plane, env }: Cluster,
  { namespace, token }: { readonly namespace: string; readonly token: string },
  args: readonly string[],
  { cwd, variables }: { readonly cwd: string; readonly variables: Readonly<Record<string, string>> },
): Promise<Ended> {
  const account = join(plane.folder, 'account');
  mkdirSync(account, { recursive: true });
  writeFileSync(join(account, 'token'), token);
  writeFileSync(join(account, 'namespace'), namespace);
  copyFileSync(join(plane.folder, 'certs/apiserver.crt'), join(account, 'ca.crt'));
  const { hostname, port } = new URL(plane.server);
  const { KUBECONFIG: _, ...others } = env;
  const mounts = ['--tmpfs', '/run', '--ro-bind', account, '/run/secrets/kubernetes.io/serviceaccount'];
  const child = spawn(
    'bwrap',
    ['--dev-bind', '/', '/', '--die-with-parent', ...mounts, process.execPath, svcBin, ...args],
    {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...others, ...variables, KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
    },
  );
  const [code, stdout, stderr] = await Promise.all([
    new Promise<number | null>((resolve) => child.once('close', resolve)),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, stdout, stderr };
}
