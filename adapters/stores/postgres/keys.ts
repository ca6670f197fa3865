/** Numbers of new nodes: given out by the database in blocks, so that most units ask nobody. */
import { randomBytes } from 'node:crypto';
import { statement } from './line.ts';
import type { Source } from './pool.ts';
import { KEY_BLOCK } from './schema.ts';

export interface Keys {
  /** At once, whatever is left. */
  next(): number;
  /** Waits until there are so many. */
  enough(count: number): Promise<void> | undefined;
}

const take = statement('SELECT nextval($1::text::regclass) FROM generate_series(1, $2::int)');

/** Beyond what blocks will reach: numbers by chance, for a unit that asks for more ids than there are before it first waits. */
const chanceFrom = 2 ** 52;
const chance = () => Number(randomBytes(8).readBigUInt64BE() >> 12n);

export function createKeys(source: Source): Keys {
  const blocks: { at: number; readonly end: number }[] = [];
  let coming: Promise<void> | undefined;
  const left = () => blocks.reduce((sum, { at, end }) => sum + end - at, 0);
  const fetch = (count: number): Promise<void> => {
    coming ??= source
      .ask(take, ['svc_node_block', Math.ceil(count / KEY_BLOCK) + 1])
      .then((found) => {
        for (const [start] of found) blocks.push({ at: Number(start), end: Number(start) + KEY_BLOCK });
      })
      .finally(() => {
        coming = undefined;
      });
    return coming;
  };
  return {
    next() {
      while (blocks.length > 0 && blocks[0]!.at === blocks[0]!.end) blocks.shift();
      if (blocks.length < 2) fetch(KEY_BLOCK).catch(() => {});
      return blocks[0] === undefined ? chanceFrom + chance() : blocks[0].at++;
    },
    enough(count) {
      if (left() >= count) return undefined;
      return (async () => {
        while (left() < count) await fetch(count - left());
      })();
    },
  };
}
