/** The registry of an account of AWS, asked with the client that deploying there uses. */
import type { ECR } from '@aws-sdk/client-ecr';
import { AwsError, awsError } from '../../targets/cloud/failures.ts';
import { DeployFailure } from '../deploy-failure.ts';

export interface AccountRegistry {
  /** `123456789012.dkr.ecr.eu-west-1.amazonaws.com` */
  readonly host: string;
  readonly login: EcrLogin;
}

export interface EcrLogin {
  readonly username: string;
  readonly password: string;
}

/** Signs in with the credentials of AWS. @param region that of the machine's settings when it is not given @throws DeployFailure */
export async function signInToEcr(region: string | undefined): Promise<AccountRegistry> {
  return await withEcr(region, async (ecr) => {
    const { authorizationData: [given] = [] } = await asked('GetAuthorizationToken', ecr.getAuthorizationToken({}));
    return {
      host: (given?.proxyEndpoint ?? '').replace(/^https?:\/\//, ''),
      login: loginOf(given?.authorizationToken),
    };
  });
}

/** Reads the answer of `GetAuthorizationToken`: name and password in base64. */
export function loginOf(token = ''): EcrLogin {
  const text = Buffer.from(token, 'base64').toString();
  const [, username = '', password = ''] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  return { username, password };
}

/** Makes a repository that is missing. @throws DeployFailure */
export async function makeEcrRepository(region: string | undefined, name: string): Promise<void> {
  await withEcr(region, async (ecr) => {
    const repositoryNames = [name];
    try {
      await asked('DescribeRepositories', ecr.describeRepositories({ repositoryNames }));
    } catch (error) {
      // Who may push need not have the right to ask.
      if (!(error instanceof AwsError) || error.code !== 'RepositoryNotFoundException') return;
      await asked('CreateRepository', ecr.createRepository({ repositoryName: name })).catch((refused) => {
        if (refused instanceof AwsError && refused.code === 'RepositoryAlreadyExistsException') return;
        throw refused;
      });
    }
  });
}

async function withEcr<T>(region: string | undefined, work: (ecr: ECR) => Promise<T>): Promise<T> {
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const { ECR } = await import('@aws-sdk/client-ecr').catch((error) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new DeployFailure('prerequisite', 'registry ecr needs REGISTRY_PASSWORD or the client of AWS that signs in', {
      hints: ['npm install --save-dev @aws-sdk/client-ecr'],
    });
  });
  const timeouts = { connectionTimeout: 5000, requestTimeout: 60_000, throwOnRequestTimeout: true };
  const ecr = new ECR({ ...(region === undefined ? {} : { region }), requestHandler: timeouts });
  try {
    return await work(ecr);
  } finally {
    ecr.destroy();
  }
}

async function asked<T>(operation: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && error.message.includes('Region is missing'))
      throw new DeployFailure('prerequisite', 'registry ecr has no region', {
        hints: ['AWS_REGION, or the full address in registry.repository'],
      });
    throw awsError(error, 'ecr', operation);
  }
}
