/** The connections of one store: few, shared by everything that only asks, and one for commits. */
import { backOff } from '../../../base/back-off.ts';
import type { Asked, Cells, Line, Lines, Statement, Values } from './line.ts';
import { isGone, unavailable } from './trouble.ts';

/** A connection to ask: any one of the pool, or one that holds a moment. */
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

/** Statements that wait on a connection before another one is opened: questions, and those of a commit. */
const mostAsked = 4;
const mostCommitting = 1;
/** Connections that commit: transactions at a time. */
export const mostFlights = 4;

export function createPool({ lines, size, patienceMs }: PoolOptions): Pool {
  const held = new Set<Line>();
  const idle: Line[] = [];
  const queue: (() => void)[] = [];
  let isClosed = false;
  const readers = Math.max(1, Math.min(4, size - mostFlights));
  const reading = shareLines(lines, readers, mostAsked);
  const committing = shareLines(lines, Math.max(1, Math.min(mostFlights, size - readers)), mostCommitting);
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
        return await patiently(async () => (await reading.take()).ask(statement, values));
      } catch (error) {
        throw unavailable(error);
      }
    },
    async together(asked) {
      const line = await patiently(async () => committing.take());
      return line.together(asked);
    },
    async hold() {
      while (held.size >= Math.max(1, size - readers - mostFlights)) await new Promise<void>((go) => queue.push(go));
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
      await Promise.all([reading.close(), committing.close(), ...[...held, ...idle].map((line) => line.end())]);
    },
  };
}

/** Connections for all: each statement goes to the one on which the fewest wait; up to `most` are opened as they are needed. */
function shareLines(lines: Lines, most: number, mostWaiting: number) {
  const open = new Set<Line>();
  let opening: Promise<Line> | undefined;
  const another = (): Promise<Line> => {
    opening ??= lines
      .open()
      .then((line) => {
        open.add(line);
        line.onEnd(() => open.delete(line));
        return line;
      })
      .finally(() => {
        opening = undefined;
      });
    return opening;
  };
  return {
    take(): Line | Promise<Line> {
      let best: Line | undefined;
      for (const line of open) if (best === undefined || line.waiting < best.waiting) best = line;
      if (best === undefined) return another();
      if (best.waiting >= mostWaiting && open.size < most) another().catch(() => {});
      return best;
    },
    async close() {
      await opening?.catch(() => undefined);
      await Promise.all([...open].map((line) => line.end()));
    },
  };
}
