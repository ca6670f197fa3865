/** The API of TypeScript programs without `svc`: the graph is in memory, as for a script. Declarations register by hand here. */
import { inspect } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { metaOf } from '../library/classes/meta.ts';
import { Dict } from '../library/values/containers/dict.ts';
import { PySet } from '../library/values/containers/sets.ts';
import { Bytes } from '../library/values/text/bytes.ts';
import * as api from './typescript.ts';

const {
  bool,
  bytes,
  connect,
  connectBothWays,
  datetime,
  dict,
  disconnect,
  edges,
  entry,
  exit,
  has,
  incoming,
  int,
  list,
  optional,
  outgoing,
  remove,
  root,
  set,
  spawn,
  str,
} = api;

/** Applies decorators as a compiler does: those of methods first, then that of the class. */
function declare<C extends abstract new (...args: any) => any>(
  kind: 'node' | 'edge' | 'obj' | 'walker',
  cls: C,
  abilities: Readonly<Record<string, (method: any, context: any) => void>> = {},
  options: object = {},
): C {
  for (const [name, decorate] of Object.entries(abilities)) decorate(cls.prototype[name], { kind: 'method', name });
  (api[kind] as any)(options)(cls, { kind: 'class', name: cls.name });
  return cls;
}

afterEach(async () => void (await api.resetGraph()));

class City extends has(api.Node, { name: str(), size: int(1) }) {
  seen: string[] | undefined;
  greet(visitor: api.Walker<string>) {
    visitor.report(`${this.name} greets`);
  }
}
class Road extends has(api.Edge, { km: int(0) }) {}
declare('edge', Road);

class Tour extends has(api.Walker<string>, { far: bool(false) }) {
  begin(here: api.Root) {
    this.visit(outgoing(here, City));
  }
  stop(here: City) {
    this.report(here.name);
    this.visit(outgoing(here, City, { by: Road }));
  }
  leave(here: City) {
    this.report(`left ${here.name}`);
  }
  end() {
    this.report('end');
  }
}
declare('walker', Tour, { begin: entry(api.Root), stop: entry(City), leave: exit(City), end: exit() });
declare('node', City, { greet: entry(() => Tour) });

test('a walk over nodes and edges, with abilities on both sides', async () => {
  const [oslo, bergen] = [new City({ name: 'Oslo', size: 7 }), new City({ name: 'Bergen' })];
  connect(root(), oslo);
  connect(oslo, bergen, new Road({ km: 460 }));
  const tour = await spawn(new Tour());
  expect(tour.reports).toEqual(['Oslo', 'Oslo greets', 'Bergen', 'Bergen greets', 'left Bergen', 'left Oslo', 'end']);
  // Comparing nodes member by member would go through the whole session.
  const names = async (cities: api.Waiting<readonly City[]>) => (await cities).map(({ name }) => name);
  const [road] = await edges(oslo, Road);
  expect([road?.km, road?.source === oslo, road?.target === bergen]).toEqual([460, true, true]);
  expect(await names(incoming(bergen, City, { by: Road, byWhere: { km: 460 } }))).toEqual(['Oslo']);
  expect(await names(outgoing([root(), oslo], City, { where: (city) => city.size < 3 }))).toEqual(['Bergen']);
  expect(await names(outgoing([root(), oslo], City, { offset: 1 }))).toEqual(['Bergen']);
  expect(await disconnect(oslo, bergen, { by: Road })).toBe(true);
  expect(await disconnect(oslo, bergen)).toBe(false);
  connectBothWays(oslo, bergen);
  expect(await names(outgoing(bergen, City))).toEqual(['Oslo']);
  expect(inspect([oslo])).toBe("[ City(name='Oslo', size=7) ]");
  await remove(oslo);
  expect(await outgoing(root())).toHaveLength(0);
});

test('what an ability began without waiting for it belongs to the walk', async () => {
  class Late extends api.Walker<string> {
    begin(here: api.Root) {
      this.visit(new Promise((resolve) => setTimeout(() => resolve(outgoing(here, City)), 5)));
    }
    stop(here: City) {
      this.report(here.name);
    }
  }
  declare('walker', Late, { begin: entry(api.Root), stop: entry(City) });
  connect(root(), new City({ name: 'Oslo' }));
  expect((await spawn(new Late())).reports).toEqual(['Oslo']);
  class Failing extends api.Walker {
    async fails() {
      await null;
      this.visit(Promise.reject(new Error('not found')));
    }
  }
  declare('walker', Failing, { fails: entry(api.Root) });
  await expect(spawn(new Failing())).rejects.toThrow('not found');
});

