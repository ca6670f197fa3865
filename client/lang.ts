/**
 * Helpers that emitted code imports by name as `@svc/runtime/lang`: the language's operators, built-ins and methods on plain JavaScript values. A bundle
 * carries those it uses.
 */

export { bitand, bitor, bitxor, times } from './lang/bits.ts';
export { bound } from './lang/bound.ts';
export { construct, invoke, invokeMember, keywords, keywordsOf, kw, positions, ref } from './lang/calls.ts';
export { asyncEnter, asyncExit, enter, exit } from './lang/context.ts';
export { bool, dict, float, fromkeys, frozenset, int, list, object, set, tuple } from './lang/conversions.ts';
export { enumOf, nameOfMember, valueOfMember } from './lang/enums.ts';
export * from './lang/exceptions.ts';
export { failedAssert } from './lang/failed-assert.ts';
export { fixed } from './lang/fixed.ts';
export { format, percent } from './lang/format.ts';
export * from './lang/functions.ts';
export { generatorMethod } from './lang/generators.ts';
export { array, iter, next, unpack } from './lang/iteration.ts';
export { cleanup, html, shown, slot } from './lang/markup.ts';
export { boundOfType, method, methodKw, unbound } from './lang/method.ts';
export { numberMethod } from './lang/methods/rare-numbers.ts';
export { maketrans, rareMethod } from './lang/methods/rare-text.ts';
export { mixed } from './lang/mixed.ts';
export {
  add,
  contains,
  div,
  eq,
  extended,
  floordiv,
  ge,
  gt,
  le,
  lshift,
  lt,
  matmul,
  mod,
  mul,
  ne,
  neg,
  pow,
  quotient,
  remainder,
  rshift,
  setOf,
  sub,
  truthy,
} from './lang/operators.ts';
export { fieldAt, isMapping, isSequence, without } from './lang/patterns.ts';
export {
  assignAll,
  delattr,
  delIndex,
  getattr,
  hasattr,
  index,
  key,
  present,
  setattr,
  setIndex,
  setSlice,
  slice,
} from './lang/places.ts';
export { shared } from './lang/shared.ts';
export { floatText, repr, str, typedText } from './lang/text.ts';
export { isinstance, issubclass, nameOf, type } from './lang/types.ts';
