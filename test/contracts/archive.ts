/** Taking everything out of a store and putting it into another one, by the port alone (decisions/0087). */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportLines } from '../../adapters/archive/export-store.ts';
import { openMemoryStore } from '../../adapters/stores/memory/store.ts';
import { openKnownNodes } from '../../adapters/stores/sqlite/known-nodes.ts';
import { openSpool } from '../../adapters/stores/sqlite/spool.ts';
import type { ArchiveLine } from '../../core/archive/archive.ts';
import { checkLines } from '../../core/archive/check-lines.ts';
import { beginImport, importLines, isEmpty, unfinishedImport } from '../../core/archive/import-store.ts';
import { SHARED_ROOT_ID } from '../../core/graph/ids.ts';
import { createRuntime, type Runtime } from '../../core/memory/runtime.ts';
import type { GraphStore } from '../../core/memory/store.ts';
import { type Caller, runUnit } from '../../core/memory/unit.ts';
import * as $ from '../../core/runtime.ts';
import { account, callerOf, type Fixture, item, items, Likes, type OpenedStore, Other } from './store.ts';

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const guest: Caller = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' };

/** Place for an export of the tests. */
export const openTestSpool = () => openSpool(join(tmpdir(), `svc-spool-${randomUUID()}`));

/** The same for the ids of an import's nodes. */
export const openTestNodes = () => openKnownNodes(join(tmpdir(), `svc-nodes-${randomUUID()}`));

export async function linesOf(store: OpenedStore): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportLines(store, true, () => 0, openTestSpool)) lines.push(JSON.stringify(line));
  return lines;
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

/**
 * Gives the content of an archive that stays the same: everything but places in the file and the keys ids are made
 * with; edges in order.
 */
export function content(lines: readonly string[]) {
  const all = lines.map((line) => JSON.parse(line) as ArchiveLine);
  const plain = (kind: string) => all.filter((line) => line.kind === kind).map(({ seq: _, ...rest }: any) => rest);
  const byId = (list: any[]) => list.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { nodes: byId(plain('node')), edges: plain('edge'), accounts: plain('account'), end: all.at(-1) };
}

/** A graph with an account, rules, loops, undirected and owned edges. */
export async function fillForArchive(store: OpenedStore): Promise<void> {
  const runtime = createRuntime({ store: store.graph });
  const ann = account('ann', 1);
  await store.accounts.createAccount(ann);
  await runUnit(runtime, guest, async () => {
    const [a, b] = [item('a', 1), item('b', 2)];
    a.tags.push('x', 'ü\u0000');
    a.extra = { friend: b, list: [1, 2.5, null] };
    $.connect($.root(), [a, b], 'out');
    $.connect(a, b, 'any', Likes, { weight: 7 });
    $.connect(b, a, 'out');
    $.connect(a, a, 'out', Likes);
    $.perm_grant(a, 'CONNECT');
    for (let i = 0; i < 70; i++) $.connect(b, i % 2 === 0 ? item(`i${i}`, i) : (Other as any).$new(), 'out');
  });
  const id = await runUnit(runtime, guest, async () => $.oid((await items())[0]));
  await runUnit(runtime, callerOf(ann), async () => {
    const note = item('note');
    $.connect(await $.oget(id), note, 'out');
    $.connect($.root(), note, 'out');
    $.allow_root(note, SHARED_ROOT_ID, 'READ');
  });
}

