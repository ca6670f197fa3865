/**
 * Functions that the tests of the formatter share: the parts of a text, and texts that differ in white space and
 * comments only.
 */
import type { Module } from '../1-parse/ast.ts';
import { parse } from '../1-parse/parse.ts';
import * as t from '../1-parse/tokens.ts';
import { createReporter } from '../diagnostics.ts';
import { triviaBefore } from './comments.ts';
import { formatSource } from './format.ts';
import { wouldMerge } from './gaps.ts';
import { isSameTree } from './same-tree.ts';
import { closingTag, FOREIGN, scanTokens, TAG, TAG_END, type Tokens } from './scan.ts';

/** The layout of a text; throws where there is none. */
export function format(text: string): string {
  const result = formatSource({ path: 'test.svc', text });
  if (result.kind === 'formatted') return result.text;
  throw new Error(`${result.kind}: ${result.kind === 'broken' ? result.diagnostics[0]?.message : ''}\n${text}`);
}

function treeOf(text: string): Module {
  const source = { path: 'test.svc', text };
  return parse(source, createReporter(source));
}

/** Tells whether both texts are without syntax errors and mean the same. */
export function meansTheSame(a: string, b: string): boolean {
  return isSameTree(treeOf(a), treeOf(b)) && formatSource({ path: 'test.svc', text: b }).kind !== 'broken';
}

export function tokensOf(text: string): Tokens {
  return scanTokens({ path: 'test.svc', text }, treeOf(text));
}

/** Tokens and comments in their order; line ends inside of them as LF. */
export function partsOf(text: string): string[] {
  const tokens = tokensOf(text);
  const parts: string[] = [];
  for (let i = 0; i <= tokens.count; i++) {
    for (const comment of triviaBefore(tokens, i).comments) parts.push(comment.text);
    if (i < tokens.count) parts.push(text.slice(tokens.starts[i], tokens.ends[i]));
  }
  return parts.map((part) => closingTag(part.replaceAll('\r\n', '\n')));
}

/** Finds the fault in the layout of a text: undefined when there is none. */
export function problemWith(text: string): string | undefined {
  const result = formatSource({ path: 'test.svc', text });
  if (result.kind !== 'formatted') return result.kind;
  if (!isSameTree(treeOf(text), treeOf(result.text))) return 'other tree';
  if (partsOf(text).join('\0') !== partsOf(result.text).join('\0')) return 'other tokens or comments';
  const again = formatSource({ path: 'test.svc', text: result.text });
  if (again.kind !== 'formatted') return `${again.kind} the second time`;
  return again.text === result.text ? undefined : `not the same twice:\n${firstDifference(result.text, again.text)}`;
}

function firstDifference(a: string, b: string): string {
  const left = a.split('\n');
  const right = b.split('\n');
  const at = left.findIndex((line, n) => line !== right[n]);
  return `${left.slice(Math.max(0, at - 2), at + 3).join('\n')}\n---\n${right.slice(Math.max(0, at - 2), at + 3).join('\n')}`;
}

/** Numbers from 0 up to `below`, the same ones for the same seed. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

const blanks = [' ', '\n', '\n\n\n', '\t', '  \n  ', '\r\n'];
/** Whatever white space of markup text has a line end in it means the same. */
const textBlanks = ['\n', '\n\n\n   ', ' \n\t ', '\r\n        '];
const comments = [
  '# one\n',
  '#* two *#',
  '\n# three\n',
  ' #* four\n   lines *#\n',
  '\n\n# five\n\n',
  ' # six\n#* seven *#',
];

/** The same tokens with other white space between them, and now and then a comment. White space of markup text stays. */
export function withOtherBlanks(text: string, random: (below: number) => number, commentRate: number): string {
  const tokens = tokensOf(text);
  let out = '';
  for (let i = 0; i <= tokens.count; i++) {
    const from = i === 0 ? 0 : tokens.ends[i - 1]!;
    const to = i === tokens.count ? text.length : tokens.starts[i]!;
    out += otherGap(tokens, i, text.slice(from, to), random, commentRate);
    if (i < tokens.count) out += text.slice(tokens.starts[i], tokens.ends[i]);
  }
  return out;
}

function otherGap(
  tokens: Tokens,
  i: number,
  gap: string,
  random: (below: number) => number,
  commentRate: number,
): string {
  const { count, inText, kinds } = tokens;
  if (inText[i] && /^\s*\n\s*$/.test(gap)) return textBlanks[random(textBlanks.length)]!;
  const isFixed = i === 0 || i === count || inText[i] || kinds[i] === FOREIGN || kinds[i - 1] === FOREIGN;
  // `<>` and `<@{` are written together.
  const isTag = kinds[i - 1] === TAG && (kinds[i] === TAG_END || kinds[i] === t.LBRACE);
  if (isFixed || isTag || gap.includes('#')) return gap;
  const choice = random(100);
  if (choice < commentRate) return `${gap === '' ? ' ' : gap}${comments[random(comments.length)]!}`;
  if (choice < 40) return gap;
  if (choice < 60 && gap.trim() === '' && !wouldMerge(tokens, i) && mayTouch(tokens, i)) return '';
  return blanks[random(blanks.length)]!;
}

/** Taking the white space away leaves the same tokens. */
function mayTouch({ kinds, text, ends, starts }: Tokens, i: number): boolean {
  const isWord = (c: string) => /[\w"'`<]/.test(c);
  if (kinds[i]! >= TAG || kinds[i - 1]! >= TAG) return false;
  return !(isWord(text.charAt(ends[i - 1]! - 1)) && isWord(text.charAt(starts[i]!)));
}
