/**
 * Random commits under subscriptions: each value that is delivered is what a run at one commit gives, no commit is older than that of the value
 * before, and the last value is the final state (docs/server/live.md#runs).
 */
import { expect, test } from 'vitest';
import { answeringLater } from '../../test/harness/answering-later.ts';
import { createRandom } from '../../test/harness/random.ts';
import { currentContext } from '../memory/context.ts';
import { createRuntime } from '../memory/runtime.ts';
import type { Session } from '../memory/session.ts';
import type { GraphStore } from '../memory/store.ts';
import { runUnit } from '../memory/unit.ts';
import { openVolatileStore } from '../memory/volatile-store.ts';
import * as $ from '../runtime.ts';
import { createCommitFeed } from './commit-feed.ts';
import { liveReadsOf } from './live-reads.ts';
import { createLiveRuns, type LiveRuns } from './live-runs.ts';
import { LiveValue } from './live-value.ts';

class Item extends $.Node {
  declare n: number;
  declare open: boolean;
}
$.archetype(Item, {
  kind: 'node',
  name: 'Item',
  module: 'live_history',
  fields: [
    { name: 'n', type: { t: 'int' } },
    { name: 'open', type: { t: 'bool' }, literal: true, default: () => true },
  ],
  abilities: [],
});
class Board extends $.Node {}
$.archetype(Board, { kind: 'node', name: 'Board', module: 'live_history', fields: [], abilities: [] });

const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 1_000_000);
const people = 5;
const rootId = (who: number) => String(who + 1).repeat(32);
const callerOf = (who: number) => ({ rootId: rootId(who), userId: `u${who}`, kind: 'user' as const });
const itemsAt = async (node: unknown) => (await $.hops(node, 'node', [{ dir: 'out', nodeType: Item }])) as Item[];
const make = (cls: any, ...args: any[]) => cls.$new(...args);

/** State of the graph as plain data. */
interface Model {
  readonly items: { n: number; open: boolean }[][];
  readonly board: number[];
  readonly readers: Set<number>;
  /** Node of the first person that is shown to everybody at times: then all share one run. */
  readonly notice: { n: number; isOpen: boolean };
}

/** Questions, each with its answer by the model. */
interface Question {
  /** Equal for those that differ in who asks. */
  readonly common: string;
  readonly who: number;
  ask(ids: Ids): Promise<unknown>;
  expect(model: Model): unknown;
}

const allOf = (who: number): Question => ({
  common: 'all',
  who,
  ask: async () => (await itemsAt($.root())).map(({ n, open }) => [n, open]),
  expect: ({ items }) => items[who]!.map(({ n, open }) => [n, open]),
});
const openOf = (who: number): Question => ({
  common: 'open',
  who,
  ask: async () => (await itemsAt($.root())).filter(({ open }) => open).length,
  expect: ({ items }) => items[who]!.filter(({ open }) => open).length,
});
const boardFor = (who: number): Question => ({
  common: 'board',
  who,
  async ask({ boardId }) {
    const board = await $.oget(boardId);
    return board === null ? null : (await itemsAt(board)).map(({ n }) => n);
  },
  expect: ({ board, readers }) => (who === 0 || readers.has(who) ? board : null),
});
const noticeFor = (who: number): Question => ({
  common: 'notice',
  who,
  async ask({ noticeId }) {
    const notice = await $.oget(noticeId);
    return notice === null ? null : (notice as Item).n;
  },
  expect: ({ notice }) => (who === 0 || notice.isOpen ? notice.n : null),
});
const questions = Array.from({ length: people }, (_, who) => [
  allOf(who),
  openOf(who),
  boardFor(who),
  noticeFor(who),
]).flat();

interface Ids {
  readonly boardId: string;
  readonly noticeId: string;
}

function subscribe(
  runs: LiveRuns,
  runtime: ReturnType<typeof createRuntime>,
  question: Question,
  key: string,
  ids: Ids,
) {
  const delivered: string[] = [];
  let session: Session | undefined;
  runs.join(
    {
      key,
      commonKey: question.common,
      target: 'test',
      everyMs: undefined,
      async run() {
        const value = await runUnit(
          runtime,
          callerOf(question.who),
          () => {
            session = currentContext().session;
            return question.ask(ids);
          },
          { isReadOnly: true },
        );
        return { value: new LiveValue(JSON.stringify(value)), reads: liveReadsOf(session!), topics: [] };
      },
    },
    {
      digest: undefined,
      hears() {},
      deliver: ({ text }) => delivered.push(text),
      failed(failure) {
        throw failure;
      },
    },
  );
  return delivered;
}

