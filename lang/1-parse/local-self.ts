/**
 * `self` where a function assigns it. In functions without a receiver (functions of modules, `__new__`, class methods, static methods) it is a
 * variable like any other then (`self = super().__new__(cls);`); in a method of a `class` it is one that begins as the receiver
 * (`self -= offset;`); in the other archetypes it cannot be assigned (1.4).
 * Where it is not assigned it stays the special reference (4.13).
 */
import type { Block, Expression, FunctionMods, Name, NameRef, Signature, SpecialRef, Statement } from './ast.ts';
import type { Head } from './functions.ts';
import type { Parser } from './parser.ts';

/** What the text of a function does with `self`, functions in it included. */
export interface SelfUses {
  readonly references: SpecialRef[];
  readonly isReceiver: boolean;
  isAssigned: boolean;
}

/** Before the body of a function; what it gives goes to `leaveFunction`. */
export function enterFunction(p: Parser, isMember: boolean, receives: boolean): Parser['selfUses'] {
  const around = p.selfUses;
  if (receives && p.privateOf === '') p.selfUses = 'receiver';
  else if (isMember || around === undefined) p.selfUses = { references: [], isReceiver: receives, isAssigned: false };
  return around;
}

/** The body as it is meant. */
export function leaveFunction<T>(p: Parser, around: Parser['selfUses'], body: T | Block): T | Block {
  const uses = p.selfUses;
  p.selfUses = around;
  if (uses === around || typeof uses !== 'object' || !uses.isAssigned) return body;
  const name = uses.isReceiver ? receiverVariable : 'self';
  // The nodes are not shared with anything yet.
  for (const node of uses.references)
    Object.assign(node, { kind: 'NameRef', name, escaped: false } satisfies Partial<NameRef>);
  return uses.isReceiver && !p.asWritten && isBlock(body) ? beginningWithReceiver(body) : body;
}

function isBlock(body: unknown): body is Block {
  return (body as Block | undefined)?.kind === 'Block';
}

/** A name that no program can write: the parameter `self` stays the receiver. */
const receiverVariable = '$self';

/** `self = self;`: the variable, and the receiver. */
function beginningWithReceiver(block: Block): Block {
  const at = { start: block.start, end: block.start };
  const variable: NameRef = { kind: 'NameRef', ...at, name: receiverVariable, escaped: false };
  const value: SpecialRef = { kind: 'SpecialRef', ...at, word: 'self' };
  const first: Statement = { kind: 'AssignStatement', ...at, let: false, targets: [variable], type: undefined, value };
  return { ...block, statements: [first, ...block.statements] };
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
