import { AsyncLocalStorage } from 'node:async_hooks';
import { contextOrNone } from '../../../core/memory/context.ts';
import type { Walk } from '../../../core/walkers/walk.ts';
import type { DebugFunction } from '../../../lang/5-emit/debug-tables.ts';
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
  /** Number of the statement that is running; -1 before the first. */
  statement: number;
  isDone: boolean;
}

/** The handle that a generated module knows as `$d`. */
export interface ModuleHandle {
  enter(fn: number, read: Call['read'], self?: unknown, walk?: Walk): Call;
  leave(call: Call): void;
  at(call: Call, statement: number): void;
  /** Gives the items of a loop; each further look for one is a step. */
  each(call: Call, statement: number, items: Iterable<unknown>): Iterable<unknown>;
  eachLater(call: Call, statement: number, items: AsyncIterable<unknown>): AsyncIterable<unknown>;
  /** Hears of what is raised and goes through the call; gives it back. */
  passing(call: Call, error: unknown): unknown;
}

/** Looks at each statement and each exception that passes. */
export interface Watcher {
  /** False: statements without flags are not looked at. */
  isArmed: boolean;
  see(call: Call, isFirst: boolean): void;
  passing(call: Call, error: unknown): void;
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

export function isInside(call: Call, outer: Call): boolean {
  for (let at = call.parent; at !== undefined; at = at.parent) if (at === outer) return true;
  return false;
}

export function makeHandle(module: DebuggedModule, watcher: Watcher): ModuleHandle {
  const { flags } = module;
  const at = (call: Call, statement: number): void => {
    const isFirst = call.statement < 0;
    call.statement = statement;
    if (running.getStore() !== call) running.enterWith(call);
    if (watcher.isArmed || flags[statement] !== 0) watcher.see(call, isFirst);
  };
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
        statement: -1,
        isDone: false,
      };
      running.enterWith(call);
      if (walk !== undefined) watcher.entered(call);
      return call;
    },
    leave(call) {
      call.isDone = true;
      running.enterWith(alive(call.parent));
    },
    at,
    *each(call, statement, items) {
      for (const item of items) {
        yield item;
        at(call, statement);
      }
    },
    async *eachLater(call, statement, items) {
      for await (const item of items) {
        yield item;
        at(call, statement);
      }
    },
    passing(call, error) {
      watcher.passing(call, error);
      return error;
    },
  };
}
