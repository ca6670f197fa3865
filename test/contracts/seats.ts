/** Socket caps that processes share (docs/server/sockets.md#caps), whatever counts them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Caps, Seats } from '../../handlers/socket/seats.ts';

export interface SeatPlace extends AsyncDisposable {
  /** Opens the part that one process has. Disposing of it is as killing the process: it gives nothing back. */
  open(options?: { readonly lentMs?: number }): Promise<AsyncDisposable & { readonly seats: Seats }>;
  /** Seats that all processes have taken. */
  taken(): Promise<number>;
}

export const caps: Caps = { maxConnectionsPerTarget: 4, maxConnectionsPerUser: 2, maxAnonymousConnections: 2 };
export const room = 'walker:Room\u0000';
export const take = async (seats: Seats, userId: string | null) => seats.take(room, userId, caps);

export function describeSeats(
  test: (title: string, run: () => Promise<void>) => void,
  openPlace: () => Promise<SeatPlace>,
): void {
  test('seats are counted over processes: of a target, of a user, of those who are not signed in', async () => {
    await using place = await openPlace();
    await using a = await place.open();
    await using b = await place.open();
    const free = async (left: number) => {
      while ((await place.taken()) > left) await sleep(5);
    };
    for (const user of ['ada', null]) {
      const answers = [
        await take(a.seats, user),
        await take(b.seats, user),
        await take(user ? a.seats : b.seats, user),
      ];
      expect(answers).toEqual([true, true, false]);
    }
    expect(await take(b.seats, 'bob')).toBe(false); // four in all
    b.seats.give(room, 'ada');
    await free(3);
    expect(await take(b.seats, 'bob')).toBe(true);
    // One of two anonymous connections signs in: as somebody who has a seat free, then as one who has none.
    expect(await a.seats.signIn(room, null, 'ada', caps)).toBe(true);
    expect(await b.seats.signIn(room, null, 'ada', caps)).toBe(false);
    b.seats.give(room, null);
    await free(3);
    expect(await take(a.seats, null)).toBe(true);
    for (const [{ seats }, user] of [
      [a, 'ada'],
      [a, 'ada'],
      [a, null],
      [b, 'bob'],
    ] as const)
      seats.give(room, user);
    await free(0);
  });

  test('of many that come at once through two processes as many are seated as may be', async () => {
    await using place = await openPlace();
    await using a = await place.open();
    await using b = await place.open();
    const many: Caps = { ...caps, maxConnectionsPerTarget: 7 };
    const all = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => (i % 2 === 0 ? a : b).seats.take(room, `user${i}`, many)),
    );
    expect(all.filter((isSeated) => isSeated)).toHaveLength(7);
    expect(await place.taken()).toBe(7);
  });

  test('seats of a process that is gone become free; those of one that lives stay taken', async () => {
    const lentMs = 2000;
    await using place = await openPlace();
    await using living = await place.open({ lentMs });
    const gone = await place.open({ lentMs });
    expect([await take(gone.seats, 'ada'), await take(living.seats, 'ada')]).toEqual([true, true]);
    await gone[Symbol.asyncDispose]();
    await using other = await place.open({ lentMs });
    expect(await take(other.seats, 'ada')).toBe(false);
    while (!(await take(other.seats, 'ada'))) await sleep(50);
    await sleep(1.5 * lentMs);
    expect(await take(other.seats, 'ada')).toBe(false);
  });
}
