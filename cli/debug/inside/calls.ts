import { AsyncLocalStorage } from 'node:async_hooks';
import { contextOrNone } from '../../../core/memory/context.ts';
import type { Walk } from '../../../core/walkers/walk.ts';
import type { DebugFunction } from '../../../lang/5-emit/debug-tables.ts';
import { currentTask } from '../../../library/modules/asyncio/tasks.ts';
import type { DebuggedModule } from './tables.ts';

/** A running call of a function of the program, also while it waits. */
export interface Call {
  readonly module: DebuggedModule;
  readonly fn: DebugFunction;
  /** The call that made it, as long as that is in the same unit of work. */
  readonly parent: Call | undefined;
  /** Evaluates JavaScript among the variables of the call. */
  readonly read: (code: string) => unknown;
  readonly walk: Walk | undefined;
  /** Unit of work: what a step stays in. */
  readonly unit: unknown;
  /** Task of `asyncio` that it runs in. */
  readonly task: unknown;
  /** Number of the statement that is running; -1 before the first. */
  statement: number;
  isDone: boolean;
  /** Value that it returns, once that is known. */
  value?: unknown;
  /** Error that it raises, in a list of one. */
  thrown?: readonly [unknown];
}

/** The handle that a generated module knows as `$d`. */
export interface ModuleHandle {
  enter(fn: number, read: Call['read'], self?: unknown, walk?: Walk): Call;
  leave(call: Call): void;
  /** Runs a function that can wait: gives its value, or raises what it raises, where it did not have to. */
  kept(run: () => Promise<unknown>): unknown;
  /** The same for a comprehension, which leaves its value in what it is given. */
  now(run: (kept: Pick<Call, 'value' | 'thrown'>) => Promise<unknown>): unknown;
  at(call: Call, statement: number): void;
  /** The same as `at` in a function that can wait; true: it has to, for `held`. */
  reach(call: Call, statement: number): boolean;
  /** Resolves when the function that was just told to wait may go on. */
  held(): Promise<void>;
  /** Gives the items of a loop; each further look for one is a step. */
  each(call: Call, statement: number, items: Iterable<unknown>): Iterable<unknown>;
  eachLater(call: Call, statement: number, items: AsyncIterable<unknown>): AsyncIterable<unknown>;
  /** Hears of what is raised and goes through the call; gives it back. */
  passing(call: Call, error: unknown): unknown;
  /** The same as `passing` in a function that can wait; true: it has to, for `held`. */
  raised(call: Call, error: unknown): boolean;
}

/** A wait of functions for the debugger. */
export interface Hold {
  readonly over: Promise<void>;
  /** The function has been seen where it waits; others look again when the wait is over. */
  readonly isSeen: boolean;
}

/** Looks at each statement and each exception that passes. */
export interface Watcher {
  /** False: statements without flags are not looked at. */
  isArmed: boolean;
  /** Call of the statement that began last, where a program that only waits stands. */
  last: Call | undefined;
  /** @param canWait gives the time until which the function has to wait; undefined: it goes on */
  see(call: Call, isFirst: boolean, canWait: boolean): Hold | undefined;
  passing(call: Call, error: unknown, canWait: boolean): Hold | undefined;
  entered(call: Call): void;
}

const running = new AsyncLocalStorage<Call | undefined>();

/** The innermost call that has not ended, as far as this branch of the program goes. */
export function currentCall(): Call | undefined {
  return alive(running.getStore());
}

function alive(call: Call | undefined): Call | undefined {
  let at = call;
  while (at?.isDone === true) at = at.parent;
  return at;
}

/** Runs `work`, and whatever it waits for, as if the call made it; the call that runs afterwards is the one from before. */
export function runInside<T>(call: Call, work: () => T): T {
  return running.run(call, work);
}

export function isInside(call: Call, outer: Call): boolean {
  for (let at = call.parent; at !== undefined; at = at.parent) if (at === outer) return true;
  return false;
}

/** The outcome of code that has ended, instead of the promise of it. */
function settled(promise: Promise<unknown>, { value, thrown }: Pick<Call, 'value' | 'thrown'>): unknown {
  if (thrown === undefined) return value === undefined ? promise : value;
  promise.catch(() => {});
  throw thrown[0];
}

export function makeHandle(module: DebuggedModule, watcher: Watcher): ModuleHandle {
  const { flags } = module;
  let hold: Promise<void> = Promise.resolve();
  /** Note of the call that is entered next. */
  let entering: { call: Call | undefined } | undefined;
  const look = (call: Call, statement: number, canWait: boolean): Hold | undefined => {
    const isFirst = call.statement < 0;
    call.statement = statement;
    watcher.last = call;
    if (running.getStore() !== call) running.enterWith(call);
    return watcher.isArmed || flags[statement] !== 0 ? watcher.see(call, isFirst, canWait) : undefined;
  };
  const at = (call: Call, statement: number): void => void look(call, statement, false);
  const reach = (call: Call, statement: number): boolean => {
    const before = call.statement;
    const found = look(call, statement, true);
    if (found !== undefined && !found.isSeen) call.statement = before;
    return keep(found, () => reach(call, statement));
  };
  const raised = (call: Call, error: unknown): boolean =>
    keep(watcher.passing(call, error, true), () => raised(call, error));

  /** Keeps a wait for `held`, which is asked for next. */
  function keep(found: Hold | undefined, again: () => boolean): boolean {
    if (found === undefined) return false;
    hold = found.isSeen ? found.over : found.over.then(() => (again() ? hold : undefined));
    return true;
  }

  return {
    enter(fn, read, _self, walk) {
      const unit = contextOrNone();
      const outer = currentCall();
      const parent = outer?.unit === unit ? outer : undefined;
      const call: Call = {
        module,
        fn: module.tables.functions[fn]!,
        parent,
        read,
        walk,
        unit,
        task: currentTask(),
        statement: -1,
        isDone: false,
      };
      if (entering !== undefined) entering.call = call;
      entering = undefined;
      running.enterWith(call);
      if (walk !== undefined) watcher.entered(call);
      return call;
    },
    leave(call) {
      call.isDone = true;
      running.enterWith(alive(call.parent));
    },
    kept(run) {
      const entered: { call: Call | undefined } = (entering = { call: undefined });
      const promise = run();
      const { call } = entered;
      return call?.isDone === true ? settled(promise, call) : promise;
    },
    now(run) {
      const kept: Pick<Call, 'value' | 'thrown'> = {};
      return settled(run(kept), kept);
    },
    at,
    reach,
    held: () => hold,
    raised,
    *each(call, statement, items) {
      for (const item of items) {
        yield item;
        at(call, statement);
      }
    },
    async *eachLater(call, statement, items) {
      for await (const item of items) {
        yield item;
        if (reach(call, statement)) await hold;
      }
    },
    passing(call, error) {
      watcher.passing(call, error, false);
      return error;
    },
  };
}
