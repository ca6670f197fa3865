import type * as ast from '../1-parse/ast.ts';
import type { ClassInfo, Type } from '../3-infer/types.ts';
import type { RuleContext } from './rule.ts';

/** A syntax error in the text of the class, or of one it is derived from, may have cost it members. */
export function isDamaged(cls: ClassInfo, c: RuleContext): boolean {
  return [cls, ...cls.bases].some(({ decl, module }) => decl !== undefined && isBroken(decl, module, c));
}

/** The same for what is called, and its parameters. */
export function isDamagedCallee(type: Type, c: RuleContext): boolean {
  if (type.t === 'class' || type.t === 'instance') return isDamaged(type.cls, c);
  if (type.t !== 'function' && type.t !== 'method') return false;
  const { decl, module } = type.fn;
  return decl !== undefined && isBroken(decl, module, c);
}

function isBroken(decl: ast.Node, module: string, c: RuleContext): boolean {
  const home = c.project.modules.get(module);
  return home?.sources.some((source) => home.reporterOf(source).isBroken(decl)) === true;
}
