import { after } from '../../../base/after.ts';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { lookUp } from '../../../core/graph/lookup.ts';
import { type FieldProblem, problemMessage, refuseProblems } from '../../../core/problems.ts';
import { Dict } from '../../../library/values/containers/dict.ts';
import { AnySet } from '../../../library/values/containers/sets.ts';
import { Tuple } from '../../../library/values/containers/tuple.ts';
import { ObjectDraft, ReferenceDraft } from './drafts.ts';

/**
 * Makes the real values of bound arguments inside a unit: references are loaded with the caller's rights, objects are constructed.
 * Lists, dicts and sets without drafts stay the same.
 *
 * @throws Failure `VALIDATION_ERROR` naming every reference that was not found or is of another type
 */
export function realValues(args: readonly unknown[]): MaybePromise<unknown[]> {
  const references: ReferenceDraft[] = [];
  for (const arg of args) collect(arg, references);
  return after(load(references), (objects) => {
    refuseProblems(references.flatMap((reference, i) => problemWith(reference, objects[i])));
    const found = new Map<ReferenceDraft, unknown>(references.map((reference, i) => [reference, objects[i]]));
    return inOrder(args, (arg) => real(arg, found));
  });
}

/** Number of references that are looked up before other calls have a turn. */
const inOneTurn = 64;

function load(references: readonly ReferenceDraft[]): MaybePromise<readonly unknown[]> {
  if (references.length > inOneTurn) return loadInTurns(references);
  const loaded = references.map(({ id }) => lookUp(id));
  return loaded.some((value) => value instanceof Promise) ? Promise.all(loaded) : loaded;
}

async function loadInTurns(references: readonly ReferenceDraft[]): Promise<readonly unknown[]> {
  const loaded: unknown[] = [];
  for (let at = 0; at < references.length; at += inOneTurn) {
    if (at > 0) await new Promise((resolve) => setImmediate(resolve));
    loaded.push(...(await Promise.all(references.slice(at, at + inOneTurn).map(({ id }) => lookUp(id)))));
  }
  return loaded;
}

/** Tells whether a bound value has something left to make. */
export function hasDraft(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof ObjectDraft || value instanceof ReferenceDraft) return true;
  const items = itemsOf(value);
  return items?.some(hasDraft) ?? false;
}

function problemWith(reference: ReferenceDraft, object: unknown): FieldProblem[] {
  if (object === null || object === undefined) {
    return [{ loc: reference.loc, type: 'reference_not_found', msg: problemMessage('reference_not_found') }];
  }
  if (object instanceof (reference.meta.cls as any)) return [];
  return [{ loc: reference.loc, type: 'model_type', msg: `must be a ${reference.meta.name}` }];
}

function collect(value: unknown, references: ReferenceDraft[]): void {
  if (value instanceof ReferenceDraft) references.push(value);
  else if (value instanceof ObjectDraft) for (const arg of value.args) collect(arg, references);
  else if (typeof value === 'object' && value !== null)
    for (const item of itemsOf(value) ?? []) collect(item, references);
}

function itemsOf(value: object): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (value instanceof Tuple) return value.items;
  if (value instanceof Dict) return [...value.values()];
  if (value instanceof AnySet) return [...value.items];
  return undefined;
}

type Found = ReadonlyMap<ReferenceDraft, unknown>;

function real(value: unknown, found: Found): MaybePromise<unknown> {
  if (!hasDraft(value)) return value;
  if (value instanceof ReferenceDraft) return found.get(value);
  if (value instanceof ObjectDraft) {
    const { cls } = value.meta;
    return after(
      inOrder(value.args, (arg) => real(arg, found)),
      (args) => cls.$new(...args),
    );
  }
  if (value instanceof Dict) {
    const keys = [...value.keys()];
    return after(
      inOrder([...value.values()], (item) => real(item, found)),
      (items) => Dict.from(keys.map((key, i) => [key, items[i]] as const)),
    );
  }
  return after(
    inOrder(itemsOf(value as object)!, (item) => real(item, found)),
    (items) => {
      if (value instanceof Tuple) return new Tuple(items);
      return value instanceof AnySet ? new (value.constructor as new (items: unknown[]) => AnySet)(items) : items;
    },
  );
}

/** Makes values one after the other, because a constructor may wait. */
function inOrder(values: readonly unknown[], make: (value: unknown) => MaybePromise<unknown>): MaybePromise<unknown[]> {
  const made: unknown[] = [];
  for (let i = 0; i < values.length; i++) {
    const next = make(values[i]);
    if (next instanceof Promise) return finishInOrder(values, make, made, next);
    made.push(next);
  }
  return made;
}

async function finishInOrder(
  values: readonly unknown[],
  make: (value: unknown) => MaybePromise<unknown>,
  made: unknown[],
  pending: Promise<unknown>,
): Promise<unknown[]> {
  made.push(await pending);
  while (made.length < values.length) made.push(await make(values[made.length]));
  return made;
}
