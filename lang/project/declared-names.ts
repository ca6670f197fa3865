import type * as ast from '../1-parse/ast.ts';

/** Names a module's own declarations bind, without those of entry blocks and of imports with `*`. */
export function declaredNames(tree: ast.Module): ReadonlySet<string> {
  const names = new Set<string>();
  for (const element of tree.body) addNames(element, names);
  return names;
}

function addNames(element: ast.Element, names: Set<string>): void {
  switch (element.kind) {
    case 'PlacedBlock':
      for (const inner of element.body) addNames(inner, names);
      return;
    case 'FunctionDecl':
    case 'Archetype':
    case 'EnumDecl':
    case 'TypeAlias':
      if (element.name !== undefined) names.add(element.name.text);
      return;
    case 'GlobDecl':
      for (const item of element.items) {
        names.add(item.name.text);
        for (const name of item.chained) names.add(name.text);
      }
      return;
    case 'ImportModules':
      for (const item of element.items) {
        const name = item.alias ?? item.path.segments[0];
        if (name !== undefined) names.add(name.text);
      }
      return;
    case 'ImportFrom':
      for (const item of element.items) {
        const name = item.alias ?? item.name;
        if (name !== undefined) names.add(name.text);
      }
      return;
    case 'Include':
      if (element.alias !== undefined) names.add(element.alias.text);
      return;
    default:
  }
}
