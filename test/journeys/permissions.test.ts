/**
 * Permissions on graph objects (docs/server/permissions.md) through a real server: random graphs of two users and the
 * guests, random rules, random operations by every path to an object. What the server lets through must be what a
 * separate reading of the rules (permissions/model.ts) says.
 */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createRandom } from '../harness/random.ts';
import { copyApp, post, type RunningServer, register, removeFolder, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { type Item, levelNames, Model, SHARED_ROOT } from './permissions/model.ts';

const folder = copyApp(join(import.meta.dirname, 'permissions'));
const servers: RunningServer[] = [];
afterAll(async () => {
  for (const server of servers) await server.stop();
  removeFolder(folder);
});
const start = async (env: Record<string, string> = {}) => {
  const server = await startServer({ folder, env });
  servers.push(server);
  return server;
};

interface User {
  readonly rootId: string;
  readonly token: string | undefined;
}

/** Answer that an operation must give: the one report, or the refusal. */
type Expected = { readonly report: unknown } | { readonly denied: Record<string, unknown> } | { readonly code: string };

class Player {
  readonly model = new Model();
  /** Operations with how they ended. */
  readonly seen = new Set<string>();
  private readonly random: () => number;
  private users: User[];
  base: string;

  constructor(base: string, users: User[], seed: number) {
    this.base = base;
    this.users = users;
    for (const { rootId } of users) this.model.addRoot(rootId);
    this.random = createRandom(seed).unit;
  }

  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]!;
  }

  private ownerOf(id: string): User {
    const { owner } = this.model.thing(id)!;
    return this.users.find(({ rootId }) => rootId === owner)!;
  }

  private call(user: User, path: string, body: unknown = {}): Promise<any> {
    return post(this.base, path, body, user.token);
  }

  async step(): Promise<void> {
    const user = this.pick(this.users);
    const { model } = this;
    const items = [...model.items.keys()];
    const links = [...model.links.keys()];
    const nodes = [...model.roots.keys(), ...items];
    if (items.length < 6) return this.make(user, this.pick(nodes));
    const [item, other, node] = [this.pick(items), this.pick(items), this.pick(nodes)];
    const link = links.length > 0 ? this.pick(links) : undefined;
    const any = this.pick([...nodes, ...links]);
    const moves: (() => Promise<unknown>)[] = [
      () => this.make(user, node),
      () =>
        this.walk(
          user,
          'Get',
          { id: item },
          this.ifSeen(user, item, () => (model.items.get(item) as Item).n),
        ),
      () => this.far(user, node),
      () => this.far(user, item),
      () => this.ends(user, link),
      () => this.change(user, item),
      () => this.change(user, item),
      () => this.tag(user, item),
      () => this.weigh(user, link),
      () => this.join(user, node, other),
      () => this.join(user, item, node),
      () => this.join(user, item, other),
      () => this.join(user, other, item),
      () => this.cut(user, node, other),
      () => this.dropItem(user, item),
      () => this.dropLink(user, link),
      () => this.save(user, item),
      () => this.point(user, item, other),
      () => this.deref(user, item),
      () => this.rules(user, any),
      () => this.rules(user, any),
      () => this.rules(user, any),
      () => this.rules(user, item),
      () => this.rules(user, user.rootId),
      () => this.rules(user, user.rootId),
      () => this.rules(this.ownerOf(any), any),
      () => this.rules(this.ownerOf(item), item),
      () => this.roots(user),
      () => this.byPath(user, item),
      () => this.typed(user, item),
      () => this.traverse(user, any),
    ];
    await this.pick(moves)();
  }

  private async walk(user: User, name: string, body: Record<string, unknown>, expected: Expected): Promise<boolean> {
    const answer = await this.call(user, `/walker/${name}`, body);
    const context = JSON.stringify({ name, body, caller: user.rootId, expected, answer });
    const kind = 'report' in expected ? 'done' : 'denied' in expected ? 'denied' : expected.code;
    this.seen.add(`${name} ${kind}`);
    if ('report' in expected) {
      expect(answer.ok, context).toBe(true);
      expect(answer.data.reports, context).toEqual([expected.report]);
      return true;
    }
    expect(answer.data, context).toBe(null);
    if ('denied' in expected) {
      expect(answer.error.code, context).toBe('PERMISSION_DENIED');
      expect(answer.error.details, context).toMatchObject(expected.denied);
    } else expect(answer.error.code, context).toBe(expected.code);
    return false;
  }

  private ifSeen(user: User, id: string, then: () => unknown): Expected {
    return { report: this.model.sees(user.rootId, id) ? then() : null };
  }

  /**
   * Gives the refusal of an operation that needs a level on an object the caller sees; undefined when the level is
   * there.
   */
  private needs(user: User, id: string, operation: string, required: number): Expected | undefined {
    const effective = this.model.level(user.rootId, id);
    if (effective >= required) return undefined;
    const [needed, has] = [levelNames[required + 1], levelNames[effective + 1]];
    return { denied: { object: id, operation, required: needed, effective: has } };
  }

  private async make(user: User, on: string): Promise<void> {
    const body = { n: Math.floor(this.random() * 100), on };
    if (!this.model.sees(user.rootId, on)) return void (await this.walk(user, 'Make', body, { report: null }));
    const refused = this.needs(user, on, 'connect', 1);
    if (refused !== undefined) return void (await this.walk(user, 'Make', body, refused));
    const answer = await this.call(user, '/walker/Make', body);
    const id = answer.data.reports[0] as string;
    const thing = { owner: user.rootId, all: null };
    this.model.items.set(id, { ...thing, roots: new Map(), id, n: body.n, ref: null, tags: [] });
    const all = await this.call(user, '/walker/Far', { id: on });
    const link = all.data.reports[0][2].at(-1) as string;
    this.model.links.set(link, { ...thing, roots: new Map(), id: link, source: on, target: id });
  }

  private async far(user: User, id: string): Promise<void> {
    const { model } = this;
    const unique = (list: string[]) => [...new Set(list)];
    const expected = this.ifSeen(user, id, () => [
      unique(model.shown(user.rootId, id, 'out').map((link) => link.target)),
      unique(model.shown(user.rootId, id, 'in').map((link) => link.source)),
      model.shown(user.rootId, id, 'any').map((link) => link.id),
    ]);
    await this.walk(user, 'Far', { id }, expected);
  }

  private async ends(user: User, id: string | undefined): Promise<void> {
    if (id === undefined) return;
    const { source, target } = this.model.links.get(id)!;
    const seen = (end: string) => (this.model.sees(user.rootId, end) ? end : null);
    const onward = (): number =>
      new Set(this.model.shown(user.rootId, target, 'out').map((link) => link.target)).size * (seen(target) ? 1 : 0);
    await this.walk(
      user,
      'Ends',
      { id },
      this.ifSeen(user, id, () => [seen(source), seen(target), onward()]),
    );
  }

  private async change(user: User, id: string): Promise<void> {
    const n = Math.floor(this.random() * 1000);
    if (!this.model.sees(user.rootId, id)) return void (await this.walk(user, 'Change', { id, n }, { report: null }));
    const refused = this.needs(user, id, 'write', 2);
    if (await this.walk(user, 'Change', { id, n }, refused ?? { report: 'changed' })) this.model.items.get(id)!.n = n;
  }

  private async tag(user: User, id: string): Promise<void> {
    const n = Math.floor(this.random() * 1000);
    const item = this.model.items.get(id)!;
    if (!this.model.sees(user.rootId, id)) return void (await this.walk(user, 'Tag', { id, n }, { report: null }));
    const refused = this.needs(user, id, 'write', 2);
    if (await this.walk(user, 'Tag', { id, n }, refused ?? { report: [...item.tags, n] })) item.tags.push(n);
  }

  private async weigh(user: User, id: string | undefined): Promise<void> {
    if (id === undefined) return;
    if (!this.model.sees(user.rootId, id)) return void (await this.walk(user, 'Weigh', { id, w: 1 }, { report: null }));
    const w = Math.floor(this.random() * 1000);
    await this.walk(user, 'Weigh', { id, w }, this.needs(user, id, 'write', 2) ?? { report: 'changed' });
  }

  private async join(user: User, a: string, b: string): Promise<void> {
    const sees = this.model.sees(user.rootId, a) && this.model.sees(user.rootId, b);
    if (!sees) return void (await this.walk(user, 'Join', { a, b }, { report: null }));
    const refused = this.needs(user, a, 'connect', 1) ?? this.needs(user, b, 'connect', 1);
    if (refused !== undefined) return void (await this.walk(user, 'Join', { a, b }, refused));
    const answer = await this.call(user, '/walker/Join', { a, b });
    expect(answer.ok, JSON.stringify({ a, b, answer })).toBe(true);
    const id = answer.data.reports[0] as string;
    this.model.links.set(id, { id, owner: user.rootId, all: null, roots: new Map(), source: a, target: b });
  }

  private async cut(user: User, a: string, b: string): Promise<void> {
    const { model } = this;
    const { rootId } = user;
    if (!model.sees(rootId, a) || !model.sees(rootId, b))
      return void (await this.walk(user, 'Cut', { a, b }, { report: null }));
    const between = [...model.links.values()].filter((link) => link.source === a && link.target === b);
    const met = between.filter((link) => model.sees(rootId, link.id) || model.mayCut(rootId, link));
    const stuck = met.find((link) => !model.mayCut(rootId, link));
    const refused = stuck && { denied: { object: stuck.id, operation: 'disconnect', required: 'WRITE' } };
    if (await this.walk(user, 'Cut', { a, b }, refused ?? { report: met.length > 0 })) {
      for (const link of met) model.drop(link.id);
    }
  }

  private async dropItem(user: User, id: string): Promise<void> {
    if (this.random() < 0.5) return;
    if (!this.model.sees(user.rootId, id)) return void (await this.walk(user, 'Drop', { id }, { report: null }));
    if (await this.walk(user, 'Drop', { id }, this.needs(user, id, 'delete', 2) ?? { report: 'dropped' }))
      this.model.drop(id);
  }

  private async dropLink(user: User, id: string | undefined): Promise<void> {
    if (id === undefined) return;
    if (!this.model.sees(user.rootId, id)) return void (await this.walk(user, 'Drop', { id }, { report: null }));
    const may = this.model.mayCut(user.rootId, this.model.links.get(id)!);
    const refused = { denied: { object: id, operation: 'delete', required: 'WRITE' } };
    if (await this.walk(user, 'Drop', { id }, may ? { report: 'dropped' } : refused)) this.model.drop(id);
  }

  private async save(user: User, id: string): Promise<void> {
    if (!this.model.sees(user.rootId, id)) return void (await this.walk(user, 'Save', { id }, { report: null }));
    await this.walk(user, 'Save', { id }, this.needs(user, id, 'write', 2) ?? { report: 'saved' });
  }

  private async point(user: User, id: string, other: string): Promise<void> {
    const sees = this.model.sees(user.rootId, id) && this.model.sees(user.rootId, other);
    if (!sees) return void (await this.walk(user, 'Point', { id, other }, { report: null }));
    if (await this.walk(user, 'Point', { id, other }, this.needs(user, id, 'write', 2) ?? { report: 'changed' }))
      this.model.items.get(id)!.ref = other;
  }

  private async deref(user: User, id: string): Promise<void> {
    const { ref } = this.model.items.get(id)!;
    const seen = ref !== null && this.model.sees(user.rootId, ref) ? ref : null;
    await this.walk(
      user,
      'Deref',
      { id },
      this.ifSeen(user, id, () => seen),
    );
  }

  private async rules(user: User, id: string): Promise<void> {
    const { model } = this;
    const thing = model.thing(id)!;
    const level = Math.floor(this.random() * 4) - 1;
    const root = this.pick(this.users).rootId;
    const had = thing.roots.get(root);
    const setAll = (to: number): void => {
      thing.all = to;
    };
    type Change = readonly [name: string, body: Record<string, unknown>, changes: boolean, apply: () => unknown];
    const changesOfRules: readonly Change[] = [
      ['Grant', { id, level: levelNames[level + 1] }, thing.all !== level, () => setAll(level)],
      ['Grant', { id, level: levelNames[level + 1] }, thing.all !== level, () => setAll(level)],
      ['Revoke', { id }, thing.all !== -1, () => setAll(-1)],
      ['Allow', { id, root_id: root, level }, had !== level, () => thing.roots.set(root, level)],
      ['Disallow', { id, root_id: root }, had !== undefined, () => thing.roots.delete(root)],
    ];
    const [name, body, changes, apply] = this.pick(changesOfRules);
    if (!model.sees(user.rootId, id)) return void (await this.walk(user, name, body, { report: null }));
    const isOwner = thing.owner === user.rootId;
    const refused = { denied: { object: id, operation: 'access', required: 'WRITE' } };
    if (await this.walk(user, name, body, isOwner ? { report: changes } : refused)) apply();
  }

  private async roots(user: User): Promise<void> {
    const { roots } = this.model;
    const seen = [...roots.keys()].filter((id) => this.model.sees(user.rootId, id));
    const answer = await this.call(user, '/walker/Roots');
    // Roots of users of another run do not count.
    expect(answer.data.reports[0].filter((id: string) => roots.has(id)).toSorted()).toEqual(seen.toSorted());
  }

  private async byPath(user: User, id: string): Promise<void> {
    const seen = this.model.sees(user.rootId, id);
    const { n } = this.model.items.get(id)!;
    await this.walk(user, `Here/${id}`, {}, seen ? { report: n } : { code: 'NODE_NOT_FOUND' });
  }

  private async typed(user: User, id: string): Promise<void> {
    const { model } = this;
    const { n, ref, tags } = model.items.get(id)!;
    if (!model.sees(user.rootId, id))
      return void (await this.walk(user, 'Typed', { item: id }, { code: 'VALIDATION_ERROR' }));
    const answer = await this.call(user, '/walker/Typed', { item: id });
    expect(answer.ok, JSON.stringify({ id, caller: user.rootId, owner: model.items.get(id)!.owner, answer })).toBe(
      true,
    );
    const shown = ref !== null && model.sees(user.rootId, ref) ? ref : undefined;
    const { n: gotN, ref: gotRef, tags: gotTags } = answer.data.reports[0];
    expect([gotN, gotTags, gotRef?._svc_id ?? gotRef?.$ref]).toEqual([n, tags, shown]);
  }

  private async traverse(user: User, id: string): Promise<void> {
    if (user.token === undefined) return;
    const { model } = this;
    const depth = this.pick([0, 1, 2, -1]);
    const answer = await this.call(user, '/traverse', { source: id, depth });
    if (!model.sees(user.rootId, id)) return void expect(answer.error.code).toBe('NODE_NOT_FOUND');
    const distance = new Map<string, number>();
    const source = model.links.get(id);
    if (source === undefined) distance.set(id, 0);
    else if (depth !== 0) {
      for (const end of [source.source, source.target]) if (model.sees(user.rootId, end)) distance.set(end, 1);
    }
    const edges = new Set(source === undefined ? [] : [id]);
    for (const [node, at] of distance) {
      if (depth >= 0 && at >= depth) continue;
      for (const link of model.shown(user.rootId, node, 'any')) {
        edges.add(link.id);
        const far = link.source === node ? link.target : link.source;
        if (!distance.has(far)) distance.set(far, at + 1);
      }
    }
    const ids = (list: { id: string }[]) => list.map((x) => x.id).toSorted();
    const context = JSON.stringify({ id, depth, caller: user.rootId });
    expect(ids(answer.data.nodes), context).toEqual([...distance.keys()].toSorted());
    expect(ids(answer.data.edges), context).toEqual([...edges].toSorted());
  }
}

