/** Shell patterns for names: `*`, `?`, `[abc]`, `[!a-c]`. */

const known = new Map<string, RegExp>();

/** A whole-name test for one pattern; `*` matches everything, dots included. */
export function filePattern(pattern: string): RegExp {
  let made = known.get(pattern);
  if (made === undefined) {
    // An atomic group, which JavaScript has not.
    const source = sourceOf(pattern, (part, number) => `(?=(${part}))\\${number}`);
    made = new RegExp(`^(?:${source})$`, 'su');
    known.set(pattern, made);
  }
  return made;
}

/** The same for `re`, as `fnmatch.translate` gives it. */
export function translated(pattern: string): string {
  return `(?s:${sourceOf(pattern, (part) => `(?>${part})`)})\\Z`;
}

/**
 * Text between two stars is taken where it comes first, once and for all: trying later places too would take for ever.
 */
function sourceOf(pattern: string, once: (part: string, number: number) => string): string {
  const [start, ...later] = partsOf(pattern);
  const last = later.pop();
  const between = later.filter((part) => part !== '').map((part, i) => once(`.*?${part}`, i + 1));
  return last === undefined ? start! : `${start}${between.join('')}.*${last}`;
}

/** Sources of what stars separate. */
function partsOf(pattern: string): string[] {
  const parts = [''];
  const add = (source: string) => parts.push(parts.pop() + source);
  const chars = Array.from(pattern);
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at]!;
    if (char === '*') parts.push('');
    else if (char === '?') add('.');
    else if (char !== '[') add(escape(char));
    else {
      const end = setEnd(chars, at);
      if (end < 0) add('\\[');
      else {
        add(setSource(chars.slice(at + 1, end)));
        at = end;
      }
    }
  }
  return parts;
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
