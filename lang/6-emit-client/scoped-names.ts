/** Class names of a module that has a scoped sheet, as its markup writes them. */
import type * as ast from '../1-parse/ast.ts';
import { dirName, joinPath, pathBelow } from '../project/paths.ts';
import type { Unit } from './cx.ts';
import { classesOf, type Joints, scopedClasses, scopeOf } from './scoped-classes.ts';

interface Scope {
  readonly suffix: string;
  readonly classes: ReadonlySet<string>;
}

const scopes = new WeakMap<Unit, Scope>();

/**
 * Notes the texts of a `className` that name classes of the module's scoped sheet, for who writes them: the text itself, texts that are joined with
 * others or chosen by a condition, and arguments of the functions that join classes. Nothing in modules without such a sheet.
 */
export function scopeClassName(u: Unit, value: ast.Expression | undefined): void {
  const { sheet } = u.module;
  if (sheet === undefined || value === undefined) return;
  let scope = scopes.get(u);
  if (scope === undefined)
    scopes.set(u, (scope = { suffix: scopeOf(sheetPath(u, sheet.name)), classes: classesOf(sheet.text) }));
  noteTexts(u, scope, value, whole);
}

const whole: Joints = { start: false, end: false };
const joining = /^(cn|cx|clsx|class\w*|tw\w*)$/i;

function noteTexts(u: Unit, scope: Scope, e: ast.Expression, joints: Joints): void {
  const visit = (one: ast.Expression, at: Joints = whole) => noteTexts(u, scope, one, at);
  switch (e.kind) {
    case 'StringLiteral':
      u.scopedTexts.set(e, scopedClasses(e.value, scope.suffix, scope.classes, joints));
      return;
    case 'Joined':
      for (const [i, part] of e.parts.entries()) {
        const at = { start: joints.start || i > 0, end: joints.end || i < e.parts.length - 1 };
        visit(part.kind === 'StringLiteral' ? part : part.expr, at);
      }
      return;
    case 'Binary':
      if (e.op !== '+') return;
      visit(e.left, { ...joints, end: true });
      visit(e.right, { ...joints, start: true });
      return;
    case 'Conditional':
      visit(e.then, joints);
      visit(e.orElse, joints);
      return;
    case 'Logical':
      visit(e.right, joints);
      if (e.op === 'or') visit(e.left, joints);
      return;
    case 'ListExpr':
      for (const item of e.items) visit(item);
      return;
    case 'DictExpr':
      for (const { key } of e.entries) if (key?.kind === 'StringLiteral') visit(key);
      return;
    case 'Call':
      if (e.callee.kind === 'NameRef' && joining.test(e.callee.name)) for (const { value } of e.args) visit(value);
      return;
    default:
  }
}

/** The sheet from the project root, by which its suffix is made. */
function sheetPath(u: Unit, name: string): string {
  const path = joinPath(dirName(u.module.path), name);
  return pathBelow(path, u.link.root) ?? path;
}
