import type * as ast from '../1-parse/ast.ts';
import { isLiteralOfProperties } from '../2-resolve/components.ts';
import { any, believed, membersOf, typeText, withoutNone } from '../3-infer/classes/type-values.ts';
import { calledFunction } from '../3-infer/foreign/claims.ts';
import { isProblem, mapArguments } from '../3-infer/read/map-arguments.ts';
import type { Slot, Type } from '../3-infer/types.ts';
import { calledComponent } from './component-of.ts';
import { isDamagedCallee } from './damaged.ts';
import { type Misfit, misfit, suits, typeByText } from './known-values.ts';
import { constructorCalled, superCalled } from './own-constructors.ts';
import type { Rule, RuleContext } from './rule.ts';

/** E0410: a value that certainly is of another type than the variable, field, parameter or module variable it is for. */
export const assignedLiteralRule: Rule = {
  name: 'assigned-literals',
  half: 'both',
  visit: { AssignStatement: visitAssign, GlobItem: visitGlob, HasItem: visitHas, Param: visitParam, Call: visitCall },
};

function check(name: string, declared: Type, value: ast.Expression | undefined, c: RuleContext): void {
  const wrong = value === undefined ? undefined : misfit(declared, value, c);
  if (wrong !== undefined) report(name, declared, wrong, c);
}

function report(name: string, declared: Type, wrong: Misfit, c: RuleContext): void {
  c.report('E0410', wrong.at, { actual: typeText(wrong.actual), name, expected: typeText(declared) });
}

function visitAssign(node: ast.AssignStatement, c: RuleContext): void {
  if (node.value === undefined) return;
  for (const target of node.targets) {
    if (target.kind === 'Index') {
      checkStored(target, node.value, c);
    } else if (target.kind === 'NameRef' && node.type !== undefined) {
      check(target.name, c.types.annotation(node.type), node.value, c);
    } else {
      const declared = declaredType(target, c);
      if (declared !== undefined) check(declared.name, declared.type, node.value, c);
    }
  }
}

/** `d[key] = value` with a container of a declared type. */
function checkStored(target: ast.Index, value: ast.Expression, c: RuleContext): void {
  const held = target.index.kind === 'Slice' ? undefined : containerOf(target.object, c);
  if (held === undefined) return;
  const { type, name } = held;
  if (type.t === 'dict') check(`${name}[…]`, type.key, target.index, c);
  if (type.t === 'dict' || type.t === 'list') check(`${name}[…]`, type.t === 'dict' ? type.value : type.of, value, c);
}

/** `xs.append(value)` with a container of a declared type. */
function checkAdded(node: ast.Call, c: RuleContext): void {
  if (node.callee.kind !== 'Attribute' || node.args.some(({ sort }) => sort !== 'positional')) return;
  const method = node.callee.name.text;
  const at = ['append', 'add', 'insert'].indexOf(method);
  const held = at < 0 ? undefined : containerOf(node.callee.object, c);
  if (held === undefined || held.type.t === 'dict' || held.type.t !== (method === 'add' ? 'set' : 'list')) return;
  check(`${held.name}.${method}`, held.type.of, node.args[at < 2 ? 0 : 1]?.value, c);
}

type Container = Extract<Type, { readonly of: Type } | { readonly key: Type }>;

/** A variable or field that is declared to be a list, a set or a dict, and perhaps None. */
function containerOf(e: ast.Expression, c: RuleContext): { name: string; type: Container } | undefined {
  const declared = declaredType(e, c);
  const [type, another] = declared === undefined ? [] : membersOf(withoutNone(declared.type));
  if (declared === undefined || another !== undefined) return undefined;
  return type?.t === 'list' || type?.t === 'set' || type?.t === 'dict' ? { name: declared.name, type } : undefined;
}

function declaredType(e: ast.Expression, c: RuleContext): { name: string; type: Type } | undefined {
  if (e.kind === 'NameRef') {
    const annotation = declaredBy(e, c);
    return annotation === undefined ? undefined : { name: e.name, type: c.types.annotation(annotation) };
  }
  const object = e.kind === 'Attribute' ? c.typeOf(e.object) : any;
  const field = e.kind === 'Attribute' && object.t === 'instance' ? object.cls.fields.get(e.name.text) : undefined;
  return field === undefined || field.property ? undefined : { name: field.name, type: field.type };
}

/** The annotation of the variable's own declaration. */
function declaredBy(target: ast.NameRef, c: RuleContext): ast.Expression | undefined {
  const binding = c.names.binding(target);
  if (binding.sort !== 'local' && binding.sort !== 'module') return undefined;
  const { decl } = binding;
  switch (decl?.kind) {
    case 'AssignStatement':
    case 'Param':
    case 'GlobItem':
    case 'HasItem':
      return decl.type;
    default:
      return undefined;
  }
}

