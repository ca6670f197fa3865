/** Module `string`. */
import { Dict } from '../../values/dict.ts';
import { dictUpdate } from '../../values/dict-update.ts';
import { KeyError, ValueError } from '../../values/exceptions.ts';
import { $repr } from '../../values/protocol.ts';
import { address, strOf } from '../../values/repr.ts';
import { formatTemplate } from '../../values/str-format.ts';
import { strM } from '../../values/str-methods.ts';
import { getitem } from '../../values/subscripts.ts';
import { functions, type Members } from '../module.ts';
import { nativeClass } from '../native-class.ts';

/** `$name` and `${name}` substitution. */
export // `${…}` and `$…`; a derived class may have another `delimiter` or `idpattern`.
function placeholdersOf(template: any): RegExp {
  const mark = String(template.constructor.delimiter ?? '$').replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const name = String(template.constructor.idpattern ?? '[a-zA-Z_][a-zA-Z0-9_]*');
  return new RegExp(`${mark}(?:(${mark})|(${name})|\\{(${name})\\}|())`, 'g');
}

class Template {
  readonly template: string;

  constructor(template: string) {
    this.template = template;
  }

  substitute(mapping?: unknown, kwargs?: Dict): string {
    return this.$fill(mapping, kwargs, false);
  }

  safe_substitute(mapping?: unknown, kwargs?: Dict): string {
    return this.$fill(mapping, kwargs, true);
  }

  get_identifiers(): string[] {
    return [
      ...new Set([...this.template.matchAll(placeholdersOf(this))].flatMap((found) => found[2] ?? found[3] ?? [])),
    ];
  }

  is_valid(): boolean {
    return [...this.template.matchAll(placeholdersOf(this))].every((found) => found[4] === undefined);
  }

  $fill(mapping: unknown, kwargs: Dict | undefined, safe: boolean): string {
    const values = new Dict();
    if (mapping !== undefined && mapping !== null) dictUpdate(values, mapping);
    if (kwargs !== undefined) dictUpdate(values, kwargs);
    return this.template.replace(placeholdersOf(this), (text, escaped, bare, braced, _bad, at: number) => {
      if (escaped !== undefined) return escaped;
      const name = bare ?? braced;
      if (name === undefined) {
        if (safe) return text;
        const before = this.template.slice(0, at);
        const line = before.split('\n').length;
        throw new ValueError(`Invalid placeholder in string: line ${line}, col ${at - before.lastIndexOf('\n')}`);
      }
      const value = values.get(name);
      if (value !== undefined) return strOf(value);
      if (safe) return text;
      throw new KeyError(name);
    });
  }

  [$repr](): string {
    return `<string.Template object at ${address(this)}>`;
  }
}
nativeClass(Template, {
  name: 'Template',
  module: 'string',
  params: 'template',
  methods: { substitute: 'mapping=None, /, **kwds', safe_substitute: 'mapping=None, /, **kwds' },
});

class Formatter {
  format(template: string, args: readonly unknown[] = [], kwargs?: Dict): string {
    return formatTemplate(template, args, (name) => kwargs?.get(name));
  }

  vformat(template: string, args: any, kwargs: any): string {
    return formatTemplate(template, [...args], (name) => getitem(kwargs, name));
  }
}
nativeClass(Formatter, {
  name: 'Formatter',
  module: 'string',
  methods: { format: 'format_string, /, *args, **kwargs', vformat: 'format_string, args, kwargs' },
});

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
