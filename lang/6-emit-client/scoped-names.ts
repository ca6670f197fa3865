/** Class names of a module that has a scoped sheet, as its markup writes them. */
import type * as ast from '../1-parse/ast.ts';
import { quote } from '../5-emit/identifiers.ts';
import { dirName, joinPath, pathBelow } from '../project/paths.ts';
import type { Unit } from './cx.ts';
import { classesOf, scopedClasses, scopeOf } from './scoped-classes.ts';

interface Scope {
  readonly suffix: string;
  readonly classes: ReadonlySet<string>;
}

const scopes = new WeakMap<Unit, Scope>();

/** The code of a `className` that is written as text; undefined for others, and in modules without a scoped sheet. */
export function scopedClassName(u: Unit, value: ast.Expression | undefined): string | undefined {
  const { sheet } = u.module;
  if (sheet === undefined || value?.kind !== 'StringLiteral') return undefined;
  let scope = scopes.get(u);
  if (scope === undefined)
    scopes.set(u, (scope = { suffix: scopeOf(sheetPath(u, sheet.name)), classes: classesOf(sheet.text) }));
  return quote(scopedClasses(value.value, scope.suffix, scope.classes));
}

/** The sheet from the project root, by which its suffix is made. */
function sheetPath(u: Unit, name: string): string {
  const path = joinPath(dirName(u.module.path), name);
  return pathBelow(path, u.link.root) ?? path;
}
