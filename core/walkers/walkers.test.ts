import { expect, test } from 'vitest';
import type { AbilitySpec } from '../../library/classes/spec.ts';
import { reprOf } from '../../library/values/objects/repr.ts';
import { SYSTEM_ROOT_ID } from '../graph/ids.ts';
import { runInContext } from '../memory/context.ts';
import { LiveSession } from '../memory/live-session.ts';
import { createRuntime, type RuntimeOptions } from '../memory/runtime.ts';
import { openVolatileStore } from '../memory/volatile-store.ts';
import * as $ from '../runtime.ts';

class N extends $.Node {
  declare name: string;
}
$.archetype(N, {
  kind: 'node',
  name: 'N',
  module: 'walkers_test',
  fields: [{ name: 'name', type: { t: 'str' } }],
  abilities: [],
});
class Named extends $.Edge {
  declare name: string;
}
const seenByEdge: string[] = [];
$.archetype(Named, {
  kind: 'edge',
  name: 'Named',
  module: 'walkers_test',
  fields: [{ name: 'name', type: { t: 'str' } }],
  abilities: [
    {
      name: 'own',
      when: 'entry',
      run: function (this: any) {
        seenByEdge.push(`own ${this.name}`);
      },
    },
  ],
});

const node = (name: string): any => (N as any).$new(name);
let walkers = 0;
function walker(abilities: AbilitySpec[], more: { async?: boolean } = {}) {
  const name = `W${++walkers}`;
  const cls = { [name]: class extends $.Walker {} }[name] as any;
  return $.archetype(cls, { kind: 'walker', name, module: 'walkers_test', fields: [], abilities, ...more }) as any;
}

function inRuntime<T>(options: Partial<RuntimeOptions>, work: () => T): T {
  const runtime = createRuntime({ store: openVolatileStore(), ...options });
  const session = new LiveSession(runtime, { rootId: SYSTEM_ROOT_ID, kind: 'system' }, []);
  return runInContext(
    { runtime, session, rootId: SYSTEM_ROOT_ID, userId: null, callerKind: 'system', warnings: [] },
    work,
  );
}

test('C3: edges as stops', () => {
  const log: string[] = [];
  const [r, a, b] = [node('root'), node('A'), node('B')];
  $.connect(r, a, 'out', (Named as any).$new('e5'));
  $.connect(r, b, 'out', (Named as any).$new('e7'));
  const W = walker([
    {
      name: 'start',
      when: 'entry',
      trigger: () => N,
      run: (here, w) => {
        log.push(here.name);
        if (here === r) $.visitEdges(w, $.hops(here, 'edge', [{ dir: 'out' }]) as any);
      },
    },
    {
      name: 'edge',
      when: 'entry',
      trigger: () => Named,
      run: (here) => {
        log.push(here.name);
        seenByEdge.push(`walker ${here.name}`);
      },
    },
    { name: 'leave', when: 'exit', trigger: () => Named, run: (here) => void log.push(`exit ${here.name}`) },
  ]);
  $.spawn(r, W);
  expect(log).toEqual(['root', 'e5', 'A', 'e7', 'B', 'exit e7', 'exit e5']);
  expect(seenByEdge).toEqual(['walker e5', 'own e5', 'walker e7', 'own e7']);
  log.length = 0;
  $.spawn($.hops(r, 'edge', [{ dir: 'out' }]), W);
  expect(log).toEqual(['e5', 'A', 'e7', 'B', 'exit e7', 'exit e5']);
});

test('C4: reports of a nested walk are kept and forwarded', () => {
  const Inner = walker([{ name: 'i', when: 'entry', run: (_, w) => void $.report(w, 'inner') }]);
  let nested: any;
  const Outer = walker([
    {
      name: 'o',
      when: 'entry',
      run: (here, w) => {
        nested = $.spawn(here, Inner.$new(), w);
        $.report(w, 'outer');
      },
    },
  ]);
  const outer: any = $.spawn(node('x'), Outer.$new());
  expect(outer.reports).toEqual(['inner', 'outer']);
  expect(nested.reports).toEqual(['inner']);
  const reports = inRuntime(
    { compatibility: { forwardNestedReports: false } },
    () => ($.spawn(node('x'), Outer.$new()) as any).reports,
  );
  expect(reports).toEqual(['outer']);
  const twice = Inner.$new();
  $.spawn(node('x'), twice);
  $.spawn(twice, node('y'));
  expect(twice.reports).toEqual(['inner']);
});

test('C5: disengage stops everything, skip only the ability', () => {
  const log: string[] = [];
  const [a, b] = [node('A'), node('B')];
  $.connect(a, b, 'out');
  const W = walker([
    {
      name: 'go',
      when: 'entry',
      trigger: () => N,
      run: (here, w) => {
        log.push(here.name);
        $.visit(w, $.hops(here, 'node', [{ dir: 'out' }]));
        $.report(w, here.name);
        if (here === b) w.disengaged = true;
      },
    },
    { name: 'second', when: 'entry', trigger: () => N, run: (here) => void log.push(`second ${here.name}`) },
    { name: 'leave', when: 'exit', trigger: () => N, run: () => void log.push('exit') },
    { name: 'end', when: 'exit', run: () => void log.push('end') },
  ]);
  const w: any = $.spawn(a, W);
  expect(log).toEqual(['A', 'second A', 'B']);
  expect(w.reports).toEqual(['A', 'B']);
});

