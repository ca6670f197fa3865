/** Updates of one document, as MongoDB applies them (docs/server/kvstore.md#documents, decisions/0125). */
import { cannotUpdate } from '../../../core/kvstore/errors.ts';
import { isOperators } from '../../../core/kvstore/filter.ts';
import { type Doc, isDoc, type Stored } from '../../../core/kvstore/stored.ts';
import { compare, equal } from './compare.ts';
import { positionOf, pullTest } from './match.ts';
import { addNumbers, isNumeric, type Numeric } from './numbers.ts';

export interface Change {
  readonly path: readonly string[];
  /** Gives the new value; undefined: nothing is there afterwards. */
  apply(old: Stored | undefined): Stored | undefined;
  /** Makes what is missing on the way. */
  readonly creates: boolean;
  /** `$rename`: where the value comes from. */
  readonly from?: readonly string[];
}

/** Lists do not grow by more than this at once. */
const mostPadding = 1_500_000;

/** An update made ready for many documents. `inserting`: `$setOnInsert` counts. */
export function makeUpdate(update: Doc, inserting: boolean, nowMs: number): (doc: Doc) => Doc {
  const changes: Change[] = [];
  for (const [operator, fields] of update) {
    if (operator === '$setOnInsert' && !inserting) continue;
    for (const [path, operand] of fields as Doc) changes.push(changeOf(operator, path.split('.'), operand, nowMs));
  }
  // New fields come in the order of their names, not in that of the update.
  changes.sort((a, b) => comparePaths(a.path, b.path));
  return (doc) => {
    const made = copy(doc) as Doc;
    for (const change of changes) applyTo(made, change);
    return made;
  };
}

function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (a[i] === b[i]) continue;
    const [x, y] = [positionOf(a[i]!), positionOf(b[i]!)];
    if (x !== undefined && y !== undefined) return x - y;
    return a[i]! < b[i]! ? -1 : 1;
  }
  return a.length - b.length;
}

function changeOf(operator: string, path: readonly string[], operand: Stored, nowMs: number): Change {
  switch (operator) {
    case '$unset':
      return { path, creates: false, apply: () => undefined };
    case '$inc':
      return {
        path,
        creates: true,
        apply: (old) => (old === undefined ? operand : addNumbers(number(old), operand as Numeric)),
      };
    case '$min':
      return { path, creates: true, apply: (old) => (old === undefined || compare(operand, old) < 0 ? operand : old) };
    case '$max':
      return { path, creates: true, apply: (old) => (old === undefined || compare(operand, old) > 0 ? operand : old) };
    case '$push':
      return { path, creates: true, apply: (old = []) => [...list(old), operand] };
    case '$addToSet':
      return {
        path,
        creates: true,
        apply: (old = []) => (list(old).some((item) => equal(item, operand)) ? old : [...list(old), operand]),
      };
    case '$pull': {
      const goes = pullTest(operand);
      return {
        path,
        creates: false,
        apply: (old) => (old === undefined ? undefined : list(old).filter((item) => !goes(item))),
      };
    }
    case '$rename':
      return { path: (operand as string).split('.'), from: path, creates: true, apply: (value) => value };
    case '$currentDate':
      return { path, creates: true, apply: () => new Date(nowMs) };
    default:
      return { path, creates: true, apply: () => operand };
  }
}

function number(value: Stored): Numeric {
  if (!isNumeric(value)) throw cannotUpdate();
  return value;
}

function list(value: Stored): readonly Stored[] {
  if (!Array.isArray(value)) throw cannotUpdate();
  return value;
}

function applyTo(doc: Doc, change: Change): void {
  if (change.from === undefined) changeAt(doc, change.path, 0, change);
  else rename(doc, change.from, change.path);
}

