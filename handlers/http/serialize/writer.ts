import type { GraphObject } from '../../../core/graph/objects.ts';
import type { Scratch } from './scratch.ts';

/** Questions of serialization to the unit of work it runs in. */
export interface GraphView {
  /** Tells whether the caller may read a node or edge. */
  isReadable(object: GraphObject): boolean;
  /** 32 hexadecimal digits; undefined for an object that is not saved. */
  idOf(object: GraphObject): string | undefined;
  /** Stored JSON text of the public fields, `"title":"x","done":false`, when it can be used as it is. */
  storedFields(object: GraphObject): string | undefined;
}

/** One answer being written: which objects it already contains and which enclose the current place. */
export interface Writer {
  readonly out: Scratch;
  readonly graph: GraphView;
  /** Nodes and edges that are in the answer in full; none yet while undefined. */
  written: Set<object> | undefined;
  /** Plain objects and containers around the current place. */
  readonly open: object[];
  /** `serialize_private`: fields marked priv or protect are written as well. */
  readonly withPrivate: boolean;
  /** Type names of values that have no JSON form, as they were met. */
  odd: string[] | undefined;
}

/** Starts an answer. The scratch may have served others before. */
export function makeWriter(out: Scratch, graph: GraphView, withPrivate: boolean): Writer {
  out.at = 0;
  out.isAscii = true;
  return { out, graph, written: undefined, open: [], withPrivate, odd: undefined };
}

/** Deepest nesting that is written; below it there is a reference (docs/server/answers.md#values). */
export const maxDepth = 32;
