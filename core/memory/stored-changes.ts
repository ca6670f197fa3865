/**
 * Effects of the present program on what is stored (docs/server/storage.md#changing-types), found by reading all of it and writing nothing.
 * For `svc check --stored` and `on_incompatible = "fail"` (decisions/0136).
 */

import { typeKey } from '../../library/classes/meta.ts';
import type { Json, JsonFields } from '../stored/drift.ts';
import type { EdgeRow, NodeRow, StoredType } from './rows.ts';
import type { Runtime } from './runtime.ts';
import { scanStore } from './scan.ts';

export type Change =
  /** The field is new: objects get its default, or the empty value of its type. */
  | 'added'
  /** The field is gone: its values are kept beside the object. */
  | 'kept_aside'
  /** A field that was kept aside is there again. */
  | 'restored'
  /** A field was renamed by `[schema.fields]`; a type by `[schema.aliases]` or because it moved to another module. */
  | 'renamed'
  /** The value is converted without loss. */
  | 'converted'
  /** The value does not fit: the default is used, the value kept aside. */
  | 'default_used'
  /** The program has no such type, or one of another kind: objects are invisible. */
  | 'gone'
  | 'undecodable';

export interface Example {
  readonly id: string;
  readonly before?: Json;
  readonly after?: Json;
}

export interface StoredChange {
  /** Name of the type as it is stored, `module.Name`. */
  readonly type: string;
  readonly kind: 'node' | 'edge';
  /** Name of the field as the program declares it. */
  readonly field: string | undefined;
  readonly change: Change;
  readonly count: number;
  readonly examples: readonly Example[];
  /** Present name of a type. */
  readonly now?: string;
}

export interface StoredChanges {
  readonly nodes: number;
  readonly edges: number;
  readonly changes: readonly StoredChange[];
}

/** Changes after which objects, or values, are not there for the program. */
export const losing: ReadonlySet<Change> = new Set<Change>(['gone', 'undecodable']);

const mostExamples = 3;

type Found = Map<string, StoredChange & { count: number; examples: Example[] }>;

export async function findStoredChanges(runtime: Runtime): Promise<StoredChanges> {
  const found: Found = new Map();
  let nodes = 0;
  let edges = 0;
  for await (const page of scanStore(runtime.store)) {
    for (const row of page.nodes) {
      nodes++;
      look(runtime, found, row.type, row.uid, row);
    }
    for (const { uid, type, row } of page.edges) {
      edges++;
      look(runtime, found, type, uid, row);
    }
  }
  return { nodes, edges, changes: [...found.values()] };
}

function look(runtime: Runtime, found: Found, type: StoredType, id: string, row: NodeRow | EdgeRow | undefined): void {
  const note = (field: string | undefined, change: Change, example: Example, now?: string) =>
    add(found, { type: typeKey(type), kind: type.kind, field, change, ...(now !== undefined && { now }) }, example);
  const binding = runtime.types.of(type);
  if (binding === undefined) {
    note(undefined, 'gone', { id });
    return;
  }
  const now = typeKey(binding.meta);
  if (now !== typeKey(type)) note(undefined, 'renamed', { id }, now);
  if (row === undefined) return;
  let stored: JsonFields;
  let aside: JsonFields;
  let fields: JsonFields;
  try {
    stored = parse(row.data);
    aside = parse(row.attic);
    fields = runtime.types.fieldsOf(row);
  } catch {
    note(undefined, 'undecodable', { id });
    return;
  }
  if (binding.isCurrent) return;
  const kept = row.newAttic ?? {};
  const oldName = new Map([...runtime.types.renames(type)].map(([old, present]) => [present, old]));
  const taken = new Set<string>();
  for (const [name, value] of Object.entries(fields)) {
    const from = stored[name] === undefined && oldName.has(name) ? oldName.get(name)! : name;
    const old = stored[from];
    if (old !== undefined) taken.add(from);
    if (old === undefined) {
      if (aside[name] === undefined || Object.hasOwn(kept, name)) note(name, 'added', { id, after: value });
      else note(name, 'restored', { id, after: value });
    } else if (Object.hasOwn(kept, name)) note(name, 'default_used', { id, before: old, after: value });
    else if (from !== name) note(name, 'renamed', { id, before: old, after: value });
    else if (!isSame(old, value)) note(name, 'converted', { id, before: old, after: value });
  }
  for (const [name, value] of Object.entries(stored))
    if (!taken.has(name)) note(name, 'kept_aside', { id, before: value });
}

function add(found: Found, what: Omit<StoredChange, 'count' | 'examples'>, example: Example): void {
  const name = JSON.stringify([what.kind, what.type, what.field, what.change]);
  const known = found.get(name);
  if (known === undefined) found.set(name, { ...what, count: 1, examples: [example] });
  else {
    known.count++;
    if (known.examples.length < mostExamples) known.examples.push(example);
  }
}

function parse(text: string): JsonFields {
  return text === '' ? {} : (JSON.parse(text) as JsonFields);
}

function isSame(a: Json, b: Json): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
