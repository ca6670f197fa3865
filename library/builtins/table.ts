/**
 * `$.b`: the built-in functions and types by name (language.md 6.4). Functions of the graph (`oid`, `commit`, `printgraph` …) are put in by the
 * files that define them, with `addBuiltins`. To add a function: a file (or a place in the file of its group), its line in
 * `../signatures/builtins.ts`, and its name here.
 */

import { addModule, importModule } from '../registry.ts';
import { builtin } from '../values/calls/builtin.ts';
import { exceptionClasses, OSError } from '../values/objects/exceptions.ts';
import { Ellipsis, NotImplemented } from '../values/objects/singletons.ts';
import { abs, almostEqual, bin, chr, divmod, hash, hex, id, oct, ord, pow, round } from './arithmetic.ts';
import {
  bool,
  bytearray,
  bytes,
  complex,
  dict,
  float,
  frozenset,
  int,
  list,
  memoryview,
  object,
  range,
  set,
  slice,
  str,
  tuple,
  type,
} from './conversions.ts';
import { classmethod, exit, property, quit, staticmethod } from './decorators.ts';
import { input } from './input.ts';
import {
  ascii,
  callable,
  delattr,
  dir,
  format,
  getattr,
  hasattr,
  help,
  isinstance,
  issubclass,
  repr,
  setattr,
  vars,
} from './objects.ts';
import { print } from './print.ts';
import {
  aiter,
  all,
  anext,
  any,
  enumerate,
  filter,
  iter,
  len,
  map,
  max,
  min,
  next,
  reversed,
  sorted,
  sum,
  zip,
} from './sequences.ts';
import { typingNames } from './typing-names.ts';

export const b: Record<string, any> = {
  ...exceptionClasses,
  IOError: OSError,
  EnvironmentError: OSError,
  ...typingNames,
  NotImplemented,
  Ellipsis,
  __debug__: true,
  __import__: builtin('__import__', (name: string) => importModule(name)),
  abs,
  almostEqual,
  aiter,
  all,
  anext,
  any,
  ascii,
  bin,
  bool,
  bytearray,
  bytes,
  callable,
  chr,
  classmethod,
  complex,
  delattr,
  dict,
  dir,
  divmod,
  enumerate,
  exit,
  filter,
  float,
  format,
  frozenset,
  getattr,
  hasattr,
  hash,
  help,
  hex,
  id,
  input,
  int,
  isinstance,
  issubclass,
  iter,
  len,
  list,
  map,
  max,
  memoryview,
  min,
  next,
  object,
  oct,
  ord,
  pow,
  print,
  property,
  quit,
  range,
  repr,
  reversed,
  round,
  set,
  setattr,
  slice,
  sorted,
  staticmethod,
  str,
  sum,
  tuple,
  type,
  vars,
  zip,
};

/** Adds functions of other parts of the runtime to the table. */
export function addBuiltins(functions: Readonly<Record<string, unknown>>): void {
  Object.assign(b, functions);
}

addModule('builtins', () => ({ ...b }));
