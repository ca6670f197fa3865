/** Memory of idle subscriptions (docs/server/live.md#limits). */
import { expect, test } from 'vitest';
import { defaultConfig } from '../../core/config/resolve.ts';
import { nothingRead } from '../../core/live/live-reads.ts';
import { LiveValue } from '../../core/live/live-value.ts';
import { openVolatileStore } from '../../core/memory/volatile-store.ts';
import { openCollector } from '../../library/limits/collector.ts';
import type { SocketPeer } from '../socket/peer.ts';
import type { LiveApp } from './live-app.ts';
import { createLiveHub } from './live-hub.ts';

const collect = openCollector();
const heapBytes = () => {
  for (let i = 0; i < 4; i++) collect();
  return process.memoryUsage().heapUsed;
};
const connections = 100;
const perConnection = 100;
const records = 10;

test('10,000 idle subscriptions, each with a run of its own', async () => {
  let ran = 0;
  const read = (from: number, count: number) => new Map(Array.from({ length: count }, (_, i) => [from * 1000 + i, 1]));
  const run = async (count: number) => {
    const n = ++ran;
    const reads = count === 0 ? nothingRead : { ...nothingRead, nodes: read(n, count) };
    const value = new LiveValue(`{"result":{"_svc_type":"W"},"reports":["a report number ${n}"]}`);
    return { value, reads, topics: [] };
  };
  const measure = async (count: number) => {
    const app = {
      target: () => ({ bind: () => [] }),
      run: () => run(count),
      auth: { onSessionEnd: () => () => {} },
      admit: () => undefined,
    } as unknown as LiveApp;
    const store = openVolatileStore();
    const log = { error() {}, warn() {}, info() {} } as never;
    const hub = createLiveHub({
      ...{ app: () => app, config: defaultConfig(), store, log, meters: undefined, clock: Date },
      ...{ backplane: undefined, topics: undefined, seats: undefined },
    });
    let frames = 0;
    const peer = { unsent: 0, sent: 0, send: () => void frames++, cork() {}, uncork() {}, close() {}, ping() {} };
    const open = (i: number) => {
      const caller = { userId: `user ${i}`, rootId: String(i).padStart(32, '0'), role: 'user', kind: 'user' } as never;
      const admission = { caller, credential: undefined, subprotocol: undefined };
      const own = Object.create(peer) as SocketPeer;
      return hub.open({ admission, isSeated: true }, own)!;
    };
    const opened = Array.from({ length: connections }, (_, i) => open(i));
    const before = heapBytes();
    for (const connection of opened) {
      const all = Array.from({ length: perConnection }, (_, id) => ({ id, walker: 'W', fields: { id } }));
      connection.message(Buffer.from(JSON.stringify({ type: 'subscribe', all })), false);
    }
    while (frames < connections * perConnection) await new Promise((resolve) => setTimeout(resolve, 20));
    const bytes = (heapBytes() - before) / (connections * perConnection);
    hub.close(1001, 'over');
    return bytes;
  };
  await measure(0);
  const bare = await measure(0);
  const reading = await measure(records);
  const perRecord = (reading - bare) / records;
  console.log(`${Math.round(bare)} bytes for each subscription, ${Math.round(perRecord)} for each record it read`);
  expect(bare).toBeLessThan(2048);
  expect(perRecord).toBeLessThan(400);
}, 60_000);
