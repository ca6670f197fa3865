import { expect, test } from 'vitest';
import { UUID } from '../../library/modules/uuid.ts';
import { SYSTEM_ROOT_ID } from '../graph/ids.ts';
import { createRuntime } from '../memory/runtime.ts';
import { type Caller, runUnit } from '../memory/unit.ts';
import { openVolatileStore } from '../memory/volatile-store.ts';
import * as $ from '../runtime.ts';
import { levelOrNone, requireLevel } from './levels.ts';

class Hooked extends $.Node {
  declare level: unknown;
  __svc_access__() {
    if (this.level === 'fail') throw new $.ValueError('no');
    return this.level;
  }
}
$.archetype(Hooked, {
  kind: 'node',
  name: 'Hooked',
  module: 'access_test',
  fields: [{ name: 'level', type: { t: 'any' } }],
  abilities: [],
});
class Gate extends $.Edge {
  declare level: unknown;
  __svc_access__() {
    if (this.level === 'fail') throw new $.ValueError('no');
    return this.level;
  }
}
$.archetype(Gate, {
  kind: 'edge',
  name: 'Gate',
  module: 'access_test',
  fields: [{ name: 'level', type: { t: 'any' }, literal: null, default: () => null }],
  abilities: [],
});
class Wall extends $.Edge {
  __svc_access__() {
    return 'NO_ACCESS';
  }
}
$.archetype(Wall, { kind: 'edge', name: 'Wall', module: 'access_test', fields: [], abilities: [] });
class Plain extends $.Node {}
$.archetype(Plain, { kind: 'node', name: 'Plain', module: 'access_test', fields: [], abilities: [] });

function open() {
  const store = openVolatileStore();
  const runtime = createRuntime({ store });
  const [ann, bob] = ['a', 'b'].map((digit): Caller => {
    store.addRoot(digit.repeat(32));
    return { rootId: digit.repeat(32), userId: digit, kind: 'user' };
  }) as [Caller, Caller];
  const as = async <T>(caller: Caller, work: () => T | Promise<T>) => runUnit(runtime, caller, work);
  return { ann, bob, as };
}

