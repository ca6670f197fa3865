/** Rules for modules and declarations (docs/language/modules.md). */
import type * as ast from '../1-parse/ast.ts';
import * as t from '../1-parse/tokens.ts';
import { markArgument } from './chains.ts';
import { markExpression } from './expressions.ts';
import {
  headStart,
  markAbility,
  markAccess,
  markEvent,
  markFunction,
  markHead,
  markSignature,
  markTypeParams,
} from './functions.ts';
import { HARD, LINE, NONE, SPACE } from './gaps.ts';
import {
  addGroup,
  type BodyItem,
  beginsLine,
  eachOwn,
  firstOf,
  isOneLine,
  type Layout,
  lastOf,
  markList,
  markTyped,
  outerOf,
  setGap,
} from './layout.ts';
import { fitsInLine, isSimple, markBlock, markBraces, markStatements } from './statements.ts';

type Declared = ast.Element | ast.Member | ast.HasDecl | ast.Ability;

export function markModule(l: Layout, e: ast.Module): void {
  if (e.doc !== undefined) {
    markExpression(l, e.doc);
    l.bodyItems.set(firstOf(l, e.doc), 'doc');
  }
  markElements(l, e.body, e.doc === undefined ? 0 : -1);
}

/** Elements of a module, members of an archetype; the one at token `first` has its gap already. */
function markElements(l: Layout, elements: readonly Declared[], first: number, gap = HARD): void {
  for (const element of elements) {
    const at = firstOf(l, element);
    if (at !== first) setGap(l, at, gap);
    l.bodyItems.set(at, sortOf(element));
    markDeclaration(l, element);
  }
}

function sortOf(e: Declared): BodyItem {
  switch (e.kind) {
    case 'ImportModules':
    case 'ImportFrom':
    case 'Include':
      return 'import';
    case 'FunctionDecl':
    case 'Ability':
    case 'Archetype':
    case 'EnumDecl':
    case 'EntryBlock':
    case 'TestBlock':
    case 'ImplDecl':
    case 'PlacedBlock':
      return 'block';
    default:
      return 'other';
  }
}

export function markDeclaration(l: Layout, e: Declared): void {
  switch (e.kind) {
    case 'PlacedBlock': {
      const open = l.tokens.match[lastOf(l, e)]!;
      markBraces(l, open, { isInline: false });
      markElements(l, e.body, open + 1);
      return;
    }
    case 'ImportModules':
    case 'ImportFrom':
    case 'Include':
      markImport(l, e);
      return;
    case 'FunctionDecl':
      markFunction(l, e);
      return;
    case 'Ability':
      markAbility(l, e);
      return;
    case 'Archetype':
      markArchetype(l, e);
      return;
    case 'EnumDecl':
      markEnum(l, e);
      return;
    case 'GlobDecl':
    case 'HasDecl':
      markFields(l, e);
      return;
    case 'EntryBlock':
    case 'TestBlock':
      if (e.body.statements[0]?.start === e.start) {
        markStatements(l, e.body.statements, HARD, firstOf(l, e));
        return;
      }
      markHead(l, e);
      markAccess(l, firstOf(l, e), firstOf(l, e.body));
      markBlock(l, e.body, headStart(l, e));
      return;
    case 'ImplDecl':
      markImpl(l, e);
      return;
    case 'SemDecl':
      markHead(l, e);
      markExpression(l, e.text);
      return;
    case 'TypeAlias':
      markHead(l, e);
      if (e.access !== undefined) markAccess(l, headStart(l, e), firstOf(l, e.name));
      markTypeParams(l, e.typeParams);
      markExpression(l, e.type);
      return;
    case 'AssignStatement':
      markStatements(l, [e], HARD, firstOf(l, e));
      return;
    case 'InlineForeign':
      markHead(l, e);
  }
}

