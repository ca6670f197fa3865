/** Binding of positional and keyword arguments to parameters, with Python's words for what does not fit. */

import { findParameter } from '../../base/find-parameter.ts';
import { Dict } from '../values/containers/dict.ts';
import type { Kwargs } from '../values/kwargs.ts';
import { TypeError } from '../values/objects/exceptions.ts';
import type { ParamSpec } from './spec.ts';

/** The pairs of keyword arguments, however they were given. */
export function pairsOf(kwargs: Kwargs): readonly (readonly [string, unknown])[] {
  if (kwargs === undefined || kwargs === null) return [];
  if (Symbol.iterator in kwargs) {
    return kwargs instanceof Dict ? [...(kwargs as any).entries()] : ([...kwargs] as [string, unknown][]);
  }
  return Object.entries(kwargs);
}

/**
 * One value per parameter, `undefined` where nothing was given; `*args` is an array, `**kwargs` a Dict. `bound` counts a receiver that
 * Python would list among the arguments.
 *
 * @throws TypeError with CPython's text.
 */
export function bindArguments(
  qualname: string,
  params: readonly ParamSpec[],
  args: readonly unknown[],
  kwargs: Kwargs,
  bound: number,
): unknown[] {
  const slots: unknown[] = new Array(params.length).fill(undefined);
  const positional = params.filter((param) => param.kind === 'pos' || param.kind === 'any').length;
  let rest: unknown[] | undefined;
  let extra: [string, unknown][] | undefined;
  let at = 0;
  params.forEach((param, i) => {
    if (param.kind === 'pos' || param.kind === 'any') {
      if (at < args.length) slots[i] = args[at] === undefined ? null : args[at];
      at++;
    } else if (param.kind === 'args') slots[i] = rest = args.slice(positional);
    else if (param.kind === 'kwargs') extra = [];
  });
  for (const [name, value] of pairsOf(kwargs)) {
    const i = findParameter(params, name, (slot) => slots[slot] === undefined);
    if (i < 0) {
      if (extra === undefined) refuseNamed(qualname, params, kwargs);
      if (extra === undefined) throw new TypeError(`${qualname}() got an unexpected keyword argument '${name}'`);
      extra.push([name, value]);
    } else if (slots[i] !== undefined) {
      throw new TypeError(`${qualname}() got multiple values for argument '${name}'`);
    } else slots[i] = value === undefined ? null : value;
  }
  if (args.length > positional && rest === undefined) tooMany(qualname, params, slots, args.length, bound);
  requireGiven(qualname, params, slots);
  if (extra !== undefined) slots[params.findIndex((param) => param.kind === 'kwargs')] = Dict.from(extra);
  return slots;
}

function refuseNamed(qualname: string, params: readonly ParamSpec[], kwargs: Kwargs): void {
  const names = pairsOf(kwargs).map(([name]) => name);
  const wrong = params.filter((param) => param.kind === 'pos' && names.includes(param.name)).map((param) => param.name);
  if (wrong.length === 0) return;
  throw new TypeError(
    `${qualname}() got some positional-only arguments passed as keyword arguments: '${wrong.join(', ')}'`,
  );
}

/** Throws when a parameter without default got nothing. */
export function requireGiven(qualname: string, params: readonly ParamSpec[], slots: readonly unknown[]): void {
  const missing = params.filter(
    (param, i) => slots[i] === undefined && param.default === undefined && isOrdinary(param),
  );
  const positional = missing.filter((param) => param.kind !== 'kw');
  const report = positional.length > 0 ? positional : missing;
  if (report.length === 0) return;
  const kind = positional.length > 0 ? 'positional' : 'keyword-only';
  throw new TypeError(
    `${qualname}() missing ${report.length} required ${kind} argument${report.length === 1 ? '' : 's'}: ${listNames(report)}`,
  );
}

function isOrdinary(param: ParamSpec): boolean {
  return param.kind !== 'args' && param.kind !== 'kwargs';
}

function listNames(params: readonly ParamSpec[]): string {
  const names = params.map((param) => `'${param.name}'`);
  if (names.length === 1) return names[0]!;
  if (names.length === 2) return `${names[0]} and ${names[1]}`;
  return `${names.slice(0, -1).join(', ')}, and ${names[names.length - 1]}`;
}

function tooMany(
  qualname: string,
  params: readonly ParamSpec[],
  slots: readonly unknown[],
  given: number,
  bound: number,
): never {
  const positional = params.filter((param) => param.kind === 'pos' || param.kind === 'any');
  const most = positional.length + bound;
  const least = positional.filter((param) => param.default === undefined).length + bound;
  const count = given + bound;
  const takes =
    least === most
      ? `${most} positional argument${most === 1 ? '' : 's'}`
      : `from ${least} to ${most} positional arguments`;
  const named = params.filter((param, i) => param.kind === 'kw' && slots[i] !== undefined).length;
  if (named > 0) {
    const counted = `${count} positional ${plural(count)} (and ${named} keyword-only ${plural(named)})`;
    throw new TypeError(`${qualname}() takes ${takes} but ${counted} were given`);
  }
  throw new TypeError(`${qualname}() takes ${takes} but ${count} ${count === 1 ? 'was' : 'were'} given`);
}

function plural(count: number): string {
  return count === 1 ? 'argument' : 'arguments';
}
