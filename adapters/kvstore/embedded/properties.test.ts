/** Properties of all values, filters and updates, tried with generated ones. `FUZZ=20000` tries longer. */
import fc from 'fast-check';
import { Query } from 'mingo';
import { expect, test } from 'vitest';
import { checkFilter } from '../../../core/kvstore/filter.ts';
import { type Doc, ObjectId, type Stored, StoredDecimal } from '../../../core/kvstore/stored.ts';
import { checkUpdate } from '../../../core/kvstore/update.ts';
import { fromJson } from '../../../handlers/http/bind/containers.ts';
import { ValueError } from '../../../library/values/objects/exceptions.ts';
import { makeUpdate } from './apply-update.ts';
import { compare, identical, keyOf } from './compare.ts';
import { openEmbedded } from './database.ts';
import { embeddedDocuments } from './documents.ts';
import { makeMatcher } from './match.ts';
import { sortDocs } from './shape.ts';
import { readDoc, writeDoc } from './stored-json.ts';

const runs = { numRuns: Number(process.env['FUZZ'] ?? 1000) };

// ---------------------------------------------------------------- what is generated

const name = fc
  .oneof(fc.constantFrom('a', 'b', '0', '10', '2', '__proto__', 'constructor', 'ä b'), fc.string({ minLength: 1 }))
  .filter((text) => !text.startsWith('$') && text !== '_id');

const { value } = fc.letrec<{ value: Stored; doc: Doc }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Stored>(null, true, false, 0, -0, 1, 1.5, Number.NaN, Infinity, -Infinity, '', 'a', 2n ** 60n),
    fc.integer(),
    fc.double(),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
    fc.string({ unit: 'grapheme' }),
    fc.date({ noInvalidDate: true, min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z') }),
    fc.uint8Array({ maxLength: 5 }),
    fc.constantFrom('1.50', '1.5', '-7E+30', '0.1', 'NaN', '-Infinity').map((text) => new StoredDecimal(text)),
    fc.constantFrom('a'.repeat(24), 'b'.repeat(24)).map((hex) => new ObjectId(hex)),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('doc'),
  ),
  doc: fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((members) => new Map(members)),
}));
const document = fc.array(fc.tuple(name, value), { maxLength: 5 }).map((members): Doc => new Map(members));

// ---------------------------------------------------------------- values

test('documents are read as they were written', () => {
  fc.assert(
    fc.property(document, (doc) => {
      const read = readDoc(writeDoc(doc));
      expect(identical(read, doc)).toBe(true);
    }),
    runs,
  );
});

test('the order of values is one: opposite ways agree, and it is kept through a third; keys are equal where values are', () => {
  fc.assert(
    fc.property(value, value, value, (a, b, c) => {
      const sign = (x: Stored, y: Stored) => Math.sign(compare(x, y));
      expect(compare(a, a)).toBe(0);
      expect(sign(a, b) + sign(b, a)).toBe(0);
      expect(keyOf(a) === keyOf(b)).toBe(sign(a, b) === 0);
      const [low, , high] = [a, b, c].sort(compare);
      expect(sign(low!, high!)).toBeLessThanOrEqual(0);
    }),
    runs,
  );
});

test('sorting keeps all documents, each in its place', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.array(fc.tuple(fc.constantFrom('a', 'b'), value), { maxLength: 2 }).map((m): Doc => new Map(m)),
        { maxLength: 8 },
      ),
      (docs) => {
        const up = sortDocs(docs, [['a', 1]]);
        expect(new Set(up)).toEqual(new Set(docs));
        expect(sortDocs(up, [['a', 1]])).toEqual(up);
      },
    ),
    runs,
  );
});

// ---------------------------------------------------------------- filters

