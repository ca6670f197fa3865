/** Live values and actions: what a walker or function of the server reads now, and what is done to it (language reference, live values). */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import {
  type LiveError,
  type LiveListener,
  type LiveSocket,
  type LiveTarget,
  openLiveSocket,
  type TopicGap,
  type TopicMessage,
} from './net/live-socket.ts';
import { socketUrl } from './net/page.ts';
import { leave, listed } from './net/request.ts';
import { revive } from './net/revive.ts';
import { storedToken } from './net/token.ts';
import { CallError, type Place, type SpawnResult, type Walker } from './wire.ts';

/** Target of a subscription: a walker, by its name or as client code knows it, or a function. */
export type Followed = string | Walker | { readonly function: string };

export interface LiveOptions {
  /** Seconds after which it is asked again whatever has changed. */
  readonly every?: number;
  /** A message of a topic that the walker subscribes to. */
  readonly onMessage?: (message: TopicMessage) => void;
  /** Messages of a topic that the server no longer has. */
  readonly onGap?: (gap: TopicGap) => void;
}

/** The answer as it is now. */
export interface LiveResult extends SpawnResult {
  /** The first value is still to come. */
  readonly loading: boolean;
  /**
   * Shows `change(value)` at once, until the write has failed or its effect has come. The write is a promise, or the
   * next action that runs in the same turn. `change` gets a copy, which it changes, or from which it makes another;
   * a list stands for the reports.
   */
  optimistic<T>(change: (value: any) => any, write?: Promise<T>): Promise<T> | undefined;
}

// ---------------------------------------------------------------- one connection for the page

let page: LiveSocket | undefined;

function connection(): LiveSocket {
  if (page === undefined) {
    page = openLiveSocket({ url: () => socketUrl('/live'), token: storedToken, refused: leave });
    globalThis.addEventListener?.('svc:token', page.tokenChanged);
    // Another tab has signed in or out.
    globalThis.addEventListener?.('storage', page.tokenChanged);
  }
  return page;
}

function targetOf(followed: Followed, fields: Record<string, unknown>, at: Place, every?: number): LiveTarget {
  const node = (typeof at === 'string' ? at : at?._svc_id) ?? undefined;
  const asked = { fields: JSON.parse(JSON.stringify(fields, listed)), node: node === '' ? undefined : node, every };
  if (typeof followed === 'object' && 'function' in followed) return { function: followed.function, ...asked };
  return { walker: typeof followed === 'string' ? followed : followed.name, ...asked };
}

/** Follows a walker outside of components until the function that it gives is called. */
export function subscribe(
  followed: Followed,
  fields: Record<string, unknown>,
  onValue: (value: SpawnResult) => void,
  options: LiveOptions & { readonly at?: Place; readonly onError?: (error: LiveError, isFinal: boolean) => void } = {},
): () => void {
  return connection().subscribe(targetOf(followed, fields, options.at, options.every), {
    value: (data) => onValue(valueOf(data)),
    ...(options.onError && { failed: options.onError }),
    ...(options.onMessage && { message: options.onMessage }),
    ...(options.onGap && { gap: options.onGap }),
  });
}

function valueOf(data: any): SpawnResult {
  const { reports = [], result = null, warnings = [] } = revive(data) ?? {};
  return { reports, status: 200, ok: true, result, error: null, warnings };
}

// ---------------------------------------------------------------- values of components

interface Layer {
  readonly change: (value: any) => any;
  /** The write has been answered: the next value has its effect. */
  isWritten: boolean;
  /** Number of values that had come when it was added. */
  readonly since: number;
}

/** One subscription, which all components that ask for the same share. */
interface Shared {
  value: Omit<LiveResult, 'optimistic'>;
  /** Value that components see: the last one with the changes that are expected, the same object until something changes. */
  shown: LiveResult;
  layers: readonly Layer[];
  arrived: number;
  readonly watchers: Set<() => void>;
  readonly listeners: Set<LiveOptions>;
  readonly start: () => void;
  readonly stop: () => void;
}

const shared = new Map<string, Shared>();

