import { HTTPError } from '../../../core/modules/http-members.ts';
import { caught, excMatch } from '../../../core/runtime.ts';
import { titleOfException } from '../../../library/values/objects/exception-text.ts';
import { BaseException, Exception, StopIteration } from '../../../library/values/objects/exceptions.ts';
import type { Call } from './calls.ts';

/** Is an exception one that the program deals with as a failure? What ends it on purpose, or answers a call, is none. */
export function isFailure(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if (error instanceof HTTPError) return Number((error as { status?: unknown }).status ?? 500) >= 500;
  if (error instanceof BaseException) return error instanceof Exception && !(error instanceof StopIteration);
  return error instanceof globalThis.Error && !internal.has(error.constructor.name);
}

/** Faults by which units of work are run again or given up. */
const internal = new Set(['ConflictError', 'CallEnded', 'Failure']);

/**
 * Does an `except` of a call, or of one around it, take the exception, or ask for it when the task that it is raised in is over? `asksTasks`: some
 * function of the program asks tasks; it then may ask one that another task made, and where it is waited for the exception passes again.
 */
export function isHandled(call: Call, error: unknown, asksTasks: boolean): boolean {
  const exception = caught(error);
  for (let at: Call | undefined = call; at !== undefined; at = at.parent) {
    if (at.isDone) continue;
    const isOther = at.task !== call.task;
    if (isOther && (at.fn.asksTasks === true || (asksTasks && at.task !== undefined))) return true;
    const { tables } = at.module;
    for (const number of tables.statements[at.statement]?.tries ?? []) {
      const types = tables.tries[number];
      if (types === null || types === undefined) return true;
      if (types.some((code) => matches(at!, exception, code))) return true;
    }
  }
  return false;
}

function matches(call: Call, exception: unknown, code: string): boolean {
  try {
    return excMatch(exception as never, call.read(`(() => { let $1, $2; return ${code}; })()`) as never) === true;
  } catch {
    return false;
  }
}

export function exceptionText(error: unknown): string {
  return titleOfException(caught(error));
}
