/** Edge references, filters and connections. */
import type * as ast from '../../1-parse/ast.ts';
import { annotationType } from '../classes/annotations.ts';
import { classOfExpr } from '../classes/classes.ts';
import { any, doubted, instanceOf, listOf } from '../classes/type-values.ts';
import type { Reader } from '../program.ts';
import type { Type } from '../types.ts';
import { typeOf, waitAt, waitIfGraphWaits } from './expressions.ts';

export function edgeRefType(f: Reader, e: ast.EdgeRef): Type {
  if (e.origin !== undefined) typeOf(f, e.origin);
  let last: Type = any;
  for (const hop of e.hops) {
    readEdgeOp(f, hop.op);
    const only = hop.only === undefined ? any : typeOf(f, hop.only);
    if (only.t === 'class') last = instanceOf(only.cls, false);
    else last = hop.filter === undefined ? any : readFilter(f, hop.filter, any);
  }
  if (e.async) waitAt(f, e, f.program.points.always);
  waitIfGraphWaits(f, e);
  if (e.want === 'edge') {
    const type = e.hops[e.hops.length - 1]?.op.type;
    const cls = type === undefined ? undefined : classOfExpr(f.program, f.state, type);
    return listOf(cls === undefined ? any : instanceOf(cls, false), true);
  }
  return listOf(doubted(last), true);
}

export function readEdgeOp(f: Reader, op: ast.EdgeOp): void {
  if (op.type !== undefined && op.type.kind !== 'NameRef') typeOf(f, op.type);
  for (const condition of op.conditions) typeOf(f, condition.value);
}

/** Gives the type of the items that pass the filter, out of items of type `item`. */
function readFilter(f: Reader, filter: ast.FilterSpec, item: Type): Type {
  for (const condition of filter.conditions) typeOf(f, condition.value);
  if (filter.type === undefined) return item;
  const type = annotationType(f.program, f.state, filter.type);
  return type.t === 'any' ? item : type;
}

export function filterType(f: Reader, e: ast.Filter): Type {
  const object = typeOf(f, e.object);
  const item = object.t === 'list' || object.t === 'set' || object.t === 'tuple' ? object.of : any;
  return listOf(doubted(readFilter(f, e.filter, item.t === 'never' ? any : item)), true);
}

export function connectType(f: Reader, e: ast.Connect): Type {
  const left = typeOf(f, e.left);
  const right = typeOf(f, e.right);
  if (e.edge !== undefined) typeOf(f, e.edge);
  for (const field of e.fields) typeOf(f, field.value);
  waitIfGraphWaits(f, e);
  return e.direction === 'in' ? left : right;
}
