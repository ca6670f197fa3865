/** Module `pprint`. */

import { functions, type Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { streams } from '../builtins/streams.ts';
import { std } from '../registry.ts';
import { call } from '../values/calls/calls.ts';
import { Dict } from '../values/containers/dict.ts';
import { toArray } from '../values/containers/iteration.ts';
import { AnySet, FrozenSet } from '../values/containers/sets.ts';
import { Tuple } from '../values/containers/tuple.ts';
import { requireSize } from '../values/numbers/index-value.ts';
import { getattr } from '../values/objects/attributes.ts';
import { TypeError, ValueError } from '../values/objects/exceptions.ts';
import { identityOf } from '../values/objects/hashing.ts';
import { lt } from '../values/objects/ordering.ts';
import { $typeName, attributeName } from '../values/objects/protocol.ts';
import { reprOf } from '../values/objects/repr.ts';
import { truth } from '../values/objects/truth.ts';
import { typeName } from '../values/objects/type-name.ts';
import { lengthOf } from '../values/text/strings.ts';
import { ChainMap } from './collections/chain-map.ts';
import { Counter } from './collections/counter.ts';
import { Deque } from './collections/deque.ts';
import { DefaultDict, OrderedDict } from './collections/ordered-dicts.ts';
import { UserDict, UserList, UserString } from './collections/user.ts';
import { writeTo } from './traceback.ts';
import { SimpleNamespace } from './types.ts';

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
  const write =
    isPlain(x, Dict) || Array.isArray(x) || isPlain(x, Tuple) || x instanceof AnySet ? container : recordOf(x, line);
  if (write === undefined || (layout.depth !== undefined && level >= layout.depth)) return line;
  active.add(x);
  const text = write(x, layout, at, after, active, level + 1);
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

type Write = typeof container;

/**
 * Gives the layout of values with a name in front; undefined for any other, and for those that show themselves in their
 * own way.
 */
function recordOf(x: any, line: string): Write | undefined {
  if (x instanceof OrderedDict) return orderedDict;
  if (x instanceof DefaultDict) return defaultDict;
  if (x instanceof Counter) return counter;
  if (x instanceof Deque) return deque;
  if (x instanceof ChainMap) return chainMap;
  if (x instanceof UserDict || x instanceof UserList || x instanceof UserString)
    return (given, ...place) => contentsOf(given.data, place);
  if (x instanceof SimpleNamespace) return namespace;
  return typeof x === 'object' && x !== null && isShownByFields(x, line) ? dataclass : undefined;
}

// `show` counts the level itself.
function contentsOf(x: unknown, [layout, at, after, active, level]: PlaceOf<Write>): string {
  return show(x, layout, at, after, active, level - 1);
}

type PlaceOf<F> = F extends (x: any, ...place: infer P) => unknown ? P : never;

const orderedDict: Write = (x, layout, at, after, active, level) => {
  const name = typeName(x);
  const pairs = [...x.entries()].map((pair) => new Tuple(pair));
  return `${name}(${show(pairs, layout, at + name.length + 1, after + 1, active, level)})`;
};

const defaultDict: Write = (x, layout, at, after, active, level) => {
  const indent = at + typeName(x).length + 1;
  const start = `${typeName(x)}(${reprOf(x.default_factory)},\n${' '.repeat(indent)}`;
  return `${start}${container(x, layout, indent, after + 1, active, level)})`;
};

const counter: Write = (x, layout, at, after, active, level) => {
  const ranked = { ...layout, sortDicts: false };
  const pad = ' '.repeat(Math.max(0, layout.indent - 1));
  const items = dictItems(Dict.from(x.$ranked()), ranked, at + typeName(x).length + 1, after + 2, active, level);
  return `${typeName(x)}({${pad}${items}})`;
};

const deque: Write = (x, layout, at, after, active, level) => {
  const indent = at + x.constructor.prototype[$typeName].length + 1;
  const name = x.constructor.prototype[$typeName];
  if (x.maxlen === null) return `${name}([${itemsText([...x], layout, indent, after + 2, active, level)}])`;
  const items = itemsText([...x], layout, indent, 2, active, level);
  return `${name}([${items}],\n${' '.repeat(indent)}maxlen=${x.maxlen})`;
};

const chainMap: Write = (x, layout, at, after, active, level) => {
  const indent = at + typeName(x).length + 1;
  const maps = x.maps.map((map: unknown, i: number) =>
    show(map, layout, indent, i === x.maps.length - 1 ? after + 1 : 1, active, level),
  );
  return `${typeName(x)}(${maps.join(`,\n${' '.repeat(indent)}`)})`;
};

const namespace: Write = (x, ...place) => {
  const name = typeName(x) === 'SimpleNamespace' ? 'namespace' : typeName(x);
  return fieldsText(
    name,
    Object.keys(x).map((key) => [attributeName(key), x[key]] as const),
    place,
  );
};

const dataclass: Write = (x, ...place) => fieldsText(typeName(x), shownFields(x), place);

function fieldsText(
  name: string,
  fields: readonly (readonly [string, unknown])[],
  [layout, at, after, active, level]: PlaceOf<Write>,
): string {
  const indent = at + name.length + 1;
  const parts = fields.map(([field, value], i) => {
    const tail = i === fields.length - 1 ? after : 1;
    return `${field}=${active.has(value) ? '...' : show(value, layout, indent + field.length + 1, tail, active, level)}`;
  });
  return `${name}(${parts.join(`,\n${' '.repeat(indent)}`)})`;
}

function shownFields(x: any): (readonly [string, unknown])[] {
  const { fields, is_dataclass } = std('dataclasses');
  if (is_dataclass(x) !== true) return [];
  return toArray(call(fields, x))
    .filter((field: any) => truth(field.repr))
    .map((field: any) => [field.name, getattr(x, field.name)] as const);
}

function isShownByFields(x: any, line: string): boolean {
  const fields = shownFields(x);
  if (fields.length === 0 || !line.startsWith(`${typeName(x)}(${fields[0]![0]}=`)) return false;
  return line === `${typeName(x)}(${fields.map(([name, value]) => `${name}=${reprOf(value)}`).join(', ')})`;
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
