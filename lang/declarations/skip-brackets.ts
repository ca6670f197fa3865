/** Getting past what is not read: brackets, strings, templates, regular expressions and comments of TypeScript. */

/** Templates within templates. */
const deepest = 50;

/** The place behind the bracket that closes the one at `at`, or -1 when the text ends first or the brackets do not match. */
export function skipBrackets(text: string, at: number, depth = 0): number {
  const closers: number[] = [];
  // Was the parenthesis that closed last the head of an `if`, `while` or `for`? A regular expression may follow such a one.
  const heads: boolean[] = [];
  let closedHead = false;
  // The last character that was none of a comment.
  let before = at - 1;
  for (let i = at; i < text.length; ) {
    const char = text.charCodeAt(i);
    switch (char) {
      case 0x28: // (
        closers.push(0x29);
        heads.push(isHead(text, before));
        i += 1;
        break;
      case 0x5b: // [
      case 0x7b: // {
        closers.push(char + 2);
        heads.push(false);
        i += 1;
        break;
      case 0x29: // )
      case 0x5d: // ]
      case 0x7d: // }
        if (closers.pop() !== char) return -1;
        closedHead = heads.pop()!;
        i += 1;
        if (closers.length === 0) return i;
        break;
      case 0x22: // "
      case 0x27: // '
        i = skipText(text, i);
        break;
      case 0x60: // `
        i = skipTemplate(text, i, depth);
        if (i < 0) return -1;
        break;
      case 0x2f: {
        const start = i;
        i = skipSlash(text, i, before, closedHead);
        if (isComment(text, start)) continue;
        break;
      }
      case 0x20:
      case 0x0a:
      case 0x0d:
      case 0x09:
        i += 1;
        continue;
      default:
        i += 1;
    }
    before = i - 1;
  }
  return -1;
}

/** Tells whether `if`, `while`, `for` or `with` stands in front of a parenthesis. */
function isHead(text: string, before: number): boolean {
  const last = text[before];
  if (last !== 'f' && last !== 'e' && last !== 'r' && last !== 'h') return false;
  return /(?:^|[^\w$.])(?:if|while|for|with)$/.test(text.slice(Math.max(0, before - 6), before + 1));
}

/** Gives the place behind a string; one that is not closed ends with its line. */
export function skipText(text: string, at: number): number {
  const quote = text[at];
  for (let i = at + 1; i < text.length; i++) {
    const char = text[i];
    if (char === '\\') i += 1;
    else if (char === quote) return i + 1;
    else if (char === '\n') return i;
  }
  return text.length;
}

/** Gives the place behind a template, -1 when it is not closed. */
export function skipTemplate(text: string, at: number, depth = 0): number {
  if (depth > deepest) return -1;
  for (let i = at + 1; i < text.length; i++) {
    const char = text[i];
    if (char === '\\') i += 1;
    else if (char === '`') return i + 1;
    else if (char === '$' && text[i + 1] === '{') {
      const end = skipBrackets(text, i + 1, depth + 1);
      if (end < 0) return -1;
      i = end - 1;
    }
  }
  return -1;
}

/** Gives the place behind a comment, or `at` itself when there is none. */
export function skipComment(text: string, at: number): number {
  if (text[at] !== '/') return at;
  if (text[at + 1] === '/') {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end;
  }
  if (text[at + 1] !== '*') return at;
  const end = text.indexOf('*/', at + 2);
  return end < 0 ? text.length : end + 2;
}

function isComment(text: string, at: number): boolean {
  return text[at + 1] === '/' || text[at + 1] === '*';
}

/**
 * Gives the place behind a comment, a regular expression or a division. `before`: the place of the last character in
 * front of it.
 */
export function skipSlash(text: string, at: number, before: number, behindHead: boolean): number {
  const comment = skipComment(text, at);
  if (comment > at) return comment;
  return mayBeginRegex(text, at, before, behindHead) ? skipRegex(text, at) : at + 1;
}

const beforeRegex =
  /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|else|do|instanceof|yield|await|default)$/;

function mayBeginRegex(text: string, at: number, before: number, behindHead: boolean): boolean {
  const char = text[before];
  if (char === undefined) return true;
  if (/[\w$]/.test(char)) return beforeRegex.test(text.slice(Math.max(0, before - 11), before + 1));
  if (char === ')') return behindHead;
  if (char === '}') return text.slice(before, at).includes('\n');
  if ((char === '+' || char === '-') && text[before - 1] === char) return false;
  return char !== ']' && char !== '"' && char !== "'" && char !== '`';
}

function skipRegex(text: string, at: number): number {
  let inClass = false;
  for (let i = at + 1; i < text.length; i++) {
    const char = text[i];
    if (char === '\n') break;
    if (char === '\\') i += 1;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '/' && !inClass) return i + 1;
  }
  // Not closed on its line: a division after all.
  return at + 1;
}
