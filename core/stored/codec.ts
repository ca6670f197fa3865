/**
 * Field values as JSON and back (docs/server/storage.md#records). Values without a JSON form become `{"$t": tag, "v":
 * …}`: `datetime date time timedelta uuid decimal fraction counter defaultdict ordereddict deque bytes int float set
 * frozenset tuple map enum obj ref` (decisions/0136). Value classes of standard modules take part through the port in
 * values/stored-form.ts.
 */

import { isFloatPlace, itemType, placed } from '../../library/classes/float-places.ts';
import { type ClassMeta, metaOf, metaOfInstance, typeKey } from '../../library/classes/meta.ts';
import type { TypeRef } from '../../library/classes/spec.ts';
import { border } from '../../library/values/calls/border.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { FrozenSet, PySet } from '../../library/values/containers/sets.ts';
import { Tuple, tuple } from '../../library/values/containers/tuple.ts';
import { bare, boxed, Float } from '../../library/values/numbers/float-box.ts';
import { Enum } from '../../library/values/objects/enums.ts';
import { TypeError } from '../../library/values/objects/exceptions.ts';
import { $about, $construct, attributeName } from '../../library/values/objects/protocol.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import {
  $dictKind,
  $itemsKind,
  $stored,
  type DecodeContext,
  type DictKind,
  decoderOf,
  type ItemsKind,
  type Tagged,
} from '../../library/values/stored-form.ts';
import { Bytes } from '../../library/values/text/bytes.ts';
import { GraphObject } from '../graph/objects.ts';
import { MissingValue } from './missing-value.ts';

/**
 * JSON text of a field value. Where the declared type says float a number is one, elsewhere an integral float is tagged.
 * @throws TypeError for values that cannot be stored
 */
export function encodeText(x: unknown, type?: TypeRef): string {
  switch (typeof x) {
    case 'string':
      return JSON.stringify(x);
    case 'number':
      if (Number.isFinite(x)) return Object.is(x, -0) ? '-0.0' : String(x);
      return `{"$t":"float","v":"${x}"}`;
    case 'boolean':
      return x ? 'true' : 'false';
    case 'undefined':
      return 'null';
    case 'bigint':
      return `{"$t":"int","v":"${x}"}`;
    case 'object':
      return x === null ? 'null' : encodeObject(x, type);
    default:
      return encodeLive(x);
  }
}

function encodeObject(x: object, type: TypeRef | undefined): string {
  if (x instanceof Float) return encodeFloat(bare(x), type);
  if (Array.isArray(x)) return encodeItems(x, type);
  if (x instanceof Dict) return x.constructor === Dict ? encodeDict(x, type) : encodeKindOfDict(x);
  if (x instanceof Tuple) return `{"$t":"tuple","v":${encodeItems(x.items, type)}}`;
  if (x instanceof GraphObject)
    return `{"$t":"ref","v":"${idOf(x)}","type":${JSON.stringify(typeKey((x as any).$meta))}}`;
  if (x instanceof PySet) return `{"$t":"set","v":${encodeItems([...x.items], type)}}`;
  if (x instanceof FrozenSet) return `{"$t":"frozenset","v":${encodeItems([...x.items], type)}}`;
  if (x instanceof Bytes) return `{"$t":"bytes","v":"${Buffer.from(x.data).toString('base64')}"}`;
  if (x instanceof Enum) return encodeEnum(x);
  if (x instanceof MissingValue) return JSON.stringify(x.tagged);
  const kind: ItemsKind | undefined = (x as any)[$itemsKind]?.();
  if (kind !== undefined) return encodeKindOfItems(kind);
  const stored = (x as any)[$stored];
  if (typeof stored === 'function') return JSON.stringify(stored.call(x));
  const meta = metaOfInstance(x);
  if (meta !== undefined && (meta.kind === 'obj' || meta.kind === 'class')) return encodeObj(x, meta);
  const prototype = Object.getPrototypeOf(x);
  if (prototype === Object.prototype || prototype === null) return encodeDict(Dict.fromObject(x as any));
  const meant = border?.meaning(x);
  if (meant !== undefined) return encodeObject(meant, type);
  return encodeLive(x);
}

