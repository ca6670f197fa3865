/**
 * One mistake, one diagnostic (docs/language/diagnostics.md#principles): what is only said because syntax is broken
 * nearby (decisions/0289).
 */
import { type Diagnostic, isOfSyntax, type Params } from './diagnostics.ts';
import type { Source } from './source.ts';

/** The findings of one source, by position, without those that follow from its syntax errors. */
export function withoutFollowUps(found: readonly Diagnostic[], source: Source): readonly Diagnostic[] {
  if (!found.some(({ code }) => isOfSyntax(code) || code === 'E0901')) return found;
  const { text } = source;
  const syntax = found.filter(({ code }) => isOfSyntax(code));
  const broken = firstInStatement(syntax, text);
  const damage = damageOf(syntax, text);
  return found.filter((one) => (isOfSyntax(one.code) ? broken.includes(one) : !follows(one, damage, text)));
}

/** The findings of a project without those about names that are declared twice: which declaration a use means is not known. */
export function withoutTwins(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const twins = new Set(
    found.flatMap(({ code, params }) => (code === 'E0203' ? (plainName(params?.['name']) ?? []) : [])),
  );
  if (twins.size === 0) return found;
  return found.filter(({ code, params }) => {
    // A method is called as `Class.method`: its class is what is declared twice.
    const owner =
      code === 'E0412'
        ? /^\w+/.exec(String(params?.['f']))?.[0]
        : code === 'E0413'
          ? plainName(params?.['T'])
          : undefined;
    return owner === undefined || !twins.has(owner);
  });
}

/** A name that is one word: neither `Class.member` nor `list[int]`. */
function plainName(name: string | number | undefined): string | undefined {
  return typeof name === 'string' && /^\w+$/.test(name) ? name : undefined;
}

/**
 * Errors with no end of a statement between them have one cause, the first of them. On the line of a string without its end that is the cause,
 * and brackets that the string has swallowed are missed later. A closing bracket too many is what an earlier error left over.
 */
