/** Filters of the document database, checked before any backend sees them (docs/server/kvstore.md#documents). */

import { RegexError } from '../../library/modules/re/error.ts';
import { compile, Pattern } from '../../library/modules/re/pattern.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { isWritten } from '../../library/values/containers/written-keys.ts';
import { TypeError, ValueError } from '../../library/values/objects/exceptions.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { encode, entriesOf, requireName } from './encode.ts';
import { type Doc, isDoc, isHexId, ObjectId, type Stored } from './stored.ts';

const longestRegex = 256;
const deepest = 100;

type Entries = readonly (readonly [string, unknown])[];

/**
 * A filter as stored values: members are `$and`, `$or`, `$nor` with lists of filters, or paths with a plain value or operators.
 *
 * @throws ValueError `Operator not allowed: <op>`, `Operator in request data`, or saying what an operator needs
 */
export function checkFilter(filter: unknown, depth = 0): Doc {
  const made: Doc = new Map();
  for (const [name, value] of membersOf(filter, 'a filter')) {
    if (name === '$and' || name === '$or' || name === '$nor') made.set(name, checkBranches(name, value, depth));
    else if (name.startsWith('$')) throw notAllowed(name);
    else made.set(checkPath(name), checkCondition(value, depth));
  }
  return made;
}

function checkBranches(operator: string, value: unknown, depth: number): readonly Stored[] {
  if (depth >= deepest) throw new ValueError(`a filter is at most ${deepest} levels deep`);
  const branches = listOf(value, operator);
  if (branches.length === 0) throw new ValueError(`${operator} needs a list with at least one filter`);
  return branches.map((branch) => checkFilter(branch, depth + 1));
}

/** Checks the part of a filter behind a path: a value, or operators. */
function checkCondition(value: unknown, depth: number): Stored {
  const operators = operatorsOf(value);
  return operators === undefined ? checkValue(value) : checkOperators(operators, depth);
}

/** Members of a dict whose keys are operators; undefined for plain values. */
function operatorsOf(value: unknown): Entries | undefined {
  if (entriesOf(value) === undefined) return undefined;
  const members = membersOf(value, 'a condition');
  const first = members.find(([name]) => name.startsWith('$'));
  if (first === undefined) return undefined;
  const plain = members.find(([name]) => !name.startsWith('$'));
  if (plain !== undefined) throw new ValueError(`Operators and fields are mixed: ${first[0]}, ${plain[0]}`);
  return members;
}

function checkOperators(members: Entries, depth: number): Doc {
  if (depth >= deepest) throw new ValueError(`a filter is at most ${deepest} levels deep`);
  const made: Doc = new Map();
  for (const [operator, value] of members) {
    const check = Object.hasOwn(operators, operator) ? operators[operator]! : undefined;
    if (check === undefined) throw notAllowed(operator);
    made.set(operator, check(value, depth + 1));
  }
  if (made.has('$options') && !made.has('$regex')) throw new ValueError('$options needs $regex');
  checkPattern(made);
  return made;
}

const operators: Readonly<Record<string, (value: unknown, depth: number) => Stored>> = {
  $eq: checkValue,
  $ne: checkValue,
  $gt: checkValue,
  $gte: checkValue,
  $lt: checkValue,
  $lte: checkValue,
  $in: (value) => listOf(value, '$in').map(checkItem),
  $nin: (value) => listOf(value, '$nin').map(checkItem),
  $all: (value, depth) => checkAll(listOf(value, '$all'), depth),
  $not(value, depth) {
    const members = operatorsOf(value);
    if (members === undefined) throw new ValueError('$not needs operators');
    return checkOperators(members, depth);
  },
  $exists(value) {
    if (typeof value !== 'boolean' && value !== 0 && value !== 1) throw new ValueError('$exists needs True or False');
    return Boolean(value);
  },
  $elemMatch(value, depth) {
    const members = membersOf(value, 'the operand of $elemMatch');
    const hasOperators = members.some(([name]) => name.startsWith('$') && !isLogical(name));
    return hasOperators ? checkOperators(operatorsOf(value)!, depth) : checkFilter(value, depth);
  },
  $size(value) {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
      throw new ValueError('$size needs a whole number of at least 0');
    return value;
  },
  $regex: checkRegex,
  $options(value) {
    if (typeof value !== 'string' || !/^[imsx]*$/.test(value))
      throw new ValueError('$options takes the letters i, m, s, x');
    return value;
  },
};

function isLogical(name: string): boolean {
  return name === '$and' || name === '$or' || name === '$nor';
}

function checkAll(items: readonly unknown[], depth: number): readonly Stored[] {
  const matches = items.map(
    (item) => entriesOf(item) !== undefined && membersOf(item, '$all').some(([n]) => n === '$elemMatch'),
  );
  if (!matches.includes(true)) return items.map(checkItem);
  if (matches.includes(false)) throw new ValueError('$all takes values or $elemMatch, not both');
  return items.map((item) => checkOperators(membersOf(item, '$all'), depth));
}

/** A value that is compared, not interpreted. */
function checkValue(value: unknown): Stored {
  requireTrusted(value, 0);
  if (value instanceof Pattern) throw new TypeError("a value of type 're.Pattern' cannot be stored; use $regex");
  return encodeLiteral(value);
}

/** Items of lists may not look like operators: the server would refuse them. */
function checkItem(value: unknown): Stored {
  if (entriesOf(value) !== undefined) {
    const operator = membersOf(value, 'an item').find(([name]) => name.startsWith('$'));
    if (operator !== undefined) throw notAllowed(operator[0]);
  }
  return checkValue(value);
}

