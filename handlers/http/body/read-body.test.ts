import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { callOf } from '../../../test/harness/call-of.ts';
import { readBody, readEncodedStream } from './read-body.ts';

const call = (bytes: Uint8Array, encoding: string | undefined) =>
  callOf('POST', '/', bytes, encoding === undefined ? {} : { headers: { 'content-encoding': encoding } });

/** The text of a body, the same whether it is read whole or as it arrives. */
async function read(bytes: Uint8Array, encoding?: string, limit = 1_000_000): Promise<string> {
  const [whole, streamed] = await Promise.allSettled([
    (async () => Buffer.from(await readBody(call(bytes, encoding), limit)).toString())(),
    (async () => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of readEncodedStream(call(bytes, encoding))) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    })(),
  ]);
  // The stream keeps to the limit as well.
  if (whole.status === 'rejected' && limit < 1_000_000) throw whole.reason;
  expect(streamed).toEqual(whole);
  if (whole.status === 'rejected') throw whole.reason;
  return whole.value;
}

test('identity, gzip and deflate with and without its header', async () => {
  const text = Buffer.from('{"message":"hello"}');
  expect(await read(text)).toBe(text.toString());
  expect(await read(text, 'identity')).toBe(text.toString());
  expect(await read(gzipSync(text), 'gzip')).toBe(text.toString());
  expect(await read(gzipSync(text), 'GZIP')).toBe(text.toString());
  expect(await read(deflateSync(text), 'deflate')).toBe(text.toString());
  expect(await read(deflateRawSync(text), 'deflate')).toBe(text.toString());
  expect(await read(new Uint8Array(), 'gzip')).toBe('');
});

test('bombs: the limit counts decoded bytes, and the ratio is bounded', async () => {
  const bomb = gzipSync(Buffer.alloc(900_000));
  await expect(read(bomb, 'gzip')).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  const honest = gzipSync(Buffer.from(Array.from({ length: 50_000 }, (_, i) => String((i * 7919) % 10_007)).join()));
  await expect(read(honest, 'gzip', 100_000)).rejects.toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
    details: { limit: 100_000 },
  });
  expect((await read(honest, 'gzip')).length).toBeGreaterThan(200_000);
});

test('what is not encoded as it says, and other encodings', async () => {
  await expect(read(Buffer.from('plain'), 'gzip')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  for (const encoding of ['br', 'gzip, gzip', 'compress']) {
    await expect(read(Buffer.from('x'), encoding)).rejects.toMatchObject({
      code: 'UNSUPPORTED_MEDIA_TYPE',
      status: 415,
    });
  }
});