test('an ability with several triggers runs once; an untyped one only at start and end', () => {
  const log: string[] = [];
  const W = walker([
    { name: 'u', when: 'entry', trigger: () => [N, $.Node], run: () => void log.push('typed') },
    { name: 's', when: 'entry', run: () => void log.push('start') },
  ]);
  const [a, b] = [node('a'), node('b')];
  $.spawn([a, b], W);
  expect(log).toEqual(['start', 'typed', 'typed']);
  expect(($.spawn([], W) as any).reports).toEqual([]);
  expect(log).toHaveLength(3);
});

test('visit: positions, nothing, what is no place, deleted places', () => {
  const log: string[] = [];
  const [s, a, b, c, d] = ['s', 'a', 'b', 'c', 'd'].map(node) as any[];
  const W = walker([
    {
      name: 'go',
      when: 'entry',
      trigger: () => N,
      run: (here, w) => {
        log.push(here.name);
        if (here !== s) return;
        expect($.visit(w, null)).toBe(false);
        expect($.visit(w, [])).toBe(false);
        expect($.visit(w, [a, b])).toBe(true);
        $.visit(w, c, 0);
        $.visit(w, d, -2);
        $.visit(w, [a], 99);
        $.destroy(b);
      },
    },
  ]);
  $.spawn(s, W);
  expect(log).toEqual(['s', 'c', 'a', 'd', 'a']);
  const Bad = walker([{ name: 'go', when: 'entry', run: (_, w) => void $.visit(w, [5]) }]);
  expect(() => $.spawn(s, Bad)).toThrow("cannot visit a value of type 'int'");
  expect(() => $.visit(undefined, a)).toThrow('visit outside of a walk');
});

test('functions called during a walk find the place and the walker', () => {
  const W = walker([
    {
      name: 'go',
      when: 'entry',
      trigger: () => N,
      run() {
        expect($.here().name).toBe('a');
        expect($.visitor()).toBe(this);
        $.report(undefined, 1);
        $.disengage();
      },
    },
    { name: 'no', when: 'exit', run: () => expect.fail() },
  ]);
  expect(($.spawn(node('a'), W) as any).reports).toEqual([1]);
});

test('what cannot be spawned', () => {
  const W = walker([]);
  expect(() => $.spawn($.root(), 5)).toThrow('Invalid walker object');
  expect(() => $.spawn(5, W)).toThrow('Invalid target object');
  expect(() => $.spawn($.oid(node('x')).replace(/./g, '9'), W)).toThrow('Invalid target object');
  expect($.spawnPrefix(5)).toBe(5);
  expect($.spawnPrefix(W.$new())).toBeInstanceOf($.Walker);
});

test('exits directly after entries, as the oldest programs had them', () => {
  const log: string[] = [];
  const [a, b] = [node('a'), node('b')];
  $.connect(a, b, 'out');
  const W = walker([
    {
      name: 'in',
      when: 'entry',
      trigger: () => N,
      run: (here, w) => {
        log.push(here.name);
        $.visit(w, $.hops(here, 'node', [{ dir: 'out' }]));
      },
    },
    { name: 'out', when: 'exit', trigger: () => N, run: (here) => void log.push(`-${here.name}`) },
  ]);
  inRuntime({ compatibility: { exitOrder: 'immediate' } }, () => $.spawn(a, W));
  expect(log).toEqual(['a', '-a', 'b', '-b']);
});

test('abilities that wait keep the order, and walks in parallel do not meet', async () => {
  const log: string[] = [];
  const W = walker(
    [
      {
        name: 'in',
        when: 'entry',
        trigger: () => N,
        run: async (here, w) => {
          await Promise.resolve();
          log.push(here.name);
          expect($.currentWalk()).toBe(w);
          $.visit(undefined, $.hops(here, 'node', [{ dir: 'out' }]));
        },
      },
      {
        name: 'out',
        when: 'exit',
        trigger: () => N,
        run: async (here) => {
          await Promise.resolve();
          log.push(`-${here.name}`);
        },
      },
      { name: 'end', when: 'exit', run: (_, w) => void $.report(w, 'end') },
    ],
    { async: true },
  );
  const [a, b] = [node('a'), node('b')];
  $.connect(a, b, 'out');
  const first = $.spawn(a, W);
  expect(reprOf(first)).toMatch(/^<coroutine object /);
  expect(log).toEqual([]);
  expect((await first).reports).toEqual(['end']);
  expect(log).toEqual(['a', 'b', '-b', '-a']);
  const all: any[] = await Promise.all([$.spawn(a, W), $.spawn(b, W)]);
  expect(all.map((w) => w.reports)).toEqual([['end'], ['end']]);
  const empty = walker([], { async: true });
  expect($.spawn(a, empty, undefined, $.now)).toBeInstanceOf(empty);
});

test('a long walk lets others run where the caller can wait', async () => {
  const [a, b] = [node('a'), node('b')];
  $.connect(a, b, 'out');
  let visits = 0;
  const W = walker(
    [
      {
        name: 'go',
        when: 'entry',
        trigger: () => N,
        run: (_, w) => {
          if (++visits < 200_000) $.visit(w, [b]);
          for (let i = 0; i < 200; i++) Math.sqrt(i);
        },
      },
    ],
    { async: true },
  );
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await $.spawn(a, W);
  clearInterval(timer);
  expect(visits).toBe(200_000);
  expect(turns).toBeGreaterThan(0);
});
