/** The connections of one store: few, shared by everything that only asks, and one for commits. */
import { backOff } from '../../../base/back-off.ts';
import type { Asked, Cells, Line, Lines, Statement, Values } from './line.ts';
import { isGone, unavailable } from './trouble.ts';

/** Who answers a question: any connection, or one that holds a moment. */
export interface Source {
  /** @throws Failure `SERVICE_UNAVAILABLE` */
  ask(statement: Statement, values: Values): Promise<readonly Cells[]>;
}

export interface Pool extends Source {
  /** One transaction in one round trip. Its error is the server's: whoever asks knows what it means. */
  together(asked: readonly Asked[]): Promise<readonly (readonly Cells[])[]>;
  /** A connection for one alone. */
  hold(): Promise<Line>;
  /** Gives it back. */
  release(line: Line): void;
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly lines: Lines;
  /** Most connections at a time. */
  readonly size: number;
  /** Milliseconds a question waits for a server that can be reached. */
  readonly patienceMs: number;
}

/** Questions that wait on a connection before another one is opened. */
const mostWaiting = 4;

export function createPool({ lines, size, patienceMs }: PoolOptions): Pool {
  const shared = new Set<Line>();
  const held = new Set<Line>();
  const idle: Line[] = [];
  const queue: (() => void)[] = [];
  let opening: Promise<Line> | undefined;
  let committer: Promise<Line> | undefined;
  let isClosed = false;
  const reading = Math.max(1, Math.min(4, size - 1));

  const openShared = (): Promise<Line> => {
    opening ??= lines
      .open()
      .then((line) => {
        shared.add(line);
        line.onEnd(() => shared.delete(line));
        return line;
      })
      .finally(() => {
        opening = undefined;
      });
    return opening;
  };
  const shareLine = (): Line | Promise<Line> => {
    let best: Line | undefined;
    for (const line of shared) if (best === undefined || line.waiting < best.waiting) best = line;
    if (best === undefined) return openShared();
    if (best.waiting >= mostWaiting && shared.size < reading && opening === undefined) openShared().catch(() => {});
    return best;
  };
  const commitLine = (): Promise<Line> => {
    if (committer === undefined) {
      const opened = lines.open();
      committer = opened;
      const forget = (): void => {
        if (committer === opened) committer = undefined;
      };
      opened.then((line) => line.onEnd(forget), forget);
    }
    return committer;
  };
  /** Goes on while the server changes or starts anew. Only for work that may be done twice, or has not begun. */
  const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
    const until = Date.now() + patienceMs;
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (isClosed || !isGone(error) || Date.now() > until) throw error;
      }
      await backOff(Math.min(attempt, 4), { firstMs: 10, mostMs: 250 });
    }
  };
  return {
    async ask(statement, values) {
      try {
        return await patiently(async () => (await shareLine()).ask(statement, values));
      } catch (error) {
        throw unavailable(error);
      }
    },
    async together(asked) {
      const line = await patiently(commitLine);
      return line.together(asked);
    },
    async hold() {
      while (held.size >= Math.max(1, size - reading - 1)) await new Promise<void>((resolve) => queue.push(resolve));
      const line = idle.pop() ?? (await patiently(lines.open));
      held.add(line);
      return line;
    },
    release(line) {
      held.delete(line);
      if (line.isOpen && !isClosed && idle.length < 2) idle.push(line);
      else void line.end();
      queue.shift()?.();
    },
    async close() {
      isClosed = true;
      const last = await committer?.catch(() => undefined);
      await opening?.catch(() => undefined);
      const all = [...shared, ...held, ...idle, ...(last === undefined ? [] : [last])];
      await Promise.all(all.map((line) => line.end()));
    },
  };
}
