/** `@cached_property`: what the getter gives becomes an attribute of the instance. */
import { key } from './protocol.ts';

export function cacheGetter(cls: any, name: string): void {
  const property = key(name);
  const { get } = Object.getOwnPropertyDescriptor(cls.prototype, property)!;
  const store = (self: object, value: unknown) =>
    Object.defineProperty(self, property, { value, writable: true, enumerable: true, configurable: true });
  Object.defineProperty(cls.prototype, property, {
    configurable: true,
    get(this: object) {
      const value = get!.call(this);
      store(this, value);
      return value;
    },
    set(this: object, value: unknown) {
      store(this, value);
    },
  });
}
