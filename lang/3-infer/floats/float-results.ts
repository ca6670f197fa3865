/** Floats by the names of methods, for display (docs/language/values.md#floats, decisions/0341). */

import { any, isFloatShown, shaped } from '../classes/type-values.ts';
import { isAbstract } from '../functions/functions.ts';
import type { Program } from '../program.ts';
import type { FunctionInfo, Type } from '../types.ts';

/** A call of a method of an object whose class is not known: do all methods of that name give floats? Built-in types have none of the name. */
export function givesFloatByName(program: Program, name: string): boolean {
  const methods = program.methods.named(name);
  if (methods.length === 0) return false;
  for (const table of Object.values(program.builtins.methods)) if (table.has(name)) return false;
  return giveFloats(methods);
}

/** A call of a method of an unknown object, where one class alone has a method of the name: what is shown of its result. */
export function shapeByName(program: Program, name: string): Type {
  const [method, ...others] = program.methods.named(name);
  if (method === undefined || others.length > 0 || method.async) return any;
  for (const table of Object.values(program.builtins.methods)) if (table.has(name)) return any;
  return shaped(method.result);
}

/** Do all give floats, but those that give nothing, such as one that only raises or is abstract, and those that are being read? */
export function giveFloats(methods: readonly FunctionInfo[]): boolean {
  let found = false;
  for (const method of methods) {
    if (method.async || method.generator) return false;
    const { result } = method;
    if (isAbstract(method.decl)) continue;
    if (isFloatShown(result)) found = true;
    else if (result.t !== 'none' && result.t !== 'never') return false;
  }
  return found;
}
