/** `len(x)` */

import { isPlainObject } from '../calls/border.ts';
import { unawaited } from '../calls/regions.ts';
import { indexOf } from '../numbers/index-value.ts';
import { isEnumClass, metaOf } from '../objects/enums.ts';
import { TypeError, ValueError } from '../objects/exceptions.ts';
import { $primitive } from '../objects/protocol.ts';
import { typeName } from '../objects/type-name.ts';
import { AnyBytes } from '../text/bytes.ts';
import { lengthOf } from '../text/strings.ts';
import { answers, listsAnswer } from './answering-lists.ts';
import { Dict } from './dict.ts';
import { Range } from './range.ts';
import { AnySet } from './sets.ts';
import { Tuple } from './tuple.ts';

export function len(x: any): number {
  if (typeof x === 'string') return lengthOf(x);
  if (typeof x === 'object' && x !== null)
    return Array.isArray(x) && !(listsAnswer && answers(x, '__len__')) ? x.length : lengthOfObject(x);
  if (isEnumClass(x)) return metaOf(x).members.length;
  throw noLength(x);
}

function lengthOfObject(x: any): number {
  if (typeof x.__len__ === 'function') {
    const length = x.__len__();
    if (length instanceof Promise) throw unawaited(length, '__len__');
    const n = indexOf(length);
    if (n === undefined) throw new TypeError(`'${typeName(length)}' object cannot be interpreted as an integer`);
    if (n < 0) throw new ValueError('__len__() should return >= 0');
    return Number(n);
  }
  if (x instanceof Dict || x instanceof AnySet) return x.size;
  if (x instanceof Tuple) return x.items.length;
  if (x instanceof AnyBytes || x instanceof Range) return x.length;
  if (typeof x[$primitive] === 'string') return lengthOf(x[$primitive]);
  if (x instanceof Map || x instanceof Set) return x.size;
  if (isPlainObject(x)) return Object.keys(x).length;
  if (ArrayBuffer.isView(x)) return (x as Uint8Array).length;
  throw noLength(x);
}

function noLength(x: unknown): TypeError {
  return new TypeError(`object of type '${typeName(x)}' has no len()`);
}
