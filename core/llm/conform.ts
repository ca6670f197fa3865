/**
 * Answers as values of the declared type (docs/language/delegation.md#by): primitives, enums by name or value, objects
 * by field, lists, tuples, dicts, optionals. Takes what JSON gives as well as values that fit already (models of the
 * program, prepared outputs).
 */

import { construct } from '../../library/classes/construct.ts';
import { type ClassMeta, metaOf } from '../../library/classes/meta.ts';
import type { TypeRef } from '../../library/classes/spec.ts';
import { writtenType } from '../../library/classes/written-type.ts';
import { std } from '../../library/registry.ts';
import { call } from '../../library/values/calls/calls.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { itemsOf } from '../../library/values/containers/iteration.ts';
import { AnySet, FrozenSet, PySet } from '../../library/values/containers/sets.ts';
import { Tuple } from '../../library/values/containers/tuple.ts';
import { boxed } from '../../library/values/numbers/float-box.ts';
import { type Enum, isEnumClass, metaOf as membersOf } from '../../library/values/objects/enums.ts';
import { eq } from '../../library/values/objects/equality.ts';
import { Exception } from '../../library/values/objects/exceptions.ts';
import { $uncatchable } from '../../library/values/objects/protocol.ts';
import { reprOf, strOf } from '../../library/values/objects/repr.ts';
import { AnyBytes, Bytes } from '../../library/values/text/bytes.ts';
import { partsOf } from './type-words.ts';

/** An answer that is not what the function declares. The message is meant for the model: it is asked again with it. */
export class Misfit extends Error {}

/** Name of the member that tells the classes of a union apart. */
export const classMember = '$type';

/** `value` as a `type`. `at` names the place in messages: `result.items[2]`. @throws Misfit */
export function conform(value: unknown, type: TypeRef, at = 'result'): unknown {
  return conformTo(value, type, { at, isStrict: false });
}

interface Place {
  readonly at: string;
  /** True when a value must not be converted to another kind: for choosing among the members of a union. */
  readonly isStrict: boolean;
}

function conformTo(value: unknown, type: TypeRef, place: Place): unknown {
  switch (type.t) {
    case 'any':
    case 'object':
      return value;
    case 'none':
      if (value === null || (!place.isStrict && /^(none|null|)$/i.test(String(value).trim()))) return null;
      throw misfit(value, type, place);
    case 'str':
      return textOf(value, type, place);
    case 'int':
    case 'float':
      return numberOf(value, type, place);
    case 'bool':
      return flagOf(value, type, place);
    case 'list':
    case 'iterator':
      return itemsIn(value, type.of, type, place);
    case 'set':
      return new PySet(itemsIn(value, type.of, type, place));
    case 'frozenset':
      return new FrozenSet(itemsIn(value, type.of, type, place));
    case 'tuple':
      return tupleOf(value, type, place);
    case 'dict':
      return dictOf(value, type, place);
    case 'union':
      return memberOf(value, type, place);
    case 'literal': {
      const found = type.values.find((one) => eq(one, value) && typeof one === typeof value);
      const near = place.isStrict ? undefined : type.values.find((one) => strOf(one) === strOf(value));
      if (found !== undefined || near !== undefined) return found ?? near;
      throw misfit(value, type, place);
    }
    case 'ref':
      return referenceTo(value, type, place);
    case 'bytes':
      if (value instanceof AnyBytes) return value;
      if (typeof value === 'string' && /^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(value))
        return new Bytes(new Uint8Array(Buffer.from(value, 'base64')));
      throw misfit(value, type, place);
    case 'datetime':
    case 'date':
    case 'time':
    case 'timedelta':
    case 'uuid':
      return standardOf(value, type, place);
    default:
      throw new Misfit(`${place.at}: a model cannot give a value of type ${writtenType(type)}`);
  }
}