function firstInStatement(broken: readonly Diagnostic[], text: string): readonly Diagnostic[] {
  const kept: Diagnostic[] = [];
  let swallowed = '';
  /** End of a comment, or of the block of a statement, that is spelt as in other languages. */
  let foreign = 0;
  let isIndented = false;
  let isSpilt = false;
  for (const one of broken) {
    // A block without its end takes in all declarations behind it.
    if (isSpilt && (isSpilling(one) || one.code === 'E0111')) continue;
    isSpilt ||= isSpilling(one);
    if (one.start < foreign) continue;
    if (text.startsWith('/*', one.start)) foreign = text.indexOf('*/', one.start) + 2;
    if (one.code === 'E0120' && one.help !== undefined) foreign = endOfBlock(text, one.end);
    // Statements of Python end with their lines, and its clauses have no block in front of them.
    if (
      isIndented &&
      (one.code === 'E0121' || (one.code === 'E0120' && /^[ \t]*(?:#.*)?$/m.test(lineFrom(text, one.end))))
    )
      continue;
    isIndented ||= isColonOfBlock(one);
    const last = kept[kept.length - 1];
    const between = last === undefined ? '\n' : text.slice(last.end, one.start);
    if (one.code === 'E0100') {
      while (kept.length > 0 && !text.slice(kept[kept.length - 1]!.start, one.start).includes('\n')) kept.pop();
      swallowed = text.slice(one.start, endOfLine(text, one.start));
      kept.push(one);
    } else if (last !== undefined && isLeftOver(one)) continue;
    else if (/[{}]/.test(swallowed) && (isAboutBrace(one) || isSpilling(one))) continue;
    else if (last?.code === 'E0100' ? between.includes('\n') : /[;{}\n]/.test(between) || isAnother(one, last, between))
      kept.push(one);
  }
  return kept;
}

/** `def f():`, `if x:` */
function isColonOfBlock({ code, params, help }: Diagnostic): boolean {
  return code === 'E0110' && params?.['got'] === '`:`' && help?.includes('{ … }') === true;
}

function lineFrom(text: string, offset: number): string {
  return text.slice(offset, endOfLine(text, offset));
}

/** The end of the braces that begin behind a place; the place itself where none do. */
function endOfBlock(text: string, offset: number): number {
  let at = offset + /^[ \t]*/.exec(lineFrom(text, offset))![0].length;
  if (text.charAt(at) !== '{') return offset;
  for (let open = 0; at < text.length; at++) {
    open += Number(text.charAt(at) === '{') - Number(text.charAt(at) === '}');
    if (open === 0) break;
  }
  return at;
}

/** A closing bracket where a declaration should begin. */
function isLeftOver({ code, params }: Diagnostic): boolean {
  return code === 'E0110' && params?.['expected'] === 'a declaration' && /^`[)\]}]`/.test(String(params['got']));
}

/** A closing brace is missing, or stands where it should not. */
function isAboutBrace({ params = {} }: Diagnostic): boolean {
  return params['token'] === '}' || [params['expected'], params['got']].some((text) => String(text).includes('`}`'));
}

/** A declaration of the module inside a class: the class has lost its closing brace, or a method in it. */
function isSpilling({ code, params }: Diagnostic): boolean {
  const got = params?.['got'];
  return code === 'E0110' && (got === 'a declaration of a module' || got === 'another declaration');
}

/** `f(a b, c d)`: the same is missing in another item. */
function isAnother(one: Diagnostic, last: Diagnostic | undefined, between: string): boolean {
  // `{"a" 1, "b": 2}` was meant as a dict.
  if (one.params?.['got'] === '`:`') return false;
  return between.includes(',') && one.code === last?.code && isSameBut('got', one.params, last.params);
}

function isSameBut(name: string, a: Params = {}, b: Params = {}): boolean {
  return Object.keys(a).every((key) => key === name || a[key] === b[key]);
}

interface Damage {
  /** Statements with an error inside, up to the end of its line. */
  readonly statements: readonly Span[];
  /**
   * Part of the text from a bracket without its end to the place where that was missed: the contents of a block there,
   * and its owner, are not known.
   */
  readonly blocks: readonly Span[];
  readonly brackets: readonly Span[];
  /** Variables that such a statement assigns to. */
  readonly variables: ReadonlySet<string>;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function damageOf(broken: readonly Diagnostic[], text: string): Damage {
  const statements = broken.map(({ code, start }) => ({
    // The place where a string without its end should have begun is not known.
    start: code === 'E0100' ? text.lastIndexOf('\n', start - 1) + 1 : startOfStatement(text, start),
    end: endOfLine(text, start),
  }));
  const assigned = statements.map(({ start, end }) => assignment.exec(text.slice(start, end))?.[1]);
  return {
    statements,
    blocks: broken.flatMap((one) =>
      isSpilling(one) ? [{ start: one.start, end: text.length }] : openedAt(one, '{', text),
    ),
    brackets: broken.flatMap((one) => [...openedAt(one, '(', text), ...openedAt(one, '[', text)]),
    variables: new Set(assigned.filter((name) => name !== undefined)),
  };
}

// `def:pub f` and `else:` begin with no variable.
const assignment =
  /^\s*(?:(?:glob|has|let)\s+)?(?!(?:def|can|node|edge|walker|obj|class|enum|test|impl|glob|has|if|elif|else|try|except|finally|case|lambda)\b)(\w+)\s*[:=]/;

// A brace of a display has its items beside it, one of a block white space.
function startOfStatement(text: string, offset: number): number {
  for (let at = offset; at > 0; at--) {
    const before = text.charAt(at - 1);
    if (before === ';' || ('{}'.includes(before) && /\s/.test(text.charAt(at)))) return at;
  }
  return 0;
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

/** E0111 says where the bracket is. */
function openedAt({ code, params, end }: Diagnostic, bracket: string, text: string): readonly Span[] {
  if (code !== 'E0111' || params?.['open'] !== bracket) return [];
  const [line, column] = [Number(params['line']), Number(params['col'])];
  let start = 0;
  for (let at = 1; at < line; at++) start = text.indexOf('\n', start) + 1;
  return [{ start: bracket === '{' ? start : start + column - 1, end }];
}

function follows({ code, start, end }: Diagnostic, damage: Damage, text: string): boolean {
  if (!/^(?:W01|[EW]0[2345])/.test(code)) return false;
  const isIn = (span: Span) => start >= span.start && start <= span.end;
  if (damage.statements.some(isIn) || damage.brackets.some(isIn)) return true;
  switch (code) {
    case 'W0404': // what was not read may use it
      return damage.statements.length > 0;
    case 'E0301':
      return mayDeclare(text, text.slice(start, end), damage);
    default:
      if (!/^.04/.test(code)) return false;
      return damage.blocks.some(isIn) || mentions(lineAround(text, start), damage.variables);
  }
}

function lineAround(text: string, offset: number): string {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, endOfLine(text, offset));
}

function mentions(line: string, names: ReadonlySet<string>): boolean {
  return names.size > 0 && (line.match(/\w+/g) ?? []).some((word) => names.has(word));
}

/** Does some part of the text, which may not have been read, look as if it declared the name? */
function mayDeclare(text: string, name: string, damage: Damage): boolean {
  if (!/^\w+$/.test(name)) return false;
  if (damage.statements.some(({ start, end }) => text.slice(start, end).includes(name))) return true;
  const words = 'def|obj|class|node|edge|walker|enum|glob|has|can|type|import|as|for|impl|static';
  return new RegExp(`\\b(?:${words})\\b(?:\\s*:\\s*\\w+)?\\s+${name}\\b|\\b${name}\\s*(?::(?!:)|=(?!=))`).test(text);
}
