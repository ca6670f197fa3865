/** Updates of the document `{_id: 1, …doc}` and what MongoDB makes of it, members in order; without `gives` it refuses. */
import { parseDecimal } from '../../library/modules/decimal/decimal.ts';
import { exact } from './filter-cases.ts';

export interface UpdateCase {
  readonly doc: object;
  readonly update: object;
  readonly gives?: object;
  readonly modified?: number;
  readonly only?: typeof exact;
}

export const updateCases: readonly UpdateCase[] = [
  { doc: { a: 1 }, update: { $set: { a: 2 } }, gives: { a: 2 } },
  { doc: { a: 1 }, update: { $set: { a: 1 } }, gives: { a: 1 }, modified: 0 },
  { doc: {}, update: { $set: { b: 1, a: 2 } }, gives: { a: 2, b: 1 }, only: exact },
  { doc: {}, update: { $set: { 'o.x.y': 1 } }, gives: { o: { x: { y: 1 } } } },
  { doc: { o: { x: 1 } }, update: { $set: { 'o.z': [1], 'o.x': null } }, gives: { o: { x: null, z: [1] } } },
  { doc: { o: 5 }, update: { $set: { 'o.x': 1 } }, only: exact },
  { doc: { o: null }, update: { $set: { 'o.x': 1 } }, only: exact },
  { doc: { l: [1, 2] }, update: { $set: { 'l.0': 9, 'l.3': 8 } }, gives: { l: [9, 2, null, 8] } },
  { doc: { l: [1, 2] }, update: { $set: { 'l.x': 9 } }, only: exact },
  { doc: { l: [{ a: 1 }] }, update: { $set: { 'l.0.b': 2, 'l.1.c': 3 } }, gives: { l: [{ a: 1, b: 2 }, { c: 3 }] } },
  { doc: { a: 1, b: 2 }, update: { $unset: { a: '', c: 1 } }, gives: { b: 2 } },
  { doc: { a: 1 }, update: { $unset: { b: '' } }, gives: { a: 1 }, modified: 0 },
  {
    doc: { o: { x: 1 }, l: [1, 2] },
    update: { $unset: { 'o.x': 1, 'l.0': 1, 'o.y.z': 1, 'l.x': 1 } },
    gives: { o: {}, l: [null, 2] },
  },
  { doc: { n: 1 }, update: { $inc: { n: 2, m: 5 } }, gives: { n: 3, m: 5 } },
  { doc: { n: 1 }, update: { $inc: { n: 0 } }, gives: { n: 1 }, modified: 0 },
  { doc: { n: 0.5 }, update: { $inc: { n: 1 } }, gives: { n: 1.5 } },
  { doc: { n: 2 ** 53 - 1 }, update: { $inc: { n: -1 } }, gives: { n: 2 ** 53 - 2 } },
  {
    doc: { n: parseDecimal('1.10') },
    update: { $inc: { n: parseDecimal('2.2') } },
    gives: { n: 'Decimal 3.30' },
    only: exact,
  },
  { doc: { n: parseDecimal('1.10') }, update: { $inc: { n: 1 } }, gives: { n: 'Decimal 2.10' }, only: exact },
  { doc: { n: 'x' }, update: { $inc: { n: 1 } }, only: exact },
  { doc: { n: null }, update: { $inc: { n: 1 } }, only: exact },
  { doc: { n: 2n ** 62n }, update: { $inc: { n: 2n ** 62n } } },
  { doc: { n: 5 }, update: { $min: { n: 3, m: 1 } }, gives: { n: 3, m: 1 } },
  { doc: { n: 5 }, update: { $min: { n: 7 } }, gives: { n: 5 }, modified: 0 },
  { doc: { n: 5 }, update: { $max: { n: 7 } }, gives: { n: 7 } },
  { doc: { n: 5 }, update: { $max: { n: 'a' } }, gives: { n: 'a' } },
  { doc: { n: 5 }, update: { $min: { n: null } }, gives: { n: null } },
  { doc: { l: [1] }, update: { $push: { l: 1, m: [2] } }, gives: { l: [1, 1], m: [[2]] } },
  { doc: { l: 5 }, update: { $push: { l: 1 } }, only: exact },
  { doc: { l: null }, update: { $push: { l: 1 } }, only: exact },
  { doc: { l: [1, { a: 1 }] }, update: { $addToSet: { l: { a: 1 } } }, gives: { l: [1, { a: 1 }] }, modified: 0 },
  { doc: { l: [1] }, update: { $addToSet: { l: [1, 2], m: 1 } }, gives: { l: [1, [1, 2]], m: [1] } },
  { doc: { l: {} }, update: { $addToSet: { l: 1 } }, only: exact },
  { doc: { l: [1, 2, 1, [1]] }, update: { $pull: { l: 1 } }, gives: { l: [2, [1]] }, only: exact },
  { doc: { l: [1, 5, 9] }, update: { $pull: { l: { $gte: 5 } } }, gives: { l: [1] } },
  {
    doc: { l: [{ a: 1, b: 2 }, { a: 2 }, 1] },
    update: { $pull: { l: { a: 1 } } },
    gives: { l: [{ a: 2 }, 1] },
    only: exact,
  },
  { doc: { l: [{ a: 1 }, { a: 5 }] }, update: { $pull: { l: { a: { $gt: 2 } } } }, gives: { l: [{ a: 1 }] } },
  { doc: { l: ['a', 'b'] }, update: { $pull: { l: { $in: ['a', 'c'] } } }, gives: { l: ['b'] } },
  { doc: { a: 1 }, update: { $pull: { l: 1 } }, gives: { a: 1 }, modified: 0 },
  { doc: { l: 5 }, update: { $pull: { l: 5 } }, only: exact },
  { doc: { a: 1, b: 2 }, update: { $rename: { a: 'c' } }, gives: { b: 2, c: 1 } },
  { doc: { a: 1, b: 2 }, update: { $rename: { a: 'b' } }, gives: { b: 1 } },
  { doc: { o: { x: 1 } }, update: { $rename: { 'o.x': 'p.y' } }, gives: { o: {}, p: { y: 1 } } },
  { doc: { a: 1 }, update: { $rename: { none: 'b' } }, gives: { a: 1 }, modified: 0 },
  { doc: { l: [{ a: 1 }] }, update: { $rename: { 'l.0': 'x' } }, only: exact },
  { doc: { a: 1 }, update: { $setOnInsert: { b: 1 } }, gives: { a: 1 }, modified: 0 },
  {
    doc: { a: 1, n: 1, l: [1] },
    update: { $set: { z: 1 }, $inc: { n: 1 }, $push: { l: 2 }, $unset: { a: 1 } },
    gives: { n: 2, l: [1, 2], z: 1 },
  },
];

