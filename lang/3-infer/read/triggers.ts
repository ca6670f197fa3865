import type * as ast from '../../1-parse/ast.ts';
import { annotationType } from '../classes/annotations.ts';
import { classOfExpr } from '../classes/classes.ts';
import { any, instanceOf, unionOf } from '../classes/type-values.ts';
import type { ModuleState, Program } from '../program.ts';
import type { ClassInfo, Type } from '../types.ts';

/** The parts of a trigger: a type, a union `A | B`, a tuple `(A, B)`. */
export function triggerParts(trigger: ast.Expression | undefined): readonly ast.Expression[] {
  if (trigger === undefined) return [];
  if (trigger.kind === 'Binary' && trigger.op === '|')
    return [...triggerParts(trigger.left), ...triggerParts(trigger.right)];
  return trigger.kind === 'TupleExpr' || trigger.kind === 'ListExpr' ? trigger.items.flatMap(triggerParts) : [trigger];
}

/** Classes a trigger names; undefined entries where one cannot be told. */
export function triggerClasses(
  program: Program,
  state: ModuleState,
  trigger: ast.Expression | undefined,
): readonly (ClassInfo | undefined)[] {
  return triggerParts(trigger).flatMap((part) => {
    const cls = classOfExpr(program, state, part);
    if (cls !== undefined) return [cls];
    const type = annotationType(program, state, part);
    if (type.t === 'union') return type.of.map((member) => (member.t === 'instance' ? member.cls : undefined));
    return [type.t === 'instance' ? type.cls : undefined];
  });
}

/** Gives the type of the other side of an ability with this trigger. */
export function triggerTypes(program: Program, state: ModuleState, trigger: ast.Expression | undefined): Type {
  const classes = triggerClasses(program, state, trigger);
  if (classes.length === 0 || classes.includes(undefined)) return any;
  return unionOf(classes.map((cls) => instanceOf(cls!, true)));
}
