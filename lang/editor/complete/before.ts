/** The text in front of the cursor: the word that is being typed, and the tokens before it. */

export interface Before {
  readonly text: string;
  /** Offset of the word that is being typed; the cursor itself when none is. */
  readonly start: number;
  readonly prefix: string;
  /** Tokens before that word, the nearest first, at most a few. */
  readonly tokens: readonly Token[];
}

export interface Token {
  readonly text: string;
  readonly start: number;
}

const most = 4;

export function textBefore(text: string, offset: number): Before {
  let start = offset;
  while (start > 0 && /\w/.test(text.charAt(start - 1))) start--;
  const tokens: Token[] = [];
  for (let at = start; tokens.length < most; ) {
    const token = tokenBefore(text, at);
    if (token === undefined) break;
    tokens.push(token);
    at = token.start;
  }
  return { text, start, prefix: text.slice(start, offset), tokens };
}

/** The last token that ends at or before an offset: a word, a text's closing quote, or one sign. */
function tokenBefore(text: string, offset: number): Token | undefined {
  const end = endBefore(text, offset);
  if (end === 0) return undefined;
  let start = end - 1;
  if (/\w/.test(text.charAt(start))) {
    while (start > 0 && /\w/.test(text.charAt(start - 1))) start--;
  } else {
    const operator =
      /(?:-->|<--|<-->|\+\+>|<\+\+|\+>:|:\+>|->:|<-:|<\+:|:<-|:<\+|:->|->|\?\.|==|!=|<=|>=|\/\/|\*\*|:=|[-+*/%|&^]=|<\/|\|>|\?:)$/.exec(
        text.slice(Math.max(0, end - 4), end),
      );
    if (operator !== null) start = end - operator[0].length;
  }
  return { text: text.slice(start, end), start };
}

/** End of what is no white space and no comment of its own line. */
function endBefore(text: string, offset: number): number {
  let end = offset;
  for (;;) {
    while (end > 0 && /\s/.test(text.charAt(end - 1))) end--;
    const lineStart = text.lastIndexOf('\n', end - 1) + 1;
    const comment = commentStart(text.slice(lineStart, end));
    if (comment < 0) return end;
    end = lineStart + comment;
  }
}

/** Offset of the comment on a line, -1 without one: a `#` that no quote on the line is open before. */
export function commentStart(line: string): number {
  let quote = '';
  for (let i = 0; i < line.length; i++) {
    const c = line.charAt(i);
    if (quote !== '') {
      if (c === '\\') i++;
      else if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '#' && line.charAt(i - 1) !== '&' && !isInMarkup(line, i)) return i;
  }
  return -1;
}

/** Text of markup, `<li>#{tag}`, has `#` as a character like any other. */
function isInMarkup(line: string, at: number): boolean {
  return line.charAt(at + 1) === '{' && />[^<>]*$/.test(line.slice(0, at));
}

/** Counts and distances of words that stood behind the same token before: what is likely to come next. */
export interface Habits {
  /** Distance in characters from the cursor to the last use; undefined for a word that was not used. */
  readonly last: ReadonlyMap<string, number>;
  /** Number of uses behind the token that is before the cursor. */
  readonly following: ReadonlyMap<string, number>;
  /** The same for the two tokens before the cursor. */
  readonly followingTwo: ReadonlyMap<string, number>;
}

/** Characters of text that habits are read from. */
const reach = 40_000;

export function habitsOf({ text, start, tokens }: Before): Habits {
  const last = new Map<string, number>();
  const following = new Map<string, number>();
  const followingTwo = new Map<string, number>();
  const from = Math.max(0, start - reach);
  const [first, second] = [tokens[0]?.text ?? '', tokens[1]?.text ?? ''];
  let [before, beforeThat] = ['', ''];
  for (const match of text.slice(from, start).matchAll(/\w+|->:|:->|-->|\+\+>|\+>:|<\/|->|==|!=|\?\.|\?:|[^\s\w]/g)) {
    const word = match[0];
    if (/^[A-Za-z_]/.test(word)) {
      last.set(word, start - from - match.index);
      if (before === first) {
        following.set(word, (following.get(word) ?? 0) + 1);
        if (beforeThat === second) followingTwo.set(word, (followingTwo.get(word) ?? 0) + 1);
      }
    }
    [before, beforeThat] = [word, before];
  }
  return { last, following, followingTwo };
}
