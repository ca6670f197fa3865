import { ValueError } from './exceptions.ts';
import type { Member } from './kinds.ts';
import { repr } from './text.ts';

/** An enum: its members by name, iterable in order. A member is shown as `Color.RED`, compares by value and is sent as its value. */
export function enumOf(name: string, values: Record<string, unknown>): any {
  const members = Object.entries(values).map(([key, value]) => new EnumMember(name, key, value));
  const found: Record<PropertyKey, unknown> = Object.fromEntries(members.map((member) => [member.name, member]));
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

class EnumMember implements Member {
  readonly $enum: string;
  readonly name: string;
  readonly value: unknown;

  constructor(owner: string, name: string, value: unknown) {
    this.$enum = owner;
    this.name = name;
    this.value = value;
    Object.freeze(this);
  }

  toString(): string {
    return `${this.$enum}.${this.name}`;
  }

  toJSON(): unknown {
    return this.value;
  }

  valueOf(): unknown {
    return this.value;
  }
}
