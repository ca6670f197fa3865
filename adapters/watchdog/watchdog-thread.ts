/** Parts of Node that the thread beside the main thread needs, which it is started with as text (open-watchdog.ts). */
export interface ThreadParts {
  readonly settings: ThreadSettings;
  readonly Session: typeof import('node:inspector').Session;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Calls `listener` at each of these signals, also while the main thread computes; false when it cannot. */
  readonly onSignals: (names: readonly NodeJS.Signals[], listener: (name: NodeJS.Signals) => void) => boolean;
  readonly say: (line: string) => void;
}

export interface ThreadSettings {
  /**
   * Numbers that the main thread writes: one that changes each time its event loop turns, every `beatMs` at most; 1
   * while calls run, else 0; 1 during a step that V8 may stop, when nothing may be evaluated; milliseconds that calls
   * get when the process is told to end.
   */
  readonly beats: Int32Array;
  readonly beatMs: number;
  /** Instead of `beatMs` while no calls run; infinite: not at all. */
  readonly idleBeatMs: number;
  /** Without an answer for so long the process is killed: something of Node or of the system does not return. Infinite: never. */
  readonly patienceMs: number;
  /** Name of the global variable that holds a `MainSide`. */
  readonly mainSide: string;
  /** Signals are for this process; else they are for its primary process. */
  readonly takesSignals: boolean;
  /** Format of the line that is written when the process is killed. */
  readonly isJson: boolean;
}

/** Questions of the thread to the main thread, in the middle of whatever that computes. */
export interface MainSide {
  /** Ends what ran too long. @param silentMs since the event loop was seen to turn @param signalledMs since the first signal, or -1 */
  check(silentMs: number, signalledMs: number): void;
  /** Ends the process. */
  quit(exitCode: number): void;
}

/**
 * Looks every `beatMs` whether the event loop of the main thread still turns, and lets the main thread look at itself when it does not: V8 lets a
 * debugger evaluate something between two steps of a loop (decisions/0405). Runs in a thread of its own, as text: it uses nothing but its argument.
 */
export function watchdogThread({ settings, Session, kill, onSignals, say }: ThreadParts): void {
  const { beats, beatMs, idleBeatMs, patienceMs, mainSide, takesSignals, isJson } = settings;
  // Connected while it is needed only: a process that ends with a debugger connected says so.
  let session: InstanceType<typeof Session> | undefined;
  let last = -1;
  // Counted, not measured: while the whole machine stands still, so does this.
  let silent = 0;
  let unanswered = 0;
  let isAsking = false;
  let signals = 0;
  let sinceSignal = 0;
  let exitCode = 0;

  const ask = (code: string) => {
    isAsking = true;
    unanswered = 0;
    if (session === undefined) {
      session = new Session();
      session.connectToMainThread();
    }
    session.post('Runtime.evaluate', { expression: `globalThis[${JSON.stringify(mainSide)}].${code}` }, () => {
      isAsking = false;
    });
  };
  const isSignalled =
    takesSignals &&
    onSignals(['SIGINT', 'SIGTERM'], (name) => {
      signals += 1;
      exitCode = name === 'SIGINT' ? 130 : 143;
    });

  const tick = (passedMs: number) => {
    if (signals > 0) sinceSignal += passedMs;
    const now = Atomics.load(beats, 0);
    if (now !== last) {
      last = now;
      silent = 0;
      if (session !== undefined && !isAsking) {
        session.disconnect();
        session = undefined;
      }
      return;
    }
    silent += passedMs;
    if (silent < 2 * passedMs) return;
    if (!isAsking) {
      if (signals > 1) ask(`quit(${exitCode})`);
      // Stopping the step would hit what is evaluated instead, and then nothing would stop it any more.
      else if (Atomics.load(beats, 2) === 1) {
        if (isSignalled && signals > 0 && sinceSignal >= Atomics.load(beats, 3)) ask('quit(1)');
      } else ask(`check(${silent}, ${isSignalled && signals > 0 ? sinceSignal : -1})`);
      return;
    }
    unanswered += passedMs;
    if (unanswered < (signals > 1 ? 1000 : patienceMs)) return;
    const msg = `the process did not react for ${silent / 1000} s and is ended: something that cannot be interrupted runs in it`;
    say(isJson ? JSON.stringify({ time: new Date().toISOString(), level: 'fatal', msg }) : msg);
    kill('SIGKILL');
  };

  const wait = () => {
    if (Atomics.load(beats, 1) === 0 && signals === 0) {
      const woken = (Atomics as unknown as LaterAtomics).waitAsync(beats, 1, 0, idleBeatMs);
      if (woken.async) {
        woken.value
          .then((how) => {
            tick(how === 'timed-out' ? idleBeatMs : beatMs);
            wait();
          })
          .catch((error: unknown) => {
            // Ends the thread, of which the main thread is told.
            setImmediate(() => {
              throw error;
            });
          });
        return;
      }
    }
    setTimeout(() => {
      tick(beatMs);
      wait();
    }, beatMs);
  };
  wait();
}

/** ES2024. */
interface LaterAtomics {
  waitAsync(
    array: Int32Array,
    index: number,
    value: number,
    timeoutMs: number,
  ): { readonly async: false } | { readonly async: true; readonly value: Promise<'ok' | 'timed-out'> };
}
