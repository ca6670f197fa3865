/** One hop of an edge reference, as generated code describes it (docs/language/graph.md#edge-references). */
export interface Hop {
  readonly dir: Direction;
  /** Edge type; subtypes match. */
  readonly type?: unknown;
  readonly edgeWhere?: (edge: any) => boolean;
  readonly nodeType?: unknown;
  readonly nodeWhere?: (node: any) => boolean;
  /** The only admissible far ends. */
  readonly only?: unknown;
  /**
   * Conditions on fields of the far end that a store may use to leave out nodes early. `nodeWhere` still decides, so they may be
   * less strict than it, never stricter.
   */
  readonly where?: readonly Condition[];
  /** Greatest number of results of the last hop, after skipping `offset` of them. */
  readonly limit?: number;
  readonly offset?: number;
  /** The edges are looked up to be removed: WRITE on an end is enough to meet them (docs/server/permissions.md#operations). */
  readonly toCut?: boolean;
}

/** `out`: the current node is the source; `in`: the target; `any`: either. Undirected edges fit every direction. */
export type Direction = 'out' | 'in' | 'any';

export interface Condition {
  readonly field: string;
  readonly op: '==' | '!=' | '<' | '<=' | '>' | '>=';
  readonly value: string | number | boolean | null;
}

/** The path of `[-->]`. */
export const out: readonly Hop[] = [{ dir: 'out' }];
