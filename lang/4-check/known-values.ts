/**
 * Values whose type can be read off their text, and where they stand in the place of another type
 * (docs/language/diagnostics.md#static-checks, decisions/0289).
 */
import type * as ast from '../1-parse/ast.ts';
import { isSubclass, membersOf } from '../3-infer/classes/type-values.ts';
import type { ClassInfo, Type } from '../3-infer/types.ts';
import type { RuleContext } from './rule.ts';

export interface Misfit {
  /** The value, or the first part of a display that does not fit. */
  readonly at: ast.Expression;
  /** Type of the whole value. */
  readonly actual: Type;
}

/** Finds the part of `e` that certainly is no `expected`; undefined when it may be one. */
export function misfit(expected: Type, e: ast.Expression, c: RuleContext): Misfit | undefined {
  if (expected.t === 'any') return undefined;
  if (e.kind === 'Conditional') return misfit(expected, e.then, c) ?? misfit(expected, e.orElse, c);
  const actual = typeByText(e, c);
  if (actual === undefined) return undefined;
  const takers = membersOf(expected).filter((member) => standsFor(member, actual, c));
  if (takers.length === 0) return { at: e, actual };
  let first: Misfit | undefined;
  for (const taker of takers) {
    const wrong = misfitInside(taker, e, c);
    if (wrong === undefined) return undefined;
    first ??= wrong;
  }
  return first === undefined ? undefined : { at: first.at, actual };
}

/** The first part of a display or comprehension that does not fit the declared parts. */
function misfitInside(expected: Type, e: ast.Expression, c: RuleContext): Misfit | undefined {
  switch (expected.t) {
    case 'list':
    case 'set':
    case 'frozenset':
    case 'iterator':
      return firstMisfit(partsOf(e), () => expected.of, c);
    case 'tuple':
      return misfitInTuple(expected, e, c);
    case 'dict': {
      const keys = e.kind === 'DictExpr' ? e.entries.map(({ key }) => key) : e.kind === 'Comprehension' ? [e.key] : [];
      return firstMisfit(keys, () => expected.key, c) ?? firstMisfit(valuesOf(e), () => expected.value, c);
    }
    default:
      return undefined;
  }
}

function misfitInTuple(
  { items, of }: Extract<Type, { t: 'tuple' }>,
  e: ast.Expression,
  c: RuleContext,
): Misfit | undefined {
  if (e.kind !== 'TupleExpr' || e.items.some(({ kind }) => kind === 'Starred')) return undefined;
  if (items === undefined) return firstMisfit(e.items, () => of, c);
  if (items.length === e.items.length) return firstMisfit(e.items, (i) => items[i]!, c);
  return items.some(({ t }) => t === 'any') ? undefined : { at: e, actual: c.typeOf(e) };
}

