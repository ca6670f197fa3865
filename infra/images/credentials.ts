/**
 * Accounts at registries, as `docker login` and `podman login` leave them:
 * https://docs.docker.com/reference/cli/docker/login/#credential-stores
 */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { DeployFailure } from '../orchestrator/deploy-failure.ts';
import { type Environment, isOnPath, runTool } from '../orchestrator/run-tool.ts';

/** A password, or a token that is exchanged for one of an hour. */
export type Credentials = { readonly username: string; readonly password: string } | { readonly identityToken: string };

interface LoginFile {
  readonly auths?: Readonly<Record<string, LoginEntry | undefined>>;
  readonly credsStore?: string;
  readonly credHelpers?: Readonly<Record<string, string | undefined>>;
}

interface LoginEntry {
  readonly auth?: string;
  readonly username?: string;
  readonly password?: string;
  readonly identitytoken?: string;
}

/** Finds the account for a registry: none is what public images need. @throws DeployFailure for a file or helper that is broken */
export async function findCredentials(host: string, env: Environment): Promise<Credentials | undefined> {
  for (const path of loginFiles(env)) {
    const found = await credentialsIn(path, host, env);
    if (found !== undefined) return found;
  }
  return undefined;
}

function loginFiles(env: Environment): string[] {
  const { DOCKER_CONFIG: docker, REGISTRY_AUTH_FILE: file, XDG_RUNTIME_DIR: runtime } = env;
  const home = env['HOME'] || homedir();
  return [
    ...(file ? [file] : []),
    join(docker || join(home, '.docker'), 'config.json'),
    ...(runtime ? [join(runtime, 'containers/auth.json')] : []),
  ];
}

async function credentialsIn(path: string, host: string, env: Environment): Promise<Credentials | undefined> {
  const file = readLogins(path);
  if (file === undefined) return undefined;
  for (const server of serverNames(host)) {
    const helper = file.credHelpers?.[server] ?? (file.credsStore || undefined);
    const found = helper === undefined ? undefined : await askHelper(helper, server, env);
    const own = found ?? credentialsOf(file.auths?.[server]);
    if (own !== undefined) return own;
  }
  return undefined;
}

function readLogins(path: string): LoginFile | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  try {
    return JSON.parse(text) as LoginFile;
  } catch {
    throw new DeployFailure('prerequisite', `${path} is not JSON`, { hints: ['docker login writes it anew'] });
  }
}

/** Names that a registry may have in the file. */
function serverNames(host: string): string[] {
  return host === 'registry-1.docker.io'
    ? ['https://index.docker.io/v1/', 'docker.io', 'index.docker.io', host]
    : [host, `https://${host}`, `https://${host}/v1/`, `https://${host}/v2/`];
}

function credentialsOf(entry: LoginEntry | undefined): Credentials | undefined {
  if (entry === undefined) return undefined;
  if (entry.identitytoken) return { identityToken: entry.identitytoken };
  if (entry.username && entry.password) return { username: entry.username, password: entry.password };
  const [, username, password] = /^([^:]+):([\s\S]*)$/.exec(Buffer.from(entry.auth ?? '', 'base64').toString()) ?? [];
  return username === undefined ? undefined : { username, password: password! };
}

/** The name of the server goes in and the secret comes out by standard streams; neither is an argument. */
async function askHelper(name: string, server: string, env: Environment): Promise<Credentials | undefined> {
  const program = `docker-credential-${name}`;
  if (!/^[\w.-]+$/.test(name) || !isOnPath(program, env)) return undefined;
  const { code, stdout } = await runTool(program, ['get'], { env, input: server });
  if (code !== 0) return undefined;
  try {
    const { Username: username, Secret: secret } = JSON.parse(stdout) as { Username?: string; Secret?: string };
    if (!secret) return undefined;
    return username === '<token>' ? { identityToken: secret } : { username: username ?? '', password: secret };
  } catch {
    throw new DeployFailure('prerequisite', `${program} answers something that is not JSON`);
  }
}
