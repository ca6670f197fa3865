/** Module `difflib`: how two sequences differ. */

import { functions, type Members } from '../builtins/module.ts';
import { makeNamedTuple } from '../builtins/namedtuple.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { real } from '../builtins/real.ts';
import { look } from '../limits/look.ts';
import { call } from '../values/calls/calls.ts';
import { GeneratorObject } from '../values/calls/generators.ts';
import { Dict } from '../values/containers/dict.ts';
import { toArray } from '../values/containers/iteration.ts';
import { set } from '../values/containers/sets.ts';
import { type Tuple, tuple } from '../values/containers/tuple.ts';
import { boxed } from '../values/numbers/float-box.ts';
import { requireSize } from '../values/numbers/index-value.ts';
import { TypeError, ValueError } from '../values/objects/exceptions.ts';
import { reprOf } from '../values/objects/repr.ts';
import { truth } from '../values/objects/truth.ts';
import { typeName } from '../values/objects/type-name.ts';
import { charsOf } from '../values/text/strings.ts';
import { requireText, textOf } from '../values/text/text-arguments.ts';

const Match = makeNamedTuple('Match', ['a', 'b', 'size'], { module: 'difflib' });

interface Block {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

type Tag = 'equal' | 'replace' | 'delete' | 'insert';
type Opcode = readonly [Tag, number, number, number, number];

const elements = (x: unknown): readonly unknown[] => (typeof x === 'string' ? charsOf(x) : toArray(x));

/** Elements stand as numbers: equal ones have the same. */
class SequenceMatcher {
  declare isjunk: unknown;
  declare autojunk: boolean;
  declare a: unknown;
  declare b: unknown;
  declare bjunk: unknown;
  declare bpopular: unknown;
  declare b2j: Dict;
  declare $ids: Dict;
  declare $a: number[];
  declare $b: number[];
  /** Places of an element of `b`, by number; none for what is junk or too common to begin a match. */
  declare $places: (number[] | undefined)[];
  declare $junk: Set<number>;
  declare $counts: number[];
  declare $blocks: readonly Block[] | undefined;
  declare $opcodes: readonly Opcode[] | undefined;

  constructor(...slots: unknown[]) {
    this.init(...slots);
  }

  init(isJunk?: unknown, a?: unknown, b?: unknown, autoJunk?: unknown): void {
    this.isjunk = isJunk ?? null;
    this.autojunk = autoJunk === undefined || truth(autoJunk);
    this.$b = [];
    this.set_seqs(a ?? '', b ?? '');
  }

  set_seqs(a: unknown, b: unknown): null {
    this.a = undefined;
    this.set_seq2(b);
    return this.set_seq1(a);
  }

  set_seq1(a: unknown): null {
    if (a === this.a) return null;
    this.a = a;
    this.$a = elements(a).map((x) => (this.$ids.get(x) as number | undefined) ?? -1);
    this.$forget();
    return null;
  }

  set_seq2(b: unknown): null {
    if (b === this.b && this.$ids !== undefined) return null;
    const items = elements(b);
    this.b = b;
    this.$ids = new Dict();
    const kinds: unknown[] = [];
    this.$b = items.map((x) => {
      let id = this.$ids.get(x) as number | undefined;
      if (id === undefined) {
        id = kinds.length;
        this.$ids.set(x, id);
        kinds.push(x);
      }
      return id;
    });
    this.$places = kinds.map(() => []);
    for (let j = 0; j < this.$b.length; j += 1) this.$places[this.$b[j]!]!.push(j);
    this.$counts = this.$places.map((places) => places!.length);
    this.$sort(kinds);
    if (this.a !== undefined) {
      const { a } = this;
      this.a = undefined;
      this.set_seq1(a);
    }
    this.$forget();
    return null;
  }

  /** Takes junk, and elements that are a hundredth of a long sequence, out of the places. */
  $sort(kinds: readonly unknown[]): void {
    const isJunk = kinds.map((x) => this.isjunk !== null && truth(call(this.isjunk, x)));
    const most = Math.floor(this.$b.length / 100) + 1;
    const long = this.autojunk && this.$b.length >= 200;
    const isPopular = kinds.map((_, id) => !isJunk[id] && long && this.$counts[id]! > most);
    this.$junk = new Set(kinds.flatMap((_, id) => (isJunk[id] ? [id] : [])));
    this.bjunk = set(kinds.filter((_, id) => isJunk[id]));
    this.bpopular = set(kinds.filter((_, id) => isPopular[id]));
    this.$places = this.$places.map((places, id) => (isJunk[id] || isPopular[id] ? undefined : places));
    this.b2j = Dict.from(
      kinds.flatMap((x, id) => (this.$places[id] === undefined ? [] : [[x, this.$places[id]] as const])),
    );
  }

