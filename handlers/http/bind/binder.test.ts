import { expect, test } from 'vitest';
import { Failure } from '../../../core/errors.ts';
import { Node } from '../../../core/graph/objects.ts';
import { archetype } from '../../../library/classes/archetype.ts';
import { Obj } from '../../../library/classes/classes.ts';
import type { FieldSpec, TypeRef } from '../../../library/classes/spec.ts';
import type { Dict } from '../../../library/values/containers/dict.ts';
import { PySet } from '../../../library/values/containers/sets.ts';
import { Tuple } from '../../../library/values/containers/tuple.ts';
import { boxed } from '../../../library/values/numbers/float-box.ts';
import { Enum, enumeration } from '../../../library/values/objects/enums.ts';
import { Bytes } from '../../../library/values/text/bytes.ts';
import { parseQuery } from '../body/read-query.ts';
import { type BindField, makeBinder } from './binder.ts';
import { coercerFor } from './coercer.ts';
import { ObjectDraft, ReferenceDraft } from './drafts.ts';

const str: TypeRef = { t: 'str' };
const int: TypeRef = { t: 'int' };
const bool: TypeRef = { t: 'bool' };
const none: TypeRef = { t: 'none' };
const any: TypeRef = { t: 'any' };
const float: TypeRef = { t: 'float' };
const list = (of: TypeRef): TypeRef => ({ t: 'list', of });
const union = (...of: TypeRef[]): TypeRef => ({ t: 'union', of });
const dict = (key: TypeRef, value: TypeRef): TypeRef => ({ t: 'dict', key, value });
const ref = (name: string, get: () => unknown): TypeRef => ({ t: 'ref', name, get });

class Color extends Enum {}
enumeration(Color, {
  name: 'Color',
  module: 'main',
  members: [
    ['RED', 'red'],
    ['GREEN', 'green'],
  ],
});
class Size extends Enum {}
enumeration(Size, {
  name: 'Size',
  module: 'main',
  members: [
    ['SMALL', 1],
    ['LARGE', 2],
  ],
});
class Task extends Node {}
archetype(Task, { kind: 'node', name: 'Task', module: 'main', fields: [], abilities: [] });
const field = (name: string, type: TypeRef, more: Partial<FieldSpec> = {}): FieldSpec => ({ name, type, ...more });
class Address extends Obj {}
archetype(Address, {
  kind: 'obj',
  name: 'Address',
  module: 'main',
  fields: [
    field('street', str),
    field('zip', union(str, none), { default: () => null }),
    field('secret', str, { access: 'priv', default: () => '' }),
  ],
  abilities: [],
});
class Person extends Obj {}
archetype(Person, {
  kind: 'obj',
  name: 'Person',
  module: 'main',
  fields: [
    field('name', str),
    field('age', int),
    field(
      'address',
      union(
        ref('Address', () => Address),
        none,
      ),
      { default: () => null },
    ),
    field('tags', list(str), { default: () => [] }),
    field(
      'color',
      ref('Color', () => Color),
      { default: () => (Color as any).RED },
    ),
  ],
  abilities: [],
});

const asFields = (types: Record<string, TypeRef>, optional: readonly string[] = []): BindField[] =>
  Object.entries(types).map(([name, type]) => ({
    name,
    type,
    coerce: coercerFor(type),
    isRequired: !optional.includes(name),
    isHidden: name.startsWith('_'),
    upload: undefined,
  }));

const binderOf = (types: Record<string, TypeRef>, optional?: readonly string[]) =>
  makeBinder(asFields(types, optional), 'body', 64);

/** Binds one value; a problem comes as its type, several as a list. */
function bindOne(type: TypeRef, value: unknown): unknown {
  return attempt(() => binderOf({ x: type }).bindBody({ x: value })[0]);
}

function queryOne(type: TypeRef, query: string): unknown {
  const sources = { pathNames: [], pathValues: [], query: parseQuery(query), body: undefined, form: undefined };
  return attempt(() => makeBinder(asFields({ x: type }), 'query', 64).bind(sources)[0]);
}

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const problems = error.details as { type: string }[];
    return problems.length === 1 ? `!${problems[0]!.type}` : problems.map((problem) => problem.type);
  }
}

