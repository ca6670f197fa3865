/** Hints that declared types give for the display of floats (docs/language/values.md#floats). */
import type { Hint } from '../values/hint.ts';
import type { TypeRef } from './spec.ts';

const known = new WeakMap<TypeRef, { hint: Hint | undefined }>();

export function hintOf(type: TypeRef): Hint | undefined {
  let entry = known.get(type);
  if (entry === undefined) {
    entry = { hint: makeHint(type) };
    known.set(type, entry);
  }
  return entry.hint;
}

function makeHint(type: TypeRef): Hint | undefined {
  switch (type.t) {
    case 'float':
      return 'f';
    case 'list':
    case 'iterator':
      return wrap(hintOf(type.of), (list) => ({ list }));
    case 'set':
    case 'frozenset':
      return wrap(hintOf(type.of), (set) => ({ set }));
    case 'dict': {
      const key = hintOf(type.key);
      const value = hintOf(type.value);
      return key === undefined && value === undefined ? undefined : { dict: [key, value] };
    }
    case 'tuple': {
      if (type.items === undefined)
        return type.of === undefined ? undefined : wrap(hintOf(type.of), (of) => ({ tuple: of }));
      const items = type.items.map(hintOf);
      return items.some((item) => item !== undefined) ? { tuple: items } : undefined;
    }
    case 'union': {
      const others = type.of.filter((member) => member.t !== 'none');
      return others.length === 1 ? hintOf(others[0]!) : undefined;
    }
    default:
      return undefined;
  }
}

function wrap(hint: Hint | undefined, make: (hint: Hint) => Hint): Hint | undefined {
  return hint === undefined ? undefined : make(hint);
}