/** Values that mingo and MongoDB take alike: no mixture of kinds of numbers, no lists in lists. */
const scalar = fc.constantFrom<any>(0, 1, 2, 3, 'a', 'b', 'ab', '', true, false);
const subject = fc.record(
  {
    a: fc.option(scalar),
    b: scalar,
    l: fc.array(scalar, { minLength: 1, maxLength: 4 }),
    o: fc.record({ x: scalar, y: scalar }, { requiredKeys: [] }),
    d: fc.array(fc.record({ p: scalar, q: scalar }), { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: [] },
);
const path = fc.constantFrom('a', 'b', 'l', 'o.x', 'o.y', 'd.p', 'd.q');
const operators = fc.oneof(
  fc.record({ $eq: fc.option(scalar) }),
  fc.record({ $ne: fc.option(scalar) }),
  fc.record({ $gt: scalar }),
  fc.record({ $gte: scalar, $lt: scalar }, { requiredKeys: ['$gte'] }),
  fc.record({ $lte: scalar }),
  fc.record({ $in: fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ $nin: fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ $exists: fc.boolean() }),
  fc.record({ $regex: fc.constantFrom('a', '^b', 'b$', 'A'), $options: fc.constantFrom('', 'i') }),
);
const condition = fc.oneof(fc.option(scalar), operators, fc.record({ $not: operators }));
const leaf = fc.oneof(
  fc.tuple(path, condition).map(([at, what]) => ({ [at]: what })),
  fc.record({ l: fc.record({ $size: fc.nat(3) }) }),
);
const { filter } = fc.letrec<{ filter: any }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.tuple(leaf, leaf).map(([x, y]) => ({ ...x, ...y })),
    fc
      .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('filter'), { minLength: 1, maxLength: 3 }))
      .map(([op, list]) => ({ [op]: list })),
  ),
}));

const storedOf = (object: unknown): Doc => readDoc(JSON.stringify(object));

test('filters decide as mingo does where mingo decides as MongoDB does', () => {
  fc.assert(
    fc.property(subject, filter, (doc, asked) => {
      expect(makeMatcher(checkFilter(asked))(storedOf(doc))).toBe(new Query(asked).test(doc));
    }),
    runs,
  );
});

test('a negation is the opposite; $and and $or are what they say', () => {
  fc.assert(
    fc.property(document, path, value, filter, (doc, at, operand, other) => {
      const fits = (asked: Doc) => makeMatcher(asked)(doc);
      const one = (operator: string, what: Stored): Doc => new Map([[at, new Map([[operator, what]])]]);
      for (const [yes, no] of [
        ['$eq', '$ne'],
        ['$in', '$nin'],
      ] as const) {
        const what = yes === '$in' ? [operand] : operand;
        expect(fits(one(yes, what))).toBe(!fits(one(no, what)));
      }
      const [p, q] = [one('$gt', operand), checkFilter(other)];
      expect(fits(new Map([['$and', [p, q]]]))).toBe(fits(p) && fits(q));
      expect(fits(new Map([['$or', [p, q]]]))).toBe(fits(p) || fits(q));
      expect(fits(new Map([['$nor', [p, q]]]))).toBe(!fits(p) && !fits(q));
      expect(fits(one('$gte', operand))).toBe(fits(p) || fits(one('$eq', operand)));
    }),
    runs,
  );
});

test('an index changes no answer, whatever was written before', async () => {
  const act = fc.oneof(
    fc.record({ insert: subject }),
    fc.record({
      set: fc.tuple(
        filter,
        fc.constantFrom('a', 'b', 'l', 'o.x'),
        fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })),
      ),
    }),
    fc.record({ unset: fc.tuple(filter, fc.constantFrom('a', 'o.x')) }),
    fc.record({ delete: filter }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { maxLength: 12 }),
      fc.array(filter, { minLength: 1, maxLength: 6 }),
      fc.nat(12),
      async (acts, asked, at) => {
        const db = openEmbedded({ file: ':memory:', durability: 'normal', busyTimeoutMs: 1000 });
        const documents = embeddedDocuments(db, 'd');
        const many = { many: true, upsert: false };
        let id = 0;
        for (const [i, step] of acts.entries()) {
          if (i === at)
            for (const keys of [['a'], ['l'], ['o.x', 'b']])
              await documents.createIndex('with', {
                name: keys.join(),
                keys: keys.map((each) => [each, 1] as const),
                unique: false,
                expireSeconds: undefined,
              });
          id += 1;
          for (const col of ['with', 'without']) {
            if ('insert' in step)
              await documents.insertOne(col, new Map<string, Stored>([['_id', id], ...storedOf(step.insert)]));
            else if ('set' in step)
              await documents
                .update(col, checkFilter(step.set[0]), checkUpdate({ $set: { [step.set[1]]: step.set[2] } }), many)
                .catch(() => {});
            else if ('unset' in step)
              await documents.update(
                col,
                checkFilter(step.unset[0]),
                checkUpdate({ $unset: { [step.unset[1]]: 1 } }),
                many,
              );
            else await documents.delete(col, checkFilter(step.delete), true);
          }
        }
        for (const each of asked) {
          const find = (col: string) =>
            documents.find(col, { filter: checkFilter(each), projection: undefined, sort: [], skip: 0, limit: 100 });
          expect(await find('with')).toEqual(await find('without'));
        }
        db.close();
      },
    ),
    { numRuns: Math.ceil(runs.numRuns / 10) },
  );
});