const seeds = process.env['PERMISSION_SEEDS']?.split(',').map(Number) ?? [1, 2, Math.floor(Math.random() * 2 ** 31)];

test('what is let through is what the rules say, also after a restart', { timeout: 300_000 }, async () => {
  let server = await start();
  const counted = new Set<string>();
  for (const [i, seed] of seeds.entries()) {
    const users = [await register(server.base, `ann${i}`), await register(server.base, `bob${i}`)];
    const player = new Player(
      server.base,
      [...users, ...(i === 0 ? [{ rootId: SHARED_ROOT, token: undefined }] : [])],
      seed,
    );
    for (let n = 0; n < 300; n++) {
      if (n === 200 && i === 0) {
        await server.stop();
        server = await start();
        player.base = server.base;
      }
      await player.step().catch((error) => {
        error.message = `seed ${seed}, step ${n}: ${error.message}`;
        throw error;
      });
    }
    for (const seen of player.seen) counted.add(seen);
  }
  // The run is worth something only when refusals of each kind came up.
  if (process.env['PERMISSION_SEEDS'] !== undefined) return;
  const denied = (...operations: string[]) => operations.some((operation) => counted.has(`${operation} denied`));
  expect([
    denied('Change', 'Tag', 'Weigh', 'Point', 'Save'),
    denied('Grant', 'Revoke', 'Allow', 'Disallow'),
    denied('Join', 'Make'),
    denied('Drop', 'Cut'),
  ]).toEqual([true, true, true, true]);
});

