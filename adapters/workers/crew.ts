/** The worker processes of one application, as their primary process sees them (server.md 3.4). */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Channel, createChannel } from './channel.ts';
import { watchHandovers } from './handovers.ts';
import { createRestarts, mostFailures } from './restarts.ts';

export interface Member {
  readonly pid: number;
  readonly channel: Channel;
  readonly isReady: boolean;
}

export interface CrewOptions {
  readonly count: number;
  /** A worker was started: its questions may be given handlers, and `onEnd` functions that clear up after it. */
  readonly onStart: (member: Member, onEnd: (clear: () => void) => void) => void;
  /** A worker has its turn to load the program; gives what it starts with. */
  readonly begin: () => unknown;
  /** A worker serves. */
  readonly onReady: (facts: any) => void;
  /** A worker ended unexpectedly and is replaced after `delayMs`. */
  readonly onRestart: (pid: number, how: string, delayMs: number) => void;
}

export interface Crew {
  /** Starts all; resolves with undefined when all serve, else with the exit code of the first that ended before. */
  start(): Promise<number | undefined>;
  /** Lists the workers that serve. */
  ready(): readonly Member[];
  /** Resolves with a reason when nobody serves and workers fail to start so often that replacing them makes no sense. */
  readonly hopeless: Promise<string>;
  /** Tells all to finish; false when one had to abort something, or did not end in time and was killed. */
  drain(delayMs: number, withinMs: number): Promise<boolean>;
  kill(): void;
}

interface Hand extends Member {
  isReady: boolean;
  readonly worker: Worker;
  readonly ended: Promise<number>;
}

/**
 * Workers load one after the other, because loading runs the program's entry blocks: those of two workers at once would get in each
 * other's way. A worker asks `begin`, waits for its turn, and tells `ready` when it serves.
 */
export function createCrew(options: CrewOptions): Crew {
  const hands = new Set<Hand>();
  const restarts = createRestarts(() => performance.now());
  let isEnding = false;
  let isStarted = false;
  let turn = Promise.resolve();
  let giveUp: (reason: string) => void = () => {};
  const hopeless = new Promise<string>((resolve) => {
    giveUp = resolve;
  });

  function add(): { hand: Hand; ready: Promise<void> } {
    const worker = cluster.fork();
    watchHandovers(worker);
    const clears: (() => void)[] = [];
    let endTurn = () => {};
    const channel = createChannel({
      send: (message, done) => void worker.process.send(message as object, undefined, undefined, done),
      onMessage: (listener) => void worker.process.on('message', listener),
      onEnd: (listener) => {
        clears.push(listener);
      },
    });
    // A worker that is killed while messages are on their way to it: each of them has failed by itself.
    worker.on('error', () => {});
    const ended = new Promise<number>((resolve) => {
      worker.once('exit', (code: number | null, signal: string | null) => {
        hands.delete(hand);
        for (const clear of clears) clear();
        endTurn();
        resolve(code ?? 1);
        if (!isEnding && isStarted) replace(hand, signal === null ? `code ${code}` : signal);
      });
    });
    const hand: Hand = { pid: worker.process.pid!, channel, isReady: false, worker, ended };
    hands.add(hand);
    channel.on('begin', () => {
      const before = turn;
      const done = new Promise<void>((resolve) => {
        endTurn = resolve;
      });
      turn = before.then(() => done);
      return before.then(() => options.begin());
    });
    const ready = new Promise<void>((resolve) => {
      channel.on('ready', (facts) => {
        hand.isReady = true;
        endTurn();
        options.onReady(facts);
        resolve();
      });
    });
    options.onStart(hand, (clear) => clears.push(clear));
    return { hand, ready };
  }

  function replace({ pid, isReady }: Hand, how: string): void {
    const { delayMs, isFutile } = restarts.next(isReady);
    if (isFutile && ready().length === 0) {
      giveUp(`more than ${mostFailures} worker processes failed to start within a minute, the last one with ${how}`);
      return;
    }
    options.onRestart(pid, how, delayMs);
    setTimeout(() => {
      if (!isEnding) add();
    }, delayMs);
  }

  const ready = () => [...hands].filter((hand) => hand.isReady);
  return {
    hopeless,
    async start() {
      cluster.schedulingPolicy = cluster.SCHED_RR;
      const first = Array.from({ length: options.count }, add);
      const failed = Promise.race(first.map(({ hand }) => hand.ended));
      const code = await Promise.race([Promise.all(first.map(({ ready }) => ready)), failed]);
      if (typeof code === 'number') return code === 0 ? 1 : code;
      isStarted = true;
      return undefined;
    },
    ready,
    async drain(delayMs, withinMs) {
      isEnding = true;
      const serving = ready();
      for (const hand of hands) {
        // One that does not serve yet has nothing to finish.
        if (!hand.isReady) hand.worker.process.kill('SIGKILL');
        else hand.channel.tell('drain', { delayMs }).catch(() => {});
      }
      const all = Promise.all(serving.map(({ ended }) => ended));
      const timeout = new AbortController();
      const codes = await Promise.race([all, sleep(withinMs, undefined, { signal: timeout.signal })]);
      timeout.abort();
      for (const hand of hands) hand.worker.process.kill('SIGKILL');
      return codes?.every((code) => code === 0) ?? false;
    },
    kill() {
      isEnding = true;
      for (const hand of hands) hand.worker.process.kill('SIGKILL');
    },
  };
}
