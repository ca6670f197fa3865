/** Records of core as items, and back (docs/server/storage.md#records, docs/server/stores.md#dynamodb). */
import { EdgeRow, type Key, NodeRow, type StoredType } from '../../../core/memory/rows.ts';
import { edgeName, typeName } from '../edge-names.ts';
import type { StoredTypes } from '../stored-types.ts';
import { type Item, textOf } from './item.ts';

/** Attributes of a type. */
export function typeItem({ module, name, schema }: StoredType): Item {
  return { module, type: name, schema };
}

export function nodeRow(types: StoredTypes, item: Item): NodeRow {
  const id = String(item['pk']).slice(2);
  return new NodeRow(
    id,
    id,
    types.of('node', item),
    String(item['owner']),
    Number(item['rev']),
    Number(item['topo'] ?? 0),
    textOf(item['access']),
    textOf(item['data']),
    textOf(item['attic']),
  );
}

/** An edge that nobody gave anything to record is at version 0. */
export function edgeRow(types: StoredTypes, item: Item): EdgeRow {
  const id = String(item['pk']).slice(2);
  const rev = Number(item['rev']);
  const owner = textOf(item['owner']);
  return new EdgeRow({
    key: edgeName(String(item['seq']), id),
    uid: id,
    type: types.of('edge', item),
    source: String(item['source']),
    target: String(item['target']),
    undirected: item['undirected'] === true,
    owner: owner === '' ? undefined : owner,
    rev,
    access: textOf(item['access']),
    data: textOf(item['data']),
    attic: textOf(item['attic']),
    hasRecord: rev > 0,
  });
}

export interface EndOf {
  readonly dir: 'out' | 'in' | 'loop';
  readonly other: Key;
  readonly type: StoredType;
  readonly flags: number;
}

export function endItem({ dir, other, type, flags }: EndOf): Item {
  return { dir, other, etype: typeName(type), module: type.module, type: type.name, schema: type.schema, x: flags };
}
