/**
 * Bounds on the memory that program code may take in one go (docs/server/errors.md#memory, decisions/0405). V8 ends the process where
 * the heap is full, and where a list has some hundred million items.
 */
import { nodeV8 } from '../node-parts.ts';
import { type Collect, openCollector } from './collector.ts';

const megabyte = 1024 * 1024;
/** A list of 50 million items. */
const mostGrowth = 384 * megabyte;
/** Growth in bytes from which garbage has to be told from the rest before the next growth begins. */
const suspiciousGrowth = 128 * megabyte;
/** Share of the heap that V8 allows itself. */
const mostGrowthShare = 0.4;
const mostShare = 0.85;

/** Use of the heap, followed from a beginning. */
export interface Growth {
  /** The least bytes in use since then: all else may have come later. */
  least: number;
}

let isSuspicious = false;

export function beginGrowth(): Growth {
  return { least: bytesInUse() };
}

/**
 * Tells whether more has been taken since the beginning than the process can spare. What nobody uses any more does not
 * count.
 */
export function isTooMuch(growth: Growth): boolean {
  return exceeds(growth) && (collectGarbage(), exceeds(growth));
}

/** After much was taken: what is left of it must not be taken for the beginning of something else. */
export function clearGrowth(): void {
  if (!isSuspicious) return;
  isSuspicious = false;
  collectGarbage();
}

function exceeds(growth: Growth): boolean {
  const used = bytesInUse();
  const { used_heap_size, heap_size_limit } = nodeV8().getHeapStatistics();
  growth.least = Math.min(growth.least, used);
  const grown = used - growth.least;
  isSuspicious ||= grown > suspiciousGrowth;
  return (
    grown > Math.min(mostGrowth, mostGrowthShare * heap_size_limit) || used_heap_size > mostShare * heap_size_limit
  );
}

/** Objects, and what they hold outside of the heap. */
function bytesInUse(): number {
  const { used_heap_size, external_memory } = nodeV8().getHeapStatistics();
  return used_heap_size + external_memory;
}

let collect: Collect | undefined;

function collectGarbage(): void {
  collect ??= openCollector();
  collect();
}
