import { expect, test } from 'vitest';
import { Edge, Node, Walker } from '../../../core/graph/objects.ts';
import { archetype } from '../../../library/classes/archetype.ts';
import { Obj } from '../../../library/classes/classes.ts';
import type { FieldSpec } from '../../../library/classes/spec.ts';
import { Dict } from '../../../library/values/containers/dict.ts';
import { Range } from '../../../library/values/containers/range.ts';
import { PySet } from '../../../library/values/containers/sets.ts';
import { tuple } from '../../../library/values/containers/tuple.ts';
import { Bytes } from '../../../library/values/text/bytes.ts';
import { textOf } from './put-value.ts';
import { makeScratch } from './scratch.ts';
import { type GraphView, makeWriter } from './writer.ts';

const anyField = (name: string, more: Partial<FieldSpec> = {}): FieldSpec => ({ name, type: { t: 'any' }, ...more });

class Task extends Node {
  declare title: string;
  declare owner: unknown;
}
archetype(Task, {
  kind: 'node',
  name: 'Task',
  module: 'main',
  fields: [
    anyField('title'),
    anyField('owner', { default: () => null }),
    anyField('note', { access: 'priv', default: () => 'hush' }),
  ],
  abilities: [],
});
class Blocks extends Edge {}
archetype(Blocks, { kind: 'edge', name: 'Blocks', module: 'main', fields: [anyField('reason')], abilities: [] });
class Tree extends Obj {
  declare children: unknown[];
}
archetype(Tree, {
  kind: 'obj',
  name: 'Tree',
  module: 'main',
  fields: [anyField('label'), anyField('children')],
  abilities: [],
});
class Ping extends Walker {}
archetype(Ping, { kind: 'walker', name: 'Ping', module: 'main', fields: [], abilities: [] });
class Plain extends Obj {}
archetype(Plain, { kind: 'class', name: 'Plain', module: 'main', fields: [], abilities: [] });

const ids = new Map<object, string>();
const hidden = new Set<object>();
const stored = new Map<object, string>();
const graph: GraphView = {
  isReadable: (object) => !hidden.has(object),
  idOf: (object) => ids.get(object),
  storedFields: (object) => stored.get(object),
};

const show = (value: unknown, withPrivate = false) => textOf(value, makeWriter(makeScratch(), graph, withPrivate));

test('plain values', () => {
  const values = [
    null,
    undefined,
    true,
    0,
    -0,
    1.5,
    1e21,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    9007199254740993n,
    'a"\n\u2028é\ud800',
  ];
  expect(`[${values.map((value) => show(value)).join(',')}]`).toBe(
    '[null,null,true,0,0,1.5,1e+21,null,null,"9007199254740993","a\\"\\n\u2028é\\ud800"]',
  );
  expect(show([1, [], new Map()])).toContain('[1,[],');
});

test('containers', () => {
  const dict = Dict.of('a', 1, 2, 'b', true, null, null, tuple(1, 2), 1.5, new PySet([3]));
  expect(show(dict)).toBe('{"a":1,"2":"b","true":null,"null":[1,2],"1.5":[3]}');
  expect(show([new Range(0, 3, 1), new Bytes(Uint8Array.from([1, 2, 255]))])).toBe('[[0,1,2],"AQL/"]');
  expect(show({ literal: [1], skipped: undefined, ['__proto__']: 1 })).toBe('{"literal":[1],"__proto__":1}');
});

test('values without a JSON form', () => {
  const writer = makeWriter(makeScratch(), graph, false);
  expect(textOf([() => 1, Task, Symbol('x')], writer)).toBe('["<function>","<type>","<symbol>"]');
  expect(writer.odd).toEqual(['function', 'type', 'symbol']);
});

test('archetypes', () => {
  const task = (Task as any).$new('buy "milk"');
  expect(show(task)).toBe(
    '{"_svc_type":"Task","_svc_id":null,"_svc_archetype":"node","title":"buy \\"milk\\"","owner":null}',
  );
  expect(show(task, true)).toContain('"note":"hush"');
  ids.set(task, 'a'.repeat(32));
  stored.set(task, '"title":"stored"');
  expect(show(task)).toBe(
    `{"_svc_type":"Task","_svc_id":"${'a'.repeat(32)}","_svc_archetype":"node","title":"stored"}`,
  );
  stored.delete(task);
  hidden.add(task);
  expect(show([task])).toBe(`[{"$ref":"${'a'.repeat(32)}","$type":"Task"}]`);
  hidden.delete(task);
  expect(show((Ping as any).$new())).toBe('{"_svc_type":"Ping","_svc_id":null,"_svc_archetype":"walker"}');
  const plain = Object.assign(Object.create(Plain.prototype), { shown: 1, _hidden: 2 });
  expect(show(plain)).toBe('{"__type__":"Plain","shown":1}');
});

test('edges name their ends', () => {
  const [from, to] = [(Task as any).$new('a'), (Task as any).$new('b')];
  ids.set(from, 'f'.repeat(32));
  const edge = Object.assign((Blocks as any).$new('because'), { $src: from, $dst: to });
  expect(show(edge)).toBe(
    `{"_svc_type":"Blocks","_svc_id":null,"_svc_archetype":"edge","_svc_source":"${'f'.repeat(32)}","_svc_target":null,"reason":"because"}`,
  );
});

test('a node is written once, cycles become references', () => {
  const [a, b] = [(Task as any).$new('a'), (Task as any).$new('b')];
  a.owner = b;
  b.owner = a;
  ids.set(a, '1'.repeat(32));
  const value = JSON.parse(show([a, b]));
  expect(value[0].owner.owner).toEqual({ $ref: '1'.repeat(32), $type: 'Task' });
  expect(value[1]).toEqual({ $ref: null, $type: 'Task' });
  const tree = (Tree as any).$new('a', []);
  tree.children.push((Tree as any).$new('b', [tree]), (Tree as any).$new('c', []));
  expect(JSON.parse(show([tree, tree]))[1].children[0].children).toEqual([{ $ref: null, $type: 'Tree' }]);
  const list: unknown[] = [];
  list.push(list);
  expect(show(list)).toBe('[{"$ref":null,"$type":"list"}]');
});

test('nesting deeper than 32 becomes a reference', () => {
  let deep: unknown[] = [];
  for (let i = 0; i < 40; i++) deep = [deep];
  const text = show(deep);
  expect(text).toContain('{"$ref":null,"$type":"list"}');
  expect(text.indexOf('{')).toBe(32);
});