function rename(doc: Doc, from: readonly string[], to: readonly string[]): void {
  const value = valueAt(doc, from);
  if (value === undefined) return;
  changeAt(doc, from, 0, { path: from, creates: false, apply: () => undefined });
  // Neither end may be inside a list.
  let parent: Stored | undefined = doc;
  for (const part of to.slice(0, -1))
    if (Array.isArray((parent = isDoc(parent) ? parent.get(part) : undefined))) throw cannotUpdate();
  changeAt(doc, to, 0, { path: to, creates: true, apply: () => value });
}

function valueAt(doc: Doc, path: readonly string[]): Stored | undefined {
  let value: Stored | undefined = doc;
  for (const part of path) {
    if (Array.isArray(value)) throw cannotUpdate();
    value = isDoc(value) ? value.get(part) : undefined;
  }
  return value;
}

function changeAt(parent: Doc | Stored[], path: readonly string[], at: number, change: Change): void {
  const slot = slotOf(parent, path[at]!, change.creates);
  if (slot === undefined) return;
  const old = slot.get();
  if (at + 1 === path.length) {
    const next = change.apply(old);
    if (next !== undefined || old !== undefined) slot.put(next);
    return;
  }
  if (isDoc(old) || Array.isArray(old)) changeAt(old as Doc | Stored[], path, at + 1, change);
  else if (change.creates) {
    // A value in the way stays in the way.
    if (old !== undefined) throw cannotUpdate();
    const made: Doc = new Map();
    changeAt(made, path, at + 1, change);
    slot.put(made);
  }
}

interface Slot {
  get(): Stored | undefined;
  put(value: Stored | undefined): void;
}

function slotOf(parent: Doc | Stored[], part: string, creates: boolean): Slot | undefined {
  if (!Array.isArray(parent)) {
    return {
      get: () => parent.get(part),
      put: (value) => void (value === undefined ? parent.delete(part) : parent.set(part, value)),
    };
  }
  const index = positionOf(part);
  if (index === undefined) {
    if (creates) throw cannotUpdate();
    return undefined;
  }
  return {
    get: () => parent[index],
    put(value) {
      if (index - parent.length > mostPadding) throw cannotUpdate();
      while (parent.length < index) parent.push(null);
      // Removing an item leaves its place.
      parent[index] = value ?? null;
    },
  };
}

function copy(value: Stored): Stored {
  if (isDoc(value)) return new Map([...value].map(([name, item]) => [name, copy(item)]));
  return Array.isArray(value) ? value.map(copy) : value;
}

/**
 * Makes the document that an upsert starts with: the values that the filter asks for.
 *
 * @throws ValueError when it asks for two values in one place
 */
export function seedOf(filter: Doc): Doc {
  const found = new Map<string, Stored>();
  collect(filter, found);
  const doc: Doc = new Map();
  if (found.has('_id')) doc.set('_id', found.get('_id')!);
  for (const [path, value] of found)
    if (path !== '_id') changeAt(doc, path.split('.'), 0, { path: [], creates: true, apply: () => value });
  return copy(doc) as Doc;
}

function collect(filter: Doc, into: Map<string, Stored>): void {
  for (const [name, value] of filter) {
    if (name === '$and') for (const branch of value as readonly Doc[]) collect(branch, into);
    else if (name === '$or' && (value as readonly Doc[]).length === 1) collect((value as readonly Doc[])[0]!, into);
    else if (!name.startsWith('$')) {
      const wanted = wantedValue(value);
      if (wanted === undefined) continue;
      for (const path of into.keys())
        if (`${path}.`.startsWith(`${name}.`) || `${name}.`.startsWith(`${path}.`)) throw cannotUpdate();
      into.set(name, wanted);
    }
  }
}

function wantedValue(condition: Stored): Stored | undefined {
  if (!isDoc(condition) || !isOperators(condition)) return condition;
  if (condition.has('$eq')) return condition.get('$eq');
  const all = condition.get('$all') as readonly Stored[] | undefined;
  return all?.length === 1 && !(isDoc(all[0]) && isOperators(all[0])) ? all[0] : undefined;
}