test('levels come as members, names or numbers', () => {
  const levels = $.b['AccessLevel'];
  expect([levels.READ, 'WRITE', -1, 1, 'read', 3, true, null].map(levelOrNone)).toEqual([
    0,
    2,
    -1,
    1,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(() => requireLevel('nope')).toThrow("invalid access level: 'nope' (NO_ACCESS, READ, CONNECT or WRITE)");
  expect($.b['WritePerm']).toBe(levels.WRITE);
});

test('a type may decide by itself, but not over its owner', async () => {
  const { ann, bob, as } = open();
  const make = (level: unknown) =>
    as(ann, () => {
      const x = (Hooked as any).$new(level);
      $.connect($.root(), x, 'out');
      return $.oid(x);
    });
  const [readable, hidden, failing, undecided] = [
    await make('READ'),
    await make('NO_ACCESS'),
    await make('fail'),
    await make(null),
  ];
  await as(ann, () => void [hidden, failing, undecided].map((id) => $.perm_grant($.oget(id), 'READ')));
  const visible = (id: string) => as(bob, () => $.oget(id) !== null);
  expect([await visible(readable), await visible(hidden), await visible(failing), await visible(undecided)]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect(await as(ann, () => $.oget(hidden) !== null)).toBe(true);
});

test('an edge type may decide by itself whether its edges are followed', async () => {
  const { ann, bob, as } = open();
  const hub = await as(ann, () => {
    const from = (Plain as any).$new();
    $.connect($.root(), from, 'out');
    $.perm_grant(from, 'READ');
    for (const level of ['READ', 'NO_ACCESS', 'fail', null, 'wall', undefined]) {
      const far = (Hooked as any).$new('READ');
      const edge = level === 'wall' ? Wall : level === undefined ? undefined : (Gate as any).$new(level);
      $.connect(from, far, 'out', edge);
    }
    return $.oid(from);
  });
  const shown = (caller: Caller, want: 'node' | 'edge', dir: 'out' | 'any') =>
    as(caller, () => ($.hops($.oget(hub), want, [{ dir }]) as unknown[]).length);
  for (const dir of ['out', 'any'] as const) {
    expect(await shown(bob, 'node', dir)).toBe(3);
    expect(await shown(bob, 'edge', dir)).toBe(3);
  }
  expect(await shown(ann, 'node', 'out')).toBe(6);
});

test('rules of a root apply to everything it owns unless an object says otherwise', async () => {
  const { ann, bob, as } = open();
  const [one, other] = await as(ann, () => {
    const made = [(Plain as any).$new(), (Plain as any).$new()];
    $.connect($.root(), made, 'out');
    $.perm_revoke(made[1]);
    return made.map((x) => $.oid(x));
  });
  const seen = () => as(bob, () => [one, other].map((id) => $.oget(id) !== null));
  expect(await seen()).toEqual([false, false]);
  await as(ann, () => void $.perm_grant($.root(), 'READ'));
  expect(await seen()).toEqual([true, false]);
  await as(ann, () => void $.allow_root($.oget(one), 'b'.repeat(32), 'NO_ACCESS'));
  expect(await seen()).toEqual([false, false]);
  await as(ann, () => {
    expect($.disallow_root($.oget(one), new UUID('b'.repeat(32)))).toBe(true);
    expect($.disallow_root($.oget(one), 'b'.repeat(32))).toBe(false);
    $.allow_root($.oget(other), 'b'.repeat(32), 'WRITE');
  });
  expect(await seen()).toEqual([true, true]);
});

test('allroots says once per place that nobody else has opened a root', async () => {
  const lines: string[] = [];
  const store = openVolatileStore();
  const runtime = createRuntime({ store, compatibility: { warn: (line) => void lines.push(line) } });
  const callers = ['a', 'b'].map((digit): Caller => ({ rootId: digit.repeat(32), userId: digit, kind: 'user' }));
  const [ann, bob] = callers as [Caller, Caller];
  const count = (caller: Caller) => runUnit(runtime, caller, async () => (await $.allroots()).length);
  store.addRoot(ann.rootId);
  await count(ann);
  expect(lines).toEqual([]);
  store.addRoot(bob.rootId);
  await runUnit(runtime, bob, () => void $.perm_grant($.root(), 'READ'));
  await count(ann);
  expect(lines).toEqual([]);
  await count(bob);
  await count(bob);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^svc: allroots\(\) gives only roots that the caller may read: /);
});

test('only owner and system change rules; a grant of the unit itself does not widen its rights', async () => {
  const { ann, bob, as } = open();
  const id = await as(ann, () => {
    const x = (Plain as any).$new();
    $.connect($.root(), x, 'out');
    $.perm_grant(x, 'WRITE');
    return $.oid(x);
  });
  await expect(as(bob, () => $.perm_revoke($.oget(id)))).rejects.toMatchObject({
    failure: {
      code: 'PERMISSION_DENIED',
      details: { object: id, type: 'Plain', operation: 'access', required: 'WRITE', effective: 'WRITE' },
    },
  });
  expect(await as({ rootId: SYSTEM_ROOT_ID, userId: null, kind: 'system' }, () => $.perm_revoke($.oget(id)))).toBe(
    true,
  );
  expect(await as(bob, () => $.oget(id))).toBe(null);
});

test('a right that is revoked while the unit runs stops its commit', async () => {
  const { ann, bob, as } = open();
  const id = await as(ann, () => {
    const x = (Hooked as any).$new(null);
    $.connect($.root(), x, 'out');
    $.perm_grant(x, 'WRITE');
    return $.oid(x);
  });
  let revoke: Promise<unknown> | undefined;
  const write = as(bob, async () => {
    const x = $.oget(id) as any;
    if (x === null) throw new $.ValueError('gone');
    x.level = 'READ';
    revoke ??= as(ann, () => $.perm_revoke($.oget(id)));
    await revoke;
  });
  await expect(write).rejects.toThrow('gone');
  expect(await as(ann, () => ($.oget(id) as any).level)).toBe(null);
});

test('whoever runs a unit is told of new rules once they are stored, and only then', async () => {
  const store = openVolatileStore();
  const runtime = createRuntime({ store });
  store.addRoot('a'.repeat(32));
  const ann: Caller = { rootId: 'a'.repeat(32), userId: 'a', kind: 'user' };
  const told: string[][] = [];
  const onRulesChanged = (objects: ReadonlySet<object>) => void told.push([...objects].map((x) => $.oid(x)));
  const run = async <T>(work: () => T | Promise<T>) => runUnit(runtime, ann, work, { onRulesChanged });
  const id = await run(() => {
    const x = (Plain as any).$new();
    $.connect($.root(), x, 'out');
    return $.oid(x);
  });
  expect(told).toEqual([]);
  const grant = async () => $.b['perm_grant'](await $.b['jobj'](id), 'READ');
  await expect(
    run(async () => {
      await grant();
      throw new Error('given up');
    }),
  ).rejects.toThrow('given up');
  expect(told).toEqual([]);
  await run(grant);
  expect(told).toEqual([[id]]);
  await run(grant); // changes nothing
  expect(told).toEqual([[id]]);
});
