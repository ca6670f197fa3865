/** Forms of `collections.abc` that need no place among the names without import. */

import { SpecialForm } from '../../builtins/special-form.ts';
import { hasMethod, inherits, isCollection, isSequence, isSet } from '../../builtins/typing-names.ts';
import { Dict } from '../../values/containers/dict.ts';
import { ItemsView, KeysView, SetView, ValuesView } from '../../values/containers/dict-views.ts';
import { PySet } from '../../values/containers/sets.ts';
import { hashNumber } from '../../values/objects/hashing.ts';
import { AnyBytes } from '../../values/text/bytes.ts';

const isReversible = (x: unknown) =>
  x instanceof Dict || x instanceof SetView || x instanceof ValuesView || hasMethod(x, '__reversed__');

/** Forms that only `collections.abc` has under these names. */
export const abstractForms: Readonly<Record<string, SpecialForm>> = {
  Set: new SpecialForm('AbstractSet', isSet),
  MutableSet: new SpecialForm('MutableSet', (x) => x instanceof PySet || inherits(x, 'MutableSet')),
  Hashable: new SpecialForm('Hashable', isHashable),
  Sized: new SpecialForm('Sized', (x) => isCollection(x) || hasMethod(x, '__len__')),
  Container: new SpecialForm('Container', (x) => isCollection(x) || hasMethod(x, '__contains__')),
  Reversible: new SpecialForm('Reversible', (x) => isSequence(x) || isReversible(x)),
  ByteString: new SpecialForm('ByteString', (x) => x instanceof AnyBytes),
  KeysView: new SpecialForm('KeysView', (x) => x instanceof KeysView),
  ValuesView: new SpecialForm('ValuesView', (x) => x instanceof ValuesView),
  ItemsView: new SpecialForm('ItemsView', (x) => x instanceof ItemsView),
  MappingView: new SpecialForm('MappingView', (x) => x instanceof SetView || x instanceof ValuesView),
};

function isHashable(x: unknown): boolean {
  try {
    hashNumber(x);
    return true;
  } catch {
    return false;
  }
}
