import inspector from 'node:inspector';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import type { InsideOptions } from './inside/inside.ts';

export interface Inspected {
  /** The first that is free counts; 0: any that is. */
  readonly ports: readonly number[];
  /** Nothing of the program runs before a debugger has connected and said what it wants. */
  readonly waits: boolean;
  /** Folder of the compiled modules. */
  readonly directory: string;
  readonly projectDir: string;
  readonly graph: InsideOptions['graph'];
  readonly start: InsideOptions['start'];
  readonly replayer?: InsideOptions['replayer'];
}

/**
 * Opens the inspector of this process, on the loopback address alone, for a program that was compiled for a debugger. Node prints the address.
 *
 * @throws CommandFailure when all ports are taken
 */
export async function openInspector({ ports, waits, ...inside }: Inspected): Promise<void> {
  const { installInside } = await import('./inside/inside.ts');
  installInside(inside);
  // Open already: a second program of the process, or Node was started with an option of its own.
  if (inspector.url() !== undefined) return;
  // Looking first whether a port is free would leave time in which somebody takes it.
  for (const port of ports) if (inspector.url() === undefined) inspector.open(port, '127.0.0.1');
  const url = inspector.url();
  if (url === undefined) {
    const why = `port ${ports[0]} is taken`;
    throw new CommandFailure(exitCodes.cannotBind, 'cannot open the inspector', why, ['--inspect=0 takes a free port']);
  }
  const { port } = new URL(url);
  if (ports.length > 1 && port !== String(ports[0]))
    process.stderr.write(`svc: port ${ports[0]} is taken: the inspector listens on ${port}\n`);
  if (waits) inspector.waitForDebugger();
}
