import { oncePer } from '../../base/once-per.ts';
import type * as ast from '../1-parse/ast.ts';
import { type Finding, findByWord } from '../2-resolve/find-by-word.ts';
import type { Source } from '../source.ts';

export type ImportNode = ast.ImportModules | ast.ImportFrom | ast.Include;

/** All import statements of a module in textual order; `nested` ones run when they are reached. Found once for a tree. */
export const findImports = oncePer(
  (tree: ast.Module, sourceOf: (element: ast.Node) => Source): readonly Finding<ImportNode>[] =>
    findByWord(tree, sourceOf, /\b(?:import|include)\b/g, isImport),
);

function isImport(node: ast.Node): node is ImportNode {
  return node.kind === 'ImportModules' || node.kind === 'ImportFrom' || node.kind === 'Include';
}
