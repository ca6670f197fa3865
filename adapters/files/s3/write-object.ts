import type { S3 } from '@aws-sdk/client-s3';
import type { FileContent } from '../../../core/files/storage.ts';

/** The service takes no smaller parts than 5 MiB, and 10,000 of them. */
const partBytes = 8 * 1024 * 1024;
const maxParts = 9000;

interface Target {
  readonly Bucket: string;
  readonly Key: string;
  readonly Metadata: Record<string, string>;
  readonly ContentType: string;
}

/** Writes an object, one part in memory at a time. Until the end readers find the old one; when it fails they do so for ever. */
export async function writeObject(client: S3, target: Target, { chunks, size }: FileContent): Promise<void> {
  const parts = inParts(chunks, Math.max(partBytes, Math.ceil((size ?? 0) / maxParts)));
  const first = (await parts.next()).value as Buffer;
  const second = await parts.next();
  if (second.done === true) {
    await client.putObject({ ...target, Body: first });
    return;
  }
  const { Bucket, Key } = target;
  const { UploadId } = await client.createMultipartUpload(target);
  const put = async (PartNumber: number, Body: Buffer) => {
    const { ETag } = await client.uploadPart({ Bucket, Key, UploadId, PartNumber, Body });
    return { ETag, PartNumber };
  };
  try {
    const Parts = [await put(1, first)];
    for (let step: IteratorResult<Buffer, undefined> = second; step.done !== true; step = await parts.next())
      Parts.push(await put(Parts.length + 1, step.value));
    await client.completeMultipartUpload({ Bucket, Key, UploadId, MultipartUpload: { Parts } });
  } catch (error) {
    // Parts that nobody asks for any more cost money; the service removes them only when told.
    await client.abortMultipartUpload({ Bucket, Key, UploadId }).catch(() => {});
    throw error;
  }
}

/** At least one part; all but the last are `limit` bytes long. */
async function* inParts(chunks: FileContent['chunks'], limit: number): AsyncGenerator<Buffer, undefined> {
  let held: Buffer[] = [];
  let size = 0;
  let isFirst = true;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.subarray(at, at + limit - size);
      // The chunk's memory is used again for the next one.
      held.push(Buffer.from(taken));
      at += taken.length;
      size += taken.length;
      if (size < limit) continue;
      yield Buffer.concat(held);
      [held, size, isFirst] = [[], 0, false];
    }
  }
  if (size > 0 || isFirst) yield Buffer.concat(held);
  return undefined;
}
