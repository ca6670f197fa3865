/** Lists, tuples, dictionaries, comprehensions and lambdas. */
import type * as ast from '../../1-parse/ast.ts';
import { any, dictOf, doubted, isUnknown, iteratorOf, join, listOf, never, tupleOf } from '../classes/type-values.ts';
import { functionRecord } from '../functions/functions.ts';
import type { Reader } from '../program.ts';
import { noteSpecial, noteTruth } from '../suspension/special-methods.ts';
import { dependOn, makePoint } from '../suspension/suspension.ts';
import type { Type } from '../types.ts';
import { assignElements, literalKey, mostEntries } from './assign.ts';
import { readSignature } from './elements.ts';
import { copyEnv, joinEnvs } from './environments.ts';
import { typeOf, waitAt } from './expressions.ts';
import { readFunction } from './function.ts';
import { elementOf, iterationPoint } from './iteration.ts';
import { narrow } from './narrowing.ts';

/** Elements of a display: known by how they are written, but anyone may change them later. */
export function itemsType(f: Reader, items: readonly ast.Expression[]): Type {
  let all: Type = never;
  for (const item of items) {
    const type = item.kind === 'Starred' ? spreadType(f, item) : typeOf(f, item);
    all = join(all, type);
  }
  return all.t === 'never' ? never : doubted(all);
}

/** Gives the type of the items that `*x` brings. */
function spreadType(f: Reader, e: ast.Starred): Type {
  const type = typeOf(f, e.expr);
  noteSpread(f, e, e.expr, type);
  return elementOf(f, type, undefined);
}

/** Items of a generator or an object of the program that are wanted all at once. */
export function noteSpread(f: Reader, node: ast.Node, e: ast.Expression, type: Type): void {
  if (type.t !== 'iterator' && type.t !== 'instance' && !isUnknown(type)) return;
  const point = iterationPoint(f, e, type);
  if (point !== undefined) waitAt(f, node, point);
}

export function tupleType(f: Reader, e: ast.TupleExpr): Type {
  const types = e.items.map((item) => (item.kind === 'Starred' ? spreadType(f, item) : typeOf(f, item)));
  if (e.items.some((item) => item.kind === 'Starred')) {
    return { t: 'tuple', items: undefined, of: any, sure: true };
  }
  return tupleOf(types);
}

export function dictType(f: Reader, e: ast.DictExpr): Type {
  let key: Type = never;
  let value: Type = never;
  let entries: Map<string, Type> | undefined = new Map();
  let hasInt = false;
  for (const entry of e.entries) {
    const item = typeOf(f, entry.value);
    hasInt ||= item.t === 'int';
    if (entry.key === undefined) {
      key = item.t === 'dict' ? join(key, item.key) : any;
      value = item.t === 'dict' ? join(value, item.value) : any;
      if (item.t !== 'dict' || item.entries === undefined) entries = undefined;
      else for (const [name, type] of item.entries) entries?.set(name, type);
      continue;
    }
    key = join(key, typeOf(f, entry.key));
    value = join(value, item);
    const name = literalKey(entry.key);
    if (name === undefined) entries = undefined;
    else entries?.set(name, doubted(item));
  }
  if (key.t !== 'never') noteSpecial(f, e, key, ['__hash__', '__eq__']);
  if (entries === undefined || entries.size === 0 || entries.size > mostEntries) {
    return dictOf(doubted(key), doubted(value), true);
  }
  // Ints and floats side by side are different things here, not numbers of one kind.
  return dictOf(doubted(key), hasInt && value.t === 'float' ? any : doubted(value), true, entries);
}

export function comprehensionType(f: Reader, e: ast.Comprehension): Type {
  const before = copyEnv(f);
  const outerPoint = f.point;
  let inner = f.program.points.nodes.get(e);
  if (inner === undefined) f.program.points.nodes.set(e, (inner = makePoint()));
  for (let i = 0; i < e.clauses.length; i++) {
    const clause = e.clauses[i]!;
    const iterable = typeOf(f, clause.iter);
    // The first source is evaluated where the comprehension stands, all else inside it.
    if (i === 0) f.point = inner;
    const point = clause.async ? f.program.points.always : iterationPoint(f, clause.iter, iterable);
    if (point !== undefined) waitAt(f, clause, point);
    assignElements(f, clause.target, elementOf(f, iterable, clause.iter), undefined);
    for (const condition of clause.conditions) {
      typeOf(f, condition);
      noteTruth(f, condition);
      narrow(f, condition, true);
    }
  }
  const key = e.key === undefined ? never : typeOf(f, e.key);
  const value = typeOf(f, e.value);
  if (e.sort === 'dict' || e.sort === 'set') noteSpecial(f, e, e.sort === 'dict' ? key : value, ['__hash__', '__eq__']);
  f.point = outerPoint;
  f.env = joinEnvs([before, f.env]);
  if (e.sort === 'generator') {
    dependOn(f.point, inner);
    dependOn(f.program.points.anyIterator, inner);
  } else waitAt(f, e, inner);
  switch (e.sort) {
    case 'list':
      return listOf(doubted(value), true);
    case 'set':
      return { t: 'set', of: doubted(value), sure: true };
    case 'dict':
      return dictOf(doubted(key), doubted(value), true);
    case 'generator':
      return iteratorOf(doubted(value));
  }
}

/** `hints`: types of the parameters, from where the lambda is passed. `escapes`: not called on the spot. */
export function lambdaType(f: Reader, e: ast.Lambda, hints: readonly Type[] | undefined, escapes: boolean): Type {
  readSignature(f, e);
  const record = functionRecord(f.program, f.state, e, undefined);
  record.outer = f;
  record.hints = hints;
  readFunction(f.program, record);
  if (escapes) dependOn(f.program.points.functionValue, record.point);
  return { t: 'function', fn: record.info, sure: true };
}
