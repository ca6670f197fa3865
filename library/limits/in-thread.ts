import { callScope } from '../call-scope.ts';
import { nodeThreads } from '../node-parts.ts';
import { look } from './look.ts';

const sliceMs = 50;

/**
 * Runs a function of Node that computes for long and cannot be stopped: within a call in a thread, which ends with the
 * call. Starting one takes 20 ms. Arguments and result are cloned.
 *
 * @throws CallEnded; what the function throws
 */
export function inThread<T>(module: string, name: string, args: readonly unknown[], here: () => T): T {
  if (callScope.call()?.endsAtMs === undefined) return here();
  const { MessageChannel, receiveMessageOnPort, Worker } = nodeThreads();
  const done = new Int32Array(new SharedArrayBuffer(4));
  const { port1: mine, port2: its } = new MessageChannel();
  const workerData = { module, name, args, done, port: its };
  const thread = new Worker(threadText, { eval: true, workerData, transferList: [its], execArgv: [], name });
  thread.unref();
  try {
    while (Atomics.wait(done, 0, 0, sliceMs) === 'timed-out') look();
    const { message } = receiveMessageOnPort(mine)!;
    if ('error' in message) throw message.error;
    return message.value;
  } finally {
    mine.close();
    void thread.terminate();
  }
}

const threadText = `
const { workerData: { module, name, args, done, port } } = require('node:worker_threads');
let message;
try {
  message = { value: require(module)[name](...args) };
} catch (error) {
  message = { error };
}
port.postMessage(message);
Atomics.store(done, 0, 1);
Atomics.notify(done, 0);`;
