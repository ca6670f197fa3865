/** Contract of `Backplane`, for every implementation (docs/server/sockets.md#broadcast). Stated once; each one's test is a call. */
import { expect, test } from 'vitest';
import type { Backplane } from '../../handlers/socket/backplane.ts';

export interface OpenedBackplanes extends AsyncDisposable {
  /** One of each process. */
  readonly ends: readonly [Backplane, Backplane, Backplane];
  /**
   * Takes the connection between the processes away; `back` resolves when it can be reached again, and is absent where
   * that never happens.
   */
  outage(): Promise<{ back?(): Promise<void> }>;
}

/** Collects messages; `until` resolves when so many are there. */
export function collector() {
  const received: string[] = [];
  let wake = () => {};
  return {
    received,
    take(message: string) {
      received.push(message);
      wake();
    },
    async until(count: number): Promise<string[]> {
      while (received.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return received;
    },
  };
}

export function describeBackplane(name: string, open: () => Promise<OpenedBackplanes>): void {
  test(`${name}: a message reaches all others who subscribed, and not its sender`, async () => {
    await using opened = await open();
    const [a, b, c] = opened.ends;
    const [atA, atB, atC, other] = [collector(), collector(), collector(), collector()];
    await a.subscribe('room', atA.take);
    await b.subscribe('room', atB.take);
    await c.subscribe('room', atC.take);
    await c.subscribe('elsewhere', other.take);
    await a.publish('room', 'one');
    expect(await atB.until(1)).toEqual(['one']);
    expect(await atC.until(1)).toEqual(['one']);
    // A message that b sends next reaches a after anything that a might have got from itself.
    await b.publish('room', 'two "quoted" \n and ünïcödé 🎈');
    expect(await atA.until(1)).toEqual(['two "quoted" \n and ünïcödé 🎈']);
    expect(other.received).toEqual([]);
  });

  test(`${name}: messages of one process arrive in order, those of others in between`, async () => {
    await using opened = await open();
    const [a, b, c] = opened.ends;
    const atC = collector();
    await c.subscribe('room', atC.take);
    const count = 300;
    const sent: Promise<void>[] = [];
    for (let i = 0; i < count; i++) sent.push(a.publish('room', `a${i}`), b.publish('room', `b${i}`));
    await Promise.all(sent);
    const all = await atC.until(2 * count);
    for (const sender of ['a', 'b']) {
      const expected = Array.from({ length: count }, (_, i) => `${sender}${i}`);
      expect(all.filter((message) => message.startsWith(sender))).toEqual(expected);
    }
  });

  test(`${name}: an ended subscription gets nothing more, another one of the same process goes on`, async () => {
    await using opened = await open();
    const [a, b] = opened.ends;
    const [first, second] = [collector(), collector()];
    const end = await b.subscribe('room', first.take);
    await b.subscribe('room', second.take);
    await a.publish('room', 'one');
    await second.until(1);
    end();
    end();
    await a.publish('room', 'two');
    expect(await second.until(2)).toEqual(['one', 'two']);
    expect(first.received).toEqual(['one']);
  });

  test(`${name}: while it is away, publishing and subscribing are refused; afterwards everything goes on`, async () => {
    await using opened = await open();
    const [a, b] = opened.ends;
    const atB = collector();
    await b.subscribe('room', atB.take);
    const { back } = await opened.outage();
    await expect(a.publish('room', 'lost')).rejects.toThrow();
    await expect(a.subscribe('other', () => {})).rejects.toThrow();
    if (back === undefined) return;
    await back();
    await a.publish('room', 'found');
    expect(await atB.until(1)).toEqual(['found']);
    const atA = collector();
    await a.subscribe('other', atA.take);
    await b.publish('other', 'again');
    expect(await atA.until(1)).toEqual(['again']);
  });
}
