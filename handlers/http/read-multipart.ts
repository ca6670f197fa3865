import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync, type WriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { BusboyConstructor, BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import { Failure } from '../../core/errors.ts';
import { UploadFile } from '../../core/files/upload-file.ts';
import type { ProblemType } from './bind/problem.ts';

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

/**
 * Reads a `multipart/form-data` body as it arrives (server.md 7.5): parts above 1 MiB go to a private temporary file.
 *
 * @throws Failure `PAYLOAD_TOO_LARGE`, or `BAD_REQUEST` when the body is not what its type says
 */
export async function readMultipart(
  chunks: AsyncIterable<Uint8Array>,
  contentType: string,
  limits: UploadLimits,
): Promise<MultipartForm> {
  const texts = new Map<string, string[]>();
  const files = new Map<string, UploadFile[]>();
  const problems = new Map<string, ProblemType>();
  const folder = makeSpoolFolder();
  const arriving: Promise<void>[] = [];
  const streams: Readable[] = [];
  const dispose = () => {
    for (const list of files.values()) for (const file of list) file.file.dispose();
    folder.remove();
  };

  // Loaded on first use; in a bundle the names of a CommonJS package are on its default export.
  const loaded = await import('@fastify/busboy');
  const Busboy = loaded.Busboy ?? loaded.default;
  const parser = openParser(Busboy, contentType, limits);
  const finished = new Promise<void>((resolve, reject) => {
    parser.on('finish', resolve);
    parser.on('error', (error) => reject(malformed(error)));
  });
  parser.on('field', (name: string | undefined, value: string, _nameCut: boolean, isCut: boolean) => {
    if (isCut) parser.destroy(tooLarge(limits.maxFieldBytes));
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
      if (name === undefined) return void stream.resume();
      if (++count > limits.maxUploadFiles) {
        problems.set(name, 'too_many_files');
        return void stream.resume();
      }
      streams.push(stream);
      const taken = takeFile(stream, cleanName(filename ?? ''), type, folder.path).then((file) => {
        if (stream.truncated) problems.set(name, 'file_too_large');
        addTo(files, name, file);
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
    finished.catch(() => {});
    // The parser leaves the files it was reading open.
    for (const stream of streams) stream.destroy(new Error('given up'));
    await Promise.allSettled(arriving);
    dispose();
    throw error;
  }
  return { texts, files, problems, dispose };
}

function openParser(Busboy: BusboyConstructor, contentType: string, limits: UploadLimits): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        fileSize: limits.maxFileBytes,
        fieldSize: limits.maxFieldBytes,
        fields: 1000,
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

async function takeFile(stream: Readable, name: string, type: string, folder: () => string): Promise<UploadFile> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let spool: { readonly path: string; readonly file: WriteStream } | undefined;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (spool === undefined && size > memoryBytes) {
        const path = join(folder(), randomUUID());
        spool = { path, file: createWriteStream(path, { mode: 0o600, flags: 'wx' }) };
        for (const earlier of chunks.splice(0)) await writeChunk(spool.file, earlier);
      }
      if (spool === undefined) chunks.push(chunk);
      else await writeChunk(spool.file, chunk);
    }
  } finally {
    if (spool !== undefined) await closeFile(spool.file);
  }
  return new UploadFile(
    name,
    type,
    size,
    spool === undefined ? { bytes: Buffer.concat(chunks) } : { path: spool.path },
  );
}

function writeChunk(file: WriteStream, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => file.write(chunk, (error) => (error == null ? resolve() : reject(error))));
}

function closeFile(file: WriteStream): Promise<void> {
  return new Promise((resolve) => file.end(() => resolve()));
}

/** A folder that exists only once something is put into it. */
function makeSpoolFolder(): { readonly path: () => string; readonly remove: () => void } {
  let made: string | undefined;
  return {
    path: () => (made ??= mkdtempSync(join(tmpdir(), 'svc-upload-'))),
    remove() {
      if (made !== undefined) rmSync(made, { recursive: true, force: true });
    },
  };
}

/** Base name without control characters, at most 255 bytes. */
function cleanName(name: string): string {
  const base = name
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .replace(/[\u0000-\u001f\u007f]/g, '');
  let cut = base;
  while (Buffer.byteLength(cut) > 255) cut = [...cut].slice(0, -1).join('');
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
