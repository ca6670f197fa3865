/** Parts of a file that fold, and ever larger selections around a cursor. */
import type * as ast from '../1-parse/ast.ts';
import { elementsOf, forEachNode, pathAt, probeAt, type View } from './view.ts';

export interface Fold {
  readonly start: number;
  readonly end: number;
  readonly kind: 'code' | 'comment' | 'imports';
}

/** Blocks, lists over several lines, long texts, comments over several lines, and the imports at the head. */
export function foldsOf(view: View): readonly Fold[] {
  const { text } = view.source;
  const found = new Map<number, Fold>();
  const add = (start: number, end: number, kind: Fold['kind']) => {
    if (text.slice(start, end).includes('\n') && !found.has(start)) found.set(start, { start, end, kind });
  };
  const imports = elementsOf(view).filter(
    ({ kind }) => kind === 'ImportFrom' || kind === 'ImportModules' || kind === 'Include',
  );
  if (imports.length > 1) add(imports[0]!.start, imports.at(-1)!.end, 'imports');
  forEachNode(view, (node) => {
    if (folding.has(node.kind)) add(node.start, node.end, 'code');
    if ('doc' in node && node.doc !== undefined) add(node.doc.start, node.doc.end, 'comment');
  });
  for (const match of text.matchAll(/#\*[\s\S]*?\*#|(?:^[ \t]*#[^\n]*\n){2,}/gm))
    add(match.index, match.index + match[0].trimEnd().length, 'comment');
  return [...found.values()].sort((a, b) => a.start - b.start);
}

const folding: ReadonlySet<ast.Node['kind']> = new Set([
  'Archetype',
  'EnumDecl',
  'FunctionDecl',
  'Ability',
  'EntryBlock',
  'TestBlock',
  'ImplDecl',
  'PlacedBlock',
  'IfStatement',
  'WhileStatement',
  'ForIn',
  'ForCount',
  'TryStatement',
  'WithStatement',
  'MatchStatement',
  'SwitchStatement',
  'Lambda',
  'ListExpr',
  'DictExpr',
  'SetExpr',
  'TupleExpr',
  'Call',
  'Markup',
  'StringLiteral',
  'Joined',
  'ImportFrom',
]);

/** Spans around the cursor, the smallest first, each within the next. */
export function selectionsAt(view: View, offset: number): readonly ast.Span[] {
  const found: ast.Span[] = [];
  const path = pathAt(view, probeAt(view.source.text, offset));
  for (const { start, end } of [...path].reverse()) {
    const inner = found.at(-1);
    const isLarger =
      inner === undefined || (start <= inner.start && inner.end <= end && (start < inner.start || inner.end < end));
    if (isLarger && start <= offset && offset <= end) found.push({ start, end });
  }
  const whole = { start: 0, end: view.source.text.length };
  const last = found.at(-1);
  if (last === undefined || last.start > 0 || last.end < whole.end) found.push(whole);
  return found;
}
