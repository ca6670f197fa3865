/** `property`, `staticmethod`, `classmethod`, and leaving the program. */

import { call } from '../values/calls.ts';
import { $member } from '../values/class-methods.ts';
import { AttributeError, SystemExit } from '../values/exceptions.ts';
import { $typeName } from '../values/protocol.ts';
import { native } from '../values/signature.ts';

/**
 * What `@property` makes of a function. The compiler turns properties of classes into JavaScript accessors; this object serves
 * where a program builds one by hand, and `descriptorOf` makes the accessor.
 */
export class Property {
  readonly fget: unknown;
  readonly fset: unknown;
  readonly fdel: unknown;
  declare [$typeName]: string;

  constructor(fget: unknown, fset: unknown, fdel: unknown) {
    this.fget = fget ?? null;
    this.fset = fset ?? null;
    this.fdel = fdel ?? null;
  }

  getter(f: unknown): Property {
    return new Property(f, this.fset, this.fdel);
  }

  setter(f: unknown): Property {
    return new Property(this.fget, f, this.fdel);
  }

  [$member](name: string): PropertyDescriptor {
    return accessorOf(this, name);
  }

  deleter(f: unknown): Property {
    return new Property(this.fget, this.fset, f);
  }
}
Property.prototype[$typeName] = 'property';

/** The JavaScript accessor of a property; its functions take the receiver first. */
function accessorOf(p: Property, name: string): PropertyDescriptor {
  return {
    configurable: true,
    enumerable: false,
    get(this: unknown) {
      if (p.fget === null) throw new AttributeError(`property '${name}' has no getter`);
      return call(p.fget, this);
    },
    ...(p.fset === null
      ? {}
      : {
          set(this: unknown, value: unknown) {
            call(p.fset, this, value);
          },
        }),
  };
}

export const property = native(
  'property',
  'fget=None, fset=None, fdel=None, doc=None',
  (fget?: unknown, fset?: unknown, fdel?: unknown) => new Property(fget, fset, fdel),
);

export const staticmethod = native('staticmethod', 'function, /', (f: unknown) => f);

export const classmethod = native('classmethod', 'function, /', (f: unknown) => f);

export const exit = native('exit', 'code=None, /', (code?: unknown) => {
  throw code === undefined ? new SystemExit() : new SystemExit(code);
});

export const quit = native('quit', 'code=None, /', (code?: unknown) => exit(code));
