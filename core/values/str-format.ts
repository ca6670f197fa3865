/** `str.format`: positional, keyword, attribute and index fields (language.md 6.9). */
import { getattr } from './attributes.ts';
import { IndexError, KeyError, ValueError } from './exceptions.ts';
import { format } from './format.ts';
import { Hinted, hinted } from './hinted.ts';
import { itemHint, listHints, tupleItemHint, valueHint } from './item-hint.ts';
import type { Hint } from './protocol.ts';
import { reprOf, strOf } from './repr.ts';
import { escapeNonAscii } from './string-repr.ts';
import { getitem } from './subscripts.ts';

interface Arguments {
  readonly positional: readonly unknown[];
  readonly named: (name: string) => unknown;
  /** Number of the next `{}`; -1 once fields are numbered by hand. */
  next: number;
  manual: boolean;
}

export function formatTemplate(
  template: string,
  positional: readonly unknown[],
  named: (name: string) => unknown,
): string {
  return render(template, { positional, named, next: 0, manual: false }, 2);
}

function render(template: string, args: Arguments, depth: number): string {
  if (depth < 0) throw new ValueError('Max string recursion exceeded');
  let out = '';
  let at = 0;
  while (at < template.length) {
    const char = template[at]!;
    if (char !== '{' && char !== '}') {
      const end = nextBrace(template, at);
      out += template.slice(at, end);
      at = end;
    } else if (template[at + 1] === char) {
      out += char;
      at += 2;
    } else if (char === '}') throw new ValueError("Single '}' encountered in format string");
    else {
      if (at + 1 >= template.length) throw new ValueError("Single '{' encountered in format string");
      const end = closing(template, at + 1);
      out += field(template.slice(at + 1, end), args, depth);
      at = end + 1;
    }
  }
  return out;
}

function nextBrace(template: string, from: number): number {
  let at = from;
  while (at < template.length && template[at] !== '{' && template[at] !== '}') at += 1;
  return at;
}

function closing(template: string, from: number): number {
  let open = 1;
  let bracket = false;
  for (let at = from; at < template.length; at += 1) {
    const char = template[at];
    if (char === '[' && open === 1) bracket = true;
    else if (char === ']') bracket = false;
    else if (bracket) continue;
    else if (char === '{') open += 1;
    else if (char === '}') {
      open -= 1;
      if (open === 0) return at;
    }
  }
  throw new ValueError("expected '}' before end of string");
}

function field(text: string, args: Arguments, depth: number): string {
  const colon = splitAt(text);
  const head = colon < 0 ? text : text.slice(0, colon);
  const spec = colon < 0 ? '' : text.slice(colon + 1);
  const mark = head.indexOf('!');
  const name = mark < 0 ? head : head.slice(0, mark);
  const conversion = mark < 0 ? undefined : head.slice(mark + 1);
  if (conversion !== undefined && conversion.length !== 1) {
    throw new ValueError(
      conversion === ''
        ? 'end of string while looking for conversion specifier'
        : "expected ':' after conversion specifier",
    );
  }
  const found = resolve(name, args);
  const [value, hint] = found instanceof Hinted ? [found.value, found.hint] : [found, undefined];
  const inner = spec === '' ? '' : render(spec, args, depth - 1);
  return conversion === undefined ? format(value, inner, hint) : format(convert(value, conversion, hint), inner);
}

// The first colon outside of an index.
function splitAt(text: string): number {
  let bracket = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '[') bracket = true;
    else if (text[at] === ']') bracket = false;
    else if (text[at] === ':' && !bracket) return at;
  }
  return -1;
}

function convert(value: unknown, conversion: string, hint: Hint | undefined): string {
  switch (conversion) {
    case 's':
      return strOf(value, hint);
    case 'r':
      return reprOf(value, hint);
    case 'a':
      return escapeNonAscii(reprOf(value, hint));
    default:
      throw new ValueError(`Unknown conversion specifier ${conversion}`);
  }
}

function resolve(name: string, args: Arguments): unknown {
  const first = /^[^.[]*/.exec(name)![0];
  let value = start(first, args);
  let rest = name.slice(first.length);
  if (rest === '') return value;
  let hint: Hint | undefined;
  if (value instanceof Hinted) ({ value, hint } = value);
  while (rest !== '') {
    if (rest[0] === '.') {
      const attribute = /^\.([^.[]*)/.exec(rest)!;
      if (attribute[1] === '') throw new ValueError('Empty attribute in format string');
      value = getattr(value, attribute[1]!);
      hint = undefined;
      rest = rest.slice(attribute[0].length);
    } else if (rest[0] === '[') {
      const end = rest.indexOf(']');
      if (end < 0) throw new ValueError("Missing ']' in format string");
      const index = rest.slice(1, end);
      if (index === '') throw new ValueError('Empty attribute in format string');
      const at = /^\d+$/.test(index) ? Number(index) : index;
      value = getitem(value, at);
      hint = memberHint(hint, at);
      rest = rest.slice(end + 1);
    } else throw new ValueError("Only '.' or '[' may follow ']' in format field specifier");
  }
  return hint === undefined ? value : hinted(value, hint);
}

function memberHint(hint: Hint | undefined, at: string | number): Hint | undefined {
  if (typeof hint !== 'object') return undefined;
  if ('dict' in hint) return valueHint(hint.dict, at);
  if (typeof at !== 'number') return undefined;
  return 'tuple' in hint ? tupleItemHint(hint, at) : itemHint(listHints(hint), at);
}

function start(name: string, args: Arguments): unknown {
  if (name === '' || /^\d+$/.test(name)) {
    const automatic = name === '';
    if (automatic && args.manual)
      throw new ValueError('cannot switch from manual field specification to automatic field numbering');
    if (!automatic && args.next > 0)
      throw new ValueError('cannot switch from automatic field numbering to manual field specification');
    if (!automatic) args.manual = true;
    const index = automatic ? args.next++ : Number(name);
    if (index >= args.positional.length)
      throw new IndexError(`Replacement index ${index} out of range for positional args tuple`);
    return args.positional[index];
  }
  const value = args.named(name);
  if (value === undefined) throw new KeyError(name);
  return value;
}
