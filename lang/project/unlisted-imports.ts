/**
 * Imports of modules of the language that are no import statements of it: `import("./Later.svc")` in client code, and those that scripts of the
 * program write.
 */
import { oncePer } from '../../base/once-per.ts';
import type * as ast from '../1-parse/ast.ts';
import { findByWord } from '../2-resolve/find-by-word.ts';
import type { Source } from '../source.ts';

/** Paths that calls of `import` with a text name, in textual order: code that is loaded when it is reached. Found once for a tree. */
export const calledImports = oncePer((tree: ast.Module, sourceOf: (element: ast.Node) => Source): readonly string[] =>
  findByWord(tree, sourceOf, /\bimport\s*\(/g, isImportCall).flatMap(({ node }) => {
    const [first] = node.args;
    return first?.value.kind === 'StringLiteral' ? [first.value.value] : [];
  }),
);

function isImportCall(node: ast.Node): node is ast.Call {
  return node.kind === 'Call' && node.callee.kind === 'NameRef' && node.callee.name === 'import';
}

/** Paths and names that a script imports, at once or later; names of types alone are among them. */
export function scriptImports(text: string): readonly string[] {
  return Array.from(text.matchAll(imports), ([, , path]) => path!);
}

const imports = /\b(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g;

export const isScript = (path: string): boolean => /\.[mc]?[jt]sx?$/.test(path);
