/** `item in container` */

import { border } from '../calls/border.ts';
import { AsyncGeneratorObject } from '../calls/generators.ts';
import { asInt } from '../numbers/numbers.ts';
import { hasMember, isEnumClass } from '../objects/enums.ts';
import { same } from '../objects/equality.ts';
import { TypeError } from '../objects/exceptions.ts';
import { $primitive } from '../objects/protocol.ts';
import { truth } from '../objects/truth.ts';
import { typeName } from '../objects/type-name.ts';
import { AnyBytes, bytesOf, requireByte } from '../text/bytes.ts';
import { answers, listsAnswer } from './answering-lists.ts';
import { Dict } from './dict.ts';
import { tryIter } from './iteration.ts';
import { Range } from './range.ts';
import { AnySet } from './sets.ts';
import { Tuple } from './tuple.ts';

export function contains(container: any, item: any): boolean {
  if (typeof container === 'string') return inText(container, item);
  if (typeof container === 'object' && container !== null) {
    if (Array.isArray(container) && !(listsAnswer && answers(container, '__contains__')))
      return inItems(container, item);
    if (container instanceof Dict && typeof (container as any).__contains__ !== 'function') return container.has(item);
    return inObject(container, item);
  }
  if (isEnumClass(container)) return hasMember(container, item);
  return inIterable(container, item);
}

function inText(container: string, item: any): boolean {
  const text = typeof item === 'string' ? item : item?.[$primitive];
  if (typeof text !== 'string')
    throw new TypeError(`'in <string>' requires string as left operand, not ${typeName(item)}`);
  return container.includes(text);
}

export function inItems(items: readonly unknown[], item: unknown): boolean {
  for (let i = 0; i < items.length; i += 1) {
    const candidate = items[i];
    if (candidate === item || same(candidate, item)) return true;
  }
  return false;
}

function inObject(container: any, item: any): boolean {
  if (typeof container.__contains__ === 'function') return truth(container.__contains__(item));
  if (container instanceof AnySet) return container.has(item);
  if (container instanceof Tuple) return inItems(container.items, item);
  if (container instanceof Range) return inRange(container, item);
  if (container instanceof AnyBytes) return inBytes(container, item);
  if (typeof container[$primitive] === 'string') return inText(container[$primitive], item);
  return inIterable(border?.meaning(container) ?? container, item);
}

function inRange(container: Range, item: unknown): boolean {
  const n = asInt(item);
  return n !== undefined && container.indexOf(n) >= 0;
}

function inBytes(container: AnyBytes, item: any): boolean {
  const part = bytesOf(item);
  if (part !== undefined) return Buffer.from(container.data).includes(Buffer.from(part));
  if (asInt(item) === undefined) throw new TypeError(`a bytes-like object is required, not '${typeName(item)}'`);
  return container.data.includes(requireByte(item, 'byte'));
}

// A generator that waits makes the answer a promise; generated code awaits it.
async function inGenerator(generator: AsyncGeneratorObject, item: unknown): Promise<boolean> {
  for await (const candidate of generator) if (candidate === item || same(candidate, item)) return true;
  return false;
}

function inIterable(container: any, item: any): boolean {
  if (container instanceof AsyncGeneratorObject) return inGenerator(container, item) as any;
  const source = tryIter(container);
  if (source === undefined) throw new TypeError(`argument of type '${typeName(container)}' is not iterable`);
  for (const candidate of source) if (candidate === item || same(candidate, item)) return true;
  return false;
}
