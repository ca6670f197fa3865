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
  if (expected === 'a member' && p.tok === t.STATIC) return 'a method reads `static def name(…) { … }`';
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
  if (expected.startsWith('`,` or `') && p.word === 'instanceof' && isWord(p)) return askClass;
  if (p.tok === t.BANG) return unasked;
  if (p.tok === t.LBRACE && /\bfunction\s*\([^()]*\)\s*$/.test(line)) return unnamed;
  if (/\benum\b[^{}]*\{[^{}]*$/.test(near)) {
    if (p.tok === t.COLON) return 'a member and its value are written `NAME = value`';
    if (p.tok === t.SEMI) return 'commas stand between members';
  }
  if (expected === '`,` or `)`' && /\bdef\b[^(]*\([^()]*$/.test(line)) {
    if (p.tok === t.QUESTION) return 'a parameter that may be left out has a default: `b: int | None = None`';
    if (p.tok === t.LT) return typeArguments;
  }
  if (expected === '`:`') return /\bhas\b/.test(line) ? meantByField(p, line) : meantByCase(p);
  if (expected === '`,` or `)`' && isWord(p) && /\b(def|can)\b[^(]*\([^()]*\w\s*$/.test(line))
    return meantByTyped(p, line, '');
  if (expected === '`]`' && p.tok === t.ELSE) return 'a choice stands before `for`: `[a if c else b for x in …]`';
  if (expected === '`,` or `)`' && p.tok === t.COLON && !/\b(def|can|lambda|for)\b/.test(line))
    return 'an argument is named by `name=value`';
  if (expected === '`;`' && p.word === 'or' && /\bhas\b/.test(line)) return 'a union of types is written `A | B`';
  return expected === '`in`' && p.word === 'of' ? 'write `for x in …`' : undefined;
}

const askClass = 'write `isinstance(x, T)`';
const askType = 'write `type(x)`, or ask `isinstance(x, T)`';
const unasked = 'write the value alone: nothing says that it is not `None`';
const unnamed = 'a function without a name reads `lambda (a: any) { … }`';
const typeArguments = 'arguments of types stand in brackets: `list[str]`';
const inBraces = 'a block is written in braces: `{ … }`';
const noLabels = 'loops have no labels: where one ends several, they stand in a function that returns';
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
  if (p.tok === t.SLASH && before !== '<' && /^\/[^\s/][^\n]*\/[a-z]*/.test(text.slice(start, start + 200)))
    return 'a pattern is a text of `re`: `re.compile(r"…")`';
  if ((p.tok === t.FOR || p.tok === t.WHILE) && /\w\s*:\s*$/.test(text.slice(Math.max(0, start - 40), start)))
    return noLabels;
  if ((p.tok === t.GT || p.tok === t.GE) && text.slice(start - 2, start) === '>>')
    return 'ints have no width: `>>` is the only shift to the right';
  if (p.tok === t.FROM && /^\s*export\b[^\n]*$/m.test(lineBefore(text, start)))
    return 'names of another module are handed on by `include name;`';
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
  if (/\btypeof\s*$/.test(line)) return askType;
  if (p.tok === t.LT && /\b(def|obj|class|node|edge|walker)\b/.test(line))
    return 'parameters of types stand in brackets: `def f[T](x: T)`';
  const isEvent =
    p.tok === t.WITH || p.tok === t.ENTRY || p.word === 'on' || (p.tok === t.LPAREN && /\b(entry|exit)\s*$/.test(line));
  if (isEvent && /\b(can|def)\b/.test(line)) return 'an ability reads `can name with T entry { … }`';
  return /^\s*(\}\s*)?(if|elif|else|while|for)\b[^{}]*$/.test(line) && p.tok !== t.EOF ? inBraces : undefined;
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
  return type === undefined ? inBraces : `the type of the result is written \`-> ${type.trim()}\``;
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
  if (/\btypeof$/.test(written)) return askType;
  if (/\bvoid$/.test(written)) return 'write `None`';
  if (p.word === 'instanceof') return askClass;
  if (p.tok === t.BANG) return unasked;
  if (p.text.charAt(p.start) === '`') return 'a text stands in `"…"`, with values in it in `f"… {x} …"`';
  if (/\/\/\s*\w+$/.test(written)) return 'a comment begins with `#`';
  if (/^(break|continue)$/.test(written)) return noLabels;
  if (/^(private|protected|public|readonly)$/.test(written))
    return 'a field reads `has:priv x: int;`, a method `def:priv name(…) { … }`';
  if (written === 'abstract') return 'a method without a body is abstract: `def name() abs;`';
  if (/^[gs]et$/.test(written)) return 'a property reads `has x: T { getter { … } setter(value: T) { … } }`';
  if (/\bfunction\s*\([^()]*\)$/.test(written)) return unnamed;
  if (/^function\b/.test(written)) return 'a function begins with `def`';
  if (/\d$/.test(written) && p.start === p.prevEnd && p.word === 'n') return 'ints have any size: write it without `n`';
  if (p.tok === t.ARROW && /[\w)\]]$/.test(written) && p.start === p.prevEnd) return 'a member is written `x.name`';
  if (written === 'loop' && p.tok === t.LBRACE) return 'write `while True { … }`';
  if (/^foreach\b/.test(written)) return 'write `for x in … { … }`';
  if (/^constructor\s*\(/.test(written) && p.tok === t.LBRACE) return 'a constructor is written `def init(…) { … }`';
  if (written === 'entry' && p.tok === t.LBRACE) return 'write `with entry { … }`';
  if (/\bspawn\s+\w+$/.test(written)) return 'the place stands first: `root spawn W()`';
  if ((p.tok === t.ARROW || p.tok === t.LBRACE) && /^\w+\s*\([^()]*\)$/.test(written))
    return 'a function begins with `def`';
  if (p.tok === t.LT && /\bhas\b[^;]*:\s*\w+$/.test(written)) return typeArguments;
  const isType = /^([A-Z]\w*|int|str|float|bool|list|dict)$/.test(written);
  if (!isType || p.tok !== t.NAME || !/^\s*=[^=]/.test(p.text.slice(p.end, p.end + 20))) return undefined;
  return `a variable with a type is written \`${p.word}: ${written} = …\``;
}

/** Guesses at the intention where a name should stand behind a point, or in front of something. */
export function meantByName(p: Parser): string | undefined {
  const { text, start } = p;
  if (text.slice(start - 2, start) === '?.') {
    if (p.tok === t.LPAREN) return 'write `f(…) if f is not None else None`';
    if (p.tok === t.LBRACKET) return 'write `x?[…]`';
  }
  if (/\.#\w/.test(text.slice(p.prevEnd - 1, p.prevEnd + 2)))
    return '`#` begins a comment: a field of a class alone is `has:priv x`';
  return /\d\.\.?$/.test(text.slice(start - 3, start + 1)) ? ranges : undefined;
}

const ranges = 'numbers from one to another are `range(a, b)`, a part of a list is `xs[a:b]`';

/** Guesses at the intention where something that cannot be assigned to is: `x ??`, `x ||`. */
export function meantByTarget(target: string): string | undefined {
  const [, name, sign] = /^(.*?)\s*(\?\?|\|\||&&)$/s.exec(target) ?? [];
  if (name === undefined) return undefined;
  if (sign === '??') return `write \`if ${name} is None { ${name} = …; }\``;
  return `write \`${name} = ${name} ${sign === '||' ? 'or' : 'and'} …;\``;
}

function lineBefore(text: string, at: number): string {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
}
