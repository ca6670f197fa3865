import { expect, test } from 'vitest';
import { createRuntime } from '../../../core/memory/runtime.ts';
import { runUnit, type Caller as UnitCaller } from '../../../core/memory/unit.ts';
import { openVolatileStore } from '../../../core/memory/volatile-store.ts';
import * as $ from '../../../core/runtime.ts';
import type { RouteContext } from '../../routes.ts';
import { graphRoutes } from './routes.ts';
import { traverseRoute } from './traverse-route.ts';

class City extends $.Node {
  declare name: string;
  declare twin: unknown;
}
$.archetype(City, {
  kind: 'node',
  name: 'City',
  module: 'traverse_test',
  fields: [
    { name: 'name', type: { t: 'prim', name: 'str' } } as any,
    { name: 'twin', type: { t: 'any' }, default: () => null } as any,
    { name: 'secret', type: { t: 'any' }, access: 'priv', default: () => 'hush' } as any,
  ],
  abilities: [],
});
class Capital extends City {}
$.archetype(Capital, { kind: 'node', name: 'Capital', module: 'traverse_test', fields: [], abilities: [] });
class Road extends $.Edge {}
$.archetype(Road, { kind: 'edge', name: 'Road', module: 'traverse_test', fields: [], abilities: [] });

const maxObjects = 40;

function open() {
  const store = openVolatileStore();
  const runtime = createRuntime({ store });
  const [ann, bob] = ['a', 'b'].map((digit) => {
    store.addRoot(digit.repeat(32));
    return { rootId: digit.repeat(32), userId: digit, kind: 'user', role: 'user', ignoredToken: false } as const;
  });
  const route = traverseRoute({ runtime, maxDepth: 32, maxObjects, withPrivate: false });
  const ask = async (caller: unknown, body: Record<string, unknown> = {}): Promise<any> =>
    route.run({ caller, body } as RouteContext);
  const as = async <T>(caller: UnitCaller | undefined, work: () => T) => runUnit(runtime, caller!, work);
  return { runtime, ann, bob, ask, as };
}

const city = (name: string, twin: unknown = null) => (City as any).$new(name, twin);
const names = (answer: any) => answer.nodes.map((node: any) => node.archetype?.name ?? node.type);

/** root -> a -> b -> c, c -> a, and a -Road-> capital. */
function triangle() {
  const [a, b, c] = [city('a'), city('b'), city('c')];
  $.connect($.root(), a, 'out');
  $.connect(a, b, 'out');
  $.connect(b, c, 'any');
  $.connect(c, a, 'out');
  const capital = (Capital as any).$new('x', a);
  $.connect(a, capital, 'out', Road);
  return { a: $.oid(a), b: $.oid(b), c: $.oid(c), capital: $.oid(capital) };
}

test('breadth first, both directions, each object once, incident edges as they were made', async () => {
  const { ann, ask, as } = open();
  const ids = await as(ann, triangle);
  const near = await ask(ann, { source: ids.a, detailed: true });
  expect(names(near)).toEqual(['Root', 'b', 'c', 'x'].toSpliced(0, 0, 'a'));
  expect(near.edges.map((edge: any) => [edge.type, edge.undirected])).toEqual([
    ['Edge', false],
    ['Edge', false],
    ['Edge', false],
    ['Road', false],
  ]);
  // The edge between b and c joins two nodes that were not expanded.
  const whole = await ask(ann, { source: ids.a, depth: 2 });
  expect(whole.edges).toHaveLength(5);
  expect(whole.edges.at(-1)).toMatchObject({ source: ids.b, target: ids.c, undirected: true });
  expect(whole.nodes.find((node: any) => node.id === ids.b).edges).toHaveLength(2);
  expect(whole.truncated).toBe(false);
});

test('filters by type: subtypes belong, unknown names match nothing, the start is always there', async () => {
  const { ann, ask, as } = open();
  const ids = await as(ann, triangle);
  const all = { depth: -1, detailed: true };
  expect(names(await ask(ann, { ...all, node_types: ['City'] }))).toEqual(['Root', 'a', 'b', 'c', 'x']);
  expect(names(await ask(ann, { ...all, source: ids.a, node_types: ['Capital'] }))).toEqual(['a', 'x']);
  expect(names(await ask(ann, { ...all, source: ids.a, edge_types: ['Road'] }))).toEqual(['a', 'x']);
  expect(names(await ask(ann, { ...all, node_types: ['Nothing'] }))).toEqual(['Root']);
});

