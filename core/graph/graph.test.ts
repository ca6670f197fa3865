import { expect, test } from 'vitest';
import { UUID } from '../../library/modules/uuid.ts';
import * as $ from '../runtime.ts';

// Written against the runtime as generated code is; examples C3 to C7 of the language specification.
class N extends $.Node {
  declare name: string;
}
$.archetype(N, {
  kind: 'node',
  name: 'N',
  module: 'graph_test',
  fields: [{ name: 'name', type: { t: 'str' } }],
  abilities: [],
});
class E extends $.Edge {
  declare w: number;
}
$.archetype(E, {
  kind: 'edge',
  name: 'E',
  module: 'graph_test',
  fields: [{ name: 'w', type: { t: 'int' }, literal: 0, default: () => 0 }],
  abilities: [],
});

const node = (name = 'x'): N => (N as any).$new(name);
const edge = (w: number): E => (E as any).$new(w);
const out = { dir: 'out' } as const;
const nodes = (origin: unknown, ...hops: any[]) => $.hops(origin, 'node', hops.length > 0 ? hops : [out]) as any[];
const edges = (origin: unknown, hop: any = out) => $.hops(origin, 'edge', [hop]) as any[];

test('C6: connecting gives the operand as written', () => {
  const [r, a, b] = [node(), node('a'), node('b')];
  expect($.connect(r, a, 'out')).toBe(a);
  const list = [a, b];
  expect($.connect(r, list, 'out')).toBe(list);
  expect($.connect(a, b, 'in')).toBe(a);
  const [c, d] = [node(), node()];
  expect($.connect(c, d, 'any')).toBe(d);
  expect([nodes(c), nodes(d), nodes(d, { dir: 'in' })]).toEqual([[d], [c], [c]]);
  expect($.disconnect(c, d, out)).toBe(true);
  expect($.disconnect(c, d, out)).toBe(false);
  expect(nodes(d)).toEqual([]);
  expect(() => $.connect(a, 5, 'out')).toThrow($.TypeError);
});

test('C7: edge references', () => {
  const [root, a, b, d] = [node('root'), node('a'), node('b'), node('d')];
  $.connect(root, a, 'out');
  $.connect(a, b, 'out', edge(9));
  $.connect(a, d, 'out', E, { w: 3 });
  expect(nodes(a, { dir: 'out', type: E })).toEqual([b, d]);
  expect(nodes(a, { dir: 'out', type: E, edgeWhere: (e: any) => e.w > 5 })).toEqual([b]);
  expect(edges(a, { dir: 'out', type: E }).map((e) => $.repr(e))).toEqual(['E(w=9)', 'E(w=3)']);
  expect(nodes(b, { dir: 'in', type: E })).toEqual([a]);
  expect(edges(a, { dir: 'out', type: E, only: d }).map((e) => e.w)).toEqual([3]);
  expect(nodes(root, out, out)).toEqual([b, d]);
  $.connect(b, d, 'out');
  expect(nodes([a, b])).toEqual([b, d]);
  expect(nodes(edges(a)[0])).toEqual([d]);
  expect(nodes(a, { dir: 'out', nodeType: [N], nodeWhere: (n: any) => n.name === 'd' })).toEqual([d]);
  expect(() => nodes(null)).toThrow("an edge reference starts at a node, not at 'NoneType'");
  expect(() => $.connect(a, b, 'out', E, { nope: 1 })).toThrow('Invalid attribute: nope');
});

test('an edge instance is used once and cloned for further pairs', () => {
  const [r, a, b] = [node(), node(), node()];
  const e = edge(4);
  $.connect(r, [a, b], 'out', e);
  expect(edges(r).map((x) => x.w)).toEqual([4, 4]);
  expect(edges(r)[0]).toBe(e);
  expect(edges(r)[1]).not.toBe(e);
  expect([e.source, e.target, e.undirected]).toEqual([r, a, false]);
});

test('results are snapshots without duplicates, in order of connection', () => {
  const [r, a, b] = [node('r'), node('a'), node('b')];
  $.connect(r, b, 'out');
  $.connect(r, a, 'out');
  $.connect(r, b, 'out');
  $.connect(r, r, 'out');
  const seen = nodes(r);
  expect(seen).toEqual([b, a, r]);
  expect(edges(r)).toHaveLength(4);
  expect(edges(r, { dir: 'any' })).toHaveLength(4);
  $.destroy(b);
  expect(seen).toHaveLength(3);
  expect(nodes(r)).toEqual([a, r]);
  expect(() => $.connect(r, b, 'out')).toThrow('cannot connect a deleted N');
});

test('filters keep what matches; assignment sets on every item', () => {
  const [a, b] = [node('a'), node('b')];
  expect($.filter([a, b, 1], N, (n) => n.name > 'a')).toEqual([b]);
  expect($.filter(a, N)).toEqual([a]);
  expect($.filter(null)).toEqual([]);
  expect($.assign([a, b], { name: 'z' })).toEqual([a, b]);
  expect([a.name, b.name]).toEqual(['z', 'z']);
});

test('ids are stable and lead back to the object', () => {
  const a = node();
  const id = $.oid(a);
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect($.oid(a)).toBe(id);
  expect($.oget(id)).toBe(a);
  expect($.oref(a)).toBe(a);
  expect($.oget(5)).toBe(null);
  expect([$.oget(new UUID(id)), $.oref(new UUID(id)), $.oget(new UUID('f'.repeat(32)))]).toEqual([a, a, null]);
  expect($.oid($.root())).toBe('0'.repeat(32));
  expect($.sharedRoot()).toBe($.root());
  expect(() => $.oid(5)).toThrow("'int' object has no id");
});

test('printgraph', () => {
  const [a, b] = [node('A'), node('<b>')];
  $.connect(a, b, 'out');
  $.connect(b, a, 'out', E, { w: 2 });
  expect($.printgraph(a)).toBe(`digraph {
node [style="filled", shape="ellipse", fillcolor="invis", fontcolor="black"];
0 -> 1 [label=""];
1 -> 0 [label="E(w=2)"];
0 [label="N(name=&#x27;A&#x27;)"fillcolor="#FFE9E9"];
1 [label="N(name=&#x27;&lt;b&gt;&#x27;)"fillcolor="#F0FFF0"];
}`);
  const call = (format: string) => $.callkw($.b['printgraph'], [a], { format });
  expect(call('mermaid')).toBe(`flowchart LR
0 -->1
1 -->|"E(w=2)"| 0
0["N(name='A')"]
1["N(name='<b>')"]`);
  expect(JSON.parse(call('json'))).toEqual({
    version: '1.0',
    nodes: [
      { id: 0, label: "N(name='A')" },
      { id: 1, label: "N(name='<b>')" },
    ],
    edges: [
      { from: 0, to: 1 },
      { from: 1, to: 0, label: 'E(w=2)' },
    ],
  });
  expect($.printgraph(a, 0)).not.toContain('->');
});

test('a condition may follow edges itself', () => {
  const [r, a, b] = [node('r'), node('a'), node('b')];
  $.connect(r, [a, b, a], 'out');
  $.connect(a, b, 'out');
  $.connect(b, a, 'out');
  const both = $.hops(r, 'node', [{ dir: 'out', nodeWhere: (n: any) => nodes(n).length + nodes(r).length > 0 }]);
  expect(both).toEqual([a, b]);
});
