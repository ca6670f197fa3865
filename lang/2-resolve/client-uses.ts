import type * as ast from '../1-parse/ast.ts';
import type { ProjectModule } from '../project.ts';
import type { Source } from '../source.ts';
import type { ClientPlan, Placed } from './client-plan.ts';
import { type EndpointPath, endpointOfPath } from './mentions.ts';
import { importedNames } from './module-bindings.ts';
import type { ModuleBinding, Names } from './names.ts';

/** A function or walker of the server that client code names. */
export interface ClientUse {
  readonly declared: ModuleBinding;
  /** Node that names it first: in an import of the client, or in its code. */
  readonly node: ast.Node;
  readonly how: 'imports' | 'calls';
  readonly source: Source;
  readonly module: ProjectModule;
}

interface Asked {
  readonly modules: ReadonlyMap<string, ProjectModule>;
  readonly entry: string;
  namesOf(module: string): Names;
  follow(binding: ModuleBinding): ModuleBinding | undefined;
  readonly plan: ClientPlan;
}

/**
 * Finds every server function that client code of the program asks for, once each, by declaration: a client has no
 * other way to a function than a call over the network (docs/language/client.md#calls-to-the-server). What an import
 * with `*` brings counts where it is named, and the path of a function or walker, `fetch("/function/total")`, as a call.
 */
export function findClientUses(asked: Asked): ReadonlyMap<ast.Node, ClientUse> {
  const found = new Map<ast.Node, ClientUse>();
  for (const module of asked.modules.values()) {
    const elements = asked.plan.elements.get(module.id) ?? [];
    if (elements.length === 0) continue;
    const own = new Set(elements.flatMap((element) => declaredNames(module, element)));
    for (const element of elements) visitElement(element, { asked, module, own, found });
  }
  return found;
}

interface Visit {
  readonly asked: Asked;
  readonly module: ProjectModule;
  /** Names that mean something of the client in client code, whatever the server calls so. */
  readonly own: ReadonlySet<string>;
  readonly found: Map<ast.Node, ClientUse>;
}

function declaredNames(module: ProjectModule, element: Placed): readonly string[] {
  switch (element.kind) {
    case 'GlobDecl':
      return element.items.flatMap((item) => [item.name, ...item.chained].map(({ text }) => text));
    case 'ImportModules':
    case 'ImportFrom':
    case 'Include':
      return importedNames(module, element).map(([{ text }]) => text);
    default:
      return 'name' in element && element.name !== undefined ? [element.name.text] : [];
  }
}

function visitElement(element: Placed, v: Visit): void {
  const names = v.asked.namesOf(v.module.id);
  const source = v.module.sourceOf(element);
  const note = (binding: ModuleBinding | undefined, node: ast.Node, how: ClientUse['how']): void => {
    const declared = binding?.role === 'import' ? v.asked.follow(binding) : binding;
    const decl = declared?.decl;
    if (declared === undefined || decl === undefined || v.found.has(decl) || !isOffered(declared, v.asked)) return;
    v.found.set(decl, { declared, node, how, source, module: v.module });
  };
  if (element.kind === 'ImportFrom' && !element.typeOnly) {
    const { targets } = names.importPlan(element);
    element.items.forEach((item, i) => {
      const target = targets[i];
      if (target?.of === 'member')
        note(v.asked.namesOf(target.module).bindings.get(target.member), item.name ?? item, 'imports');
    });
    return;
  }
  for (const node of names.mentions(element).named) {
    if (node.kind === 'NameRef') note(meant(node, names, v), node, 'calls');
    else {
      const whole = meant(node.object, names, v)?.import;
      if (whole?.of === 'module') note(v.asked.namesOf(whole.module).bindings.get(node.name.text), node.name, 'calls');
    }
  }
  for (const node of names.mentions(element).paths)
    note(declaredAt(endpointOfPath(node.value)!, v.asked), node, 'calls');
}

/** Finds what the started file knows by a name, else the only function or walker of the program that is called so (docs/decisions/0930). */
function declaredAt({ kind, name }: EndpointPath, { entry, modules, namesOf }: Asked): ModuleBinding | undefined {
  if (name === undefined) return undefined;
  const known = namesOf(entry).bindings.get(name);
  if (known !== undefined) return known;
  const found = [...modules.keys()].flatMap((id) => namesOf(id).bindings.get(name) ?? []);
  const declared = found.filter((one) => (kind === 'function' ? one.role === 'function' : isWalker(one)));
  return declared.length === 1 ? declared[0] : undefined;
}

function meant(node: ast.NameRef, names: Names, { own }: Visit): ModuleBinding | undefined {
  const binding = names.binding(node);
  if (binding.sort !== 'module') return undefined;
  return binding.role === 'import' || !own.has(binding.name) ? binding : undefined;
}

function isOffered({ role, decl, module }: ModuleBinding, asked: Asked): boolean {
  if (decl === undefined || !asked.namesOf(module).isServer(decl) || asked.plan.isHere(decl)) return false;
  return role === 'function' || isWalker({ decl });
}

function isWalker({ decl }: Pick<ModuleBinding, 'decl'>): boolean {
  return decl?.kind === 'Archetype' && decl.archetype === 'walker';
}
