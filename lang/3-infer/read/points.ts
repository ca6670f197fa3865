/** Points of suspension for things found in expressions. */
import type * as ast from '../../1-parse/ast.ts';
import type { Reader } from '../program.ts';
import { dependOn, type Point, pointOf } from '../suspension/suspension.ts';
import type { ClassInfo, FunctionInfo, Type } from '../types.ts';

/**
 * Gives the point that a call of this function waits for: its own. Calling an `async def` or a generator only makes an
 * object.
 */
export function callPoint(f: Reader, fn: FunctionInfo): Point | undefined {
  if (fn.async || fn.generator || fn.decl === undefined) return undefined;
  return f.program.functions.get(fn.decl)?.point;
}

/** Gives the point that a call of the special or ordinary method of that name may wait for, on a value of this type. */
export function classMethodPoint(f: Reader, type: Type, name: string): Point | undefined {
  switch (type.t) {
    case 'instance': {
      const method = type.cls.methods.get(name);
      // A subclass may override it, so the name counts, not the one method.
      if (method !== undefined || type.cls.open || type.cls.attributes.has(name))
        return f.program.points.methods.get(name);
      return undefined;
    }
    case 'any':
    case 'union':
      return f.program.points.methods.get(name);
    default:
      return undefined;
  }
}

export function constructionPoint(f: Reader, cls: ClassInfo): Point {
  return pointOf(f.program.points.constructions, cls);
}

/** Gives the point at which the steps of `g(…)` wait, with `g` a generator function of the program. */
export function calledGenerator(f: Reader, e: ast.Expression): Point | undefined {
  if (e.kind === 'Comprehension') return f.program.points.nodes.get(e);
  if (e.kind !== 'Call') return undefined;
  const plan = f.state.plans.get(e);
  if (plan?.how !== 'direct' || !plan.fn.generator || plan.fn.decl === undefined) return undefined;
  return f.program.functions.get(plan.fn.decl)?.point;
}

/** A value of this type is called with a function, or decorates one: what that makes may enter and leave a manager at each call. */
export function noteDecorated(f: Reader, type: Type): void {
  const { functionValue, decoratingManager } = f.program.points;
  if (type.t === 'any' || type.t === 'union' || (type.t === 'instance' && type.cls.open))
    dependOn(functionValue, decoratingManager);
}
