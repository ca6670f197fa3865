/**
 * Throws `error` in a later turn of the event loop, where nothing catches it: the process logs and counts it (cli/start/guard.ts), and who found it
 * goes on with what else there is to do.
 */
export function throwOutside(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}