function firstMisfit(
  parts: readonly (ast.Expression | undefined)[],
  expected: (i: number) => Type,
  c: RuleContext,
): Misfit | undefined {
  for (const [i, part] of parts.entries()) {
    const wrong = part === undefined ? undefined : misfit(expected(i), part, c);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function partsOf(e: ast.Expression): readonly ast.Expression[] {
  if (e.kind === 'ListExpr' || e.kind === 'SetExpr' || e.kind === 'TupleExpr') return e.items;
  return e.kind === 'Comprehension' && e.sort !== 'dict' ? [e.value] : [];
}

function valuesOf(e: ast.Expression): readonly (ast.Expression | undefined)[] {
  // Lists the values of a dict display; undefined stands for `**other`, whose items have no key.
  if (e.kind === 'DictExpr') return e.entries.map(({ key, value }) => (key === undefined ? undefined : value));
  return e.kind === 'Comprehension' ? [e.value] : [];
}

/**
 * The type of a literal, display or comprehension, of an object that is made on the spot and of what a built-in certainly gives.
 * `None` is none of them: it stands for "not yet" everywhere.
 */
export function typeByText(e: ast.Expression, c: RuleContext): Type | undefined {
  switch (e.kind) {
    case 'NumberLiteral':
    case 'StringLiteral':
    case 'Joined':
    case 'ListExpr':
    case 'DictExpr':
    case 'SetExpr':
    case 'TupleExpr':
    case 'Comprehension':
      return c.typeOf(e);
    case 'Constant':
      return e.value === true || e.value === false ? c.typeOf(e) : undefined;
    case 'Unary':
      return e.op === '-' ? typeByText(e.operand, c) : undefined;
    case 'Binary': {
      if (typeByText(e.left, c) === undefined || typeByText(e.right, c) === undefined) return undefined;
      return certainPlain(c.typeOf(e));
    }
    case 'Call': {
      const plan = c.types.callPlan(e);
      if (plan.how === 'construct' || c.typeOf(e.callee).t === 'class') return c.typeOf(e);
      return plan.how === 'builtin' ? certainPlain(c.typeOf(e)) : undefined;
    }
    default:
      return undefined;
  }
}

function certainPlain(type: Type): Type | undefined {
  return type.sure === true && plainKinds.has(type.t) ? type : undefined;
}

const plainKinds: ReadonlySet<Type['t']> = new Set([
  'int',
  'float',
  'str',
  'bytes',
  'bool',
  'list',
  'dict',
  'set',
  'tuple',
]);

/** Tells whether a value whose outermost type is `actual` may stand where `expected` is declared. */
export function suits(expected: Type, actual: Type, c: RuleContext): boolean {
  return membersOf(expected).some((member) => standsFor(member, actual, c));
}

function standsFor(member: Type, actual: Type, c: RuleContext): boolean {
  return (c.half === 'client' && sameInBrowser.has(`${member.t} ${actual.t}`)) || takes(member, actual);
}

/**
 * In the browser lists and tuples are arrays. Dicts are plain objects, and so are those of the program to whoever reads their fields:
 * `{**note, "done": True}` is a note.
 */
const sameInBrowser: ReadonlySet<string> = new Set(['instance dict', 'dict instance', 'tuple list', 'list tuple']);

function takes(member: Type, actual: Type): boolean {
  if (member.t === 'none') return false;
  if (member.t === 'instance') return !isExact(member.cls) || isInstance(member.cls, actual);
  if (member.t === 'iterator') return !['int', 'float', 'bool'].includes(actual.t);
  if (!plainKinds.has(member.t) || member.t === actual.t) return true;
  switch (actual.t) {
    case 'instance':
      return mayBePlain(actual.cls, member.t);
    case 'int':
      return member.t === 'float';
    case 'bool':
      return member.t === 'int' || member.t === 'float';
    default:
      return !plainKinds.has(actual.t);
  }
}

/** Is nothing an instance of the class but what is made by it and its subclasses? An enum's members are made from plain values elsewhere. */
function isExact({ kind, open, decl }: ClassInfo): boolean {
  if (kind === 'runtime' || kind === 'foreign' || kind === 'enum' || open || decl?.kind !== 'Archetype') return false;
  return decl.decorators.length === 0;
}

function isInstance(cls: ClassInfo, actual: Type): boolean {
  switch (actual.t) {
    case 'instance':
      return !isExact(actual.cls) || isSubclass(actual.cls, cls);
    case 'str':
      // An id may stand for a node or an edge.
      return cls.kind === 'node' || cls.kind === 'edge';
    default:
      return !plainKinds.has(actual.t);
  }
}

/**
 * A node stands for a list of one (docs/language/graph.md#value-of-connect), what has items for a container; members of
 * enums on a built-in type are values of it.
 */
function mayBePlain(cls: ClassInfo, kind: Type['t']): boolean {
  if (!isExact(cls) || (cls.kind === 'node' && kind === 'list')) return true;
  return isContainerKind(kind) && (cls.methods.has('__iter__') || cls.methods.has('__getitem__'));
}

function isContainerKind(kind: Type['t']): boolean {
  return kind === 'list' || kind === 'dict' || kind === 'set' || kind === 'tuple';
}
