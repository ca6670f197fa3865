/**
 * `self` where a function assigns it. In functions without a receiver (functions of modules, `__new__`, class methods, static methods) it is a
 * variable like any other then (`self = super().__new__(cls);`); in a method of a `class` it is one that begins as the receiver
 * (`self -= offset;`); in the other archetypes it cannot be assigned (1.4).
 * Where it is not assigned it stays the special reference (4.13).
 */
import type { Block, Expression, FunctionMods, Name, NameRef, Signature, SpecialRef } from './ast.ts';
import type { Head } from './functions.ts';
import { beginning, noWords, settleAbility, settleWords, type WordUses } from './local-words.ts';
import type { Parser } from './parser.ts';

/** Uses of `self` in the text of a function, functions in it included. */
export interface SelfUses {
  readonly references: SpecialRef[];
  readonly isReceiver: boolean;
  isAssigned: boolean;
}

/** State of the parser outside of a function, kept to be restored behind it. */
interface Around {
  readonly selfUses: Parser['selfUses'];
  readonly wordUses: WordUses;
}

/** Before the body of a function; what it gives goes to `leaveFunction`. */
export function enterFunction(p: Parser, isMember: boolean, receives: boolean): Around {
  const { selfUses, wordUses } = p;
  const isOwn = isMember || selfUses === undefined;
  if (isOwn) p.wordUses = noWords();
  if (receives && p.privateOf === '') p.selfUses = 'receiver';
  else if (isOwn) p.selfUses = { references: [], isReceiver: receives, isAssigned: false };
  return { selfUses, wordUses };
}

/** The body as it is meant. Without a `signature` it is an ability's. */
export function leaveFunction<T>(p: Parser, around: Around, body: T | Block, signature?: Signature): T | Block {
  const { selfUses, wordUses } = p;
  p.selfUses = around.selfUses;
  p.wordUses = around.wordUses;
  const settled = wordUses === around.wordUses ? body : withWords(p, wordUses, body, signature);
  if (selfUses === around.selfUses || typeof selfUses !== 'object' || !selfUses.isAssigned) return settled;
  const name = selfUses.isReceiver ? receiverVariable : 'self';
  // The nodes are not shared with anything yet.
  for (const node of selfUses.references)
    Object.assign(node, { kind: 'NameRef', name, escaped: false } satisfies Partial<NameRef>);
  if (!selfUses.isReceiver || p.asWritten || !isBlock(settled)) return settled;
  return { ...settled, statements: [beginning(receiverVariable, 'self', settled.start), ...settled.statements] };
}

function withWords<T>(p: Parser, uses: WordUses, body: T | Block, signature: Signature | undefined): T | Block {
  if (uses.assigned.length === 0) return body;
  if (signature !== undefined) settleWords(uses, signature);
  if (signature !== undefined || p.asWritten || !isBlock(body)) return body;
  return { ...body, statements: [...settleAbility(uses, body.start), ...body.statements] };
}

function isBlock(body: unknown): body is Block {
  return (body as Block | undefined)?.kind === 'Block';
}

/** A name that no program can write: the parameter `self` stays the receiver. */
const receiverVariable = '$self';

export function noteSelf({ selfUses }: Parser, node: SpecialRef): void {
  if (typeof selfUses === 'object') selfUses.references.push(node);
}

export function noteAssignedSelf({ selfUses }: Parser): void {
  if (typeof selfUses === 'object') selfUses.isAssigned = true;
}

/**
 * Tells whether a member is called on an instance. In a `class` the first parameter says so, in the other archetypes it
 * is implied (2.8).
 */
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
