/**
 * Makes compiled TypeScript ask whether its time is up, as generated code does (decisions/0405): each time round a loop and at the start of each function
 * with a body in braces. The text is what esbuild prints; line breaks stay where they are, so the source map stays right.
 */
import { runtimeSpecifier } from '../modules/compiled-module.ts';

const question = 'if ($due) $look();';

/** The text with its questions, and with the import they need. */
export function askInLoops(code: string): string {
  const places = findBodies(code);
  if (places.length === 0) return code;
  let text = '';
  let from = 0;
  for (const at of places) {
    text += `${code.slice(from, at)} ${question}`;
    from = at;
  }
  return `${text}${code.slice(from)}\nimport { look as $look } from "${runtimeSpecifier}";\n`;
}

/** Parentheses behind these words are no parameters, and no head of a loop. */
const otherHeads = new Set(['if', 'switch', 'with', 'catch']);
/** Words behind which an expression begins: a slash is a pattern. */
const beforeExpressions = new Set(
  'return typeof instanceof in of new delete void throw case do else yield await extends default'.split(' '),
);

/** Signs of two characters that tell what follows. */
const signs = ['=>', '?.', '++', '--'];

/** Offsets behind the opening braces of bodies. */
function findBodies(code: string): number[] {
  const found: number[] = [];
  /** Open brackets: of a parenthesis the word before it, of a brace whether it belongs to a template. */
  const open: { readonly mark: string; readonly word: string }[] = [];
  /** Number of brackets open around each class whose body has not begun. */
  const classes: number[] = [];
  // The last token, and for a closing parenthesis the word before its opening one.
  let last = '';
  let word = '';
  let at = 0;
  const isWordChar = (char: string | undefined) => char !== undefined && /[\p{ID_Continue}$\u200c\u200d]/u.test(char);
  while (at < code.length) {
    const char = code[at]!;
    if (char === ' ' || char === '\n' || char === '\t' || char === '\r') at++;
    else if (code.startsWith('//', at)) at = endOf(code, '\n', at);
    else if (code.startsWith('/*', at)) at = endOf(code, '*/', at + 2);
    else if (char === '"' || char === "'") {
      at = endOfString(code, at);
      last = '"';
    } else if (char === '`') {
      at = skipTemplate(code, at + 1, open);
      last = '`';
    } else if (char === '/' && isPattern(last, word, code[at + 1])) {
      at = endOfPattern(code, at);
      last = '/x/';
    } else if (isWordChar(char) || char === '#' || char === '\\') {
      const start = at++;
      while (isWordChar(code[at]) || code[at] === '\\') at++;
      const name = code.slice(start, at);
      // A member may be called like a statement.
      last = last === '.' || last === '?.' ? 'x' : name;
      if (last === 'class') classes.push(open.length);
    } else if (char === '(') {
      open.push({ mark: '(', word: last });
      last = char;
      at++;
    } else if (char === ')') {
      word = open.pop()?.word ?? '';
      last = char;
      at++;
    } else if (char === '{') {
      const isClass = classes.at(-1) === open.length;
      if (isClass) classes.pop();
      const isBody = !isClass && (last === '=>' || last === 'do' || (last === ')' && !otherHeads.has(word)));
      open.push({ mark: '{', word: '' });
      last = char;
      at++;
      if (isBody) found.push(at);
    } else if (char === '}') {
      const opened = open.pop();
      at++;
      if (opened?.mark === '`') at = skipTemplate(code, at, open);
      last = opened?.mark === '`' ? '`' : '}';
    } else {
      last = signs.find((sign) => code.startsWith(sign, at)) ?? char;
      at += last.length;
    }
  }
  return found;
}

function endOf(code: string, mark: string, from: number): number {
  const end = code.indexOf(mark, from);
  return end < 0 ? code.length : end + mark.length;
}

function endOfString(code: string, start: number): number {
  let at = start + 1;
  while (at < code.length && code[at] !== code[start]) at += code[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Gives the place behind the template, or inside its next `${`, which stays open. */
function skipTemplate(code: string, from: number, open: { mark: string; word: string }[]): number {
  for (let at = from; at < code.length; at++) {
    if (code[at] === '\\') at++;
    else if (code[at] === '`') return at + 1;
    else if (code.startsWith('${', at)) {
      open.push({ mark: '`', word: '' });
      return at + 2;
    }
  }
  return code.length;
}

/** Is a slash behind this token (a parenthesis: opened behind this word), and before this character, the beginning of a pattern? esbuild writes a division between spaces. */
function isPattern(last: string, word: string, next: string | undefined): boolean {
  if (last === '' || beforeExpressions.has(last)) return true;
  if (last === ')' && (otherHeads.has(word) || word === 'for' || word === 'while')) return true;
  if (last === '}') return next !== ' ';
  return !([')', ']', '"', '`', '/x/', '++', '--'].includes(last) || /[\p{ID_Continue}$]$/u.test(last));
}

function endOfPattern(code: string, start: number): number {
  let isInSet = false;
  for (let at = start + 1; at < code.length; at++) {
    const char = code[at];
    if (char === '\\') at++;
    else if (char === '[') isInSet = true;
    else if (char === ']') isInSet = false;
    else if (char === '/' && !isInSet) return at + 1;
  }
  return code.length;
}
