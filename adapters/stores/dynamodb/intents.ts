/**
 * Commits too large for one transaction (docs/server/stores.md#dynamodb, decisions/0055): each item gets the change
 * that is intended, a marker says whether it counts. Whoever meets an intent asks the marker; what a process left
 * behind when it died is settled by the others.
 */
import { newId } from '../../../core/graph/ids.ts';
import { type Item, type ItemKey, nameOf, sizeOf } from './item.ts';
import { markerKey, unitsList } from './keys.ts';
import { mostBytes, mostItems, type Table, type Write } from './table.ts';

/** The change of one item. `isNew`: the item is there only because of it. */
export interface Intent {
  readonly unit: string;
  readonly set?: Item;
  readonly bump?: number;
  readonly isNew?: boolean;
  readonly isDelete?: boolean;
}

export type Outcome = 'pending' | 'committed' | 'aborted';

export interface Intents {
  /** Items as they are now; undefined where there is none, or not yet. */
  resolve(items: readonly (Item | undefined)[]): Promise<readonly (Item | undefined)[]> | readonly (Item | undefined)[];
  /** Settles the item's intent if its unit is over. False: another unit is at work on the item. */
  settle(item: Item): Promise<boolean>;
  outcomeOf(unit: string): Promise<Outcome>;
  /** Settles all items of a unit that is over, given those known to it, and forgets it. */
  finish(unit: string, outcome: Outcome, known?: readonly (readonly [ItemKey, Intent])[]): Promise<void>;
  /** Settles what units left behind whose process died. Gives how many. */
  recover(): Promise<number>;
  /** Waits for what goes on in the background. */
  idle(): Promise<void>;
}

/** A settled unit's marker stays for a day, for processes that still have one of its items in hand. */
const markerLifeSeconds = 86_400;
const together = 4;

export function intentOf(item: Item): Intent | undefined {
  const intent = item['intent'];
  return typeof intent === 'object' && intent !== null ? (intent as unknown as Intent) : undefined;
}

export function createIntents(table: Table, nowMs: () => number): Intents {
  const finishing = new Map<string, Promise<void>>();

  async function outcomeOf(unit: string): Promise<Outcome> {
    for (;;) {
      const marker = await table.get(markerKey(unit));
      // Markers go only when everything of their unit is settled.
      if (marker === undefined) return 'aborted';
      const state = marker['state'] as Outcome;
      const expires = Number(marker['expires']);
      if (state === 'pending' && expires > nowMs()) return state;
      if (state === 'pending' && !(await abort(unit, expires))) continue;
      const outcome = state === 'pending' ? 'aborted' : state;
      // Past its time the unit's own process does not settle it any more.
      if (expires <= nowMs() && marker['ttl'] === undefined) finishLater(unit, outcome);
      return outcome;
    }
  }

  function abort(unit: string, expires: number): Promise<boolean> {
    return table.write({
      key: markerKey(unit),
      change: { set: { state: 'aborted' } },
      when: [
        ['=', 'state', 'pending'],
        ['=', 'expires', expires],
      ],
    });
  }

  function finishLater(unit: string, outcome: Outcome): void {
    if (finishing.has(unit)) return;
    const work = finish(unit, outcome)
      .catch(() => {}) // the next one who meets an item of the unit tries again
      .finally(() => finishing.delete(unit));
    finishing.set(unit, work);
  }

  async function finish(
    unit: string,
    outcome: Outcome,
    known?: readonly (readonly [ItemKey, Intent])[],
  ): Promise<void> {
    const { pk } = markerKey(unit);
    const lists = await table.query({ pk, prefix: 'K#' });
    await settleAll(known ?? (await leftOf(unit, lists.flatMap(keysOf))), outcome);
    await writeAll(lists.map(({ sk }) => ({ key: { pk, sk: String(sk) }, isDelete: true, when: [] })));
    const ttl = Math.floor(nowMs() / 1000) + markerLifeSeconds;
    await table.write({ key: markerKey(unit), change: { set: { ttl } }, when: [['present', 'pk']] });
    await table.write({ key: { pk: unitsList, sk: unit }, isDelete: true, when: [] });
  }

  /** Items among these that still carry an intent of the unit. */
  async function leftOf(unit: string, keys: readonly ItemKey[]): Promise<(readonly [ItemKey, Intent])[]> {
    const items = await table.getMany(keys, ['pk', 'sk', 'intent']);
    return items.flatMap((item, i) => {
      const intent = item === undefined ? undefined : intentOf(item);
      return intent?.unit === unit ? [[keys[i]!, intent] as const] : [];
    });
  }

  async function settleAll(items: readonly (readonly [ItemKey, Intent])[], outcome: Outcome): Promise<void> {
    await writeAll(items.map(([key, intent]) => settling(key, intent, outcome)));
  }

  /** Writes in any order, many at once; where somebody else did some of them first, the rest one by one. */
  async function writeAll(writes: readonly Write[]): Promise<void> {
    const chunks = inChunks(writes, ({ change }) => sizeOf(change?.set ?? {}) + 300, mostBytes);
    await inTurn(chunks, async (chunk) => {
      if ((await table.transact(chunk, newId())) === undefined) return;
      await inTurn(chunk, (write) => table.write(write));
    });
  }

  async function outcomesOf(items: readonly (Item | undefined)[]): Promise<ReadonlyMap<string, Outcome>> {
    const units = new Set(items.flatMap((item) => (item === undefined ? [] : (intentOf(item)?.unit ?? []))));
    const list = [...units];
    const outcomes = await Promise.all(list.map(outcomeOf));
    return new Map(list.map((unit, i) => [unit, outcomes[i]!]));
  }

  return {
    outcomeOf,
    finish,
    resolve(items) {
      if (!items.some((item) => item !== undefined && item['intent'] !== undefined)) return items;
      return outcomesOf(items).then((outcomes) =>
        items.map((item) => (item === undefined ? undefined : imageOf(item, outcomes))),
      );
    },
    async settle(item) {
      const intent = intentOf(item);
      if (intent === undefined) return true;
      const outcome = await outcomeOf(intent.unit);
      if (outcome === 'pending') return false;
      await table.write(settling(item as unknown as ItemKey, intent, outcome));
      return true;
    },
    async recover() {
      const units = await table.query({ pk: unitsList });
      let count = 0;
      for (const { sk } of units) {
        const unit = String(sk);
        const outcome = await outcomeOf(unit);
        if (outcome === 'pending') continue;
        const marker = await table.get(markerKey(unit));
        if (marker !== undefined && Number(marker['expires']) > nowMs()) continue; // its own process is at it
        await (finishing.get(unit) ?? finish(unit, outcome));
        count++;
      }
      return count;
    },
    async idle() {
      await Promise.all(finishing.values());
    },
  };
}