/** Milliseconds for which a subscription outlives its last component: the next page often asks for the same. */
const lingering = 1000;
/**
 * Milliseconds after a write's answer when its change is no longer shown, though no value has come (decisions/0691). Less where
 * values came while it ran, of which one may have been its own.
 */
const settling = { alone: 2000, among: 300 } as const;
/** Milliseconds for which a value waits for the answer to a write that it may be the effect of: both are shown in one step. */
const holding = 150;

const before = { reports: [], status: 0, ok: false, result: null, error: null, warnings: [], loading: true } as const;

function share(target: LiveTarget): Shared {
  const key = JSON.stringify(target);
  const known = shared.get(key);
  if (known !== undefined) return known;
  let end: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The newest value, while it waits. */
  let held: { readonly value: Shared['value']; readonly timer: ReturnType<typeof setTimeout> } | undefined;
  const release = () => {
    clearTimeout(held?.timer);
    const value = held?.value;
    held = undefined;
    return value;
  };
  const listener: LiveListener = {
    value: (data) => {
      one.arrived += 1;
      const value = { ...valueOf(data), loading: false };
      one.layers = one.layers.filter(({ isWritten }) => !isWritten);
      const timer = held?.timer;
      if (one.layers.length === 0) {
        release();
        show(value);
      } else held = { value, timer: timer ?? setTimeout(() => show(release()), holding) };
    },
    failed: (error, isFinal) => {
      release();
      const { reports, result } = isFinal ? before : one.value;
      const { status = 0 } = error as { readonly status?: number };
      show({ ...before, reports: [...reports], result, status, error, warnings: [], loading: false });
    },
    reset: () => {
      release();
      one.layers = [];
      show({ ...before, reports: [] });
    },
    message: (message) => {
      for (const { onMessage } of one.listeners) onMessage?.(message);
    },
    gap: (gap) => {
      for (const { onGap } of one.listeners) onGap?.(gap);
    },
  };
  const show = (value: Shared['value'] = one.value) => {
    one.value = value;
    let changed: any = value;
    for (const { change } of one.layers) changed = changedBy(change, changed);
    one.shown = { ...changed, optimistic };
    for (const watcher of [...one.watchers]) watcher();
  };
  const optimistic: LiveResult['optimistic'] = (change, write) => {
    const layer: Layer = { change, isWritten: false, since: one.arrived };
    const remove = () => {
      if (!one.layers.includes(layer)) return;
      one.layers = one.layers.filter((other) => other !== layer);
      show(release());
    };
    const settle = (isDone: boolean) => {
      // A value that has just come has the effect of the write.
      if (!isDone || held !== undefined) return remove();
      layer.isWritten = true;
      setTimeout(remove, one.arrived > layer.since ? settling.among : settling.alone);
    };
    one.layers = [...one.layers, layer];
    show();
    if (write === undefined) expectWrite(settle);
    else settleWith(write, settle);
    return write;
  };
  const one: Shared = {
    value: { ...before, reports: [] },
    shown: { ...before, reports: [], optimistic },
    layers: [],
    arrived: 0,
    watchers: new Set(),
    listeners: new Set(),
    start: () => {
      clearTimeout(timer);
      end ??= connection().subscribe(target, listener);
    },
    stop: () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        end?.();
        end = undefined;
        if (shared.get(key) === one) shared.delete(key);
      }, lingering);
    },
  };
  shared.set(key, one);
  return one;
}

function changedBy(change: (value: any) => any, value: any): any {
  const copy = structuredClone({ reports: value.reports, result: value.result });
  for (const [i, report] of copy.reports.entries()) keepClass(value.reports[i], report);
  const given = change(copy);
  const made = given === undefined || given === null ? copy : Array.isArray(given) ? { reports: given } : given;
  return { ...value, ...made };
}

/** Copies of objects of the graph are of their class again. */
function keepClass(from: any, to: any): void {
  if (typeof to === 'object' && to !== null) Object.setPrototypeOf(to, Object.getPrototypeOf(from));
}

