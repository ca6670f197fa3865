import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { Failure } from '../../../core/errors.ts';
import { nodeStream, nodeZlib } from '../../../library/node-parts.ts';
import type { Call } from '../../call.ts';

const maxRatio = 100;
// Small bodies of repeated text compress better than the ratio without being an attack.
const ratioFloorBytes = 65536;

/**
 * Reads a body up to `limit` bytes, decoded from `gzip` or `deflate` (docs/server/requests.md#bodies); the limit counts decoded bytes.
 *
 * @throws Failure `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `REQUEST_TIMEOUT`, `BAD_REQUEST`
 */
export function readBody(call: Call, limit: number): MaybePromise<Uint8Array> {
  const encoding = call.header('content-encoding');
  if (encoding === undefined || encoding === 'identity') return call.body(limit);
  const decoder = decoders.get(encoding.trim().toLowerCase());
  if (decoder === undefined) throw unsupportedEncoding();
  return readEncoded(call, limit, decoder);
}

/**
 * The same for a body that is read as it arrives. How much it may be is counted by who reads it.
 *
 * @throws Failure as `readBody`
 */
export function readEncodedStream(call: Call): AsyncIterable<Uint8Array> {
  const encoding = call.header('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity') return call.stream();
  if (!decoders.has(encoding)) throw unsupportedEncoding();
  return decodeStream(call.stream(), encoding !== 'deflate');
}

async function* decodeStream(source: AsyncIterable<Uint8Array>, isGzip: boolean): AsyncGenerator<Uint8Array> {
  let taken = 0;
  let given = 0;
  let fault: unknown;
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return;
  const hasHeader = (first.value[0]! & 0x0f) === 8;
  const { createGunzip, createInflate, createInflateRaw } = nodeZlib();
  const decoder = isGzip ? createGunzip() : hasHeader ? createInflate() : createInflateRaw();
  decoder.on('error', () => {}); // who reads it hears of it
  const encoded = async function* () {
    try {
      for (let step: IteratorResult<Uint8Array> = first; step.done !== true; step = await chunks.next()) {
        taken += step.value.length;
        yield step.value;
      }
    } catch (error) {
      fault = error;
      throw error;
    }
  };
  const input = nodeStream().Readable.from(encoded());
  input.on('error', (error) => decoder.destroy(error));
  input.pipe(decoder);
  try {
    for await (const chunk of decoder as AsyncIterable<Uint8Array>) {
      given += chunk.length;
      const allowed = Math.max(taken * maxRatio, ratioFloorBytes);
      if (given > allowed) {
        const message = `The decoded body is larger than ${allowed} bytes.`;
        throw new Failure('PAYLOAD_TOO_LARGE', message, { details: { limit: allowed } });
      }
      yield chunk;
    }
  } catch (error) {
    if (fault !== undefined) throw fault;
    if (error instanceof Failure) throw error;
    throw new Failure('BAD_REQUEST', 'The body does not match its content encoding.', { cause: error });
  } finally {
    input.destroy();
    decoder.destroy();
  }
}

/** @throws Failure `UNSUPPORTED_MEDIA_TYPE` unless the body comes as it is */
export function requireIdentity(call: Call): void {
  const encoding = call.header('content-encoding');
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'This body must not be encoded.', {
      details: { accepted: ['identity'] },
    });
  }
}

type Decoder = (bytes: Uint8Array, maxOutputLength: number) => Promise<Uint8Array>;

function decodeWith(name: 'gunzip' | 'inflate' | 'inflateRaw', bytes: Uint8Array, maxOutputLength: number) {
  return new Promise<Uint8Array>((resolve, reject) =>
    nodeZlib()[name](bytes, { maxOutputLength }, (error, decoded) => (error ? reject(error) : resolve(decoded))),
  );
}

const decoders = new Map<string, Decoder>([
  ['identity', async (bytes) => bytes],
  ['gzip', (bytes, limit) => decodeWith('gunzip', bytes, limit)],
  ['x-gzip', (bytes, limit) => decodeWith('gunzip', bytes, limit)],
  // Some peers leave out the zlib header, whose first byte tells.
  ['deflate', (bytes, limit) => decodeWith((bytes[0]! & 0x0f) === 8 ? 'inflate' : 'inflateRaw', bytes, limit)],
]);

async function readEncoded(call: Call, limit: number, decode: Decoder): Promise<Uint8Array> {
  const bytes = await call.body(limit);
  if (bytes.length === 0) return bytes;
  const allowed = Math.min(limit, Math.max(bytes.length * maxRatio, ratioFloorBytes));
  try {
    return await decode(bytes, allowed);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      throw new Failure('PAYLOAD_TOO_LARGE', `The decoded body is larger than ${allowed} bytes.`, {
        details: { limit: allowed },
      });
    }
    throw new Failure('BAD_REQUEST', 'The body does not match its content encoding.', { cause: error });
  }
}

function unsupportedEncoding(): Failure {
  return new Failure('UNSUPPORTED_MEDIA_TYPE', 'The content encoding is not supported.', {
    details: { accepted: ['identity', 'gzip', 'deflate'] },
  });
}
