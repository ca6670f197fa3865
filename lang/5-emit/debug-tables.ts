/** Facts of a module that the debugger reads beside its source map (`x_svc_debug`); places count from 1. */
export interface DebugTables {
  /** The module itself first. */
  readonly functions: DebugFunction[];
  readonly statements: DebugStatement[];
  /** Clauses of each `try` with handlers: the code of their types, null when one catches everything. */
  readonly tries: (readonly string[] | null)[];
  /** Names of the module. */
  readonly names: DebugName[];
  /** Elements that this module holds no code of. */
  readonly leftOut: LeftOut[];
}

/** Lines of a file, from the first to the last, whose code runs elsewhere or at another time. */
export interface LeftOut {
  readonly file: number;
  readonly first: number;
  readonly last: number;
  readonly as: 'browser' | 'entry' | 'test';
}

/** A name with its code; `bare`: a float that is held as a number of JavaScript; `standard`: a member of a standard module, no variable. */
export type DebugName = readonly [name: string, code: string, form?: 'bare' | 'standard'];

export interface DebugFunction {
  /** `Walker.ability`, `f`, `C.m`. */
  readonly name: string;
  readonly kind: 'module' | 'function' | 'ability' | 'test';
  readonly file: number;
  readonly line: number;
  /** Variables of the function. */
  readonly names: readonly DebugName[];
  /** The function around it. */
  readonly outer?: number;
  /** Asks tasks for their exceptions, which are not raised in it then. */
  readonly asksTasks?: boolean;
  /** Has a `self`; is an ability of a walker, or of a location. */
  readonly around?: 'self' | 'walker' | 'location';
}

export interface DebugStatement {
  readonly fn: number;
  /** Index in the `sources` of the source map. */
  readonly file: number;
  readonly line: number;
  readonly column: number;
  /** `try` blocks with handlers around it, outermost first. */
  readonly tries?: readonly number[];
  /** Fields it assigns, each with the code of the object. */
  readonly writes?: readonly (readonly [string, string])[];
  /** Field whose container it changes. */
  readonly changes?: string;
}

/** Methods of containers that change them. */
export const changingMethods: ReadonlySet<string> = new Set(
  (
    'append appendleft clear discard difference_update extend extendleft insert intersection_update move_to_end pop popitem popleft remove reverse ' +
    'rotate setdefault sort symmetric_difference_update update'
  ).split(' '),
);

/** Tables that are being filled while a module is written. */
export interface Debugging {
  readonly tables: DebugTables;
  readonly known: Map<string, number>;
  /** `try` blocks with handlers around the statement being written, in the same function. */
  tries: number[];
  /** Number of the function being written. */
  current: number;
}
