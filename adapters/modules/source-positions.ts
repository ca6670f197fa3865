/** Reader of source maps: Node's own, where the host has it. */
import { SourceMap } from 'node:module';

/** A place in a source. Line and column count from 1. */
export interface SourcePosition {
  readonly source: string;
  readonly line: number;
  readonly column: number;
}

/** Gives the position in a source of one in the module of a map, both counted from 1. */
export type FindPosition = (line: number, column: number) => SourcePosition | undefined;

let readMap: (map: object) => FindPosition = readByNode;

/** Hosts without Node's reader bring one. */
export function setMapReader(read: (map: object) => FindPosition): void {
  readMap = read;
}

/** @throws Error for what is no source map */
export function positionsOf(map: object): FindPosition {
  return readMap(map);
}

function readByNode(map: object): FindPosition {
  const positions = new SourceMap(map as ConstructorParameters<typeof SourceMap>[0]);
  return (line, column) => {
    const found = positions.findEntry(line - 1, Math.max(0, column - 1));
    // Before the first entry of a line the last one of an earlier line is given.
    if (!('originalSource' in found) || found.generatedLine !== line - 1) return undefined;
    return { source: found.originalSource, line: found.originalLine + 1, column: found.originalColumn + 1 };
  };
}
