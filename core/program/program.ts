/** A loaded program as the server sees it: what clients can call (docs/server/programs.md#start-validation). */
import type { ClassMeta } from '../../library/classes/meta.ts';
import type { ClassTable } from '../../library/classes/registry.ts';
import type { FunctionSpec, RestSpec } from '../../library/classes/spec.ts';

export interface Program {
  /** Id of the entry module. */
  readonly entry: string;
  /** Walkers that clients can reach: those of the entry module in order of declaration, then those it imports. */
  readonly walkers: readonly WalkerTarget[];
  readonly functions: readonly FunctionTarget[];
  /** Names of functions that the entry module has and nothing serves (`serve.functions`), in the order of `functions`. */
  readonly internal: readonly string[];
  /** The classes of this version of the program, by stored name. */
  readonly classes: ClassTable;
  /** Lines to print at start. */
  readonly warnings: readonly string[];
}

interface Target {
  readonly name: string;
  readonly module: string;
  /** Declared in another module than the entry. */
  readonly imported: boolean;
  readonly access: 'pub' | 'default' | 'protect' | 'priv';
  /** True when no authentication is needed. */
  readonly isPublic: boolean;
  readonly isAsync: boolean;
  readonly doc: string;
  readonly rest: RestSpec;
  /** HTTP methods it answers to; one, unless an older walker lists several. */
  readonly methods: readonly RestSpec['method'][];
  /** Path template it is served at, `{param}` segments included. */
  readonly path: string;
  /** Fields read from the query whatever the method (older walkers). */
  readonly queryFields: readonly string[] | 'all';
}

export interface WalkerTarget extends Target {
  readonly kind: 'walker';
  readonly meta: ClassMeta;
  /** Fields that no request fills (older walkers). */
  readonly excludedFields?: readonly string[] | 'all' | undefined;
}

export interface FunctionTarget extends Target {
  readonly kind: 'function';
  readonly fn: (...args: any[]) => unknown;
  readonly spec: FunctionSpec;
}

/** Error that lists every reason why a program cannot be served, one line each (docs/server/programs.md#start-validation). */
export class ProgramError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ProgramError';
    this.problems = problems;
  }
}