  $forget(): void {
    this.$blocks = undefined;
    this.$opcodes = undefined;
  }

  find_longest_match(alo?: unknown, ahi?: unknown, blo?: unknown, bhi?: unknown): Tuple {
    const end = (x: unknown, length: number) => (x === undefined || x === null ? length : requireSize(x));
    const found = this.$longest(
      requireSize(alo ?? 0),
      end(ahi, this.$a.length),
      requireSize(blo ?? 0),
      end(bhi, this.$b.length),
    );
    return new Match([found.a, found.b, found.size]);
  }

  /** The longest run without junk, the first of several; then with what equals on its sides, at last also junk. */
  $longest(alo: number, ahi: number, blo: number, bhi: number): Block {
    const { $a: a, $b: b, $junk: junk } = this;
    let [at, bt, size] = [alo, blo, 0];
    // Lengths of the runs that end at the element of `a` before, by place in `b`.
    let runs = new Map<number, number>();
    for (let i = alo; i < ahi; i += 1) {
      if ($due) look();
      const next = new Map<number, number>();
      for (const j of this.$places[a[i]!] ?? []) {
        if (j < blo) continue;
        if (j >= bhi) break;
        const length = (runs.get(j - 1) ?? 0) + 1;
        next.set(j, length);
        if (length > size) [at, bt, size] = [i - length + 1, j - length + 1, length];
      }
      runs = next;
    }
    for (const takesJunk of [false, true]) {
      const fits = (i: number, j: number) =>
        i >= alo && j >= blo && i < ahi && j < bhi && junk.has(b[j]!) === takesJunk && a[i] === b[j];
      for (; fits(at - 1, bt - 1); size += 1) [at, bt] = [at - 1, bt - 1];
      while (fits(at + size, bt + size)) size += 1;
    }
    return { a: at, b: bt, size };
  }

  /** Runs that are equal, in order, with an empty one at the end. */
  $matching(): readonly Block[] {
    if (this.$blocks !== undefined) return this.$blocks;
    const found: Block[] = [];
    const waiting: [number, number, number, number][] = [[0, this.$a.length, 0, this.$b.length]];
    for (let range = waiting.pop(); range !== undefined; range = waiting.pop()) {
      const [alo, ahi, blo, bhi] = range;
      const block = this.$longest(alo, ahi, blo, bhi);
      if (block.size === 0) continue;
      found.push(block);
      if (alo < block.a && blo < block.b) waiting.push([alo, block.a, blo, block.b]);
      const [a, b] = [block.a + block.size, block.b + block.size];
      if (a < ahi && b < bhi) waiting.push([a, ahi, b, bhi]);
    }
    found.sort((x, y) => x.a - y.a || x.b - y.b);
    const joined: Block[] = [];
    for (const block of found) {
      const last = joined.at(-1);
      if (last !== undefined && last.a + last.size === block.a && last.b + last.size === block.b)
        joined[joined.length - 1] = { ...last, size: last.size + block.size };
      else joined.push(block);
    }
    this.$blocks = [...joined, { a: this.$a.length, b: this.$b.length, size: 0 }];
    return this.$blocks;
  }

  get_matching_blocks(): Tuple[] {
    return this.$matching().map(({ a, b, size }) => new Match([a, b, size]));
  }

  $codes(): readonly Opcode[] {
    if (this.$opcodes !== undefined) return this.$opcodes;
    let [i, j] = [0, 0];
    const codes: Opcode[] = [];
    for (const { a, b, size } of this.$matching()) {
      if (i < a || j < b) codes.push([i === a ? 'insert' : j === b ? 'delete' : 'replace', i, a, j, b]);
      [i, j] = [a + size, b + size];
      if (size > 0) codes.push(['equal', a, i, b, j]);
    }
    this.$opcodes = codes;
    return codes;
  }

  get_opcodes(): Tuple[] {
    return this.$codes().map((code) => tuple(...code));
  }

