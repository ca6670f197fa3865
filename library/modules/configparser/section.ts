/** One section of a `configparser` parser, as a mapping. */

import { promising } from '../../builtins/class-base.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { native } from '../../values/calls/signature.ts';
import { PyIterator } from '../../values/containers/iteration.ts';
import { KeyError } from '../../values/objects/exceptions.ts';
import { callMethod, callMethodKw } from '../../values/objects/methods.ts';
import '../typing/form-mixins.ts';

/** A parser as its sections ask it. */
export interface SectionOwner {
  /** Converters of `get…`, by the word behind `get`. */
  readonly $converters: ReadonlyMap<string, unknown>;
  $converted(kind: string, ...slots: unknown[]): unknown;
  /** A value in the form it is kept in. */
  $value(value: unknown): unknown;
  options(section: unknown): string[];
  has_option(section: unknown, option: unknown): boolean;
  remove_option(section: unknown, option: unknown): boolean;
}

export const MutableMapping = promising('MutableMapping') as new () => object;

export class SectionProxy extends MutableMapping {
  readonly name: string;
  readonly parser: SectionOwner;

  constructor(parser: SectionOwner, name: string) {
    super();
    this.parser = parser;
    this.name = name;
    for (const kind of parser.$converters.keys()) {
      const read = native(
        `SectionProxy.get${kind}`,
        'option, fallback=None, *, raw=False, vars=None',
        (option: unknown, fallback?: unknown, raw?: unknown, vars?: unknown) =>
          parser.$converted(kind, name, option, raw, vars, fallback === undefined ? null : fallback),
      );
      Object.defineProperty(this, `get${kind}`, { value: read, configurable: true });
    }
  }

  get(option: unknown, fallback?: unknown, raw?: unknown, vars?: unknown): unknown {
    return callMethodKw(
      this.parser,
      'get',
      [this.name, option],
      [
        ['raw', raw ?? false],
        ['vars', vars ?? null],
        ['fallback', fallback ?? null],
      ],
    );
  }

  __getitem__(option: unknown): unknown {
    if (!this.__contains__(option)) throw new KeyError(option);
    return callMethod(this.parser, 'get', this.name, option);
  }

  __setitem__(option: unknown, value: unknown): void {
    callMethod(this.parser, 'set', this.name, option, this.parser.$value(value));
  }

  __delitem__(option: unknown): void {
    if (!this.__contains__(option) || !this.parser.remove_option(this.name, option)) throw new KeyError(option);
  }

  __contains__(option: unknown): boolean {
    return this.parser.has_option(this.name, option);
  }

  __len__(): number {
    return this.parser.options(this.name).length;
  }

  __iter__(): unknown {
    return new PyIterator(this.parser.options(this.name)[Symbol.iterator](), 'list_iterator');
  }

  __repr__(): string {
    return `<Section: ${this.name}>`;
  }
}
nativeClass(SectionProxy, {
  name: 'SectionProxy',
  module: 'configparser',
  methods: { get: 'option, fallback=None, *, raw=False, vars=None' },
});
