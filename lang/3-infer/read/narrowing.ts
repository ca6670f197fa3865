/**
 * Conclusions from a condition about the variables in it (docs/language/diagnostics.md#static-checks): `is None`,
 * truthiness, `isinstance`, comparisons with None.
 */
import type * as ast from '../../1-parse/ast.ts';
import { annotationType } from '../classes/annotations.ts';
import {
  any,
  claimed,
  doubted,
  hinted,
  instanceOf,
  isSubclass,
  membersOf,
  none,
  sure,
  unionOf,
  withoutNone,
} from '../classes/type-values.ts';
import type { Reader } from '../program.ts';
import type { Type } from '../types.ts';
import { copyEnv, joinEnvs, slotIn } from './environments.ts';
import { changePlace } from './places.ts';
import { predicateOf, provenBy } from './predicates.ts';

/** Changes the environment to what holds where `test` is (not) true. */
export function narrow(f: Reader, test: ast.Expression, holds: boolean): void {
  switch (test.kind) {
    case 'NameRef':
      if (holds) change(f, test, withoutNone);
      return;
    case 'Walrus':
      if (holds) changeBinding(f, f.state.names.binding(test.name), withoutNone);
      return;
    case 'Unary':
      if (test.op === 'not') narrow(f, test.operand, !holds);
      return;
    case 'Logical':
      narrowLogical(f, test, holds);
      return;
    case 'Compare':
      narrowCompare(f, test, holds);
      return;
    case 'Call':
      narrowCall(f, test, holds);
      return;
    case 'Attribute':
    case 'Index':
      if (holds) showOther(f, test);
      return;
    default:
  }
}

/** Notes that a place known to hold None may hold anything else: other code may have put it there. */
function showOther(f: Reader, place: ast.Expression): void {
  changePlace(f, place, (known) => (known.t === 'none' ? any : known));
}

function narrowLogical(f: Reader, test: ast.Logical, holds: boolean): void {
  if (test.op === '?:' || f.state.module.tree.spines.has(test)) return;
  const bothKnown = (test.op === 'and') === holds;
  if (bothKnown) {
    narrow(f, test.left, holds);
    narrow(f, test.right, holds);
    return;
  }
  // Either side decided: what both ways leave.
  const start = copyEnv(f);
  narrow(f, test.left, holds);
  const first = f.env;
  f.env = start;
  narrow(f, test.left, !holds);
  narrow(f, test.right, holds);
  f.env = joinEnvs([first, f.env]);
}

function narrowCompare(f: Reader, test: ast.Compare, holds: boolean): void {
  if (test.ops.length !== 1) return;
  const [left, right] = test.operands as readonly [ast.Expression, ast.Expression];
  const op = test.ops[0]!;
  if (op !== 'is' && op !== 'is not' && op !== '==' && op !== '!=') return;
  const typed = typedSubject(f, left);
  if (typed !== undefined) {
    // Another class may still be one derived from it.
    if ((op === 'is' || op === '==') === holds) change(f, typed, (type) => meet(type, narrowTo(f, right)));
    return;
  }
  const operand = isNone(right) ? left : isNone(left) ? right : undefined;
  if (operand === undefined) return;
  const isNoneNow = (op === 'is' || op === '==') === holds;
  if ((operand.kind === 'Attribute' || operand.kind === 'Index') && !isNoneNow) showOther(f, operand);
  const target = operand.kind === 'Walrus' ? operand.name : operand.kind === 'NameRef' ? operand : undefined;
  if (target === undefined) return;
  changeBinding(f, f.state.names.binding(target), (type) => {
    if (!isNoneNow) return withoutNone(type);
    return type.t === 'any' || membersOf(type).some((member) => member.t === 'none') ? none : type;
  });
}

/** `x` of `type(x)` and `x.__class__`. */
function typedSubject(f: Reader, e: ast.Expression): ast.Expression | undefined {
  if (e.kind === 'Attribute') return e.name.text === '__class__' && !e.safe ? e.object : undefined;
  if (e.kind !== 'Call' || e.args.length !== 1 || e.callee.kind !== 'NameRef') return undefined;
  const callee = f.state.names.binding(e.callee);
  return callee.sort === 'builtin' && callee.name === 'type' ? e.args[0]!.value : undefined;
}

function isNone(e: ast.Expression): boolean {
  return e.kind === 'Constant' && e.value === null;
}

function narrowCall(f: Reader, test: ast.Call, holds: boolean): void {
  if (test.callee.kind !== 'NameRef' || test.args.length === 0) return;
  const callee = f.state.names.binding(test.callee);
  const first = test.args[0]!.value;
  const subject = first.kind === 'Walrus' ? first.name : first;
  if (callee.sort !== 'builtin') {
    const predicate = holds ? predicateOf(f, callee) : undefined;
    if (predicate !== undefined) change(f, subject, (type) => provenBy(f, predicate, type));
    return;
  }
  if (callee.name === 'callable' && holds)
    change(f, subject, (type) => (membersOf(type).every(({ t }) => t === 'instance') ? any : type));
  if (test.args.length !== 2) return;
  const tested = test.args[1]!.value;
  if (callee.name === 'hasattr' && holds && tested.kind === 'StringLiteral')
    change(f, subject, (type) => (membersOf(type).every((member) => mayLack(member, tested.value)) ? any : type));
  if (callee.name !== 'isinstance') return;
  change(f, subject, (type) => (holds ? meet(type, narrowTo(f, tested)) : without(type, narrowTo(f, tested))));
}

