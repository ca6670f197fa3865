/** Quoting of text as `repr` and `ascii` do it. */

const plain = /^[ !#-&(-[\]-~]*$/;
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}]/u;

/** `'text'`, with double quotes when that saves escapes. */
export function quote(text: string): string {
  if (plain.test(text)) return `'${text}'`;
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = mark;
  for (const char of text) out += escapeChar(char, mark);
  return out + mark;
}

export function escapeNonAscii(text: string): string {
  let out = '';
  for (const char of text) out += char.codePointAt(0)! < 128 ? char : escapeCode(char.codePointAt(0)!);
  return out;
}

/** Is the character shown as it is by `repr`? */
export function isPrintable(char: string): boolean {
  return char === ' ' || !unprintable.test(char);
}

function escapeChar(char: string, mark: string): string {
  if (char === mark || char === '\\') return `\\${char}`;
  if (char >= ' ' && char <= '~') return char;
  if (char === '\n') return '\\n';
  if (char === '\r') return '\\r';
  if (char === '\t') return '\\t';
  return isPrintable(char) ? char : escapeCode(char.codePointAt(0)!);
}

function escapeCode(code: number): string {
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  if (code <= 0xffff) return `\\u${hex.padStart(4, '0')}`;
  return `\\U${hex.padStart(8, '0')}`;
}
