/**
 * Values as JSON text (docs/server/answers.md#values). Each class of values has one writer, found by its constructor;
 * those of program classes are generated (put-class.ts).
 */

import { metaOf } from '../../../library/classes/meta.ts';
import { look } from '../../../library/limits/look.ts';
import { border } from '../../../library/values/calls/border.ts';
import { Dict } from '../../../library/values/containers/dict.ts';
import { Range } from '../../../library/values/containers/range.ts';
import { FrozenSet, PySet } from '../../../library/values/containers/sets.ts';
import { Tuple } from '../../../library/values/containers/tuple.ts';
import { bare, Float } from '../../../library/values/numbers/float-box.ts';
import { floatRepr } from '../../../library/values/numbers/float-text.ts';
import { Enum } from '../../../library/values/objects/enums.ts';
import { callMethod } from '../../../library/values/objects/methods.ts';
import { strOf } from '../../../library/values/objects/repr.ts';
import { typeName } from '../../../library/values/objects/type-name.ts';
import { ByteArray, Bytes } from '../../../library/values/text/bytes.ts';
import { makePutClass } from './put-class.ts';
import { putAscii, putByte, putNumber, putQuoted, type Scratch, take } from './scratch.ts';
import { maxDepth, type Writer } from './writer.ts';

/** Writes one value. */
export type Put = (value: any, writer: Writer) => void;

/** Any value as JSON text. */
export function textOf(value: unknown, writer: Writer): string {
  const start = writer.out.at;
  putValue(value, writer);
  return take(writer.out, start);
}

/** Writes any value. */
export function putValue(value: unknown, writer: Writer): void {
  switch (typeof value) {
    case 'string':
      putQuoted(writer.out, value);
      return;
    case 'number':
      putNumber(writer.out, value);
      return;
    case 'boolean':
      putAscii(writer.out, value ? 'true' : 'false');
      return;
    case 'undefined':
      putAscii(writer.out, 'null');
      return;
    case 'bigint':
      putAscii(writer.out, `"${value}"`);
      return;
    case 'object':
      if (value === null) putAscii(writer.out, 'null');
      else putObject(value, writer);
      return;
    default:
      putTypeName(value, writer);
  }
}

const byConstructor = new Map<unknown, Put>();

function putObject(value: object, writer: Writer): void {
  const { constructor } = value;
  if (constructor === Array) putArray(value, value as unknown[], writer);
  else if (constructor === Object) putPlain(value as Record<string, unknown>, writer);
  else if (constructor === Dict) putDict(value as Dict, writer);
  else if (constructor === Float) putNumber(writer.out, bare(value));
  else if (Array.isArray(value)) putArray(value, value, writer);
  else {
    let put = byConstructor.get(constructor);
    if (put === undefined) {
      put = choosePut(value);
      // Only classes are remembered: there are few of them, and objects without one have nothing to look up.
      if (typeof constructor === 'function' && Object.getPrototypeOf(value) === constructor.prototype)
        byConstructor.set(constructor, put);
    }
    put(value, writer);
  }
}

function choosePut(value: object): Put {
  const meta = metaOf(value.constructor);
  if (meta !== undefined && !meta.isException) return makePutClass(meta);
  if (value instanceof Dict) return putDict;
  if (value instanceof Tuple) return (tuple: Tuple, writer) => putArray(tuple, tuple.items, writer);
  if (value instanceof PySet || value instanceof FrozenSet)
    return (set: PySet, writer) => putArray(set, [...set.items], writer);
  if (value instanceof Range) return putItems;
  if (value instanceof Bytes || value instanceof ByteArray) {
    return (bytes: Bytes, writer) => putAscii(writer.out, `"${Buffer.from(bytes.data).toString('base64')}"`);
  }
  if (value instanceof Enum) return (member: Enum, writer) => putValue(member.value, writer);
  const special = byTypeName.get(typeName(value));
  if (special !== undefined) return special;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return putPlain;
  return (other: any, writer) =>
    typeof other.toJSON === 'function' ? putValue(other.toJSON(), writer) : putTypeName(other, writer);
}

