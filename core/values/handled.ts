/** The exception an `except` clause works with: for a bare `raise` in a function, `traceback.format_exc`, `logger.exception` and `sys.exc_info`. */

let last: unknown = null;

/** Called when an `except` clause takes an exception. */
export function noteHandled(error: unknown): void {
  last = error;
}

/** The exception taken last; null before the first. */
export function handledException(): any {
  return last;
}

/** Exceptions whose clauses are running, the latest last; kept in programs with a bare `raise` outside of such clauses. */
export const handling: unknown[] = [];

export function beginHandling(error: unknown): void {
  handling.push(error);
}

/** Clauses of tasks that wait for each other end in any order. */
export function endHandling(error: unknown): void {
  handling.splice(handling.lastIndexOf(error), 1);
}
