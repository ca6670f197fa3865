import type { Terminal } from './terminal.ts';

/** Reports slow steps: `Compiling main.svc ... done (0.4s)` (docs/server/commands.md#output). */
export interface Steps {
  /** Runs a step; its line appears only when it takes long enough to wonder, or always with `always`. */
  run<T>(label: string, work: () => T | Promise<T>, options?: { readonly always?: boolean }): Promise<T>;
}

const slowMs = 100;

export function createSteps(terminal: Terminal, print: boolean): Steps {
  return {
    async run(label, work, options = {}) {
      const began = terminal.elapsedMs();
      try {
        const result = await work();
        const tookMs = terminal.elapsedMs() - began;
        if (print && (options.always || tookMs >= slowMs))
          terminal.out(`${label} ... done (${(tookMs / 1000).toFixed(1)}s)\n`);
        return result;
      } catch (error) {
        if (print) terminal.out(`${label} ... failed\n`);
        throw error;
      }
    },
  };
}