const call = async (base: string, user: User, name: string, body: unknown = {}) =>
  post(base, `/walker/${name}`, body, user.token);

test('on_denied = "warn": the change is dropped and told, the rest of the call is stored', async () => {
  await using server = await start({ SVC_PERMISSIONS_ON_DENIED: 'warn' });
  const { base } = server;
  const [ada, ben] = [await register(base, 'ada'), await register(base, 'ben')];
  const id = (await call(base, ada, 'Make', { n: 1 })).reports[0];
  await call(base, ada, 'Grant', { id, level: 'READ' });
  const changed = await call(base, ben, 'Change', { id, n: 7 });
  expect([changed.status, changed.data.warnings]).toEqual([
    200,
    [expect.stringMatching(/write on Item .* needs WRITE/)],
  ]);
  // In place: what is answered is what is stored. What is the caller's own is stored.
  const twice = await call(base, ben, 'Twice', { id, n: 9 });
  expect(twice.data).toMatchObject({
    reports: [{ n: 1, tags: [] }],
    warnings: [expect.stringContaining('needs WRITE')],
  });
  expect((await call(base, ada, 'Get', { id })).reports).toEqual([1]);
  expect((await call(base, ada, 'Typed', { item: id })).reports[0].tags).toEqual([]);
  const joined = await call(base, ben, 'Join', { a: ben.rootId, b: id });
  expect([joined.status, joined.data.warnings.length]).toEqual([200, 1]);
  expect((await call(base, ada, 'Far', { id })).reports[0][2]).toHaveLength(1);
});

