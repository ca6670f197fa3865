/** Module `configparser`: files of sections with options. */

import { float, int } from '../../builtins/conversions.ts';
import type { Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { open } from '../../builtins/open.ts';
import { call, callkw } from '../../values/calls/calls.ts';
import { native } from '../../values/calls/signature.ts';
import { Dict } from '../../values/containers/dict.ts';
import { PyIterator, toArray } from '../../values/containers/iteration.ts';
import { getitem } from '../../values/containers/subscripts.ts';
import { tuple } from '../../values/containers/tuple.ts';
import { KeyError, OSError, TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { callMethod, callMethodKw } from '../../values/objects/methods.ts';
import { reprOf, strOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import { configErrors, DuplicateOptionError, DuplicateSectionError, NoOptionError, NoSectionError } from './errors.ts';
import { type Interpolation, interpolations, maxDepth, uninterpolated, usualInterpolation } from './interpolation.ts';
import { ConfigReader, type Section } from './reader.ts';
import { MutableMapping, SectionProxy } from './section.ts';

const booleans: Readonly<Record<string, boolean>> = {
  '1': true,
  yes: true,
  true: true,
  on: true,
  '0': false,
  no: false,
  false: false,
  off: false,
};

function toBoolean(value: unknown): boolean {
  const found = booleans[strOf(value).toLowerCase()];
  if (found === undefined) throw new ValueError(`Not a boolean: ${strOf(value)}`);
  return found;
}

const texts = (x: unknown): string[] => (x === null || x === undefined ? [] : toArray(x).map((one) => strOf(one)));

const params = `defaults=None, dict_type=None, allow_no_value=False, *, delimiters=None, comment_prefixes=None, inline_comment_prefixes=None, strict=True, empty_lines_in_values=True, default_section='DEFAULT', interpolation=None, converters=None`;

class RawConfigParser extends MutableMapping {
  declare default_section: string;
  declare $defaults: Section;
  declare $sections: Map<string, Section>;
  declare $proxies: Map<string, SectionProxy>;
  declare $noValue: boolean;
  declare $delimiters: readonly string[];
  declare $comments: readonly string[];
  declare $inline: readonly string[];
  declare $strict: boolean;
  declare $emptyLines: boolean;
  declare $how: Interpolation;
  declare $converters: Map<string, unknown>;

  constructor(...slots: unknown[]) {
    super();
    this.init(...slots);
  }

  init(...slots: unknown[]): void {
    const [defaults, , noValue, delimiters, comments, inline, strict, emptyLines, section, how, converters] = slots;
    this.$defaults = new Map();
    this.$sections = new Map();
    this.$proxies = new Map();
    this.$noValue = noValue !== undefined && truth(noValue);
    this.$delimiters = delimiters === undefined || delimiters === null ? ['=', ':'] : texts(delimiters);
    this.$comments = comments === undefined || comments === null ? ['#', ';'] : texts(comments);
    this.$inline = texts(inline);
    this.$strict = strict === undefined || truth(strict);
    this.$emptyLines = emptyLines === undefined || truth(emptyLines);
    this.default_section = section === undefined ? 'DEFAULT' : strOf(section);
    this.$how = how === null ? uninterpolated : ((how as any)?.$how ?? this.$usual());
    const own = converters instanceof Dict ? converters : new Dict();
    this.$converters = new Map<string, unknown>([
      ['int', int],
      ['float', float],
      ['boolean', toBoolean],
      ...(own.entries() as Iterable<[string, unknown]>),
    ]);
    for (const name of own.keys()) defineGetter(this, `get${strOf(name)}`, strOf(name));
    if (defaults !== undefined && defaults !== null)
      for (const key of toArray(defaults)) this.$write(this.$defaults, strOf(key), getitem(defaults, key));
  }

  $usual(): Interpolation {
    return uninterpolated;
  }

  /** Values are texts, save in the raw parser. */
  $value(value: unknown): unknown {
    return value;
  }

  $write(section: Section, key: string, value: unknown): void {
    const checked = this.$value(value);
    if (typeof checked === 'string') this.$how.check(checked);
    section.set(this.$key(key), checked);
  }

  $key(option: unknown): string {
    return callMethod(this, 'optionxform', option) as string;
  }

  optionxform(option: unknown): string {
    return strOf(option).toLowerCase();
  }

  defaults(): Dict {
    return Dict.from(this.$defaults);
  }

  sections(): string[] {
    return [...this.$sections.keys()];
  }

  add_section(given: unknown): null {
    const name = this.$name(given);
    if (name === this.default_section) throw new ValueError(`Invalid section name: ${reprOf(name)}`);
    if (this.$sections.has(name)) throw new DuplicateSectionError(name);
    this.$sections.set(name, new Map());
    return null;
  }

  $name(given: unknown): string {
    const name = textOf(given);
    if (name === undefined) throw new TypeError('section names must be strings');
    return name;
  }

  has_section(name: unknown): boolean {
    return this.$sections.has(name as string);
  }

  options(section: unknown): string[] {
    return [...this.$all(section).keys()];
  }

  /** Options of a section and the defaults. @throws NoSectionError */
  $all(section: unknown): Section {
    if (section === this.default_section) return new Map(this.$defaults);
    const own = this.$sections.get(section as string);
    if (own === undefined) throw new NoSectionError(section);
    return new Map([...own, ...[...this.$defaults].filter(([key]) => !own.has(key))]);
  }

  has_option(section: unknown, option: unknown): boolean {
    if (section === null || section === '' || section === this.default_section)
      return this.$defaults.has(this.$key(option));
    const own = this.$sections.get(section as string);
    return own !== undefined && (own.has(this.$key(option)) || this.$defaults.has(this.$key(option)));
  }

  get(section: unknown, option: unknown, raw?: unknown, vars?: unknown, fallback?: unknown): unknown {
    let all: Section;
    try {
      all = this.$all(section);
    } catch (e) {
      if (fallback === undefined || !(e instanceof NoSectionError)) throw e;
      return fallback;
    }
    if (vars !== undefined && vars !== null)
      for (const key of toArray(vars)) all.set(this.$key(key), strOf(getitem(vars, key)));
    const key = this.$key(option);
    const value = all.get(key);
    if (value === undefined) {
      if (fallback !== undefined) return fallback;
      throw new NoOptionError(key, section);
    }
    return raw !== undefined && truth(raw) ? value : this.$interpolated(strOf(section), key, value, all);
  }

  $interpolated(section: string, option: string, value: unknown, all: Section): unknown {
    if (typeof value !== 'string') return value;
    return this.$how.before(section, option, value, (other, name) => {
      const from =
        other === undefined || other === section ? all : this.$sections.has(other) ? this.$all(other) : undefined;
      return from?.get(this.$key(name));
    });
  }

  $converted(
    kind: string,
    section: unknown,
    option: unknown,
    raw?: unknown,
    vars?: unknown,
    fallback?: unknown,
  ): unknown {
    try {
      return call(
        this.$converters.get(kind),
        callMethodKw(
          this,
          'get',
          [section, option],
          [
            ['raw', raw ?? false],
            ['vars', vars ?? null],
          ],
        ),
      );
    } catch (e) {
      if (fallback !== undefined && (e instanceof NoSectionError || e instanceof NoOptionError)) return fallback;
      throw e;
    }
  }

  items(section?: unknown, raw?: unknown, vars?: unknown): unknown[] {
    if (section === undefined) return toArray(this).map((name) => tuple(name, this.__getitem__(name)));
    const all = this.$all(section);
    const names = [...new Set([...this.$defaults.keys(), ...all.keys()])];
    if (vars !== undefined && vars !== null)
      for (const key of toArray(vars)) all.set(this.$key(key), getitem(vars, key));
    const isRaw = (raw !== undefined && truth(raw)) || this.$how === uninterpolated;
    return names.map((name) =>
      tuple(name, isRaw ? all.get(name) : this.$interpolated(strOf(section), name, all.get(name) ?? '', all)),
    );
  }

  set(section: unknown, option: unknown, value?: unknown): null {
    const checked = this.$value(value ?? null);
    const own =
      section === null || section === '' || section === this.default_section
        ? this.$defaults
        : this.$sections.get(section as string);
    if (typeof checked === 'string') this.$how.check(checked);
    if (own === undefined) throw new NoSectionError(section);
    own.set(this.$key(option), checked);
    return null;
  }

  remove_option(section: unknown, option: unknown): boolean {
    const own = section === this.default_section ? this.$defaults : this.$sections.get(section as string);
    if (own === undefined) throw new NoSectionError(section);
    return own.delete(this.$key(option));
  }

  remove_section(section: unknown): boolean {
    this.$proxies.delete(section as string);
    return this.$sections.delete(section as string);
  }

  read(given: unknown, encoding?: unknown): string[] {
    const names =
      textOf(given) !== undefined || typeof (given as any)?.__fspath__ === 'function' ? [given] : toArray(given);
    const found: string[] = [];
    for (const name of names) {
      let file: any;
      try {
        file = callkw(open, [name], [['encoding', encoding ?? null]]);
      } catch (e) {
        if (e instanceof OSError) continue;
        throw e;
      }
      const path = strOf(name);
      try {
        new ConfigReader(this, path).read(file.read());
      } finally {
        file.close();
      }
      found.push(path);
    }
    return found;
  }

  read_file(file: any, source?: unknown): null {
    const from = source === undefined || source === null ? (file.name ?? '<???>') : strOf(source);
    new ConfigReader(this, from).read(
      toArray(file)
        .map((line) => strOf(line))
        .join(''),
    );
    return null;
  }

  read_string(text: unknown, source?: unknown): null {
    new ConfigReader(this, source === undefined ? '<string>' : strOf(source)).read(strOf(text));
    return null;
  }

  read_dict(given: unknown, source?: unknown): null {
    const seen = new Set<string>();
    const from = source === undefined ? '<dict>' : strOf(source);
    for (const key of toArray(given)) {
      const name = strOf(key);
      if (this.$strict && seen.has(name)) throw new DuplicateSectionError(name);
      seen.add(name);
      if (name !== this.default_section && !this.$sections.has(name)) callMethod(this, 'add_section', name);
      const options = getitem(given, key);
      const own = new Set<string>();
      for (const option of toArray(options)) {
        const spelled = this.$key(strOf(option));
        if (this.$strict && own.has(spelled)) throw new DuplicateOptionError(name, spelled, from, 0);
        own.add(spelled);
        const value = getitem(options, option);
        callMethod(this, 'set', name, spelled, value === null ? null : strOf(value));
      }
    }
    return null;
  }

  write(file: any, spaces?: unknown): null {
    const between = spaces === undefined || truth(spaces) ? ` ${this.$delimiters[0]} ` : this.$delimiters[0]!;
    const all = [
      ...(this.$defaults.size > 0 ? [[this.default_section, this.$defaults] as const] : []),
      ...this.$sections,
    ];
    for (const [name, options] of all) {
      callMethod(file, 'write', `[${name}]\n`);
      for (const [key, value] of options) {
        const text = value === null && this.$noValue ? '' : between + strOf(value).replaceAll('\n', '\n\t');
        callMethod(file, 'write', `${key}${text}\n`);
      }
      callMethod(file, 'write', '\n');
    }
    return null;
  }

  __getitem__(given: unknown): SectionProxy {
    const name = given as string;
    if (name !== this.default_section && !this.$sections.has(name)) throw new KeyError(name);
    let proxy = this.$proxies.get(name);
    if (proxy === undefined) {
      proxy = new SectionProxy(this, name);
      this.$proxies.set(name, proxy);
    }
    return proxy;
  }

  __setitem__(name: unknown, values: unknown): void {
    if (this.__contains__(name)) {
      const old = this.__getitem__(name);
      if (old === values) return;
      (name === this.default_section ? this.$defaults : this.$sections.get(name as string)!).clear();
    }
    this.read_dict(Dict.of(name, values));
  }

  __delitem__(name: unknown): void {
    if (name === this.default_section) throw new ValueError('Cannot remove the default section.');
    if (!this.$sections.has(name as string)) throw new KeyError(name);
    this.remove_section(name);
  }

  __contains__(name: unknown): boolean {
    return name === this.default_section || this.$sections.has(name as string);
  }

  __len__(): number {
    return this.$sections.size + 1;
  }

  __iter__(): unknown {
    return new PyIterator([this.default_section, ...this.$sections.keys()][Symbol.iterator](), 'generator');
  }
}

function defineGetter(target: any, name: string, kind: string): void {
  const getter = native(
    `RawConfigParser.${name}`,
    'section, option, *, raw=False, vars=None, fallback=None',
    (...slots: [unknown, unknown]) => target.$converted(kind, ...slots),
  );
  Object.defineProperty(target, name, { value: getter, configurable: true, writable: true });
}

const getter = 'section, option, *, raw=False, vars=None, fallback=None';
for (const [name, kind] of [
  ['getint', 'int'],
  ['getfloat', 'float'],
  ['getboolean', 'boolean'],
] as const) {
  Object.defineProperty(RawConfigParser.prototype, name, {
    writable: true,
    configurable: true,
    value(this: RawConfigParser, ...slots: [unknown, unknown]) {
      return this.$converted(kind, ...slots);
    },
  });
}
const parserMethods = {
  init: params,
  getint: getter,
  getfloat: getter,
  getboolean: getter,
  add_section: 'section',
  defaults: '',
  get: getter,
  has_option: 'section, option',
  has_section: 'section',
  items: 'section=None, raw=False, vars=None',
  options: 'section',
  optionxform: 'optionstr',
  read: 'filenames, encoding=None',
  read_dict: 'dictionary, source="<dict>"',
  read_file: 'f, source=None',
  read_string: 'string, source="<string>"',
  remove_option: 'section, option',
  remove_section: 'section',
  sections: '',
  set: 'section, option, value=None',
  write: 'fp, space_around_delimiters=True',
};
nativeClass(RawConfigParser, { name: 'RawConfigParser', module: 'configparser', params, methods: parserMethods });

class ConfigParser extends RawConfigParser {
  override $usual(): Interpolation {
    return usualInterpolation;
  }

  override $value(value: unknown): unknown {
    if (value === null && this.$noValue) return value;
    if (typeof value !== 'string') throw new TypeError('option values must be strings');
    return value;
  }
}
nativeClass(ConfigParser, { name: 'ConfigParser', module: 'configparser', params });

export function makeConfigparser(): Members {
  return {
    ...configErrors,
    ...interpolations,
    ConfigParser,
    DEFAULTSECT: 'DEFAULT',
    MAX_INTERPOLATION_DEPTH: maxDepth,
    RawConfigParser,
    SectionProxy,
  };
}
