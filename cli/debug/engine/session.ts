import {
  type Answer,
  bindingName,
  type Going,
  insideKey,
  type Request,
  type Stop,
  type Told,
  tookLong,
  type Value,
} from '../protocol.ts';
import { connectInspector, type InspectorClient } from './inspector-client.ts';

/** A program under the debugger, from the connection until it ends or is let go. */
export interface Session {
  /** @throws Error with a sentence when the program refuses or does not answer in time */
  ask<R extends Request>(request: R): Promise<Answer<R>>;
  /**
   * The value of an expression, or of an assignment.
   *
   * @param mayWait the value may be waited for: the program then stands on while its event loop runs
   * @throws Error as `ask`, also when it took too long or was broken off by `pause`
   */
  evaluate(frame: number, text: string, mayWait?: boolean): Promise<Value>;
  /** Lets the program go on. */
  go(going: Going, entry?: boolean): Promise<void>;
  /** Stops at the next statement, or where the program waits when none comes. */
  pause(): Promise<void>;
  readonly isStopped: boolean;
  /** True while something is evaluated, which `pause` breaks off. */
  readonly isEvaluating: boolean;
  /** Lets go of the program, which then runs on as if nobody had looked. */
  release(): Promise<void>;
}

export interface SessionEvents {
  onStop(stop: Stop): void;
  onTold(told: Told): void;
  /** The connection is over: the program has ended, or is about to. `isLost`: without a word. */
  onClose(isLost: boolean): void;
}

/** Milliseconds that a program may take to answer: more than it gives code of its own for that. */
const answerMs = 6000;
/** Milliseconds for which an evaluation may wait. */
const waitMs = 10_000;
/** Milliseconds that a pause waits for a statement before it stops a program that only waits. */
const pauseMs = 200;

/** Connects to the inspector of a program that `open-inspector.ts` opened. A program that waits for that is not let go before `go`. */
export async function openSession(url: string, events: SessionEvents): Promise<Session> {
  const client = await connectInspector(url);
  let isStopped = false;
  let isWaiting = true;
  /** The program has ended in order, or was let go. */
  let isOver = false;
  /** Set while an evaluation waits; called when it is over, or when the program is. */
  let evaluated: (() => void) | undefined;
  let [isEvaluating, isBrokenOff] = [false, false];
  const breakOff = () => ask({ ask: 'giveUp', why: 'this was broken off' });
  client.onClose(() => {
    evaluated?.();
    events.onClose(!isOver);
  });
  client.on((method, params) => {
    if (method === 'Runtime.bindingCalled' && params.name === bindingName) events.onTold(JSON.parse(params.payload));
    else if (method === 'Runtime.executionContextDestroyed') {
      isOver = true;
      client.close();
    } else if (method === 'Debugger.paused') heard().catch(() => {});
    else if (method === 'Debugger.resumed') isStopped = false;
  });
  async function heard(): Promise<void> {
    isStopped = true;
    const stop = await ask({ ask: 'stop' });
    // Not of our making: a `debugger` statement of a package.
    if (stop === null) return void (await client.send('Debugger.resume'));
    if (stop.reason === 'evaluated') return evaluated?.();
    // Output that the program has written before comes first.
    await new Promise((resolve) => setTimeout(resolve, 5));
    events.onStop(stop);
  }
  async function ask<R extends Request>(request: R): Promise<Answer<R>> {
    return await askInside(client, request);
  }
  async function evaluate(frame: number, text: string, mayWait = true): Promise<Value> {
    [isEvaluating, isBrokenOff] = [true, false];
    try {
      const answer = await ask({ ask: 'evaluate', frame, text, waitMs: mayWait ? waitMs : undefined });
      return 'waits' in answer ? await waitForValue() : answer;
    } finally {
      isEvaluating = false;
    }
  }
  async function waitForValue(): Promise<Value> {
    const over = new Promise<void>((resolve) => {
      evaluated = resolve;
    });
    // The program's own timer is not heard while its code computes.
    const busy = setTimeout(() => ask({ ask: 'giveUp', why: tookLong(waitMs) }).catch(() => {}), waitMs + 500);
    try {
      await client.send('Debugger.resume');
      if (isBrokenOff) await breakOff();
      await over;
      return await ask({ ask: 'evaluated' });
    } finally {
      clearTimeout(busy);
      evaluated = undefined;
    }
  }
  await client.send('Runtime.enable');
  await client.send('Debugger.enable');
  await client.send('Runtime.addBinding', { name: bindingName });
  return {
    ask,
    evaluate,
    get isStopped() {
      return isStopped;
    },
    get isEvaluating() {
      return isEvaluating;
    },
    async go(going, entry) {
      await ask({ ask: 'go', going, entry });
      const wasStopped = isStopped;
      isStopped = false;
      if (isWaiting) await client.send('Runtime.runIfWaitingForDebugger');
      isWaiting = false;
      if (wasStopped) await client.send('Debugger.resume');
    },
    async pause() {
      if (isEvaluating) {
        isBrokenOff = true;
        if (evaluated !== undefined) await breakOff();
        return;
      }
      if (isStopped) return;
      await ask({ ask: 'pause', now: false });
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      // Answered only when the program goes on again.
      if (!isStopped) ask({ ask: 'pause', now: true }).catch(() => {});
    },
    async release() {
      await ask({ ask: 'detach' }).catch(() => {});
      if (isStopped) await client.send('Debugger.resume').catch(() => {});
      isOver = true;
      client.close();
    },
  };
}

async function askInside<R extends Request>(client: InspectorClient, request: R): Promise<Answer<R>> {
  const expression = `globalThis[Symbol.for(${JSON.stringify(insideKey)})].ask(${JSON.stringify(request)})`;
  const standsOn = request.ask === 'pause' && request.now;
  const asked = { expression, returnByValue: true, ...(standsOn ? {} : { timeout: answerMs }) };
  const { result, exceptionDetails } = await client.send('Runtime.evaluate', asked, standsOn);
  if (typeof result?.value !== 'string')
    throw new Error(
      exceptionDetails === undefined
        ? 'this took too long'
        : 'this process runs no program that was compiled for a debugger',
    );
  const answer = JSON.parse(result.value);
  if (answer.failed !== undefined) throw new Error(answer.failed);
  return answer.ok;
}
