/**
 * Dict that `globals()` gives in a module that changes its variables through it (decisions/0211). Compiled code asks
 * for it; programs do not import it.
 */

import type { Members } from '../../library/builtins/module.ts';
import type { Names } from '../../library/values/calls/replaceable.ts';
import { Dict } from '../../library/values/containers/dict.ts';

/** Dict over the variables of a module: names of variables write through to them, other names are kept here. */
class ModuleVariables extends Dict {
  names: Names | undefined;

  override set(name: unknown, value: unknown): void {
    super.set(name, value);
    this.names?.[name as string]?.set(value);
  }

  override delete(name: unknown): boolean {
    this.names?.[name as string]?.set(undefined);
    return super.delete(name);
  }
}

const dicts = new WeakMap<Names, ModuleVariables>();

/** The one dict of the module with these variables, which have the values in `now`. */
function live(names: Names, now: Dict): Dict {
  let dict = dicts.get(names);
  if (dict === undefined) dicts.set(names, (dict = new ModuleVariables()));
  dict.names = undefined;
  for (const [name, value] of now.entries()) {
    if (value === undefined) dict.delete(name);
    else dict.set(name, value);
  }
  dict.names = names;
  return dict;
}

export function makeSvcGlobals(): Members {
  return { live };
}
