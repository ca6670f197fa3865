/** Imports and includes (docs/language/imports.md#imports). */
import type {
  ImportFrom,
  ImportItem,
  ImportModuleItem,
  ImportModules,
  Include,
  ModulePath,
  Name,
  StringLiteral,
} from './ast.ts';
import { complain, describe, fail, failExpected } from './complain.ts';
import type { Head } from './functions.ts';
import { next } from './lexer.ts';
import { peek } from './look-ahead.ts';
import { warnOld } from './old-spellings.ts';
import type { Parser } from './parser.ts';
import { closeBracket, continuesList, type OpenBracket, openBracket } from './recover.ts';
import { skipOver } from './skip.ts';
import { expectSemicolon } from './statements.ts';
import { takeString } from './strings.ts';
import { expectName, expectPlainName, none, take, takeName } from './syntax.ts';
import * as t from './tokens.ts';

/** Both forms of `import`; the current token is `import`. */
export function parseImport(p: Parser, head: Head): ImportModules | ImportFrom {
  next(p);
  const tag = tryLanguageTag(p);
  const typeOnly = p.tok === t.TYPE && isTypeMarker(p);
  if (typeOnly) next(p);
  if (p.tok === t.FROM && !isModuleNamedFrom(p)) return parseImportFrom(p, head, typeOnly, tag);
  const items: ImportModuleItem[] = [];
  do items.push(parseModuleItem(p, items.length === 0 ? tag : undefined));
  while (take(p, t.COMMA) && p.tok !== t.SEMI);
  expectSemicolon(p, head.start);
  const { start, placement, doc } = head;
  return { kind: 'ImportModules', start, end: p.prevEnd, placement, doc, typeOnly, items };
}

/** `from m import a, b as c` of Python and `import d, { a } from "m"` of JavaScript: told, and read as what they say. */
export function tryForeignImport(p: Parser, head: Head): ImportFrom | undefined {
  const { start } = p;
  foreignImport.lastIndex = start;
  if ((p.tok !== t.FROM && p.tok !== t.IMPORT) || !foreignImport.test(p.text)) return undefined;
  const isPython = p.tok === t.FROM;
  next(p);
  let items: readonly ImportItem[] = none;
  let path: ModulePath | undefined;
  const typeOnly = take(p, t.TYPE);
  if (isPython) {
    path = parsePath(p, undefined, true);
    next(p);
    const isOpen = take(p, t.LPAREN);
    const found = [];
    do found.push(parseItem(p));
    while (take(p, t.COMMA) && p.tok !== t.RPAREN);
    if (isOpen) take(p, t.RPAREN);
    items = found;
  } else {
    if (p.tok === t.STAR) items = [parseItem(p)];
    else if (p.tok !== t.LBRACE) {
      const alias = expectPlainName(p);
      items = [{ kind: 'ImportItem', start: alias.start, end: alias.end, what: 'default', name: undefined, alias }];
    }
    take(p, t.COMMA);
    if (p.tok === t.LBRACE) items = [...items, ...parseItems(p)];
    if (take(p, t.FROM)) path = parsePath(p, undefined, true);
  }
  const { prevEnd: end } = p;
  take(p, t.SEMI);
  if (path === undefined) return undefined;
  const written = items.map((item) =>
    item.what === 'default' ? `default as ${item.alias?.text}` : p.text.slice(item.start, item.end),
  );
  const help = `write \`import ${typeOnly ? 'type ' : ''}from ${p.text.slice(path.start, path.end)} { ${written.join(', ')} }\``;
  const [expected, got] = isPython ? ['`import from`', '`from`'] : ['`import from`', '`import`'];
  fail(p, 'E0110', start, end, { expected, got }, { help });
  const { placement, doc } = head;
  return { kind: 'ImportFrom', start, end, placement, doc, typeOnly, path, items };
}

