/** Module `pprint`. */
import { Dict } from '../../values/dict.ts';
import { TypeError, ValueError } from '../../values/exceptions.ts';
import { identityOf } from '../../values/hashing.ts';
import { requireSize } from '../../values/index-value.ts';
import { lt } from '../../values/ordering.ts';
import { reprOf } from '../../values/repr.ts';
import { AnySet, FrozenSet } from '../../values/sets.ts';
import { lengthOf } from '../../values/strings.ts';
import { truth } from '../../values/truth.ts';
import { Tuple } from '../../values/tuple.ts';
import { typeName } from '../../values/type-name.ts';
import { functions, type Members } from '../module.ts';
import { nativeClass } from '../native-class.ts';
import { streams } from '../streams.ts';
import { writeTo } from './traceback.ts';

interface Layout {
  readonly indent: number;
  readonly width: number;
  readonly depth: number | undefined;
  readonly compact: boolean;
  readonly sortDicts: boolean;
  readonly underscores: boolean;
}

function layoutOf(
  indent?: unknown,
  width?: unknown,
  depth?: unknown,
  compact?: unknown,
  sortDicts?: unknown,
  underscores?: unknown,
): Layout {
  const made = {
    indent: indent === undefined ? 1 : requireSize(indent),
    width: width === undefined ? 80 : requireSize(width),
    depth: depth === undefined || depth === null ? undefined : requireSize(depth),
    compact: truth(compact),
    sortDicts: sortDicts === undefined || truth(sortDicts),
    underscores: truth(underscores),
  };
  if (made.indent < 0) throw new ValueError('indent must be >= 0');
  if (made.depth !== undefined && made.depth <= 0) throw new ValueError('depth must be > 0');
  if (made.width === 0) throw new ValueError('width must be != 0');
  return made;
}

// Keys that cannot be compared sort by their type.
function sorted<T>(items: readonly T[], keyOf: (item: T) => unknown): T[] {
  const less = (a: unknown, b: unknown): boolean => {
    try {
      return lt(a, b);
    } catch (e) {
      if (e instanceof TypeError) return typeName(a) < typeName(b);
      throw e;
    }
  };
  return [...items].sort((a, b) => (less(keyOf(a), keyOf(b)) ? -1 : less(keyOf(b), keyOf(a)) ? 1 : 0));
}

const isPlain = (x: any, cls: any): boolean => x instanceof cls && Object.getPrototypeOf(x) === cls.prototype;

/** `repr` with the keys of dictionaries in order and nothing deeper than the layout shows. */
function oneLine(x: any, layout: Layout, active: Set<unknown>, level: number): string {
  const inside = isPlain(x, Dict) || Array.isArray(x) || isPlain(x, Tuple);
  if (!inside) {
    if (layout.underscores && (typeof x === 'bigint' || Number.isSafeInteger(x)))
      return String(x).replace(/\B(?=(\d{3})+$)/g, '_');
    return reprOf(x);
  }
  const [open, close] = isPlain(x, Dict) ? '{}' : Array.isArray(x) ? '[]' : '()';
  const items = x instanceof Dict ? entriesOf(x, layout) : Array.isArray(x) ? x : (x as Tuple).items;
  if (items.length === 0) return `${open}${close}`;
  if (layout.depth !== undefined && level >= layout.depth) return `${open}...${close}`;
  if (active.has(x)) return recursion(x);
  active.add(x);
  const show = (item: unknown) => oneLine(item, layout, active, level + 1);
  const parts =
    x instanceof Dict ? (items as [unknown, unknown][]).map(([k, v]) => `${show(k)}: ${show(v)}`) : items.map(show);
  active.delete(x);
  return `${open}${parts.join(', ')}${x instanceof Tuple && parts.length === 1 ? ',' : ''}${close}`;
}

function recursion(x: object): string {
  return `<Recursion on ${typeName(x)} with id=${identityOf(x)}>`;
}

function entriesOf(x: Dict, layout: Layout): (readonly [unknown, unknown])[] {
  const entries = [...x.entries()];
  return layout.sortDicts ? sorted(entries, (entry) => entry[0]) : entries;
}

/** The text of a value; `at` is the column it begins in, `after` what still has to follow on its last line. */
function show(x: any, layout: Layout, at: number, after: number, active: Set<unknown>, level: number): string {
  if (active.has(x)) return recursion(x);
  const line = oneLine(x, layout, active, level);
  if (lengthOf(line) <= layout.width - at - after) return line;
  if (typeof x === 'string') return longText(x, layout, at, after, level + 1);
  const isContainer = isPlain(x, Dict) || Array.isArray(x) || isPlain(x, Tuple) || x instanceof AnySet;
  if (!isContainer || (layout.depth !== undefined && level >= layout.depth)) return line;
  active.add(x);
  const text = container(x, layout, at, after, active, level + 1);
  active.delete(x);
  return text;
}