const isoOf = (moment: unknown) => String(callMethod(moment, 'isoformat')).replace(/\+00:00$/, 'Z');
const putIso: Put = (moment, { out }) => putQuoted(out, isoOf(moment));
const putShown: Put = (value, { out }) => putQuoted(out, strOf(value));
const putItems: Put = (items: Iterable<unknown> & object, writer) => putArray(items, [...items], writer);

/** Value classes of standard modules. */
const byTypeName = new Map<string, Put>([
  ['datetime', putIso],
  ['date', putIso],
  ['time', putIso],
  ['timedelta', (span, writer) => putValue(callMethod(span, 'total_seconds'), writer)],
  ['UUID', putShown],
  ['Decimal', putShown],
  ['dict_keys', putItems],
  ['dict_values', putItems],
  ['dict_items', putItems],
]);

function putArray(container: object, items: readonly unknown[], writer: Writer): void {
  const { out, open } = writer;
  if (isClosedTo(container, writer)) {
    putReference(null, typeName(container), out);
    return;
  }
  open.push(container);
  putByte(out, 0x5b);
  for (let i = 0; i < items.length; i++) {
    if ($due) look();
    if (i > 0) putByte(out, 0x2c);
    const item = items[i];
    if (typeof item === 'string') putQuoted(out, item);
    else putValue(item, writer);
  }
  putByte(out, 0x5d);
  open.pop();
}

function putDict(dict: Dict, writer: Writer): void {
  const { out, open } = writer;
  if (isClosedTo(dict, writer)) {
    putReference(null, 'dict', out);
    return;
  }
  open.push(dict);
  let mark = 0x7b;
  for (const [key, value] of dict.map) {
    if ($due) look();
    putByte(out, mark);
    mark = 0x2c;
    putQuoted(out, typeof key === 'string' ? key : keyText(key));
    putByte(out, 0x3a);
    if (typeof value === 'string') putQuoted(out, value);
    else putValue(value, writer);
  }
  if (mark === 0x7b) putByte(out, mark);
  putByte(out, 0x7d);
  open.pop();
}

function putPlain(object: Record<string, unknown>, writer: Writer): void {
  const { out, open } = writer;
  if (isClosedTo(object, writer)) {
    putReference(null, 'dict', out);
    return;
  }
  open.push(object);
  let mark = 0x7b;
  for (const key in object) {
    const value = object[key];
    if (value === undefined || !Object.hasOwn(object, key)) continue;
    putByte(out, mark);
    mark = 0x2c;
    putQuoted(out, key);
    putByte(out, 0x3a);
    if (typeof value === 'string') putQuoted(out, value);
    else putValue(value, writer);
  }
  if (mark === 0x7b) putByte(out, mark);
  putByte(out, 0x7d);
  open.pop();
}

/** Tells whether a container may not be written here: it encloses this place already, or the nesting is too deep. */
export function isClosedTo(container: object, writer: Writer): boolean {
  const { open } = writer;
  return open.length >= maxDepth || (open.length > 0 && open.includes(container));
}

/** Writes a reference in place of an object that is written elsewhere, or not at all. */
export function putReference(id: string | null, type: string, out: Scratch): void {
  putAscii(out, id === null ? '{"$ref":null,"$type":' : `{"$ref":"${id}","$type":`);
  putQuoted(out, type);
  putByte(out, 0x7d);
}

/** Keys as `json.dumps` writes them, members of enumerations and moments as requests take them; other kinds by their text. */
function keyText(key: unknown): string {
  switch (typeof key) {
    case 'number':
      return Number.isSafeInteger(key) ? `${key}` : floatRepr(key);
    case 'boolean':
      return key ? 'true' : 'false';
    case 'undefined':
      return 'null';
    case 'string':
      return key;
    default:
      if (key === null) return 'null';
      if (key instanceof Enum) return keyText(key.value);
      return byTypeName.get(typeName(key)) === putIso ? isoOf(key) : strOf(key);
  }
}

function putTypeName(value: unknown, writer: Writer): void {
  const meant = border?.meaning(value);
  if (meant !== undefined) {
    putValue(meant, writer);
    return;
  }
  const name = typeName(value);
  (writer.odd ??= []).push(name);
  putQuoted(writer.out, `<${name}>`);
}
