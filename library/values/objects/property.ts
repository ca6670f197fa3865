/** `property`: the object a program sees, and the accessor that classes have for it. */
import { call } from '../calls/calls.ts';
import { native } from '../calls/signature.ts';
import { $member, type MemberDescriptor } from './class-methods.ts';
import { AttributeError } from './exceptions.ts';
import { $typeName } from './protocol.ts';

/**
 * Object that `@property` makes of a function. The compiler turns properties of classes into JavaScript accessors; this
 * object serves where a program builds one by hand, and `descriptorOf` makes the accessor.
 */
export class Property {
  readonly fget: unknown;
  readonly fset: unknown;
  readonly fdel: unknown;
  readonly __doc__: unknown;
  declare [$typeName]: string;

  constructor(fget: unknown, fset: unknown, fdel: unknown, doc?: unknown) {
    this.fget = fget ?? null;
    this.fset = fset ?? null;
    this.fdel = fdel ?? null;
    this.__doc__ = doc ?? null;
  }

  getter(f: unknown): Property {
    return new Property(f, this.fset, this.fdel, this.__doc__).as(this.constructor);
  }

  setter(f: unknown): Property {
    return new Property(this.fget, f, this.fdel, this.__doc__).as(this.constructor);
  }

  [$member](name: string): MemberDescriptor {
    return accessorOf(this, name);
  }

  deleter(f: unknown): Property {
    return new Property(this.fget, this.fset, f, this.__doc__).as(this.constructor);
  }

  /** The same as an instance of `cls`, which the program derives from `property`. */
  as(cls: any): Property {
    return Reflect.construct(Property, [this.fget, this.fset, this.fdel, this.__doc__], cls);
  }
}
Property.prototype[$typeName] = 'property';

// Properties by the function that reads the attribute of an instance.
const known = new WeakMap<object, Property>();

/** Gives the value of `C.x` where `described` answers for `x` of the instances. */
export function propertyOfClass(prototype: any, name: string, described: PropertyDescriptor): Property {
  const { get, set } = described;
  let found = known.get(get!);
  if (found === undefined) {
    const remove = prototype[`$del$${name}`];
    found = new Property(
      native(name, 'self, /', (self: unknown) => get!.call(self)),
      set && native(name, 'self, value, /', (self: unknown, value: unknown) => set.call(self, value) ?? null),
      remove && native(name, 'self, /', (self: unknown) => remove.call(self) ?? null),
    );
    known.set(get!, found);
  }
  return found;
}

/** The JavaScript accessor of a property; its functions take the receiver first. */
function accessorOf(p: Property, name: string): MemberDescriptor {
  const read = {
    get(this: unknown) {
      if (p.fget === null) throw new AttributeError(`property '${name}' has no getter`);
      return call(p.fget, this);
    },
  }.get;
  known.set(read, p);
  return {
    configurable: true,
    enumerable: false,
    get: read,
    ...(p.fset === null
      ? {}
      : {
          set(this: unknown, value: unknown) {
            call(p.fset, this, value);
          },
        }),
    ...(p.fdel === null
      ? {}
      : {
          remove(this: unknown) {
            call(p.fdel, this);
          },
        }),
  };
}
