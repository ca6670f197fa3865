import type * as ast from '../1-parse/ast.ts';
import { believed, membersOf, typeText } from '../3-infer/type-values.ts';
import type { ClassInfo, Type } from '../3-infer/types.ts';
import type { Rule, RuleContext } from './rule.ts';

/** E0414 and E0415: operators, calls, loops and subscripts on values that certainly do not allow them. */
export const operatorRule: Rule = {
  name: 'operators',
  visit: {
    Binary: visitBinary,
    Compare: visitCompare,
    Unary: visitUnary,
    Call: visitCall,
    ForIn: visitFor,
    CompClause: visitFor,
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

/** The kinds that a value may be of, when it is certainly a built-in one: several only by a declaration of TypeScript. */
function certain(type: Type): readonly string[] | undefined {
  if (type.t !== 'any') return type.sure === true && kinds.has(type.t) ? [type.t] : undefined;
  if (type.claim?.sure !== true) return undefined;
  const all = membersOf(type.claim).map(({ t }) => t);
  return all.every((kind) => kinds.has(kind)) ? all : undefined;
}

function visitBinary(node: ast.Binary, c: RuleContext): void {
  const left = c.typeOf(node.left);
  const right = c.typeOf(node.right);
  const [a, b] = [certain(left), certain(right)];
  if (a === undefined || b === undefined || a.some((one) => b.some((other) => allows(node.op, one, other)))) return;
  const params = { form: 'binary', op: node.op, A: typeText(believed(left)), B: typeText(believed(right)) };
  const help =
    node.op === '+' && (a.includes('str') || b.includes('str'))
      ? 'write `str(…)` around the other operand, or use an f-string'
      : undefined;
  c.report('E0414', node, params, { help });
}

function allows(op: ast.Binary['op'], a: string, b: string): boolean {
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

/** `<` and its like between built-in values of different kinds. */
function visitCompare(node: ast.Compare, c: RuleContext): void {
  node.ops.forEach((op, i) => {
    if (op !== '<' && op !== '<=' && op !== '>' && op !== '>=') return;
    const [left, right] = [c.typeOf(node.operands[i]!), c.typeOf(node.operands[i + 1]!)];
    const [a, b] = [certain(left), certain(right)];
    if (a === undefined || b === undefined || a.some((one) => b.some((other) => isOrdered(one, other)))) return;
    c.report('E0414', node, { form: 'binary', op, A: typeText(believed(left)), B: typeText(believed(right)) });
  });
}

function isOrdered(a: string, b: string): boolean {
  if (numbers.has(a)) return numbers.has(b);
  const family = (kind: string) => (kind === 'frozenset' ? 'set' : kind);
  return family(a) === family(b) && a !== 'none' && a !== 'dict' && a !== 'range';
}

function isSequence(kind: string): boolean {
  return kind === 'str' || kind === 'bytes' || kind === 'list' || kind === 'tuple';
}

function visitUnary(node: ast.Unary, c: RuleContext): void {
  if (node.op === 'not') return;
  const type = c.typeOf(node.operand);
  const found = certain(type);
  if (found?.some((kind) => numbers.has(kind) && (node.op !== '~' || kind !== 'float')) !== false) return;
  c.report('E0414', node, { form: 'unary', op: node.op, A: typeText(believed(type)) });
}

function visitCall(node: ast.Call, c: RuleContext): void {
  const type = c.typeOf(node.callee);
  if (certain(type) !== undefined && node.callee.kind !== 'Attribute') {
    c.report('E0415', node.callee, { T: typeText(believed(type)), what: 'callable' });
  } else if (lacks(type, ['__call__'], c)) c.report('E0415', node.callee, { T: typeText(type), what: 'callable' });
  else if (type.t === 'module') c.report('E0415', node.callee, { T: type.module, what: 'callable' });
}

function visitFor(node: ast.ForIn | ast.CompClause, c: RuleContext): void {
  const type = c.typeOf(node.iter);
  const found = certain(type);
  if (found?.every((kind) => kind === 'none' || numbers.has(kind)) === true) {
    const help = found.includes('int') ? 'write `range(…)` to count' : undefined;
    c.report('E0415', node.iter, { T: typeText(believed(type)), what: 'iterable' }, { help });
  } else if (lacks(type, ['__iter__', '__getitem__', '__aiter__'], c))
    c.report('E0415', node.iter, { T: typeText(type), what: 'iterable' });
}

function visitIndex(node: ast.Index, c: RuleContext): void {
  if (node.safe) return;
  const type = c.typeOf(node.object);
  if (certain(type)?.every((kind) => unsubscriptable.has(kind)) === true) {
    c.report('E0415', node.object, { T: typeText(believed(type)), what: 'subscriptable' });
  } else if (lacks(type, ['__getitem__', '__setitem__', '__delitem__'], c))
    c.report('E0415', node.object, { T: typeText(type), what: 'subscriptable' });
}

/** An object whose class, known with all its bases, has none of these methods. Nodes may stand for a list of one (D-02). */
function lacks(type: Type, methods: readonly string[], c: RuleContext): boolean {
  if (type.t !== 'instance') return false;
  const { cls } = type;
  if (cls.open || ![cls, ...cls.bases].every(isPlainClass)) return false;
  return methods.every(
    (name) =>
      !cls.methods.has(name) && !cls.attributes.has(name) && !cls.fields.has(name) && !c.types.isAssignedName(name),
  );
}

/** Its methods are those that are written in it. */
function isPlainClass({ kind, name, decl }: ClassInfo): boolean {
  if (kind === 'runtime') return name === 'Archetype' || name === 'object';
  return (kind === 'obj' || kind === 'class') && decl?.kind === 'Archetype' && decl.decorators.length === 0;
}
