/** The exception an `except` clause works with: for a bare `raise` in a function, `traceback.format_exc`, `logger.exception` and `sys.exc_info`. */

let last: unknown = null;

/** Called when an `except` clause takes an exception. */
export function noteHandled(error: unknown): void {
  last = error;
}

/** The exception taken last; null before the first, and where its clause has ended in programs that say so (`endHandling`). */
export function handledException(): any {
  return last;
}

/** Exceptions whose clauses are running, the latest last; kept in programs that ask for it: `sys.exc_info`, a bare `raise` outside of such clauses. */
export const handling: unknown[] = [];

export function beginHandling(error: unknown): void {
  handling.push(error);
  last = error;
}

/** Clauses of tasks that wait for each other end in any order. A generator that stops inside a clause leaves it, too. */
export function endHandling(error: unknown): void {
  const at = handling.lastIndexOf(error);
  if (at >= 0) handling.splice(at, 1);
  last = handling.at(-1) ?? null;
}
