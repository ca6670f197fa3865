/** Module `abc`. Abstract methods are the compiler's business (`abs def`); these names mark classes for readers. */

import { functions, type Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { stillMissing } from '../classes/archetype.ts';
import { setOnFunction } from '../classes/class-attributes.ts';
import { native } from '../values/calls/signature.ts';
import { FrozenSet } from '../values/containers/sets.ts';
import { TypeError } from '../values/objects/exceptions.ts';
import { Property } from '../values/objects/property.ts';
import { $form, $isSubclass, $typeName } from '../values/objects/protocol.ts';
import { isClass } from '../values/objects/type-name.ts';
import { isInstance, isSubclass, mroOf } from '../values/objects/types.ts';

class ABCMeta {}
nativeClass(ABCMeta, { name: 'ABCMeta', module: 'abc' });

class ABC {}
Object.defineProperty(ABC.prototype, $typeName, { value: 'ABC' });
Object.defineProperty(ABC, $form, { value: true });
Object.defineProperty(ABC, 'register', {
  get(this: any) {
    return native('ABCMeta.register', 'cls, subclass', register).bind(null, this);
  },
  configurable: true,
});
Object.defineProperty(ABC, '__abstractmethods__', {
  get(this: any) {
    return new FrozenSet(stillMissing(this));
  },
  configurable: true,
});

/** Classes that count as inheriting from a class, by that class: `Shape.register(Circle)`. */
const registered = new Map<any, unknown[]>();

function register(cls: any, subclass: unknown): unknown {
  if (!isClass(subclass)) throw new TypeError('Can only register classes');
  const known = registered.get(cls);
  if (known === undefined) {
    registered.set(cls, [subclass]);
    answerForRegistered(cls);
  } else known.push(subclass);
  return subclass;
}

// Lists the classes registered with a class or one below it: all of them count.
function registeredBelow(cls: any): unknown[] {
  const found: unknown[] = [];
  for (const [one, list] of registered) if (one === cls || mroOf(one).includes(cls)) found.push(...list);
  return found;
}

/** `isinstance` and `issubclass` of the class, of those above it that are no forms and, as they inherit it, of those below. */
function answerForRegistered(cls: any): void {
  for (const one of mroOf(cls)) {
    if (!Object.hasOwn((one as any).prototype ?? {}, '$cid')) continue;
    const before = (one as any)[Symbol.hasInstance];
    Object.defineProperty(one, Symbol.hasInstance, {
      configurable: true,
      value(this: any, x: unknown): boolean {
        return before.call(this, x) || registeredBelow(this).some((other) => isInstance(x, other));
      },
    });
    Object.defineProperty(one, $isSubclass, {
      configurable: true,
      value(this: any, x: any): boolean {
        return mroOf(x).includes(this) || registeredBelow(this).some((other) => isSubclass(x, other));
      },
    });
  }
}

function abstract(f: unknown): unknown {
  if (typeof f === 'function') setOnFunction(f, '__isabstractmethod__', true);
  return f;
}

export function makeAbc(): Members {
  return {
    ABC,
    ABCMeta,
    ...functions('abc', {
      abstractclassmethod: ['callable', abstract],
      abstractmethod: ['funcobj', abstract],
      abstractproperty: [
        'fget=None, fset=None, fdel=None, doc=None',
        (fget: unknown, fset: unknown, fdel: unknown) => new Property(fget, fset, fdel),
      ],
      abstractstaticmethod: ['callable', abstract],
    }),
  };
}