function markImport(l: Layout, e: ast.ImportModules | ast.ImportFrom | ast.Include): void {
  markHead(l, e);
  const { kinds, match } = l.tokens;
  const paths = e.kind === 'ImportModules' ? e.items.map(({ path }) => path) : [e.path];
  for (const path of paths) {
    const first = firstOf(l, path);
    const last = lastOf(l, path);
    // A tag in front, as in `import:py os`, stands close to the word before it.
    if (kinds[first - 1] === t.COLON) setGap(l, first, NONE);
    else setGap(l, first, SPACE);
    for (let i = first + 1; i <= last; i++) setGap(l, i, NONE);
    if (path.tag !== undefined && kinds[first + 1] !== t.COLON && last > first) setGap(l, first + 1, SPACE);
  }
  if (e.kind === 'ImportModules' && e.items.length > 1) markItemLines(l, e, firstOf(l, e), e.items);
  if (e.kind !== 'ImportFrom') return;
  const head = lastOf(l, e.path) + 1;
  if (kinds[head] !== t.LBRACE || match[head]! < head) return;
  setGap(l, head, SPACE);
  markList(
    l,
    head,
    e.items.map((item) => firstOf(l, item)),
    { pad: true, keep: 'comma' },
  );
}

function markArchetype(l: Layout, e: ast.Archetype): void {
  markHead(l, e);
  const head = headStart(l, e);
  const name = firstOf(l, e.name);
  if (e.access !== undefined) markAccess(l, head, name);
  markTypeParams(l, e.typeParams);
  const behind = e.typeParams.length === 0 ? name + 1 : l.tokens.match[name + 1]! + 1;
  if (l.tokens.kinds[behind] === t.LPAREN) markBases(l, behind, e.bases, e.keywords);
  else if (e.bases.length > 0) markOldBases(l, behind, e.bases);
  if (e.endpoints !== undefined) {
    markExpression(l, e.endpoints.from);
    markExpression(l, e.endpoints.to);
  }
  if (e.members !== undefined) markMembers(l, l.tokens.match[lastOf(l, e)]!, e.members, head);
}

/** `:A, B:` or `<A, B>` */
function markOldBases(l: Layout, open: number, bases: readonly ast.Expression[]): void {
  setGap(l, open, SPACE);
  setGap(l, open + 1, NONE);
  for (const base of bases) markExpression(l, base);
  const close = lastOf(l, bases[bases.length - 1]!) + 1;
  setGap(l, close, NONE);
  setGap(l, close + 1, SPACE);
}

function markBases(
  l: Layout,
  open: number,
  bases: readonly ast.Expression[],
  keywords: readonly ast.Argument[] = [],
): void {
  setGap(l, open, NONE);
  const firsts = [...bases.map((base) => outerOf(l, base)[0]), ...keywords.map((keyword) => firstOf(l, keyword))];
  markList(
    l,
    open,
    firsts.sort((a, b) => a - b),
  );
  for (const base of bases) markExpression(l, base);
  for (const keyword of keywords) markArgument(l, keyword);
}

const membersInLine = 2;

function markMembers(l: Layout, open: number, members: readonly ast.Member[], head: number): void {
  const close = l.tokens.match[open]!;
  const isInline =
    isOneLine(l, open, close) && members.length <= membersInLine && members.every((member) => isSimple(member));
  markBraces(l, open, { isInline, head });
  markElements(l, members, open + 1, isInline ? LINE : HARD);
  markDots(l, open, close, isInline ? LINE : HARD);
}

/** `...;` and a text as members say nothing: the tree does not have them. */
function markDots(l: Layout, open: number, close: number, gap: number): void {
  const { kinds, match } = l.tokens;
  for (let i = open + 1; i < close; i = match[i]! > i ? match[i]! : i + 1) {
    const isText = kinds[i] === t.STRING && kinds[i + 1] === t.SEMI;
    if ((kinds[i] !== t.ELLIPSIS && !isText) || !beginsMember(kinds[i - 1]!)) continue;
    setGap(l, i, gap);
    if (kinds[i - 1] === t.STRING) setGap(l, i - 1, gap);
  }
}

function beginsMember(before: number): boolean {
  return before === t.LBRACE || before === t.SEMI || before === t.RBRACE || before === t.STRING;
}

function markEnum(l: Layout, e: ast.EnumDecl): void {
  markHead(l, e);
  const name = firstOf(l, e.name);
  if (e.access !== undefined) markAccess(l, headStart(l, e), name);
  if (l.tokens.kinds[name + 1] === t.LPAREN) markBases(l, name + 1, e.bases, e.keywords);
  else for (const base of e.bases) markExpression(l, base);
  if (e.members === undefined) return;
  const open = l.tokens.match[lastOf(l, e)]!;
  if (e.body.length === 0) {
    markEnumMembers(l, open, e.members);
    return;
  }
  markBraces(l, open, { isInline: false });
  for (const member of e.members) {
    if (firstOf(l, member) > open + 1) setGap(l, firstOf(l, member), HARD);
    markEnumMember(l, member);
  }
  markElements(l, e.body, open + 1);
}