function visitGlob(node: ast.GlobItem, c: RuleContext): void {
  if (node.type !== undefined) check(node.name.text, c.types.annotation(node.type), node.value, c);
}

function visitHas(node: ast.HasItem, c: RuleContext): void {
  // `as_query: list = "*"` of an endpoint means all fields, whatever its hint says (docs/language/archetypes.md#specs).
  if (c.owner?.name === '__specs__') return;
  if (node.type !== undefined) check(node.name.text, c.types.annotation(node.type), node.value, c);
}

function visitParam(node: ast.Param, c: RuleContext): void {
  if (node.type !== undefined && node.sort === 'plain')
    check(node.name?.text ?? '', c.types.annotation(node.type), node.value, c);
}

/** Arguments whose parameter is known. */
function visitCall(node: ast.Call, c: RuleContext): void {
  const plan = c.types.callPlan(node);
  if (plan.how === 'dynamic') {
    checkForeign(node, c);
    checkUnplanned(node, c);
  }
  if (plan.how === 'method' || plan.how === 'dynamic') checkAdded(node, c);
  if (plan.how !== 'direct' && plan.how !== 'construct') return;
  const fields = plan.how === 'construct' && plan.init === undefined ? plan.cls.constructorFields : undefined;
  const component = calledComponent(node, c);
  if (component !== undefined && isLiteralOfProperties(component, node.args)) return;
  const params = fields ?? (plan.how === 'construct' ? plan.init!.params : plan.fn.params);
  checkArguments(node, params, plan.slots, c);
}

/** Arguments of a data class, and of what is behind `super`. */
function checkUnplanned(node: ast.Call, c: RuleContext): void {
  const called = constructorCalled(node, c) ?? superCalled(node, c);
  const slots = called === undefined ? undefined : mapArguments(called.params, node.args, called.name);
  if (called !== undefined && slots !== undefined && !isProblem(slots)) checkArguments(node, called.params, slots, c);
}

function checkArguments(
  node: ast.Call,
  params: readonly { readonly name: string; readonly type: Type }[],
  slots: readonly Slot[],
  c: RuleContext,
): void {
  const checkOne = (name: string, type: Type, { value }: ast.Argument): void => {
    if (isOfObjects(type)) return;
    const wrong = misfit(type, value, c) ?? sentMisfit(type, value, c);
    if (wrong !== undefined && !isDamagedCallee(c.typeOf(node.callee), c)) report(name, type, wrong, c);
  };
  for (const [i, slot] of slots.entries()) {
    const param = params[i];
    if (param === undefined || slot === undefined) continue;
    if (typeof slot === 'number') checkOne(param.name, param.type, node.args[slot]!);
    else if (c.half !== 'server') {
      // A server refuses what a browser sends; on its own it takes anything there, as Python does.
      const type = gatheredType(param.type);
      if (type !== undefined) for (const at of slot) checkOne(param.name, type, node.args[at]!);
    }
  }
}

/** Type of each argument that `*rest` or `**more` gathers. */
function gatheredType(type: Type): Type | undefined {
  return type.t === 'tuple' ? type.of : type.t === 'dict' ? type.value : undefined;
}

/** A value of a known plain type that a browser sends for another one. Numbers are one kind there. */
function sentMisfit(expected: Type, value: ast.Expression, c: RuleContext): Misfit | undefined {
  if (c.half === 'server' || value.kind === 'Conditional') return undefined;
  const actual = c.typeOf(value);
  if (!sentKinds.has(actual.t) || suits(expected, actual, c)) return undefined;
  const isNumber = actual.t === 'float' && membersOf(expected).some(({ t }) => t === 'int');
  return isNumber ? undefined : { at: value, actual };
}

const sentKinds: ReadonlySet<string> = new Set(['str', 'int', 'float', 'bool', 'list', 'dict']);

/** A stand-in for an object may be anything that is used in the same way. */
function isOfObjects(type: Type): boolean {
  return membersOf(type).some(({ t }) => t === 'instance');
}

/** Literals that a function of TypeScript does not take. */
function checkForeign(node: ast.Call, c: RuleContext): void {
  const fn = calledFunction(believed(c.typeOf(node.callee)));
  if (fn === undefined || node.args.some(({ sort }) => sort !== 'positional')) return;
  node.args.forEach((arg, i) => {
    const actual = typeByText(arg.value, c);
    const wrong = actual === undefined ? undefined : fn.misfit(arg, i, actual);
    if (actual === undefined || wrong === undefined) return;
    c.report('E0410', arg.value, { actual: typeText(actual), name: wrong.name, expected: typeText(wrong.type) });
  });
}
