/** Real processes are in test/journeys/workers*.test.ts; here the two ends are joined by pipes of structured messages. */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { describeBackplane } from '../../test/contracts/backplane.ts';
import { createChannel, type Wire } from '../workers/channel.ts';
import { createExchange, openWorkerBackplane } from './workers.ts';

function wireOf(port: MessagePort): Wire {
  let isOpen = true;
  port.once('close', () => {
    isOpen = false;
  });
  return {
    send(message, done) {
      if (isOpen) port.postMessage(message);
      setImmediate(done, isOpen ? null : new Error('closed'));
    },
    onMessage: (listener) => void port.on('message', listener),
    onEnd: (listener) => void port.once('close', listener),
  };
}

async function open() {
  const exchange = createExchange(() => {});
  const pairs = [0, 1, 2].map(() => new MessageChannel());
  for (const { port1 } of pairs) exchange.join(createChannel(wireOf(port1)));
  const [a, b, c] = pairs.map(({ port2 }) => openWorkerBackplane(createChannel(wireOf(port2))));
  const close = () =>
    Promise.all(
      pairs.map(
        ({ port1, port2 }) =>
          new Promise<void>((resolve) => {
            port2.once('close', resolve);
            port1.close();
          }),
      ),
    );
  let isClosed = false;
  return {
    ends: [a!, b!, c!] as const,
    // A primary process that is gone does not come back: its workers end.
    async outage() {
      await close();
      isClosed = true;
      return {};
    },
    async [Symbol.asyncDispose]() {
      if (!isClosed) await close();
    },
  };
}

describeBackplane('workers', open);

test('a worker that takes nothing misses messages instead of filling the memory of the primary process', async () => {
  const onDrop = vi.fn();
  const exchange = createExchange(onDrop);
  const listeners: ((message: unknown) => void)[] = [];
  const wire = (send: Wire['send']): Wire => ({
    send,
    onMessage: (listener) => void listeners.push(listener),
    onEnd: () => {},
  });
  let kept = 0;
  exchange.join(createChannel(wire((_message, done) => done(null))));
  exchange.join(createChannel(wire(() => void kept++)));
  const [sender, stopped] = listeners;
  stopped!({ svc: 'tell', topic: 'subscribe', value: 'room' });
  for (let i = 0; i < 30_000; i++)
    sender!({ svc: 'tell', topic: 'publish', value: { channel: 'room', message: `${i}` } });
  expect(kept).toBe(20_000);
  expect(onDrop).toHaveBeenCalledTimes(10_000);
});