/** An instance that has an attribute its class does not declare is one of a subclass, or has been given it; so is a class. */
function mayLack(type: Type, name: string): boolean {
  if (type.t !== 'instance' && type.t !== 'class') return false;
  return [type.cls, ...type.cls.bases].every((cls) => !cls.fields.has(name) && !cls.methods.has(name));
}

/** The type that passing `isinstance(x, e)` proves. */
export function narrowTo(f: Reader, e: ast.Expression): Type {
  const parts = e.kind === 'TupleExpr' ? e.items : [e];
  const types = parts.map((part) => proven(f, annotationType(f.program, f.state, part)));
  return types.includes(any) ? any : unionOf(types);
}

/** Certain about the value itself, not about what is in it: of a built-in type, unless a class of the program derives from it. */
function proven(f: Reader, type: Type): Type {
  if (f.program.derivedTypes.has(type.t)) return doubted(type);
  switch (type.t) {
    case 'bool':
    case 'str':
    case 'bytes':
      return sure[type.t];
    case 'int': // a bool passes the test too
    case 'float':
      return hinted[type.t];
    case 'instance':
      return instanceOf(type.cls, true);
    case 'list':
    case 'set':
    case 'frozenset':
    case 'dict':
    case 'tuple':
      return { ...type, sure: true } as Type;
    case 'union':
      return unionOf(type.of.map((one) => proven(f, one)));
    default:
      return any;
  }
}

/** Gives the type that remains of `type` when the value is known to be `test`. */
export function meet(type: Type, test: Type): Type {
  if (test.t === 'any') return type.t === 'any' ? any : type;
  if (type.t === 'any' || type.t === 'never') return test;
  const kept: Type[] = [];
  for (const wanted of membersOf(test)) {
    if (wanted.t === 'instance') kept.push(...meetInstance(type, wanted));
    for (const member of membersOf(type)) {
      if (member.t === wanted.t && wanted.t !== 'instance')
        kept.push(wanted.sure === true ? ({ ...member, sure: true } as Type) : member);
      else if (member.t === 'any') kept.push(wanted);
    }
  }
  // An annotation that excludes what the program tests for was wrong.
  return kept.length === 0 ? test : unionOf(kept);
}

/** The classes that an object of one of `type` is of when it is a `wanted` too: of both, where a class may inherit from both. */
function meetInstance(type: Type, wanted: Extract<Type, { t: 'instance' }>): readonly Type[] {
  const others = membersOf(type).filter((member) => member.t === 'instance');
  if (others.length === 0) return [];
  const narrower = others.filter(({ cls }) => isSubclass(cls, wanted.cls)).map(({ cls }) => instanceOf(cls, true));
  if (others.some(({ cls }) => cls !== wanted.cls && isSubclass(wanted.cls, cls))) return [...narrower, wanted];
  return narrower.length > 0 ? narrower : [...others.map(({ cls }) => instanceOf(cls, true)), wanted];
}

function without(type: Type, test: Type): Type {
  if (type.t === 'any' && type.claim !== undefined) {
    // A claim may be wrong, so the type it excludes may be there all the same.
    const left = type.claim.t === 'union' ? without(type.claim, test) : any;
    return left === type.claim ? any : claimed(left);
  }
  if (type.t !== 'union' || test.t === 'any') return type;
  const tests = membersOf(test);
  const left = type.of.filter(
    (member) =>
      !tests.some((one) =>
        one.t === 'instance' && member.t === 'instance' ? isSubclass(member.cls, one.cls) : one.t === member.t,
      ),
  );
  return left.length === 0 ? type : unionOf(left);
}

function change(f: Reader, node: ast.Expression | ast.Name, to: (type: Type) => Type): void {
  if (node.kind === 'NameRef' || node.kind === 'Name') changeBinding(f, f.state.names.binding(node), to);
  if (node.kind !== 'Name') changePlace(f, node, to);
}

function changeBinding(
  f: Reader,
  binding: ReturnType<Reader['state']['names']['binding']>,
  to: (type: Type) => Type,
): void {
  if (binding.sort === 'local' && binding.assignedInside) return;
  const slot = slotIn(f, binding);
  if (slot < 0) return;
  const type = f.env[slot];
  if (type === undefined) return;
  const changed = to(type);
  // A place that only another value than None can come to is not reached, as far as that is known.
  f.env[slot] = changed.t !== 'never' ? changed : type.t === 'none' ? any : type;
}
