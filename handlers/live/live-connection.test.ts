import { expect, test } from 'vitest';
import { defaultConfig } from '../../core/config/resolve.ts';
import { nothingRead } from '../../core/live/live-reads.ts';
import { LiveValue } from '../../core/live/live-value.ts';
import { openVolatileStore } from '../../core/memory/volatile-store.ts';
import type { SocketPeer } from '../socket/peer.ts';
import { createSeats } from '../socket/seats.ts';
import type { LiveApp } from './live-app.ts';
import { createLiveHub } from './live-hub.ts';

test('what a client leaves while its role changes stays left, though another process is asked for its place', async () => {
  const user = { userId: 'ada', rootId: '0'.repeat(32), role: 'user', kind: 'user' };
  let role = 'user';
  let end: (of: { userId: string }) => void = () => {};
  const app = {
    target: () => ({ bind: () => [] }),
    run: async (_: unknown, caller: { readonly role: string }) => ({
      value: new LiveValue(`{"result":null,"reports":["${caller.role}"]}`),
      reads: nothingRead,
      topics: [],
    }),
    auth: {
      onSessionEnd(told: typeof end) {
        end = told;
        return () => {};
      },
    },
    admit: () => ({ caller: user, credential: { token: 'x' }, subprotocol: undefined }),
    again: async () => ({ ...user, role }),
  } as unknown as LiveApp;
  const own = createSeats();
  let isAsked: Promise<void> = Promise.resolve();
  const seats = {
    ...own,
    async take(...given: Parameters<typeof own.take>) {
      await isAsked;
      return own.take(...given);
    },
  };
  const log = { error() {}, warn() {}, info() {} } as never;
  const hub = createLiveHub({
    ...{ app: () => app, config: defaultConfig(), store: openVolatileStore(), log, meters: undefined, clock: Date },
    ...{ backplane: undefined, topics: undefined, seats },
  });
  const frames: string[] = [];
  const peer = {
    unsent: 0,
    sent: 0,
    send: ({ text }: { readonly text: string }) => void frames.push(text),
    cork() {},
    uncork() {},
    close() {},
    ping() {},
  };
  const connection = hub.open(await hub.admit({} as never), peer as unknown as SocketPeer)!;
  const say = (frame: object) => connection.message(Buffer.from(JSON.stringify(frame)), false);
  say({ type: 'subscribe', all: ['stays', 'leaves'].map((id) => ({ id, walker: 'W', fields: { id } })) });
  const heard = (id: string, as: string) => frames.some((text) => text.includes(`"${id}"`) && text.includes(as));
  await expect.poll(() => heard('stays', 'user') && heard('leaves', 'user')).toBe(true);

  let answer = () => {};
  isAsked = new Promise((resolve) => {
    answer = resolve;
  });
  role = 'admin';
  end({ userId: 'ada' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  say({ type: 'unsubscribe', id: 'leaves' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  answer();
  await expect.poll(() => heard('stays', 'admin')).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(heard('leaves', 'admin')).toBe(false);
  hub.close(1001, '');
});
