/**
 * The debugger's part inside of the program (decisions/0610): modules that were compiled for a debugger tell it of each statement, and it stops
 * where it was asked to. The debugger asks it through the inspector, also while the program stands.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Node } from '../../../core/graph/objects.ts';
import {
  contextOrNone,
  currentFrame,
  type ExecutionContext,
  runInContext,
  runInWalk,
} from '../../../core/memory/context.ts';
import { isWriteRefused, onlyReading } from '../../../core/memory/read-only.ts';
import { rootOf } from '../../../core/memory/session-rows.ts';
import type { Walk } from '../../../core/walkers/walk.ts';
import { askToLook, forgetToLook } from '../../../library/limits/look.ts';
import { bare, boxed } from '../../../library/values/numbers/float-box.ts';
import { KeyboardInterrupt } from '../../../library/values/objects/exceptions.ts';
import { $uncatchable } from '../../../library/values/objects/protocol.ts';
import type { GraphForm } from '../../program/compile-request.ts';
import {
  type Answers,
  bindingName,
  type ExceptionFilter,
  type Graph,
  insideKey,
  type Place,
  type Replayer,
  type Request,
  type Stop,
  type Told,
  tookLong,
} from '../protocol.ts';
import { createBreakpoints } from './breakpoints.ts';
import { type Call, currentCall, type Hold, type ModuleHandle, makeHandle, runInside, type Watcher } from './calls.ts';
import {
  begin,
  evaluate,
  fitting,
  given,
  messageOf,
  requireReading,
  SnippetError,
  wouldWait,
  wouldWrite,
} from './evaluate.ts';
import { exceptionText, isFailure, isHandled } from './exceptions.ts';
import { createReplays } from './replays.ts';
import { scopesOf, takeSetting } from './scopes.ts';
import { createSteps, type ProgramStart } from './steps.ts';
import { placeOf, readTables } from './tables.ts';
import { createOpenings, type Openings } from './values.ts';
import { notePlace, type Trail, viewGraph } from './walk-view.ts';

export interface InsideOptions {
  /** Folder of the compiled modules. */
  readonly directory: string;
  /** Folder that the paths of files are relative to. */
  readonly projectDir: string;
  readonly graph: GraphForm;
  readonly start: ProgramStart;
  /** Absent where no calls are recorded. */
  readonly replayer?: Replayer | undefined;
}

interface Stopped {
  readonly why: Stop;
  readonly call: Call | undefined;
  readonly openings: Openings;
  /** The function waits, as soon as the event loop is to go on. */
  readonly canWait: boolean;
}

/** An evaluation that waits. */
interface Waiting {
  readonly over: Promise<void>;
  giveUp(why: string): void;
  /** Text of the answer, when it is over. */
  answer: string | undefined;
}

/** An evaluation, also after it has waited: its code stops nowhere, and ends at its next statement when nobody wants the value any more. */
interface Evaluation {
  isGivenUp: boolean;
  /** Only looks: writes nothing. */
  readonly isReading: boolean;
}

const evaluation = new AsyncLocalStorage<Evaluation>();

/** Milliseconds that code of the program may compute for an answer. */
const answerMs = 5000;

/** Failure of what computed too long; the program cannot catch it. */
class TookLong extends SnippetError {}
Object.defineProperty(TookLong.prototype, $uncatchable, { value: true });

const pauseHere = new Function('debugger');

