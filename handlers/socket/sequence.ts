/** Messages of one connection run one after another, wherever they arrive (server.md 13.4, 21.4). */
import { type ConnectionRecord, type ConnectionStore, sequenceLockMs } from './connection-store.ts';

export interface Sequence {
  /**
   * Runs `work` when it is the connection's turn. Nothing runs when too many wait or the turn does not come in time (`dropped`), or when the
   * connection is not in the table (`gone`).
   */
  run(cid: string, work: (row: ConnectionRecord) => Promise<void>): Promise<'ran' | 'dropped' | 'gone'>;
}

export interface SequenceParts {
  readonly connections: Pick<ConnectionStore, 'find' | 'lock' | 'unlock'>;
  readonly clock: { now(): number };
  readonly nextId: () => string;
  /** Messages that may wait in this process. */
  readonly queueSize: number;
}

const firstWaitMs = 10;
const longestWaitMs = 500;

export function createSequence({ connections, clock, nextId, queueSize }: SequenceParts): Sequence {
  /** What runs and waits in this process, in order of arrival; the lock in the table keeps other processes out. */
  const queues = new Map<string, { last: Promise<unknown>; size: number }>();

  async function locked(
    cid: string,
    work: (row: ConnectionRecord) => Promise<void>,
  ): Promise<'ran' | 'dropped' | 'gone'> {
    const holder = nextId();
    const giveUpAt = clock.now() + sequenceLockMs;
    for (
      let waitMs = firstWaitMs;
      !(await connections.lock(cid, holder));
      waitMs = Math.min(2 * waitMs, longestWaitMs)
    ) {
      if ((await connections.find(cid)) === undefined) return 'gone';
      if (clock.now() >= giveUpAt) return 'dropped';
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
    // Read under the lock: the message before may have signed in.
    const row = await connections.find(cid);
    if (row === undefined) return 'gone';
    try {
      await work(row);
    } finally {
      await connections.unlock(cid, holder);
    }
    return 'ran';
  }

  return {
    async run(cid, work) {
      const queue = queues.get(cid) ?? { last: Promise.resolve(), size: 0 };
      if (queue.size > queueSize) return 'dropped';
      queues.set(cid, queue);
      queue.size++;
      const turn = queue.last.then(() => locked(cid, work));
      queue.last = turn.catch(() => {});
      try {
        return await turn;
      } finally {
        if (--queue.size === 0) queues.delete(cid);
      }
    },
  };
}
