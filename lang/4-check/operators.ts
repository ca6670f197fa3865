import type * as ast from '../1-parse/ast.ts';
import { believed, membersOf, typeText } from '../3-infer/classes/type-values.ts';
import { operatorMethods } from '../3-infer/read/operators.ts';
import type { ClassInfo, Type } from '../3-infer/types.ts';
import { isDamaged } from './damaged.ts';
import { isDeclared, isTestedAttribute } from './declared-values.ts';
import { classesOf } from './derived.ts';
import { isWhollyOwn } from './outside-bases.ts';
import type { Rule, RuleContext } from './rule.ts';

/** E0414 and E0415: operators, calls, loops and subscripts on values that certainly do not allow them. */
export const operatorRule: Rule = {
  name: 'operators',
  visit: {
    Binary: (node, c) => checkOperator(node, node.left, node.right, c),
    AugAssign: (node, c) => checkOperator(node, node.target, node.value, c),
    Compare: visitCompare,
    Unary: visitUnary,
    Call: visitCall,
    ForIn: visitFor,
    CompClause: visitFor,
    Starred: visitStarred,
    AssignStatement: visitAssign,
    Index: visitIndex,
  },
};

const kinds = new Set([
  'int',
  'float',
  'bool',
  'str',
  'bytes',
  'list',
  'tuple',
  'dict',
  'set',
  'frozenset',
  'none',
  'range',
]);
const numbers = new Set(['int', 'float', 'bool']);
const unsubscriptable = new Set(['none', 'set', 'frozenset', ...numbers]);

/** The kinds that a value may be of, when it certainly is a built-in one or declared to be: several only by a declaration. */
function certain(e: ast.Expression, c: RuleContext): readonly string[] | undefined {
  const type = believed(c.typeOf(e));
  if (type === c.typeOf(e) && !isDeclared(e, c)) return undefined;
  const all = membersOf(type).map(({ t }) => t);
  return all.every((kind) => kinds.has(kind)) ? all : undefined;
}

/** Types that may stand for a class below them with operators of its own: a `Counter` is a dict. */
const mayHaveMore = ['dict', 'set', 'frozenset'];

function mayKnowMore(types: readonly Type[]): boolean {
  return (
    types.some(({ sure }) => sure !== true) &&
    types.every((type) => membersOf(type).every(({ t }) => mayHaveMore.includes(t)))
  );
}

function checkOperator(
  node: ast.Binary | ast.AugAssign,
  leftSide: ast.Expression,
  rightSide: ast.Expression,
  c: RuleContext,
): void {
  const [left, right] = [c.typeOf(leftSide), c.typeOf(rightSide)];
  const inPlace = node.kind === 'AugAssign';
  const [a, b] = [certain(leftSide, c), certain(rightSide, c)];
  const isWrong =
    a === undefined || b === undefined
      ? refuses(node.op, { e: leftSide, type: left }, { e: rightSide, type: right }, inPlace, c)
      : !a.some((one) => b.some((other) => allows(node.op, one, other) || (inPlace && fills(node.op, one, other))));
  if (!isWrong || mayKnowMore([left, right]) || [leftSide, rightSide].some((e) => isTestedAttribute(e, c))) return;
  const op = inPlace ? `${node.op}=` : node.op;
  const params = { form: 'binary', op, A: typeText(believed(left)), B: typeText(believed(right)) };
  const isText = (all: readonly string[] | undefined) => all?.includes('str') === true;
  const help =
    node.op === '+' && (isText(a) || isText(b))
      ? 'write `str(…)` around the other operand, or use an f-string'
      : undefined;
  c.report('E0414', node, params, { help });
}

interface Operand {
  readonly e: ast.Expression;
  readonly type: Type;
}

/** Is an object among the operands, and neither of them knows the operator? */
function refuses(op: string, left: Operand, right: Operand, inPlace: boolean, c: RuleContext): boolean {
  if (left.type.t !== 'instance' && right.type.t !== 'instance') return false;
  // `"%s" % o` and `xs += o`
  if (op === '%' && (left.type.t === 'str' || left.type.t === 'bytes')) return false;
  if (inPlace && left.type.t !== 'instance') return false;
  const name = operatorMethods[op]!;
  const own = inPlace ? [`__i${name}__`, `__${name}__`] : [`__${name}__`];
  const counts = op === '*' ? ['__index__'] : [];
  return knowsNone(left, [...own, ...counts], c) && knowsNone(right, [`__r${name}__`, ...counts], c);
}

/** A built-in value, or an object whose class has none of these methods. */
function knowsNone({ e, type }: Operand, methods: readonly string[], c: RuleContext): boolean {
  return type.t === 'instance' ? lacks(e, type, methods, c) : kinds.has(type.t);
}

