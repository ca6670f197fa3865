/**
 * Runs that subscribers share, and when they run again (docs/server/live.md, decisions/0680): after a commit that concerns what they read, at most
 * once per interval, one run of each at a time. Knows neither programs nor connections.
 */
import { throwOutside } from '../../base/throw-outside.ts';
import type { Failure } from '../errors.ts';
import type { CommitFeed } from './commit-feed.ts';
import { type LiveReads, nothingRead } from './live-reads.ts';
import type { LiveValue } from './live-value.ts';
import type { Notice } from './notice.ts';
import { createReadIndex, isConcerned } from './read-index.ts';

/** Result of one run. `reads` is what it read as far as it came. */
export type LiveOutcome =
  | { readonly value: LiveValue; readonly reads: LiveReads; readonly topics: readonly string[] }
  | LiveFailure;

interface LiveFailure {
  readonly failure: Failure;
  readonly isFinal: boolean;
  /** Nothing that was read tells when another run would do better, as when the store was away. */
  readonly isPassing?: boolean;
  readonly reads: LiveReads;
}

/** A run that all share who ask for the same with the same rights. */
export interface RunSpec {
  /** Equal for those who share. */
  readonly key: string;
  /** Equal for those who share while runs of any of them would give the same (`LiveReads.ofCaller`). */
  readonly commonKey: string;
  /** Name of the walker or function, for counts. */
  readonly target: string;
  /** Runs it now; never rejects. */
  readonly run: () => Promise<LiveOutcome>;
  /** Milliseconds after which it runs again without a reason. */
  readonly everyMs: number | undefined;
}

export interface Subscriber {
  /** Digest of what the client has; undefined: nothing. */
  readonly digest: string | undefined;
  /** `sinceMs`: when the commit was noticed that the value follows; undefined: it is no answer to a commit. */
  deliver(value: LiveValue, sinceMs: number | undefined): void;
  /** Topics that the latest run subscribed to, before its value is delivered; none after one that failed. */
  hears(topics: readonly string[]): void;
  /** `isFinal`: the subscription has ended. */
  failed(failure: Failure, isFinal: boolean): void;
}

export interface LiveRuns {
  /** Gives what ends the subscription. What is current is delivered at once. */
  join(spec: RunSpec, subscriber: Subscriber): () => void;
  /** Commits of other processes. */
  heard(notices: readonly Notice[]): void;
  /** Runs all again: something may have been missed, or the program is another one. */
  runAll(): void;
  /** Subscriptions by target. */
  counts(): ReadonlyMap<string, number>;
  readonly size: number;
  /** Number of messages with commits of other processes so far. */
  readonly heardCount: number;
  /** Reads of each run, undefined while it is under way: for stores that are asked what has changed. */
  readers(): Iterable<{ readonly reads: LiveReads | undefined; rerun(): void }>;
  close(): void;
}

export interface LiveRunsParts {
  readonly feed: CommitFeed;
  readonly minIntervalMs: number;
  readonly onRun?: ((target: string) => void) | undefined;
  /** Number of subscriptions of a target changed. */
  readonly onCount?: ((target: string, by: 1 | -1) => void) | undefined;
}

/** Runs of one turn of the event loop end here, so that other work has its turn. */
const turnMs = 8;
/** Notices that are kept while runs are under way; when there are more, all run again. */
const mostRecent = 20_000;
/** A failure that passes is tried anew after twice the time it took, at least this. */
const retryMs = 1000;

interface Waiting {
  readonly spec: RunSpec;
  readonly subscriber: Subscriber;
  run: SharedRun;
  /** Only runs of `run` that began with this number or later count. */
  from: number;
  /** Undefined until something was delivered, and after an error: the next value is sent whatever it is. */
  digest: string | undefined;
  isFirst: boolean;
}

class SharedRun {
  reads: LiveReads = nothingRead;
  /** `commonKey` of its members while they share it whoever they are, else the key of all of them. */
  key: string;
  readonly members = new Set<Waiting>();
  /** Number of the latest run that began. */
  begun = 0;
  value: LiveValue | undefined = undefined;
  topics: readonly string[] = [];
  isRunning = false;
  isDirty = false;
  isQueued = false;
  lastMs = Number.NEGATIVE_INFINITY;
  /** Time at which the oldest commit was noticed that no run has seen. */
  sinceMs: number | undefined = undefined;
  timer: NodeJS.Timeout | undefined = undefined;
  ticker: NodeJS.Timeout | undefined = undefined;
  retry: NodeJS.Timeout | undefined = undefined;

  constructor(key: string) {
    this.key = key;
  }

