/**
 * Results of operations on claims, the types that declarations of TypeScript give to unknown values (decisions/0160).
 * Every result is unknown again, with a claim or without: no generated code depends on what is said here, but for a
 * test in front of methods of text.
 */
import type * as ast from '../../1-parse/ast.ts';
import {
  any,
  claimed,
  doubted,
  hasNone,
  instanceOf,
  join,
  membersOf,
  none,
  sure,
  unionOf,
  withoutNone,
} from '../classes/type-values.ts';
import type { ReceiverKind } from '../functions/builtin-signatures.ts';
import type { Reader } from '../program.ts';
import { fits } from '../read/builtin-calls.ts';
import { methodResult } from '../read/builtin-results.ts';
import type { CallPlan, Type } from '../types.ts';
import { ForeignClass } from './classes.ts';
import { ForeignFunction } from './functions.ts';
import { number } from './types.ts';

type Unknown = Extract<Type, { t: 'any' }>;

/** `result` of an operator on these operands. */
export function withClaim(result: Type, op: ast.Binary['op'], left: Type, right: Type): Type {
  if (result !== any) return result;
  const [a, b] = [claimIn(left), claimIn(right)];
  const claim = a === undefined || b === undefined ? undefined : binaryClaim(op, a, b);
  if (claim === undefined) return result;
  return claimed(a!.sure === true && b!.sure === true ? claim : doubted(claim));
}

function claimIn(type: Type): Type | undefined {
  return type.t === 'any' ? type.claim : type;
}

function binaryClaim(op: ast.Binary['op'], a: Type, b: Type): Type | undefined {
  if (isNumeric(a) && isNumeric(b)) return ['+', '-', '*', '//', '%'].includes(op) ? number : undefined;
  if (op === '+' && a.t === 'str' && b.t === 'str') return sure.str;
  if (op === '+' && a.t === 'list' && b.t === 'list') return join(a, b);
  return op === '*' && a.t === 'str' && isNumeric(b) ? sure.str : undefined;
}

function isNumeric(type: Type): boolean {
  return membersOf(type).every(({ t }) => t === 'int' || t === 'float');
}

/** `object.name`; `isSafe`: the object may be None, or have no such member. */
export function claimedMember({ claim }: Unknown, name: string, isSafe: boolean): Type {
  if (claim === undefined) return any;
  const type = memberClaim(withoutNone(claim), name);
  return claimed(isSafe && type.t !== 'any' ? unionOf([type, none]) : type);
}

function memberClaim(type: Type, name: string): Type {
  if (type.t !== 'instance' && type.t !== 'class') return any;
  const { cls } = type;
  if (!(cls instanceof ForeignClass)) return type.t === 'instance' ? (cls.fields.get(name)?.type ?? any) : any;
  if (type.t === 'class') return cls.staticMember(name);
  const method = cls.methods.get(name);
  if (method !== undefined) return { t: 'function', fn: method, sure: true };
  return cls.fields.get(name)?.type ?? cls.staticMember(name);
}

/** `object[index]` */
export function claimedItem({ claim }: Unknown, index: ast.Expression, elementAt: (type: Type) => Type): Type {
  const main = claim === undefined ? any : withoutNone(claim);
  if (main.t === 'list' || main.t === 'str') return claimed(elementAt(main));
  if (main.t !== 'instance' || !(main.cls instanceof ForeignClass)) return any;
  const field = index.kind === 'StringLiteral' ? main.cls.fields.get(index.value)?.type : undefined;
  return claimed(doubted(field ?? main.cls.indexed));
}

/** Gives the result of a call of a value with this type. */
export function claimedCall({ claim }: Unknown, e: ast.Call, args: readonly Type[]): Type {
  if (claim === undefined) return any;
  if (claim.t === 'class') return claimed(instanceOf(claim.cls, true));
  const fn = calledFunction(claim);
  return fn === undefined ? any : claimed(fn.resultFor(e.args, args));
}

/** The function or constructor behind a callee, as far as it is declared. */
export function calledFunction(claim: Type): ForeignFunction | undefined {
  switch (claim.t) {
    case 'function':
      return claim.fn instanceof ForeignFunction ? claim.fn : undefined;
    case 'class':
      return claim.cls instanceof ForeignClass ? claim.cls.callable(true) : undefined;
    case 'instance':
      return claim.cls instanceof ForeignClass ? claim.cls.callable(false) : undefined;
    default:
      return undefined;
  }
}

/** A method of a text or list. */
export function claimedMethod(f: Reader, { claim }: Unknown, name: string, args: readonly Type[], e: ast.Call): Type {
  const main = claim === undefined ? any : withoutNone(claim);
  if (main.t !== 'str' && main.t !== 'list' && main.t !== 'tuple') return any;
  const signature = f.program.builtins.methods[main.t satisfies ReceiverKind].get(name);
  if (signature === undefined || !fits(signature, e)) return any;
  const result = methodResult(f, signature, main, args, e);
  return claimed(main.sure === true && !hasNone(claim!) ? result : doubted(result));
}

/** Methods whose results depend on nothing but the text and plain arguments, however they are called. */
const plainTextMethods = new Set(
  `capitalize casefold isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper lower
  swapcase title upper lstrip rstrip strip rsplit split count endswith find index rfind rindex startswith partition removeprefix removesuffix
  rpartition zfill center ljust rjust replace`.split(/\s+/),
);

/** The plan of a call on what is said to be text: behind a test for text stands what the dispatch would come to. */
export function textPlan(f: Reader, { claim }: Unknown, name: string, e: ast.Call): CallPlan | undefined {
  if (claim === undefined || withoutNone(claim).t !== 'str' || !plainTextMethods.has(name)) return undefined;
  const signature = f.program.builtins.methods.str.get(name);
  return signature !== undefined && fits(signature, e) ? { how: 'method', receiver: 'str', name } : undefined;
}