function misfit(value: unknown, type: TypeRef, { at }: Place): Misfit {
  const shown = reprOf(value);
  return new Misfit(
    `${at}: expected ${writtenType(type)}, got ${shown.length > 120 ? `${shown.slice(0, 120)}…` : shown}`,
  );
}

function textOf(value: unknown, type: TypeRef, place: Place): string {
  if (typeof value === 'string') return value;
  if (!place.isStrict && (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'))
    return strOf(value);
  throw misfit(value, type, place);
}

function numberOf(value: unknown, type: TypeRef, place: Place): unknown {
  let given = value;
  if (typeof given === 'string' && !place.isStrict) {
    const text = given.trim().replace(/(?<=\d)[_,](?=\d{3}\b)/g, '');
    if (/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text)) given = Number(text);
    if (/^[+-]?\d+$/.test(text) && !Number.isSafeInteger(given)) given = BigInt(text);
  }
  if (type.t === 'float') {
    if (typeof given === 'bigint') given = Number(given);
    if (typeof given === 'number' && Number.isFinite(given)) return type.bare === true ? given : boxed(given);
  } else {
    if (typeof given === 'bigint' || Number.isSafeInteger(given)) return given;
  }
  throw misfit(value, type, place);
}

function flagOf(value: unknown, type: TypeRef, place: Place): boolean {
  if (typeof value === 'boolean') return value;
  if (!place.isStrict) {
    const word = String(value).trim().toLowerCase();
    if (word === 'true' || word === 'yes' || word === '1') return true;
    if (word === 'false' || word === 'no' || word === '0') return false;
  }
  throw misfit(value, type, place);
}

function itemsIn(value: unknown, of: TypeRef, type: TypeRef, place: Place): unknown[] {
  if (!(Array.isArray(value) || value instanceof Tuple || value instanceof AnySet)) throw misfit(value, type, place);
  return itemsOf(value).map((item, i) => conformTo(item, of, { ...place, at: `${place.at}[${i}]` }));
}

function tupleOf(value: unknown, type: TypeRef & { t: 'tuple' }, place: Place): Tuple {
  const { items } = type;
  if (items === undefined) return new Tuple(itemsIn(value, type.of ?? { t: 'any' }, type, place));
  if (!(Array.isArray(value) || value instanceof Tuple)) throw misfit(value, type, place);
  const given = itemsOf(value);
  if (given.length !== items.length)
    throw new Misfit(`${place.at}: expected ${items.length} items for ${writtenType(type)}, got ${given.length}`);
  return new Tuple(given.map((item, i) => conformTo(item, items[i]!, { ...place, at: `${place.at}[${i}]` })));
}

// Reads a dict from an object, or from the list of pairs that schemas ask for.
function dictOf(value: unknown, type: TypeRef & { t: 'dict' }, place: Place): Dict {
  const pairs = value instanceof Dict ? [...value.entries()] : pairsIn(value);
  if (pairs === undefined) throw misfit(value, type, place);
  const keyPlace = { at: `${place.at} (key)`, isStrict: false };
  return Dict.from(
    pairs.map(([key, item]) => [
      conformTo(key, type.key, keyPlace),
      conformTo(item, type.value, { ...place, at: `${place.at}[${reprOf(key)}]` }),
    ]),
  );
}

function pairsIn(value: unknown): [unknown, unknown][] | undefined {
  if (!Array.isArray(value)) return undefined;
  const pairs = value.flatMap((item): [unknown, unknown][] =>
    item instanceof Dict && item.has('key') && item.has('value') ? [[item.get('key'), item.get('value')]] : [],
  );
  return pairs.length === value.length ? pairs : undefined;
}

// A member of the union that fits without conversion comes before one that fits after it.
function memberOf(value: unknown, type: TypeRef & { t: 'union' }, place: Place): unknown {
  const problems: Misfit[] = [];
  for (const isStrict of place.isStrict ? [true] : [true, false]) {
    for (const member of type.of) {
      try {
        return conformTo(value, member, { at: place.at, isStrict });
      } catch (error) {
        if (!(error instanceof Misfit)) throw error;
        problems.push(error);
      }
    }
  }
  const inside = problems.find((problem) => !problem.message.startsWith(`${place.at}:`));
  throw inside ?? misfit(value, type, place);
}

function referenceTo(value: unknown, type: TypeRef & { t: 'ref' }, place: Place): unknown {
  const cls = type.get() as any;
  if (typeof cls === 'function' && value instanceof cls) return value;
  if (isEnumClass(cls)) return enumMember(value, cls, type, place);
  const meta = metaOf(cls);
  if (meta === undefined) throw new Misfit(`${place.at}: a model cannot give a value of type ${type.name}`);
  if (!(value instanceof Dict)) throw misfit(value, type, place);
  const named = value.get(classMember);
  if (typeof named === 'string' && named !== meta.name) throw misfit(value, type, place);
  return makeInstance(value, meta, place);
}

function enumMember(value: unknown, cls: any, type: TypeRef, place: Place): Enum {
  const { members, byName, name } = membersOf(cls);
  const text = typeof value === 'string' ? value.trim() : undefined;
  const bare = text?.startsWith(`${name}.`) === true ? text.slice(name.length + 1) : text;
  const named = bare === undefined ? undefined : byName.get(bare);
  if (named !== undefined) return named;
  const valued = members.find((member) => eq(member.value, value) && typeof member.value === typeof value);
  if (valued !== undefined) return valued;
  if (!place.isStrict) {
    const word = (bare ?? strOf(value)).toLowerCase();
    const near = members.filter((m) => m.name.toLowerCase() === word || strOf(m.value).toLowerCase() === word);
    if (near.length === 1) return near[0]!;
  }
  const names = members.map((member) => member.name).join(', ');
  throw new Misfit(`${misfit(value, type, place).message}; one of ${names}`);
}

// A constructor that refuses its arguments refuses the answer.
function makeInstance(value: Dict, meta: ClassMeta, place: Place): unknown {
  const given: [string, unknown][] = [];
  const parts = partsOf(meta);
  if (place.isStrict && [...value.keys()].some((key) => key !== classMember && !parts.some(({ name }) => name === key)))
    throw misfit(value, { t: 'unknown', text: meta.name }, place);
  for (const { name, type, isOptional } of parts) {
    const inner = { ...place, at: `${place.at}.${name}` };
    if (value.has(name)) given.push([name, conformTo(value.get(name), type, inner)]);
    else if (!isOptional) {
      if (!(type.t === 'union' && type.of.some((member) => member.t === 'none')))
        throw new Misfit(`${inner.at}: missing, expected ${writtenType(type)}`);
      given.push([name, null]);
    }
  }
  let made: unknown;
  try {
    made = construct(meta.cls, [], given);
  } catch (error: any) {
    if (!(error instanceof Exception) || (error as any)[$uncatchable] === true) throw error;
    throw new Misfit(`${place.at}: ${strOf(error)}`);
  }
  if (made instanceof Promise) {
    made.catch(() => {});
    throw new Misfit(`${place.at}: ${meta.name} cannot be made from an answer, because making one waits`);
  }
  return made;
}

// Moments in ISO 8601, durations in seconds.
function standardOf(value: unknown, type: TypeRef, place: Place): unknown {
  const cls = type.t === 'uuid' ? std('uuid').UUID : std('datetime')[type.t];
  if (value instanceof cls) return value;
  try {
    if (type.t === 'timedelta') {
      if (typeof value === 'number') return call(cls, 0, value);
    } else if (typeof value === 'string') {
      return type.t === 'uuid' ? call(cls, value) : cls.fromisoformat(value.trim());
    }
  } catch (error) {
    if (!(error instanceof Exception)) throw error;
  }
  throw misfit(value, type, place);
}
