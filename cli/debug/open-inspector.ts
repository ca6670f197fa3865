import inspector from 'node:inspector';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import type { InsideOptions } from './inside/inside.ts';

export interface Inspected {
  readonly port: number;
  /** Nothing of the program runs before a debugger has connected and said what it wants. */
  readonly waits: boolean;
  /** Folder of the compiled modules. */
  readonly directory: string;
  readonly projectDir: string;
  readonly start: InsideOptions['start'];
  readonly replayer?: InsideOptions['replayer'];
}

/**
 * Opens the inspector of this process, on the loopback address alone, for a program that was compiled for a debugger. Node prints the address.
 *
 * @throws CommandFailure when the port is taken
 */
export async function openInspector({ port, waits, ...inside }: Inspected): Promise<void> {
  const { installInside } = await import('./inside/inside.ts');
  installInside(inside);
  // Open already: a second program of the process, or Node was started with an option of its own.
  if (inspector.url() !== undefined) return;
  inspector.open(port, '127.0.0.1');
  if (inspector.url() === undefined) {
    const why = `port ${port} is taken`;
    throw new CommandFailure(exitCodes.cannotBind, 'cannot open the inspector', why, ['--inspect=0 takes a free port']);
  }
  if (waits) inspector.waitForDebugger();
}
