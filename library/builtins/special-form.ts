/** Annotation names (`Any`, `Optional`, `List` …): values that may be subscripted and combined, and mean nothing at run time. */

import { Range } from '../values/containers/range.ts';
import { Tuple } from '../values/containers/tuple.ts';
import { TypeError } from '../values/objects/exceptions.ts';
import { $counted, $getattr, $isInstance, $isSubclass, $repr, $typeName } from '../values/objects/protocol.ts';
import { reprOf } from '../values/objects/repr.ts';
import { className, isClass, isTypeObject } from '../values/objects/type-name.ts';
import { isInstance } from '../values/objects/types.ts';
import { UnionType } from '../values/objects/union-type.ts';
import { Bytes } from '../values/text/bytes.ts';

/**
 * Rules of special forms once a program imports `typing` or `collections.abc`; without, forms only serve as annotations
 * and in `isinstance`.
 */
export interface FormRules {
  subscript(form: SpecialForm, args: readonly unknown[]): unknown;
  show(form: SpecialForm): string;
  attribute(form: SpecialForm, name: string): unknown;
  union(members: readonly unknown[]): unknown;
}

let rules: FormRules | undefined;

export function setFormRules(given: FormRules): void {
  rules = given;
}

export class SpecialForm {
  readonly label: string;
  readonly args: readonly unknown[];
  readonly test: ((x: unknown, args: readonly unknown[]) => boolean) | undefined;
  /** The built-in type that it is another name of. */
  declare type: unknown;

  constructor(label: string, test?: (x: unknown, args: readonly unknown[]) => boolean, args: readonly unknown[] = []) {
    this.label = label;
    this.test = test;
    this.args = args;
  }

  get [$typeName](): string {
    return '_SpecialForm';
  }

  [$getattr](name: string): unknown {
    return rules?.attribute(this, name);
  }

  get __name__(): string {
    return this.label;
  }

  __getitem__(index: unknown): unknown {
    const args = index instanceof Tuple ? index.items : [index];
    if (rules !== undefined) return rules.subscript(this, args);
    if (this.label === 'Optional') return new UnionType([args[0], null]);
    if (this.label === 'Union') return args.length === 1 ? args[0] : new UnionType(args);
    if (this.label === 'Annotated') return args[0];
    return new SpecialForm(this.label, this.test, args);
  }

  __or__(other: unknown): unknown {
    return unionOf(this, other);
  }

  __ror__(other: unknown): unknown {
    return unionOf(other, this);
  }

  __call__(..._args: unknown[]): unknown {
    throw new TypeError(`Cannot instantiate typing.${this.label}`);
  }

  [$isInstance](x: unknown): boolean {
    if (this.args.length > 0) throw new TypeError('Subscripted generics cannot be used with class and instance checks');
    if (this.test === undefined) throw new TypeError(`typing.${this.label} cannot be used with isinstance()`);
    return this.test(x, this.args) || (x as any)?.[$counted]?.includes(this.label) === true;
  }

  /** Is an instance of the class one of the form? One without contents stands for all: a form asks for methods and classes. */
  [$isSubclass](cls: any): boolean {
    if (this.test === undefined) throw new TypeError(`typing.${this.label} cannot be used with issubclass()`);
    const sample = samples[className(cls)];
    return this.test(
      isTypeObject(cls) && sample !== undefined ? sample() : Object.create(cls.prototype ?? null),
      this.args,
    );
  }

  [$repr](): string {
    if (rules !== undefined) return rules.show(this);
    const args = this.args.map((arg) => (isClass(arg) ? className(arg) : arg === null ? 'None' : reprOf(arg)));
    return `typing.${this.label}${args.length === 0 ? '' : `[${args.join(', ')}]`}`;
  }
}

function unionOf(...members: unknown[]): unknown {
  return rules === undefined ? new UnionType(members) : rules.union(members);
}

/** Values of the types that have no class of JavaScript behind them. */
const samples: Readonly<Record<string, () => unknown>> = {
  bool: () => true,
  bytes: () => new Bytes(new Uint8Array()),
  float: () => 0.5,
  int: () => 0,
  list: () => [],
  NoneType: () => null,
  range: () => new Range(0, 0, 1),
  str: () => '',
};

/** A name that behaves like a built-in type in `isinstance` and can be called: `List`, `Dict` … */
export function aliasForm(label: string, type: any): SpecialForm {
  const form = new SpecialForm(label, (x) => isInstance(x, type));
  form.type = type;
  Object.defineProperty(form, '__call__', { value: (...args: unknown[]) => type(...args) });
  return form;
}
