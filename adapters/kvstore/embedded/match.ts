/**
 * Does a document fit a filter? As MongoDB decides it, lists along the path included (docs/server/kvstore.md#documents,
 * decisions/0125).
 */

import { isOperators, patternOf } from '../../../core/kvstore/filter.ts';
import { type Doc, isDoc, type Stored } from '../../../core/kvstore/stored.ts';
import type { Pattern } from '../../../library/modules/re/pattern.ts';
import { compare, equal, kindOf } from './compare.ts';
import { isNaNumber, isNumeric } from './numbers.ts';

export type Matcher = (doc: Doc) => boolean;

/** Decides about one value found at a path; undefined where there is none. */
type Test = (value: Stored | undefined) => boolean;

/** A filter made ready for many documents. */
export function makeMatcher(filter: Doc): Matcher {
  const parts = [...filter].map(([name, value]) => makePart(name, value));
  return (doc) => parts.every((part) => part(doc));
}

function makePart(name: string, value: Stored): Matcher {
  if (name === '$and' || name === '$or' || name === '$nor') {
    const branches = (value as readonly Doc[]).map(makeMatcher);
    if (name === '$and') return (doc) => branches.every((branch) => branch(doc));
    if (name === '$or') return (doc) => branches.some((branch) => branch(doc));
    return (doc) => !branches.some((branch) => branch(doc));
  }
  const path = name.split('.');
  if (!isDoc(value) || !isOperators(value)) return atPath(path, equals(value));
  const conditions = conditionsOf(value).map((condition) => condition.at(path));
  return (doc) => conditions.every((condition) => condition(doc));
}

/** An operator: how it decides about a path of a document, and about a single value (items of `$elemMatch`). */
interface Condition {
  at(path: readonly string[]): Matcher;
  readonly alone: Test;
}

function conditionsOf(operators: Doc): Condition[] {
  const made: Condition[] = [];
  for (const [operator, operand] of operators) {
    if (operator !== '$options') made.push(conditionOf(operator, operand, operators));
  }
  return made;
}

function conditionOf(operator: string, operand: Stored, operators: Doc): Condition {
  switch (operator) {
    case '$eq':
      return onItems(equals(operand));
    case '$ne':
      return not(onItems(equals(operand)));
    case '$gt':
      return onItems(ordered(operand, (order) => order > 0, false));
    case '$gte':
      return onItems(ordered(operand, (order) => order >= 0, true));
    case '$lt':
      return onItems(ordered(operand, (order) => order < 0, false));
    case '$lte':
      return onItems(ordered(operand, (order) => order <= 0, true));
    case '$in':
      return onItems(equalsAny(operand as readonly Stored[]));
    case '$nin':
      return not(onItems(equalsAny(operand as readonly Stored[])));
    case '$exists': {
      const exists = onItems((value) => value !== undefined);
      return operand === true ? exists : not(exists);
    }
    case '$regex':
      return onItems(matchesText(patternOf(operators)));
    case '$size':
      return onWhole((value) => Array.isArray(value) && value.length === operand);
    case '$elemMatch':
      return onWhole(hasItem(operand as Doc));
    case '$all':
      return all(operand as readonly Stored[]);
    default:
      return not(every(conditionsOf(operand as Doc)));
  }
}

function onItems(test: Test): Condition {
  return { at: (path) => atPath(path, test), alone: test };
}

function onWhole(test: Test): Condition {
  return { at: (path) => (doc) => someAt(doc, path, 0, false, test), alone: test };
}

function not(condition: Condition): Condition {
  return {
    at(path) {
      const matches = condition.at(path);
      return (doc) => !matches(doc);
    },
    alone: (value) => !condition.alone(value),
  };
}

function every(conditions: readonly Condition[]): Condition {
  return {
    at(path) {
      const matchers = conditions.map((condition) => condition.at(path));
      return (doc) => matchers.every((matches) => matches(doc));
    },
    alone: (value) => conditions.every((condition) => condition.alone(value)),
  };
}

function all(items: readonly Stored[]): Condition {
  if (items.length === 0) return onItems(() => false);
  return every(
    items.map((item) =>
      isDoc(item) && item.has('$elemMatch') && isOperators(item) ? every(conditionsOf(item)) : onItems(equals(item)),
    ),
  );
}

// ---------------------------------------------------------------- one value

