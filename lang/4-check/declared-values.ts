/** Values whose type follows from how they were made or from what the program declares of them (decisions/0289). */
import type * as ast from '../1-parse/ast.ts';
import { forEachChild } from '../2-resolve/children.ts';
import { membersOf, sameType } from '../3-infer/classes/type-values.ts';
import type { FieldInfo, Type } from '../3-infer/types.ts';
import { derivedFrom } from './derived.ts';
import type { RuleContext } from './rule.ts';

/**
 * Is the type of `e` one to hold the program to? That of variables, parameters, fields and results with an annotation is, that of elements of
 * containers and of what was inferred from an unknown value is not.
 */
export function isDeclared(e: ast.Expression, c: RuleContext, depth = 0): boolean {
  const type = c.typeOf(e);
  if (type.t === 'any' || depth > deepest) return false;
  if (type.sure === true) return true;
  switch (e.kind) {
    case 'NameRef':
      return fits(type, declaredOfName(e, c));
    case 'Attribute':
      return !e.safe && fits(type, declaredOfField(e, c));
    case 'Call':
      return hasDeclaredResult(e, c);
    case 'Await':
      return e.expr.kind === 'Call' && hasDeclaredResult(e.expr, c);
    case 'Binary':
      return isDeclared(e.left, c, depth + 1) && isDeclared(e.right, c, depth + 1);
    case 'Unary':
      return isDeclared(e.operand, c, depth + 1);
    case 'Conditional':
      return isDeclared(e.then, c, depth + 1) && isDeclared(e.orElse, c, depth + 1);
    default:
      return false;
  }
}

/** Greatest number of operators in a chain that are looked through. */
const deepest = 20;

/** The annotation of a variable, perhaps without None and members that a test has excluded. */
function fits(type: Type, declared: Type | undefined): boolean {
  if (declared === undefined) return false;
  const kinds = new Set(membersOf(declared).map(({ t }) => t));
  return membersOf(type).every(({ t }) => kinds.has(t));
}

function declaredOfName(e: ast.NameRef, c: RuleContext): Type | undefined {
  const binding = c.names.binding(e);
  if (binding.sort !== 'local' && binding.sort !== 'module') return undefined;
  const { decl } = binding;
  const hasOne = decl?.kind === 'AssignStatement' || decl?.kind === 'GlobItem' || isPlainParam(decl);
  if (!hasOne || decl.type === undefined) return undefined;
  return c.types.annotation(decl.type);
}

function isPlainParam(decl: ast.Node | undefined): decl is ast.Param {
  return decl?.kind === 'Param' && decl.sort === 'plain';
}

function declaredOfField(e: ast.Attribute, c: RuleContext): Type | undefined {
  const object = c.typeOf(e.object);
  const field = object.t === 'instance' ? object.cls.fields.get(e.name.text) : undefined;
  if (object.t !== 'instance' || field?.declared === undefined) return undefined;
  const isRedeclared = (other: FieldInfo | undefined) =>
    other !== undefined && other.owner !== field.owner && !sameType(other.type, field.type);
  return derivedFrom(object.cls, c.types).some(({ fields }) => isRedeclared(fields.get(field.name)))
    ? undefined
    : field.type;
}

function hasDeclaredResult(e: ast.Call, c: RuleContext): boolean {
  const callee = c.typeOf(e.callee);
  if (callee.t !== 'function' && callee.t !== 'method') return false;
  const { decl, generator, streams, direct } = callee.fn;
  return direct && !generator && !streams && decl?.kind === 'FunctionDecl' && decl.signature.result !== undefined;
}

const tested = new WeakMap<ast.Module, ReadonlySet<string>>();

/**
 * Does the module ask somewhere which type an attribute of this name has? Tests of attributes are not followed
 * (docs/language/diagnostics.md#static-checks), so what is declared of them then says too little.
 */
export function isTestedAttribute(e: ast.Expression, c: RuleContext): boolean {
  if (e.kind !== 'Attribute') return false;
  const { tree } = c.module;
  let names = tested.get(tree);
  if (names === undefined) tested.set(tree, (names = testedAttributes(tree)));
  return names.has(e.name.text);
}

const tests: ReadonlySet<string> = new Set(['isinstance', 'type', 'hasattr', 'callable', 'issubclass']);

function testedAttributes(tree: ast.Module): ReadonlySet<string> {
  const names = new Set<string>();
  const note = (e: ast.Expression | undefined) => {
    if (e?.kind === 'Attribute') names.add(e.name.text);
  };
  const waiting: ast.Node[] = [tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'MatchStatement') note(node.subject);
    else if (node.kind === 'Attribute' && node.name.text === '__class__') note(node.object);
    else if (node.kind === 'Call' && node.callee.kind === 'NameRef' && tests.has(node.callee.name))
      note(node.args[0]?.value);
    forEachChild(node, (child) => void waiting.push(child));
  }
  return names;
}
