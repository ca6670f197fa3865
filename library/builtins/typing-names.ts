/** Annotation names that need no import (language.md 6.4); module `typing` adds to them. */

import { setAnyForm } from '../classes/annotations.ts';
import { builtin } from '../values/calls/builtin.ts';
import { callable } from '../values/calls/calls.ts';
import { Dict } from '../values/containers/dict.ts';
import { SetView, ValuesView } from '../values/containers/dict-views.ts';
import { tryIter } from '../values/containers/iteration.ts';
import { Range } from '../values/containers/range.ts';
import { AnySet } from '../values/containers/sets.ts';
import { Tuple } from '../values/containers/tuple.ts';
import { $await, $counted } from '../values/objects/protocol.ts';
import { AnyBytes, ByteArray } from '../values/text/bytes.ts';
import { base } from './class-base.ts';
import { dict, frozenset, list, set, tuple, type } from './conversions.ts';
import { aliasForm, SpecialForm } from './special-form.ts';

export const isSequence = (x: unknown) =>
  Array.isArray(x) ||
  typeof x === 'string' ||
  x instanceof Tuple ||
  x instanceof Range ||
  x instanceof AnyBytes ||
  inherits(x, 'Sequence', 'MutableSequence');
// A class of the program may inherit from the form.
export const inherits = (x: any, ...labels: string[]) =>
  typeof x === 'object' &&
  x !== null &&
  labels.some((label) => x[$counted]?.includes(label) === true || x instanceof base(new SpecialForm(label)));
export const isMapping = (x: unknown) => x instanceof Dict || inherits(x, 'Mapping', 'MutableMapping');
const isIterator = (x: any) =>
  typeof x === 'object' &&
  x !== null &&
  (typeof x.__next__ === 'function' || (typeof x.next === 'function' && typeof x[Symbol.iterator] === 'function'));
// Tells an iterable without going through it: `issubclass` has no object with contents.
const isIterable = (x: any) =>
  typeof x === 'object' && x !== null && (typeof x.__iter__ === 'function' || typeof x[Symbol.iterator] === 'function')
    ? true
    : tryIter(x) !== undefined;
export const isSet = (x: unknown) =>
  x instanceof AnySet || x instanceof SetView || inherits(x, 'AbstractSet', 'MutableSet');
export const hasMethod = (x: any, name: string) => typeof x === 'object' && x !== null && typeof x[name] === 'function';
export const isCollection = (x: unknown) =>
  isSequence(x) ||
  isMapping(x) ||
  isSet(x) ||
  x instanceof ValuesView ||
  (hasMethod(x, '__len__') && hasMethod(x, '__contains__') && isIterable(x));
const isAwaitable = (x: any) =>
  x instanceof Promise || typeof x?.[$await] === 'function' || typeof x?.__await__ === 'function';

/** `TypeVar("T")` */
export const TypeVar = builtin('TypeVar', (name: string) => new SpecialForm(name));

const any = new SpecialForm('Any', () => true);
setAnyForm(any);

export const typingNames: Readonly<Record<string, unknown>> = {
  Any: any,
  Optional: new SpecialForm('Optional'),
  Union: new SpecialForm('Union'),
  List: aliasForm('List', list),
  Dict: aliasForm('Dict', dict),
  Set: aliasForm('Set', set),
  FrozenSet: aliasForm('FrozenSet', frozenset),
  Tuple: aliasForm('Tuple', tuple),
  Type: aliasForm('Type', type),
  Callable: new SpecialForm('Callable', callable),
  Iterable: new SpecialForm('Iterable', isIterable),
  Iterator: new SpecialForm('Iterator', isIterator),
  Generator: new SpecialForm('Generator', isIterator),
  AsyncIterator: new SpecialForm(
    'AsyncIterator',
    (x: any) => typeof x?.[Symbol.asyncIterator] === 'function' || typeof x?.__anext__ === 'function',
  ),
  AsyncIterable: new SpecialForm(
    'AsyncIterable',
    (x: any) => typeof x?.[Symbol.asyncIterator] === 'function' || typeof x?.__aiter__ === 'function',
  ),
  AsyncGenerator: new SpecialForm('AsyncGenerator', (x: any) => typeof x?.[Symbol.asyncIterator] === 'function'),
  Awaitable: new SpecialForm('Awaitable', isAwaitable),
  Coroutine: new SpecialForm('Coroutine', isAwaitable),
  Mapping: new SpecialForm('Mapping', isMapping),
  MutableMapping: new SpecialForm('MutableMapping', (x) => x instanceof Dict || inherits(x, 'MutableMapping')),
  Sequence: new SpecialForm('Sequence', isSequence),
  MutableSequence: new SpecialForm(
    'MutableSequence',
    (x) => Array.isArray(x) || x instanceof ByteArray || inherits(x, 'MutableSequence'),
  ),
  Collection: new SpecialForm('Collection', isCollection),
  Literal: new SpecialForm('Literal'),
  ClassVar: new SpecialForm('ClassVar'),
  Annotated: new SpecialForm('Annotated'),
  Protocol: new SpecialForm('Protocol'),
  TypeVar,
  Generic: new SpecialForm('Generic'),
  Final: new SpecialForm('Final'),
  NoReturn: new SpecialForm('NoReturn'),
  Never: new SpecialForm('Never'),
};
