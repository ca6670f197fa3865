import type { Module } from '../1-parse/ast.ts';
import { parse } from '../1-parse/parse.ts';
import { createReporter, type Diagnostic } from '../diagnostics.ts';
import { reportBug } from '../report-bug.ts';
import type { Source } from '../source.ts';
import { markModule } from './declarations.ts';
import { createLayout } from './layout.ts';
import { printLayout } from './print.ts';
import { isSameTree } from './same-tree.ts';
import { scanTokens } from './scan.ts';

export type Formatted =
  | { readonly kind: 'formatted'; readonly text: string }
  /** The text has syntax errors, or laying it out failed (E0999): nothing is laid out. */
  | { readonly kind: 'broken'; readonly diagnostics: readonly Diagnostic[] }
  /**
   * Result when the formatted text would not mean the same: a mistake of the formatter, which costs the author nothing.
   */
  | { readonly kind: 'unsafe' }
  /** Expressions in each other by the thousand. */
  | { readonly kind: 'deep' };

/** Width and indentation of all programs (decisions/0025). */
export const layoutWidth = 100;
const layoutIndent = 4;

/**
 * The text of a module in the one layout (docs/format.md). White space alone differs: the tokens and the comments stay as they are, each
 * in its place. What was laid out is parsed again and compared.
 */
export function formatSource(source: Source): Formatted {
  try {
    return settle(source);
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'deep' };
    const report = createReporter(source);
    reportBug({ id: source.path, source, reporterOf: () => report }, 'format', error);
    return { kind: 'broken', diagnostics: report.sorted() };
  }
}

const mayHoldMarkup = /<[A-Za-z_>@]/;

/** A function in an attribute that gets lines of its own changes how its tag is laid out, so markup is looked at again. */
function settle(source: Source): Formatted {
  let result = layOut(source);
  if (!mayHoldMarkup.test(source.text)) return result;
  for (let round = 0; round < 3 && result.kind === 'formatted'; round++) {
    const next = layOut({ path: source.path, text: result.text });
    if (next.kind !== 'formatted' || next.text === result.text) break;
    result = next;
  }
  return result;
}

function layOut(source: Source): Formatted {
  const before = read(source);
  if (before.errors.length > 0) return { kind: 'broken', diagnostics: before.errors };
  const layout = createLayout(scanTokens(source, before.tree));
  markModule(layout, before.tree);
  const text = printLayout(layout, { width: layoutWidth, indent: layoutIndent });
  const after = read({ path: source.path, text });
  const isSame = after.errors.length === 0 && isSameTree(before.tree, after.tree);
  return isSame ? { kind: 'formatted', text } : { kind: 'unsafe' };
}

/** Comments that silence a diagnostic do not hide a syntax error here. What is merely not supported (E09..) is laid out all the same. */
function read(source: Source): { readonly tree: Module; readonly errors: readonly Diagnostic[] } {
  const report = { ...createReporter(source), suppress: () => undefined };
  const tree = parse(source, report, undefined, true);
  const errors = report.sorted().filter(({ severity, code }) => severity === 'error' && !code.startsWith('E09'));
  return { tree, errors };
}