test('plain types in JSON', () => {
  const rows: [TypeRef, unknown, unknown][] = [
    [str, 'x', 'x'],
    [str, 5, '!string_type'],
    [str, null, '!none_not_allowed'],
    [int, 5, 5],
    [int, 2.0, 2],
    [int, '17', 17],
    [int, ' -3 ', -3],
    [int, 1.5, '!int_from_float'],
    [int, true, '!int_type'],
    [int, 'old', '!int_parsing'],
    [int, '1.0', '!int_parsing'],
    [int, [], '!int_type'],
    [int, 2 ** 53 + 2, '!number_out_of_safe_range'],
    [int, '9007199254740993', 9007199254740993n],
    [int, '9007199254740991', 9007199254740991],
    [float, 1, boxed(1)],
    [{ t: 'float', bare: true }, 1, 1],
    [float, '2.5', 2.5],
    [float, '1e3', boxed(1000)],
    [float, 'nan', '!float_parsing'],
    [float, '1e999', '!float_parsing'],
    [float, false, '!float_type'],
    [bool, true, true],
    [bool, 0, false],
    [bool, 'YES', true],
    [bool, 'off', false],
    [bool, 2, '!bool_parsing'],
    [bool, 'perhaps', '!bool_parsing'],
    [bool, '', '!bool_parsing'],
    [bool, {}, '!bool_type'],
    [none, null, null],
    [none, 1, '!value_error'],
    [any, null, null],
    [{ t: 'literal', values: ['a', 1] }, 1, 1],
    [{ t: 'literal', values: ['a', 1] }, 2, '!literal_error'],
  ];
  for (const [type, value, expected] of rows)
    expect(bindOne(type, value), `${type.t} ${String(value)}`).toEqual(expected);
});

test('bytes, enumerations, identifiers', () => {
  expect(bindOne({ t: 'bytes' }, 'AQL_')).toEqual(new Bytes(Uint8Array.from([1, 2, 255])));
  expect(bindOne({ t: 'bytes' }, 'AQ==')).toEqual(new Bytes(Uint8Array.from([1])));
  for (const bad of ['*', 'A', 5]) expect(bindOne({ t: 'bytes' }, bad)).toBe('!bytes_base64');
  const color = ref('Color', () => Color);
  expect(bindOne(color, 'green')).toBe((Color as any).GREEN);
  expect(bindOne(color, 'GREEN')).toBe((Color as any).GREEN);
  expect(bindOne(color, 'blue')).toBe('!enum');
  expect(
    bindOne(
      ref('Size', () => Size),
      2,
    ),
  ).toBe((Size as any).LARGE);
  expect(
    queryOne(
      ref('Size', () => Size),
      'x=2',
    ),
  ).toBe((Size as any).LARGE);
});

test('containers', () => {
  expect(bindOne(list(int), [1, '2'])).toEqual([1, 2]);
  expect(bindOne(list(int), 5)).toBe('!list_type');
  expect(bindOne(list(int), ['a', 1, 'b'])).toEqual(['int_parsing', 'int_parsing']);
  expect(bindOne({ t: 'set', of: int }, [1, 1, 2])).toEqual(new PySet([1, 2]));
  expect(bindOne({ t: 'set', of: any }, [[1]])).toBe('!value_error');
  expect(bindOne({ t: 'tuple', items: [int, str], of: undefined }, [1, 'a'])).toEqual(new Tuple([1, 'a']));
  expect(bindOne({ t: 'tuple', items: [int, str], of: undefined }, [1])).toBe('!value_error');
  expect(bindOne({ t: 'tuple', items: undefined, of: int }, [1, 2, 3])).toEqual(new Tuple([1, 2, 3]));
  const made = bindOne(dict(int, list(str)), { 1: ['a'], '02': [] }) as Dict;
  expect([...made.entries()]).toEqual([
    [1, ['a']],
    [2, []],
  ]);
  expect(bindOne(dict(int, str), { a: 'x' })).toBe('!int_parsing');
  expect(bindOne(dict(str, str), [])).toBe('!dict_type');
  const nested = bindOne(any, { a: [{ b: 1 }], ['__proto__']: 2 }) as Dict;
  expect(nested.get('__proto__')).toBe(2);
  expect((nested.get('a') as Dict[])[0]!.get('b')).toBe(1);
});

test('unions: who takes a value as it is, then who converts it', () => {
  expect(bindOne(union(int, str), '5')).toBe('5');
  expect(bindOne(union(int, float), 1.5)).toBe(1.5);
  expect(bindOne(union(str, int), 5)).toBe(5);
  expect(bindOne(union(int, list(int)), ['7'])).toEqual([7]);
  expect(bindOne(union(int, none), null)).toBeNull();
  expect(bindOne(union(int, none), 'x')).toBe('!int_parsing');
  expect(bindOne(union(int, bool), {})).toBe('!value_error');
  expect(queryOne(union(int, none), 'x=')).toBeNull();
  expect(queryOne(union(str, none), 'x=')).toBe('');
  expect(queryOne(union(int, str), 'x=5')).toBe(5);
});