  /** Changes with up to `n` equal elements around them. */
  $groups(n: number): Opcode[][] {
    const codes = this.$codes().length === 0 ? [['equal', 0, 1, 0, 1] as const] : [...this.$codes()];
    const first = codes[0]!;
    if (first[0] === 'equal')
      codes[0] = ['equal', Math.max(first[1], first[2] - n), first[2], Math.max(first[3], first[4] - n), first[4]];
    const last = codes.at(-1)!;
    if (last[0] === 'equal')
      codes[codes.length - 1] = [
        'equal',
        last[1],
        Math.min(last[2], last[1] + n),
        last[3],
        Math.min(last[4], last[3] + n),
      ];
    const groups: Opcode[][] = [];
    let group: Opcode[] = [];
    for (const [tag, i1, i2, j1, j2] of codes) {
      if (tag === 'equal' && i2 - i1 > 2 * n) {
        groups.push([...group, [tag, i1, Math.min(i2, i1 + n), j1, Math.min(j2, j1 + n)]]);
        group = [[tag, Math.max(i1, i2 - n), i2, Math.max(j1, j2 - n), j2]];
      } else group.push([tag, i1, i2, j1, j2]);
    }
    if (group.length > 0 && !(group.length === 1 && group[0]![0] === 'equal')) groups.push(group);
    return groups;
  }

  get_grouped_opcodes(n?: unknown): GeneratorObject {
    return generator(this.$groups(requireSize(n ?? 3)).map((group) => group.map((code) => tuple(...code))));
  }

  ratio(): any {
    return boxed(
      share(
        this.$matching().reduce((sum, block) => sum + block.size, 0),
        this.$a.length + this.$b.length,
      ),
    );
  }

  /** An upper bound of `ratio`: how many elements the two have in common, in any order. */
  quick_ratio(): any {
    const left = [...this.$counts];
    let common = 0;
    for (const id of this.$a) {
      if (id < 0 || left[id] === 0) continue;
      left[id]! -= 1;
      common += 1;
    }
    return boxed(share(common, this.$a.length + this.$b.length));
  }

  real_quick_ratio(): any {
    const [a, b] = [this.$a.length, this.$b.length];
    return boxed(share(Math.min(a, b), a + b));
  }
}
const matcherParams = "isjunk=None, a='', b='', autojunk=True";
nativeClass(SequenceMatcher, {
  name: 'SequenceMatcher',
  module: 'difflib',
  params: matcherParams,
  methods: {
    init: matcherParams,
    find_longest_match: 'alo=0, ahi=None, blo=0, bhi=None',
    get_grouped_opcodes: 'n=3',
    set_seq1: 'a',
    set_seq2: 'b',
    set_seqs: 'a, b',
  },
});

const share = (common: number, length: number): number => (length === 0 ? 1 : (2 * common) / length);

function generator(items: Iterable<unknown>): GeneratorObject {
  return new GeneratorObject(items[Symbol.iterator]() as Generator<unknown>);
}

function closeMatches(word: unknown, possibilities: unknown, n: unknown, cutoff: unknown): unknown[] {
  const [count, least] = [requireSize(n ?? 3), cutoff === undefined ? 0.6 : real(cutoff)];
  if (count <= 0) throw new ValueError(`n must be > 0: ${count}`);
  if (least < 0 || least > 1) throw new ValueError(`cutoff must be in [0.0, 1.0]: ${reprOf(cutoff)}`);
  const matcher = new SequenceMatcher(null, '', word);
  const found: { score: number; item: unknown }[] = [];
  for (const item of toArray(possibilities)) {
    matcher.set_seq1(item);
    if (matcher.real_quick_ratio() < least || matcher.quick_ratio() < least) continue;
    const score = matcher.ratio();
    if (score >= least) found.push({ score, item });
  }
  const isMore = (x: any, y: any) =>
    typeof x === 'string' && typeof y === 'string' ? (x < y ? 1 : x > y ? -1 : 0) : 0;
  found.sort((x, y) => y.score - x.score || isMore(x.item, y.item));
  return found.slice(0, count).map(({ item }) => item);
}

// ---------------------------------------------------------------- texts of differences

function lines(x: unknown): string[] {
  return toArray(x).map((line) => {
    const text = textOf(line);
    if (text === undefined)
      throw new TypeError(`lines to compare must be str, not ${typeName(line)} (${reprOf(line)})`);
    return text;
  });
}

interface Labels {
  readonly from: string;
  readonly to: string;
  readonly fromDate: string;
  readonly toDate: string;
  readonly n: number;
  readonly end: string;
}

function labelsOf(from: unknown, to: unknown, fromDate: unknown, toDate: unknown, n: unknown, end: unknown): Labels {
  const dated = (date: unknown) => (date === undefined || date === '' ? '' : `\t${requireText(date)}`);
  return {
    from: requireText(from ?? ''),
    to: requireText(to ?? ''),
    fromDate: dated(fromDate),
    toDate: dated(toDate),
    n: requireSize(n ?? 3),
    end: end === undefined ? '\n' : requireText(end),
  };
}

function* unified(a: string[], b: string[], { from, to, fromDate, toDate, n, end }: Labels): Generator<string> {
  const range = (start: number, stop: number) => {
    const length = stop - start;
    if (length === 1) return String(start + 1);
    return `${length === 0 ? start : start + 1},${length}`;
  };
  let isFirst = true;
  for (const group of new SequenceMatcher(null, a, b).$groups(n)) {
    if (isFirst) yield* [`--- ${from}${fromDate}${end}`, `+++ ${to}${toDate}${end}`];
    isFirst = false;
    const [first, last] = [group[0]!, group.at(-1)!];
    yield `@@ -${range(first[1], last[2])} +${range(first[3], last[4])} @@${end}`;
    for (const [tag, i1, i2, j1, j2] of group) {
      if (tag === 'equal') yield* a.slice(i1, i2).map((line) => ` ${line}`);
      if (tag === 'replace' || tag === 'delete') yield* a.slice(i1, i2).map((line) => `-${line}`);
      if (tag === 'replace' || tag === 'insert') yield* b.slice(j1, j2).map((line) => `+${line}`);
    }
  }
}

function* context(a: string[], b: string[], { from, to, fromDate, toDate, n, end }: Labels): Generator<string> {
  const marks = { insert: '+ ', delete: '- ', replace: '! ', equal: '  ' };
  const range = (start: number, stop: number) =>
    stop - start <= 1 ? String(stop === start ? start : start + 1) : `${start + 1},${stop}`;
  let isFirst = true;
  for (const group of new SequenceMatcher(null, a, b).$groups(n)) {
    if (isFirst) yield* [`*** ${from}${fromDate}${end}`, `--- ${to}${toDate}${end}`];
    isFirst = false;
    const [first, last] = [group[0]!, group.at(-1)!];
    yield `***************${end}`;
    yield `*** ${range(first[1], last[2])} ****${end}`;
    if (group.some(([tag]) => tag === 'replace' || tag === 'delete'))
      for (const [tag, i1, i2] of group) if (tag !== 'insert') yield* a.slice(i1, i2).map((line) => marks[tag] + line);
    yield `--- ${range(first[3], last[4])} ----${end}`;
    if (group.some(([tag]) => tag === 'replace' || tag === 'insert'))
      for (const [tag, , , j1, j2] of group)
        if (tag !== 'delete') yield* b.slice(j1, j2).map((line) => marks[tag] + line);
  }
}

/** Differences line by line, with marks under what changed inside of similar lines. */
class Differ {
  declare linejunk: unknown;
  declare charjunk: unknown;