/** Makes the debugger's part known to the modules of the program. Those of a later version, or of another program, take the place of those of the same name. */
export function installInside({ directory, projectDir, graph: form, start, replayer }: InsideOptions): void {
  const known = (globalThis as any)[Symbol.for(insideKey)];
  if (known !== undefined) {
    known.cover(directory, form);
    return;
  }
  const modules = readTables(directory, form);
  const trails = new WeakMap<Walk, Trail>();
  const breakpoints = createBreakpoints(modules, tellLog);
  const steps = createSteps(start);
  const replays = createReplays(replayer, (replayed) => tell({ tell: 'replayed', ...replayed }));
  const reported = new WeakSet<object>();
  let filter: ExceptionFilter = 'none';
  let isPauseAsked = false;
  let stopped: Stopped | undefined;
  let isAsked = false;
  let waiting: Waiting | undefined;
  /** Evaluations that nobody waits for any more and that have not ended. */
  let givenUp = 0;
  /** Over when the program, which stands while an evaluation waits, is let go. */
  let standing: Promise<void> | undefined;

  const arm = () => {
    watcher.isArmed =
      standing !== undefined ||
      givenUp > 0 ||
      isPauseAsked ||
      steps.isGoing ||
      breakpoints.watchesCalls ||
      replays.isOn;
  };
  const watcher: Watcher = {
    isArmed: false,
    last: undefined,
    entered: (call) => notePlace(trails, call.walk!),
    see(call, isFirst, canWait) {
      const own = evaluation.getStore();
      if (own?.isReading === true) requireReading(call);
      if (isAsked) return undefined;
      if (own?.isGivenUp === true) throw new KeyboardInterrupt();
      if (own !== undefined) return undefined;
      if (standing !== undefined) return canWait ? { over: standing, isSeen: false } : undefined;
      const why = reasonToStop(call, isFirst);
      return why && stop(why, call, canWait);
    },
    passing(call, error, canWait) {
      if (
        isAsked ||
        evaluation.getStore() !== undefined ||
        replays.isPassing ||
        filter === 'none' ||
        typeof error !== 'object' ||
        error === null ||
        reported.has(error)
      )
        return undefined;
      if (!isFailure(error)) return undefined;
      if (standing !== undefined) return canWait ? { over: standing, isSeen: false } : undefined;
      if (filter === 'uncaught' && quietly(() => isHandled(call, error, asksTasks()))) return undefined;
      reported.add(error);
      return stop({ reason: 'exception', breakpoints: [], text: exceptionText(error) }, call, canWait);
    },
  };

  const asksTasks = () =>
    [...modules.values()].some(({ tables }) => tables.functions.some((one) => one.asksTasks === true));

  function reasonToStop(call: Call, isFirst: boolean): Omit<Stop, 'inWalk'> | undefined {
    const replayed = replays.see(call);
    if (replayed === 'pass') return undefined;
    if (replayed === 'arrived') return { reason: 'step', breakpoints: [] };
    const reached = quietly(() => breakpoints.reached(call, isFirst));
    if (reached !== undefined) return { reason: reached.kind, breakpoints: reached.ids, text: reached.text };
    if (isPauseAsked) return { reason: 'pause', breakpoints: [] };
    if (!steps.isGoing || !steps.ends(call)) return undefined;
    return { reason: steps.isEntry ? 'entry' : 'step', breakpoints: [] };
  }

  /** Stands until the debugger lets go. Where an evaluation waits, the program stands on outside of the function, which waits until that is over. */
  function stop(why: Omit<Stop, 'inWalk'>, call: Call | undefined, canWait: boolean): Hold | undefined {
    isPauseAsked = false;
    steps.end();
    arm();
    stopped = { why: { ...why, inWalk: walkOf(call) !== undefined }, call, openings: createOpenings(), canWait };
    pauseHere();
    if (waiting === undefined) {
      stopped = undefined;
      return undefined;
    }
    standing = standOn();
    arm();
    return { over: standing, isSeen: true };
  }

  async function standOn(): Promise<void> {
    while (waiting !== undefined) {
      await waiting.over;
      pauseHere();
    }
    stopped = undefined;
    standing = undefined;
    arm();
  }

  /** Program code that runs for the debugger does not stop. */
  function quietly<T>(work: () => T): T {
    if (isAsked) return work();
    isAsked = true;
    const isOurs = $due === 0;
    const endsAtMs = performance.now() + answerMs;
    if (isOurs) lookUntil(endsAtMs);
    try {
      return work();
    } finally {
      if (isOurs) forgetToLook();
      isAsked = false;
    }
  }

  function frames(): readonly Call[] {
    const found: Call[] = [];
    for (let at = stopped?.call; at !== undefined; at = at.parent) if (!at.isDone && at.statement >= 0) found.push(at);
    return found;
  }

  function frame(number: number): Call {
    const found = frames()[number];
    if (found === undefined) throw new SnippetError('the program does not stand in a function');
    return found;
  }

  function evaluateFor({ frame: number, text, waitMs }: Extract<Request, { ask: 'evaluate' }>): Answers['evaluate'] {
    const { openings, canWait, call: top } = standsNow();
    const call = frame(number);
    const own: Evaluation = { isGivenUp: false, isReading: waitMs === undefined };
    const rights = { mayWait: waitMs !== undefined && canWait, mayAssign: waitMs !== undefined };
    const evaluated = () => evaluation.run(own, () => runInside(call, () => begin(call, text, rights)));
    if (own.isReading) watcher.isArmed = true;
    const value = own.isReading ? readingOnly(call, evaluated) : evaluated();
    if (!(value instanceof Promise)) return openings.within(call, () => openings.describe(value));
    const giveUp = () => {
      own.isGivenUp = true;
      givenUp += 1;
      const settled = () => {
        givenUp -= 1;
      };
      value.then(settled, settled);
    };
    if (waitMs === undefined) {
      giveUp();
      throw new SnippetError(wouldWait);
    }
    value.catch(() => {});
    if (!canWait) {
      const name = top === undefined ? 'the program' : top.fn.name;
      throw new SnippetError(
        `this would have to wait, and ${name} stands where it cannot: statements of abilities, entry blocks, tests and functions that wait can`,
      );
    }
    waiting = waitFor(value, waitMs, openings, giveUp);
    return { waits: true };
  }

  function setChild(ref: number, name: string, text: string) {
    const { openings } = standsNow();
    const part = openings.part(ref, name);
    if (part?.write === undefined) throw new SnippetError(`${name} cannot be set`);
    const call = openings.callOf(ref) ?? frame(0);
    part.write(evaluate(call, text));
    return openings.within(call, () => openings.describe(part.read()));
  }

  function standsNow(): Stopped {
    if (stopped === undefined) throw new SnippetError('the program runs');
    return stopped;
  }

  function graph(depth: number, limit: number): Graph {
    const walk = walkOf(stopped?.call);
    const context = contextOrNone();
    const start = isNode(walk?.here) ? walk.here : context && rootOf(context.session);
    if (start === undefined) throw new SnippetError('the program does not stand in a call');
    return viewGraph(start, walk, walk && trails.get(walk), { depth, limit });
  }

  const answers: { readonly [K in Request['ask']]: (request: Extract<Request, { ask: K }>) => Answers[K] } = {
    lines: ({ file, breakpoints: wanted }) => breakpoints.setLines(file, wanted),
    functions: ({ breakpoints: wanted }) => breakpoints.setFunctions(wanted),
    data: ({ breakpoints: wanted }) => breakpoints.setData(wanted),
    exceptions(request) {
      filter = request.filter;
      return null;
    },
    go({ going, entry }) {
      if (going === 'back' || going === 'first') {
        if (!replays.back(going === 'back' ? 'before' : 'first'))
          throw new SnippetError('only a replay can be walked back');
        steps.end();
        return null;
      }
      if (entry === true) steps.toEntry();
      else if (going !== 'continue' && stopped?.call !== undefined) steps.begin(going, stopped.call);
      else steps.end();
      return null;
    },
    pause({ now }) {
      if (now && stopped === undefined)
        stop({ reason: 'pause', breakpoints: [] }, alive(watcher.last) ?? currentCall(), true);
      else isPauseAsked = !now;
      return null;
    },
    replay({ id }) {
      if (replayer === undefined) throw new SnippetError('this program records no calls');
      if (!replays.begin(id)) throw new SnippetError('no story of a call with this request id is kept');
      return null;
    },
    stop: () => (waiting?.answer === undefined ? (stopped?.why ?? null) : { ...stopped!.why, reason: 'evaluated' }),
    stack: () =>
      frames().map((call, id) => ({
        id,
        name: call.fn.kind === 'module' ? call.module.id : call.fn.name,
        place: placeOf(call.module, call.statement),
      })),
    scopes(request) {
      const { openings } = standsNow();
      const call = frame(request.frame);
      return openings.within(call, () => scopesOf(call, walkOf(call), openings));
    },
    children({ ref, filter, start, count }) {
      const { openings } = standsNow();
      if (filter !== undefined && (filter === 'indexed') !== openings.isIndexed(ref)) return [];
      return openings.within(openings.callOf(ref), () => openings.list(openings.parts(ref, start, count)));
    },
    evaluate: evaluateFor,
    evaluated() {
      const answer = waiting?.answer;
      waiting = undefined;
      if (answer === undefined) throw new SnippetError('nothing was evaluated');
      const { ok, failed } = JSON.parse(answer);
      if (failed !== undefined) throw new SnippetError(failed);
      return ok;
    },
    giveUp(request) {
      waiting?.giveUp(request.why);
      return null;
    },
    setChild: (request) => setChild(request.ref, request.name, request.text),
    graph: (request) => graph(request.depth, request.limit),
    files: () => ({ projectDir, files: [...new Set([...modules.values()].flatMap(({ files }) => files))] }),
    owner: ({ ref }) => standsNow().openings.owner(ref) ?? null,
    detach() {
      filter = 'none';
      isPauseAsked = false;
      steps.end();
      breakpoints.removeAll();
      replays.end();
      return null;
    },
  };

  /** Answers as text: `{ok}` or `{failed}`. */
  function ask(request: Request): string {
    try {
      const work = () => quietly(() => answers[request.ask](request as never));
      // `pause` stops in here, so it is not among what runs quietly.
      const ok = request.ask === 'pause' ? answers.pause(request) : inPlace(stopped?.call, work);
      return JSON.stringify({ ok });
    } catch (error) {
      return JSON.stringify({ failed: messageOf(error) });
    } finally {
      arm();
    }
  }

  const handles = new Map<string, ModuleHandle>();
  (globalThis as any)[Symbol.for(insideKey)] = {
    ask,
    cover(directory: string, form: GraphForm) {
      for (const [id, module] of readTables(directory, form)) {
        modules.set(id, module);
        handles.delete(id);
      }
      const placed = breakpoints.placeAgain();
      if (placed.length > 0) tell({ tell: 'placed', placed });
    },
    bare,
    boxed,
    fitting,
    given,
    setting: takeSetting,
    module(id: string): ModuleHandle {
      let handle = handles.get(id);
      if (handle === undefined) handles.set(id, (handle = makeHandle(modules.get(id)!, watcher)));
      return handle;
    },
  };
}