/** Changes something at random. Gives what does it, and does it to the model. */
function nextChange(random: (below: number) => number, model: Model, n: number, { boardId, noticeId }: Ids) {
  const who = random(people);
  const items = model.items[who]!;
  const at = items.length === 0 ? 0 : random(items.length);
  const kind = random(10);
  if (kind <= 1 || items.length === 0) {
    items.push({ n, open: true });
    return { who, work: () => void $.connect($.root(), make(Item, n), 'out') };
  }
  if (kind === 2 || items.length > 12) {
    items.splice(at, 1);
    return { who, work: async () => void (await $.destroy([(await itemsAt($.root()))[at]])) };
  }
  if (kind <= 4) {
    items[at]!.open = !items[at]!.open;
    const { open } = items[at]!;
    return {
      who,
      async work() {
        (await itemsAt($.root()))[at]!.open = open;
      },
    };
  }
  if (kind === 5) {
    items[at]!.n = n;
    return {
      who,
      async work() {
        (await itemsAt($.root()))[at]!.n = n;
      },
    };
  }
  if (kind === 6) {
    const reader = 1 + random(people - 1);
    const isNew = !model.readers.has(reader);
    if (isNew) model.readers.add(reader);
    else model.readers.delete(reader);
    return {
      who: 0,
      async work() {
        const board = await $.oget(boardId);
        if (isNew) $.allow_root(board, rootId(reader));
        else $.disallow_root(board, rootId(reader));
      },
    };
  }
  if (kind === 7) {
    model.notice.n = n;
    return {
      who: 0,
      async work() {
        ((await $.oget(noticeId)) as Item).n = n;
      },
    };
  }
  if (kind === 8) {
    const isOpen = !model.notice.isOpen;
    model.notice.isOpen = isOpen;
    return {
      who: 0,
      async work() {
        const notice = await $.oget(noticeId);
        if (isOpen) $.perm_grant(notice);
        else $.perm_revoke(notice);
      },
    };
  }
  model.board.push(n);
  if (model.board.length > 6) model.board.length = 0;
  const isEmptied = model.board.length === 0;
  return {
    who: 0,
    async work() {
      const board = await $.oget(boardId);
      if (isEmptied) await $.destroy(await itemsAt(board));
      else {
        const item = make(Item, n);
        $.connect(board, item, 'out');
        $.perm_grant(item);
      }
    },
  };
}

/** In the end everybody may read the board: who lost a change of rights has no last value. */
function invite(model: Model, who: number, { boardId }: Ids) {
  model.readers.add(who);
  return { who: 0, work: async () => void $.allow_root(await $.oget(boardId), rootId(who)) };
}

async function play(store: GraphStore, addRoot: (id: string) => void, commits: number, minIntervalMs: number) {
  const random = createRandom(seed).below;
  const runtime = createRuntime({ store, settings: () => ({ conflictMaxAttempts: 100_000 }) });
  for (let who = 0; who < people; who++) addRoot(rootId(who));
  const model: Model = {
    items: Array.from({ length: people }, () => []),
    board: [],
    readers: new Set(),
    notice: { n: 0, isOpen: false },
  };
  const ids = await runUnit(runtime, callerOf(0), async (): Promise<Ids> => {
    const [board, shelf, notice] = [make(Board), make(Board), make(Item, 0)];
    $.connect($.root(), board, 'out');
    $.connect($.root(), shelf, 'out');
    $.connect(shelf, notice, 'out');
    return { boardId: $.oid(board), noticeId: $.oid(notice) };
  });
  let ran = 0;
  const feed = createCommitFeed(store.log, store.isSync);
  const runs = createLiveRuns({ feed, minIntervalMs, onRun: () => ran++ });
  const told = questions.map((question, i) => subscribe(runs, runtime, question, `q${i}`, ids));
  const doubles = Array.from({ length: 50 - questions.length }, (_, i) => {
    const at = i % questions.length;
    return { at, told: subscribe(runs, runtime, questions[at]!, `q${at}`, ids) };
  });
  const states = questions.map((question) => [JSON.stringify(question.expect(model))]);
  for (let n = 1; n <= commits + people; n++) {
    const change = n <= commits ? nextChange(random, model, n, ids) : invite(model, n - commits - 1, ids);
    await runUnit(runtime, callerOf(change.who), change.work);
    for (const [i, question] of questions.entries()) states[i]!.push(JSON.stringify(question.expect(model)));
    for (let turns = random(4); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
  }
  const isQuiet = () => told.every((values, i) => values.at(-1) === states[i]!.at(-1));
  for (let i = 0; i < 6000 && !isQuiet(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
  const check = (i: number, values: readonly string[]) => {
    let at = 0;
    for (const value of values) {
      const next = states[i]!.indexOf(value, at);
      expect(next, `seed ${seed}: question ${i} gave ${value} after commit ${at}`).toBeGreaterThanOrEqual(at);
      at = next;
    }
    expect(values.at(-1), `seed ${seed}: the last value of question ${i}`).toBe(states[i]!.at(-1));
    expect(new Set(values.map((value, k) => value === values[k - 1])).has(true)).toBe(false);
  };
  for (const [i, values] of told.entries()) check(i, values);
  for (const double of doubles) check(double.at, double.told);
  runs.close();
  return { ran, delivered: told.reduce((sum, values) => sum + values.length, 0) };
}

test('10,000 commits, 50 subscriptions, a store that answers at once', async () => {
  const store = openVolatileStore();
  const { ran, delivered } = await play(store, (id) => store.addRoot(id), 10_000, 1);
  console.log(`seed ${seed}: ${ran} runs, ${delivered} values`);
  expect(delivered).toBeGreaterThan(1000);
}, 120_000);

test('runs whose reads lie many commits apart', async () => {
  const volatile = openVolatileStore();
  const { ran, delivered } = await play(answeringLater(volatile), (id) => volatile.addRoot(id), 800, 0);
  console.log(`seed ${seed}: ${ran} runs, ${delivered} values`);
  expect(delivered).toBeGreaterThan(100);
}, 120_000);
