/** Clients of the services that a deployment talks to: installed by whoever deploys, loaded only then. */
import type { CloudFormation } from '@aws-sdk/client-cloudformation';
import type { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import type { DynamoDB } from '@aws-sdk/client-dynamodb';
import type { ECR } from '@aws-sdk/client-ecr';
import type { IAM } from '@aws-sdk/client-iam';
import type { S3 } from '@aws-sdk/client-s3';
import type { SSM } from '@aws-sdk/client-ssm';
import type { STS } from '@aws-sdk/client-sts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import { awsError } from './failures.ts';

export interface Clients {
  readonly region: string;
  readonly formation: CloudFormation;
  readonly s3: S3;
  readonly ssm: SSM;
  readonly sts: STS;
  readonly logs: CloudWatchLogs;
  readonly dynamo: DynamoDB;
  readonly ecr: ECR;
  readonly iam: IAM;
  close(): void;
}

/** Packages that deploying needs. */
export const packages = ['cloudformation', 'cloudwatch-logs', 'dynamodb', 'ecr', 'iam', 's3', 'ssm', 'sts'].map(
  (name) => `@aws-sdk/client-${name}`,
);

/** Attempts of a request that is throttled or gets no answer, unless the environment has a number: with longer waits each time, up to half a minute in all. */
const maxAttempts = 9;

export async function openClients(region: string, env: Readonly<Record<string, string | undefined>>): Promise<Clients> {
  // The pinned release runs on the oldest Node there is support for; its advice is for those who choose one.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const [formation, logs, dynamo, ecr, iam, s3, ssm, sts] = await load();
  const timeouts = { connectionTimeout: 5000, requestTimeout: 60_000, throwOnRequestTimeout: true };
  const attempts = env['AWS_MAX_ATTEMPTS'] ? {} : { maxAttempts };
  const common = { region, ...attempts, retryMode: 'standard', requestHandler: timeouts } as const;
  const isElsewhere = Boolean(env['AWS_ENDPOINT_URL'] || env['AWS_ENDPOINT_URL_S3']);
  const made = {
    formation: new formation.CloudFormation(common),
    logs: new logs.CloudWatchLogs(common),
    dynamo: new dynamo.DynamoDB(common),
    ecr: new ecr.ECR(common),
    iam: new iam.IAM(common),
    // An archive takes its time over a slow line. Other services seldom have a host name for each bucket.
    s3: new s3.S3({
      ...common,
      requestHandler: { ...timeouts, requestTimeout: 600_000 },
      ...(isElsewhere ? { forcePathStyle: true } : {}),
    }),
    ssm: new ssm.SSM(common),
    sts: new sts.STS(common),
  };
  for (const [name, client] of Object.entries(made)) translateErrors(client, name);
  const close = () => {
    for (const client of Object.values(made)) client.destroy();
  };
  return { region, ...made, close };
}

async function load() {
  try {
    return await Promise.all([
      import('@aws-sdk/client-cloudformation'),
      import('@aws-sdk/client-cloudwatch-logs'),
      import('@aws-sdk/client-dynamodb'),
      import('@aws-sdk/client-ecr'),
      import('@aws-sdk/client-iam'),
      import('@aws-sdk/client-s3'),
      import('@aws-sdk/client-ssm'),
      import('@aws-sdk/client-sts'),
    ]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new DeployFailure('prerequisite', 'the clients of AWS, with which svc deploys there, are not installed', {
      hints: [`npm install --save-dev ${packages.join(' ')}`],
    });
  }
}

/** The part of a client by which its requests are followed. */
interface Watched {
  readonly middlewareStack: {
    add(
      middleware: (next: any, context: any) => (args: any) => Promise<any>,
      options: { readonly step: 'initialize' },
    ): void;
  };
}

/** Every error of a client comes as one of ours, after the last attempt. */
function translateErrors(client: unknown, service: string): void {
  (client as Watched).middlewareStack.add(
    (next, context) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        throw awsError(error, service, String(context.commandName).replace(/Command$/, ''));
      }
    },
    { step: 'initialize' },
  );
}
