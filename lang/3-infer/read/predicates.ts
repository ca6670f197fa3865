/**
 * Type guards: what a call such as `is_circle(shape)` proves about its argument when it is true, in `filter(is_circle,
 * shapes)` and `if is_circle(shape)`.
 */
import type * as ast from '../../1-parse/ast.ts';
import type { Binding } from '../../2-resolve/names.ts';
import { annotationType } from '../classes/annotations.ts';
import { doubted } from '../classes/type-values.ts';
import { functionRecord, signatureOf } from '../functions/functions.ts';
import type { ModuleState, Reader } from '../program.ts';
import type { Type } from '../types.ts';
import { slotIn } from './environments.ts';
import { meet, narrow } from './narrowing.ts';

/** A function with the module it is written in. */
export interface Predicate {
  readonly node: ast.Lambda | ast.FunctionDecl;
  readonly state: ModuleState;
}

/** The function of the program that a name stands for. */
export function predicateOf(f: Reader, binding: Binding): Predicate | undefined {
  const target = binding.sort === 'module' ? f.program.names.follow(binding) : binding;
  if (target?.sort !== 'module' && target?.sort !== 'local') return undefined;
  const state = target.sort === 'local' ? f.state : f.program.modules.get(target.module);
  if (target.decl?.kind !== 'FunctionDecl' || target.reassigned || state === undefined) return undefined;
  return target.decl.decorators.length > 0 ? undefined : { node: target.decl, state };
}

/**
 * Gives the type of a value of `type` for which the function has given true: by its result `TypeGuard[T]` or
 * `TypeIs[T]`, or by the condition that is all it returns. No more than a hint: a test may have put another function in
 * its place.
 */
export function provenBy(f: Reader, { node, state }: Predicate, type: Type): Type {
  const signature = signatureOf(state, node);
  const guarded = guardedType(signature.result);
  if (guarded !== undefined) return doubted(meet(type, annotationType(f.program, state, guarded)));
  const condition = conditionOf(node);
  const scope = state.names.scope(node);
  const binding = scope.locals.get(signature.params[0]?.name?.text ?? '');
  if (condition === undefined || binding === undefined || f.program.proving) return type;
  const record = functionRecord(f.program, state, node, undefined);
  const inside: Reader = { ...f, state, record, scope, env: [] };
  const slot = slotIn(inside, binding);
  inside.env[slot] = type;
  f.program.proving = true;
  narrow(inside, condition, true);
  f.program.proving = false;
  const proven = inside.env[slot];
  return proven === undefined || proven === type ? type : doubted(proven);
}

function guardedType(result: ast.Expression | undefined): ast.Expression | undefined {
  if (result?.kind !== 'Index') return undefined;
  const { object, index } = result;
  const name = object.kind === 'NameRef' ? object.name : object.kind === 'Attribute' ? object.name.text : '';
  return name === 'TypeGuard' || name === 'TypeIs' ? index : undefined;
}

function conditionOf({ body }: Predicate['node']): ast.Expression | undefined {
  switch (body.kind) {
    case 'Block': {
      const [only] = body.statements;
      if (only === undefined) return body.tail?.expr;
      return body.statements.length === 1 && only.kind === 'ReturnStatement' ? only.value : undefined;
    }
    case 'ByBody':
    case 'AbstractBody':
    case 'NoBody':
      return undefined;
    default:
      return body;
  }
}
