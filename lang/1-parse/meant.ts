/** What was meant by text that does not fit, where habits of other languages or a slip of the pen say it: the help of syntax errors. */
import type { Parser } from './parser.ts';
import * as t from './tokens.ts';

/** At the current token, where `expected`, quoted as messages have it, or an operand should stand. */
export function meantAt(p: Parser, expected?: string): string | undefined {
  const { text, start } = p;
  if (p.tok === t.ASSIGN && (expected === '`{`' || /[=!]/.test(text.charAt(start - 1))))
    return 'equality is written `==`';
  if (p.tok === t.SLASH_SLASH) return 'a comment begins with `#`';
  if (p.tok === t.SLASH && text.charAt(start + 1) === '*') return 'a comment over several lines is written `#* … *#`';
  if (expected === undefined) return undefined;
  if (p.tok === t.COLON && expected.startsWith('`{`')) return meantByColon(p);
  if (p.tok === t.WITH && expected.startsWith('`{`')) return 'an ability reads `can name with T entry { … }`';
  return expected === '`in`' && p.word === 'of' ? 'write `for x in …`' : undefined;
}

/** `def f(): int {` of TypeScript, else a block of Python. */
function meantByColon({ text, start }: Parser): string {
  result.lastIndex = start;
  const type = text.charAt(start - 1) === ')' ? result.exec(text)?.[1] : undefined;
  return type === undefined
    ? 'a block is written in braces: `{ … }`'
    : `the type of the result is written \`-> ${type.trim()}\``;
}

const result = /:[ \t]*([\w[\], .|]+)\{/y;

/** Of a character no token begins with. */
export function meantByCharacter(text: string, at: number): string | undefined {
  const c = text.charAt(at);
  if ('“”„«»'.includes(c)) return 'texts stand in `"…"`';
  if ('‘’'.includes(c)) return "texts stand in `'…'`";
  if (c === '$' && text.charAt(at + 1) === '{') return 'a formatted text is written `f"… {x} …"`';
  return c === '\u00a0' ? 'this is a blank of another kind: write an ordinary one' : undefined;
}

/** Words that declare a variable elsewhere. */
export function meantByDeclarator(word: string): string | undefined {
  return /^(const|var|final|mut|my)$/.test(word)
    ? `a variable is declared by its first value, without \`${word}\``
    : undefined;
}
