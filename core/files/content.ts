/**
 * Content that `upload` accepts: a path of the server, an `UploadFile`, or an object with `read()` (docs/server/files.md#methods).
 */
import { pathOf } from '../../library/builtins/path-of.ts';
import { awaitable } from '../../library/values/calls/awaitable.ts';
import { TypeError } from '../../library/values/objects/exceptions.ts';
import { callMethod } from '../../library/values/objects/methods.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { bytesOf } from '../../library/values/text/bytes.ts';
import { encodeText } from '../../library/values/text/codecs.ts';
import { textOf } from '../../library/values/text/text-arguments.ts';
import { readChunks } from './local/read-chunks.ts';
import type { FileContent } from './storage.ts';
import { fileError } from './storage-errors.ts';
import { UploadedBytes, UploadFile } from './upload-file.ts';

const chunkBytes = 256 * 1024;

export interface OpenContent extends FileContent {
  /** To be called when it was not read to its end. */
  close(): Promise<void>;
}

/** @throws FileNotFoundError and others for a path that cannot be read, TypeError for anything else than is named above */
export async function openContent(source: any): Promise<OpenContent> {
  if (source instanceof UploadFile) return { chunks: source.$chunks(), size: source.size, close: async () => {} };
  if (typeof source?.read === 'function') return { chunks: readAll(source), size: undefined, close: async () => {} };
  if (textOf(source) !== undefined || typeof source?.__fspath__ === 'function') {
    const path = String(pathOf(source));
    try {
      return await readChunks(path, { follow: true });
    } catch (error) {
      throw fileError(error, path);
    }
  }
  throw new TypeError(`upload() takes a path, an UploadFile or an object with read(), not '${typeName(source)}'`);
}

// Only of the runtime's own files is it certain that a size given to `read` is heeded.
async function* readAll(source: any): AsyncGenerator<Uint8Array> {
  if (
    source instanceof UploadedBytes ||
    source instanceof (await import('../../library/builtins/open.ts')).BinaryFile
  ) {
    for (;;) {
      const { data } = source.read(chunkBytes);
      if (data.length === 0) return;
      yield data;
    }
  }
  const got = await awaitable(callMethod(source, 'read'));
  const bytes = bytesOf(got) ?? encoded(got);
  if (bytes === undefined) throw new TypeError(`read() gave '${typeName(got)}', not bytes or text`);
  yield bytes;
}

function encoded(value: unknown): Uint8Array | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : encodeText(text);
}