/**
 * Tells whether an operator in place accepts operands beyond those of the plain one: a list takes the items of
 * anything, a dict pairs.
 */
function fills(op: string, a: string, b: string): boolean {
  if (op === '+') return a === 'list' && !numbers.has(b) && b !== 'none';
  return op === '|' && a === 'dict' && (b === 'list' || b === 'tuple');
}

function allows(op: string, a: string, b: string): boolean {
  if (numbers.has(a) && numbers.has(b)) {
    const integral = a !== 'float' && b !== 'float';
    return op === '@' ? false : !['&', '|', '^', '<<', '>>'].includes(op) || integral;
  }
  const isSet = (kind: string) => kind === 'set' || kind === 'frozenset';
  switch (op) {
    case '+':
      return a === b && ['str', 'bytes', 'list', 'tuple'].includes(a);
    case '*':
      return isSequence(a) ? b === 'int' || b === 'bool' : isSequence(b) && (a === 'int' || a === 'bool');
    case '%':
      return a === 'str' || a === 'bytes';
    case '-':
    case '&':
    case '^':
      return isSet(a) && isSet(b);
    case '|':
      return (isSet(a) && isSet(b)) || (a === 'dict' && b === 'dict');
    default:
      return false;
  }
}

/** `<` and its like between built-in values of different kinds or objects without an order, `in` what has no items. */
function visitCompare(node: ast.Compare, c: RuleContext): void {
  node.ops.forEach((op, i) => {
    const [left, right] = [node.operands[i]!, node.operands[i + 1]!];
    if (op === 'in' || op === 'not in') checkIterable(right, ['__contains__', ...iterableBy], c);
    const reflected = op in orders ? orders[op as keyof typeof orders] : undefined;
    if (reflected !== undefined) checkOrder(node, { op, reflected }, left, right, c);
  });
}

const orders = {
  '<': ['__lt__', '__gt__'],
  '<=': ['__le__', '__ge__'],
  '>': ['__gt__', '__lt__'],
  '>=': ['__ge__', '__le__'],
} as const;

function checkOrder(
  node: ast.Compare,
  { op, reflected }: { op: string; reflected: readonly [string, string] },
  leftSide: ast.Expression,
  rightSide: ast.Expression,
  c: RuleContext,
): void {
  const [left, right] = [c.typeOf(leftSide), c.typeOf(rightSide)];
  const [a, b] = [certain(leftSide, c), certain(rightSide, c)];
  const isWrong =
    a === undefined || b === undefined
      ? (left.t === 'instance' || right.t === 'instance') &&
        knowsNone({ e: leftSide, type: left }, [reflected[0]], c) &&
        knowsNone({ e: rightSide, type: right }, [reflected[1]], c)
      : !a.some((one) => b.some((other) => isOrdered(one, other)));
  if (!isWrong || [leftSide, rightSide].some((e) => isTestedAttribute(e, c))) return;
  c.report('E0414', node, { form: 'binary', op, A: typeText(believed(left)), B: typeText(believed(right)) });
}

function isOrdered(a: string, b: string): boolean {
  if (numbers.has(a)) return numbers.has(b);
  const family = (kind: string) => (kind === 'frozenset' ? 'set' : kind);
  return family(a) === family(b) && a !== 'none' && a !== 'dict' && a !== 'range';
}

function isSequence(kind: string): boolean {
  return kind === 'str' || kind === 'bytes' || kind === 'list' || kind === 'tuple';
}

const signMethods = { '-': '__neg__', '+': '__pos__', '~': '__invert__' } as const;

function visitUnary(node: ast.Unary, c: RuleContext): void {
  if (node.op === 'not') return;
  const type = c.typeOf(node.operand);
  const found = certain(node.operand, c);
  const isWrong =
    found === undefined
      ? lacks(node.operand, type, [signMethods[node.op]], c)
      : !found.some((kind) => numbers.has(kind) && (node.op !== '~' || kind !== 'float'));
  if (!isWrong || isTestedAttribute(node.operand, c)) return;
  c.report('E0414', node, { form: 'unary', op: node.op, A: typeText(believed(type)) });
}

function visitCall(node: ast.Call, c: RuleContext): void {
  const type = c.typeOf(node.callee);
  if (type.t === 'builtin') checkItems(node, type.name, c);
  for (const { sort, value } of node.args) if (sort === 'star') checkIterable(value, iterableBy, c);
  if (certain(node.callee, c) !== undefined && node.callee.kind !== 'Attribute') {
    c.report('E0415', node.callee, { T: typeText(believed(type)), what: 'callable' });
  } else if (lacks(node.callee, type, ['__call__'], c))
    c.report('E0415', node.callee, { T: typeText(type), what: 'callable' });
  else if (type.t === 'module') c.report('E0415', node.callee, { T: type.module, what: 'callable' });
}