// ---------------------------------------------------------------- updates

const change = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        '$set',
        '$unset',
        '$inc',
        '$push',
        '$pull',
        '$addToSet',
        '$min',
        '$max',
        '$rename',
        '$setOnInsert',
      ),
      fc.constantFrom('a', 'b', 'l', 'o.x', 'o.y.z', 'l.0', 'l.2.p', 'd.1.p', 'n'),
      fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => {
    const made: Record<string, Record<string, unknown>> = {};
    for (const [operator, at, operand] of parts)
      (made[operator] ??= {})[at] = operator === '$inc' ? 1 : operator === '$rename' ? 'n' : operand;
    return made;
  });

test('an update gives a document or a ValueError, leaves the old one alone, and what sets is done once for all', () => {
  let done = 0;
  fc.assert(
    fc.property(subject, change, (object, asked) => {
      const doc = storedOf(object);
      const before = writeDoc(doc);
      let after: Doc;
      try {
        after = makeUpdate(checkUpdate(asked), false, 0)(doc);
      } catch (error) {
        expect(error).toBeInstanceOf(ValueError);
        expect(writeDoc(doc)).toBe(before);
        return;
      }
      done += 1;
      expect(writeDoc(doc)).toBe(before);
      expect(identical(readDoc(writeDoc(after)), after)).toBe(true);
      const isSettled = Object.keys(asked).every((operator) =>
        ['$set', '$unset', '$min', '$max', '$addToSet'].includes(operator),
      );
      if (isSettled) expect(identical(makeUpdate(checkUpdate(asked), false, 0)(after), after)).toBe(true);
    }),
    runs,
  );
  expect(done).toBeGreaterThan(runs.numRuns / 10);
});

// ---------------------------------------------------------------- requests

test('wherever a dict of a request with an operator stands, it is refused', () => {
  const operator = fc.constantFrom('$gt', '$ne', '$where', '$set', '$expr', '$', '$regex', '$eq', '$literal');
  const poison = fc.tuple(operator, fc.jsonValue({ maxDepth: 1 })).map(([key, what]) => ({ [key]: what }));
  const wrapped = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      poison,
      tie('value').map((inner) => [1, inner]),
      fc.tuple(fc.constantFrom('a', 'b', '0'), tie('value')).map(([key, inner]) => ({ ok: 1, [key]: inner })),
      fc.tuple(poison, tie('value')).map(([one, inner]) => ({ ...one, x: inner })),
    ),
  })).value;
  const refused = 'Operator in request data';
  fc.assert(
    fc.property(wrapped, (sent) => {
      const data = fromJson(sent);
      for (const asked of [
        data,
        { a: data },
        { a: { $ne: data } },
        { $or: [{ a: data }] },
        { a: { $in: [data] } },
        { a: { $elemMatch: { b: data } } },
        { a: { $not: { $eq: data } } },
      ])
        expect(() => checkFilter(asked)).toThrow(asked === data && Array.isArray(data) ? 'must be a dict' : refused);
      for (const asked of [
        { $set: { a: data } },
        { $push: { a: data } },
        { $pull: { a: data } },
        { $set: { a: [{ b: data }] } },
        { $setOnInsert: { a: data } },
        { $max: { a: data } },
      ])
        expect(() => checkUpdate(asked)).toThrow(refused);
      if (!Array.isArray(data)) expect(() => checkUpdate(data)).toThrow();
    }),
    { numRuns: Math.ceil(runs.numRuns / 4) },
  );
});
