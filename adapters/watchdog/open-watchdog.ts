/**
 * Ends calls that neither wait nor return, and the process where that does not help
 * (docs/server/errors.md#endless-calls, decisions/0405).
 */
import { isMainThread, Worker } from 'node:worker_threads';
import type { Log } from '../../core/log/log.ts';
import { watchBounded } from '../../library/limits/bounded.ts';
import { atNextCall, callsOpen } from '../../library/limits/look.ts';
import { createMainSide, type MainSideParts } from './main-side.ts';
import { type ThreadSettings, watchdogThread } from './watchdog-thread.ts';

export interface WatchdogOptions extends MainSideParts {
  readonly log: Log;
  readonly takesSignals: boolean;
  readonly isJson: boolean;
}

/** Watches the calls of an application in somebody else's process: it takes no signals and sleeps while none of its calls runs. */
export function openGuestWatchdog(parts: Omit<MainSideParts, 'isGuest'>): Watchdog | undefined {
  // A thread is only reached from the main thread, and other runtimes have no such session.
  if (!isMainThread || process.versions['deno'] !== undefined || process.versions['bun'] !== undefined)
    return undefined;
  return openWatchdog({ ...parts, isGuest: true, takesSignals: false, isJson: false });
}

export interface Watchdog {
  /** A call was ended because the process was told to end. */
  readonly hasAborted: boolean;
  close(): void;
}

const beatMs = 100;
/** While nothing runs, in a process of our own: signals may come. */
const idleBeatMs = 1000;
/** Until the thread starts where no call has come: what a first page waits for comes first (decisions/0870). */
const startMs = 2000;
/** Besides the limit of calls: for what cannot be asked meanwhile, such as collecting garbage. */
const patienceMs = 5000;
const mainSideName = '$svcWatchdog';

/** Watches from now on. The thread starts with the first call, and costs nothing until the event loop stops to turn. */
export function openWatchdog(options: WatchdogOptions): Watchdog {
  const { isGuest = false } = options;
  const beats = new Int32Array(new SharedArrayBuffer(16));
  const main = createMainSide(options);
  Object.defineProperty(globalThis, mainSideName, { value: main, configurable: true });
  let timer: NodeJS.Timeout | undefined;
  watchBounded((isInside) => {
    Atomics.store(beats, 2, isInside ? 1 : 0);
  });
  const beat = () => {
    Atomics.add(beats, 0, 1);
    Atomics.store(beats, 3, options.limits().drainMs);
    main.beat();
    const isBusy = callsOpen() > 0;
    Atomics.store(beats, 1, isBusy ? 1 : 0);
    if (!isBusy) atNextCall(wake);
    if (isGuest && !isBusy) return;
    timer = setTimeout(beat, isBusy ? beatMs : idleBeatMs);
    timer.unref();
  };
  const wake = () => {
    startThread();
    clearTimeout(timer);
    Atomics.add(beats, 0, 1);
    Atomics.store(beats, 1, 1);
    Atomics.notify(beats, 1);
    timer = setTimeout(beat, beatMs);
    timer.unref();
  };
  const settings: ThreadSettings = {
    beats,
    beatMs,
    idleBeatMs: isGuest ? Number.POSITIVE_INFINITY : idleBeatMs,
    patienceMs: isGuest ? Number.POSITIVE_INFINITY : options.limits().longestMs + patienceMs,
    mainSide: mainSideName,
    takesSignals: options.takesSignals,
    isJson: options.isJson,
  };
  let thread: Worker | undefined;
  const startThread = () => {
    if (thread !== undefined) return;
    thread = new Worker(threadText, {
      eval: true,
      workerData: settings,
      execArgv: options.takesSignals ? ['--expose-internals', '--no-warnings'] : [],
      name: 'svc-watchdog',
      resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16, stackSizeMb: 1 },
    });
    thread.unref();
    thread.on('error', (error) =>
      options.log.warn('calls that compute without end cannot be ended from now on', { error }),
    );
  };
  beat();
  const starting = isGuest ? undefined : setTimeout(startThread, startMs).unref();
  return {
    get hasAborted() {
      return main.hasAborted;
    },
    close() {
      clearTimeout(timer);
      clearTimeout(starting);
      atNextCall(undefined);
      watchBounded(undefined);
      void thread?.terminate();
    },
  };
}

// Text, so that it needs no file of its own. Node has no public way to receive signals in a thread: the part of it that does is asked of the thread's
// own `internal/test/binding`, since `process.binding` lacks it from Node 24 on.
const threadText = `
const { parentPort, workerData: settings } = require('node:worker_threads');
// A listener for messages keeps the thread alive; its own waits do not.
parentPort.on('message', () => {});
(${watchdogThread.toString()})({
  settings,
  Session: require('node:inspector').Session,
  kill: (signal) => process.kill(process.pid, signal),
  say: (line) => require('node:fs').writeSync(2, line + '\\n'),
  onSignals(names, listener) {
    try {
      const { Signal } = require('internal/test/binding').internalBinding('signal_wrap');
      for (const name of names) {
        const signal = new Signal();
        signal.unref();
        signal.onsignal = () => listener(name);
        signal.start(require('node:os').constants.signals[name]);
      }
      return true;
    } catch {
      return false;
    }
  },
});`;
