import type * as ast from '../1-parse/ast.ts';
import type { Rule, RuleContext } from './rule.ts';

/** E0502: a declaration whose body is nowhere (2.7, 2.9). */
export const unimplementedRule: Rule = {
  name: 'unimplemented',
  visit: {
    FunctionDecl: visitBody,
    Ability: visitBody,
    Archetype: visitType,
    EnumDecl: visitType,
    Accessor: visitAccessor,
  },
};

function visitBody(node: ast.FunctionDecl | ast.Ability, c: RuleContext): void {
  if (node.body.kind !== 'NoBody' || c.names.implOf(node) !== undefined) return;
  c.report('E0502', node.name ?? node, { name: nameOf(node.name, c) }, { blocking: false });
}

function visitType(node: ast.Archetype | ast.EnumDecl, c: RuleContext): void {
  if (node.members !== undefined || c.names.implOf(node) !== undefined || isSuperseded(node, c)) return;
  c.report('E0502', node.name, { name: nameOf(node.name, c) }, { blocking: false });
}

function visitAccessor(node: ast.Accessor, c: RuleContext): void {
  if (node.body === undefined && c.names.implOf(node) === undefined) {
    c.report('E0502', node, { name: nameOf(undefined, c) + node.sort }, { blocking: false });
  }
}

/** `obj A;` before `obj A { … }` is a forward declaration. */
function isSuperseded(node: ast.Archetype | ast.EnumDecl, c: RuleContext): boolean {
  return c.parent === c.module.tree && c.names.bindings.get(node.name.text)?.decl !== node;
}

function nameOf(name: ast.Name | undefined, c: RuleContext): string {
  const owner =
    c.parent.kind === 'Archetype' || c.parent.kind === 'EnumDecl' || c.parent.kind === 'HasItem'
      ? `${c.parent.name.text}.`
      : '';
  return owner + (name?.text ?? '');
}
