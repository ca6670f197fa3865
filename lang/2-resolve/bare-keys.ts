/**
 * Bare keys of dict literals in client code, `{color: "red"}`: each is the value of the name where it is bound, else text. What a loop in a slot of
 * markup binds is bound in that loop alone, so that no loop elsewhere in a component takes the key for its variable (docs/language/client.md#names-and-methods).
 */
import type * as ast from '../1-parse/ast.ts';
import type { Source } from '../source.ts';
import { type Frame, makeUse, type Use } from './records.ts';
import type { Builder } from './scope-builder.ts';
import { readName } from './walk-names.ts';

export interface BareKey {
  readonly key: ast.NameRef;
  readonly frame: Frame;
  readonly source: Source;
  readonly element: ast.Node;
  /** The name was definitely assigned there. */
  readonly isAssigned: boolean;
}

/** Notes a bare key of client code, which is read when all loops of its function are known. */
export function isPutOff({ module, frame, source, element, bareKeys }: Builder, key: ast.Expression): boolean {
  const placed = module.placement.get(element);
  if (key.kind !== 'NameRef' || frame.kind === 'module' || placed?.client !== true || placed.server) return false;
  bareKeys.push({ key, frame, source, element, isAssigned: useHere(frame, key.name)?.assigned === true });
  return true;
}

function useHere(frame: Frame, name: string): Use | undefined {
  let home = frame;
  while (home.kind === 'comprehension') home = home.parent!;
  return home.uses.get(name);
}

/** Walks a loop; one among the statements of a slot is what its variables are bound in. */
export function inSlotLoop(b: Builder, node: ast.Span, walkInside: () => void): void {
  const { slotLoop } = b;
  if (b.inSlot) b.slotLoop = node;
  walkInside();
  b.slotLoop = slotLoop;
}

export function readBareKeys(b: Builder): void {
  for (const { key, frame, source, element, isAssigned } of b.bareKeys) {
    if (isBoundInLoopsElsewhere(key, frame)) b.uses.set(key, textOf(key.name));
    else {
      Object.assign(b, { frame, source, element });
      const use = useHere(frame, key.name);
      if (use !== undefined) use.assigned = isAssigned;
      readName(b, key, key.name);
    }
  }
}

function isBoundInLoopsElsewhere({ name, start }: ast.NameRef, from: Frame): boolean {
  for (let frame: Frame | undefined = from; frame !== undefined; frame = frame.parent) {
    const use = frame.uses.get(name);
    if (use === undefined || use.assignments === 0) continue;
    const { loops = [] } = use;
    return loops.length === use.assignments && !loops.some((loop) => loop.start <= start && start < loop.end);
  }
  return false;
}

function textOf(name: string): Use {
  const use = makeUse(name);
  use.binding = { sort: 'unresolved', name };
  return use;
}
