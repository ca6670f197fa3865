/** Messages of one connection run one after another, wherever they arrive (docs/server/sockets.md#runs, docs/server/cloud.md#sockets). */
import { type ConnectionRecord, type ConnectionStore, sequenceLockMs, type Used } from './connection-store.ts';

export interface Sequence {
  /**
   * Runs `work` when it is the connection's turn. Nothing runs when too many wait or the turn does not come in time (`dropped`), or when the
   * connection is not in the table (`gone`). `use` says what the message uses up, before it runs.
   */
  run(cid: string, use: Use, work: (row: ConnectionRecord) => Promise<void>): Promise<'ran' | 'dropped' | 'gone'>;
}

/** Undefined when the connection has nothing left to use: the message is dropped. */
export type Use = (row: ConnectionRecord) => Used | undefined;

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
  /**
   * Makes the queues of messages that run or wait in this process, in order of arrival; the lock in the table keeps
   * other processes out.
   */
  const queues = new Map<string, { last: Promise<unknown>; size: number }>();

  async function locked(
    cid: string,
    use: Use,
    work: (row: ConnectionRecord) => Promise<void>,
  ): Promise<'ran' | 'dropped' | 'gone'> {
    const holder = nextId();
    const giveUpAt = clock.now() + sequenceLockMs;
    // Read under the lock: the message before may have signed in.
    let row: ConnectionRecord | undefined;
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
      row = await connections.lock(cid, holder);
      if (row !== undefined) break;
      if ((await connections.find(cid)) === undefined) return 'gone';
      if (clock.now() >= giveUpAt) return 'dropped';
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
    const used = use(row);
    try {
      if (used !== undefined) await work(row);
    } finally {
      await connections.unlock(cid, holder, used);
    }
    return used === undefined ? 'dropped' : 'ran';
  }

  return {
    async run(cid, use, work) {
      const queue = queues.get(cid) ?? { last: Promise.resolve(), size: 0 };
      if (queue.size > queueSize) return 'dropped';
      queues.set(cid, queue);
      queue.size++;
      const turn = queue.last.then(() => locked(cid, use, work));
      queue.last = turn.catch(() => {});
      try {
        return await turn;
      } finally {
        if (--queue.size === 0) queues.delete(cid);
      }
    },
  };
}
