/**
 * `self` in functions that have no receiver: functions of modules, `__new__`, class methods, static methods. Where such a function assigns it
 * (`self = super().__new__(cls);`), it is a variable like any other; where it does not, it stays the special reference (4.13).
 */
import type { Expression, FunctionMods, Name, NameRef, Signature, SpecialRef } from './ast.ts';
import type { Head } from './functions.ts';
import type { Parser } from './parser.ts';

/** What the text of a function without receiver does with `self`, functions in it included. */
export interface SelfUses {
  readonly references: SpecialRef[];
  isAssigned: boolean;
}

/** Before the body of a function; what it gives goes to `leaveFunction`. */
export function enterFunction(p: Parser, isMember: boolean, receives: boolean): Parser['selfUses'] {
  const around = p.selfUses;
  if (receives) p.selfUses = 'receiver';
  else if (isMember || around === undefined) p.selfUses = { references: [], isAssigned: false };
  return around;
}

export function leaveFunction(p: Parser, around: Parser['selfUses']): void {
  const uses = p.selfUses;
  p.selfUses = around;
  if (uses === around || typeof uses !== 'object' || !uses.isAssigned) return;
  // The nodes are not shared with anything yet.
  for (const node of uses.references)
    Object.assign(node, { kind: 'NameRef', name: 'self', escaped: false } satisfies Partial<NameRef>);
}

export function noteSelf({ selfUses }: Parser, node: SpecialRef): void {
  if (typeof selfUses === 'object') selfUses.references.push(node);
}

export function noteAssignedSelf({ selfUses }: Parser): void {
  if (typeof selfUses === 'object') selfUses.isAssigned = true;
}

/** Of a member: is there an instance it is called on? In a `class` the first parameter says so, in the other archetypes it is implied (2.8). */
export function hasReceiver(
  p: Parser,
  head: Head,
  mods: FunctionMods,
  name: Name | undefined,
  { params }: Signature,
): boolean {
  if (mods.static || mods.class || name?.text === '__new__' || head.decorators.some(removesReceiver)) return false;
  return p.privateOf === '' || params.length === 0 || params[0]!.name?.text === 'self';
}

function removesReceiver(decorator: Expression): boolean {
  return decorator.kind === 'NameRef' && (decorator.name === 'staticmethod' || decorator.name === 'classmethod');
}