  constructor(...slots: unknown[]) {
    this.init(...slots);
  }

  init(lineJunk?: unknown, charJunk?: unknown): void {
    this.linejunk = lineJunk ?? null;
    this.charjunk = charJunk ?? null;
  }

  compare(a: unknown, b: unknown): GeneratorObject {
    return generator(this.$compare(toArray(a) as string[], toArray(b) as string[]));
  }

  *$compare(a: string[], b: string[]): Generator<string> {
    for (const [tag, i1, i2, j1, j2] of new SequenceMatcher(this.linejunk, a, b).$codes()) {
      if (tag === 'replace') yield* this.$replace(a, i1, i2, b, j1, j2);
      else if (tag === 'insert') yield* marked('+', b, j1, j2);
      else yield* marked(tag === 'delete' ? '-' : ' ', a, i1, i2);
    }
  }

  /** The most similar pair of lines first, then what is before and after it. */
  *$replace(a: string[], alo: number, ahi: number, b: string[], blo: number, bhi: number): Generator<string> {
    const best = this.$mostSimilar(a, alo, ahi, b, blo, bhi);
    if (best === undefined) {
      const [removed, added] = [marked('-', a, alo, ahi), marked('+', b, blo, bhi)];
      yield* bhi - blo < ahi - alo ? [...added, ...removed] : [...removed, ...added];
      return;
    }
    yield* this.$between(a, alo, best.i, b, blo, best.j);
    const [old, made] = [a[best.i]!, b[best.j]!];
    if (best.isSame) yield `  ${old}`;
    else yield* this.$marks(old, made);
    yield* this.$between(a, best.i + 1, ahi, b, best.j + 1, bhi);
  }

  *$between(a: string[], alo: number, ahi: number, b: string[], blo: number, bhi: number): Generator<string> {
    if (alo < ahi && blo < bhi) yield* this.$replace(a, alo, ahi, b, blo, bhi);
    else if (alo < ahi) yield* marked('-', a, alo, ahi);
    else yield* marked('+', b, blo, bhi);
  }

