/** Errors of the services as a deployment ends with them. */
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';

/** Error that a service, or the way to it, gave to a request. `code`: the service's own name for it. */
export class AwsError extends DeployFailure {
  readonly code: string;
  /** False when the request may have been heard all the same. */
  readonly isAnswer: boolean;

  constructor(kind: DeployFailure['kind'], code: string, message: string, hints: readonly string[], isAnswer: boolean) {
    super(kind, message, { hints });
    this.name = 'AwsError';
    this.code = code;
    this.isAnswer = isAnswer;
  }
}

export const policyHint = 'svc start --scale --target cloud --dry-run prints the policy that deploying needs';

/** `operation`: `CreateChangeSet`. */
export function awsError(error: unknown, client: string, operation: string): Error {
  if (!(error instanceof Error) || error instanceof DeployFailure) return error as Error;
  const { name, message } = error;
  const status = (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata?.httpStatusCode;
  const of = (kind: DeployFailure['kind'], text: string, hints: readonly string[] = []) =>
    new AwsError(kind, name, text, hints, status !== undefined);
  const action = actionOf(client, operation);
  if (name === 'CredentialsProviderError' || name === 'TokenProviderError')
    return of('prerequisite', 'no AWS credentials found', [
      'aws configure, aws sso login, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; AWS_PROFILE chooses among several',
    ]);
  if (/^(Expired|RequestExpired)/.test(name))
    return of('prerequisite', 'the AWS credentials have expired', [
      'sign in again and run the command again: it goes on where this ended, and CloudFormation ends by itself what it has begun',
    ]);
  if (
    /^(InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch|InvalidAccessKeyId|AuthFailure|InvalidToken)/.test(
      name,
    )
  )
    return of('prerequisite', `AWS does not accept the credentials: ${name}`);
  const denied = deniedAction(message);
  if (/^(AccessDenied|UnauthorizedOperation|Forbidden)/.test(name) || denied !== undefined || status === 403)
    return of('prerequisite', `not allowed: ${denied ?? action}`, [policyHint]);
  if (/throttl|TooManyRequests|RequestLimitExceeded|SlowDown|PriorRequestNotComplete/i.test(`${name} ${message}`))
    return of('failed', `AWS is too busy for ${action}`, ['run the command again: it goes on where this ended']);
  if (status === undefined || name === 'TimeoutError')
    return of('prerequisite', `cannot reach AWS: ${reasonOf(error)}`, [`the request was ${action}`]);
  return of('failed', `${action}: ${message || name}`);
}

/** The right that a text says is missing: `lambda:CreateFunction`. */
export function deniedAction(text: string): string | undefined {
  return /not authorized to perform:? (?:the )?([a-z0-9-]+:\w+)/i.exec(text)?.[1];
}

const services: Readonly<Record<string, string>> = { formation: 'cloudformation', dynamo: 'dynamodb' };
/** Requests whose right has another name. */
const rights: Readonly<Record<string, string>> = {
  HeadBucket: 'ListBucket',
  ListObjectsV2: 'ListBucket',
  HeadObject: 'GetObject',
  DeleteObjects: 'DeleteObject',
};

function actionOf(client: string, operation: string): string {
  return `${services[client] ?? client}:${client === 's3' ? (rights[operation] ?? operation) : operation}`;
}

function reasonOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return [error.message || error.name, code].filter((text) => text !== undefined && text !== '')[0]!;
}