// Encodes a member of an enum by its name, so that it may get another value; combinations of flags have none.
function encodeEnum(member: Enum): string {
  const cls = member.constructor as any;
  const type = typeKey({ module: cls[$about]?.module ?? '', name: cls[$about]?.qualname ?? cls.name });
  const named = cls[member.name] === member;
  return `{"$t":"enum","type":${JSON.stringify(type)},${named ? `"v":${JSON.stringify(member.name)}` : `"v":null,"value":${encodeText(member.value)}`}}`;
}

function encodeItems(items: readonly unknown[], type?: TypeRef): string {
  let text = '[';
  for (let i = 0; i < items.length; i++) {
    const item = encodeText(items[i], itemType(type, i));
    text += i === 0 ? item : `,${item}`;
  }
  return `${text}]`;
}

function encodeFloat(x: number, type: TypeRef | undefined): string {
  const text = Object.is(x, -0) ? '-0.0' : String(x);
  return isFloatPlace(type) ? text : `{"$t":"float","v":"${text}"}`;
}

function encodeKindOfDict(x: Dict): string {
  const kind: DictKind | undefined = (x as any)[$dictKind]?.();
  if (kind === undefined) return encodeDict(x);
  const of = kind.of === undefined ? '' : `,"of":${JSON.stringify(kind.of)}`;
  return `{"$t":"${kind.tag}"${of},"v":${encodeDict(x)}}`;
}

function encodeKindOfItems({ tag, items, maxlen }: ItemsKind): string {
  return `{"$t":"${tag}"${maxlen === null ? '' : `,"maxlen":${maxlen}`},"v":${encodeItems(items)}}`;
}

function encodeDict(dict: Dict, type?: TypeRef): string {
  let plain = true;
  let last = -1;
  for (const key of dict.keys()) {
    if (typeof key !== 'string' || key === '$t' || key === '__proto__') {
      plain = false;
      break;
    }
    // A JSON object has numbers first, from the least one on: where that would be another order the pairs are kept.
    const number = isIndex(key) ? Number(key) : Number.POSITIVE_INFINITY;
    if (number < last) {
      plain = false;
      break;
    }
    last = number;
  }
  const parts: string[] = [];
  if (!plain) {
    for (const [key, value] of dict.entries())
      parts.push(`[${encodeText(key)},${encodeText(value, itemType(type, 0))}]`);
    return `{"$t":"map","v":[${parts.join(',')}]}`;
  }
  for (const [key, value] of dict.entries())
    parts.push(`${JSON.stringify(key)}:${encodeText(value, itemType(type, 0))}`);
  return `{${parts.join(',')}}`;
}

function isIndex(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= 48 && first <= 57 && /^(0|[1-9]\d{0,9})$/.test(key);
}

// Plain objects are stored by value. What a program assigned beyond the declared fields belongs to it as well.
function encodeObj(x: any, meta: ClassMeta): string {
  const parts: string[] = [];
  for (const name of Object.keys(x)) {
    if (name.charCodeAt(0) !== 36)
      parts.push(`${JSON.stringify(name)}:${encodeText(x[name], meta.byName.get(attributeName(name))?.type)}`);
  }
  return `{"$t":"obj","type":${JSON.stringify(typeKey(meta))},"v":{${parts.join(',')}}}`;
}

/** Values that live as long as the process, by handles (live-values.ts). */
export interface LiveValues {
  readonly handleOf: (x: unknown) => string;
  readonly valueOf: (handle: string) => unknown;
}

let live: LiveValues | undefined;

export function wireLiveValues(values: LiveValues | undefined): void {
  live = values;
}

function encodeLive(x: unknown): string {
  if (live === undefined) throw new TypeError(`a value of type '${typeName(x)}' cannot be stored`);
  return `{"$t":"live","v":"${live.handleOf(x)}"}`;
}

