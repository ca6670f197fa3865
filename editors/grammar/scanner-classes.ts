/** Classes of the tokens of a program as the compiler's scanner and parser have them: what a grammar of an editor is held to. */
import type * as ast from '../../lang/1-parse/ast.ts';
import { parse } from '../../lang/1-parse/parse.ts';
import * as t from '../../lang/1-parse/tokens.ts';
import { createReporter } from '../../lang/diagnostics.ts';
import {
  ATTRIBUTE,
  FOREIGN,
  scanTokens,
  TAG,
  TAG_CLOSE,
  TAG_END,
  TAG_SELF_END,
  TEXT,
  TEXT_COMMENT,
} from '../../lang/format/scan.ts';

/** `type` is a built-in type, `special` one of `self`, `here` and their kin, `soft` a word that is a keyword in
 * one place only, `word` a reserved word that the parser takes as a name. */
export type TokenClass =
  | 'keyword'
  | 'word'
  | 'soft'
  | 'special'
  | 'type'
  | 'name'
  | 'number'
  | 'string'
  | 'field'
  | 'operator'
  | 'punctuation'
  | 'comment'
  | 'tag'
  | 'attribute'
  | 'text'
  | 'foreign';

export interface ClassedToken {
  readonly start: number;
  readonly end: number;
  readonly class: TokenClass;
}

/** Tokens and comments of a text in their order; undefined where it has syntax errors, which no grammar can follow. */
export function scannerClasses(text: string): readonly ClassedToken[] | undefined {
  const source = { path: 'program.svc', text };
  const report = createReporter(source);
  const tree = parse(source, report);
  if (report.sorted().some(({ code }) => /^E01/.test(code))) return undefined;
  const names = new Set<number>();
  const fields: ast.FormatPart[] = [];
  collect(tree, names, fields);
  const found: ClassedToken[] = [];
  scan(text, tree, { names, fields }, found, 0, text.length);
  return found.sort((a, b) => a.start - b.start);
}

interface Known {
  /** Offsets of the words that the parser took as names. */
  readonly names: ReadonlySet<number>;
  readonly fields: readonly ast.FormatPart[];
}

function collect(tree: ast.Node, names: Set<number>, fields: ast.FormatPart[]): void {
  const open: unknown[] = [tree];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) open.push(...value.filter((item) => item !== null && item !== undefined));
    else if (typeof value === 'object' && value !== null) {
      const node = value as ast.Node;
      if (node.kind === 'Name' || node.kind === 'NameRef') names.add(node.start);
      if (node.kind === 'FormatPart') fields.push(node);
      open.push(...Object.values(value).filter((item) => typeof item === 'object' && item !== null));
    }
  }
}

/** Tokens of `tree`, which stands at `from` to `to`; the rest of the text is made blank. */
function scan(text: string, tree: ast.Node, known: Known, found: ClassedToken[], from: number, to: number): void {
  const blank = (part: string) => part.replace(/[^\n\r]/g, ' ');
  const alone = blank(text.slice(0, from)) + text.slice(from, to) + blank(text.slice(to));
  const tokens = scanTokens({ path: 'program.svc', text: alone }, tree);
  let behind = from;
  for (let i = 0; i <= tokens.count; i++) {
    const start = tokens.starts[i] ?? to;
    addComments(text, behind, start, found);
    if (i === tokens.count) break;
    const end = tokens.ends[i]!;
    const kind = tokens.kinds[i]!;
    if (kind === TEXT_COMMENT && text.charAt(start) === '{')
      found.push({ start: start + 1, end: end - 1, class: 'comment' });
    else if (kind === t.STRING) addString(text, { start, end }, known, found);
    else found.push({ start, end, class: classOf(kind, known.names.has(start) || text.charAt(start) === '`') });
    behind = end;
  }
}

function addComments(text: string, from: number, to: number, found: ClassedToken[]): void {
  for (const match of text.slice(from, to).matchAll(/#\*[\s\S]*?\*#|#[^\n\r]*/g))
    found.push({ start: from + match.index, end: from + match.index + match[0].length, class: 'comment' });
}

/** A literal; what stands in the fields of a formatted one is plain mode again. */
function addString(text: string, span: ast.Span, known: Known, found: ClassedToken[]): void {
  let at = span.start;
  const own = known.fields.filter(({ start, end }) => start >= span.start && end <= span.end);
  for (const part of own.sort((a, b) => a.start - b.start)) {
    if (part.start < at) continue;
    if (part.start > at) found.push({ start: at, end: part.start, class: 'string' });
    found.push({ start: part.start, end: part.start + 1, class: 'punctuation' });
    const { start, end } = part.expr;
    scan(text, part.expr, known, found, part.start + 1, Math.max(end, start));
    // `=`, `!r` and `:spec`, whose own fields are not looked into.
    if (part.end - 1 > end) found.push({ start: end, end: part.end - 1, class: 'field' });
    found.push({ start: part.end - 1, end: part.end, class: 'punctuation' });
    at = part.end;
  }
  if (at < span.end) found.push({ start: at, end: span.end, class: 'string' });
}

function classOf(kind: number, isName: boolean): TokenClass {
  if (kind <= t.LAST_WORD) {
    if (t.isSpecial[kind] === 1) return 'special';
    if (kind === t.BUILTIN_TYPE || kind === t.TYPE) return 'type';
    if (kind === t.NAME) return 'name';
    if (kind <= t.LAST_IDENTIFIER) return isName ? 'name' : 'soft';
    return isName ? 'word' : 'keyword';
  }
  if (kind === t.NUMBER) return 'number';
  if (kind === TAG || kind === TAG_END || kind === TAG_SELF_END || kind === TAG_CLOSE) return 'tag';
  if (kind === ATTRIBUTE) return 'attribute';
  if (kind === TEXT) return 'text';
  if (kind === TEXT_COMMENT) return 'comment';
  if (kind === FOREIGN) return 'foreign';
  return kind < t.QUESTION ? 'punctuation' : 'operator';
}
