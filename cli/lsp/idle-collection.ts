/**
 * Collection of garbage while nobody waits for an answer (decisions/0840). An edit leaves some ten megabytes behind, about as much as the young
 * generation holds: without this every second answer has a collection in it.
 */
import { type Collect, openCollector } from '../../library/limits/collector.ts';

export interface IdleCollection {
  /** All that was asked for is answered: unless something comes soon, garbage is collected. */
  begin(): void;
  /** Ends the rest: there is something to do. */
  end(): void;
}

/** Milliseconds after the last answer. A letter that is typed next comes later, most of the time. */
const shortMs = 20;
/** Milliseconds without an edit after which the whole heap may be collected, which takes some tens of them. */
const longMs = 1500;
/** Growth of the heap in bytes that is worth it. */
const growth = 48 * 2 ** 20;

/** `heapUsed`: bytes that are taken. */
export function createIdleCollection(
  collect: Collect = openCollector(),
  heapUsed: () => number = () => process.memoryUsage().heapUsed,
): IdleCollection {
  let timer: NodeJS.Timeout | undefined;
  let kept = 0;
  const wait = (ms: number, work: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(work, ms).unref();
  };
  const collectAll = () => {
    if (heapUsed() < kept + growth) return;
    collect();
    kept = heapUsed();
  };
  return {
    begin() {
      wait(shortMs, () => {
        collect({ type: 'minor' });
        wait(longMs, collectAll);
      });
    },
    end: () => clearTimeout(timer),
  };
}
