/** Items as plain records, and their form on the wire. An empty text is written as NULL: not every engine takes empty ones. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Value = string | number | boolean | null | undefined | { readonly [name: string]: Value };

export type Item = { readonly [name: string]: Value };

export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

/** Names the item in maps. */
export function nameOf({ pk, sk }: ItemKey): string {
  return `${pk} ${sk}`;
}

export function toWire(value: Value): AttributeValue {
  if (value === null || value === undefined || value === '') return { NULL: true };
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  return { M: itemToWire(value) };
}

export function itemToWire(item: Item): Record<string, AttributeValue> {
  const wire: Record<string, AttributeValue> = {};
  for (const name of Object.keys(item)) if (item[name] !== undefined) wire[name] = toWire(item[name]);
  return wire;
}

export function fromWire(wire: Readonly<Record<string, AttributeValue>>): Item {
  const item: Record<string, Value> = {};
  for (const name of Object.keys(wire)) item[name] = valueFromWire(wire[name]!);
  return item;
}

function valueFromWire(value: AttributeValue): Value {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.M !== undefined) return fromWire(value.M);
  return null;
}

/** A text attribute; '' when it has none. */
export function textOf(value: Value): string {
  return typeof value === 'string' ? value : '';
}

/** About what the service counts against its limits: names and values in UTF-8. */
export function sizeOf(item: Item): number {
  let size = 0;
  for (const name of Object.keys(item)) {
    const value = item[name];
    size += name.length + 8;
    if (typeof value === 'string') size += Buffer.byteLength(value);
    else if (typeof value === 'object' && value !== null) size += sizeOf(value);
  }
  return size;
}
