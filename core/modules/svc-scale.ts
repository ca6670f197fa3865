/** Modules `svc_scale`, functions of topics, and `svc_scale.lib`, the class `kvstore` (docs/language/standard-modules.md#of-the-product). */
import { functions, type Members } from '../../library/builtins/module.ts';
import { nativeClass } from '../../library/builtins/native-class.ts';
import { std } from '../../library/registry.ts';
import { PyIterator } from '../../library/values/containers/iteration.ts';
import { TypeError } from '../../library/values/objects/exceptions.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { KvStore } from '../kvstore/kvstore.ts';
import { literal, trusted } from '../kvstore/marks.ts';
import { publish, subscribe, unsubscribe } from '../topics/calls.ts';

/**
 * Helper `kvstore` in the form that programs of the language have: `find` gives an iterator, and the methods have names
 * for their arguments.
 */
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
    trusted: ['value', trusted],
  },
});

/** The class `kvstore`, for programs in either language. */
export const kvstore: typeof KvStoreOfPrograms = KvStoreOfPrograms;

export function makeScaleLib(): Members {
  return { kvstore };
}

const topics = functions('svc_scale', {
  publish: ['topic, value', publish],
  subscribe: ['topic', subscribe],
  unsubscribe: ['topic, root_id=None', unsubscribe],
});

export function makeScale(): Members {
  return {
    ...topics,
    get lib() {
      return std('svc_scale.lib');
    },
  };
}

function requireText(value: unknown, what: string): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') throw new TypeError(`${what} must be str, not '${typeName(value)}'`);
  return text;
}
