import type { Readable } from 'node:stream';
import type { GetObjectCommandOutput, S3 } from '@aws-sdk/client-s3';
import type { FileReading } from '../../../core/files/storage.ts';

const maxResumes = 3;

/** Reads an object. A connection that breaks is taken up again where it broke, while the object is still the same. */
export async function readObject(
  client: S3,
  target: { readonly Bucket: string; readonly Key: string },
  trouble: (error: unknown) => unknown,
): Promise<FileReading> {
  let answer = await client.getObject(target);
  const size = answer.ContentLength ?? 0;
  const { ETag } = answer;
  let body = bodyOf(answer);
  return { size, chunks: chunks(), close: async () => void body.destroy() };

  async function* chunks(): AsyncGenerator<Uint8Array> {
    let position = 0;
    for (let resumes = 0; ; resumes += 1) {
      try {
        for await (const chunk of body) {
          position += chunk.length;
          yield chunk;
        }
        if (position >= size) return;
        throw Object.assign(new Error('the answer was cut off'), { code: 'ECONNRESET' });
      } catch (error) {
        if (resumes >= maxResumes || position >= size) throw trouble(error);
      }
      try {
        answer = await client.getObject({ ...target, Range: `bytes=${position}-`, IfMatch: ETag });
        body = bodyOf(answer);
      } catch (error) {
        throw trouble(error);
      }
    }
  }
}

interface Body extends AsyncIterable<Uint8Array> {
  destroy(): void;
}

/** The stream's errors have a listener until a reader adds its own: without one they would end the process. */
function bodyOf({ Body }: GetObjectCommandOutput): Body {
  return (Body as unknown as Readable).on('error', () => {});
}
