import type * as ast from '../1-parse/ast.ts';
import { forEachChild } from '../2-resolve/children.ts';
import type { ModuleBinding } from '../2-resolve/names.ts';
import type { ProjectNames } from '../2-resolve/resolve.ts';
import type { Project } from '../project.ts';

/**
 * Is the base of a class of module `id` a variable, of any module, or a class on one? Such a class is made at its place, when the variable has
 * its value.
 */
export function isLateBase(
  project: Project,
  names: ProjectNames,
  id: string,
  base: ast.Expression,
  seen = new Set<ast.Expression>(),
): boolean {
  if (seen.has(base)) return false;
  seen.add(base);
  const found = namedBy(project, names, id, base);
  if (found === undefined) return partsOf(base).some((part) => isLateBase(project, names, id, part, seen));
  if (found.role === 'entry' || found.role === 'glob') return true;
  const { decl, module } = found;
  const isLate = (other: ast.Expression) => isLateBase(project, names, module, other, seen);
  // A base made by a function is late when a name that the function reads is.
  if (decl?.kind === 'FunctionDecl') return namesIn(decl.body).some(isLate);
  return decl?.kind === 'Archetype' && decl.bases.some(isLate);
}

/**
 * Lists the expressions that must have their value before the base has: `xs` of `xs[1]`, `make` and `k` of `make(k)`;
 * of `Box[int]` the class alone.
 */
function partsOf(base: ast.Expression): readonly ast.Expression[] {
  if (base.kind === 'Attribute') return [base.object];
  if (base.kind === 'Index' && (base.object.kind === 'NameRef' || base.object.kind === 'Attribute'))
    return [base.object];
  return base.kind === 'NameRef' ? [] : namesIn(base);
}

function namesIn(node: ast.Node): readonly ast.NameRef[] {
  const found: ast.NameRef[] = [];
  const visit = (inner: ast.Node): void => {
    if (inner.kind === 'NameRef') found.push(inner);
    forEachChild(inner, visit);
  };
  visit(node);
  return found;
}

function namedBy(project: Project, names: ProjectNames, id: string, e: ast.Expression): ModuleBinding | undefined {
  if (e.kind === 'Attribute') {
    const outer = e.object.kind === 'NameRef' ? names.of(id).binding(e.object) : undefined;
    if (outer?.sort !== 'module' || outer.import?.of !== 'module' || !project.modules.has(outer.import.module))
      return undefined;
    return followed(names, names.of(outer.import.module).bindings.get(e.name.text));
  }
  const binding = e.kind === 'NameRef' ? names.of(id).binding(e) : undefined;
  return binding?.sort === 'module' ? followed(names, binding) : undefined;
}

function followed(names: ProjectNames, binding: ModuleBinding | undefined): ModuleBinding | undefined {
  return binding?.role === 'import' ? names.follow(binding) : binding;
}
