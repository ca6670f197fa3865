import type * as ast from '../1-parse/ast.ts';

/** The documentation that stands at a declaration. */
export function docOf(decl: ast.Node | undefined): string | undefined {
  return decl !== undefined && 'doc' in decl ? decl.doc?.value.trim() : undefined;
}
