import { createServer } from 'node:net';
import { CommandFailure } from '../../command-failure.ts';
import { exitCodes } from '../../exit-codes.ts';
import type { Stop, Told } from '../protocol.ts';
import { attach } from './attach.ts';
import { type Debuggee, startDebuggee } from './debuggee.ts';
import { openSession, type Session } from './session.ts';

/** A program to debug, as a line of `svc`. */
export interface Program {
  /** `run main.svc --no-persist`, `test main.svc`. */
  readonly args: readonly string[];
  /** Arguments of the program itself. */
  readonly rest: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Port of its inspector; 0: any that is free. */
  readonly port: number;
}

export interface LaunchEvents {
  onOutput(stream: 'out' | 'err', text: string): void;
  onStop(stop: Stop): void;
  onTold(told: Told): void;
}

/** A program that runs under the debugger. */
export interface Launched {
  readonly session: Session;
  readonly exited: Promise<number>;
  /** Ends the program, wherever it stands; resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts a program, which waits to be let go; the exit code when it ends before that, for example since it does not compile. */
export async function launch(
  { args, rest, cwd, env, port }: Program,
  events: LaunchEvents,
): Promise<Launched | number> {
  const [command = 'run', ...others] = args;
  const line = [command, `--inspect=${port}`, ...others, ...(rest.length === 0 ? [] : ['--', ...rest])];
  const debuggee: Debuggee = startDebuggee({ args: line, cwd, env, onOutput: events.onOutput });
  const url = await debuggee.url;
  if (url === undefined) return await debuggee.exited;
  try {
    const session = await openSession(url, { ...events, onClose: () => {} });
    return {
      session,
      exited: debuggee.exited,
      async kill() {
        debuggee.kill();
        await debuggee.exited;
      },
    };
  } catch (error) {
    debuggee.kill();
    await debuggee.exited;
    throw error;
  }
}

/** Attaches to a program that runs already. Ending it here only lets it go. @throws Error when there is none */
export async function attachTo(port: number, events: LaunchEvents): Promise<Launched> {
  let isOver: (code: number) => void = () => {};
  const exited = new Promise<number>((resolve) => {
    isOver = resolve;
  });
  const session = await attach(port, { ...events, onClose: () => isOver(0) });
  return { session, exited, kill: session.release };
}

/** The port for an inspector: the one asked for, or instead of the default one that is free. @throws CommandFailure when the one asked for is taken */
export async function freePort(wanted: number | undefined, usual: number): Promise<number> {
  if (await isFree(wanted ?? usual)) return wanted ?? usual;
  if (wanted === undefined) return 0;
  throw new CommandFailure(exitCodes.cannotBind, `cannot use port ${wanted}`, 'it is taken');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
