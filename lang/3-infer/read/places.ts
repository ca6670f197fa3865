/**
 * Types that `isinstance` and patterns have shown of values that are not in a local of the function: `here`,
 * `self.shape`, `xs[0]`, a module variable. It holds until something on the way is assigned to. Fields may change in
 * other ways too, so what is shown of them is a hint.
 */
import type * as ast from '../../1-parse/ast.ts';
import { doubted, membersOf } from '../classes/type-values.ts';
import type { Reader } from '../program.ts';
import type { Type } from '../types.ts';
import { slotIn } from './environments.ts';

/** Gives the type shown of a place; undefined when it is no more than its declaration says. */
export function shownType(f: Reader, e: ast.Expression): Type | undefined {
  const { places } = f.env;
  if (places === undefined) return undefined;
  const place = placeOf(f, e);
  return place === undefined ? undefined : places.get(place);
}

/** Notes what a test shows of a place whose declared type is of objects. */
export function changePlace(f: Reader, e: ast.Expression, to: (type: Type) => Type): void {
  const place = placeOf(f, e);
  if (place === undefined) return;
  const known = f.env.places?.get(place) ?? f.state.types.get(e);
  if (known === undefined || known.t === 'any') return;
  const changed = to(known);
  const isOfObjects = membersOf(changed).every(({ t }) => t === 'instance' || t === 'none' || t === 'any');
  if (changed === known || changed.t === 'never' || !isOfObjects) return;
  f.env.places = new Map(f.env.places).set(place, e.kind === 'SpecialRef' ? changed : doubtedParts(changed));
}

function doubtedParts(type: Type): Type {
  return type.t === 'union' ? { ...type, of: type.of.map(doubted) } : doubted(type);
}

/** Forgets the types shown of places that begin with a variable, which was assigned. */
export function forgetName(f: Reader, name: string): void {
  if (f.env.places !== undefined) forgetPlaces(f, name);
}

function forgetPlaces(f: Reader, name: string): void {
  forget(
    f,
    (place) =>
      place === name || place.startsWith(`${name}.`) || place.startsWith(`${name}[`) || place.includes(`[${name}]`),
  );
}

/** Forgets the types shown of places that lead through an attribute or item which was assigned. */
export function forgetMember(f: Reader, target: ast.Attribute | ast.Index): void {
  if (target.kind === 'Index') forget(f, (place) => place.includes('['));
  else forget(f, (place) => `${place}.`.replaceAll('[', '.').includes(`.${target.name.text}.`));
}

function forget(f: Reader, isGone: (place: string) => boolean): void {
  const { places } = f.env;
  if (places === undefined) return;
  const kept = [...places].filter(([place]) => !isGone(place));
  if (kept.length < places.size) f.env.places = kept.length === 0 ? undefined : new Map(kept);
}

/** The text of a place: names, attributes and plain indices. Locals of the function stand for themselves and are none. */
function placeOf(f: Reader, e: ast.Expression): string | undefined {
  if (e.kind !== 'NameRef') return pathOf(e);
  const binding = f.state.names.binding(e);
  if (binding.sort !== 'local' && binding.sort !== 'module') return undefined;
  return slotIn(f, binding) >= 0 && !(binding.sort === 'local' && binding.assignedInside) ? undefined : e.name;
}

function pathOf(e: ast.Expression): string | undefined {
  switch (e.kind) {
    case 'NameRef':
      return e.name;
    case 'SpecialRef':
      return e.word === 'self' || e.word === 'here' || e.word === 'visitor' ? e.word : undefined;
    case 'Attribute': {
      const object = pathOf(e.object);
      return object === undefined ? undefined : `${object}.${e.name.text}`;
    }
    case 'Index': {
      const object = pathOf(e.object);
      const index = indexText(e.index);
      return object === undefined || index === undefined ? undefined : `${object}[${index}]`;
    }
    default:
      return undefined;
  }
}

function indexText(e: ast.Expression): string | undefined {
  if (e.kind === 'NameRef') return e.name;
  if (e.kind === 'StringLiteral') return JSON.stringify(e.value);
  return e.kind === 'NumberLiteral' ? String(e.value) : undefined;
}
