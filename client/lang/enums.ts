import { ValueError } from './exceptions.ts';
import type { Member } from './kinds.ts';
import { repr, str } from './text.ts';

interface EnumOptions {
  /** Members are shown as their values: `enum Status: int`. */
  readonly raw?: boolean;
  /** A class with what the program declares for members, and as `static` for the enum itself. */
  readonly methods?: abstract new () => object;
}

/** An enum: its members by name, iterable in order. A member is shown as `Color.RED`, compares by value and is sent as its value. */
export function enumOf(name: string, values: Record<string, unknown>, { raw = false, methods }: EnumOptions = {}): any {
  class Member extends EnumMember {}
  const members = Object.entries(values).map(([key, value]) => new Member(name, key, value, raw));
  const found: Record<PropertyKey, unknown> = Object.fromEntries(members.map((member) => [member.name, member]));
  if (methods !== undefined) {
    const { prototype, name: _, length: __, ...shared } = Object.getOwnPropertyDescriptors(methods);
    const { constructor: ___, ...own } = Object.getOwnPropertyDescriptors(methods.prototype);
    Object.defineProperties(Member.prototype, own);
    Object.defineProperties(found, shared);
  }
  const hidden = (key: PropertyKey, value: unknown) => Object.defineProperty(found, key, { value, enumerable: false });
  hidden('$name', name);
  hidden('$members', members);
  hidden('$of', (value: unknown) => {
    const member = members.find((one) => one.value === value || one === value);
    if (member === undefined) throw new ValueError(`${repr(value)} is not a valid ${name}`);
    return member;
  });
  hidden(Symbol.iterator, () => members[Symbol.iterator]());
  return Object.freeze(found);
}

/** `value` of a member, also where the server sent the value in its place. */
export function valueOfMember(one: any): unknown {
  return isMember(one) ? one.value : one;
}

/** `name` of a member, also where the server sent its value, which `names` has. */
export function nameOfMember(one: any, names: Readonly<Record<string, string>>): unknown {
  return isMember(one) ? one.name : (names[one] ?? null);
}

/** Tells members, and what has none of their attributes, from values. */
function isMember(one: unknown): boolean {
  return one === null || one === undefined || typeof one === 'object';
}

class EnumMember implements Member {
  readonly $enum: string;
  readonly name: string;
  readonly value: unknown;
  readonly $raw: boolean;

  constructor(owner: string, name: string, value: unknown, raw: boolean) {
    this.$enum = owner;
    this.name = name;
    this.value = value;
    this.$raw = raw;
    Object.freeze(this);
  }

  toString(): string {
    return this.$raw ? str(this.value) : `${this.$enum}.${this.name}`;
  }

  /** Text of a member, which React shows where one stands in markup. */
  *[Symbol.iterator](): Generator<string> {
    yield str(this);
  }

  toJSON(): unknown {
    return this.value;
  }

  valueOf(): unknown {
    return this.value;
  }
}