  /** Spec of any member: all give the same. */
  get spec(): RunSpec {
    const [member] = this.members;
    return member!.spec;
  }

  get isCurrent(): boolean {
    return this.value !== undefined && !this.isDirty && !this.isRunning && !this.isQueued && this.timer === undefined;
  }
}

export function createLiveRuns(parts: LiveRunsParts): LiveRuns {
  const { feed, minIntervalMs } = parts;
  const runs = new Map<string, SharedRun>();
  const index = createReadIndex<SharedRun>();
  const queue: SharedRun[] = [];
  let isPumping = false;
  /** Notices since the oldest run that is under way began, and how many came before them. */
  let recent: Notice[] = [];
  let dropped = 0;
  let running = 0;
  /** Rises when all have to run again. */
  let era = 0;
  let heardCount = 0;
  let unlisten: (() => void) | undefined;

  function take(notices: readonly Notice[] | undefined, sinceMs: number): void {
    if (notices === undefined || recent.length > mostRecent) {
      dropped += recent.length;
      recent = [];
      runAll();
      return;
    }
    if (running > 0) recent.push(...notices);
    for (const notice of notices) index.concerned(notice, (run) => mark(run, sinceMs));
  }

  function mark(run: SharedRun, sinceMs: number | undefined): void {
    run.sinceMs ??= sinceMs;
    if (run.isRunning) {
      run.isDirty = true;
      return;
    }
    if (run.isQueued || run.timer !== undefined) return;
    const waitMs = run.lastMs + minIntervalMs - performance.now();
    if (waitMs <= 0) enqueue(run);
    else {
      run.timer = setTimeout(() => {
        run.timer = undefined;
        enqueue(run);
      }, Math.ceil(waitMs));
    }
  }

  function enqueue(run: SharedRun): void {
    run.isQueued = true;
    queue.push(run);
    if (!isPumping) {
      isPumping = true;
      setImmediate(pump);
    }
  }

  function pump(): void {
    const untilMs = performance.now() + turnMs;
    for (let run = queue.shift(); run !== undefined; run = queue.shift()) {
      run.isQueued = false;
      if (runs.get(run.key) === run && !joinCommon(run)) start(run);
      if (performance.now() > untilMs) break;
    }
    isPumping = queue.length > 0;
    if (isPumping) setImmediate(pump);
  }

  function start(run: SharedRun): void {
    // Before the look: what it finds is read by this run, and needs no other one.
    run.isRunning = true;
    feed.look();
    const from = dropped + recent.length;
    const began = era;
    const number = ++run.begun;
    const { sinceMs } = run;
    run.sinceMs = undefined;
    run.isDirty = false;
    clearTimeout(run.retry);
    run.lastMs = performance.now();
    running++;
    const { spec } = run;
    parts.onRun?.(spec.target);
    spec
      .run()
      .then((outcome) => {
        feed.look();
        const meanwhile = recent.slice(Math.max(0, from - dropped));
        if (--running === 0) {
          dropped += recent.length;
          recent = [];
        }
        run.isRunning = false;
        if (runs.get(run.key) !== run) return;
        index.renew(run, outcome.reads);
        const isLate = run.isDirty || began !== era || meanwhile.some((notice) => isConcerned(outcome.reads, notice));
        run.isDirty = false;
        if (isLate) mark(run, run.sinceMs ?? performance.now());
        else if ('failure' in outcome && outcome.isPassing) {
          const tookMs = performance.now() - run.lastMs;
          run.retry = setTimeout(() => mark(run, undefined), Math.max(retryMs, 2 * tookMs)).unref();
        }
        if (run.key === spec.commonKey && outcome.reads.ofCaller) split(run, spec.key);
        if (runs.get(run.key) !== run) return;
        settle(run, number, outcome, sinceMs);
        if (!outcome.reads.ofCaller) share(run, spec);
      })
      .catch(throwOutside);
  }

  function settle(run: SharedRun, number: number, outcome: LiveOutcome, sinceMs: number | undefined): void {
    run.value = 'value' in outcome ? outcome.value : undefined;
    run.topics = 'value' in outcome ? outcome.topics : [];
    for (const member of [...run.members]) {
      if (member.from > number) continue;
      member.subscriber.hears(run.topics);
      if ('value' in outcome) give(member, outcome.value, sinceMs);
      else {
        const isFinal = outcome.isFinal || member.isFirst;
        member.digest = undefined;
        if (isFinal) leave(member);
        member.subscriber.failed(outcome.failure, isFinal);
      }
    }
  }

  function give(member: Waiting, value: LiveValue, sinceMs: number | undefined): void {
    member.isFirst = false;
    if (member.digest === value.digest) return;
    member.digest = value.digest;
    member.subscriber.deliver(value, sinceMs);
  }

  function leave(member: Waiting): void {
    if (!member.run.members.delete(member)) return;
    parts.onCount?.(member.spec.target, -1);
    closeEmpty(member.run);
    if (runs.size === 0) {
      unlisten?.();
      unlisten = undefined;
    }
  }

  function closeEmpty(run: SharedRun): void {
    if (run.members.size > 0) return;
    clearTimeout(run.timer);
    clearTimeout(run.retry);
    clearInterval(run.ticker);
    index.remove(run);
    run.reads = nothingRead;
    if (runs.get(run.key) === run) runs.delete(run.key);
  }

  function open({ key, everyMs }: RunSpec): SharedRun {
    const run = new SharedRun(key);
    runs.set(key, run);
    if (everyMs !== undefined) run.ticker = setInterval(() => mark(run, undefined), everyMs).unref();
    return run;
  }

  /** Takes a subscriber in. `isBehind`: only what begins from now on counts, because it may have a later value than this run. */
  function enter(run: SharedRun, member: Waiting, isBehind: boolean): void {
    const { isCurrent } = run;
    member.run = run;
    member.from = isBehind ? run.begun + 1 : run.begun;
    run.members.add(member);
    if (isCurrent && !isBehind) {
      member.subscriber.hears(run.topics);
      give(member, run.value!, undefined);
    } else if (!run.isRunning || isBehind) mark(run, undefined);
  }

  // ---- runs that would give anybody the same (decisions/0760)

  /** A run looked at neither its caller nor rights of its own: from now on it is that of all who ask for the same. */
  function share(run: SharedRun, { key, commonKey }: RunSpec): void {
    if (run.key === commonKey || runs.get(run.key) !== run) return;
    const common = runs.get(commonKey);
    if (common === undefined) {
      runs.delete(key);
      run.key = commonKey;
      runs.set(commonKey, run);
    } else if (common.isCurrent && run.isCurrent && common.value!.digest === run.value!.digest) move(run, common);
  }

  /** Moves who waits for a first run to a current one that is everybody's; false where there is none. */
  function joinCommon(run: SharedRun): boolean {
    const common = run.begun === 0 ? runs.get(run.spec.commonKey) : undefined;
    if (common === undefined || common === run || !common.isCurrent) return false;
    move(run, common);
    return true;
  }

  function move(run: SharedRun, to: SharedRun): void {
    const members = [...run.members];
    run.members.clear();
    closeEmpty(run);
    for (const member of members) enter(to, member, isBehind(member, to));
  }

  /** Ends the sharing of a run that is not everybody's any more: who has another key than `key` gets nothing of it and runs anew. */
  function split(run: SharedRun, key: string): void {
    runs.delete(run.key);
    const others = [...run.members].filter((member) => member.spec.key !== key);
    for (const member of others) run.members.delete(member);
    const own = runs.get(key);
    run.key = key;
    if (own === undefined) runs.set(key, run);
    else others.push(...run.members);
    if (own !== undefined) run.members.clear();
    closeEmpty(run);
    for (const member of others) enter(runs.get(member.spec.key) ?? open(member.spec), member, true);
  }

  // A client may have a value that is younger than those this process knows of.
  function isBehind({ digest }: Waiting, run: SharedRun): boolean {
    return digest !== undefined && digest !== run.value?.digest;
  }

  function runAll(): void {
    era++;
    const nowMs = performance.now();
    for (const run of runs.values()) mark(run, nowMs);
  }

  return {
    join(spec, subscriber) {
      unlisten ??= feed.listen(take);
      feed.look();
      const run = runs.get(spec.commonKey) ?? runs.get(spec.key) ?? open(spec);
      const member: Waiting = { spec, subscriber, run, from: 0, digest: subscriber.digest, isFirst: true };
      parts.onCount?.(spec.target, 1);
      enter(run, member, isBehind(member, run));
      return () => leave(member);
    },
    heard(notices) {
      heardCount++;
      if (runs.size > 0) take(notices, performance.now());
    },
    runAll,
    counts() {
      const counts = new Map<string, number>();
      for (const { spec, members } of runs.values())
        counts.set(spec.target, (counts.get(spec.target) ?? 0) + members.size);
      return counts;
    },
    get heardCount() {
      return heardCount;
    },
    get size() {
      return runs.size;
    },
    *readers() {
      for (const run of runs.values())
        yield { reads: run.isRunning ? undefined : run.reads, rerun: () => mark(run, performance.now()) };
    },
    close() {
      for (const run of runs.values()) for (const member of [...run.members]) leave(member);
    },
  };
}