function markEnumMembers(l: Layout, open: number, members: readonly ast.EnumMember[]): void {
  markList(
    l,
    open,
    members.map((member) => firstOf(l, member)),
    { pad: true, keep: 'line' },
  );
  setGap(l, open, SPACE);
  for (const member of members) markEnumMember(l, member);
}

function markEnumMember(l: Layout, e: ast.EnumMember): void {
  if (e.value !== undefined) markExpression(l, e.value);
}

/** `has a: int = 1, b: str;` and `glob`: a line for each item when one of them begins a line. */
function markFields(l: Layout, e: ast.HasDecl | ast.GlobDecl): void {
  markHead(l, e);
  const [lead, ...more] = e.items;
  if (lead === undefined) return;
  const head = headStart(l, e);
  if (e.access !== undefined) markAccess(l, head, firstOf(l, lead));
  if (more.length > 0) markItemLines(l, e, head, e.items);
  for (const item of e.items) {
    markTyped(l, firstOf(l, item), lastOf(l, item), [item.type, item.value], true);
    if (item.type !== undefined) markExpression(l, item.type);
    if (item.value !== undefined) markExpression(l, item.value);
    if ('accessors' in item && item.accessors !== undefined) markAccessors(l, item, item.accessors);
  }
}

/** Items of a statement behind its first word: a line for each when one of them begins a line or there is no room. */
function markItemLines(l: Layout, e: ast.Span, head: number, items: readonly ast.Span[]): void {
  const firsts = items.slice(1).map((item) => firstOf(l, item));
  for (const first of firsts) setGap(l, first, LINE);
  const forced = firsts.some((first) => beginsLine(l, first));
  addGroup(l, head, lastOf(l, e), { from: firsts[0]!, forced });
}

function markAccessors(l: Layout, item: ast.HasItem, accessors: readonly ast.Accessor[]): void {
  const open = l.tokens.match[lastOf(l, item)]!;
  markBraces(l, open, { isInline: false });
  for (const accessor of accessors) {
    if (firstOf(l, accessor) > open + 1) setGap(l, firstOf(l, accessor), HARD);
    if (accessor.signature.hasList) setGap(l, firstOf(l, accessor.signature), NONE);
    markSignature(l, accessor.signature);
    if (accessor.body !== undefined) markBlock(l, accessor.body, firstOf(l, accessor));
  }
}

function markImpl(l: Layout, e: ast.ImplDecl): void {
  markHead(l, e);
  const target = e.target[e.target.length - 1];
  const from = target === undefined ? firstOf(l, e) : lastOf(l, target) + 1;
  // An old target, `:obj:A:can:m`, stands close together.
  const head = headStart(l, e);
  if (l.tokens.kinds[head] === t.COLON) for (let i = head + 1; i < from; i++) setGap(l, i, NONE);
  eachOwn(l, from, from, [], (i, kind) => {
    if (kind === t.LPAREN) setGap(l, i, NONE);
  });
  if (e.signature !== undefined) markSignature(l, e.signature);
  if (e.bases !== undefined && e.bases.length > 0) markBases(l, from, e.bases);
  if (e.event !== undefined) markEvent(l, e.event);
  if (e.body.by !== undefined) markExpression(l, e.body.by);
  markImplBody(l, e.body, head);
}

function markImplBody(l: Layout, { block, members, enumMembers, ...span }: ast.ImplBody, head: number): void {
  const open = firstOf(l, span);
  if (l.tokens.kinds[open] !== t.LBRACE) return;
  if (enumMembers !== undefined) markEnumMembers(l, open, enumMembers);
  else if (members !== undefined && members.length > (block?.statements.length ?? 0))
    markMembers(l, open, members, head);
  else if (block !== undefined) {
    const isInline = isOneLine(l, open, l.tokens.match[open]!) && fitsInLine(block.statements);
    markBraces(l, open, { isInline, head });
    markStatements(l, block.statements, isInline ? LINE : HARD, open + 1);
  } else if (members !== undefined) markMembers(l, open, members, head);
}
