import type * as ast from '../../1-parse/ast.ts';
import { any, claimed, doubted, hinted, joinAll, membersOf, sure } from '../classes/type-values.ts';
import type { Reader } from '../program.ts';
import type { Point } from '../suspension/suspension.ts';
import type { Type } from '../types.ts';
import { knownType } from './plain-type.ts';
import { calledGenerator } from './points.ts';

/** Gives the type of one item of an iteration over a value. */
export function elementOf(f: Reader, type: Type, e: ast.Expression | undefined): Type {
  switch (type.t) {
    case 'list':
    case 'set':
    case 'frozenset':
      return known(type.of);
    case 'tuple':
      return known(type.of);
    case 'iterator':
      // A built-in iterator's item is as certain as the iterator says.
      return type.of.t === 'never' ? any : type.of;
    case 'dict':
      return known(type.key);
    case 'range':
      return type.sure === true ? sure.int : hinted.int;
    case 'str':
      return type.sure === true ? sure.str : hinted.str;
    case 'bytes':
      return type.sure === true ? sure.int : hinted.int;
    case 'class':
      return type.cls.kind === 'enum' ? { t: 'instance', cls: type.cls, sure: true } : any;
    case 'instance': {
      const next = type.cls.methods.get('__iter__');
      if (next === undefined) return type.cls.kind === 'node' && !type.cls.open ? type : any; // as itself, once (docs/language/graph.md#value-of-connect)
      const result = next.result;
      return result.t === 'iterator' ? doubted(result.of) : any;
    }
    case 'union':
      return joinAll(membersOf(type).map((member) => (member.t === 'none' ? { t: 'never' } : elementOf(f, member, e))));
    case 'any':
      return claimedElement(f, type.claim);
    default:
      return any;
  }
}

function claimedElement(f: Reader, claim: Type | undefined): Type {
  return claim?.t === 'list' || claim?.t === 'str' || claim?.t === 'tuple'
    ? claimed(elementOf(f, claim, undefined))
    : any;
}

function known(type: Type): Type {
  return type.t === 'never' ? any : doubted(type);
}

/** Gives the point that a step of the iteration may wait for; undefined: none. */
export function iterationPoint(f: Reader, e: ast.Expression, type: Type): Point | undefined {
  const { points } = f.program;
  switch (type.t) {
    case 'list':
    case 'set':
    case 'frozenset':
    case 'tuple':
    case 'dict':
    case 'range':
    case 'str':
    case 'bytes':
    case 'class':
      return undefined;
    case 'instance':
      return type.cls.methods.has('__iter__') || type.cls.open ? points.anyIterator : undefined;
    case 'iterator':
      return calledGenerator(f, e) ?? (type.sure === true && isBuiltinCall(f, e) ? undefined : points.anyIterator);
    default:
      return points.anyIterator;
  }
}

/** `enumerate(…)`, `d.items()` and the like make no generator of the program; what they are given may be one. */
function isBuiltinCall(f: Reader, e: ast.Expression): boolean {
  if (e.kind !== 'Call' || f.state.waits.has(e)) return false;
  const plan = f.state.plans.get(e);
  if (plan === undefined) return false;
  if (plan.how === 'method') return true;
  if (plan.how !== 'builtin') return false;
  return !e.args.some((arg) => {
    const type = knownType(f, arg.value);
    return iterationPoint(f, arg.value, type) !== undefined;
  });
}
