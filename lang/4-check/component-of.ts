import type * as ast from '../1-parse/ast.ts';
import { conventionOf, isComponent } from '../2-resolve/components.ts';
import type { RuleContext } from './rule.ts';

/** The component of the program that a tag or callee names; undefined where it may be another function. */
export function componentOf(e: ast.Expression, c: RuleContext): ast.FunctionDecl | undefined {
  const decl = e.kind === 'Attribute' ? memberOf(e, c) : e.kind === 'NameRef' ? namedBy(e, c) : undefined;
  return decl?.kind === 'FunctionDecl' && decl.decorators.length === 0 && isComponent(decl) ? decl : undefined;
}

/** The component whose properties a call gives as an object, which `svc check` looks at where it is a tag. */
export function calledComponent({ callee }: ast.Call, c: RuleContext): ast.FunctionDecl | undefined {
  const decl = c.half === 'client' ? componentOf(callee, c) : undefined;
  return decl !== undefined && conventionOf(decl, c.client!.plan) !== 'positions' ? decl : undefined;
}

function namedBy(e: ast.NameRef, c: RuleContext): ast.Node | undefined {
  const binding = c.names.binding(e);
  if (binding.sort === 'local') {
    if (binding.import?.of === 'member')
      return c.projectNames.of(binding.import.module).bindings.get(binding.import.member)?.decl;
    return binding.role === 'def' && !binding.reassigned ? binding.decl : undefined;
  }
  if (binding.sort !== 'module' || binding.reassigned) return undefined;
  return binding.role === 'import' ? c.projectNames.follow(binding)?.decl : binding.decl;
}

/** `ui.Card` of a module. */
function memberOf({ object, name }: ast.Attribute, c: RuleContext): ast.Node | undefined {
  const binding = object.kind === 'NameRef' ? c.names.binding(object) : undefined;
  if (binding?.sort !== 'module' || binding.import?.of !== 'module') return undefined;
  const member = c.projectNames.of(binding.import.module).bindings.get(name.text);
  return member?.role === 'import' ? c.projectNames.follow(member)?.decl : member?.decl;
}
