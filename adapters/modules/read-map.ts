import { originalPositionFor, type SourceMapInput, TraceMap } from '@jridgewell/trace-mapping';
import type { FindPosition } from './source-positions.ts';

/** Reads a source map without Node. */
export function readMapPlainly(map: object): FindPosition {
  const traced = new TraceMap(map as SourceMapInput);
  return (line, column) => {
    const found = originalPositionFor(traced, { line, column: Math.max(0, column - 1) });
    return found.source === null ? undefined : { source: found.source, line: found.line, column: found.column + 1 };
  };
}
