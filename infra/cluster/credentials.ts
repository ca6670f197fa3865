/** Proofs of who calls a cluster: tokens, client certificates, and plugins that give either (`client.authentication.k8s.io`). */
import { readFileSync } from 'node:fs';
import { DeployFailure } from '../orchestrator/deploy-failure.ts';
import { type Environment, lastLines, runTool } from '../orchestrator/run-tool.ts';
import type { ClusterAccess, Identity } from './access.ts';

/** A user of a kubeconfig; paths are absolute. */
export interface UserEntry {
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: string;
  readonly as?: string;
  readonly 'auth-provider'?: { readonly name?: string };
  readonly exec?: ExecPlugin;
}

interface ExecPlugin {
  readonly apiVersion?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
}

interface Held {
  readonly identity: Identity;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** A token of a file may be replaced at any time; Kubernetes' own clients read it again after a minute. */
const fileSeconds = 60;

export function credentialsOf(
  user: UserEntry,
  server: string,
  env: Environment,
): Pick<ClusterAccess, 'identify' | 'forget'> {
  let held: Promise<Held> | undefined;
  const get = async (): Promise<Identity> => {
    held ??= identityOf(user, server, env);
    const { identity, until } = await held.catch((error) => {
      held = undefined;
      throw error;
    });
    if (until > Date.now()) return identity;
    held = undefined;
    return await get();
  };
  return {
    identify: get,
    forget: () => {
      held = undefined;
    },
  };
}

async function identityOf(user: UserEntry, server: string, env: Environment): Promise<Held> {
  if (user['auth-provider'] !== undefined)
    throw new DeployFailure(
      'prerequisite',
      `auth-provider ${user['auth-provider'].name} of the kubeconfig is no more`,
      {
        hints: ['clusters give credentials by plugins now: have the tool of your cluster write the kubeconfig anew'],
      },
    );
  const certificate = {
    ...given('cert', user['client-certificate-data'], user['client-certificate']),
    ...given('key', user['client-key-data'], user['client-key']),
  };
  const headers: Record<string, string> = user.as === undefined ? {} : { 'impersonate-user': user.as };
  const never = Number.POSITIVE_INFINITY;
  if (user.exec !== undefined) {
    const given = await runPlugin(user.exec, server, env);
    return {
      ...given,
      identity: { ...certificate, ...given.identity, headers: { ...headers, ...given.identity.headers } },
    };
  }
  if (user.tokenFile !== undefined) {
    const token = readFileSync(user.tokenFile, 'utf8').trim();
    const identity = { ...certificate, headers: { ...headers, authorization: `Bearer ${token}` } };
    return { identity, until: Date.now() + fileSeconds * 1000 };
  }
  const basic = Buffer.from(`${user.username}:${user.password}`).toString('base64');
  const authorization =
    user.token !== undefined ? `Bearer ${user.token}` : user.username !== undefined ? `Basic ${basic}` : undefined;
  return {
    identity: { ...certificate, headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) } },
    until: never,
  };
}

function given(name: 'cert' | 'key', data: string | undefined, path: string | undefined): Partial<Identity> {
  if (data) return { [name]: Buffer.from(data, 'base64') };
  return path ? { [name]: readFileSync(path) } : {};
}

const apiVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

/** https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins */
async function runPlugin(plugin: ExecPlugin, server: string, env: Environment): Promise<Held> {
  const { command = '', args = [], apiVersion = apiVersions[0]! } = plugin;
  if (!apiVersions.includes(apiVersion)) throw pluginFailure(plugin, `speaks ${apiVersion}, which is no more`);
  const info = {
    apiVersion,
    kind: 'ExecCredential',
    spec: { interactive: false, ...(plugin.provideClusterInfo === true ? { cluster: { server } } : {}) },
  };
  const own = Object.fromEntries((plugin.env ?? []).map(({ name, value }) => [name, value]));
  const ran = await runTool(command, args, { env: { ...env, ...own, KUBERNETES_EXEC_INFO: JSON.stringify(info) } });
  // Its standard output may be credentials, and is not shown.
  if (ran.code !== 0) throw pluginFailure(plugin, 'failed', ran.stdout === '' ? lastLines(ran.output, 5) : []);
  const status = statusOf(ran.stdout);
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = status ?? {};
  if (token === undefined && cert === undefined) throw pluginFailure(plugin, 'gave no credentials');
  const until = expirationTimestamp === undefined ? Number.POSITIVE_INFINITY : Date.parse(expirationTimestamp) - 10_000;
  return {
    identity: {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    },
    // Credentials that are about to expire are still good for this one request.
    until: Math.max(until, Date.now() + 1000),
  };
}

interface PluginStatus {
  readonly token?: string;
  readonly clientCertificateData?: string;
  readonly clientKeyData?: string;
  readonly expirationTimestamp?: string;
}

function statusOf(text: string): PluginStatus | undefined {
  try {
    return JSON.parse(text).status;
  } catch {
    return undefined;
  }
}

function pluginFailure(plugin: ExecPlugin, why: string, output: readonly string[] = []): DeployFailure {
  return new DeployFailure('prerequisite', `cannot reach the cluster: the credential plugin ${plugin.command} ${why}`, {
    output,
    hints: plugin.installHint === undefined ? [] : [plugin.installHint.trim()],
  });
}
