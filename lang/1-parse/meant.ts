/**
 * Guesses at the intention of text that does not fit, where habits of other languages or a slip of the pen show it: the
 * help of syntax errors.
 */
import type { Parser } from './parser.ts';
import * as t from './tokens.ts';

/** At the current token, where `expected`, quoted as messages have it, or an operand should stand. */
export function meantAt(p: Parser, expected?: string): string | undefined {
  const { text, start } = p;
  if (p.tok === t.SLASH_SLASH) return 'a comment begins with `#`';
  if (p.tok === t.SLASH && text.charAt(start + 1) === '*') return 'a comment over several lines is written `#* … *#`';
  if (expected === undefined) return meantByOperand(p);
  if (p.tok === t.ASSIGN) {
    if (expected === '`,` or `}`') return 'an entry is written `key: value`';
    if (expected === '`}`' && /\son[A-Z]\w*=\{[^{}]*$/.test(text.slice(Math.max(0, start - 200), start)))
      return 'an assignment stands in a function: `lambda { name = value; }`';
    return expected === '`{`' || expected === 'a comparison' ? equality : undefined;
  }
  if (p.tok === t.LT && text.charAt(p.prevEnd - 1) === '>') return sideBySide;
  if (p.tok === t.COLON && expected === '`}`') {
    const attribute = /\s(\w+)=\{\s*["']?[\w-]+["']?\s*$/.exec(text.slice(Math.max(0, start - 80), start))?.[1];
    if (attribute !== undefined) return `a dict has braces of its own: \`${attribute}={{…}}\``;
  }
  if (p.tok === t.COLON && expected === '`,` or `]`' && text.startsWith('-->', start - 3)) return edgeOfType;
  if (expected === 'a comparison')
    return p.tok === t.RBRACKET ? 'a type is written `[?:T]`' : 'left of a comparison stands the name of a field alone';
  const near = text.slice(Math.max(0, start - 200), start);
  const line = near.slice(near.lastIndexOf('\n') + 1);
  if (expected.startsWith('`{`')) return meantByHead(p, line);
  if (expected === '`:`') return /\bhas\b/.test(line) ? meantByField(p, line) : meantByCase(p);
  if (expected === '`,` or `)`' && isWord(p) && /\b(def|can)\b[^(]*\([^()]*\w\s*$/.test(line))
    return meantByTyped(p, line, '');
  if (expected === '`]`' && p.tok === t.ELSE) return 'a choice stands before `for`: `[a if c else b for x in …]`';
  if (expected === '`,` or `)`' && p.tok === t.COLON && !/\b(def|can|lambda|for)\b/.test(line))
    return 'an argument is named by `name=value`';
  if (expected === '`;`' && p.word === 'or' && /\bhas\b/.test(line)) return 'a union of types is written `A | B`';
  return expected === '`in`' && p.word === 'of' ? 'write `for x in …`' : undefined;
}

const equality = 'equality is written `==`';
const sideBySide = 'elements beside each other stand in one: `<>…</>`';
const edgeOfType = 'edges of a type are written `[->:T:->]`';

function meantByOperand(p: Parser): string | undefined {
  const { text, start } = p;
  const before = text.charAt(start - 1);
  if (p.tok === t.ASSIGN && /[=!]/.test(before)) return equality;
  if (p.tok === t.GT && before === '<') return 'inequality is written `!=`';
  if (p.tok === t.ARROW && before === '[') return edgeOfType;
  if (p.tok === t.ASYNC && /^async\s+lambda\b/.test(text.slice(start, start + 40)))
    return 'write `lambda` alone: one whose body waits is asynchronous';
  if (p.tok === t.ASYNC && /^async\s+function\b/.test(text.slice(start, start + 40))) return 'write `async def`';
  if (/^(pub|priv|protect|public|private)$/.test(text.slice(start, p.end)))
    return 'a tag stands behind the keyword: `walker:pub W { … }`';
  // In a block of a slot of markup.
  if (
    /^(for|if|while|match|switch|try)$/.test(text.slice(start, p.end)) &&
    /\{\s*$/.test(text.slice(Math.max(0, start - 40), start))
  )
    return 'inside of a block a statement stands without braces around it';
  if (p.tok === t.SLASH && before === '<')
    return 'inside of a block only elements are shown: put texts and values in braces into one, or into `<>…</>`';
  const isListType =
    p.tok === t.RBRACKET &&
    /\b(int|str|float|bool|any|string|number|[A-Z]\w*)\[$/.test(text.slice(Math.max(0, start - 40), start));
  return isListType ? 'a type of lists is written `list[T]`' : undefined;
}

/**
 * Guesses at the intention where the block of a declaration or statement should begin; `line` is the text before it on
 * the line.
 */
function meantByHead(p: Parser, line: string): string | undefined {
  if (p.tok === t.COLON) return meantByColon(p);
  if (p.text.startsWith('=>', p.start) && /\bdef\b/.test(line)) return 'the type of the result is written `-> T`';
  if (/^(extends|implements)$/.test(p.word) && p.tok <= t.LAST_WORD) return 'bases stand in parentheses: `Name(Base)`';
  if (p.tok === t.LPAREN && /^\s*with entry\s*$/.test(line)) return 'write `with entry { … }`';
  if (p.tok === t.COMMA && /\b(entry|exit)\s*$/.test(line)) return 'several types are written `A | B`';
  const isEvent =
    p.tok === t.WITH || p.tok === t.ENTRY || p.word === 'on' || (p.tok === t.LPAREN && /\b(entry|exit)\s*$/.test(line));
  return isEvent && /\b(can|def)\b/.test(line) ? 'an ability reads `can name with T entry { … }`' : undefined;
}

/** `has str name;`, `has name str;` */
function meantByField(p: Parser, line: string): string | undefined {
  return isWord(p) ? meantByTyped(p, line, 'has ') : undefined;
}

function isWord({ tok }: Parser): boolean {
  return tok >= t.NAME && tok <= t.LAST_WORD;
}

/** A name and its type side by side, in either order. */
function meantByTyped({ text, start, end }: Parser, line: string, head: string): string | undefined {
  const before = /(\w+)\s*$/.exec(line)?.[1];
  const after = text.slice(start, end);
  if (before === undefined) return undefined;
  const [name, type] = /^(int|str|float|bool|list|dict|set|any)$/.test(before) ? [after, before] : [before, after];
  return `write \`${head}${name}: ${type}${head === '' ? '' : ';'}\``;
}

function meantByCase({ text, start }: Parser): string | undefined {
  return text.startsWith('=>', start) ? 'a case reads `case x: …`' : undefined;
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

/** Guesses at the intention of a character among the attributes of a tag. */
export function meantInTag(c: string): string | undefined {
  if (c === ',') return 'blanks stand between attributes';
  return c === '"' ? "a text with quotes in it stands in those of the other kind: `'…'`" : undefined;
}

/** Guesses at the intention of a character no token begins with. */
export function meantByCharacter(text: string, at: number): string | undefined {
  const c = text.charAt(at);
  if ('“”„«»'.includes(c)) return 'texts stand in `"…"`';
  if ('‘’'.includes(c)) return "texts stand in `'…'`";
  if (c === '`' || (c === '$' && text.charAt(at + 1) === '{')) return 'a formatted text is written `f"… {x} …"`';
  return c === '\u00a0' ? 'this is a blank of another kind: write an ordinary one' : undefined;
}

/** Guesses at the intention where a `;` is missing behind `written`, which began a statement or member. */
export function meantByStatement(p: Parser, written: string): string | undefined {
  const declarator = /^(const|var|final|mut|my)$/.exec(written)?.[1];
  if (declarator !== undefined) return `a variable is declared by its first value, without \`${declarator}\``;
  if (p.tok === t.LT && written.endsWith('>')) return sideBySide;
  if (written === 'export') return 'what others may import is marked `:pub`, as in `def:pub f { … }`';
  if (written === 'delete') return 'write `del …`';
  if (/\btypeof$/.test(written)) return 'write `type(x)`, or ask `isinstance(x, T)`';
  if (p.word === 'instanceof') return 'write `isinstance(x, T)`';
  if (/^constructor\s*\(/.test(written) && p.tok === t.LBRACE) return 'a constructor is written `def init(…) { … }`';
  if (written === 'function') return 'a function begins with `def`';
  if (written === 'entry' && p.tok === t.LBRACE) return 'write `with entry { … }`';
  if (/\bspawn\s+\w+$/.test(written)) return 'the place stands first: `root spawn W()`';
  if ((p.tok === t.ARROW || p.tok === t.LBRACE) && /^\w+\s*\([^()]*\)$/.test(written))
    return 'a function begins with `def`';
  if (p.tok === t.LT && /\bhas\b[^;]*:\s*\w+$/.test(written))
    return 'arguments of types stand in brackets: `list[str]`';
  const isType = /^([A-Z]\w*|int|str|float|bool|list|dict)$/.test(written);
  if (!isType || p.tok !== t.NAME || !/^\s*=[^=]/.test(p.text.slice(p.end, p.end + 20))) return undefined;
  return `a variable with a type is written \`${p.word}: ${written} = …\``;
}
