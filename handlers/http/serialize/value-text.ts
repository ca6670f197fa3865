/**
 * Values as JSON text (server.md 7.8). Each class of values has one writer, found by its constructor; those of program classes are
 * generated (class-text.ts).
 */
import { metaOf } from '../../../core/archetypes/meta.ts';
import { ByteArray, Bytes } from '../../../core/values/bytes.ts';
import { Dict } from '../../../core/values/dict.ts';
import { Enum } from '../../../core/values/enums.ts';
import { floatRepr } from '../../../core/values/float-text.ts';
import { callMethod } from '../../../core/values/methods.ts';
import { Range } from '../../../core/values/range.ts';
import { strOf } from '../../../core/values/repr.ts';
import { FrozenSet, PySet } from '../../../core/values/sets.ts';
import { Tuple } from '../../../core/values/tuple.ts';
import { typeName } from '../../../core/values/type-name.ts';
import { makeClassText } from './class-text.ts';
import { quote } from './quote.ts';
import { maxDepth, type Writer } from './writer.ts';

export type TextOf = (value: any, writer: Writer) => string;

/** Any value as JSON text. */
export function textOf(value: unknown, writer: Writer): string {
  switch (typeof value) {
    case 'string':
      return quote(value, writer);
    case 'number':
      return Number.isFinite(value) ? `${value}` : 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    case 'undefined':
      return 'null';
    case 'bigint':
      return `"${value}"`;
    case 'object':
      return value === null ? 'null' : objectText(value, writer);
    default:
      return unserializable(value, writer);
  }
}

const writers = new Map<unknown, TextOf>();

function objectText(value: object, writer: Writer): string {
  const { constructor } = value;
  if (constructor === Array) return arrayText(value, value as unknown[], writer);
  if (constructor === Object) return plainText(value as Record<string, unknown>, writer);
  if (constructor === Dict) return dictText(value as Dict, writer);
  if (Array.isArray(value)) return arrayText(value, value, writer);
  let write = writers.get(constructor);
  if (write === undefined) {
    write = chooseWriter(value);
    // Only classes are remembered: there are few of them, and objects without one have nothing to look up.
    if (typeof constructor === 'function' && Object.getPrototypeOf(value) === constructor.prototype)
      writers.set(constructor, write);
  }
  return write(value, writer);
}

function chooseWriter(value: object): TextOf {
  const meta = metaOf(value.constructor);
  if (meta !== undefined && !meta.isException) return makeClassText(meta);
  if (value instanceof Dict) return dictText;
  if (value instanceof Tuple) return (tuple: Tuple, writer) => arrayText(tuple, tuple.items, writer);
  if (value instanceof PySet || value instanceof FrozenSet)
    return (set: PySet, writer) => arrayText(set, [...set.items], writer);
  if (value instanceof Range) return (range: Range, writer) => arrayText(range, [...range], writer);
  if (value instanceof Bytes || value instanceof ByteArray)
    return (bytes: Bytes) => `"${Buffer.from(bytes.data).toString('base64')}"`;
  if (value instanceof Enum) return (member: Enum, writer) => textOf(member.value, writer);
  const special = byTypeName.get(typeName(value));
  if (special !== undefined) return special;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return plainText;
  return (other: any, writer) =>
    typeof other.toJSON === 'function' ? textOf(other.toJSON(), writer) : unserializable(other, writer);
}

const isoText: TextOf = (moment, writer) =>
  quote(String(callMethod(moment, 'isoformat')).replace(/\+00:00$/, 'Z'), writer);
const shownText: TextOf = (value, writer) => quote(strOf(value), writer);
const listText: TextOf = (view: Iterable<unknown> & object, writer) => arrayText(view, [...view], writer);

/** Value classes of standard modules. */
const byTypeName = new Map<string, TextOf>([
  ['datetime', isoText],
  ['date', isoText],
  ['time', isoText],
  ['timedelta', (span, writer) => textOf(callMethod(span, 'total_seconds'), writer)],
  ['UUID', shownText],
  ['Decimal', shownText],
  ['dict_keys', listText],
  ['dict_values', listText],
  ['dict_items', listText],
]);

function arrayText(container: object, items: readonly unknown[], writer: Writer): string {
  if (items.length === 0) return '[]';
  if (isClosedTo(container, writer)) return referenceText(null, typeName(container), writer);
  writer.open.push(container);
  let text = '[';
  for (let i = 0; i < items.length; i++) text += i === 0 ? textOf(items[i], writer) : `,${textOf(items[i], writer)}`;
  writer.open.pop();
  return `${text}]`;
}

function dictText(dict: Dict, writer: Writer): string {
  if (dict.size === 0) return '{}';
  if (isClosedTo(dict, writer)) return referenceText(null, 'dict', writer);
  writer.open.push(dict);
  let text = '';
  for (const [key, value] of dict.map)
    text += `${text === '' ? '{' : ','}${quote(keyText(key), writer)}:${textOf(value, writer)}`;
  writer.open.pop();
  return `${text}}`;
}

function plainText(object: Record<string, unknown>, writer: Writer): string {
  if (isClosedTo(object, writer)) return referenceText(null, 'dict', writer);
  writer.open.push(object);
  let text = '';
  for (const key in object) {
    const value = object[key];
    if (value === undefined || !Object.hasOwn(object, key)) continue;
    text += text === '' ? `{${quote(key, writer)}:` : `,${quote(key, writer)}:`;
    text += typeof value === 'string' ? quote(value, writer) : textOf(value, writer);
  }
  writer.open.pop();
  return text === '' ? '{}' : `${text}}`;
}

/** Whether a container may not be written here: it encloses this place already, or the nesting is too deep. */
export function isClosedTo(container: object, writer: Writer): boolean {
  const { open } = writer;
  return open.length >= maxDepth || (open.length > 0 && open.includes(container));
}

/** What stands for an object that is written elsewhere, or not at all. */
export function referenceText(id: string | null, type: string, writer: Writer): string {
  return `{"$ref":${id === null ? 'null' : `"${id}"`},"$type":${quote(type, writer)}}`;
}

/** Keys as `json.dumps` writes them; other kinds by their text. */
function keyText(key: unknown): string {
  switch (typeof key) {
    case 'string':
      return key;
    case 'number':
      return Number.isSafeInteger(key) ? `${key}` : floatRepr(key);
    case 'boolean':
      return key ? 'true' : 'false';
    case 'undefined':
      return 'null';
    default:
      return key === null ? 'null' : strOf(key);
  }
}

function unserializable(value: unknown, writer: Writer): string {
  const name = typeName(value);
  (writer.odd ??= []).push(name);
  return quote(`<${name}>`, writer);
}
