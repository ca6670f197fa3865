/** The stored form of an object's fields. */

import { isClosed } from '../../library/classes/closed-fields.ts';
import { itemType } from '../../library/classes/float-places.ts';
import type { Field } from '../../library/classes/meta.ts';
import type { TypeRef } from '../../library/classes/spec.ts';
import { TypeError } from '../../library/values/objects/exceptions.ts';
import type { GraphObject } from '../graph/objects.ts';
import { decodeValue, encodeText } from '../stored/codec.ts';
import type { TypeBindings } from './type-bindings.ts';

/** JSON object text, fields in declaration order. @throws TypeError naming the field that cannot be stored */
export function encodeFields(x: GraphObject, types: TypeBindings): string {
  const { fields } = x.$meta;
  let text = '{';
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i]!;
    text += `${i === 0 ? '' : ','}${quoted(field.name)}:`;
    // A closed container is as it was stored; reading it would only copy it.
    text += isClosed(x, field)
      ? JSON.stringify(types.fieldsOf(x.$row)[field.name] ?? null)
      : encodeField(x, field, (x as any)[field.slot]);
  }
  return `${text}}`;
}

function encodeField(x: GraphObject, { name, type }: Field, value: unknown): string {
  try {
    return encodeText(value, type);
  } catch (e) {
    if (e instanceof TypeError) throw new TypeError(`${x.$meta.name}.${name}: ${e.message}`);
    throw e;
  }
}

const names = new Map<string, string>();

function quoted(name: string): string {
  let text = names.get(name);
  if (text === undefined) names.set(name, (text = JSON.stringify(name)));
  return text;
}

/** Did a container that was handed out change in place? Compares what is open with what was stored. */
export function hasChanged(x: GraphObject, types: TypeBindings): boolean {
  const stored = types.fieldsOf(x.$row);
  for (const field of x.$meta.fields) {
    if (isClosed(x, field)) continue;
    const [value, json] = [(x as any)[field.slot], stored[field.name]];
    if (!sameAsStored(value, json, field.type) && !sameAsRead(value, json, x)) return true;
  }
  return false;
}

/** References that lead nowhere for the caller read as None, and objects get what is new in their class: that is no change. */
function sameAsRead(value: any, json: unknown, x: GraphObject): boolean {
  const text = JSON.stringify(json);
  if (text === undefined || !/"\$t":"(ref|obj)"/.test(text)) return false;
  return encodeText(value) === encodeText(decodeValue(json, x.$s));
}

// Plain values and plain lists are compared where they are; the rest by their text.
function sameAsStored(value: any, json: any, type: TypeRef | undefined): boolean {
  if (value === null || value === undefined) return json === null || json === undefined;
  if (typeof value !== 'object') return Object.is(value, json) || encodeText(value, type) === JSON.stringify(json);
  if (Array.isArray(value)) {
    if (!Array.isArray(json) || json.length !== value.length) return false;
    for (let i = 0; i < value.length; i++) if (!sameAsStored(value[i], json[i], itemType(type, i))) return false;
    return true;
  }
  return encodeText(value, type) === JSON.stringify(json);
}
