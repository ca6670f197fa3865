/** Updates of the document database, checked before any backend sees them (docs/server/kvstore.md#documents). */
import { Decimal } from '../../library/modules/decimal/decimal.ts';
import { isFloat } from '../../library/values/numbers/float-box.ts';
import { TypeError, ValueError } from '../../library/values/objects/exceptions.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { encode, entriesOf } from './encode.ts';
import { checkFilter, checkPath, membersOf, notAllowed, requireTrusted } from './filter.ts';
import type { Doc, Stored } from './stored.ts';

/**
 * An update as stored values: operators, each with paths and operands.
 *
 * @throws ValueError for an update without operators, an operator that is not allowed, two operators on one path
 */
export function checkUpdate(update: unknown): Doc {
  const made: Doc = new Map();
  const paths: string[] = [];
  const members = membersOf(update, 'an update');
  if (members.length === 0) throw new ValueError('An update needs operators such as $set');
  for (const [operator, fields] of members) {
    if (!operator.startsWith('$')) throw new ValueError(`An update needs operators such as $set, not '${operator}'`);
    const check = Object.hasOwn(operators, operator) ? operators[operator]! : undefined;
    if (check === undefined) throw notAllowed(operator);
    const checked: Doc = new Map();
    for (const [name, operand] of membersOf(fields, `the operand of ${operator}`)) {
      const path = checkTarget(name, operator);
      paths.push(path);
      checked.set(path, check(operand, path, paths));
    }
    if (checked.size > 0) made.set(operator, checked);
  }
  requireApart(paths);
  return made;
}

function checkTarget(path: string, operator: string): string {
  checkPath(path);
  const isId = path === '_id' || path.startsWith('_id.');
  if (isId && !(operator === '$setOnInsert' && path === '_id')) throw new ValueError('_id cannot be changed');
  return path;
}

const operators: Readonly<Record<string, (operand: unknown, path: string, paths: string[]) => Stored>> = {
  $set: checkStored,
  $setOnInsert: checkStored,
  $unset: () => '',
  $inc(operand) {
    const isNumber =
      typeof operand === 'number' || typeof operand === 'bigint' || isFloat(operand) || operand instanceof Decimal;
    if (!isNumber) throw new TypeError(`$inc needs a number, not '${typeName(operand)}'`);
    return encode(operand);
  },
  $min: checkStored,
  $max: checkStored,
  $push: checkStored,
  $addToSet: checkStored,
  $pull(operand) {
    if (entriesOf(operand) === undefined) return checkStored(operand);
    const hasOperators = membersOf(operand, '$pull').some(([name]) => name.startsWith('$') && !logical.has(name));
    if (!hasOperators) return checkFilter(operand);
    return checkFilter(new Map([['x', operand]])).get('x')!;
  },
  $rename(operand, path, paths) {
    if (typeof operand !== 'string') throw new TypeError(`$rename needs a str, not '${typeName(operand)}'`);
    if (operand === path) throw new ValueError(`$rename needs two different names: ${path}`);
    paths.push(checkTarget(operand, '$rename'));
    return operand;
  },
  $currentDate(operand) {
    if (operand !== true) {
      const [first] = entriesOf(operand) === undefined ? [] : membersOf(operand, '$currentDate');
      if (first?.[0].startsWith('$')) throw notAllowed(first[0]);
      throw new ValueError('$currentDate needs True');
    }
    return true;
  },
};

const logical = new Set(['$and', '$or', '$nor']);

/** A value that is stored; `$each` and the like are none. */
function checkStored(value: unknown): Stored {
  requireTrusted(value, 0);
  if (entriesOf(value) !== undefined) {
    const operator = membersOf(value, 'a value').find(([name]) => name.startsWith('$'));
    if (operator !== undefined) throw notAllowed(operator[0]);
  }
  return encode(value);
}

/** @throws ValueError when two paths are the same or one leads into the other */
function requireApart(paths: readonly string[]): void {
  const sorted = paths.map((path) => `${path}.`).sort();
  for (let i = 1; i < sorted.length; i++) {
    if (!sorted[i]!.startsWith(sorted[i - 1]!)) continue;
    throw new ValueError(`Two changes of one field: ${sorted[i - 1]!.slice(0, -1)}, ${sorted[i]!.slice(0, -1)}`);
  }
}
