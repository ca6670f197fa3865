/** Things that names stand for: declarations of the program, built-ins, modules of the library and of packages. */
import type * as ast from '../1-parse/ast.ts';
import { isComponent } from '../2-resolve/components.ts';
import type { LocalBinding, ModuleBinding } from '../2-resolve/names.ts';
import type { ClassInfo } from '../3-infer/types.ts';
import type { ModuleTarget } from '../project.ts';
import { firstDeclared, type Member, memberOf } from './members.ts';
import type { View } from './view.ts';

export type Meaning =
  | { readonly of: 'local'; readonly binding: LocalBinding; readonly module: string }
  | { readonly of: 'module-name'; readonly binding: ModuleBinding }
  | { readonly of: 'member'; readonly member: Member; readonly first: Member }
  | { readonly of: 'builtin'; readonly name: string }
  | { readonly of: 'method'; readonly receiver: string; readonly name: string }
  | { readonly of: 'project-module'; readonly id: string }
  | { readonly of: 'standard'; readonly module: string; readonly member: string | undefined }
  | { readonly of: 'js'; readonly specifier: string; readonly member: string | undefined }
  | { readonly of: 'special'; readonly word: ast.SpecialRef['word'] }
  /** A member of a value whose type is not known, or an argument of such a call, with the name of what is called. */
  | { readonly of: 'guess'; readonly name: string; readonly callee?: string };

/** The callee of calls of values that are no members: a function that another gave, or that a list holds. */
export const valueCalled = '()';

/** The key that tells meanings apart: the same object or text for the same thing. */
export function keyOf(meaning: Meaning): unknown {
  switch (meaning.of) {
    case 'local':
      return meaning.binding;
    case 'module-name':
      return meaning.binding;
    case 'member':
      return meaning.first.node;
    case 'builtin':
      return `builtin ${meaning.name}`;
    case 'method':
      return `method ${meaning.receiver}.${meaning.name}`;
    case 'project-module':
      return `module ${meaning.id}`;
    case 'standard':
      return `standard ${meaning.module}.${meaning.member}`;
    case 'js':
      return `js ${meaning.specifier} ${meaning.member}`;
    case 'special':
      return `special ${meaning.word}`;
    case 'guess':
      return `guess ${meaning.callee ?? ''}.${meaning.name}`;
  }
}

/** The meaning of a reference by name. */
export function bindingMeaningOf(view: View, node: ast.Name | ast.NameRef): readonly Meaning[] {
  return meaningOfBinding(view, view.names.binding(node));
}

/** The meaning of a binding, through imports to where it is declared. */
export function meaningOfBinding(view: View, binding: ReturnType<View['names']['binding']>): readonly Meaning[] {
  const { names } = view.analysis;
  if (binding.sort === 'unresolved') return [];
  if (binding.sort === 'builtin') return [{ of: 'builtin', name: binding.name }];
  if (binding.sort === 'local') {
    if (binding.import !== undefined) return targetMeaning(view, binding.import, binding);
    if (binding.scope.kind === 'class') return classAttribute(view, binding);
    return [{ of: 'local', binding, module: view.module.id }];
  }
  if (binding.role !== 'import') return [{ of: 'module-name', binding }];
  const end = names.follow(binding);
  if (end !== undefined && end.role !== 'import') return [{ of: 'module-name', binding: end }];
  return binding.import === undefined ? [] : targetMeaning(view, binding.import, binding);
}

function classAttribute(view: View, binding: LocalBinding): readonly Meaning[] {
  const { node } = binding.scope;
  if (node.kind !== 'Archetype' && node.kind !== 'EnumDecl') return [];
  const cls = view.analysis.types.of(view.module.id).classOf(node);
  const found = memberMeanings([cls], binding.name);
  return found.length > 0 ? found : [{ of: 'local', binding, module: view.module.id }];
}

export function targetMeaning(
  view: View,
  target: NonNullable<ModuleBinding['import']>,
  binding: LocalBinding | ModuleBinding,
): readonly Meaning[] {
  const end = view.analysis.names.origin(target) ?? target;
  switch (end.of) {
    case 'module':
      return [{ of: 'project-module', id: end.module }];
    case 'member': {
      const found = view.analysis.project.modules.has(end.module)
        ? view.analysis.names.of(end.module).bindings.get(end.member)
        : undefined;
      const last = found && view.analysis.names.follow(found);
      return last === undefined ? [] : [{ of: 'module-name', binding: last }];
    }
    case 'builtin':
      return [{ of: 'standard', module: end.module, member: end.member }];
    case 'js':
      return [{ of: 'js', specifier: end.specifier, member: end.member }];
    default:
      return binding.sort === 'local' ? [{ of: 'local', binding, module: view.module.id }] : [];
  }
}

/** Members of this name that classes have, each with where it was declared first. */
export function memberMeanings(classes: readonly ClassInfo[], name: string): readonly Meaning[] {
  return classes.flatMap((cls): readonly Meaning[] => {
    const member = memberOf(cls, name);
    return member === undefined ? [] : [{ of: 'member', member, first: firstDeclared(cls, name) ?? member }];
  });
}

export function moduleMember(view: View, id: string, name: string): readonly Meaning[] {
  const module = view.analysis.project.modules.get(id);
  if (module === undefined) return [];
  const binding = view.analysis.names.of(id).bindings.get(name);
  if (binding === undefined) {
    const below = module.submodules.get(name);
    return below === undefined ? [] : [{ of: 'project-module', id: below }];
  }
  return meaningOfBinding({ ...view, module, names: view.analysis.names.of(id) }, binding);
}

export function moduleMeaning(target: ModuleTarget | undefined): Meaning | undefined {
  if (target?.of === 'project') return { of: 'project-module', id: target.id };
  if (target?.of === 'standard') return { of: 'standard', module: target.name, member: undefined };
  if (target?.of === 'js') return { of: 'js', specifier: target.path ?? target.specifier, member: undefined };
  return undefined;
}

/** A parameter of a function as its own text binds it. */
export function parameterMeaning(
  view: View,
  module: string,
  decl: ast.Node | undefined,
  name: string,
): readonly Meaning[] {
  if (decl === undefined || (decl.kind !== 'FunctionDecl' && decl.kind !== 'Lambda')) return [];
  if (!view.analysis.project.modules.has(module)) return [];
  const names = view.analysis.names.of(module);
  const binding = names.scope(decl).locals.get(name);
  return binding === undefined ? [] : [{ of: 'local', binding, module }];
}

/** The function that a tag names, when it is a component of the project. */
export function componentOf(
  view: View,
  tag: ast.NameRef,
): { readonly decl: ast.FunctionDecl; readonly module: string } | undefined {
  const [meaning] = meaningOfBinding(view, view.names.binding(tag));
  const decl = meaning === undefined ? undefined : declOf(meaning);
  if ((meaning?.of !== 'module-name' && meaning?.of !== 'local') || decl?.kind !== 'FunctionDecl') return undefined;
  return isComponent(decl) || view.analysis.browser?.plan.tags.has(decl) === true
    ? { decl, module: meaning.of === 'local' ? meaning.module : meaning.binding.module }
    : undefined;
}

/** The node that declares what is meant; undefined for what no text of the project declares, and for plain variables. */
export function declOf(meaning: Meaning): ast.Node | undefined {
  if (meaning.of === 'member') return meaning.member.node;
  return meaning.of === 'local' || meaning.of === 'module-name' ? meaning.binding.decl : undefined;
}
