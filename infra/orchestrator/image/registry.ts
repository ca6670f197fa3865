/** Registry for images, and the login there (docs/server/orchestrator.md#images). */
import type { Config } from '../../../core/config/config.ts';
import { DeployFailure } from '../deploy-failure.ts';
import { type Environment, isOnPath, runTool } from '../run-tool.ts';
import { makeEcrRepository, signInToEcr } from './ecr.ts';

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

/**
 * Finds where images go: for ECR without a repository in the configuration, the registry of the account is asked for.
 * @throws DeployFailure when nothing says it
 */
export async function findRegistry({ kind, settings, appName }: RegistryRequest): Promise<ImageRegistry> {
  const { repository, username } = settings;
  if (kind === 'dockerhub') {
    if (repository === '' && username === '') throw needsLogin(kind);
    return { repository: `docker.io/${repository || `${username}/${appName}`}`, host: 'docker.io' };
  }
  const [host = '', ...rest] = repository.split('/');
  if (rest.length > 0 && /[.:]/.test(host)) return { repository, host };
  if (kind === 'ecr') {
    const own = await signInToEcr(undefined);
    return { repository: `${own.host}/${repository || appName}`, host: own.host };
  }
  throw new DeployFailure('invalid', `registry ${kind} needs the full address in registry.repository`);
}

/**
 * Finds the account that pushes: the one the configuration names, or that which the person is signed in with.
 * @throws DeployFailure
 */
export async function findLogin(request: RegistryRequest, { host }: ImageRegistry, env: Environment): Promise<Login> {
  const { kind, settings } = request;
  const { username, password } = settings;
  const standard = { dockerhub: '', ecr: 'AWS', gcr: '_json_key' }[kind];
  if (password !== '' && (username || standard) !== '') return { username: username || standard, password };
  if (kind === 'dockerhub') throw needsLogin(kind);
  return kind === 'ecr' ? (await signInToEcr(regionOf(host))).login : await loginOfGoogle(env);
}

/** A short-lived password of the tool that people are signed in with. */
async function loginOfGoogle(env: Environment): Promise<Login> {
  if (!isOnPath('gcloud', env)) throw needsLogin('gcr', ' or the tool gcloud');
  const { code, stdout } = await runTool('gcloud', ['auth', 'print-access-token'], { env });
  const password = stdout.trim();
  if (code === 0 && password !== '') return { username: 'oauth2accesstoken', password };
  throw needsLogin('gcr', ': gcloud gave no password');
}

function needsLogin(kind: string, more = ''): DeployFailure {
  return new DeployFailure('prerequisite', `registry ${kind} needs REGISTRY_USERNAME and REGISTRY_PASSWORD${more}`);
}

/** Makes the repository where a registry does not do so with the first push. @throws DeployFailure */
export async function prepareRepository(
  { kind, settings }: RegistryRequest,
  { repository, host }: ImageRegistry,
): Promise<void> {
  if (kind !== 'ecr') return;
  const made = makeEcrRepository(regionOf(host), repository.slice(host.length + 1));
  await made.catch((error) => {
    // Who pushes with a password of the configuration need not have credentials of AWS.
    if (settings.password === '' || !(error instanceof DeployFailure) || error.kind !== 'prerequisite') throw error;
  });
}

function regionOf(host: string): string | undefined {
  return /\.ecr\.([\w-]+)\./.exec(host)?.[1];
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
