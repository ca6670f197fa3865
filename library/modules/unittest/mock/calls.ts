import { nativeClass } from '../../../builtins/native-class.ts';
import { Dict } from '../../../values/containers/dict.ts';
import { Tuple } from '../../../values/containers/tuple.ts';
import { eq } from '../../../values/objects/equality.ts';
import { $eq, $getattr, $repr } from '../../../values/objects/protocol.ts';
import { reprOf } from '../../../values/objects/repr.ts';
export class Any {
  [$eq](): boolean {
    return true;
  }

  [$repr](): string {
    return '<ANY>';
  }
}
nativeClass(Any, { name: '_ANY', module: 'unittest.mock' });

/** One call: its arguments. Equal to another call with the same ones. */
export class Call {
  readonly args: Tuple;
  readonly kwargs: Dict;
  readonly $name: string;
  /** Have arguments been written for it: `call(1)`, whose attributes are those of what the call gives? */
  readonly $isMade: boolean;

  constructor(args: readonly unknown[], kwargs: Dict | undefined, name = '', isMade = true) {
    this.args = new Tuple(args);
    this.kwargs = kwargs ?? new Dict();
    this.$name = name;
    this.$isMade = isMade;
  }

  get $path(): string {
    return this.$isMade ? `${this.$name}()` : this.$name;
  }

  __call__(args: unknown[], kwargs: Dict): Call {
    return new Call(args, kwargs, this.$path);
  }

  [$getattr](name: string): unknown {
    return name.startsWith('_')
      ? undefined
      : new Call([], undefined, this.$path === '' ? name : `${this.$path}.${name}`, false);
  }

  __getitem__(index: number): unknown {
    return [this.args, this.kwargs][index < 0 ? index + 2 : index];
  }

  *[Symbol.iterator](): Generator<unknown> {
    yield this.args;
    yield this.kwargs;
  }

  [$eq](other: unknown): boolean | undefined {
    if (other instanceof Tuple)
      return eq(new Tuple([this.args, this.kwargs]), other) || (this.kwargs.size === 0 && eq(this.args, other));
    return other instanceof Call
      ? this.$name === other.$name && eq(this.args, other.args) && eq(this.kwargs, other.kwargs)
      : undefined;
  }

  [$repr](): string {
    return `call${this.$name === '' || this.$name.startsWith('(') ? '' : '.'}${this.$name}${argumentText(this)}`;
  }
}
nativeClass(Call, {
  name: '_Call',
  module: 'unittest.mock',
  methods: { __call__: '*args, **kwargs', __getitem__: 'index' },
});

export function argumentText(one: Call): string {
  const named = [...one.kwargs.entries()].map(([name, value]) => `${name}=${reprOf(value)}`);
  return `(${[...one.args.items.map((item) => reprOf(item)), ...named].join(', ')})`;
}

class Sentinel {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  [$repr](): string {
    return `sentinel.${this.name}`;
  }
}
nativeClass(Sentinel, { name: '_SentinelObject', module: 'unittest.mock' });

export class Sentinels {
  readonly $known = new Map<string, Sentinel>();

  [$getattr](name: string): unknown {
    let found = this.$known.get(name);
    if (found === undefined) {
      found = new Sentinel(name);
      this.$known.set(name, found);
    }
    return found;
  }
}
nativeClass(Sentinels, { name: '_Sentinel', module: 'unittest.mock' });

export const DEFAULT = new Sentinel('DEFAULT');
