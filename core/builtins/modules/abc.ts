/** Module `abc`. Abstract methods are the compiler's business (`abs def`); these names mark classes for readers. */
import { setOnFunction } from '../../values/class-attributes.ts';
import { Property } from '../../values/property.ts';
import { $form, $typeName } from '../../values/protocol.ts';
import { native } from '../../values/signature.ts';
import { functions, type Members } from '../module.ts';
import { nativeClass } from '../native-class.ts';

class ABCMeta {}
nativeClass(ABCMeta, { name: 'ABCMeta', module: 'abc' });

class ABC {}
Object.defineProperty(ABC.prototype, $typeName, { value: 'ABC' });
Object.defineProperty(ABC, $form, { value: true });
Object.defineProperty(ABC, 'register', {
  value: native('ABC.register', 'subclass', (cls: unknown) => cls),
  configurable: true,
  writable: true,
});

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