test('a denied change may be caught, and nothing of a call that ends in one is stored', async () => {
  await using server = await start();
  const { base } = server;
  const [cay, dan] = [await register(base, 'cay'), await register(base, 'dan')];
  const id = (await call(base, cay, 'Make', { n: 1 })).reports[0];
  await call(base, cay, 'Grant', { id, level: 'CONNECT' });
  // The assignment is caught, the change in place is not: the new item goes with it.
  const twice = await call(base, dan, 'Twice', { id, n: 9 });
  expect([twice.status, twice.error.code]).toEqual([403, 'PERMISSION_DENIED']);
  const own = await post(base, '/traverse', { depth: -1 }, dan.token);
  expect(own.data.nodes).toHaveLength(1);
});

test('a reference the writer may not read is kept when it writes something else', async () => {
  await using server = await start();
  const { base } = server;
  const [eva, fay] = [await register(base, 'eva'), await register(base, 'fay')];
  const [id, hidden] = [
    (await call(base, eva, 'Make', { n: 1 })).reports[0],
    (await call(base, eva, 'Make', { n: 2 })).reports[0],
  ];
  await call(base, eva, 'Point', { id, other: hidden });
  await call(base, eva, 'Allow', { id, root_id: fay.rootId, level: 2 });
  expect((await call(base, fay, 'Deref', { id })).reports).toEqual([null]);
  expect((await call(base, fay, 'Tag', { id, n: 5 })).reports).toEqual([[5]]);
  expect((await call(base, fay, 'Change', { id, n: 6 })).reports).toEqual(['changed']);
  expect((await call(base, eva, 'Deref', { id })).reports).toEqual([hidden]);
});

