/** Module `io`. */

import type { Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { BinaryFile, open, TextFile, UnsupportedOperation } from '../builtins/open.ts';
import { OutputStream } from '../builtins/streams.ts';
import { BlockingIOError } from '../values/objects/exceptions.ts';
import { callMethod } from '../values/objects/methods.ts';
import { Bytes } from '../values/text/bytes.ts';
import { decodeBytes, encodeText } from '../values/text/codecs.ts';
import { textOf } from '../values/text/text-arguments.ts';
import { BytesIO, StringIO } from './memory-file.ts';

/** A class that other classes count as its instances; it makes none itself. */
function family(name: string, members: readonly any[]): any {
  class Family {}
  nativeClass(Family, { name, module: 'io' });
  Object.defineProperty(Family, Symbol.hasInstance, { value: (x: any) => members.some((cls) => x instanceof cls) });
  return Family;
}

/** Text over a binary file: what is read is decoded at once. */
function wrapText(buffer: any, encoding?: unknown, errors?: unknown): unknown {
  const [codec, strict] = [textOf(encoding) ?? 'utf-8', textOf(errors) ?? 'strict'];
  const text = decodeBytes(callMethod(buffer, 'read').data, codec, strict);
  const wrapped: any = new StringIO(text.replace(/\r\n?/g, '\n'));
  const write = wrapped.write;
  wrapped.buffer = buffer;
  wrapped.write = (data: unknown) => {
    callMethod(buffer, 'write', new Bytes(encodeText(textOf(data) ?? '', codec, strict)));
    return write.call(wrapped, data);
  };
  return wrapped;
}

export function makeIo(): Members {
  const TextIOWrapper = family('TextIOWrapper', [TextFile, OutputStream]);
  const IOBase = family('IOBase', [TextFile, BinaryFile, StringIO, BytesIO, OutputStream]);
  nativeClass(TextIOWrapper, {
    name: 'TextIOWrapper',
    module: 'io',
    params: 'buffer, encoding=None, errors=None, newline=None, line_buffering=False, write_through=False',
    make: (_cls, buffer, encoding, errors) => wrapText(buffer, encoding, errors),
  });
  return {
    BlockingIOError,
    BufferedIOBase: family('BufferedIOBase', [BinaryFile, BytesIO]),
    BufferedReader: family('BufferedReader', [BinaryFile]),
    BufferedWriter: family('BufferedWriter', [BinaryFile]),
    BytesIO,
    DEFAULT_BUFFER_SIZE: 8192,
    FileIO: family('FileIO', [BinaryFile]),
    IOBase,
    RawIOBase: family('RawIOBase', [BinaryFile]),
    SEEK_CUR: 1,
    SEEK_END: 2,
    SEEK_SET: 0,
    StringIO,
    TextIOBase: family('TextIOBase', [TextFile, StringIO, OutputStream]),
    TextIOWrapper,
    UnsupportedOperation,
    open,
  };
}
