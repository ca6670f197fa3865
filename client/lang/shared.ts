/** Attributes and methods of classes that their objects give too, as in Python. */
import { bound } from './bound.ts';

type Class = { readonly prototype: object } & Record<string, any>;

/** Lets the objects of a class read what the class holds. An object that is assigned one has it for itself from then on. */
export function shared(cls: Class): void {
  for (const [name, { enumerable }] of Object.entries(Object.getOwnPropertyDescriptors(cls))) {
    // JavaScript's own members of a class are not enumerable; neither are methods.
    const isMethod = !enumerable && typeof cls[name] === 'function';
    if (!(enumerable || isMethod) || name.startsWith('$') || Object.hasOwn(cls.prototype, name)) continue;
    Object.defineProperty(cls.prototype, name, {
      configurable: true,
      get(this: object) {
        const owner = this.constructor as unknown as Class;
        return isMethod ? bound(owner, name) : owner[name];
      },
      set(this: object, value: unknown) {
        Object.defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true });
      },
    });
  }
}
