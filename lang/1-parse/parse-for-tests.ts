/** Functions that the tests of the parser share: text in, printed tree and codes out. */
import { createReporter, type Diagnostic } from '../diagnostics.ts';
import type * as ast from './ast.ts';
import { parse, parseExpressionText } from './parse.ts';
import { printTree } from './print-tree.ts';

export interface Parsed<T> {
  readonly tree: T;
  readonly diagnostics: readonly Diagnostic[];
}

export function parseText(text: string): Parsed<ast.Module> {
  const source = { path: 'test.svc', text };
  const report = createReporter(source);
  const tree = parse(source, report);
  return { tree, diagnostics: report.sorted() };
}

/** Printed tree of an expression; diagnostics, if any, follow on lines of their own. */
export function expression(text: string): string {
  const source = { path: 'test.svc', text };
  const report = createReporter(source);
  const tree = parseExpressionText(source, report);
  return [printTree(tree), ...report.sorted().map(brief)].join('\n');
}

/** Printed elements of a module. */
export function elements(text: string): string {
  const { tree, diagnostics } = parseText(text);
  return [...tree.body.map(printTree), ...diagnostics.map(brief)].join('\n');
}

/** Printed statements of a function body. */
export function statements(text: string): string {
  const prefix = 'def f {';
  const { tree, diagnostics } = parseText(`${prefix}${text}\n}`);
  const [decl] = tree.body;
  const body = decl?.kind === 'FunctionDecl' && decl.body.kind === 'Block' ? decl.body.statements : [];
  const shift = ({ code, start, end }: Diagnostic) => `${code} ${start - prefix.length}-${end - prefix.length}`;
  return [...body.map(printTree), ...diagnostics.map(shift)].join('\n');
}

/** Codes found in a module, each with the text it points at. */
export function codes(text: string): string[] {
  return parseText(text).diagnostics.map(({ code, start, end }) => `${code} ${text.slice(start, end)}`.trimEnd());
}

/** Codes found in the body of a function, likewise. */
export function codesIn(body: string): string[] {
  return codes(`def f {\n${body}\n}`);
}

function brief({ code, start, end }: Diagnostic): string {
  return `${code} ${start}-${end}`;
}

/** Every node of a tree with its parent. */
export function* nodesOf(
  value: unknown,
  parent?: ast.Node,
): Generator<{ node: ast.Node; parent: ast.Node | undefined }> {
  if (Array.isArray(value)) {
    for (const item of value) yield* nodesOf(item, parent);
  } else if (value !== null && typeof value === 'object') {
    let owner = parent;
    if ('kind' in value) {
      owner = value as ast.Node;
      yield { node: owner, parent };
    }
    for (const field of Object.values(value)) yield* nodesOf(field, owner);
  }
}
