/** `str.format`: positional, keyword, attribute and index fields (docs/language/builtins.md#format). */

import { getitem } from '../containers/subscripts.ts';
import { getattr } from '../objects/attributes.ts';
import { IndexError, KeyError, ValueError } from '../objects/exceptions.ts';
import { reprOf, strOf } from '../objects/repr.ts';
import { format } from './format.ts';
import { escapeNonAscii } from './string-repr.ts';

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
  for (const { literal, field } of templateParts(template)) {
    out += literal;
    if (field !== undefined) out += show(field, args, depth);
  }
  return out;
}

/** `{name!conversion:spec}` */
export interface TemplateField {
  readonly name: string;
  readonly spec: string;
  readonly conversion: string | undefined;
}

/** Text, and the field after it; a doubled brace ends a part. */
export interface TemplatePart {
  readonly literal: string;
  readonly field: TemplateField | undefined;
}

/** @throws ValueError */
export function templateParts(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let at = 0;
  while (at < template.length) {
    const brace = nextBrace(template, at);
    const char = template[brace];
    if (char === undefined || template[brace + 1] === char) {
      parts.push({ literal: template.slice(at, brace + 1), field: undefined });
      at = brace + 2;
    } else if (char === '}') throw new ValueError("Single '}' encountered in format string");
    else {
      if (brace + 1 >= template.length) throw new ValueError("Single '{' encountered in format string");
      const end = closing(template, brace + 1);
      parts.push({ literal: template.slice(at, brace), field: readField(template.slice(brace + 1, end)) });
      at = end + 1;
    }
  }
  return parts;
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

function readField(text: string): TemplateField {
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
  return { name, spec, conversion };
}

function show({ name, spec, conversion }: TemplateField, args: Arguments, depth: number): string {
  const value = resolve(name, args);
  const inner = spec === '' ? '' : render(spec, args, depth - 1);
  return conversion === undefined ? format(value, inner) : format(convert(value, conversion), inner);
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

/** `!s`, `!r` and `!a`. @throws ValueError */
export function convert(value: unknown, conversion: string): string {
  switch (conversion) {
    case 's':
      return strOf(value);
    case 'r':
      return reprOf(value);
    case 'a':
      return escapeNonAscii(reprOf(value));
    default:
      throw new ValueError(`Unknown conversion specifier ${conversion}`);
  }
}

function resolve(name: string, args: Arguments): unknown {
  const first = /^[^.[]*/.exec(name)![0];
  return follow(start(first, args), name.slice(first.length));
}

/** `.name` and `[index]` after the first part of a field. @throws ValueError */
export function follow(value: any, path: string): unknown {
  let rest = path;
  while (rest !== '') {
    if (rest[0] === '.') {
      const attribute = /^\.([^.[]*)/.exec(rest)!;
      if (attribute[1] === '') throw new ValueError('Empty attribute in format string');
      value = getattr(value, attribute[1]!);
      rest = rest.slice(attribute[0].length);
    } else if (rest[0] === '[') {
      const end = rest.indexOf(']');
      if (end < 0) throw new ValueError("Missing ']' in format string");
      const index = rest.slice(1, end);
      if (index === '') throw new ValueError('Empty attribute in format string');
      value = getitem(value, /^\d+$/.test(index) ? Number(index) : index);
      rest = rest.slice(end + 1);
    } else throw new ValueError("Only '.' or '[' may follow ']' in format field specifier");
  }
  return value;
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
