/** Comments between tokens: what they are and how they stood to what surrounds them. */
import { isBlank, type Tokens } from './scan.ts';

export interface Comment {
  readonly text: string;
  /** `#* … *#`; others end their line. */
  readonly isBlock: boolean;
  /** Line ends between it and what is before. */
  readonly newlines: number;
}

export interface Trivia {
  readonly comments: readonly Comment[];
  /** Line ends behind the last comment; without comments, between the tokens. */
  readonly newlines: number;
}

/** Gives the comments and line ends before token `i`; `i === count` asks for those behind the last one. */
export function triviaBefore({ text, count, starts, ends }: Tokens, i: number): Trivia {
  const from = i === 0 ? (text.charCodeAt(0) === 0xfeff ? 1 : 0) : ends[i - 1]!;
  const to = i === count ? text.length : starts[i]!;
  let newlines = 0;
  if (from === to) return empty;
  let comments: Comment[] | undefined;
  for (let at = from; at < to; ) {
    const c = text.charCodeAt(at);
    if (c === 0x0a || (c === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) newlines++;
    if (c !== 0x23) {
      at++;
      continue;
    }
    const isBlock = text.charCodeAt(at + 1) === 0x2a;
    const end = isBlock ? text.indexOf('*#', at + 2) + 2 : lineEnd(text, at, to);
    comments ??= [];
    comments.push({ text: text.slice(at, isBlock ? end : trimEnd(text, at, end)), isBlock, newlines });
    newlines = 0;
    at = end;
  }
  return comments === undefined ? (plain[newlines] ?? { comments: none, newlines }) : { comments, newlines };
}

const none: readonly Comment[] = [];
const plain: readonly Trivia[] = [0, 1, 2].map((newlines) => ({ comments: none, newlines }));
const empty = plain[0]!;

function lineEnd(text: string, start: number, limit: number): number {
  let i = start;
  while (i < limit && text.charCodeAt(i) !== 0x0a && text.charCodeAt(i) !== 0x0d) i++;
  return i;
}

function trimEnd(text: string, start: number, end: number): number {
  let i = end;
  while (i > start && isBlank(text.charCodeAt(i - 1))) i--;
  return i;
}