let idOf: (x: any) => string = () => {
  throw new Error('ids are not wired');
};

/** core/graph gives ids; the codec only writes them. */
export function wireIds(give: (x: any) => string): void {
  idOf = give;
}

/** A private value from decoded JSON, in a place of the declared type; the JSON itself is shared and stays as it is. */
export function decodeValue(json: any, context: DecodeContext, type?: TypeRef): unknown {
  if (json === null || typeof json !== 'object') return placed(json, type);
  if (Array.isArray(json)) {
    const items = new Array(json.length);
    for (let i = 0; i < json.length; i++) items[i] = decodeItem(json[i], context, itemType(type, i));
    return items;
  }
  if (typeof json.$t === 'string') return decodeTagged(json, context, type);
  const made = new Dict();
  for (const key of Object.keys(json)) made.set(key, decodeItem(json[key], context, itemType(type, 0)));
  return made;
}

/** A value inside another one. */
function decodeItem(json: any, context: DecodeContext, type?: TypeRef): unknown {
  const value = decodeValue(json, context, type);
  if (value !== null || json === null) return value;
  return json.$t === 'obj' || json.$t === 'enum' ? new MissingValue(json) : null;
}

function decodeTagged(tagged: Tagged, context: DecodeContext, type: TypeRef | undefined): unknown {
  const { v } = tagged;
  const items = () => (v as unknown[]).map((item, i) => decodeItem(item, context, itemType(type, i)));
  switch (tagged.$t) {
    case 'int':
      return BigInt(v as string);
    case 'float':
      return boxed(Number(v));
    case 'tuple':
      return tuple(...items());
    case 'set':
      return new PySet(items());
    case 'frozenset':
      return new FrozenSet(items());
    case 'map':
      return Dict.from(
        (v as [unknown, unknown][]).map(([key, value]) => [
          decodeItem(key, context),
          decodeItem(value, context, itemType(type, 0)),
        ]),
      );
    case 'counter':
    case 'defaultdict':
    case 'deque':
    case 'ordereddict': {
      const content = decodeValue(v, context);
      return decoderOf(tagged.$t)?.(content, tagged, context) ?? content;
    }
    case 'bytes':
      return new Bytes(new Uint8Array(Buffer.from(v as string, 'base64')));
    case 'live':
      return live?.valueOf(v as string) ?? null;
    case 'ref':
      return context.reference(v as string);
    case 'obj':
      return decodeObj(tagged, context);
    case 'enum':
      return decodeEnum(tagged, context);
    default: {
      const decode = decoderOf(tagged.$t);
      if (decode === undefined) throw new TypeError(`stored value of unknown kind '${tagged.$t}'`);
      return decode(v, tagged, context);
    }
  }
}

function decodeObj(tagged: Tagged, context: DecodeContext): unknown {
  const meta = metaOf(context.classNamed(tagged.type!));
  if (meta === undefined) return null;
  const made = meta.blank();
  const values = tagged.v as Record<string, unknown>;
  for (const field of meta.fields) {
    if (!(field.property in values) && field.default !== undefined) made[field.property] = field.default();
  }
  for (const name of Object.keys(values))
    made[name] = decodeItem(values[name], context, meta.byName.get(attributeName(name))?.type);
  return made;
}

function decodeEnum(tagged: Tagged, context: DecodeContext): unknown {
  const cls = context.classNamed(tagged.type!) as any;
  if (typeof cls !== 'function') return null;
  if (typeof tagged.v === 'string') return cls[tagged.v] instanceof Enum ? cls[tagged.v] : null;
  return cls[$construct]([(tagged as any).value]);
}

/** Does a value hold anything that a program could change in place? */
export function isMutable(x: unknown): boolean {
  if (x === null || typeof x !== 'object') return false;
  if (Array.isArray(x) || x instanceof Dict || x instanceof PySet || $itemsKind in x) return true;
  if (x instanceof Tuple) return x.items.some(isMutable);
  const kind = metaOfInstance(x)?.kind;
  return kind === 'obj' || kind === 'class';
}
