/**
 * Access to a cluster as `kubectl` would have it: `KUBECONFIG`, else `~/.kube/config`, else the account of the pod that this runs in.
 * https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/
 */
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { DeployFailure } from '../orchestrator/deploy-failure.ts';
import type { Environment } from '../orchestrator/run-tool.ts';
import type { ClusterAccess, ServerTrust } from './access.ts';
import { credentialsOf, type UserEntry } from './credentials.ts';

/** Finds the cluster of a context; of the current one when it is ''. @throws DeployFailure when there is none or it cannot be read */
export function findCluster(context: string, env: Environment): ClusterAccess {
  const paths = kubeconfigPaths(env);
  if (paths.length > 0) return accessOf(readKubeconfig(paths), context, env);
  const inCluster = accessOfPod(env);
  if (inCluster !== undefined) return inCluster;
  throw unreachable('there is no kubeconfig', [
    'set KUBECONFIG, or write ~/.kube/config with the tool of your cluster',
  ]);
}

/** True when something says where a cluster is. */
export function hasCluster(env: Environment): boolean {
  return kubeconfigPaths(env).length > 0 || accessOfPod(env) !== undefined;
}

export function unreachable(reason: string, hints: readonly string[] = []): DeployFailure {
  return new DeployFailure('prerequisite', `cannot reach the cluster: ${reason}`, { hints });
}

interface Named<T> {
  readonly name: string;
  readonly value: T;
}

interface Kubeconfig {
  readonly current: string;
  readonly contexts: readonly Named<{ cluster?: string; user?: string; namespace?: string }>[];
  readonly clusters: readonly Named<ClusterEntry>[];
  readonly users: readonly Named<UserEntry>[];
}

interface ClusterEntry {
  readonly server?: string;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'tls-server-name'?: string;
  readonly 'proxy-url'?: string;
}

function kubeconfigPaths(env: Environment): string[] {
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  if (listed.length > 0) return listed;
  const own = join(env['HOME'] ?? env['USERPROFILE'] ?? '', '.kube', 'config');
  return existsSync(own) ? [own] : [];
}

/** Reads files in order; the first one that defines a thing counts. */
function readKubeconfig(paths: readonly string[]): Kubeconfig {
  const files = paths.map((path) => {
    try {
      return partOf(parse(readFileSync(path, 'utf8')), dirname(resolve(path)));
    } catch (error) {
      // The text of a file of credentials is not shown.
      const { code, message } = error as NodeJS.ErrnoException;
      throw unreachable(`${path} cannot be read (${code ?? message.split('\n')[0]!.replace(/:$/, '')})`);
    }
  });
  return {
    current: files.map(({ current }) => current).find((name) => name !== '') ?? '',
    contexts: files.flatMap(({ contexts }) => contexts),
    clusters: files.flatMap(({ clusters }) => clusters),
    users: files.flatMap(({ users }) => users),
  };
}

const pathKeys = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

function partOf(file: any, folder: string): Kubeconfig {
  const list = (items: any, of: string): Named<any>[] =>
    (Array.isArray(items) ? items : []).map((item) => ({ name: String(item?.name), value: located(item?.[of] ?? {}) }));
  const located = (entry: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(entry).map(([key, value]) => [
        key,
        pathKeys.includes(key) && typeof value === 'string' && value !== '' ? resolve(folder, value) : value,
      ]),
    );
  return {
    current: String(file?.['current-context'] ?? ''),
    contexts: list(file?.contexts, 'context'),
    clusters: list(file?.clusters, 'cluster'),
    users: list(file?.users, 'user'),
  };
}

function accessOf(config: Kubeconfig, wanted: string, env: Environment): ClusterAccess {
  const name = wanted || config.current;
  const found = <T>(items: readonly Named<T>[], of: string | undefined): T | undefined =>
    items.find((item) => item.name === of)?.value;
  const context = found(config.contexts, name);
  if (context === undefined) {
    const names = config.contexts.map((one) => one.name).join(', ') || 'none';
    throw unreachable(name === '' ? 'the kubeconfig has no current context' : `the kubeconfig has no context ${name}`, [
      `contexts: ${names}; set [plugins.scale.orchestrator] context`,
    ]);
  }
  const cluster = found(config.clusters, context.cluster);
  if (cluster?.server === undefined)
    throw unreachable(`the kubeconfig has no cluster ${context.cluster ?? ''} for context ${name}`);
  return {
    context: name,
    server: cluster.server.replace(/\/$/, ''),
    namespace: context.namespace,
    tls: trustOf(cluster),
    proxy: cluster['proxy-url'],
    ...credentialsOf(found(config.users, context.user) ?? {}, cluster.server, env),
  };
}

function trustOf(cluster: ClusterEntry): ServerTrust {
  const data = cluster['certificate-authority-data'];
  const path = cluster['certificate-authority'];
  return {
    ...(data ? { ca: Buffer.from(data, 'base64') } : path ? { ca: readFileSync(path) } : {}),
    ...(cluster['tls-server-name'] ? { servername: cluster['tls-server-name'] } : {}),
    ...(cluster['insecure-skip-tls-verify'] === true ? { rejectUnauthorized: false } : {}),
  };
}

const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/ */
function accessOfPod(env: Environment): ClusterAccess | undefined {
  const host = env['KUBERNETES_SERVICE_HOST'];
  const tokenFile = join(accountFolder, 'token');
  if (!host || !existsSync(tokenFile)) return undefined;
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${env['KUBERNETES_SERVICE_PORT'] || '443'}`;
  return {
    context: 'in-cluster',
    server,
    namespace: readFileSync(join(accountFolder, 'namespace'), 'utf8').trim(),
    tls: { ca: readFileSync(join(accountFolder, 'ca.crt')) },
    proxy: undefined,
    ...credentialsOf({ tokenFile }, server, env),
  };
}