const foreignImport =
  /from[ \t]+[.\w]+[ \t]+import[ \t]*[\w*(]|import[ \t]+(?:type[ \t]+)?(?!from\b|type\b)(?:\w+[ \t]*,?[ \t]*)?(?:\*[ \t]*as[ \t]+\w+|\{[^{};]*\})?[ \t]*from[ \t]*['"]/y;

/** `include .m as x;`; the current token is `include`. */
export function parseInclude(p: Parser, head: Head): Include {
  next(p);
  const path = parsePath(p, tryLanguageTag(p), true);
  const alias = take(p, t.AS) ? expectPlainName(p) : undefined;
  expectSemicolon(p, head.start);
  const { start, placement, doc } = head;
  return { kind: 'Include', start, end: p.prevEnd, placement, doc, path, alias };
}

function parseImportFrom(p: Parser, head: Head, typeOnly: boolean, tag: Name | undefined): ImportFrom {
  next(p);
  const path = parsePath(p, tag, true);
  if (p.tok === t.COMMA) return parseOldImportFrom(p, head, typeOnly, path);
  const mark = p.pending.length;
  const items = p.tok === t.LBRACE ? parseItems(p) : missingItems(p, head.start);
  const isForeign = p.pending.slice(mark).some(({ code }) => code === 'E0903');
  take(p, t.SEMI);
  const { start, placement, doc } = head;
  const node: ImportFrom = { kind: 'ImportFrom', start, end: p.prevEnd, placement, doc, typeOnly, path, items };
  return isForeign ? { ...node, isForeign } : node;
}

/** `import:py from m, a, b as c;` */
function parseOldImportFrom(p: Parser, head: Head, typeOnly: boolean, path: ModulePath): ImportFrom {
  const from = p.start;
  const items: ImportItem[] = [];
  while (take(p, t.COMMA) && p.tok !== t.SEMI) items.push(parseItem(p));
  const to = p.prevEnd;
  warnOld(p, from, to, '`import from m { a, b }`');
  expectSemicolon(p, head.start);
  const { start, placement, doc } = head;
  return { kind: 'ImportFrom', start, end: p.prevEnd, placement, doc, typeOnly, path, items };
}

/** The list is what makes this an import of members; without it the statement ends at its `;`. */
function missingItems(p: Parser, start: number): readonly ImportItem[] {
  failExpected(p, '`{`', { help: 'members are imported as `import from module { name }`' });
  expectSemicolon(p, start);
  return none;
}

function parseModuleItem(p: Parser, tag: Name | undefined): ImportModuleItem {
  const { start } = p;
  const path = parsePath(p, tag, false);
  const alias = take(p, t.AS) ? expectPlainName(p) : undefined;
  if (alias === undefined && path.segments[0]?.text.includes('-') === true)
    failExpected(p, '`as`', { help: 'a name with hyphens needs another one: `import date-fns as dates;`' });
  return { kind: 'ImportModuleItem', start, end: Math.max(start, p.prevEnd), path, alias };
}

/** `a.b`, `"pkg"`, and where dots may lead also `.a`, `..`, `.".x.css"`. */
function parsePath(p: Parser, languageTag: Name | undefined, mayBeRelative: boolean): ModulePath {
  const start = languageTag?.start ?? p.start;
  let level = 0;
  while (mayBeRelative && (p.tok === t.DOT || p.tok === t.ELLIPSIS)) {
    level += p.tok === t.DOT ? 1 : 3;
    next(p);
  }
  let quoted: StringLiteral | undefined;
  let segments: readonly Name[] = none;
  let tag = languageTag;
  if (p.tok === t.STRING) quoted = takeString(p);
  else if (!(level > 0 && isPathEnd(p))) {
    if (tag === undefined && p.tok >= t.NAME && p.tok <= t.LAST_WORD && peek(p) === t.COLON) {
      tag = takeName(p);
      next(p);
      warnTag(p, tag);
    }
    segments = parseSegments(p);
  }
  return { kind: 'ModulePath', start, end: Math.max(start, p.prevEnd), level, segments, quoted, tag };
}

function parseSegments(p: Parser): Name[] {
  const segments = [parseSegment(p)];
  while (take(p, t.DOT)) segments.push(parseSegment(p));
  return segments;
}

/**
 * A name, or several joined by hyphens without a blank between, as packages have them: `react-router-dom`
 * (docs/language/imports.md#hyphens).
 */
function parseSegment(p: Parser): Name {
  const name = expectName(p);
  hyphenated.lastIndex = p.prevEnd;
  const rest = p.tok === t.MINUS && p.start === p.prevEnd ? hyphenated.exec(p.text)?.[0] : undefined;
  if (rest === undefined) return name;
  p.end = p.start + rest.length;
  next(p);
  return { ...name, end: p.prevEnd, text: name.text + rest };
}

const hyphenated = /(?:-[A-Za-z0-9_]+)+/y;

function isPathEnd(p: Parser): boolean {
  if (p.tok === t.AS) return peek(p) !== t.LBRACE && peek(p) !== t.DOT; // else a module called `as`
  return p.tok === t.LBRACE || p.tok === t.SEMI || p.tok === t.EOF;
}

/** `{ a, b as c, *, default as d }` */
function parseItems(p: Parser): readonly ImportItem[] {
  const list = openBracket(p);
  next(p);
  if (p.tok === t.RBRACE) {
    complain(p, 'W0208', list.start, p.end);
    next(p);
    return none;
  }
  const items: ImportItem[] = [];
  for (;;) {
    if (isForeignDeclaration(p)) {
      items.push(...reportForeign(p, list));
      break;
    }
    items.push(parseItem(p));
    if (take(p, t.COMMA)) {
      if (p.tok === t.RBRACE) break;
    } else if (p.tok === t.RBRACE) break;
    else if (isForeignTail(p)) {
      items.push(...reportForeign(p, list));
      break;
    } else if (!continuesList(p, list)) break;
  }
  closeBracket(p, list);
  return items;
}

function parseItem(p: Parser): ImportItem {
  const { start, tok } = p;
  if (tok === t.STAR || (tok === t.DEFAULT && !p.escaped)) {
    next(p);
    const alias = take(p, t.AS) ? expectPlainName(p) : undefined;
    const what = tok === t.STAR ? 'star' : 'default';
    return { kind: 'ImportItem', start, end: p.prevEnd, what, name: undefined, alias };
  }
  const name = expectName(p);
  const alias = take(p, t.AS) ? expectPlainName(p) : undefined;
  return { kind: 'ImportItem', start, end: Math.max(start, p.prevEnd), what: 'name', name, alias };
}

/** `def sqrt(x: f64) -> f64;`: a C declaration (docs/language/placement.md#native). */
function isForeignDeclaration(p: Parser): boolean {
  if (p.tok !== t.DEF) return false;
  const after = peek(p);
  return after >= t.NAME && after <= t.LAST_WORD && after !== t.AS;
}

function isForeignTail(p: Parser): boolean {
  return p.tok === t.LPAREN || p.tok === t.ARROW;
}

/** Once for the list; the names are bound all the same. */
function reportForeign(p: Parser, list: OpenBracket): readonly ImportItem[] {
  complain(p, 'E0903', p.start, p.end);
  const items: ImportItem[] = [];
  while (p.tok !== t.EOF && !(p.tok === t.RBRACE && p.nesting < list.inside)) {
    if (isForeignDeclaration(p)) {
      next(p);
      items.push(parseItem(p));
    } else skipOver(p);
  }
  return items;
}

/** `import:py …` [L] */
function tryLanguageTag(p: Parser): Name | undefined {
  if (p.tok !== t.COLON) return undefined;
  next(p);
  if (p.tok < t.NAME || p.tok > t.LAST_WORD) {
    fail(p, 'E0113', p.start, p.end, { got: describe(p) });
    return undefined;
  }
  const tag = takeName(p);
  warnTag(p, tag);
  return tag;
}

function warnTag(p: Parser, tag: Name): void {
  complain(p, 'W0209', tag.start, tag.end, { tag: tag.text });
}

/** `import type from m`, `import type m`, but `import type;`, `import type.x;` name a module. */
function isTypeMarker(p: Parser): boolean {
  const after = peek(p);
  return after === t.STRING || (after >= t.NAME && after <= t.LAST_WORD && after !== t.AS);
}

function isModuleNamedFrom(p: Parser): boolean {
  const after = peek(p);
  return after === t.SEMI || after === t.COMMA || after === t.AS;
}