function equals(operand: Stored): Test {
  if (operand === null) return (value) => value === undefined || value === null;
  return (value) => value !== undefined && equal(value, operand);
}

function equalsAny(operands: readonly Stored[]): Test {
  const tests = operands.map(equals);
  return (value) => tests.some((test) => test(value));
}

/** Makes the test of an order: only values of the operand's kind have one with it. */
function ordered(operand: Stored, holds: (order: number) => boolean, withEqual: boolean): Test {
  if (operand === null) return withEqual ? equals(null) : () => false;
  const kind = kindOf(operand);
  const isNaN = isNumeric(operand) && isNaNumber(operand);
  return (value) => {
    if (value === undefined || kindOf(value) !== kind) return false;
    if (isNaN || (isNumeric(value) && isNaNumber(value))) return withEqual && equal(value, operand);
    return holds(compare(value, operand));
  };
}

function matchesText(pattern: Pattern): Test {
  return (value) => typeof value === 'string' && pattern.search(value) !== null;
}

function hasItem(operand: Doc): Test {
  const isQuery = !isOperators(operand) || [...operand.keys()].some((name) => /^\$(and|or|nor)$/.test(name));
  if (isQuery) {
    const matches = makeMatcher(operand);
    const asDoc = (item: Stored) => (isDoc(item) ? item : Array.isArray(item) ? numbered(item) : undefined);
    return (value) =>
      Array.isArray(value) && value.some((item) => ((doc) => doc !== undefined && matches(doc))(asDoc(item)));
  }
  const { alone } = every(conditionsOf(operand));
  return (value) => Array.isArray(value) && value.some((item) => alone(item));
}

/** Does an item of a list fit the operand of `$pull`? */
export function pullTest(operand: Stored): (item: Stored) => boolean {
  if (!isDoc(operand)) return (item) => equal(item, operand);
  const isQuery = !isOperators(operand) || [...operand.keys()].some((name) => /^\$(and|or|nor)$/.test(name));
  if (!isQuery) {
    const matches = makeMatcher(new Map([['item', operand]]));
    return (item) => matches(new Map([['item', item]]));
  }
  const matches = makeMatcher(operand);
  return (item) => isDoc(item) && matches(item);
}

function numbered(items: readonly Stored[]): Doc {
  return new Map(items.map((item, i) => [String(i), item]));
}

// ---------------------------------------------------------------- paths

function atPath(path: readonly string[], test: Test): Matcher {
  if (path.length === 1 && !path[0]!.includes('.')) {
    const [name] = path as [string];
    return (doc) => testLeaf(doc.get(name), test);
  }
  return (doc) => someAt(doc, path, 0, true, test);
}

/** A list counts with its items, and as itself. */
function testLeaf(value: Stored | undefined, test: Test): boolean {
  if (Array.isArray(value) && value.some((item) => test(item))) return true;
  return test(value);
}

/**
 * Does any value at the path pass? Lists on the way are gone through one level deep; numbers in the path also mean positions. A list
 * without documents has nothing at the path, not even nothing that could equal None.
 */
function someAt(value: Stored, path: readonly string[], at: number, withItems: boolean, test: Test): boolean {
  if (isDoc(value)) {
    const next = value.get(path[at]!);
    if (at + 1 === path.length) return withItems ? testLeaf(next, test) : test(next);
    if (next === undefined) return test(undefined);
    if (Array.isArray(next)) return someInList(next, path, at + 1, withItems, test);
    return isDoc(next) ? someAt(next, path, at + 1, withItems, test) : test(undefined);
  }
  return test(undefined);
}

function someInList(
  items: readonly Stored[],
  path: readonly string[],
  at: number,
  withItems: boolean,
  test: Test,
): boolean {
  const index = positionOf(path[at]!);
  return items.some((item, i) => {
    if (isDoc(item) && someAt(item, path, at, withItems, test)) return true;
    if (i !== index) return false;
    if (at + 1 === path.length) return withItems ? testLeaf(item, test) : test(item);
    if (Array.isArray(item)) return someInList(item, path, at + 1, withItems, test);
    return isDoc(item) && someAt(item, path, at + 1, withItems, test);
  });
}

/** The position that a part of a path names, or undefined. */
export function positionOf(part: string): number | undefined {
  return /^(0|[1-9]\d{0,8})$/.test(part) ? Number(part) : undefined;
}
