/** Classes with several bases: JavaScript has one. */

type Class = (abstract new (...args: any[]) => object) & { readonly $fields?: readonly string[] };

/** Gives a class derived from the first base that has what the others have and it has not, and is one of each of them. */
export function mixed(first: new (...args: any[]) => object, ...others: Class[]): Class {
  class Mixed extends first {
    constructor(...args: any[]) {
      super(...args);
      for (const other of others)
        if (other.$fields !== undefined) fill(this, new (other as new (...args: any[]) => object)(args[0]));
    }
  }
  for (const other of others) {
    for (let from = other; from.prototype !== undefined; from = Object.getPrototypeOf(from)) {
      fill(Mixed, from);
      fill(Mixed.prototype, from.prototype);
      note(from, Mixed);
    }
  }
  return Mixed;
}

const heirs = new WeakMap<object, Class[]>();

/** Objects of the heir are instances of the base, too. */
function note(base: Class, heir: Class): void {
  const known = heirs.get(base);
  heirs.set(base, [...(known ?? []), heir]);
  if (known !== undefined) return;
  Object.defineProperty(base, Symbol.hasInstance, {
    value(this: Class, one: object): boolean {
      const isBelow = Function.prototype[Symbol.hasInstance];
      return isBelow.call(this, one) || (heirs.get(this) ?? []).some((cls) => isBelow.call(cls, one));
    },
  });
}

/** Gives an object the members of another one that it has not. */
function fill(object: object, from: object): void {
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(from)))
    if (!(name in object)) Object.defineProperty(object, name, member);
}
