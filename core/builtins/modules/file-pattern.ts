/** Shell patterns for names: `*`, `?`, `[abc]`, `[!a-c]`. */

const known = new Map<string, RegExp>();

/** A whole-name test for one pattern; `*` matches everything, dots included. */
export function filePattern(pattern: string): RegExp {
  let made = known.get(pattern);
  if (made === undefined) {
    made = new RegExp(`^(?:${sourceOf(pattern)})$`, 'su');
    known.set(pattern, made);
  }
  return made;
}

function sourceOf(pattern: string): string {
  let source = '';
  const chars = Array.from(pattern);
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at]!;
    if (char === '*') source += '.*';
    else if (char === '?') source += '.';
    else if (char !== '[') source += escape(char);
    else {
      const end = setEnd(chars, at);
      if (end < 0) source += '\\[';
      else {
        source += setSource(chars.slice(at + 1, end));
        at = end;
      }
    }
  }
  return source;
}

function setEnd(chars: readonly string[], at: number): number {
  const first = chars[at + 1] === '!' ? at + 2 : at + 1;
  return chars.indexOf(']', chars[first] === ']' ? first + 1 : first);
}

function setSource(inside: readonly string[]): string {
  const negated = inside[0] === '!';
  const body = (negated ? inside.slice(1) : inside).map((char, i, all) =>
    char === '-' && i > 0 && i < all.length - 1 ? '-' : escapeInSet(char),
  );
  return `[${negated ? '^' : ''}${body.join('')}]`;
}

function escape(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}

function escapeInSet(char: string): string {
  return /[\\^\]-]/.test(char) || char === '[' ? `\\${char}` : char;
}
