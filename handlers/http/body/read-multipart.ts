import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { BusboyConstructor, BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import { Failure } from '../../../core/errors.ts';
import { type UploadContent, UploadFile } from '../../../core/files/upload-file.ts';
import type { ProblemType } from '../../../core/problems.ts';

export interface UploadLimits {
  readonly maxUploadBytes: number;
  readonly maxFileBytes: number;
  readonly maxUploadFiles: number;
  readonly maxFieldBytes: number;
}

/** A decoded multipart body. Dispose of it when the call has ended: temporary files are deleted. */
export interface MultipartForm {
  /** Text parts: each name with all its values in order. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly files: ReadonlyMap<string, readonly UploadFile[]>;
  /** File fields that broke a limit. */
  readonly problems: ReadonlyMap<string, ProblemType>;
  dispose(): void;
}

const memoryBytes = 1024 * 1024;
const mostFields = 1000;
/** Parts of every kind, those that no field takes included. */
const mostParts = 2000;
/** Bytes of the headers of one part; longer ones are cut. */
const partHeaderBytes = 8192;
const longestName = 255;

/**
 * Reads a `multipart/form-data` body as it arrives (docs/server/requests.md#files). Files above 1 MiB go to a private
 * temporary file; those of fields that take none, and whatever comes after a limit was broken, are not kept at all.
 *
 * @param fileFields names of the fields that take files
 * @throws Failure `PAYLOAD_TOO_LARGE`, `BAD_REQUEST` when the body is not what its type says, `SERVICE_UNAVAILABLE` when it cannot be
 *   kept
 */
export async function readMultipart(
  chunks: AsyncIterable<Uint8Array>,
  contentType: string,
  limits: UploadLimits,
  fileFields: ReadonlySet<string>,
): Promise<MultipartForm> {
  const texts = new Map<string, string[]>();
  // In the order in which they began to arrive; some are kept sooner than others.
  const kept: { readonly name: string; file?: UploadFile }[] = [];
  const problems = new Map<string, ProblemType>();
  const arriving: Promise<void>[] = [];
  const streams: Readable[] = [];
  const dispose = () => {
    for (const { file } of kept) file?.file.$dispose();
  };

  // Loaded on first use; in a bundle the names of a CommonJS package are on its default export.
  const loaded = await import('@fastify/busboy');
  const Busboy = loaded.Busboy ?? loaded.default;
  const parser = openParser(Busboy, contentType, limits);
  const finished = new Promise<void>((resolve, reject) => {
    parser.on('finish', resolve);
    parser.on('error', (error) => reject(malformed(error)));
  });
  // The promise may fail long before the body has been fed and somebody waits for it.
  finished.catch(() => {});
  let textBytes = 0;
  parser.on('fieldsLimit', () => parser.destroy(tooMany(mostFields, 'text fields')));
  parser.on('partsLimit', () => parser.destroy(tooMany(mostParts, 'parts')));
  parser.on('field', (name: string | undefined, value: string, _nameCut: boolean, isCut: boolean) => {
    textBytes += value.length;
    if (isCut || textBytes > limits.maxFieldBytes) parser.destroy(tooLarge(limits.maxFieldBytes));
    else if (name !== undefined) addTo(texts, name, value);
  });
  let count = 0;
  parser.on(
    'file',
    (
      name: string | undefined,
      stream: BusboyFileStream,
      filename: string | undefined,
      _encoding: string,
      type: string,
    ) => {
      // An error that breaks off the body is raised by the parser as well; on a file that nobody reads it would have no
      // listener.
      stream.on('error', () => {});
      if (name === undefined || !fileFields.has(name)) return void stream.resume();
      if (++count > limits.maxUploadFiles && problems.size === 0) problems.set(name, 'too_many_files');
      if (problems.size > 0) return void stream.resume();
      streams.push(stream);
      stream.once('limit', () => problems.set(name, 'file_too_large'));
      const slot: (typeof kept)[number] = { name };
      kept.push(slot);
      const taken = takeFile(stream, () => problems.size > 0).then((content) => {
        // A browser sends an empty file without a name for a field nobody chose a file for.
        const isNone = content?.size === 0 && (filename ?? '') === '';
        if (content === undefined || isNone) return;
        slot.file = new UploadFile(cleanName(filename ?? ''), type, content.size, content.content);
      });
      taken.catch((error) => parser.destroy(error));
      arriving.push(taken);
    },
  );

  try {
    await feed(parser, chunks, limits.maxUploadBytes);
    await finished;
    await Promise.all(arriving);
  } catch (error) {
    parser.destroy();
    // The parser leaves the files it was reading open.
    for (const stream of streams) stream.destroy(new Error('given up'));
    await Promise.allSettled(arriving);
    dispose();
    throw error;
  }
  const files = new Map<string, UploadFile[]>();
  for (const { name, file } of kept) if (file !== undefined) addTo(files, name, file);
  return { texts, files, problems, dispose };
}

function openParser(Busboy: BusboyConstructor, contentType: string, limits: UploadLimits): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        fileSize: limits.maxFileBytes,
        fieldSize: limits.maxFieldBytes,
        fields: mostFields,
        parts: mostParts,
        headerSize: partHeaderBytes,
        headerPairs: 50,
        fieldNameSize: 1024,
      },
    });
  } catch (error) {
    throw malformed(error);
  }
}

