import { TypeError } from '../values/objects/exceptions.ts';
import { typeName } from '../values/objects/type-name.ts';
import { Bytes } from '../values/text/bytes.ts';
import { decodeBytes } from '../values/text/codecs.ts';
import { textOf } from '../values/text/text-arguments.ts';

/** The path of a string, bytes, `Path` or file descriptor. @throws TypeError */
export function pathOf(file: any): string | number {
  const text = textOf(file);
  if (text !== undefined) return text;
  if (typeof file === 'number' && Number.isSafeInteger(file)) return file;
  if (file instanceof Bytes) return decodeBytes(file.data);
  if (typeof file?.__fspath__ === 'function') return pathOf(file.__fspath__());
  throw new TypeError(`expected str, bytes or os.PathLike object, not ${typeName(file)}`);
}
