import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { workerPids } from './worker-pids.ts';

test('only workers are counted, not what else a process has started', async () => {
  const before = workerPids(process.pid);
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const worker = fork('-', [], {
    execArgv: ['-e', 'process.send("up"); setInterval(() => {}, 1000)'],
    env: { ...process.env, NODE_UNIQUE_ID: '7' },
  });
  try {
    await once(worker, 'message');
    expect(workerPids(process.pid)).toEqual([...before, worker.pid]);
  } finally {
    other.kill();
    worker.kill();
  }
});
