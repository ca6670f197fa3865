/** Floats by the names of methods, for display (language.md 6.3, decisions/0341). */
import type { Program } from './program.ts';
import { isFloatShown } from './type-values.ts';
import type { FunctionInfo } from './types.ts';

/** A call of a method of an object whose class is not known: do all methods of that name give floats? Built-in types have none of the name. */
export function givesFloatByName(program: Program, name: string): boolean {
  const methods = program.methods.named(name);
  if (methods.length === 0) return false;
  for (const table of Object.values(program.builtins.methods)) if (table.has(name)) return false;
  return giveFloats(methods);
}

/** Do all give floats, but those that give nothing, such as one that only raises, and those that are being read? */
export function giveFloats(methods: readonly FunctionInfo[]): boolean {
  let found = false;
  for (const method of methods) {
    if (method.async || method.generator) return false;
    const { result } = method;
    if (isFloatShown(result)) found = true;
    else if (result.t !== 'none' && result.t !== 'never') return false;
  }
  return found;
}