/** Waits for a value, for so many milliseconds at most. `onGivenUp` hears that nobody wants it any more. */
function waitFor(value: Promise<unknown>, waitMs: number, openings: Openings, onGivenUp: () => void): Waiting {
  let end: () => void = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const answered = (answer: string) => {
    waiting.answer ??= answer;
    clearTimeout(timer);
    end();
  };
  const giveUp = (why: string) => {
    if (waiting.answer !== undefined) return;
    onGivenUp();
    answered(JSON.stringify({ failed: `${why}: it ends at its next statement` }));
  };
  const waiting: Waiting = { over, giveUp, answer: undefined };
  const timer = setTimeout(() => giveUp(tookLong(waitMs)), waitMs);
  value.then(
    (found) => answered(JSON.stringify({ ok: openings.describe(found) })),
    (error) => answered(JSON.stringify({ failed: messageOf(error) })),
  );
  return waiting;
}

/** Ends what computes beyond a time, at a loop of it. */
function lookUntil(endsAtMs: number): void {
  askToLook(() => {
    // Thrown here, it ends this code and not the call that the program stands in.
    if (performance.now() > endsAtMs) throw new TookLong(`${tookLong(answerMs)}: it was ended`);
    lookUntil(endsAtMs);
    return undefined;
  });
}