/** With the whole message. */
export const refusedUpdates: readonly (readonly [unknown, string])[] = [
  [{}, 'An update needs operators such as $set'],
  [{ a: 1 }, "An update needs operators such as $set, not 'a'"],
  [{ $set: { a: 1 }, b: 1 }, "An update needs operators such as $set, not 'b'"],
  [[{ $set: { a: 1 } }], "an update must be a dict, not 'list'"],
  [{ $set: 5 }, "the operand of $set must be a dict, not 'int'"],
  [{ $pop: { a: 1 } }, 'Operator not allowed: $pop'],
  [{ $mul: { a: 2 } }, 'Operator not allowed: $mul'],
  [{ $bit: { a: { and: 1 } } }, 'Operator not allowed: $bit'],
  [{ $push: { a: { $each: [1] } } }, 'Operator not allowed: $each'],
  [{ $addToSet: { a: { $each: [1] } } }, 'Operator not allowed: $each'],
  [{ $pull: { a: { $where: '1' } } }, 'Operator not allowed: $where'],
  [{ $pull: { a: { b: { $expr: 1 } } } }, 'Operator not allowed: $expr'],
  [{ $set: { 'a.$': 1 } }, 'Operator not allowed: $'],
  [{ $set: { 'a.$[]': 1 } }, 'Operator not allowed: $[]'],
  [{ $set: { $a: 1 } }, 'Operator not allowed: $a'],
  [{ $set: { a: { $b: 1 } } }, 'Operator not allowed: $b'],
  [{ $set: { a: [{ $b: 1 }] } }, "Field names must not start with '$': $b"],
  [{ $set: { _id: 2 } }, '_id cannot be changed'],
  [{ $unset: { _id: 1 } }, '_id cannot be changed'],
  [{ $rename: { a: '_id' } }, '_id cannot be changed'],
  [{ $set: { a: 1 }, $inc: { a: 1 } }, 'Two changes of one field: a, a'],
  [{ $set: { a: 1, 'a.b': 1 } }, 'Two changes of one field: a, a.b'],
  [{ $rename: { a: 'b' }, $set: { b: 1 } }, 'Two changes of one field: b, b'],
  [{ $rename: { a: 'a' } }, '$rename needs two different names: a'],
  [{ $rename: { a: 5 } }, "$rename needs a str, not 'int'"],
  [{ $inc: { a: 'x' } }, "$inc needs a number, not 'str'"],
  [{ $inc: { a: true } }, "$inc needs a number, not 'bool'"],
  [{ $currentDate: { a: { $type: 'date' } } }, 'Operator not allowed: $type'],
  [{ $currentDate: { a: false } }, '$currentDate needs True'],
  [{ $set: { 'a.': 1 } }, "Not the path of a field: 'a.'"],
];
