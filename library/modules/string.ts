/** Module `string`. */

import { functions, type Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { Dict } from '../values/containers/dict.ts';
import { iter, PyIterator, toArray } from '../values/containers/iteration.ts';
import { type PySet, set } from '../values/containers/sets.ts';
import { getitem } from '../values/containers/subscripts.ts';
import { Tuple, tuple } from '../values/containers/tuple.ts';
import { KeyError, ValueError } from '../values/objects/exceptions.ts';
import { callMethod } from '../values/objects/methods.ts';
import { $repr } from '../values/objects/protocol.ts';
import { address, strOf } from '../values/objects/repr.ts';
import { typeName } from '../values/objects/type-name.ts';
import { format } from '../values/text/format.ts';
import { convert, follow, templateParts } from '../values/text/str-format.ts';
import { strM } from '../values/text/str-methods.ts';
import { requireText } from '../values/text/text-arguments.ts';

/** `${…}` and `$…`; a derived class may have another `delimiter`, `idpattern`, `braceidpattern` or `flags`. */
function placeholdersOf(template: any): RegExp {
  const own = template.constructor;
  const mark = String(own.delimiter ?? '$').replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const name = jsPattern(own.idpattern ?? '[a-zA-Z_][a-zA-Z0-9_]*');
  const braced = own.braceidpattern === undefined || own.braceidpattern === null ? name : jsPattern(own.braceidpattern);
  const flags = own.flags === undefined || (Number(own.flags) & ignoresCase) !== 0 ? 'gi' : 'g';
  return new RegExp(`${mark}(?:(?<escaped>${mark})|(?<bare>${name})|\\{(?<braced>${braced})\\}|(?<bad>))`, flags);
}

const ignoresCase = 2;

/** A group of a name is no placeholder of its own. */
function jsPattern(given: unknown): string {
  return String(given)
    .replace(/^\(\?a:(.*)\)$/s, '$1')
    .replace(/\\.|\((?!\?)/g, (found) => (found === '(' ? '(?:' : found));
}

/** `$name` and `${name}` substitution. */
class Template {
  declare template: string;

  constructor(template: string) {
    this.init(template);
  }

  init(template: string): void {
    this.template = template;
  }

  substitute(mapping?: unknown, kwargs?: Dict): string {
    return this.$fill(mapping, kwargs, false);
  }

  safe_substitute(mapping?: unknown, kwargs?: Dict): string {
    return this.$fill(mapping, kwargs, true);
  }

  get_identifiers(): string[] {
    return [...new Set(this.$found().flatMap(({ bare, braced }) => bare ?? braced ?? []))];
  }

  is_valid(): boolean {
    return this.$found().every(({ bare, braced, escaped }) => (bare ?? braced ?? escaped) !== undefined);
  }

  $found() {
    return [...this.template.matchAll(placeholdersOf(this))].map((found) => ({
      bare: found.groups!['bare'],
      braced: found.groups!['braced'],
      escaped: found.groups!['escaped'],
    }));
  }

  $fill(mapping: unknown, kwargs: Dict | undefined, safe: boolean): string {
    return this.template.replace(placeholdersOf(this), (text, ...found) => {
      const { escaped, bare, braced } = found.at(-1) as Record<string, string | undefined>;
      if (escaped !== undefined) return escaped;
      const name = bare ?? braced;
      if (name === undefined) {
        if (safe) return text;
        throw this.$invalid(found.at(-3) as number);
      }
      try {
        return strOf(kwargs?.get(name) ?? valueIn(mapping, name));
      } catch (e) {
        if (safe && e instanceof KeyError) return text;
        throw e;
      }
    });
  }

  $invalid(at: number): ValueError {
    const before = this.template.slice(0, at);
    const line = before.split('\n').length;
    return new ValueError(`Invalid placeholder in string: line ${line}, col ${at - before.lastIndexOf('\n')}`);
  }

  [$repr](): string {
    return `<string.${typeName(this)} object at ${address(this)}>`;
  }
}
nativeClass(Template, {
  name: 'Template',
  module: 'string',
  params: 'template',
  methods: {
    init: 'template',
    substitute: 'mapping=None, /, **kwds',
    safe_substitute: 'mapping=None, /, **kwds',
  },
});

function valueIn(mapping: unknown, name: string): unknown {
  if (mapping === undefined || mapping === null) throw new KeyError(name);
  return getitem(mapping, name);
}

/** Greatest depth of fields inside of the specification of another. */
const deepest = 2;

interface Run {
  readonly args: unknown;
  readonly kwargs: unknown;
  readonly used: PySet;
  next: number;
  manual: boolean;
}

/** `str.format` in steps that a derived class may replace. */
class Formatter {
  format(template: string, args: readonly unknown[] = [], kwargs?: Dict): unknown {
    return callMethod(this, 'vformat', template, new Tuple([...args]), kwargs ?? new Dict());
  }

  vformat(template: string, args: unknown, kwargs: unknown): string {
    const run: Run = { args, kwargs, used: set(), next: 0, manual: false };
    const text = this.$render(template, run, deepest);
    callMethod(this, 'check_unused_args', run.used, args, kwargs);
    return text;
  }

  $render(template: unknown, run: Run, depth: number): string {
    if (depth < 0) throw new ValueError('Max string recursion exceeded');
    let out = '';
    for (const part of iter(callMethod(this, 'parse', template))) {
      const [literal, name, spec, conversion] = toArray(part) as [string, string | null, string, string | null];
      out += literal ?? '';
      if (name === null || name === undefined) continue;
      const [value, first] = toArray(callMethod(this, 'get_field', numbered(name, run), run.args, run.kwargs));
      run.used.add(first);
      const shown = callMethod(this, 'convert_field', value, conversion);
      out += strOf(callMethod(this, 'format_field', shown, this.$render(spec, run, depth - 1)));
    }
    return out;
  }

  parse(template: unknown): PyIterator {
    const parts = templateParts(requireText(template)).map(({ literal, field }) =>
      field === undefined
        ? tuple(literal, null, null, null)
        : tuple(literal, field.name, field.spec, field.conversion ?? null),
    );
    return new PyIterator(parts[Symbol.iterator](), 'formatteriterator');
  }

  get_field(name: string, args: unknown, kwargs: unknown): Tuple {
    const text = /^[^.[]*/.exec(name)![0];
    const first = /^\d+$/.test(text) ? Number(text) : text;
    return tuple(follow(callMethod(this, 'get_value', first, args, kwargs), name.slice(text.length)), first);
  }

  get_value(key: unknown, args: unknown, kwargs: unknown): unknown {
    return getitem(typeof key === 'number' ? args : kwargs, key);
  }

  check_unused_args(_used: unknown, _args: unknown, _kwargs: unknown): null {
    return null;
  }

  format_field(value: unknown, spec: unknown): string {
    return format(value, requireText(spec));
  }

  convert_field(value: unknown, conversion: unknown): unknown {
    if (conversion === null || conversion === undefined) return value;
    return convert(value, requireText(conversion));
  }
}
nativeClass(Formatter, {
  name: 'Formatter',
  module: 'string',
  methods: {
    format: 'format_string, /, *args, **kwargs',
    vformat: 'format_string, args, kwargs',
    parse: 'format_string',
    get_field: 'field_name, args, kwargs',
    get_value: 'key, args, kwargs',
    check_unused_args: 'used_args, args, kwargs',
    format_field: 'value, format_spec',
    convert_field: 'value, conversion',
  },
});

/** Fields without a name are numbered. */
function numbered(name: string, run: Run): string {
  if (/^[.[]|^$/.test(name)) {
    if (run.manual) throw new ValueError('cannot switch from manual field specification to automatic field numbering');
    run.next += 1;
    return `${run.next - 1}${name}`;
  }
  if (/^\d/.test(name)) {
    if (run.next > 0)
      throw new ValueError('cannot switch from manual field specification to automatic field numbering');
    run.manual = true;
  }
  return name;
}

function capwords(text: string, sep: unknown): string {
  const words: string[] = strM.split(text, sep, undefined);
  return words.map((word) => strM.capitalize(word)).join(sep === undefined || sep === null ? ' ' : strOf(sep));
}

export function makeString(): Members {
  const lower = 'abcdefghijklmnopqrstuvwxyz';
  const upper = lower.toUpperCase();
  const digits = '0123456789';
  const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
  const whitespace = ' \t\n\r\v\f';
  return {
    ascii_letters: lower + upper,
    ascii_lowercase: lower,
    ascii_uppercase: upper,
    digits,
    hexdigits: `${digits}abcdefABCDEF`,
    octdigits: '01234567',
    punctuation,
    whitespace,
    printable: digits + lower + upper + punctuation + whitespace,
    Template,
    Formatter,
    ...functions('string', { capwords: ['s, sep=None', capwords] }),
  };
}
