/** The client of the service: loaded when a store is opened, never before. */
import type { DynamoDB } from '@aws-sdk/client-dynamodb';
import { Failure } from '../../../core/errors.ts';

export interface ClientOptions {
  /** Address of an emulator; '' for the service of the region. */
  readonly endpoint: string;
  /** '' for that of the environment. */
  readonly region: string;
  readonly connectTimeoutMs: number;
  readonly operationTimeoutMs: number;
  readonly poolSize: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** @throws Failure `SERVICE_UNAVAILABLE` when the client is not installed */
export async function openClient(options: ClientOptions): Promise<DynamoDB> {
  const { endpoint, env, connectTimeoutMs, operationTimeoutMs, poolSize } = options;
  const region = options.region || env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1';
  // The pinned release runs on the oldest Node there is support for; its advice is for those who choose one.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  let sdk: typeof import('@aws-sdk/client-dynamodb');
  try {
    sdk = await import('@aws-sdk/client-dynamodb');
  } catch (cause) {
    const message = 'the package @aws-sdk/client-dynamodb is not installed: npm install @aws-sdk/client-dynamodb';
    throw new Failure('SERVICE_UNAVAILABLE', message, { cause });
  }
  const agent = { maxSockets: poolSize, keepAlive: true };
  return new sdk.DynamoDB({
    region,
    // Waits longer after each attempt; throttled calls are tried again too.
    retryMode: 'standard',
    maxAttempts: 4,
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      requestTimeout: operationTimeoutMs,
      throwOnRequestTimeout: true,
      socketAcquisitionWarningTimeout: operationTimeoutMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
    ...(endpoint === '' ? {} : { endpoint }),
    ...credentialsOf(options),
  });
}

/** An emulator takes any; the service takes what the environment or the machine's role gives. A worker has no client that looks for them. */
function credentialsOf({ endpoint, env }: ClientOptions) {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env;
  if (accessKeyId && secretAccessKey && !env['AWS_PROFILE'])
    return { credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) } };
  return endpoint !== '' && accessKeyId === undefined
    ? { credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
    : {};
}
