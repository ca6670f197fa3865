/** Results of built-ins that depend on their arguments. */

import type * as ast from '../../1-parse/ast.ts';
import {
  any,
  dictOf,
  doubted,
  hinted,
  instanceOf,
  iteratorOf,
  join,
  joinAll,
  listOf,
  never,
  sure,
  tupleOf,
  unionOf,
  valueUnder,
  withoutNone,
} from '../classes/type-values.ts';
import type { BuiltinSignature, ResultRule } from '../functions/builtin-signatures.ts';
import type { Reader } from '../program.ts';
import type { Type } from '../types.ts';
import { literalKey } from './assign.ts';
import { elementOf } from './iteration.ts';
import { binaryType } from './operators.ts';
import { predicateOf, provenBy } from './predicates.ts';

/** Gives the result of a call of a built-in function. `args`: types of the arguments as written. */
export function builtinResult(f: Reader, signature: BuiltinSignature, args: readonly Type[], e: ast.Call): Type {
  const first = args[0];
  switch (signature.name) {
    case 'abs':
      return first === undefined ? any : absResult(first);
    case 'round':
      return roundResult(first, e);
    case 'min':
    case 'max':
      return extremeResult(f, args, e);
    case 'sum':
      return sumResult(f, first, args[1], e);
    case 'pow':
      return args.length === 2 && e.args[1] !== undefined ? binaryType('**', first!, args[1]!, e.args[1].value) : any;
    case 'divmod':
      return divmodResult(args, e);
    case 'next':
      return first?.t === 'iterator' ? join(doubted(elementOf(f, first, undefined)), args[1] ?? never) : any;
    case 'list':
      return listOf(first === undefined ? never : doubted(elementOf(f, first, undefined)), true);
    case 'set':
      return { t: 'set', of: first === undefined ? never : doubted(elementOf(f, first, undefined)), sure: true };
    case 'tuple':
      if (first?.t === 'tuple') return first;
      return {
        t: 'tuple',
        items: first === undefined ? [] : undefined,
        of: first === undefined ? never : elementOf(f, first, undefined),
        sure: true,
      };
    case 'dict':
      return dictResult(f, first, args, e);
    case 'enumerate':
      return iteratorOf(tupleOf([sure.int, first === undefined ? any : elementOf(f, first, undefined)]));
    case 'zip':
      if (e.args.some((arg) => arg.sort !== 'positional')) return iteratorOf(transposed(f, first, e));
      return iteratorOf(tupleOf(args.map((arg) => elementOf(f, arg, undefined))));
    case 'map':
      return iteratorOf(first === undefined ? any : mappedResult(f, first, args[1] ?? any));
    case 'filter':
      return iteratorOf(args[1] === undefined ? any : doubted(keptItem(f, e, elementOf(f, args[1], undefined))));
    case 'vars':
    case 'getattr':
    case 'type':
      return any;
    default:
      return methodResult(f, signature, first ?? any, args, e);
  }
}

/** Type of the items that `filter` lets through. */
function keptItem(f: Reader, e: ast.Call, item: Type): Type {
  const test = e.args[0]?.value;
  if (test?.kind === 'Constant' && test.value === null) return withoutNone(item);
  if (test?.kind === 'Lambda') return provenBy(f, { node: test, state: f.state }, item);
  const predicate = test?.kind === 'NameRef' ? predicateOf(f, f.state.names.binding(test)) : undefined;
  return predicate === undefined ? item : provenBy(f, predicate, item);
}

/** Gives the result of a method of a built-in type. `receiver`: the type of the object. */
export function methodResult(
  f: Reader,
  signature: BuiltinSignature,
  receiver: Type,
  args: readonly Type[],
  e: ast.Call,
): Type {
  if (
    receiver.t === 'dict' &&
    (signature.name === 'get' || signature.name === 'pop' || signature.name === 'setdefault')
  ) {
    return dictGetResult(signature.name, receiver, args, e);
  }
  return apply(f, signature.result, receiver, args);
}

function floatsOf(item: Type): Type {
  return item.t === 'float' ? hinted.float : any;
}

function apply(f: Reader, rule: ResultRule, receiver: Type, args: readonly Type[]): Type {
  switch (rule.rule) {
    case 'type':
      return rule.type;
    case 'same':
      return receiver;
    case 'item':
      return doubted(elementOf(f, receiver, undefined));
    case 'floats':
      return floatsOf(elementOf(f, receiver, undefined));
    case 'key':
      return receiver.t === 'dict' && receiver.key.t !== 'never' ? doubted(receiver.key) : any;
    case 'value':
      return receiver.t === 'dict' && receiver.value.t !== 'never' ? doubted(receiver.value) : any;
    case 'of': {
      const of = rule.of.map((one) => apply(f, one, receiver, args));
      switch (rule.t) {
        case 'list':
          return listOf(of[0]!, true);
        case 'set':
          return { t: 'set', of: of[0]!, sure: true };
        case 'iterator':
          return iteratorOf(of[0]!);
        case 'tuple':
          return of.length === 1 ? { t: 'tuple', items: undefined, of: of[0]!, sure: true } : tupleOf(of);
        case 'dict':
          return dictOf(of[0]!, of[1]!, true);
        case 'union':
          return unionOf(of);
      }
    }
  }
}