/** Indexes of the first argument whose items a built-in takes; `zip` and `map` take those of all from there on. */
const takesItemsFrom: Readonly<Record<string, number>> = {
  ...{
    list: 0,
    tuple: 0,
    set: 0,
    frozenset: 0,
    sum: 0,
    sorted: 0,
    enumerate: 0,
    any: 0,
    all: 0,
    zip: 0,
    min: 0,
    max: 0,
  },
  ...{ map: 1, filter: 1 },
};

function checkItems(node: ast.Call, name: string, c: RuleContext): void {
  const from = Object.hasOwn(takesItemsFrom, name) ? takesItemsFrom[name]! : -1;
  if (from < 0 || node.args.some(({ sort }) => sort === 'star')) return;
  const given = node.args.filter(({ sort }) => sort === 'positional').map(({ value }) => value);
  // `max(1, 2)` compares the arguments themselves.
  if ((name === 'min' || name === 'max') && given.length !== 1) return;
  const taken = name === 'zip' || name === 'map' ? given.slice(from) : given.slice(from, from + 1);
  for (const e of taken) checkIterable(e, iterableBy, c);
}

/** `[*xs]`. A target, `(a, *rest) = …`, gets a list. */
function visitStarred(node: ast.Starred, c: RuleContext): void {
  const isTarget = c.parent.kind === 'TupleExpr' || c.parent.kind === 'ListExpr';
  if (!isTarget || node.expr.kind !== 'NameRef') checkIterable(node.expr, iterableBy, c);
}

/** `(a, b) = value` */
function visitAssign(node: ast.AssignStatement, c: RuleContext): void {
  const isUnpacked = node.targets.some(({ kind }) => kind === 'TupleExpr' || kind === 'ListExpr');
  if (isUnpacked && node.value !== undefined) checkIterable(node.value, iterableBy, c);
}

function visitFor(node: ast.ForIn | ast.CompClause, c: RuleContext): void {
  checkIterable(node.iter, [...iterableBy, '__aiter__'], c);
}

const iterableBy = ['__iter__', '__getitem__'];

function checkIterable(e: ast.Expression, methods: readonly string[], c: RuleContext): void {
  const type = c.typeOf(e);
  const found = certain(e, c);
  if (found?.every((kind) => kind === 'none' || numbers.has(kind)) === true && !isTestedAttribute(e, c)) {
    const help = found.includes('int') ? 'write `range(…)` to count' : undefined;
    c.report('E0415', e, { T: typeText(believed(type)), what: 'iterable' }, { help });
  } else if (lacks(e, type, methods, c)) c.report('E0415', e, { T: typeText(type), what: 'iterable' });
}

function visitIndex(node: ast.Index, c: RuleContext): void {
  if (node.safe) return;
  const type = c.typeOf(node.object);
  if (
    certain(node.object, c)?.every((kind) => unsubscriptable.has(kind)) === true &&
    !isTestedAttribute(node.object, c)
  ) {
    c.report('E0415', node.object, { T: typeText(believed(type)), what: 'subscriptable' });
  } else if (lacks(node.object, type, ['__getitem__', '__setitem__', '__delitem__', '__class_getitem__'], c))
    c.report('E0415', node.object, { T: typeText(type), what: 'subscriptable' });
}

/**
 * An object whose class, known with all its bases, has none of these methods. Nodes may stand for a list of one
 * (docs/language/graph.md#value-of-connect).
 */
function lacks(e: ast.Expression, type: Type, methods: readonly string[], c: RuleContext): boolean {
  if (type.t !== 'instance' || !classesOf(e, type.cls, c).every((cls) => hasNone(cls, methods, c))) return false;
  return !isDamaged(type.cls, c);
}

function hasNone(cls: ClassInfo, methods: readonly string[], c: RuleContext): boolean {
  if (!isWhollyOwn(cls, c) || ![cls, ...cls.bases].every(isPlainClass)) return false;
  return methods.every(
    (name) =>
      !cls.methods.has(name) && !cls.attributes.has(name) && !cls.fields.has(name) && !c.types.isAssignedName(name),
  );
}

/** Tells whether a class has no other methods than those written in it. */
function isPlainClass({ kind, name, decl }: ClassInfo): boolean {
  if (kind === 'runtime') return name === 'Archetype' || name === 'object';
  return (kind === 'obj' || kind === 'class') && decl?.kind === 'Archetype' && decl.decorators.length === 0;
}
