/** JavaScript's own containers, dates and bytes as the runtime keeps them. */
import type { TypeRef } from '../../library/classes/spec.ts';
import { std } from '../../library/registry.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { PySet } from '../../library/values/containers/sets.ts';
import { Bytes } from '../../library/values/text/bytes.ts';

export type Convert = (value: any) => unknown;

/**
 * Gives the function that turns a value passed for this type into the one that is kept; undefined where it is kept as
 * it is.
 */
export function converterOf(type: TypeRef): Convert | undefined {
  switch (type.t) {
    case 'list': {
      const item = converterOf(type.of);
      return (value) => (!Array.isArray(value) ? value : item === undefined ? [...value] : value.map(item));
    }
    case 'set': {
      const item = converterOf(type.of);
      return (value) => (isIterable(value) ? new PySet(item === undefined ? value : [...value].map(item)) : value);
    }
    case 'dict':
      return dictConverter(converterOf(type.value));
    case 'union': {
      const converters = type.of.flatMap((each) => converterOf(each) ?? []);
      if (converters.length === 0) return undefined;
      return (value) => (value === null ? null : converters.reduce((at, convert) => convert(at), value));
    }
    case 'bytes':
      return (value) => (value instanceof Uint8Array ? new Bytes(value) : value);
    case 'datetime':
      return (value) => (value instanceof Date ? momentOf(value) : value);
    case 'date':
      return (value) => (value instanceof Date ? (momentOf(value) as any).date() : value);
    default:
      return undefined;
  }
}

/** A JavaScript date as a datetime in UTC. */
export function momentOf(date: Date): unknown {
  const { datetime } = std('datetime') as any;
  return datetime.fromisoformat(date.toISOString().replace('Z', '+00:00'));
}

function dictConverter(item: Convert | undefined): Convert {
  return (value) => {
    if (value instanceof Dict || value === null || typeof value !== 'object') return value;
    const entries: Iterable<readonly [string, unknown]> = value instanceof Map ? value : Object.entries(value);
    return Dict.from([...entries].map(([name, each]) => [name, item === undefined ? each : item(each)] as const));
  };
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