test('details show what a report shows; other objects are only named', async () => {
  const { ann, ask, as } = open();
  const ids = await as(ann, triangle);
  const { nodes } = await ask(ann, { source: ids.capital, depth: 0, detailed: true });
  expect(nodes[0].archetype).toEqual({
    _svc_type: 'Capital',
    _svc_id: ids.capital,
    _svc_archetype: 'node',
    name: 'x',
    twin: { $ref: ids.a, $type: 'City' },
  });
});

test('an answer is cut at whole objects, and the pages make up the whole', async () => {
  const { ann, ask, as } = open();
  await as(ann, () => {
    for (let i = 0; i < 60; i++) $.connect($.root(), city(`n${i}`), 'out');
  });
  const first = await ask(ann);
  expect([first.nodes.length + first.edges.length, first.truncated, first.next_offset]).toEqual([39, true, 39]);
  const pages = [first];
  while (pages.at(-1).truncated) pages.push(await ask(ann, { offset: pages.at(-1).next_offset }));
  const ids = pages.flatMap(({ nodes, edges }) => [...nodes, ...edges]).map(({ id }) => id);
  expect([ids.length, new Set(ids).size]).toEqual([121, 121]);
  expect(pages.at(-1).next_offset).toBeUndefined();
});

test('what the caller may not read is absent, also behind an edge it may read', async () => {
  const { ann, bob, ask, as } = open();
  const ids = await as(ann, triangle);
  await expect(ask(bob, { source: ids.a })).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
  const road = await as(ann, () => {
    $.perm_grant($.oget(ids.a), 'READ');
    const [edge] = $.hops($.oget(ids.a), 'edge', [{ dir: 'out', type: Road }]) as any[];
    $.perm_grant(edge, 'READ');
    return $.oid(edge);
  });
  const seen = await ask(bob, { source: ids.a, depth: -1 });
  expect([seen.nodes.map(({ id }: any) => id), seen.edges]).toEqual([[ids.a], []]);
  const fromEdge = await ask(bob, { source: road });
  expect(fromEdge.nodes.map(({ id }: any) => id)).toEqual([ids.a]);
  expect(fromEdge.edges).toMatchObject([{ id: road, source: ids.a, target: null }]);
});

test('bad bodies are told all at once', async () => {
  const { ann, ask } = open();
  const body = { source: 7, depth: -2, detailed: 'yes', edge_types: [1], limit: 0, offset: maxObjects * 10 + 1 };
  const problems = await ask(ann, body).catch((error) => error.details);
  expect(problems.map(({ loc, type }: any) => [loc.at(-1), type])).toEqual([
    ['source', 'string_type'],
    ['depth', 'greater_than_equal'],
    ['detailed', 'bool_type'],
    [0, 'string_type'],
    ['limit', 'greater_than_equal'],
    ['offset', 'less_than_equal'],
  ]);
});

test('the picture: labels of public fields, a colour per type; only administrators in production', async () => {
  const { runtime, ann, as } = open();
  await as(ann, triangle);
  const data = (forAdminsOnly: boolean) =>
    graphRoutes({ runtime, forAdminsOnly, title: 't' }).find(({ template }) => template === '/graph/data')!;
  const query = new Map([['depth', ['1']]]);
  const shown: any = await data(false).run({ caller: ann, query } as unknown as RouteContext);
  expect(shown.nodes.map(({ label, type }: any) => [label, type])).toEqual([
    ['Root', 'Root'],
    ['City: a', 'City'],
  ]);
  expect(shown.edges).toMatchObject([{ from: 'a'.repeat(32), to: shown.nodes[1].id, label: '' }]);
  const strict = data(true);
  expect(strict.auth).toBe('bearer');
  await expect(strict.run({ caller: ann, query } as unknown as RouteContext)).rejects.toThrow('Only administrators');
  const admin = { ...ann, role: 'admin' };
  expect(await strict.run({ caller: admin, query } as unknown as RouteContext)).toEqual(shown);
});