test('traverse_requires = "connect": READ shows an object by its id but leads nowhere', async () => {
  await using server = await start({ SVC_PERMISSIONS_TRAVERSE_REQUIRES: 'connect' });
  const { base } = server;
  const [gus, hal] = [await register(base, 'gus'), await register(base, 'hal')];
  const id = (await call(base, gus, 'Make', { n: 1 })).reports[0];
  for (const [level, here, visited] of [
    ['READ', 404, []],
    ['CONNECT', 200, [1]],
  ] as const) {
    await call(base, gus, 'Grant', { id, level });
    expect((await call(base, hal, 'Get', { id })).reports).toEqual([1]);
    expect((await call(base, hal, `Here/${id}`)).status ?? 200).toBe(here);
    expect((await call(base, hal, 'Arrive', { id })).reports).toEqual(visited);
  }
});

test('a level is a field like another: named in a call, refused where there is none, kept in the store', async () => {
  using program = folderWith({
    'main.svc': `node Team { has members: dict[str, AccessLevel] = {}, all: AccessLevel = NO_ACCESS; }
walker:pub Let {
    has who: str, level: AccessLevel;
    can go with Root entry {
        team = [-->[?:Team]][0] if [-->[?:Team]] else here ++> Team(all=CONNECT);
        team.members[self.who] = self.level;
        report [self.level == WRITE, self.level.name];
    }
}
walker:pub Levels {
    can go with Root entry { for team in [-->[?:Team]] { report [{who: level.name for (who, level) in team.members.items()}, team.all.name]; } }
}
`,
  });
  for (const who of ['ann', 'bob']) {
    await using server = await startServer({ folder: program.path });
    expect((await post(server.base, '/walker/Let', { who, level: 'WRITE' })).reports).toEqual([[true, 'WRITE']]);
    expect((await post(server.base, '/walker/Let', { who: 'eve', level: 'ALL' })).error.message).toBe(
      'level must be NO_ACCESS, READ, CONNECT or WRITE',
    );
    await server.stop();
  }
  await using server = await startServer({ folder: program.path });
  expect((await post(server.base, '/walker/Levels')).reports).toEqual([[{ ann: 'WRITE', bob: 'WRITE' }, 'CONNECT']]);
});
