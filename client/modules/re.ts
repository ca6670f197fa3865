/** `re` in the browser: patterns of Python as regular expressions of JavaScript. */
import { Exception, IndexError } from '../lang/exceptions.ts';

export const [A, I, M, S, X] = [256, 2, 8, 16, 64];
export const [ASCII, IGNORECASE, MULTILINE, DOTALL, VERBOSE] = [A, I, M, S, X];

export class error extends Exception {}

const letters: Readonly<Record<string, number>> = { a: A, i: I, m: M, s: S, x: X };

/** Spellings that JavaScript has otherwise: named groups, the ends of a text, and in verbose patterns what is left out. */
function translated(source: string, flags: number): string {
  const part = /\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\(\?P<|\(\?P=(\w+)\)|\$|\s+|#[^\n]*/g;
  return source.replace(part, (found, name: string | undefined) => {
    if (found === '\\A') return '(?<![\\s\\S])';
    if (found === '\\Z') return '(?![\\s\\S])';
    if (found === '(?P<') return '(?<';
    if (name !== undefined) return `\\k<${name}>`;
    if (found === '$') return flags & M ? '$' : '(?=\\n?(?![\\s\\S]))';
    return flags & X && /^[\s#]/.test(found) ? '' : found;
  });
}

class Match {
  readonly string: string;
  readonly re: Pattern;
  readonly #found: RegExpExecArray;

  constructor(found: RegExpExecArray, re: Pattern) {
    this.string = found.input;
    this.re = re;
    this.#found = found;
    // `m[1]`, `m["year"]`
    for (const [name, one] of [...Object.entries([...found]), ...Object.entries(found.groups ?? {})])
      if (!(name in this)) Object.assign(this, { [name]: one ?? null });
  }
  group(...names: (number | string)[]): any {
    const [first = 0] = names;
    return names.length > 1 ? names.map((name) => this.__getitem__(name)) : this.__getitem__(first);
  }
  groups(other: any = null): any[] {
    return this.#found.slice(1).map((one) => one ?? other);
  }
  groupdict(other: any = null): Record<string, any> {
    return Object.fromEntries(
      Object.entries(this.#found.groups ?? {}).map(([name, one]): [string, any] => [name, one ?? other]),
    );
  }
  span(name: number | string = 0): number[] {
    const { indices } = this.#found;
    return (typeof name === 'number' ? indices?.[name] : indices?.groups?.[name]) ?? [-1, -1];
  }
  start(name: number | string = 0): number {
    return this.span(name)[0]!;
  }
  end(name: number | string = 0): number {
    return this.span(name)[1]!;
  }
  /** Number of the group that ended last. */
  get lastindex(): number | null {
    return this.re.$closing.findLast(({ number }) => this.#found[number] !== undefined)?.number ?? null;
  }
  get lastgroup(): string | null {
    return this.re.$closing.findLast(({ number }) => this.#found[number] !== undefined)?.name ?? null;
  }
  expand(template: string): string {
    return template.replace(/\\(?:g<(\w+)>|(\d+)|(n|t|\\))/g, (_, name, place, char) =>
      char === undefined
        ? (this.__getitem__(/^\d+$/.test(name ?? place) ? Number(name ?? place) : name) ?? '')
        : ({ n: '\n', t: '\t' }[char as string] ?? char),
    );
  }
  __getitem__(name: number | string): string | null {
    const found = this.#found;
    const isThere = typeof name === 'number' ? name in found : Object.hasOwn(found.groups ?? {}, name);
    if (!isThere) throw new IndexError('no such group');
    return (typeof name === 'number' ? found[name] : found.groups![name]) ?? null;
  }
}

class Pattern {
  readonly pattern: string;
  readonly flags: number;
  readonly #source: string;

  constructor(pattern: string, flags: number) {
    const [head = '', inline = ''] = /^\(\?([aimsux]+)\)/.exec(pattern) ?? [];
    this.pattern = pattern;
    this.flags = [...inline].reduce((all, letter) => all | (letters[letter] ?? 0), flags);
    this.#source = translated(pattern.slice(head.length), this.flags);
    this.#made('', '');
  }
  /** Groups in the order in which they end. */
  get $closing(): { number: number; name: string | undefined }[] {
    const open: ({ number: number; name: string | undefined } | undefined)[] = [];
    const closing: { number: number; name: string | undefined }[] = [];
    let groups = 0;
    for (const [found, name] of this.#source.matchAll(
      /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:<(?![=!])(\w+)>)?)?|\)/g,
    ))
      if (found === ')') {
        const ended = open.pop();
        if (ended !== undefined) closing.push(ended);
      } else if (found.startsWith('(')) open.push(found === '(' || name ? { number: ++groups, name } : undefined);
    return closing;
  }
  #made(mode: string, behind: string): RegExp {
    const { flags } = this;
    const words = `d${mode}${flags & I ? 'i' : ''}${flags & M ? 'm' : ''}${flags & S ? 's' : ''}`;
    try {
      return new RegExp(behind === '' ? this.#source : `(?:${this.#source})${behind}`, words);
    } catch (reason) {
      throw new error((reason as Error).message);
    }
  }
  #from(mode: string, text: string, behind = '', start = 0): Match | null {
    const made = this.#made(mode, behind);
    made.lastIndex = start;
    const found = made.exec(text);
    return found === null ? null : new Match(found, this);
  }
  search(string: string, pos = 0): Match | null {
    return this.#from('g', string, '', pos);
  }
  match(string: string, pos = 0): Match | null {
    return this.#from('y', string, '', pos);
  }
  fullmatch(string: string, pos = 0): Match | null {
    return this.#from('y', string, '(?![\\s\\S])', pos);
  }
  finditer(string: string): Match[] {
    return [...string.matchAll(this.#made('g', ''))].map((found) => new Match(found, this));
  }
  findall(string: string): any[] {
    return this.finditer(string).map((one) => {
      const groups = one.groups('');
      return groups.length === 0 ? one.group() : groups.length === 1 ? groups[0] : groups;
    });
  }
  split(string: string, maxsplit = 0): any[] {
    const parts: any[] = [];
    let at = 0;
    for (const one of this.finditer(string).slice(0, maxsplit === 0 ? undefined : maxsplit)) {
      parts.push(string.slice(at, one.start()), ...one.groups());
      at = one.end();
    }
    return [...parts, string.slice(at)];
  }
  subn(repl: any, string: string, count = 0): [string, number] {
    const found = this.finditer(string).slice(0, count === 0 ? undefined : count);
    let text = '';
    let at = 0;
    for (const one of found) {
      text += string.slice(at, one.start()) + (typeof repl === 'string' ? one.expand(repl) : repl(one));
      at = one.end();
    }
    return [text + string.slice(at), found.length];
  }
  sub(repl: any, string: string, count = 0): string {
    return this.subn(repl, string, count)[0];
  }
}

export { Match, Pattern };

/** A function that takes its arguments by these names, too. */
function taking<F extends object>(names: string, f: F): F {
  return Object.assign(f, { $params: names.split(' ') });
}
for (const name of ['search', 'match', 'fullmatch'] as const) taking('string pos', Pattern.prototype[name]);
taking('string maxsplit', Pattern.prototype.split);
taking('repl string count', Pattern.prototype.sub);
taking('repl string count', Pattern.prototype.subn);

const compiled = new Map<string, Pattern>();

export const compile = taking('pattern flags', (pattern: string | Pattern, flags = 0): Pattern => {
  if (pattern instanceof Pattern) return pattern;
  const key = `${flags} ${pattern}`;
  let made = compiled.get(key);
  if (made === undefined) compiled.set(key, (made = new Pattern(pattern, flags)));
  return made;
});
type Source = string | Pattern;
export const search = taking('pattern string flags', (p: Source, s: string, flags = 0) => compile(p, flags).search(s));
export const match = taking('pattern string flags', (p: Source, s: string, flags = 0) => compile(p, flags).match(s));
export const fullmatch = taking('pattern string flags', (p: Source, s: string, flags = 0) =>
  compile(p, flags).fullmatch(s),
);
export const findall = taking('pattern string flags', (p: Source, s: string, flags = 0) =>
  compile(p, flags).findall(s),
);
export const finditer = taking('pattern string flags', (p: Source, s: string, flags = 0) =>
  compile(p, flags).finditer(s),
);
export const split = taking('pattern string maxsplit flags', (p: Source, s: string, most = 0, flags = 0) =>
  compile(p, flags).split(s, most),
);
export const sub = taking('pattern repl string count flags', (p: Source, to: any, s: string, most = 0, flags = 0) =>
  compile(p, flags).sub(to, s, most),
);
export const subn = taking('pattern repl string count flags', (p: Source, to: any, s: string, most = 0, flags = 0) =>
  compile(p, flags).subn(to, s, most),
);

export function escape(text: string): string {
  return text.replace(/[\s!-/:-@[-^`{-~]/g, (char) => (/[!"%',/:;<=>@`]/.test(char) ? char : `\\${char}`));
}