function container(x: any, layout: Layout, at: number, after: number, active: Set<unknown>, level: number): string {
  if (x instanceof Dict)
    return `{${' '.repeat(Math.max(0, layout.indent - 1))}${dictItems(x, layout, at, after + 1, active, level)}}`;
  if (Array.isArray(x)) return `[${itemsText(x, layout, at, after + 1, active, level)}]`;
  if (x instanceof Tuple) {
    const end = x.items.length === 1 ? ',)' : ')';
    return `(${itemsText(x.items, layout, at, after + end.length, active, level)}${end}`;
  }
  const set = x as AnySet;
  const members = sorted([...set], (item) => item);
  if (members.length === 0) return reprOf(x);
  if (!(x instanceof FrozenSet)) return `{${itemsText(members, layout, at, after + 1, active, level)}}`;
  return `frozenset({${itemsText(members, layout, at + 10, after + 2, active, level)}})`;
}

function dictItems(x: Dict, layout: Layout, at: number, after: number, active: Set<unknown>, level: number): string {
  const indent = at + layout.indent;
  const entries = entriesOf(x, layout);
  return entries
    .map(([k, v], i) => {
      const name = oneLine(k, layout, active, level);
      return `${name}: ${show(v, layout, indent + lengthOf(name) + 2, i === entries.length - 1 ? after : 1, active, level)}`;
    })
    .join(`,\n${' '.repeat(indent)}`);
}

function itemsText(
  items: readonly unknown[],
  layout: Layout,
  at: number,
  after: number,
  active: Set<unknown>,
  level: number,
): string {
  const indent = at + layout.indent;
  const nextLine = `,\n${' '.repeat(indent)}`;
  let out = ' '.repeat(Math.max(0, layout.indent - 1));
  let mark = '';
  let most = layout.width - indent + 1;
  let room = most;
  items.forEach((item, i) => {
    const last = i === items.length - 1;
    if (last) {
      most -= after;
      room -= after;
    }
    if (layout.compact) {
      const line = oneLine(item, layout, active, level);
      const size = lengthOf(line) + 2;
      if (room < size) {
        room = most;
        if (mark !== '') mark = nextLine;
      }
      if (room >= size) {
        room -= size;
        out += mark + line;
        mark = ', ';
        return;
      }
    }
    out += mark + show(item, layout, indent, last ? after : 1, active, level);
    mark = nextLine;
  });
  return out;
}

// Long texts are broken between words into pieces that stand one below the other.
function longText(text: string, layout: Layout, at: number, after: number, level: number): string {
  const lines = text.match(/[^\n\r]*(?:\r\n|[\n\r])|[^\n\r]+/g) ?? [''];
  const indent = level === 1 ? at + 1 : at;
  const tail = level === 1 ? after + 1 : after;
  const most = layout.width - indent;
  const pieces: string[] = [];
  lines.forEach((line, i) => {
    const lastLine = i === lines.length - 1;
    if (lengthOf(reprOf(line)) <= most - (lastLine ? tail : 0)) {
      pieces.push(reprOf(line));
      return;
    }
    const words = (line.match(/\S*\s*/g) ?? []).filter((word) => word !== '');
    let current = '';
    words.forEach((word, j) => {
      const limit = most - (lastLine && j === words.length - 1 ? tail : 0);
      if (lengthOf(reprOf(current + word)) <= limit) current += word;
      else {
        if (current !== '') pieces.push(reprOf(current));
        current = word;
      }
    });
    if (current !== '') pieces.push(reprOf(current));
  });
  if (pieces.length === 1) return pieces[0]!;
  const joined = pieces.join(`\n${' '.repeat(indent)}`);
  return level === 1 ? `(${joined})` : joined;
}

const format = (x: unknown, layout: Layout): string => show(x, layout, 0, 0, new Set(), 0);

class PrettyPrinter {
  readonly $layout: Layout;
  readonly $stream: unknown;

  constructor(layout: Layout, stream: unknown) {
    this.$layout = layout;
    this.$stream = stream ?? null;
  }

  pformat(x: unknown): string {
    return format(x, this.$layout);
  }

  pprint(x: unknown): null {
    return writeTo(this.$stream ?? streams.stdout, `${this.pformat(x)}\n`);
  }
}
nativeClass(PrettyPrinter, {
  name: 'PrettyPrinter',
  module: 'pprint',
  params: 'indent=1, width=80, depth=None, stream=None, *, compact=False, sort_dicts=True, underscore_numbers=False',
  make: (cls, indent, width, depth, stream, compact, sort, underscores) =>
    new cls(layoutOf(indent, width, depth, compact, sort, underscores), stream),
  methods: { pformat: 'object', pprint: 'object' },
});

const options = 'indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False';

export function makePprint(): Members {
  type Options = [unknown?, unknown?, unknown?, unknown?, unknown?, unknown?];
  const print =
    (sortByDefault: boolean) =>
    (
      x: unknown,
      stream?: unknown,
      indent?: unknown,
      width?: unknown,
      depth?: unknown,
      compact?: unknown,
      sort?: unknown,
      underscores?: unknown,
    ) =>
      writeTo(
        stream ?? streams.stdout,
        `${format(x, layoutOf(indent, width, depth, compact, sort ?? sortByDefault, underscores))}\n`,
      );
  return {
    PrettyPrinter,
    ...functions('pprint', {
      pformat: [`object, ${options}`, (x: unknown, ...given: Options) => format(x, layoutOf(...given))],
      pp: [`object, stream=None, ${options}`, print(false)],
      pprint: [`object, stream=None, ${options}`, print(true)],
      saferepr: ['object', (x: unknown) => oneLine(x, layoutOf(), new Set(), 0)],
    }),
  };
}
