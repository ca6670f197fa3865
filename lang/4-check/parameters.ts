import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import { receiverParam } from '../3-infer/functions/functions.ts';
import type { Rule, RuleContext } from './rule.ts';

/** W0401 (`svc check` only) and W0402: parameters without a type, defaults that all calls share; E0522: their order. */
export const parameterRule: Rule = { name: 'parameters', visit: { FunctionDecl: visit } };

/** W0656: a method of a `class` that uses `self` and has another first parameter, which is then what it was called on. */
export const receiverRule: Rule = {
  name: 'receivers',
  half: 'both',
  visit: {
    FunctionDecl(node, c) {
      const [first] = node.signature.params;
      const { name, body, mods, decorators } = node;
      if (c.owner?.kind !== 'class' || c.owner.decl !== c.parent || name === undefined || first?.name === undefined)
        return;
      if (mods.static || mods.class || decorators.length > 0 || first.sort !== 'plain' || body?.kind !== 'Block')
        return;
      if (first.name.text === 'self' || !containsNode(body, (one) => one.kind === 'SpecialRef' && one.word === 'self'))
        return;
      const help = `\`def ${name.text}(self, ${first.name.text}…)\`, or \`obj ${c.owner.name}\`, whose methods have \`self\` without writing it`;
      c.report('W0656', name, { m: name.text, p: first.name.text }, { help });
    },
  },
};

function visit(node: ast.FunctionDecl, c: RuleContext): void {
  checkOrder(node.signature.params, c);
  const record = c.types.functionRecord(node);
  const skipped = record && receiverParam(node, node.signature, record.info.receiver, record.owner);
  for (const param of node.signature.params) {
    const name = param.name?.text;
    const isClassToMake = node.name?.text === '__new__' && param === node.signature.params[0];
    if (name === undefined || param === skipped || isClassToMake || isReceiver(c, node, param)) continue;
    if (c.mode === 'check' && param.type === undefined && param.sort === 'plain') c.report('W0401', param, { p: name });
    if (param.value !== undefined && isMutable(param.value)) {
      c.report('W0402', param.value, { p: name }, { help: 'use `None` and make the value in the function' });
    }
  }
}

/** Checks the order of parameters: by position, one behind another with a default could not be left out. */
function checkOrder(params: readonly ast.Param[], c: RuleContext): void {
  let optional = false;
  for (const { sort, name, value } of params) {
    if (sort !== 'plain' && sort !== 'slash') return;
    if (value !== undefined) optional = true;
    else if (optional && name !== undefined) c.report('E0522', name, { form: 'param', name: name.text });
  }
}

/** Tells whether a parameter is the receiver of a function that a statement in the body of a class makes. */
function isReceiver(c: RuleContext, node: ast.FunctionDecl, param: ast.Param): boolean {
  if (node.name === undefined || param !== node.signature.params[0]) return false;
  const binding = c.names.binding(node.name);
  return binding.sort === 'local' && binding.scope.kind === 'class';
}

function isMutable(value: ast.Expression): boolean {
  if (value.kind === 'Call') {
    return (
      value.args.length === 0 && value.callee.kind === 'NameRef' && ['list', 'dict', 'set'].includes(value.callee.name)
    );
  }
  return (
    value.kind === 'ListExpr' || value.kind === 'DictExpr' || value.kind === 'SetExpr' || value.kind === 'Comprehension'
  );
}
