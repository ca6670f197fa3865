/** `f.__code__`, `f.__defaults__` and `f.__kwdefaults__`: what the text of a function says of its parameters. Compiled code asks for it; programs do not import it. */

import type { Members } from '../../library/builtins/module.ts';
import { unbound } from '../../library/classes/class-attributes.ts';
import type { ParamSpec } from '../../library/classes/spec.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { Tuple } from '../../library/values/containers/tuple.ts';
import { getattr } from '../../library/values/objects/attributes.ts';
import { $bound, $spec } from '../../library/values/objects/protocol.ts';

interface Spec {
  readonly name: string;
  /** Place of a function of a program, `file:line:column`. */
  readonly at?: string;
  readonly params: readonly ParamSpec[];
}

function read(f: any, name: string): unknown {
  const spec = typeof f === 'function' ? specOf(f[$bound] === undefined ? f : unbound(f[$bound].fn)) : undefined;
  if (spec?.at === undefined) return getattr(f, name);
  const of = (...kinds: ParamSpec['kind'][]) => spec.params.filter(({ kind }) => kinds.includes(kind));
  const [plain, named] = [of('pos', 'any'), of('kw')];
  if (name === '__code__') {
    return {
      co_name: spec.name,
      co_argcount: plain.length,
      co_posonlyargcount: of('pos').length,
      co_kwonlyargcount: named.length,
      // The names of a function's variables are those of its parameters: no others are known.
      co_varnames: new Tuple([...plain, ...named, ...of('args'), ...of('kwargs')].map((param) => param.name)),
    };
  }
  const given = (name === '__defaults__' ? plain : named).flatMap(({ name, default: value }) =>
    value === undefined ? [] : [[name, value()] as const],
  );
  if (given.length === 0) return null;
  return name === '__defaults__' ? new Tuple(given.map(([, value]) => value)) : Dict.from(given);
}

function specOf(f: any): Spec | undefined {
  return typeof f[$spec] === 'function' ? f[$spec]() : f[$spec];
}

export function makeSvcCode(): Members {
  return { read };
}
