/** A worker's way to its primary process. */
import cluster from 'node:cluster';
import { type Channel, createChannel } from './channel.ts';

/** Undefined in a process that is no worker. */
export function openPrimary(): Channel | undefined {
  const { worker } = cluster;
  if (worker === undefined) return undefined;
  return createChannel({
    send: (message, done) => void process.send!(message, undefined, undefined, done),
    onMessage: (listener) => void process.on('message', listener),
    onEnd: (listener) => void worker.once('disconnect', listener),
  });
}

/** Calls `listener` when the primary process is gone; the worker ends right after, so it must not wait for anything. */
export function onPrimaryGone(listener: () => void): void {
  cluster.worker?.once('disconnect', listener);
}
