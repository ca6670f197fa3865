/** Messages between the debugger and its part inside of the program: plain JSON, asked by `Runtime.evaluate` and answered at once. */

/** A place in source files: relative to the project, counted from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface LineBreakpoint {
  readonly id: number;
  readonly line: number;
  readonly column?: number | undefined;
  /** Expression of the language: stop only where it is true. */
  readonly condition?: string | undefined;
  /** Stop from the n-th time on (`5`, `>= 5`), at the n-th time (`= 5`) or every n times (`% 5`). */
  readonly hits?: string | undefined;
  /** Text to print instead of stopping; `{expression}` in it is replaced. */
  readonly log?: string | undefined;
}

/** `Walker`, `Walker.ability`, `function`, `Class.method`. */
export interface FunctionBreakpoint {
  readonly id: number;
  readonly name: string;
  readonly condition?: string | undefined;
  readonly hits?: string | undefined;
}

/** `Class.field`: stops before a statement that writes it. */
export interface DataBreakpoint {
  readonly id: number;
  readonly name: string;
  readonly condition?: string | undefined;
  readonly hits?: string | undefined;
}

export interface Placed {
  readonly id: number;
  /** Undefined: nothing can stop there. */
  readonly place: Place | undefined;
  /** Reason for which there is no place, or another one than was asked for. */
  readonly message?: string | undefined;
}

export type ExceptionFilter = 'none' | 'uncaught' | 'all';
/** `back`, `first`: in a replay, to the statement before, to the first one. */
export type Going = 'continue' | 'step' | 'next' | 'out' | 'back' | 'first';

export type Request =
  | { readonly ask: 'lines'; readonly file: string; readonly breakpoints: readonly LineBreakpoint[] }
  | { readonly ask: 'functions'; readonly breakpoints: readonly FunctionBreakpoint[] }
  | { readonly ask: 'data'; readonly breakpoints: readonly DataBreakpoint[] }
  | { readonly ask: 'exceptions'; readonly filter: ExceptionFilter }
  /** `entry`: also stop at the first statement of the program. */
  | { readonly ask: 'go'; readonly going: Going; readonly entry?: boolean | undefined }
  /** Stops at the next statement; `now`: where the program stands, although it may only be waiting. */
  | { readonly ask: 'pause'; readonly now: boolean }
  /** Runs a recorded call of the server again, up to its first statement. */
  | { readonly ask: 'replay'; readonly id: string }
  | { readonly ask: 'stop' }
  | { readonly ask: 'stack' }
  | { readonly ask: 'scopes'; readonly frame: number }
  | {
      readonly ask: 'children';
      readonly ref: number;
      /** Only items of a container, or only other parts. */
      readonly filter?: 'indexed' | 'named' | undefined;
      readonly start: number;
      readonly count: number;
    }
  /** `waitMs`: milliseconds for which the value may be waited for, while the program runs nothing else that can wait; absent: not at all. */
  | { readonly ask: 'evaluate'; readonly frame: number; readonly text: string; readonly waitMs?: number | undefined }
  /** The value that was waited for, at the stop `evaluated`. */
  | { readonly ask: 'evaluated' }
  /** Nobody waits for the value any more, for the reason that a sentence gives. */
  | { readonly ask: 'giveUp'; readonly why: string }
  | { readonly ask: 'setChild'; readonly ref: number; readonly name: string; readonly text: string }
  | { readonly ask: 'graph'; readonly depth: number; readonly limit: number }
  | { readonly ask: 'files' }
  /** The class whose fields a number stands for. */
  | { readonly ask: 'owner'; readonly ref: number }
  /** Nothing is to stop any more. */
  | { readonly ask: 'detach' };

export interface Answers {
  readonly lines: readonly Placed[];
  readonly functions: readonly Placed[];
  readonly data: readonly Placed[];
  readonly exceptions: null;
  readonly go: null;
  readonly pause: null;
  readonly replay: null;
  readonly stop: Stop | null;
  readonly stack: readonly StackFrame[];
  readonly scopes: readonly Scope[];
  readonly children: readonly Variable[];
  /** `waits`: the program has to be let go, and stops as `evaluated`. */
  readonly evaluate: Value | { readonly waits: true };
  readonly evaluated: Value;
  readonly giveUp: null;
  readonly setChild: Value;
  readonly graph: Graph;
  readonly files: { readonly projectDir: string; readonly files: readonly string[] };
  readonly owner: string | null;
  readonly detach: null;
}

export type Answer<R extends Request> = Answers[R['ask']];

export type StopReason =
  | 'ready'
  | 'entry'
  | 'step'
  | 'breakpoint'
  | 'function breakpoint'
  | 'data breakpoint'
  | 'exception'
  | 'evaluated'
  | 'pause';

/** Reason for which the program stands. */
export interface Stop {
  readonly reason: StopReason;
  /** Numbers of the breakpoints. */
  readonly breakpoints: readonly number[];
  readonly text?: string | undefined;
  /** The program stands in a walk. */
  readonly inWalk: boolean;
}

export interface StackFrame {
  readonly id: number;
  readonly name: string;
  readonly place: Place;
}

export interface Value {
  /** `repr`, at most 200 characters. */
  readonly text: string;
  readonly type: string;
  /** For `children`; 0: it has none. */
  readonly ref: number;
  /** Number of items of a container. */
  readonly items?: number | undefined;
}

export interface Variable extends Value {
  readonly name: string;
}

export interface Scope {
  readonly name: 'Locals' | 'Walk' | 'Globals' | 'Call';
  readonly ref: number;
}

export interface GraphNode {
  readonly id: number;
  readonly type: string;
  readonly label: string;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly { readonly from: number; readonly to: number; readonly label: string }[];
  /** Node ids of this answer; null where the place is not in it. */
  readonly here: number | null;
  readonly queue: readonly (number | null)[];
  readonly visited: readonly (number | null)[];
  /** Texts of the walk, also where the nodes are not in the answer. */
  readonly walk: {
    readonly here: string;
    readonly queue: readonly string[];
    readonly visited: readonly string[];
    readonly queued: number;
    readonly seen: number;
  } | null;
  /** There is more than was asked for. */
  readonly isCut: boolean;
}

/** Name of the binding through which the program tells something by itself. */
export const bindingName = '__svcDebugTell';

export type Told =
  | { readonly tell: 'log'; readonly text: string; readonly place: Place }
  | ({ readonly tell: 'replayed' } & Replayed)
  /** Breakpoints whose places have changed, since modules have come. */
  | { readonly tell: 'placed'; readonly placed: readonly Placed[] };

/** End of a replay: what differed from the recorded call. */
export interface Replayed {
  readonly same: boolean;
  readonly text: string;
}

/** Gives what runs a recorded call again; undefined when there is none with this request id. */
export type Replayer = (id: string) => (() => Promise<Replayed>) | undefined;

/** Key of the symbol under which the part inside of the program is found. */
export const insideKey = 'svc.debug';

/** Sentence about an evaluation that waited for so many milliseconds. */
export function tookLong(waitMs: number): string {
  return `this took longer than ${waitMs / 1000} s`;
}

/** Sentence about a program that was attached to and ended without a word. */
export const connectionLost = 'the connection to the program broke off: it was killed, or has failed';