// Compared values may have members that begin with `$`, which documents may not.
function encodeLiteral(value: unknown): Stored {
  const entries = entriesOf(value);
  if (entries === undefined) return Array.isArray(value) ? value.map(encodeLiteral) : encode(value);
  const made: Doc = new Map();
  for (const [name, item] of entries) made.set(requireName(name), encodeLiteral(item));
  return made;
}

/** @throws ValueError when a dict with a key like an operator that the program did not write is anywhere in the value */
export function requireTrusted(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > deepest) throw new ValueError(`a filter is at most ${deepest} levels deep`);
  const entries = entriesOf(value);
  if (entries !== undefined) {
    for (const [, item] of membersOf(value, 'a value')) requireTrusted(item, depth + 1);
  } else if (Array.isArray(value)) for (const item of value) requireTrusted(item, depth + 1);
}

/**
 * Members of a dict that may hold operators. Those of dicts must be written in the program's text (decisions/0412); plain objects are
 * made by programs in JavaScript only.
 *
 * @throws ValueError `Operator in request data`
 */
export function membersOf(value: unknown, what: string): Entries {
  const entries = entriesOf(value);
  if (entries === undefined) throw new TypeError(`${what} must be a dict, not '${typeName(value)}'`);
  const members = [...entries].map(([name, item]) => [requireName(name), item] as const);
  if (value instanceof Dict && members.some(([name]) => name.startsWith('$') && !isWritten(value, name)))
    throw new ValueError('Operator in request data');
  return members;
}

/** @throws ValueError when it is no path of fields */
export function checkPath(path: string): string {
  const segments = path.split('.');
  if (segments.includes('')) throw new ValueError(`Not the path of a field: '${path}'`);
  if (segments.length > deepest) throw new ValueError(`a path is at most ${deepest} levels deep`);
  const operator = segments.find((segment) => segment.startsWith('$'));
  if (operator !== undefined) throw notAllowed(operator);
  return path;
}

export function notAllowed(operator: string): ValueError {
  return new ValueError(`Operator not allowed: ${operator}`);
}

export function listOf(value: unknown, operator: string): readonly unknown[] {
  const items = Array.isArray(value) ? value : (value as { items?: unknown } | null)?.items;
  if (!Array.isArray(items)) throw new ValueError(`${operator} needs a list`);
  return items;
}

function checkRegex(value: unknown): string {
  if (typeof value !== 'string') throw new ValueError('$regex needs a str');
  if (value.length > longestRegex) throw new ValueError(`$regex has at most ${longestRegex} characters`);
  if (value.includes('\0')) throw new ValueError('$regex must not contain a null character');
  return value;
}

function checkPattern(condition: Doc): void {
  if (!condition.has('$regex')) return;
  try {
    patternOf(condition);
  } catch (error) {
    if (error instanceof RegexError) throw new ValueError(`$regex: ${error.message}`);
    throw error;
  }
}

const flagOf = { i: 2, m: 8, s: 16, x: 64 } as const;

/** The pattern of `$regex` and `$options`, with the syntax of module `re`. */
export function patternOf(condition: Doc): Pattern {
  let flags = 0;
  for (const letter of (condition.get('$options') ?? '') as string) flags |= flagOf[letter as keyof typeof flagOf];
  return compile(condition.get('$regex'), flags);
}

/**
 * A filter in which the text of an id also stands for the id a database gave: programs only ever see the text (decisions/0125). The same
 * object when it names no such id.
 */
export function withObjectIds(filter: Doc): Doc {
  let made: Doc | undefined;
  for (const [name, value] of filter) {
    let changed: Stored = value;
    if (name === '_id') changed = isDoc(value) && isOperators(value) ? idOperators(value) : idEquals(value);
    else if (isLogical(name)) {
      const branches = (value as readonly Doc[]).map(withObjectIds);
      if (branches.some((branch, i) => branch !== (value as readonly Doc[])[i])) changed = branches;
    }
    if (changed !== value) (made ??= new Map(filter)).set(name, changed);
  }
  return made ?? filter;
}

export function isOperators(value: Doc): boolean {
  for (const name of value.keys()) return name.startsWith('$');
  return false;
}

function bothIds(id: Stored): readonly Stored[] {
  return isHexId(id) ? [id, new ObjectId(id)] : [id];
}

function idEquals(value: Stored): Stored {
  return isHexId(value) ? new Map([['$in', bothIds(value)]]) : value;
}

function idOperators(value: Doc): Doc {
  const made: Doc = new Map();
  let isChanged = false;
  for (const [operator, operand] of value) {
    const isList = operator === '$in' || operator === '$nin';
    if (isList && (operand as readonly Stored[]).some(isHexId)) {
      made.set(operator, (operand as readonly Stored[]).flatMap(bothIds));
      isChanged = true;
    } else if (!isHexId(operand) || (operator !== '$eq' && operator !== '$ne')) made.set(operator, operand);
  }
  // There is one member for each operator: beside a list of the same kind the two become one.
  const [eq, ne] = [value.get('$eq'), value.get('$ne')];
  if (isHexId(eq)) made.set('$in', common(made.get('$in'), bothIds(eq)));
  if (isHexId(ne)) made.set('$nin', [...((made.get('$nin') as readonly Stored[] | undefined) ?? []), ...bothIds(ne)]);
  return isChanged || isHexId(eq) || isHexId(ne) ? made : value;
}

function common(list: Stored | undefined, ids: readonly Stored[]): readonly Stored[] {
  if (list === undefined) return ids;
  const keyOf = (id: Stored) => (id instanceof ObjectId ? `oid ${id.hex}` : id);
  const known = new Set((list as readonly Stored[]).map(keyOf));
  return ids.filter((id) => known.has(keyOf(id)));
}
