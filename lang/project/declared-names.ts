import { oncePer } from '../../base/once-per.ts';
import type * as ast from '../1-parse/ast.ts';

/**
 * Names that the declarations of module `id` bind, without those of entry blocks and of imports with `*`. What a package imports from itself is a
 * module below it, also for those it loads while it is initialised itself. Found once for a tree, which is of one module.
 */
export const declaredNames = oncePer((tree: ast.Module, id: string): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const element of tree.body) addNames(element, id, names);
  return names;
});

function isItself({ level, segments, quoted }: ast.ModulePath, id: string): boolean {
  if (quoted !== undefined) return false;
  const path = segments.map(({ text }) => text).join('.');
  return level === 0 ? path !== '' && `.${id}`.endsWith(`.${path}`) : level === 1 && path === '';
}

function addNames(element: ast.Element, id: string, names: Set<string>): void {
  switch (element.kind) {
    case 'PlacedBlock':
      for (const inner of element.body) addNames(inner, id, names);
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
        if (name !== undefined && (item.alias !== undefined || !isItself(element.path, id))) names.add(name.text);
      }
      return;
    case 'Include':
      if (element.alias !== undefined) names.add(element.alias.text);
      return;
    default:
  }
}