/** Value of `live(root spawn W())` in a component. */
export function useLive(
  followed: Followed,
  fields: Record<string, unknown> = {},
  at?: Place,
  options: LiveOptions = {},
): LiveResult {
  const target = targetOf(followed, fields, at, options.every);
  const key = JSON.stringify(target);
  const [held, hold] = useState(() => ({ key, one: share(target) }));
  let { one } = held;
  if (held.key !== key) {
    one = share(target);
    hold({ key, one });
  }
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    const listener: LiveOptions = {
      onMessage: (message) => latest.current.onMessage?.(message),
      onGap: (gap) => latest.current.onGap?.(gap),
    };
    one.listeners.add(listener);
    return () => {
      one.listeners.delete(listener);
    };
  }, [one]);
  const [watch] = useState(() => new WeakMap<Shared, (watcher: () => void) => () => void>());
  if (!watch.has(one)) watch.set(one, watcherOf(one));
  return useSyncExternalStore(
    watch.get(one)!,
    () => one.shown,
    () => one.shown,
  );
}

function watcherOf(one: Shared): (watcher: () => void) => () => void {
  return (watcher) => {
    one.watchers.add(watcher);
    one.start();
    return () => {
      one.watchers.delete(watcher);
      if (one.watchers.size === 0) one.stop();
    };
  };
}

/** `live` of something else than a walk or a call: a name, fields, a node. */
export const live = useLive;

// ---------------------------------------------------------------- actions

type Settle = (isDone: boolean) => void;

/** Changes that are shown until the next action of this turn is answered. */
let expected: Settle[] = [];

function expectWrite(settle: Settle): void {
  expected.push(settle);
  setTimeout(() => {
    if (!expected.includes(settle)) return;
    expected = expected.filter((one) => one !== settle);
    console.warn('optimistic: no action ran in the same turn, so that nothing is expected');
    settle(false);
  });
}

function settleWith(write: Promise<unknown>, settle: Settle): void {
  write.then(
    (answer: any) => settle(answer?.ok !== false),
    () => settle(false),
  );
}

export interface ActionResult<T = any> {
  readonly ok: boolean;
  readonly status: number;
  readonly reports: readonly any[];
  readonly result: T | null;
  readonly error: LiveError | null;
}

export interface Action<T = any> {
  /** Runs it; fields that are given take the place of those that were written. Resolves to the answer, also of a failure. */
  run(given?: Readonly<Record<string, unknown>>): Promise<ActionResult<T>>;
  readonly pending: boolean;
  /** Error of the last run; null while it runs, and when it succeeded. */
  readonly error: LiveError | null;
  readonly reports: readonly any[];
  readonly result: T | null;
}

const nothing = { error: null, reports: [], result: null } as const;

/** Value of `useAction(root spawn W())` in a component: something that is done when it is asked for. */
export function useAction<T = any>(ask: (given: Readonly<Record<string, unknown>>) => unknown): Action<T> {
  const [state, setState] = useState<Omit<Action<T>, 'run'>>({ pending: false, ...nothing });
  const latest = useRef(ask);
  latest.current = ask;
  const runs = useRef(0);
  const [run] = useState(() => async (given: Readonly<Record<string, unknown>> = {}): Promise<ActionResult<T>> => {
    runs.current += 1;
    const mine = runs.current;
    setState({ pending: true, ...nothing });
    const settles = expected;
    expected = [];
    const answer = await answerOf<T>(async () => latest.current(isEvent(given) ? {} : given));
    for (const settle of settles) settle(answer.ok);
    if (mine === runs.current) {
      const { error, reports, result } = answer;
      setState({ pending: false, error, reports, result });
    }
    return answer;
  });
  return { run, ...state };
}

/** `onClick={add.run}` gives the event, which is no fields. */
function isEvent(given: object): boolean {
  return 'nativeEvent' in given || given instanceof Event;
}

async function answerOf<T>(ask: () => Promise<unknown>): Promise<ActionResult<T>> {
  try {
    const answer: any = await ask();
    if (typeof answer?.ok === 'boolean' && Array.isArray(answer.reports)) return answer;
    return { ok: true, status: 200, reports: [], result: (answer ?? null) as T, error: null };
  } catch (error) {
    const { message, status = 0 } = error as { readonly message: string; readonly status?: number };
    const code = error instanceof CallError ? error.code : status === 0 ? 'NETWORK' : 'ERROR';
    return { ok: false, status, reports: [], result: null, error: { code, message } };
  }
}
