/**
 * Truthiness (docs/language/values.md#truth): None, False, zero, empty strings and containers, and what `__bool__` or
 * `__len__` says.
 */

import { unawaited } from '../calls/regions.ts';
import { answers, listsAnswer } from '../containers/answering-lists.ts';
import { TypeError } from './exceptions.ts';
import { $primitive, $truth } from './protocol.ts';
import { typeName } from './type-name.ts';

export function truth(x: any): boolean {
  switch (typeof x) {
    case 'boolean':
      return x;
    case 'number':
      return x !== 0;
    case 'string':
      return x !== '';
    case 'undefined':
      return false;
    case 'bigint':
      return x !== 0n;
    case 'object':
      return x !== null && truthOfObject(x);
    default:
      return true;
  }
}

function truthOfObject(x: any): boolean {
  if (Array.isArray(x) && !(listsAnswer && (answers(x, '__bool__') || answers(x, '__len__')))) return x.length > 0;
  const native = x[$truth];
  if (native !== undefined) return native.call(x);
  if (typeof x.__bool__ === 'function') {
    const result = x.__bool__();
    if (result instanceof Promise) throw unawaited(result, '__bool__');
    if (typeof result !== 'boolean') throw new TypeError(`__bool__ should return bool, returned ${typeName(result)}`);
    return result;
  }
  if (typeof x.__len__ === 'function') {
    const length = x.__len__();
    if (length instanceof Promise) throw unawaited(length, '__len__');
    return Number(length) !== 0;
  }
  if (x instanceof Promise) throw unawaited(x);
  const primitive = x[$primitive];
  return primitive === undefined || truth(primitive);
}
