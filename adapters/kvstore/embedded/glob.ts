/** Patterns of keys as Redis reads them: `*`, `?`, `[a-z]`, `[^a]`, `\x`, over the bytes of UTF-8. */

type Token = { readonly any: true } | { readonly any: false; fits(byte: number): boolean };

export function makeGlob(pattern: string): (text: string) => boolean {
  const tokens = parse(Buffer.from(pattern));
  return (text) => matches(tokens, Buffer.from(text));
}

/** Gives the text that every match begins with. */
export function literalHead(pattern: string): string {
  const head = /^(?:[^*?[\\]|\\.)*/s.exec(pattern)![0];
  return head.replace(/\\(.)/gs, '$1');
}

function parse(pattern: Buffer): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < pattern.length) {
    const byte = pattern[at++]!;
    if (byte === star) {
      if (tokens.at(-1)?.any !== true) tokens.push({ any: true });
    } else if (byte === question) tokens.push({ any: false, fits: () => true });
    else if (byte === open) {
      const found = parseSet(pattern, at);
      at = found.end;
      tokens.push({ any: false, fits: found.fits });
    } else {
      const literal = byte === backslash && at < pattern.length ? pattern[at++]! : byte;
      tokens.push({ any: false, fits: (other) => other === literal });
    }
  }
  return tokens;
}

const [star, question, open, close, backslash, caret, dash] = Buffer.from('*?[]\\^-') as unknown as number[];

function parseSet(pattern: Buffer, start: number): { end: number; fits(byte: number): boolean } {
  let at = start;
  const isNegated = pattern[at] === caret;
  if (isNegated) at += 1;
  const ranges: [number, number][] = [];
  // A set that is not closed ends with the pattern.
  while (at < pattern.length && pattern[at] !== close) {
    if (pattern[at] === backslash && at + 1 < pattern.length) at += 1;
    else if (pattern[at + 1] === dash && at + 2 < pattern.length) {
      const [a, b] = [pattern[at]!, pattern[at + 2]!];
      ranges.push(a < b ? [a, b] : [b, a]);
      at += 3;
      continue;
    }
    ranges.push([pattern[at]!, pattern[at]!]);
    at += 1;
  }
  const isIn = (byte: number) => ranges.some(([low, high]) => byte >= low && byte <= high);
  return { end: at + 1, fits: (byte) => isIn(byte) !== isNegated };
}

/**
 * Matches a text against a pattern. It goes back to the last star only, so the time is bounded by the product of the
 * lengths.
 */
function matches(tokens: readonly Token[], text: Buffer): boolean {
  let [t, at, starAt, resume] = [0, 0, -1, 0];
  while (at < text.length) {
    const token = tokens[t];
    if (token?.any === true) {
      starAt = t++;
      resume = at;
    } else if (token !== undefined && token.any === false && token.fits(text[at]!)) {
      t += 1;
      at += 1;
    } else if (starAt >= 0) {
      t = starAt + 1;
      at = ++resume;
    } else return false;
  }
  while (tokens[t]?.any === true) t += 1;
  return t === tokens.length;
}
