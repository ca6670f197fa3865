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
  /** Ports of its inspector, of which the first that is free counts; 0: any that is. */
  readonly ports: readonly number[];
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
  { args, rest, cwd, env, ports }: Program,
  events: LaunchEvents,
): Promise<Launched | number> {
  const [command = 'run', ...others] = args;
  const line = [command, `--inspect=${ports.join()}`, ...others, ...(rest.length === 0 ? [] : ['--', ...rest])];
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

/** Attaches to a program that runs already. Ending it here only lets it go; its exit code is not known: `exited` gives 1 where the connection broke off. @throws Error when there is none */
export async function attachTo(port: number, events: LaunchEvents): Promise<Launched> {
  let isOver: (code: number) => void = () => {};
  const exited = new Promise<number>((resolve) => {
    isOver = resolve;
  });
  const session = await attach(port, { ...events, onClose: (isLost) => isOver(isLost ? 1 : 0) });
  return { session, exited, kill: session.release };
}
