/** Module `svc_scale.lib` (language.md 6.10): the class `kvstore`. */
import type { Members } from '../builtins/module.ts';
import { std } from '../builtins/modules.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { Dict } from '../values/dict.ts';
import { TypeError } from '../values/exceptions.ts';
import { PyIterator } from '../values/iteration.ts';
import { unmarkRequestData } from '../values/request-data.ts';
import { Tuple } from '../values/tuple.ts';
import { typeName } from '../values/type-name.ts';
import { KvStore } from './kvstore.ts';

/** As programs of the language have it: `find` gives an iterator, and the methods have names for their arguments. */
class KvStoreOfPrograms extends KvStore {
  override async find(...args: Parameters<KvStore['find']>): Promise<any> {
    return new PyIterator((await super.find(...args))[Symbol.iterator](), 'cursor');
  }
}

nativeClass(KvStoreOfPrograms, {
  name: 'kvstore',
  module: 'svc_scale.lib',
  params: 'db_name="svc_db", db_type="docdb", uri=None',
  make: (cls, name = 'svc_db', kind = 'docdb', uri = null) =>
    new cls({ name: requireText(name, 'db_name'), kind, uri: uri === null ? undefined : requireText(uri, 'uri') }),
  methods: {
    get: 'key, col_name="kv"',
    set: 'key, value, col_name="kv"',
    delete: 'key, col_name="kv"',
    exists: 'key, col_name="kv"',
    find_one: 'col_name, filter, projection=None',
    find: 'col_name, filter=None, projection=None, sort=None, skip=0, limit=0',
    insert_one: 'col_name, doc',
    insert_many: 'col_name, docs',
    update_one: 'col_name, filter, update, upsert=False',
    update_many: 'col_name, filter, update, upsert=False',
    delete_one: 'col_name, filter',
    delete_many: 'col_name, filter, confirm=False',
    find_by_id: 'col_name, id',
    update_by_id: 'col_name, id, update, upsert=False',
    delete_by_id: 'col_name, id',
    count_documents: 'col_name, filter=None',
    create_index: 'col_name, keys, unique=False, expire_seconds=None',
    set_with_ttl: 'key, value, ttl',
    set_nx_with_ttl: 'key, value, ttl',
    delete_if_equals: 'key, value',
    expire: 'key, seconds',
    incr: 'key, amount=1',
    scan_keys: 'pattern="*", count=None',
  },
  statics: {
    literal: ['value', literal],
    trusted: ['dict', trusted],
  },
});

/** The class `kvstore`, for programs in either language. */
export const kvstore: typeof KvStoreOfPrograms = KvStoreOfPrograms;

export function makeScaleLib(): Members {
  return { kvstore };
}

export function makeScale(): Members {
  return {
    get lib() {
      return std('svc_scale.lib');
    },
  };
}

/** A condition that compares with the value, whatever is in it. */
export function literal(value: unknown): Dict {
  return Dict.of('$eq', withoutMarks(value));
}

/** Takes the mark of request data off a dict and everything in it; gives the dict. */
export function trusted(value: unknown): unknown {
  if (!(value instanceof Dict)) throw new TypeError(`trusted needs a dict, not '${typeName(value)}'`);
  unmark(value);
  return value;
}

function unmark(value: unknown): void {
  if (value instanceof Dict) {
    unmarkRequestData(value);
    for (const item of value.values()) unmark(item);
  } else if (Array.isArray(value)) for (const item of value) unmark(item);
  else if (value instanceof Tuple) for (const item of value.items) unmark(item);
}

// A copy: the value itself may still be used as a filter.
function withoutMarks(value: unknown): unknown {
  if (value instanceof Dict)
    return Dict.from([...value.map].map(([name, item]) => [name, withoutMarks(item)] as const));
  if (Array.isArray(value)) return value.map(withoutMarks);
  return value instanceof Tuple ? new Tuple(value.items.map(withoutMarks)) : value;
}

function requireText(value: unknown, what: string): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') throw new TypeError(`${what} must be str, not '${typeName(value)}'`);
  return text;
}