/** `d.get(k)` may be None, `d.get(k, x)` may be `x`. */
function dictGetResult(name: string, receiver: Extract<Type, { t: 'dict' }>, args: readonly Type[], e: ast.Call): Type {
  const fallback = args[1];
  if (e.args.some((arg) => arg.sort !== 'positional')) return any;
  if (receiver.value.t === 'never') return fallback === undefined ? any : doubted(fallback);
  const key = e.args[0] === undefined ? undefined : literalKey(e.args[0].value);
  const value = doubted(valueUnder(receiver, key));
  if (value.t === 'any') return fallback === undefined ? value : join(value, doubted(fallback));
  if (fallback !== undefined) return join(value, doubted(fallback));
  return name === 'pop' ? value : unionOf([value, { t: 'none', sure: true }]);
}

/** `zip(*rows)`: tuples of what stands at one place of the rows, as far as all places hold the same. */
function transposed(f: Reader, rows: Type | undefined, e: ast.Call): Type {
  if (rows === undefined || e.args.length !== 1 || e.args[0]!.sort !== 'star') return any;
  const row = elementOf(f, rows, undefined);
  return { t: 'tuple', items: undefined, of: doubted(elementOf(f, row, undefined)), sure: true };
}

function absResult(type: Type): Type {
  if (type.t === 'bool') return sure.int;
  if (type.t === 'instance') return doubted(type.cls.methods.get('__abs__')?.result ?? any);
  return type;
}

function roundResult(type: Type | undefined, e: ast.Call): Type {
  if (type === undefined) return any;
  const digits = e.args[1]?.value;
  const toInt = digits === undefined || (digits.kind === 'Constant' && digits.value === null);
  if (type.t === 'int' || type.t === 'bool') return type.sure === true ? sure.int : hinted.int;
  if (toInt) return type.t === 'instance' ? any : type.sure === true ? sure.int : hinted.int;
  return type.t === 'float' ? type : any;
}

function extremeResult(f: Reader, args: readonly Type[], e: ast.Call): Type {
  const positional = args.filter((_, i) => e.args[i]!.sort === 'positional');
  if (positional.length === 0 || e.args.some((arg) => arg.sort === 'star' || arg.sort === 'doublestar')) return any;
  const at = e.args.findIndex((arg) => arg.sort === 'keyword' && arg.name?.text === 'default');
  const fallback = at < 0 ? never : args[at]!;
  if (positional.length === 1) return join(elementOf(f, positional[0]!, undefined), fallback);
  return doubted(positional.reduce(join));
}

function sumResult(f: Reader, items: Type | undefined, start: Type | undefined, e: ast.Call): Type {
  if (items === undefined) return any;
  const element = elementOf(f, items, undefined);
  if (element.t === 'bool') return hinted.int;
  const first = start ?? hinted.int;
  if (element.t === 'any') return any;
  return binaryType('+', doubted(first), doubted(element), e.args[0]!.value);
}

function divmodResult(args: readonly Type[], e: ast.Call): Type {
  if (args.length !== 2 || e.args.length !== 2) return any;
  const part = binaryType('//', args[0]!, args[1]!, e.args[1]!.value);
  return tupleOf([part, part]);
}

function dictResult(f: Reader, first: Type | undefined, args: readonly Type[], e: ast.Call): Type {
  const keywords = e.args.flatMap((arg, i) => (arg.sort === 'keyword' ? [args[i]!] : []));
  if (e.args.some((arg) => arg.sort === 'doublestar' || arg.sort === 'star')) return dictOf(any, any, true);
  const base = e.args[0]?.sort === 'positional' && first !== undefined ? pairsOf(f, first) : undefined;
  const key = join(base?.key ?? never, keywords.length > 0 ? hinted.str : never);
  const value = doubted(joinAll([base?.value ?? never, ...keywords]));
  return dictOf(key, value, true);
}

/** Keys and values of what `dict(…)` is made of: a dict or an iterable of pairs. */
function pairsOf(f: Reader, of: Type): { readonly key: Type; readonly value: Type } {
  if (of.t === 'dict') return of;
  const pair = elementOf(f, of, undefined);
  if (pair.t !== 'tuple') return { key: any, value: any };
  const [key, value] = pair.items === undefined ? [pair.of, pair.of] : pair.items;
  return { key: doubted(key ?? any), value: doubted(value ?? any) };
}

function mappedResult(_f: Reader, callback: Type, _items: Type): Type {
  switch (callback.t) {
    case 'function':
    case 'method':
      return doubted(callback.fn.result);
    case 'class':
      return instanceOf(callback.cls, false);
    case 'builtin':
      switch (callback.name) {
        case 'int':
        case 'len':
        case 'ord':
          return hinted.int;
        case 'float':
          return hinted.float;
        case 'str':
        case 'repr':
        case 'chr':
          return hinted.str;
        case 'bool':
          return hinted.bool;
        default:
          return any;
      }
    default:
      return any;
  }
}

/**
 * Gives the types of the arguments that a callback receives, so that a lambda without annotations knows its parameters.
 * `at`: index of the callback argument.
 */
export function callbackHints(
  f: Reader,
  signature: BuiltinSignature,
  receiver: Type | undefined,
  args: readonly Type[],
  at: number,
): readonly Type[] {
  switch (signature.name) {
    case 'sort':
      return receiver === undefined ? [] : [doubted(elementOf(f, receiver, undefined))];
    case 'sorted':
    case 'min':
    case 'max': {
      const positional = args.filter((_, i) => i !== at);
      return positional[0] === undefined ? [] : [doubted(elementOf(f, positional[0], undefined))];
    }
    case 'map':
    case 'filter':
      return args.slice(1).map((arg) => doubted(elementOf(f, arg, undefined)));
    default:
      return [];
  }
}
