/** Stored values as the driver takes and gives them. */
import type * as driver from 'mongodb';
import { type Doc, ObjectId, type Stored, StoredDecimal } from '../../../core/kvstore/stored.ts';

export type Driver = typeof driver;

export interface Bson {
  write(value: Stored): unknown;
  read(value: unknown): Stored;
  newId(): ObjectId;
}

const int32 = 2 ** 31;

export function makeBson({ Binary, Decimal128, Double, Long, ObjectId: DriverId }: Driver): Bson {
  const write = (value: Stored): unknown => {
    switch (typeof value) {
      case 'number':
        if (Object.is(value, -0)) return new Double(-0);
        // The driver would make them floats, which do not count exactly.
        return Number.isSafeInteger(value) && Math.abs(value) >= int32 ? Long.fromNumber(value) : value;
      case 'bigint':
        return Long.fromBigInt(value);
    }
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    if (Array.isArray(value)) return value.map(write);
    if (value instanceof Map) return new Map([...value].map(([name, item]) => [name, write(item)]));
    if (value instanceof StoredDecimal) return Decimal128.fromString(value.text);
    if (value instanceof ObjectId) return new DriverId(value.hex);
    return new Binary(value as Uint8Array);
  };
  return { write, read, newId: () => new ObjectId(new DriverId().toHexString()) };
}

function read(value: any): Stored {
  switch (typeof value) {
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    case 'undefined':
      return null;
    case 'object':
      break;
    default:
      return value;
  }
  if (value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(read);
  switch (value._bsontype) {
    case 'ObjectId':
      return new ObjectId(value.toHexString());
    case 'Decimal128':
      return new StoredDecimal(value.toString());
    case 'Binary':
      return new Uint8Array(value.buffer.subarray(0, value.position));
    case 'Timestamp':
      return new Date(value.getHighBitsUnsigned() * 1000);
    case undefined:
      return value instanceof RegExp ? value.source : readDoc(value);
    default:
      return String(value.pattern ?? value.code ?? value.toJSON?.() ?? value);
  }
}

export function readDoc(value: object): Doc {
  return new Map(Object.entries(value).map(([name, item]) => [name, read(item)]));
}