test('JavaScript containers, dates and bytes become those that are stored', () => {
  class Box extends has(api.Obj, {
    scores: dict(list(int()), { none: [] }),
    names: set(str(), []),
    when: optional(datetime()),
    data: bytes(new Uint8Array([1])),
    items: list(str(), []),
  }) {}
  declare('obj', Box);
  const items = ['a'];
  const box = new Box({ scores: { a: [1] }, names: ['x', 'x'], when: new Date(0), data: new Uint8Array([7]), items });
  expect(box.scores).toBeInstanceOf(Dict);
  expect(box.scores.get('a')).toEqual([1]);
  expect(box.names).toBeInstanceOf(PySet);
  expect([...box.names]).toEqual(['x']);
  expect(api.isoText(box.when!)).toBe('1970-01-01T00:00:00+00:00');
  expect(box.data).toBeInstanceOf(Bytes);
  expect(box.items).toEqual(['a']);
  expect(box.items).not.toBe(items);
  const [one, two] = [new Box(), new Box()];
  one.items.push('only here');
  one.scores.set('b', [2]);
  expect([two.items, [...two.scores.keys()]]).toEqual([[], ['none']]);
});

test('fields are inherited in order, redeclared ones keep their place', () => {
  class Capital extends has(City, { seat: str('palace'), size: int(100) }) {}
  declare('node', Capital);
  expect(metaOf(Capital)!.fields.map(({ name }) => name)).toEqual(['name', 'size', 'seat']);
  expect(metaOf(Capital)!.mro.map((cls) => (cls as any).name)).toContain('City');
  expect(new Capital({ name: 'Rome' })).toMatchObject({ name: 'Rome', size: 100, seat: 'palace' });
  class Plain extends City {}
  declare('node', Plain);
  expect(new Plain({ name: 'P' })).toMatchObject({ name: 'P', size: 1 });
  expect(api.isA(new Capital({ name: 'x' }), City)).toBe(true);
});

test('mistakes are named', () => {
  class Loose extends has(api.Node, { a: int(0) }) {}
  expect(() => new Loose()).toThrow('class Loose is not registered: put @node, @edge, @obj or @walker in front of it');
  expect(() => outgoing(root(), Loose)).toThrow('class Loose is not registered');
  expect(() => has(api.Walker, { report: int() } as any)).toThrow("a field cannot be named 'report'");
  expect(() => new City({ nam: 'x' } as any)).toThrow("City.__init__() got an unexpected keyword argument 'nam'");
  expect(() => new City({} as any)).toThrow("City.__init__() missing 1 required positional argument: 'name'");
  expect(() => (entry(City) as any)({}, 'take', {})).toThrow('experimentalDecorators');
  expect(() => (api.node as any)(class {})).toThrow('experimentalDecorators');
});

test('functions take their parameters by place and fill in defaults', () => {
  const scaled = api.def('scaled', { params: [api.param('x', int()), api.param('of', list(int(), [2]))] }, (x, of) =>
    of.map((each) => each * x),
  );
  expect(scaled(3)).toEqual([6]);
  expect(scaled(3, [1, 2])).toEqual([3, 6]);
});

test('rights, effects and lookups', async () => {
  const city = connect(root(), new City({ name: 'Oslo' }));
  expect([api.grant(city, 'READ'), api.grant(city, 'READ'), api.revoke(city)]).toEqual([true, false, true]);
  expect((await api.byId(api.idOf(city), City)) === city).toBe(true);
  expect(await api.byId(api.idOf(city), Road)).toBeNull();
  const effects: string[] = [];
  api.onCommit(() => effects.push('committed'));
  await api.commit();
  expect(effects).toEqual(['committed']);
  const Mood = api.enumeration('Mood', { CALM: 'calm', WILD: 'wild' });
  expect(Mood.members.map(({ name, value }) => [name, value])).toEqual([
    ['CALM', 'calm'],
    ['WILD', 'wild'],
  ]);
});

test('JSON and console.log show values as what they are in JavaScript', () => {
  class Shelf extends has(api.Node, {
    name: str(),
    tags: set(str(), ['a']),
    facts: dict(int(), { n: 1 }),
    secret: str('s').private(),
    parts: list(dict(int()), [{ x: 1 }]),
  }) {}
  declare('node', Shelf);
  const shelf = new Shelf({ name: 'top' });
  expect(JSON.parse(JSON.stringify({ shelf }))).toEqual({
    shelf: { name: 'top', tags: ['a'], facts: { n: 1 }, parts: [{ x: 1 }] },
  });
  expect(inspect([shelf.facts, shelf.tags, shelf.parts])).toBe("[ { n: 1 }, Set(1) { 'a' }, [ { x: 1 } ] ]");
});
