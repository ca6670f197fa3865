import type * as ast from '../1-parse/ast.ts';
import { calledFunction } from '../3-infer/claims.ts';
import { believed, typeText } from '../3-infer/type-values.ts';
import type { Type } from '../3-infer/types.ts';
import { literalType, suits } from './literals.ts';
import type { Rule, RuleContext } from './rule.ts';

/** E0410: a literal of the wrong primitive type for a declared variable, field, parameter or module variable. */
export const assignedLiteralRule: Rule = {
  name: 'assigned-literals',
  visit: { AssignStatement: visitAssign, GlobItem: visitGlob, HasItem: visitHas, Param: visitParam, Call: visitCall },
};

function check(name: string, declared: Type, value: ast.Expression | undefined, c: RuleContext): void {
  if (value === undefined || declared.t === 'any') return;
  const actual = literalType(value, c);
  if (actual === undefined || suits(declared, actual)) return;
  c.report('E0410', value, { actual: typeText(actual), name, expected: typeText(declared) });
}

function visitAssign(node: ast.AssignStatement, c: RuleContext): void {
  if (node.value === undefined) return;
  for (const target of node.targets) {
    if (target.kind === 'NameRef') {
      const declared = node.type ?? declaredBy(target, c);
      if (declared !== undefined) check(target.name, c.types.annotation(declared), node.value, c);
    } else if (target.kind === 'Attribute') {
      const object = c.typeOf(target.object);
      const field = object.t === 'instance' ? object.cls.fields.get(target.name.text) : undefined;
      if (field !== undefined && !field.property) check(target.name.text, field.type, node.value, c);
    }
  }
}

/** The annotation of the variable's own declaration. */
function declaredBy(target: ast.NameRef, c: RuleContext): ast.Expression | undefined {
  const binding = c.names.binding(target);
  if (binding.sort !== 'local' && binding.sort !== 'module') return undefined;
  const { decl } = binding;
  if (decl?.kind === 'AssignStatement' || decl?.kind === 'Param' || decl?.kind === 'GlobItem') return decl.type;
  return undefined;
}

function visitGlob(node: ast.GlobItem, c: RuleContext): void {
  if (node.type !== undefined) check(node.name.text, c.types.annotation(node.type), node.value, c);
}

function visitHas(node: ast.HasItem, c: RuleContext): void {
  // `as_query: list = "*"` of an endpoint means all fields, whatever its hint says (2.8).
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
  if (plan.how === 'dynamic') checkForeign(node, c);
  if (plan.how !== 'direct' && plan.how !== 'construct') return;
  const fields = plan.how === 'construct' && plan.init === undefined ? plan.cls.constructorFields : undefined;
  const params = fields ?? (plan.how === 'construct' ? plan.init!.params : plan.fn.params);
  plan.slots.forEach((slot, i) => {
    const param = params[i];
    const arg = typeof slot === 'number' ? node.args[slot] : undefined;
    if (arg !== undefined && param !== undefined) check(param.name, param.type, arg.value, c);
  });
}

/** Literals that a function of TypeScript does not take. */
function checkForeign(node: ast.Call, c: RuleContext): void {
  const fn = calledFunction(believed(c.typeOf(node.callee)));
  if (fn === undefined || node.args.some(({ sort }) => sort !== 'positional')) return;
  node.args.forEach((arg, i) => {
    const actual = literalType(arg.value, c);
    const wrong = actual === undefined ? undefined : fn.misfit(arg, i, actual);
    if (actual === undefined || wrong === undefined) return;
    c.report('E0410', arg.value, { actual: typeText(actual), name: wrong.name, expected: typeText(wrong.type) });
  });
}
