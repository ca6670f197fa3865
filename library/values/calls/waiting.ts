/**
 * `$.w`: the functions of the runtime as compiled code calls them where something of the program that they meet may wait
 * (decisions/0210). They give a promise then, and what they give elsewhere otherwise.
 */

import { Dict } from '../containers/dict.ts';
import { callMethod, callMethodKw, repeatableMethod } from '../objects/methods.ts';
import { $again, $bound } from '../objects/protocol.ts';
import { call, callkw } from './calls.ts';
import { patiently, run } from './regions.ts';

type Functions = Readonly<Record<string, any>>;

/** Each function so that it may be run again; tables of functions likewise. */
export function waitingRuntime(functions: Functions, tables: Readonly<Record<string, Functions>>): any {
  const made: any = again(functions);
  for (const [name, table] of Object.entries(tables)) {
    for (const own of Object.values(table)) if (typeof own === 'function') own[$again] ??= true;
    made[name] = again(table);
  }
  return Object.assign(made, special);
}

function again(functions: Functions): any {
  const made: any = Object.create(null);
  return new Proxy(made, {
    get(_, name: string) {
      const known = made[name];
      if (known !== undefined) return known;
      const own = functions[name];
      made[name] = typeof own === 'function' ? waitingForm(own) : own;
      return made[name];
    },
  });
}

function waitingForm(own: any): any {
  if (own[$again] === false) return own;
  return own[$again] === 'later'
    ? (...args: unknown[]) => patiently(() => own(...args))
    : (...args: unknown[]) => run(own, args);
}

// Bound methods of built-in types too: `add = xs.append`. Functions of the program wait by themselves.
function attempt(f: any, act: (...args: any[]) => unknown, args: readonly unknown[]): unknown {
  const mark = (f?.[$bound]?.fn ?? f)?.[$again];
  if (mark === true) return run(act, args);
  return mark === 'later' ? patiently(() => act(...args)) : act(...args);
}

const special = {
  dictOf: (...flat: unknown[]) => run(Dict.of, flat),
  call: (f: any, ...args: unknown[]) => attempt(f, call, [f, ...args]),
  callkw: (f: any, args: readonly unknown[], kwargs?: any) => attempt(f, callkw, [f, args, kwargs]),
  callMethod: (o: any, name: string, ...args: unknown[]) =>
    repeatableMethod(o, name) ? run(callMethod, [o, name, ...args]) : callMethod(o, name, ...args),
  callMethodKw: (o: any, name: string, args: readonly unknown[], kwargs?: any) =>
    repeatableMethod(o, name) ? run(callMethodKw, [o, name, args, kwargs]) : callMethodKw(o, name, args, kwargs),
};
