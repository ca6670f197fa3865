/** White space and line ends as Python's text methods see them. */

export function isSpace(unit: number): boolean {
  if (unit <= 32) return (unit >= 9 && unit <= 13) || (unit >= 28 && unit <= 32);
  if (unit < 0x85) return false;
  return (
    unit === 0x85 ||
    unit === 0xa0 ||
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000
  );
}

export function stripStart(text: string): string {
  let from = 0;
  while (from < text.length && isSpace(text.charCodeAt(from))) from += 1;
  return from === 0 ? text : text.slice(from);
}

export function stripEnd(text: string): string {
  let to = text.length;
  while (to > 0 && isSpace(text.charCodeAt(to - 1))) to -= 1;
  return to === text.length ? text : text.slice(0, to);
}

/** Words between runs of white space; `limit` splits at most, from the left. */
export function splitWords(text: string, limit: number): string[] {
  const words: string[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
    if (at >= text.length) return words;
    if (limit >= 0 && words.length >= limit) {
      words.push(text.slice(at));
      return words;
    }
    const from = at;
    while (at < text.length && !isSpace(text.charCodeAt(at))) at += 1;
    words.push(text.slice(from, at));
  }
}

/** `splitWords` from the right. */
export function splitWordsRight(text: string, limit: number): string[] {
  const words: string[] = [];
  let at = text.length;
  for (;;) {
    while (at > 0 && isSpace(text.charCodeAt(at - 1))) at -= 1;
    if (at <= 0) return words.reverse();
    if (limit >= 0 && words.length >= limit) {
      words.push(text.slice(0, at));
      return words.reverse();
    }
    const to = at;
    while (at > 0 && !isSpace(text.charCodeAt(at - 1))) at -= 1;
    words.push(text.slice(at, to));
  }
}

const lineEnd = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g;

/** Lines of a text; `keepEnds` leaves the line ends on. */
export function splitLines(text: string, keepEnds: boolean): string[] {
  const lines: string[] = [];
  let from = 0;
  for (const found of text.matchAll(lineEnd)) {
    const end = found.index + found[0].length;
    lines.push(text.slice(from, keepEnds ? end : found.index));
    from = end;
  }
  if (from < text.length) lines.push(text.slice(from));
  return lines;
}