/** Evaluates what is only looked at: it may not change the graph. */
function readingOnly<T>(call: Call, work: () => T): T {
  const session = (call.unit as ExecutionContext | undefined)?.session;
  if (session === undefined) return work();
  try {
    return onlyReading(session, work);
  } catch (error) {
    if (isWriteRefused(error)) throw new SnippetError(wouldWrite);
    throw error instanceof SnippetError || !messageOf(error).includes("'async_generator'")
      ? error
      : new SnippetError(wouldWait);
  }
}

function tellLog(text: string, place: Place): void {
  tell({ tell: 'log', text, place });
}

function tell(told: Told): void {
  (globalThis as any)[bindingName]?.(JSON.stringify(told));
}

function alive(call: Call | undefined): Call | undefined {
  let at = call;
  while (at?.isDone === true) at = at.parent;
  return at;
}

/** The walk that a call belongs to: that of the ability it was made from. */
function walkOf(call: Call | undefined): Walk | undefined {
  for (let at = call; at !== undefined; at = at.parent) if (at.walk !== undefined) return at.walk;
  return undefined;
}

function isNode(place: any): place is Node {
  return place?.$out !== undefined;
}

/** Runs `work` in the unit of work and walk of a call, which may be another than the one that is asked. */
function inPlace<T>(call: Call | undefined, work: () => T): T {
  const context = call?.unit as ExecutionContext | undefined;
  if (context === undefined) return work();
  const walk = walkOf(call);
  if (contextOrNone() === context && currentFrame().walk === walk) return work();
  return walk === undefined ? runInContext(context, work) : runInWalk(context, walk, work);
}
