/** Walkers and functions that client code uses without importing them (docs/language/client.md#calls-to-the-server). */
import type * as ast from '../1-parse/ast.ts';
import { NodeMap } from '../node-map.ts';
import type { Project, ProjectModule } from '../project.ts';
import type { Built, Finding } from './build-scopes.ts';
import { forEachChild } from './children.ts';
import type { Declared } from './module-bindings.ts';
import type { Binding, ModuleBinding } from './names.ts';
import { makeModuleRecord } from './records.ts';

type AllDeclared = ReadonlyMap<string, Declared>;
type Follow = (binding: ModuleBinding) => ModuleBinding | undefined;

/** Finds a walker by its name: that of the entry module, else the only one so called. */
export type FindWalker = (name: string) => ModuleBinding | undefined;

/** Makes the search, which reads the program when it is first asked. */
export function walkerFinder({ entry }: Project, all: AllDeclared, follow: Follow): FindWalker {
  let byName: Map<string, ModuleBinding | undefined> | undefined;
  const readAll = () => {
    const found = new Map<string, ModuleBinding | undefined>();
    for (const { bindings } of all.values())
      for (const binding of bindings.values())
        if (isWalker(binding)) found.set(binding.name, found.has(binding.name) ? undefined : binding);
    return found;
  };
  return (name) => {
    const ofEntry = all.get(entry)?.bindings.get(name);
    const walker = ofEntry && follow(ofEntry);
    return walker !== undefined && isWalker(walker) ? walker : (byName ??= readAll()).get(name);
  };
}

function isWalker({ decl }: ModuleBinding): boolean {
  return decl?.kind === 'Archetype' && decl.archetype === 'walker';
}

/**
 * Gives the bindings, as of imports, of names that nothing in their module declares: of walkers in spawns, and in
 * `X.cl.svc` of the functions of `X.svc` beside it, whose bindings are `beside`. Undefined where there are none.
 */
export function bindUnimported(
  { id, placement, tree }: ProjectModule,
  { spawned, uses, findings }: Built,
  find: FindWalker,
  beside: ReadonlyMap<string, ModuleBinding> | undefined,
): NodeMap<Binding> | undefined {
  let found: NodeMap<Binding> | undefined;
  for (const { node, element } of spawned) {
    const place = placement.get(element);
    if (place?.client !== true && place?.inferred !== true) continue;
    if (uses.get(node)?.binding?.sort !== 'unresolved') continue;
    const walker = find(node.name);
    if (walker === undefined) continue;
    const target = { of: 'member', module: walker.module, member: walker.name } as const;
    found ??= new NodeMap();
    found.set(node, makeModuleRecord(id, node.name, 'import', undefined, undefined, target));
  }
  const visit = (node: ast.Node): void => {
    const declared = node.kind === 'NameRef' ? beside?.get(node.name) : undefined;
    if (declared?.role === 'function' && uses.get(node)?.binding?.sort === 'unresolved') {
      const target = { of: 'member', module: declared.module, member: declared.name } as const;
      found ??= new NodeMap();
      found.set(node, makeModuleRecord(id, declared.name, 'import', undefined, undefined, target));
    }
    forEachChild(node, visit);
  };
  const isBeside = ({ code, params }: Finding) => code === 'E0301' && beside!.has(String(params?.['name']));
  if (beside !== undefined && findings.some(isBeside)) visit(tree);
  return found;
}

/** Gives the names of a spawn that may be those of walkers. */
export function namesInSpawn({ left, right }: ast.Spawn): readonly ast.NameRef[] {
  return [left, right].flatMap((side) => {
    const name = side?.kind === 'Call' ? side.callee : undefined;
    return name?.kind === 'NameRef' ? [name] : [];
  });
}
