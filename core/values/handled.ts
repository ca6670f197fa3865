/** The exception an `except` clause works with, for `traceback.format_exc`, `logger.exception` and `sys.exc_info`. */

let last: unknown = null;

/** Called when an `except` clause takes an exception. */
export function noteHandled(error: unknown): void {
  last = error;
}

/** The exception taken last; null before the first. */
export function handledException(): any {
  return last;
}
