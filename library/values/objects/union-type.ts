/** Types combined at run time: `A | B`, `list[int]`. */

import { Tuple } from '../containers/tuple.ts';
import { same } from './equality.ts';
import { TypeError } from './exceptions.ts';
import { hashOf } from './hashing.ts';
import { $construct, $eq, $hash, $isInstance, $isSubclass, $repr, $typeName } from './protocol.ts';
import { reprOf } from './repr.ts';
import { Ellipsis } from './singletons.ts';
import { className, isClass, isTypeObject } from './type-name.ts';
import { namedType } from './types.ts';

export class UnionType {
  readonly members: readonly unknown[];

  constructor(members: readonly unknown[]) {
    this.members = members;
  }

  get [$typeName](): string {
    return 'UnionType';
  }

  get __args__(): Tuple {
    return new Tuple(this.members.map((member) => member ?? namedType('NoneType')));
  }

  [$repr](): string {
    return this.members.map(typeText).join(' | ');
  }

  [$eq](other: unknown): boolean {
    if (!(other instanceof UnionType) || other.members.length !== this.members.length) return false;
    return this.members.every((member) => other.members.some((one) => same(one, member)));
  }

  [$hash](): string {
    return `u${this.members.map(hashOf).sort().join(',')}`;
  }
}

/** `list[int]`: constructs what `list` constructs. */
export class GenericAlias {
  readonly origin: any;
  readonly args: readonly unknown[];

  constructor(origin: any, args: readonly unknown[]) {
    this.origin = origin;
    this.args = args;
  }

  get [$typeName](): string {
    return 'GenericAlias';
  }

  get __origin__(): unknown {
    return this.origin;
  }

  get __args__(): Tuple {
    return new Tuple(this.args);
  }

  get __name__(): string {
    return className(this.origin);
  }

  __call__(...args: unknown[]): unknown {
    const construct = this.origin[$construct];
    return construct === undefined ? this.origin(...args) : construct.call(this.origin, args);
  }

  /** @throws TypeError: what a container holds is no part of its class. */
  [$isInstance](): never {
    throw new TypeError('isinstance() argument 2 cannot be a parameterized generic');
  }

  /** @throws TypeError */
  [$isSubclass](): never {
    throw new TypeError('issubclass() argument 2 cannot be a parameterized generic');
  }

  [$repr](): string {
    return `${typeText(this.origin)}[${this.args.map(typeText).join(', ')}]`;
  }

  [$eq](other: unknown): boolean {
    if (!(other instanceof GenericAlias) || other.origin !== this.origin || other.args.length !== this.args.length)
      return false;
    return this.args.every((arg, i) => same(arg, other.args[i]));
  }

  [$hash](): string {
    return `g${[this.origin, ...this.args].map(hashOf).join(',')}`;
  }
}

/** Can `x` stand beside `|` as a type? */
export function isTypeLike(x: unknown): boolean {
  return isClass(x) || x instanceof UnionType || x instanceof GenericAlias;
}

/** `A | B` */
export function unionOf(a: unknown, b: unknown): UnionType {
  const members: unknown[] = [];
  for (const x of [a, b]) {
    for (const member of x instanceof UnionType ? x.members : [x]) if (!members.includes(member)) members.push(member);
  }
  if (members.length === 0) throw new TypeError('a union needs members');
  return new UnionType(members);
}

function typeText(x: any): string {
  if (x === null || x === undefined) return 'None';
  if (x === Ellipsis) return '...';
  if (isTypeObject(x)) return className(x) === 'NoneType' ? 'None' : className(x);
  if (isClass(x)) return reprOf(x).replace(/^<class '(.*)'>$/, '$1');
  return reprOf(x);
}
