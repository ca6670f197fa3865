/** Proofs of who calls Google Cloud: application default credentials, by google-auth-library. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AuthClient } from 'google-auth-library';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import type { Environment } from '../../orchestrator/run-tool.ts';

export interface GoogleAccess {
  /** Token of an account, for `Authorization: Bearer`. @throws DeployFailure */
  token(): Promise<string>;
  /** Drops the token: the service did not take it. */
  forget(): void;
}

const scope = 'https://www.googleapis.com/auth/cloud-platform';

export function openAccess(env: Environment): GoogleAccess {
  let client: Promise<AuthClient> | undefined;
  return {
    async token() {
      client ??= findClient(env);
      const { token } = await (await client).getAccessToken().catch((error: Error) => {
        throw notAccepted(error.message);
      });
      if (!token) throw notAccepted('they give no token');
      return token;
    },
    forget() {
      client = undefined;
    },
  };
}

/** Project that the machine names without asking anybody; undefined where it does not. */
export function projectOf(env: Environment): string | undefined {
  const named = env['GOOGLE_CLOUD_PROJECT'] || env['GCLOUD_PROJECT'] || env['CLOUDSDK_CORE_PROJECT'];
  if (named) return named;
  try {
    const { project_id: own, quota_project_id: billed } = JSON.parse(contentsOf(credentialsFile(env)) ?? '{}');
    return own || billed || undefined;
  } catch {
    return undefined;
  }
}

/** True when the machine has credentials in a file, or runs in Google Cloud, which gives them. */
export function hasCredentials(env: Environment): boolean {
  return contentsOf(credentialsFile(env)) !== undefined || runsInGoogleCloud(env);
}

/** Tells machines of Google Cloud, the only ones with a service that gives tokens: others do not wait for it. */
function runsInGoogleCloud(env: Environment): boolean {
  if (env['GCE_METADATA_HOST'] || env['K_SERVICE'] || env['CLOUD_RUN_JOB']) return true;
  return contentsOf('/sys/class/dmi/id/product_name')?.startsWith('Google') === true;
}

function contentsOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** https://cloud.google.com/docs/authentication/application-default-credentials */
function credentialsFile(env: Environment): string {
  const own = env['GOOGLE_APPLICATION_CREDENTIALS'];
  if (own) return own;
  const folder = env['CLOUDSDK_CONFIG'] || join(env['HOME'] || homedir(), '.config/gcloud');
  return join(folder, 'application_default_credentials.json');
}

async function findClient(env: Environment): Promise<AuthClient> {
  const { GoogleAuth } = await loadLibrary();
  const file = credentialsFile(env);
  const isFile = contentsOf(file) !== undefined;
  if (!isFile && env['GOOGLE_APPLICATION_CREDENTIALS'])
    throw new DeployFailure('prerequisite', `cannot read the credentials of Google Cloud: ${file}`, {
      hints: ['GOOGLE_APPLICATION_CREDENTIALS names the file'],
    });
  if (!isFile && !runsInGoogleCloud(env))
    throw new DeployFailure('prerequisite', 'no Google Cloud credentials found', {
      hints: ['gcloud auth application-default login, or GOOGLE_APPLICATION_CREDENTIALS with the path of a file'],
    });
  try {
    return await new GoogleAuth({ scopes: scope, ...(isFile ? { keyFilename: file } : {}) }).getClient();
  } catch (error) {
    throw notAccepted((error as Error).message);
  }
}

async function loadLibrary(): Promise<typeof import('google-auth-library')> {
  try {
    return await import('google-auth-library');
  } catch {
    throw new DeployFailure('prerequisite', 'google-auth-library, which signs in at Google Cloud, is not installed', {
      hints: ['npm install --save-dev google-auth-library'],
    });
  }
}

/** Tells the first line of what the library says: others may repeat what was sent. */
function notAccepted(reason: string): DeployFailure {
  return new DeployFailure('prerequisite', `Google Cloud does not accept the credentials: ${reason.split('\n')[0]}`, {
    hints: [
      'they may have expired: gcloud auth application-default login, then run the command once more; it continues',
    ],
  });
}