  /** Lines that are at least three quarters alike; of equal ones, which junk may be, the first where there are no others. */
  $mostSimilar(a: string[], alo: number, ahi: number, b: string[], blo: number, bhi: number) {
    const matcher = new SequenceMatcher(this.charjunk);
    let ratio = 0.74;
    let [found, same]: ({ i: number; j: number } | undefined)[] = [];
    for (let j = blo; j < bhi; j += 1) {
      matcher.set_seq2(b[j]);
      for (let i = alo; i < ahi; i += 1) {
        if ($due) look();
        if (a[i] === b[j]) {
          same ??= { i, j };
          continue;
        }
        matcher.set_seq1(a[i]);
        if (matcher.real_quick_ratio() <= ratio || matcher.quick_ratio() <= ratio) continue;
        const one = matcher.ratio();
        if (one > ratio) [ratio, found] = [one, { i, j }];
      }
    }
    if (ratio >= 0.75 && found !== undefined) return { ...found, isSame: false };
    return same && { ...same, isSame: true };
  }

  *$marks(old: string, made: string): Generator<string> {
    const [left, right] = [charsOf(old), charsOf(made)];
    let [under, above] = ['', ''];
    for (const [tag, i1, i2, j1, j2] of new SequenceMatcher(this.charjunk, old, made).$codes()) {
      const [gone, come] = [i2 - i1, j2 - j1];
      under += { equal: ' ', replace: '^', delete: '-', insert: '' }[tag].repeat(gone);
      above += { equal: ' ', replace: '^', delete: '', insert: '+' }[tag].repeat(come);
    }
    yield `- ${old}`;
    if (under.trim() !== '') yield `? ${likeWhitespace(left, under)}\n`;
    yield `+ ${made}`;
    if (above.trim() !== '') yield `? ${likeWhitespace(right, above)}\n`;
  }
}
nativeClass(Differ, {
  name: 'Differ',
  module: 'difflib',
  params: 'linejunk=None, charjunk=None',
  methods: { init: 'linejunk=None, charjunk=None', compare: 'a, b' },
});

const marked = (mark: string, items: readonly string[], from: number, to: number) =>
  items.slice(from, to).map((line) => `${mark} ${line}`);

/** Marks under tabs stay where they are when white space of the line is kept. */
function likeWhitespace(line: readonly string[], marks: string): string {
  const kept = [...marks].map((mark, i) => (mark === ' ' && /^\s$/.test(line[i] ?? '') ? line[i]! : mark));
  return kept.join('').replace(/\s+$/, '');
}

const isLineJunk = (line: unknown) => /^\s*(?:#\s*)?$/.test(requireText(line));
const isCharJunk = (char: unknown) => char === ' ' || char === '\t';

function restore(delta: unknown, which: unknown): GeneratorObject {
  const mark = { 1: '- ', 2: '+ ' }[Number(which)];
  if (mark === undefined) throw new ValueError(`unknown delta choice (must be 1 or 2): ${reprOf(which)}`);
  const all = toArray(delta).map((line) => requireText(line));
  return generator(all.filter((line) => line.startsWith('  ') || line.startsWith(mark)).map((line) => line.slice(2)));
}

const diffParams = "a, b, fromfile='', tofile='', fromfiledate='', tofiledate='', n=3, lineterm='\\n'";

export function makeDifflib(): Members {
  const named = functions('difflib', {
    IS_CHARACTER_JUNK: ["ch, ws=' \\t'", isCharJunk],
    IS_LINE_JUNK: ['line, pat=None', isLineJunk],
    context_diff: [
      diffParams,
      (a: unknown, b: unknown, ...labels: [unknown, unknown, unknown, unknown, unknown, unknown]) =>
        generator(context(lines(a), lines(b), labelsOf(...labels))),
    ],
    get_close_matches: ['word, possibilities, n=3, cutoff=0.6', closeMatches],
    restore: ['delta, which', restore],
    unified_diff: [
      diffParams,
      (a: unknown, b: unknown, ...labels: [unknown, unknown, unknown, unknown, unknown, unknown]) =>
        generator(unified(lines(a), lines(b), labelsOf(...labels))),
    ],
  });
  return {
    Differ,
    Match,
    SequenceMatcher,
    ...named,
    ...functions('difflib', {
      ndiff: [
        'a, b, linejunk=None, charjunk=IS_CHARACTER_JUNK',
        (a: unknown, b: unknown, lineJunk: unknown, charJunk: unknown) =>
          new Differ(lineJunk, charJunk === undefined ? named.IS_CHARACTER_JUNK : charJunk).compare(a, b),
      ],
    }),
  };
}