test('text of a query', () => {
  expect(queryOne(list(str), 'x=a&x=b')).toEqual(['a', 'b']);
  expect(queryOne(list(int), 'x=[1,2]')).toEqual([1, 2]);
  expect(queryOne(list(int), 'x=[1,')).toBe('!list_type');
  expect(queryOne(list(int), 'x=7')).toEqual([7]);
  expect(queryOne(str, 'x=a&x=b')).toBe('b');
  expect(queryOne(bool, 'x')).toBe(true);
  expect(queryOne(bool, 'x=')).toBe(true);
  expect(queryOne(bool, 'x=perhaps')).toBe('!bool_parsing');
  expect(queryOne(int, 'x=1.5')).toBe('!int_parsing');
  expect(queryOne(any, 'x=5')).toBe('5');
  expect([...(queryOne(dict(str, int), 'x={"a":1}') as Dict).entries()]).toEqual([['a', 1]]);
  expect(queryOne(int, 'y=1')).toBe('!missing');
});

test('objects: all problems at once, with their places', () => {
  const person = ref('Person', () => Person);
  const draft = bindOne(person, {
    name: 'Ada',
    age: 36,
    address: { street: 'Via Po', secret: 'x' },
    tags: ['x'],
    color: 'green',
    more: 1,
  });
  expect(draft).toBeInstanceOf(ObjectDraft);
  expect((draft as ObjectDraft).args.slice(0, 2)).toEqual(['Ada', 36]);
  expect(((draft as ObjectDraft).args[2] as ObjectDraft).args).toEqual(['Via Po', undefined, undefined]);
  let details: unknown;
  try {
    binderOf({ person }).bindBody({
      person: { name: null, age: 'old', address: { zip: 1 }, tags: ['x', 2], color: 'blue' },
    });
  } catch (error) {
    details = (error as Failure).details;
  }
  expect(details).toMatchObject([
    { loc: ['body', 'person', 'name'], type: 'none_not_allowed' },
    { loc: ['body', 'person', 'age'], type: 'int_parsing' },
    { loc: ['body', 'person', 'address', 'street'], type: 'missing' },
    { loc: ['body', 'person', 'address', 'zip'], type: 'string_type' },
    { loc: ['body', 'person', 'tags', 1], type: 'string_type' },
    { loc: ['body', 'person', 'color'], type: 'enum' },
  ]);
  expect(bindOne(person, { _svc_type: 'Task', name: 'Eve', age: 1 })).toBe('!model_type');
  expect((bindOne(person, { _svc_type: 'Person', name: 'Eve', age: 1 }) as ObjectDraft).meta.name).toBe('Person');
  expect(bindOne(person, 'Ada')).toBe('!model_type');
});

test('references', () => {
  const task = ref('Task', () => Task);
  const id = '7d0f9a52c1e84f6f9b3c1a2d4e5f6071';
  const dashed = '7D0F9A52-c1e8-4f6f-9b3c-1a2d4e5f6071';
  for (const value of [id, dashed, { _svc_id: id, _svc_type: 'Task', title: 'ignored' }]) {
    expect(bindOne(task, value)).toMatchObject({ id });
    expect(bindOne(task, value)).toBeInstanceOf(ReferenceDraft);
  }
  expect(queryOne(task, `x=${dashed}`)).toMatchObject({ id, loc: ['query', 'x'] });
  expect(bindOne(task, 'nonsense')).toBe('!uuid_parsing');
  expect(bindOne(task, { title: 'no id' })).toBe('!model_type');
  expect(bindOne(task, 7)).toBe('!model_type');
  const [first] = binderOf({ tasks: list(task) }).bindBody({ tasks: [id] }) as ReferenceDraft[][];
  expect(first![0]!.loc).toEqual(['body', 'tasks', 0]);
});

test('sources by priority, defaults, names every object has', () => {
  const binder = makeBinder(
    asFields({ id: int, name: str, constructor: str, _hidden: str }, ['name', 'constructor']),
    'body',
    64,
  );
  const sources = {
    pathNames: ['id'],
    pathValues: ['7'],
    query: parseQuery('id=8&name=q'),
    body: { id: 9, name: 'b' },
    form: undefined,
  };
  expect(binder.bind(sources)).toEqual([7, 'q', undefined, undefined]);
  expect(binder.bindBody({ id: 1, _hidden: 'x' })).toEqual([1, undefined, undefined, undefined]);
  expect(binder.bindBody({ id: 1, constructor: 'c' })).toEqual([1, undefined, 'c', undefined]);
  expect(attempt(() => binder.bindBody({ id: 'x', name: 5 }))).toEqual(['int_parsing', 'string_type']);
  // A refused body leaves nothing behind for the next one.
  expect(binder.bindBody({ id: '5' })).toEqual([5, undefined, undefined, undefined]);
  expect(attempt(() => binder.bindBody({ id: {} }))).toBe('!int_type');
});
