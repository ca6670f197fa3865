/** One file of an analysed project, as an editor looks at it: the nodes around a place, and what is known of them. */
import type * as ast from '../1-parse/ast.ts';
import { forEachChild } from '../2-resolve/children.ts';
import type { Names } from '../2-resolve/names.ts';
import type { ModuleTypes } from '../3-infer/infer.ts';
import type { Type } from '../3-infer/types.ts';
import type { Analysis } from '../analysis.ts';
import type { ProjectModule } from '../project.ts';
import type { Source } from '../source.ts';

export interface View {
  readonly analysis: Analysis;
  readonly module: ProjectModule;
  /** The file: the module's own, or one of its annexes. */
  readonly source: Source;
  readonly names: Names;
}

/** A part of a file. */
export interface Place {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

/** A file outside of the project's modules, such as declarations of TypeScript: its absolute path and an offset in its text. */
export interface Outside {
  readonly file: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The view of the file with this path (as diagnostics show it); undefined when the project has no such file. */
export function viewOf(analysis: Analysis, path: string): View | undefined {
  for (const module of analysis.project.modules.values()) {
    const source = module.sources.find((one) => one.path === path);
    if (source !== undefined) return { analysis, module, source, names: analysis.names.of(module.id) };
  }
  return undefined;
}

/** Views of all files of the project. */
export function viewsOf(analysis: Analysis): readonly View[] {
  return [...analysis.project.modules.values()].flatMap((module) =>
    module.sources.map((source) => ({ analysis, module, source, names: analysis.names.of(module.id) })),
  );
}

/** The elements written in the file, in order. */
export function elementsOf({ module, source }: View): readonly ast.Element[] {
  return module.tree.body.filter((element) => module.sourceOf(element) === source);
}

/** Children that count: the body of an `impl` is read as statements or as members, of which one is meant. */
export function childrenOf(view: Pick<View, 'names'>, node: ast.Node): readonly ast.Node[] {
  const found: ast.Node[] = [];
  if (node.kind !== 'ImplDecl') {
    forEachChild(node, (child) => found.push(child));
    return found;
  }
  const { decorators, target, signature, bases, event, body } = node;
  const decl = view.names.declOf(node);
  const inside =
    decl?.kind === 'EnumDecl'
      ? (body.enumMembers ?? [])
      : decl?.kind === 'Archetype'
        ? (body.members ?? [])
        : [body.block ?? body.by].filter((one) => one !== undefined);
  found.push(...decorators, ...target, ...(bases ?? []), ...inside);
  if (signature !== undefined) found.push(signature);
  if (event !== undefined) found.push(event);
  return found;
}

/** Offset that belongs to the word at or just before `offset`: a cursor behind a word means the word. */
export function probeAt(text: string, offset: number): number {
  const isWord = (at: number) => /[\w]/.test(text.charAt(at));
  return !isWord(offset) && offset > 0 && isWord(offset - 1) ? offset - 1 : offset;
}

/** Nodes around an offset, the outermost first. Empty between declarations. */
export function pathAt(view: View, offset: number): readonly ast.Node[] {
  const path: ast.Node[] = [];
  let among: readonly ast.Node[] = elementsOf(view);
  for (;;) {
    const next =
      among.find((node) => node.start <= offset && offset < node.end) ??
      among.findLast((node) => node.start <= offset && offset === node.end);
    if (next === undefined) return path;
    path.push(next);
    among = childrenOf(view, next);
  }
}

/**
 * Nodes around an offset, and those before it that are not complete: behind the end of what is written, the cursor is still in every block,
 * list or argument list that nobody has closed.
 */
export function openPathAt(view: View, offset: number): readonly ast.Node[] {
  const { text } = view.source;
  const path = pathAt(view, offset);
  const end = text.slice(0, offset).trimEnd().length;
  if (end === offset || end === 0) return path;
  const before = pathAt(view, end);
  if (before.length <= path.length || path.some((node, i) => before[i] !== node)) return path;
  const open = before.findLastIndex((node) => isOpen(text.slice(node.start, end)));
  return open < path.length ? path : before.slice(0, open + 1);
}

/** Has a text brackets that are not closed? Those in texts and comments do not count. */
function isOpen(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(
    /"""[\s\S]*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'|#[^\n]*|[([{]|[)\]}]/g,
  ))
    if ('([{'.includes(token)) depth++;
    else if (')]}'.includes(token)) depth--;
  return depth > 0;
}

/** Visits every node of the file, an outer one before those in it. Long chains are deep trees: this does not call itself. */
export function forEachNode(view: View, visit: (node: ast.Node, element: ast.Element) => void): void {
  for (const element of elementsOf(view)) {
    const waiting: ast.Node[] = [element];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      visit(at, element);
      const children = childrenOf(view, at);
      for (let i = children.length - 1; i >= 0; i--) waiting.push(children[i]!);
    }
  }
}

/** Types of the half that an element belongs to: those of the browser for what only a browser has. */
export function typesAt(view: View, element: ast.Node | undefined): ModuleTypes {
  const { analysis, module } = view;
  return (isOfBrowserHalf(view, element) ? analysis.browser! : analysis).types.of(module.id);
}

/** The same, of which nothing but the element need be known. */
export function typesWithin(view: View, element: ast.Node | undefined): ModuleTypes {
  if (element === undefined) return typesAt(view, element);
  const { analysis, module } = view;
  return analysis.typesFor(module.id, element, isOfBrowserHalf(view, element)).of(module.id);
}

/** Is an element only in the browser? */
export function isOfBrowserHalf({ analysis, names }: View, element: ast.Node | undefined): boolean {
  return element !== undefined && !names.isServer(element) && analysis.browser?.plan.isHere(element) === true;
}

/** The element of the module that the path leads into: the first that is no block with a placement. */
export function elementIn(path: readonly ast.Node[]): ast.Node | undefined {
  return path.find((node) => node.kind !== 'PlacedBlock');
}

/** A type without what is said of how sure it is: the type that a declaration of TypeScript gives counts as the type. */
export function shownType(type: Type): Type {
  return type.t === 'any' && type.claim !== undefined ? type.claim : type;
}

const homes = new WeakMap<ast.Node, Source>();

/** The file a node of a module was written in. */
export function sourceOfNode(module: ProjectModule, node: ast.Node): Source {
  if (module.sources.length === 1) return module.source;
  const known = homes.get(node);
  if (known !== undefined) return known;
  for (const element of module.tree.body) {
    if (element.start > node.start || element.end < node.end || !holds(element, node)) continue;
    const source = module.sourceOf(element);
    homes.set(node, source);
    return source;
  }
  return module.source;
}

function holds(outer: ast.Node, node: ast.Node): boolean {
  const waiting: ast.Node[] = [outer];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at === node) return true;
    forEachChild(at, (child) => {
      if (child.start <= node.start && node.end <= child.end) waiting.push(child);
    });
  }
  return false;
}
