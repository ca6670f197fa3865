/**
 * Waits for SIGTERM or SIGINT. A second one ends the process at once with 130 or 143 after `beforeExit`; SIGHUP is ignored
 * (docs/server/commands.md#shutdown).
 */
export function waitForSignal(beforeExit: () => void): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    const take = (signal: NodeJS.Signals) => {
      if (asked) {
        beforeExit();
        process.exit(signal === 'SIGINT' ? 130 : 143);
      }
      asked = true;
      resolve(signal);
    };
    process.on('SIGTERM', take);
    process.on('SIGINT', take);
    process.on('SIGHUP', () => {});
  });
}

/** Signals are for the primary process, which tells its workers what to do; a terminal and service managers send them to all. */
export function ignoreSignals(): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
}
