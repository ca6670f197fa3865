import { didYouMean } from '../../../base/did-you-mean.ts';
import { findParameter } from '../../../base/find-parameter.ts';
import type * as ast from '../../1-parse/ast.ts';
import type { ParamInfo, Slot } from '../types.ts';

/** Fault in the arguments of a call (E0412). */
export interface ArgumentProblem {
  readonly form: 'missing' | 'many' | 'unknown' | 'twice';
  /** An action is given the missing argument when it runs. */
  readonly comesLater?: true;
  /** Name of the parameter, for all but `many`. */
  readonly param: string;
  /** The argument at fault, when there is one. */
  readonly arg: ast.Argument | undefined;
  readonly callee: string;
  /** Name of the parameter that was perhaps meant, for `unknown`. */
  readonly near?: string | undefined;
}

/**
 * Maps the arguments of a call to the parameters, by Python's rules. `undefined` when an argument is `*x` or `**x`, so
 * that only run time can tell; a problem when the call must fail.
 */
export function mapArguments(
  params: readonly ParamInfo[],
  args: readonly ast.Argument[],
  callee: string,
): readonly Slot[] | ArgumentProblem | undefined {
  const slots: Slot[] = new Array(params.length).fill(undefined);
  let position = 0;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg.sort === 'star' || arg.sort === 'doublestar') return undefined;
    if (arg.sort === 'keyword') {
      const name = arg.name?.text ?? '';
      const at = findParameter(params, name, (slot) => slots[slot] === undefined);
      if (at >= 0) {
        if (slots[at] !== undefined) return { form: 'twice', param: name, arg, callee };
        slots[at] = i;
        continue;
      }
      const rest = params.findIndex((param) => param.kind === 'kwargs');
      if (rest < 0) {
        const names = params.filter(({ kind }) => kind !== 'pos').map((param) => param.name);
        return { form: 'unknown', param: name, arg, callee, near: didYouMean(name, names) };
      }
      slots[rest] = [...((slots[rest] as readonly number[] | undefined) ?? []), i];
      continue;
    }
    while (position < params.length && params[position]!.kind !== 'pos' && params[position]!.kind !== 'any') {
      if (params[position]!.kind === 'args') break;
      position = params.length;
    }
    const param = params[position];
    if (param === undefined) return { form: 'many', param: '', arg, callee };
    if (param.kind === 'args') slots[position] = [...((slots[position] as readonly number[] | undefined) ?? []), i];
    else {
      slots[position] = i;
      position += 1;
    }
  }
  for (let i = 0; i < params.length; i++) {
    const param = params[i]!;
    if (param.kind === 'args' || param.kind === 'kwargs') slots[i] ??= [];
    else if (slots[i] === undefined && !param.optional)
      return { form: 'missing', param: param.name, arg: undefined, callee };
  }
  return slots;
}

export function isProblem(mapped: readonly Slot[] | ArgumentProblem | undefined): mapped is ArgumentProblem {
  return mapped !== undefined && 'form' in mapped;
}
