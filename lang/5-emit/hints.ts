/**
 * Float hints of printing sites (docs/language/values.md#floats): what the compiler knows about floats in a value, as
 * code of a `Hint` of library/values/objects/protocol.ts.
 */
import type * as ast from '../1-parse/ast.ts';
import { hasOnlyFloats, isFloatShown, isMixedFraction, shapeOf } from '../3-infer/classes/type-values.ts';
import type { Type } from '../3-infer/types.ts';
import type { Cx } from './context.ts';
import { quote } from './identifiers.ts';
import { mainType, typeOf } from './kinds.ts';

/** Hint for the value of `e`, or undefined when there is nothing to say. A display says it for each of its items. */
export function hintOf(c: Cx, e: ast.Expression): string | undefined {
  switch (e.kind) {
    case 'ListExpr':
    case 'TupleExpr': {
      if (e.items.some((item) => item.kind === 'Starred')) break;
      const hints = e.items.map((item) => hintOf(c, item));
      const items = together(hints);
      return items && `{ ${e.kind === 'ListExpr' ? 'list' : 'tuple'}: ${items} }`;
    }
    case 'DictExpr': {
      if (!hasPlainKeys(e)) break;
      return dictHint(
        undefined,
        undefined,
        e.entries.map(({ key, value }) => [(key as ast.StringLiteral).value as string, hintOf(c, value)]),
      );
    }
    default:
  }
  return hintOfType(typeOf(c, e));
}

/** Code of the `ItemHints` of what iterating over `e` gives. */
export function hintsOfItems(c: Cx, e: ast.Expression): string | undefined {
  const type = shapeOf(mainType(typeOf(c, e)));
  switch (type.t) {
    case 'list':
    case 'set':
    case 'frozenset':
    case 'iterator':
      return hintOfType(type.of);
    case 'dict':
      return hintOfType(type.key);
    case 'tuple':
      return type.items === undefined ? hintOfType(type.of) : together(type.items.map(hintOfType));
    default:
      return undefined;
  }
}

/** Code of an `ItemHints`. */
function together(hints: readonly (string | undefined)[]): string | undefined {
  if (hints.every((hint) => hint === hints[0])) return hints[0];
  return `[${hints.map((hint) => hint ?? 'undefined').join(', ')}]`;
}

type Written = string | undefined;

function dictHint(key: Written, value: Written, entries: readonly (readonly [string, Written])[]): Written {
  const named = entries.filter(([, hint]) => hint !== value).map(([name, hint]) => `[${quote(name)}, ${hint}]`);
  if (key === undefined && value === undefined && named.length === 0) return undefined;
  const more = named.length === 0 ? '' : `, new Map([${named.join(', ')}])`;
  return `{ dict: [${key}, ${value}${more}] }`;
}

function hasPlainKeys(e: ast.DictExpr): boolean {
  const keys = e.entries.map(({ key }) => (key?.kind === 'StringLiteral' && !key.bytes ? key.value : undefined));
  return !keys.includes(undefined) && new Set(keys).size === keys.length;
}

/** The same for any value of a type. */
export function hintOfType(type: Type): string | undefined {
  switch (type.t) {
    case 'any':
      if (type.shape !== undefined) return hintOfType(type.shape);
      return type.float === true ? '"f"' : undefined;
    case 'float':
      return isMixedFraction(type) ? undefined : type.mixed === true ? '"m"' : '"f"';
    case 'list':
      return inner(type.of, (of) => `{ list: ${of} }`);
    case 'set':
    case 'frozenset':
      return inner(type.of, (of) => `{ set: ${of} }`);
    case 'dict': {
      const entries = [...(type.entries ?? [])].map(([name, item]) => [name, hintOfType(item)] as const);
      return dictHint(hintOfType(type.key), hintOfType(type.value), entries);
    }
    case 'tuple': {
      if (type.items === undefined) return inner(type.of, (of) => `{ tuple: ${of} }`);
      const items = type.items.map(hintOfType);
      return items.every((item) => item === undefined)
        ? undefined
        : `{ tuple: [${items.map((item) => item ?? 'undefined').join(', ')}] }`;
    }
    case 'union': {
      const main = mainType(type);
      return main.t === 'union' ? hintOfUnion(main.of) : hintOfType(main);
    }
    default:
      return undefined;
  }
}

const containers: ReadonlySet<string> = new Set(['list', 'set', 'dict', 'tuple']);

/** Text or a float, say: what is a number is a float. Text, a list or a dict: what is said of each of these. */
function hintOfUnion(members: readonly Type[]): string | undefined {
  const others = members.filter(({ t }) => t !== 'str' && t !== 'none');
  if (others.every(({ t }) => containers.has(t))) {
    const hints = others.flatMap((type) => hintOfType(type)?.slice(2, -2) ?? []);
    return hints.length === 0 ? undefined : `{ ${hints.join(', ')} }`;
  }
  if (!members.some(isFloatShown) || !members.every(hasOnlyFloats)) return undefined;
  return members.every((member) => isFloatShown(member) || hintOfType(member) === undefined) ? '"f"' : undefined;
}

function inner(type: Type, write: (of: string) => string): string | undefined {
  const of = hintOfType(type);
  return of === undefined ? undefined : write(of);
}