/** Writes the body into the parser, waiting while it is full. */
async function feed(parser: BusboyInstance, chunks: AsyncIterable<Uint8Array>, limit: number): Promise<void> {
  let total = 0;
  let fault: unknown;
  parser.once('error', (error) => (fault = error));
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > limit) throw tooLarge(limit);
    if (fault !== undefined) throw fault instanceof Failure ? fault : malformed(fault);
    await new Promise<void>((resolve) => {
      if (parser.write(chunk)) return resolve();
      const done = () => {
        parser.off('drain', done);
        parser.off('error', done);
        resolve();
      };
      parser.on('drain', done);
      parser.on('error', done);
    });
  }
  if (fault !== undefined) throw fault instanceof Failure ? fault : malformed(fault);
  parser.end();
}

interface Kept {
  readonly size: number;
  readonly content: UploadContent;
}

/** Keeps what arrives; undefined once `isPointless`, and nothing is left then. The stream is read to its end in any case. */
async function takeFile(stream: Readable, isPointless: () => boolean): Promise<Kept | undefined> {
  let chunks: Uint8Array[] = [];
  let size = 0;
  let spool: FileHandle | undefined;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (isPointless()) {
        chunks = [];
        await spool?.close();
        spool = undefined;
        continue;
      }
      size += chunk.length;
      chunks.push(chunk);
      if (spool === undefined && size <= memoryBytes) continue;
      spool ??= await openSpool();
      for (const each of chunks.splice(0)) await writeAll(spool, each);
    }
  } catch (error) {
    await spool?.close();
    throw error;
  }
  if (isPointless()) {
    await spool?.close();
    return undefined;
  }
  return { size, content: spool === undefined ? { bytes: Buffer.concat(chunks) } : { file: spool } };
}

/** A file that only this process can reach and that is gone however it ends: its name is taken away at once. */
async function openSpool(): Promise<FileHandle> {
  const path = join(tmpdir(), `svc-upload-${randomUUID()}`);
  try {
    const file = await open(path, 'wx+', 0o600);
    await unlink(path);
    return file;
  } catch (error) {
    throw cannotKeep(error);
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  try {
    for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten;
  } catch (error) {
    throw cannotKeep(error);
  }
}

function cannotKeep(cause: unknown): Failure {
  return new Failure('SERVICE_UNAVAILABLE', 'The upload cannot be kept at the moment.', { cause });
}

/** Base name without control characters, at most 255 bytes of whole characters. */
function cleanName(name: string): string {
  const base = name
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .replace(/[\u0000-\u001f\u007f]/g, '');
  const bytes = Buffer.from(base);
  let end = Math.min(bytes.length, longestName);
  while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--;
  const cut = end === bytes.length ? base : bytes.toString('utf8', 0, end);
  return cut === '.' || cut === '..' ? '' : cut;
}

function addTo<T>(map: Map<string, T[]>, name: string, value: T): void {
  const list = map.get(name);
  if (list === undefined) map.set(name, [value]);
  else list.push(value);
}

function malformed(cause: unknown): Failure {
  return cause instanceof Failure
    ? cause
    : new Failure('BAD_REQUEST', 'The body is not valid multipart/form-data.', { cause });
}

function tooLarge(limit: number): Failure {
  return new Failure('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes.`, { details: { limit } });
}

function tooMany(limit: number, what: string): Failure {
  return new Failure('PAYLOAD_TOO_LARGE', `The form has more than ${limit} ${what}.`, { details: { limit } });
}