export function describeArchive(it: (what: string, body: (f: Fixture) => Promise<void>) => void): void {
  it('all of another store can be put into it, and taken out again: ids, order, fields, rules, owners, accounts', async (f) => {
    const from = openMemoryStore();
    await fillForArchive(from);
    const lines = await linesOf(from);
    expect(await isEmpty(f.graph)).toBe(true);
    const known = openTestNodes();
    const loaded = await checkLines(each(lines), known);
    expect(loaded).toMatchObject({ nodes: 3 + 2 + 70 + 1, edges: 2 + 3 + 70 + 2, accounts: 1 });
    await importLines(f, () => each(lines), known);
    known.close();
    expect(await isEmpty(f.graph)).toBe(false);
    expect(content(await linesOf(f))).toEqual(content(lines));
    const look = async () => {
      const [a, b] = await items();
      const far = (await $.hops(b, 'node', [{ dir: 'out' }])) as any[];
      const into = (await $.hops(a, 'node', [{ dir: 'in' }])) as any[];
      return [
        $.repr(a!.tags),
        far.map((x) => x.title ?? '-'),
        into.map((x) => x.title ?? 'root'),
        a!.extra.get('friend') === b,
      ];
    };
    const expected = await runUnit(createRuntime({ store: from.graph }), guest, look);
    expect(await f.run(look)).toEqual(expected);
    // The imported store goes on living.
    const near = async () => ((await $.hops((await items())[0], 'node', [{ dir: 'out' }])) as any[]).length;
    const before = await f.run(near);
    await f.run(async () => void $.connect((await items())[0], item('new'), 'out'));
    expect(await f.run(near)).toBe(before + 1);
  });
  it('an import that breaks off at any step is finished by the next one, and by no other archive', async (f) => {
    const from = openMemoryStore();
    await fillForArchive(from);
    const lines = (await linesOf(from)).map(withAttic);
    const begin = (digest: string) => beginImport(f, { digest, name: `${digest}.jsonl` }, 1_790_000_000_000);
    expect(await begin('other')).toBe('begins'); // and got no further
    let breaks = 0;
    for (let isDone = false; !isDone; ) {
      expect(await begin('this')).toBe(breaks === 0 ? 'begins' : 'goes on');
      // One commit each time; every second one is done although nobody hears of it.
      let left = 1;
      const graph: GraphStore = {
        ...f.graph,
        async commit(unit) {
          if (left-- > 0) return await f.graph.commit(unit);
          breaks++;
          if (breaks % 2 === 0) await f.graph.commit(unit);
          throw new Error('broken off');
        },
      };
      const work = importLines({ graph, accounts: f.accounts }, () => each(lines), openTestNodes(), breaks > 0);
      isDone = await work.then(
        () => true,
        (error) => {
          expect(error.message).toBe('broken off');
          return false;
        },
      );
      if (!isDone) expect(await begin('other')).toBe('another');
      expect(await unfinishedImport(f)).toBe(isDone ? undefined : 'this.jsonl');
      expect(breaks, 'each try gets further').toBeLessThan(40);
    }
    expect(breaks).toBeGreaterThan(3);
    expect(content(await linesOf(f))).toEqual(content(lines));
    expect(await begin('this')).toBe('full');
  });
}

/**
 * `open`: a new store over the data of that name, as another process would open it. `holds`: it can hold a moment; how an export goes by
 * versions is tested of every store.
 */
export function describeExportWhileWriting(
  store: string,
  holds: boolean,
  open: (name: string) => Promise<OpenedStore>,
): void {
  const exported = async (name: string, reading: (graph: GraphStore) => GraphStore) => {
    const [here, there] = [await open(name), await open(name)];
    try {
      expect(here.graph.snapshot !== undefined).toBe(holds);
      await exportWhileWriting({ ...here, graph: reading(here.graph) }, createRuntime({ store: there.graph }));
    } finally {
      await here.graph.close();
      await there.graph.close();
    }
  };
  const what = `${store}: what is exported while others write is of one moment`;
  if (holds) test(`${what}, by a moment that the store holds`, () => exported('held', (graph) => graph));
  test(`${what}, by versions`, () => exported('versions', ({ snapshot: _, ...graph }) => graph));
}

/** Each unit moves one from the first item to the second and leaves a note of it at the first. */
async function exportWhileWriting(from: OpenedStore, writing: Runtime): Promise<void> {
  await runUnit(writing, guest, () => $.connect($.root(), [item('from', 100), item('to')], 'out'));
  const move = async () => {
    const [one, other] = await items();
    one!.count--;
    other!.count++;
    $.connect(one, item('note'), 'out');
  };
  let isOver = false;
  let moved = 0;
  const write = async () => {
    while (!isOver) {
      await runUnit(writing, guest, move);
      moved++;
      await sleep(2);
    }
  };
  const writer = write();
  try {
    while (moved < 5) await sleep(1);
    for (let i = 0; i < 2; i++) {
      const before = moved;
      const { header, counts } = await countsOf(from);
      expect(header).toMatchObject({ of_one_moment: true });
      expect(counts.to, 'what was answered before is in it').toBeGreaterThanOrEqual(before);
      expect(counts).toEqual({ from: 100 - counts.to, to: counts.to, notes: counts.to, edges: counts.to + 2 });
      // Nobody is kept out any more.
      while (moved < before + 3) await sleep(1);
    }
  } finally {
    isOver = true;
    await writer;
  }
}

async function countsOf(store: OpenedStore) {
  const lines = (await linesOf(store)).map((line) => JSON.parse(line));
  const countOf = (title: string) => lines.find(({ data }) => data?.title === title).data.count as number;
  const notes = lines.filter(({ data }) => data?.title === 'note').length;
  const edges = lines.filter(({ kind }) => kind === 'edge').length;
  return { header: lines[0], counts: { from: countOf('from'), to: countOf('to'), notes, edges } };
}

/** Some objects have fields that their type has no more. */
function withAttic(text: string): string {
  const line = JSON.parse(text) as ArchiveLine;
  if ((line.kind !== 'node' && line.kind !== 'edge') || !/^[0-3]/.test(line.id)) return text;
  return line.kind === 'node' && line.owner === line.id ? text : JSON.stringify({ ...line, attic: { old: 1 } });
}
