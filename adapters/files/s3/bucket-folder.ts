/** A folder of a bucket whose files are served as they are: those of the pages of earlier versions of an application (docs/server/cloud.md#pages). */
import type { GetObjectCommandInput } from '@aws-sdk/client-s3';
import { StorageUnavailable } from '../../../core/files/unavailable.ts';
import type { StaticFile, StaticFolder } from '../../../handlers/http/static-files.ts';
import { openClient } from './client.ts';

/** Milliseconds that the service may take for one answer, with what is tried again. */
const answerMs = 5000;

/**
 * `address`: `s3://bucket/folder`. Rejects with StorageUnavailable while the service does not answer. Whoever may read objects and not list them is
 * told of a missing one that it is forbidden, so both are no file.
 */
export function openBucketFolder(
  address: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): StaticFolder {
  const { host: bucket, pathname } = new URL(address);
  const endpoint = env['AWS_ENDPOINT_URL_S3'] ?? '';
  const own = { prefix: '', region: '', accessKeyId: '', secretAccessKey: '' };
  const opened = openClient({ bucket, endpoint, ...own, timeoutMs: answerMs }, env);
  return async (names) => {
    const at = { Bucket: bucket, Key: `${pathname.slice(1)}/${names.join('/')}` };
    const client = await opened;
    try {
      const found = await client.headObject(at, inTime());
      const { ContentLength: size = 0, LastModified, ETag = '' } = found;
      const read = (start: number, end: number) => chunks({ ...at, Range: `bytes=${start}-${end - 1}`, IfMatch: ETag });
      return { kind: 'file', size, modifiedMs: LastModified?.getTime() ?? 0, version: ETag.replaceAll('"', ''), read };
    } catch (error) {
      const { $metadata: { httpStatusCode: status } = {} } = error as { $metadata?: { httpStatusCode?: number } };
      if (status === 403 || status === 404) return undefined;
      throw new StorageUnavailable('the files of earlier versions cannot be read', error);
    }

    async function* chunks(part: GetObjectCommandInput): ReturnType<StaticFile['read']> {
      const { Body } = await client.getObject(part, inTime());
      yield* Body as unknown as AsyncIterable<Uint8Array>;
    }
  };
}

function inTime() {
  return { abortSignal: AbortSignal.timeout(answerMs) };
}
