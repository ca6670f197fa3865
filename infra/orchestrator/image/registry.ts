/** Registry for images, and the login there (docs/server/orchestrator.md#images). */
import type { Config } from '../../../core/config/config.ts';
import { DeployFailure } from '../deploy-failure.ts';
import { type Environment, isOnPath, lastLines, runTool } from '../run-tool.ts';

export interface ImageRegistry {
  /** Name of the repository without tag. */
  readonly repository: string;
  readonly host: string;
}

export interface Login {
  readonly username: string;
  readonly password: string;
}

export interface RegistryRequest {
  readonly kind: Config['scale']['registry']['kind'];
  readonly settings: Config['scale']['registry'];
  readonly appName: string;
}

/** @throws DeployFailure when nothing says where images go */
export function findRegistry({ kind, settings, appName }: RegistryRequest): ImageRegistry {
  const { repository, username } = settings;
  if (kind === 'dockerhub') {
    if (repository === '' && username === '') throw needsLogin(kind);
    return { repository: `docker.io/${repository || `${username}/${appName}`}`, host: 'docker.io' };
  }
  if (repository.includes('/')) return { repository, host: repository.split('/')[0]! };
  throw new DeployFailure('invalid', `registry ${kind} needs the full address in registry.repository`);
}

/**
 * Finds the account that pushes: the one the configuration names, or that of a tool the person is signed in with.
 * @throws DeployFailure
 */
export async function findLogin(request: RegistryRequest, { host }: ImageRegistry, env: Environment): Promise<Login> {
  const { kind, settings } = request;
  const { username, password } = settings;
  const standard = { dockerhub: '', ecr: 'AWS', gcr: '_json_key' }[kind];
  if (password !== '' && (username || standard) !== '') return { username: username || standard, password };
  if (kind === 'dockerhub') throw needsLogin(kind);
  return await loginOfTool(kind, host, env);
}

/** Tools that give a short-lived password to who is signed in with them. */
async function loginOfTool(kind: 'ecr' | 'gcr', host: string, env: Environment): Promise<Login> {
  const tools = {
    ecr: { program: 'aws', args: ['ecr', 'get-login-password', '--region', regionOf(host)], username: 'AWS' },
    gcr: { program: 'gcloud', args: ['auth', 'print-access-token'], username: 'oauth2accesstoken' },
  };
  const { program, args, username } = tools[kind];
  if (!isOnPath(program, env)) throw needsLogin(kind, ` or the tool ${program}`);
  const { code, stdout } = await runTool(program, args, { env });
  const password = stdout.trim();
  if (code === 0 && password !== '') return { username, password };
  throw needsLogin(kind, `: ${program} gave no password`);
}

function needsLogin(kind: string, more = ''): DeployFailure {
  return new DeployFailure('prerequisite', `registry ${kind} needs REGISTRY_USERNAME and REGISTRY_PASSWORD${more}`);
}

/**
 * Makes the repository where a registry does not do so with the first push: with the tool that signs in there as well.
 * @throws DeployFailure
 */
export async function prepareRepository(
  { kind }: RegistryRequest,
  { repository, host }: ImageRegistry,
  env: Environment,
): Promise<void> {
  if (kind !== 'ecr' || !isOnPath('aws', env)) return;
  const place = ['--region', regionOf(host)];
  const name = repository.slice(host.length + 1);
  const there = await runTool('aws', ['ecr', 'describe-repositories', ...place, '--repository-names', name], { env });
  // Who may push need not have the right to ask.
  if (there.code === 0 || !there.output.includes('RepositoryNotFoundException')) return;
  const made = await runTool('aws', ['ecr', 'create-repository', ...place, '--repository-name', name], { env });
  if (made.code === 0 || made.output.includes('RepositoryAlreadyExistsException')) return;
  throw new DeployFailure('failed', `the repository ${repository} cannot be made`, {
    output: lastLines(made.output, 20),
  });
}

function regionOf(host: string): string {
  return /\.ecr\.([\w-]+)\./.exec(host)?.[1] ?? 'us-east-1';
}

/** Contents of the Secret that nodes pull private images with. */
export function pullSecretOf({ host }: ImageRegistry, { username, password }: Login): string {
  const auth = Buffer.from(`${username}:${password}`).toString('base64');
  const server = host === 'docker.io' ? 'https://index.docker.io/v1/' : host;
  return JSON.stringify({ auths: { [server]: { username, password, auth } } });
}

/** `1.2.0-3f2a9c1b0d4e` */
export function imageTag(version: string, sourceDigest: string): string {
  return `${version.replace(/[^\w.-]/g, '_').slice(0, 100)}-${sourceDigest.slice(0, 12)}`;
}
