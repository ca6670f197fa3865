/** Small pieces every grammar area uses: names, expected tokens, access tags. */
import { didYouMean } from '../../base/did-you-mean.ts';
import type { Access, Missing, Name, NameRef } from './ast.ts';
import { complain, describe, fail, failExpected } from './complain.ts';
import { next } from './lexer.ts';
import { peek } from './look-ahead.ts';
import { meantByName } from './meant.ts';
import { takeBracketedWord, tryOldEscape } from './old-escape.ts';
import type { Parser } from './parser.ts';
import * as t from './tokens.ts';

/** Empty list for nodes without parts of some kind, so that none of them owns an array. */
export const none: readonly never[] = [];

/**
 * A list that is complete. V8 leaves room for sixteen more in one that grew, and a tree, which is kept until its module is written, is full of
 * short lists.
 */
export function compact<T>(list: readonly T[]): T[] {
  return list.slice();
}

/** Moves over the current token when it is of that kind. */
export function take(p: Parser, kind: number): boolean {
  if (p.tok !== kind) return false;
  next(p);
  return true;
}

/** Moves over a token of that kind, or reports that it is missing. */
export function expect(p: Parser, kind: number): boolean {
  if (p.tok === kind) {
    next(p);
    return true;
  }
  failExpected(p, `\`${t.spelling[kind]}\``);
  return false;
}

/**
 * `__x` in a `class C` is `_C__x`, so that a subclass may have an `__x` of its own (docs/language/lexical.md#names).
 */
function nameOfWord({ privateOf, word }: Pick<Parser, 'privateOf' | 'word'>): string {
  if (privateOf === '' || !word.startsWith('__') || word.endsWith('__')) return word;
  return `_${privateOf}${word}`;
}

/** The same for a name that was read before it was known to belong to the class. */
export function privateTo({ privateOf }: Parser, name: Name): Name {
  return { ...name, text: nameOfWord({ privateOf, word: name.text }) };
}

/** Name node of the current token, a word, which is consumed. */
export function takeName(p: Parser): Name {
  const name: Name = { kind: 'Name', start: p.start, end: p.end, text: nameOfWord(p), escaped: p.escaped };
  next(p);
  return name;
}

/** Any word is a name here (docs/language/lexical.md#words-as-names). */
export function expectName(p: Parser): Name {
  if (p.tok >= t.NAME && p.tok <= t.LAST_WORD) return takeName(p);
  return missingName(p);
}

/** A name behind a dot; a word that goes on with an expression, apart from the dot, shows that it is not written yet: `[e. for e in es]`. */
export function expectMember(p: Parser): Name {
  const isApart = p.start > p.prevEnd && t.isJoiner[p.tok] === 1;
  return isApart ? missingName(p) : expectName(p);
}

/** A name that no reserved word may be: an alias, a capture. */
export function expectPlainName(p: Parser): Name {
  if (p.tok >= t.NAME && p.tok <= t.LAST_IDENTIFIER) return takeName(p);
  // A reserved word is read all the same: it was meant as the name.
  if (p.tok >= t.NAME && p.tok <= t.LAST_WORD && t.beginsStatement[p.tok] === 0) {
    const isAllowed = t.isSpecial[p.tok] === 1 || p.tok === t.INIT || p.tok === t.POSTINIT;
    if (!isAllowed) fail(p, 'E0113', p.start, p.end, { got: describe(p) });
    return takeName(p);
  }
  return missingName(p);
}

function missingName(p: Parser): Name {
  if (p.tok === t.LT && takeBracketedWord(p)) return takeName(p);
  const old = p.tok === t.LT ? tryOldEscape(p) : undefined;
  if (old !== undefined) {
    const { start, end, name } = old;
    complain(p, 'W0131', start, end, undefined, { help: `write \`\` \`${name} \`\`` });
    return { kind: 'Name', start, end, text: name, escaped: true };
  }
  const help =
    p.tok === t.RBRACE && p.text.charAt(p.prevEnd - 1) === ',' ? 'nothing stands behind this `,`' : meantByName(p);
  fail(p, 'E0113', p.start, p.end, { got: describe(p) }, { help });
  // A literal was meant as the name.
  if (p.tok === t.NUMBER || p.tok === t.STRING) next(p);
  return { kind: 'Name', start: p.prevEnd, end: p.prevEnd, text: '', escaped: false };
}

/** Reference node of the current token, a word, which is consumed. */
export function takeNameRef(p: Parser): NameRef {
  const ref: NameRef = { kind: 'NameRef', start: p.start, end: p.end, name: nameOfWord(p), escaped: p.escaped };
  next(p);
  return ref;
}

/** Makes the node that stands for a missing operand. */
export function missing(p: Parser): Missing {
  return { kind: 'Missing', start: p.prevEnd, end: p.prevEnd };
}

/** `a.b.c`, any word allowed in each place. */
export function parseDottedNames(p: Parser): Name[] {
  const names = [expectName(p)];
  while (p.tok === t.DOT) {
    next(p);
    names.push(expectName(p));
  }
  return names;
}

/**
 * `:pub`, `:priv` or `:protect`, white space allowed around the colon (docs/language/access.md#access-tags). Another
 * word in its place is taken for the nearest.
 */
export function parseAccess(p: Parser): Access | undefined {
  if (p.tok !== t.COLON) return undefined;
  const isTag = tagAhead(p);
  next(p);
  const access = accessOf(p.tok);
  if (access !== undefined) {
    next(p);
    return access;
  }
  const meant = isTag ? nearestTag(p.text.slice(p.start, p.end)) : undefined;
  failExpected(p, '`pub`, `priv` or `protect`', meant && { help: `did you mean \`${meant}\`?` });
  if (isTag) next(p);
  return meant;
}

/** The same where a colon may begin something else: a word that is no tag counts when the name stands behind it. */
export function parseAccessAhead(p: Parser): Access | undefined {
  return p.tok === t.COLON && (accessOf(peek(p)) !== undefined || tagAhead(p)) ? parseAccess(p) : undefined;
}

/** `:word name`: whatever the word, an access tag was meant. */
export function tagAhead(p: Parser): boolean {
  wordAndName.lastIndex = p.start;
  return wordAndName.test(p.text);
}

const wordAndName = /:\s*[A-Za-z]\w*[ \t]+(?=[A-Za-z_`])/y;

function nearestTag(word: string): Access | undefined {
  const begins = (tag: Access) => word.startsWith(tag) || (word.length > 1 && tag.startsWith(word));
  return (didYouMean(word, tags) as Access | undefined) ?? tags.find(begins);
}

const tags: readonly Access[] = ['protect', 'pub', 'priv'];

/** The tag when one begins here; otherwise nothing is consumed. */
export function tryAccess(p: Parser): Access | undefined {
  return p.tok === t.COLON && accessOf(peek(p)) !== undefined ? parseAccess(p) : undefined;
}

/** Reports W0137, once in a file. */
export function warnOwnership(p: Parser, start: number, end: number): void {
  if (p.warnedOwnership) return;
  p.warnedOwnership = true;
  complain(p, 'W0137', start, end);
}

/** Reports W0134 of `...` before what is spread. */
export function warnSpread(p: Parser, instead: '*' | '**'): void {
  complain(p, 'W0134', p.start, p.end, { op: '...', instead });
}

function accessOf(kind: number): Access | undefined {
  if (kind === t.PUB) return 'pub';
  if (kind === t.PRIV) return 'priv';
  return kind === t.PROTECT ? 'protect' : undefined;
}
