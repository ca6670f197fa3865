/** Records of core as documents, and back (docs/server/storage.md#records, docs/server/stores.md#document-database). */
import type { Document } from 'mongodb';
import { EdgeRow, NodeRow, type StoredType } from '../../../core/memory/rows.ts';
import { edgeName } from '../edge-names.ts';
import type { StoredTypes } from '../stored-types.ts';
import type { Stored } from './collections.ts';
import { toSubdocument, toText } from './subdocument.ts';

export interface Texts {
  readonly access: string;
  readonly data: string;
  readonly attic: string;
}

/** Fields of a type. */
export function typeFields({ module, name, schema }: StoredType): Document {
  return { type: name, module, schema };
}

/** The parts of a record that are JSON; empty ones are left out. */
export function textFields({ access, data, attic }: Texts): Document {
  return { access: toSubdocument(access), data: toSubdocument(data), attic: toSubdocument(attic) };
}

/** The same for a change: what is empty now is taken away. */
export function textChanges(texts: Texts): { readonly set: Document; readonly unset: Document } {
  const set: Document = {};
  const unset: Document = {};
  for (const [name, value] of Object.entries(textFields(texts))) {
    if (value === undefined) unset[name] = '';
    else set[name] = value;
  }
  return { set, unset };
}

export function nodeRow(types: StoredTypes, record: Stored): NodeRow {
  const { _id, owner, rev, topo, access, data, attic } = record;
  const type = types.of('node', record);
  return new NodeRow(
    _id,
    _id,
    type,
    String(owner),
    Number(rev),
    Number(topo),
    toText(access),
    toText(data),
    toText(attic),
  );
}

/** An edge that nobody gave anything to record is at version 0. */
export function edgeRow(types: StoredTypes, record: Stored): EdgeRow {
  const { _id, owner, rev, source, target, undirected, seq, access, data, attic } = record;
  return new EdgeRow({
    key: edgeName(String(seq), _id),
    uid: _id,
    type: types.of('edge', record),
    source: String(source),
    target: String(target),
    undirected: undirected === true,
    owner: typeof owner === 'string' ? owner : undefined,
    rev: Number(rev),
    access: toText(access),
    data: toText(data),
    attic: toText(attic),
    hasRecord: Number(rev) > 0,
  });
}