/** Gives the item as it is while it carries an intent. */
function imageOf(item: Item, outcomes: ReadonlyMap<string, Outcome>): Item | undefined {
  const intent = intentOf(item);
  if (intent === undefined) return item;
  const { intent: _, ...base } = item;
  if (outcomes.get(intent.unit) !== 'committed') return intent.isNew === true ? undefined : base;
  if (intent.isDelete === true) return undefined;
  const bumped = intent.bump === undefined ? {} : { topo: Number(base['topo'] ?? 0) + intent.bump };
  return { ...base, ...intent.set, ...bumped };
}

/** Puts the change into place, or takes the intent away. */
function settling({ pk, sk }: ItemKey, intent: Intent, outcome: Outcome): Write {
  const key = { pk, sk };
  const when = [['=', 'intent.unit', intent.unit]] as const;
  const counts = outcome === 'committed';
  if (counts ? intent.isDelete === true : intent.isNew === true) return { key, isDelete: true, when };
  const { set, bump } = intent;
  return {
    key,
    change: {
      ...(counts && set !== undefined ? { set } : {}),
      ...(counts && bump !== undefined ? { add: { topo: bump } } : {}),
      remove: ['intent'],
    },
    when,
  };
}

// ---- the list of a unit's items, so that others can find them

/** Keys per item of the list: well below its largest size. */
const keysPerList = 1000;

export function listsOf(unit: string, keys: readonly ItemKey[]): Write[] {
  const lists: Write[] = [];
  for (let i = 0; i < keys.length; i += keysPerList) {
    const part = keys.slice(i, i + keysPerList).map(nameOf);
    const key = { pk: markerKey(unit).pk, sk: `K#${String(lists.length).padStart(6, '0')}` };
    lists.push({ key, put: { keys: JSON.stringify(part) }, when: [] });
  }
  return lists;
}

function keysOf(list: Item): ItemKey[] {
  return (JSON.parse(String(list['keys'])) as string[]).map((name) => {
    const at = name.lastIndexOf(' ');
    return { pk: name.slice(0, at), sk: name.slice(at + 1) };
  });
}

/** A few at a time. */
async function inTurn<T>(list: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < list.length) await work(list[next++]!);
  };
  await Promise.all(Array.from({ length: together }, worker));
}

/** Chunks of a transaction each. */
export function inChunks<T>(list: readonly T[], size: (one: T) => number, mostSize: number): T[][] {
  const chunks: T[][] = [];
  let chunk: T[] = [];
  let bytes = 0;
  for (const one of list) {
    const more = size(one);
    if (chunk.length > 0 && (chunk.length === mostItems || bytes + more > mostSize)) {
      chunks.push(chunk);
      chunk = [];
      bytes = 0;
    }
    chunk.push(one);
    bytes += more;
  }
  if (chunk.length > 0) chunks.push(chunk);
  return chunks;
}
