/** The client of the service: loaded when a storage is first used, never before. */
import type { S3 } from '@aws-sdk/client-s3';
import { StorageUnavailable } from '../../../core/files/unavailable.ts';

export interface S3Options {
  readonly bucket: string;
  /** Put before the path of every file, without a slash at the end; may be ''. */
  readonly prefix: string;
  /** Address of a service other than AWS; ''. */
  readonly endpoint: string;
  /** '' for that of the environment. */
  readonly region: string;
  /** '' for those of the environment or the machine's role. */
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Milliseconds the service may take to begin to answer, and to take or send the next bytes. */
  readonly timeoutMs: number;
}

/** @throws StorageUnavailable when the client is not installed */
export async function openClient(options: S3Options, env: Readonly<Record<string, string | undefined>>): Promise<S3> {
  const { endpoint, accessKeyId, secretAccessKey, timeoutMs } = options;
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  let sdk: typeof import('@aws-sdk/client-s3');
  try {
    sdk = await import('@aws-sdk/client-s3');
  } catch (cause) {
    const text = "'@aws-sdk/client-s3' is needed for file storage in S3; run npm install @aws-sdk/client-s3";
    throw new StorageUnavailable(text, cause);
  }
  return new sdk.S3({
    region: options.region || env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1',
    retryMode: 'standard',
    maxAttempts: 4,
    requestHandler: {
      connectionTimeout: Math.min(timeoutMs, 5000),
      requestTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      throwOnRequestTimeout: true,
    },
    ...(accessKeyId === '' ? {} : { credentials: { accessKeyId, secretAccessKey } }),
    // Other services seldom have a host name for each bucket.
    ...(endpoint === '' ? {} : { endpoint, forcePathStyle: true }),
  });
}
