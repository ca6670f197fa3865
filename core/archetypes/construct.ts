/** `$.construct`: making an instance when the arguments are only known at run time. */
import { TypeError } from '../values/exceptions.ts';
import { className } from '../values/type-name.ts';
import { bindArguments, type Kwargs, pairsOf } from './bind.ts';
import { metaOf } from './meta.ts';

/**
 * Calls a class of the program with positional and keyword arguments (language.md 2.8, "Constructor protocol").
 *
 * @throws TypeError with Python's text when the arguments do not fit.
 */
export function construct(cls: any, args: readonly unknown[], kwargs?: Kwargs): any {
  const meta = metaOf(cls);
  if (meta === undefined) throw new TypeError(`${className(cls)} is not a registered archetype`);
  if (meta.isException) return cls.$raise(args, pairsOf(kwargs));
  if (meta.derived !== undefined && meta.missing.length === 0) return meta.derived.make(args, kwargs);
  if (
    meta.kind === 'class' &&
    meta.params.length === 0 &&
    !cls.prototype.init &&
    (args.length > 0 || pairsOf(kwargs).length > 0)
  ) {
    throw new TypeError(`${meta.name}() takes no arguments`);
  }
  return cls.$new(...bindArguments(`${meta.name}.__init__`, meta.params, args, kwargs, 1));
}

/** A copy of a graph object with the same fields and no place in the graph (`+>: e :+>` for further pairs). */
export function cloneFields(instance: any): any {
  const copy = instance.$meta.blank();
  for (const field of instance.$meta.fields) copy[field.slot] = instance[field.property];
  return copy;
}
