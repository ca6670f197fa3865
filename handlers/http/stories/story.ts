/**
 * The story of one call while it runs (docs/guide/stories.md): what the walk, the session and the trace tell of it, in order. Steps are kept as they
 * come, as records of the store and plain values: the collector copies the newest stories each time, so a call that is kept is few objects
 * (decisions/0715), and what only a replay needs is kept where there are replays (`for-replay.ts`). `tell-story.ts` makes texts of it when somebody asks.
 */
import type { Hop } from '../../../core/graph/hop.ts';
import type { GraphObject } from '../../../core/graph/objects.ts';
import type { UnitWrite } from '../../../core/memory/store.ts';
import { edgesText } from '../../../core/story/hop-text.ts';
import type { Place, Question, Row, Scene, Teller } from '../../../core/story/teller.ts';
import type { Attributes, Span, SpanEvent, SpanKind, Trace, TraceContext } from '../../../core/trace/trace.ts';
import type { OutsideTape } from '../../../library/outside.ts';
import { type CalendarReading, calendarAt } from './calendar.ts';
import { type Changes, UnitChanges } from './changes.ts';
import { flatText } from './flat-text.ts';
import type { ForReplay } from './for-replay.ts';
import { mark } from './mark.ts';

interface Common {
  /** Milliseconds since the call began. */
  readonly atMs: number;
  readonly scene: Scene;
  /** Statement, as `file:line:column`; undefined where only the ability is known. */
  readonly at: string | undefined;
  /** Number of walks that the walk is inside of. */
  readonly depth: number;
}

export type Happening =
  | { readonly kind: 'visit'; readonly place: GraphObject | Place; readonly walker: string }
  | { readonly kind: 'hop'; readonly path: readonly Hop[]; readonly count: number | undefined }
  | { readonly kind: 'read'; readonly row: Row }
  | { readonly kind: 'write'; readonly row: Row }
  | {
      readonly kind: 'permission';
      readonly row: Row;
      readonly needed: number;
      readonly had: number;
      readonly rule: string;
    }
  | { readonly kind: 'query'; readonly name: string; rows: number | undefined; ms: number; failed: boolean }
  | { readonly kind: 'call'; readonly host: string; status: number | undefined; ms: number }
  | { readonly kind: 'log'; readonly level: string; readonly text: string }
  /** `index`: place among the reports of the answer, once the call is over. */
  | { readonly kind: 'report'; readonly value: unknown; readonly index: number }
  | { readonly kind: 'commit'; readonly changes: Changes; ms: number | undefined; failed: boolean };

export type Step = Common & Happening;
type StepOf<K extends Step['kind']> = Extract<Step, { readonly kind: K }>;

/** Steps that one story keeps; what comes after them is left out, and `truncated` says so. */
export const mostSteps = 1000;

/** A step as it is kept: `fact` and `more` are what its kind tells, and some of that is told later. */
interface Told {
  readonly kind: Step['kind'];
  /** Microseconds since the call began. */
  readonly micros: number;
  readonly scene: Scene;
  readonly at: string | undefined;
  readonly depth: number;
  fact: any;
  more: any;
  readonly previous: Told | undefined;
}

/** Longest answer in bytes whose text is kept. */
const mostAnswerBytes = 65_536;

const nothing = () => {};

/** Count of the bytes of stories that have ended. */
export interface Tally {
  bytes: number;
}

/** The story that told something last. */
let teller: Story | undefined;

/** The trace of a call that is recorded; spans go on to the one that is exported. */
export class Story implements Trace, Teller {
  private readonly calendar: CalendarReading;
  /** Beginning of the call in microseconds since the calendar was read: a small integer is no object of its own. */
  private readonly startedMicros: number;
  /** Records that earlier runs of the unit were lost about. */
  lostAbout: (readonly Place[])[] | undefined = undefined;
  /** The newest step, which leads to those before. */
  private told: Told | undefined = undefined;
  private count = 0;
  /** Steps were left out. */
  isTruncated = false;
  /** The text of the answer was left out. */
  isCut = false;
  /** Reports of the walker whose walk the call is, or of the function; let go of when the call is over. */
  reports: readonly unknown[] | undefined = undefined;
  private durationMicros: number | undefined = undefined;
  /** The answer, once there is one: its status, and the code of its failure. */
  status: number | undefined = undefined;
  errorCode: string | undefined = undefined;
  /** Text of the answer, where it is no longer than `mostAnswerBytes` and no plain envelope. */
  private text: string | undefined = undefined;
  /** Reports of a plain envelope. */
  private reported: string | undefined = undefined;
  /** Facts that only a replay needs; undefined where calls are not replayed. */
  readonly forReplay: ForReplay | undefined;
  /** Characters of the answer, and of records that changed or were read. */
  private held = 0;
  private scene: Scene;
  private depth = 0;
  private readonly outer: Trace | undefined;
  private readonly tally: Tally | undefined;
  readonly start: Scene;

  /**
   * @param outer the trace that is exported, when there is one
   * @param start where steps before the first ability are: the walker or the function that was called
   * @param forReplay keeps what a replay of the call needs, or gives it to one
   * @param startedMs beginning of the call in milliseconds on the monotonic clock
   * @param tally counts the story when it is over
   */
  constructor(
    outer: Trace | undefined,
    start: Scene,
    forReplay?: ForReplay,
    startedMs = performance.now(),
    tally?: Tally,
  ) {
    this.outer = outer;
    this.calendar = calendarAt(startedMs);
    this.startedMicros = microsSince(this.calendar, startedMs);
    this.tally = tally;
    this.forReplay = forReplay;
    this.scene = this.start = start;
  }

  // ---- as a trace

  get story(): Story {
    return this;
  }

  get isExported(): boolean {
    return this.outer?.isExported === true;
  }

  get isReplay(): boolean {
    return this.forReplay?.isReplay === true;
  }

  get tape(): OutsideTape | undefined {
    return this.forReplay?.tape;
  }

  /** Beginning of the call by the calendar. */
  get atMs(): number {
    return this.calendar.ofMs(this.calendar.readMs + this.startedMicros / 1000);
  }

  get context(): TraceContext | undefined {
    return this.outer?.context;
  }

  open(name: string, kind: SpanKind, attributes: Attributes): Span | undefined {
    const span = this.outer?.open(name, kind, attributes);
    const finish = kind === 'client' ? this.beginClient(name, attributes) : undefined;
    if (finish === undefined) return span;
    return {
      context: span?.context,
      end(isFailure, more) {
        finish(isFailure, more);
        span?.end(isFailure, more);
      },
    };
  }

  end(name: string, attributes: Attributes, isFailure: boolean): void {
    this.over();
    this.outer?.end(name, attributes, isFailure, this.isExported ? eventsOf(this) : undefined);
  }

  answered(status: number, body: unknown, errorCode: string | undefined, nowMs = performance.now()): void {
    this.over(nowMs);
    this.status = status;
    this.errorCode = errorCode;
    const text = body instanceof Uint8Array && body.length <= mostAnswerBytes ? new TextDecoder().decode(body) : body;
    const fits = typeof text === 'string' && text.length <= mostAnswerBytes;
    if (!fits || errorCode !== undefined) this.gave(undefined, undefined);
    if (fits) this.keepAnswer(text);
    else if (body !== undefined) this.isCut = true;
  }

  private keepAnswer(text: string): void {
    if (this.reported === undefined) this.text = flatText(text);
    const length = this.text?.length ?? this.reported!.length + (this.forReplay?.result?.length ?? 0);
    this.held += length;
    this.tell(length);
  }

  /** The answer as text; of a plain envelope only the data, and its result only for replays. Undefined when there is none, or it was too long. */
  get answer(): string | undefined {
    const { text, reported, forReplay } = this;
    if (reported === undefined) return text;
    return `{"ok":true,"data":{"result":${forReplay?.result ?? 'null'},"reports":${reported}},"error":null}`;
  }

  /** About how many bytes it holds, counted as they come. */
  get bytes(): number {
    return 1000 + this.held + this.count * 150 + (this.forReplay?.bytes ?? 0);
  }

  // ---- what a unit tells

  begin(knownTypes = 0): void {
    this.told = undefined;
    this.count = 0;
    this.forReplay?.begin(knownTypes);
    teller = this;
    mark.place = undefined;
    this.isTruncated = false;
    this.scene = this.start;
    this.depth = 0;
  }

  lost(places: readonly Place[]): void {
    this.lostAbout = [...(this.lostAbout ?? []), places];
  }

  gave(result: string | undefined, reports: string | undefined): void {
    this.reported = reports;
    if (this.forReplay !== undefined) this.forReplay.result = result;
  }

  // ---- what a walk tells

  // Without a function of its own for each walk: most end at once.
  within<A, B, C, T>(run: (a: A, b: B, c: C) => T, a: A, b: B, c: C): T {
    const { scene, depth } = this;
    const place = this.placeNow();
    let found: T;
    try {
      found = run(a, b, c);
    } catch (error) {
      this.goOn(scene, depth, place);
      throw error;
    }
    if (found instanceof Promise) this.goOnAfter(found, scene, depth, place);
    else this.goOn(scene, depth, place);
    return found;
  }

  private goOnAfter(walk: Promise<unknown>, scene: Scene, depth: number, place: string | undefined): void {
    const back = () => this.goOn(scene, depth, place);
    walk.then(back, back);
  }

  private goOn(scene: Scene, depth: number, place: string | undefined): void {
    this.scene = scene;
    this.depth = depth;
    teller = this;
    mark.place = place;
  }

  visit(place: GraphObject, walker: string, scene: Scene, depth: number): boolean {
    this.scene = scene;
    this.depth = depth;
    teller = this;
    mark.place = undefined;
    if (!this.hasRoom()) return false;
    this.add('visit', undefined, place.$row ?? place, walker);
    return true;
  }

  hop(path: readonly Hop[]): (count: number) => void {
    if (!this.hasRoom()) return nothing;
    const told = this.note('hop', path);
    return (found) => {
      told.more = found;
    };
  }

  report(value: unknown): void {
    if (this.hasRoom()) this.note('report', value, -1);
  }

  log(level: string, text: string): void {
    if (this.hasRoom()) this.note('log', level, text.slice(0, 2000));
  }

  // ---- what a session tells

  saw(question: Question, given: unknown, answer: unknown): void {
    this.forReplay?.saw(question, given, answer);
  }

  read(row: Row): void {
    if (!this.hasRoom()) return;
    this.held += row.data.length;
    this.note('read', row);
  }

  wrote(row: Row): void {
    if (!this.hasRoom()) return;
    this.held += row.data.length;
    this.note('write', row);
  }

  decided(row: Row, needed: number, had: number, rule: string): void {
    if (this.hasRoom()) this.note('permission', row, { needed, had, rule });
  }

  commits(unit: UnitWrite): (failed: boolean) => void {
    const from = performance.now();
    const changes = new UnitChanges(unit);
    this.forReplay?.commits(changes);
    for (const { data } of unit.nodeChanges) this.held += data.length;
    for (const { data } of unit.newNodes) this.held += data.length;
    if (!this.hasRoom()) return nothing;
    const outcome: Outcome<'commit'> = { ms: undefined, failed: false };
    this.note('commit', changes, outcome);
    return (failed) => {
      outcome.ms = performance.now() - from;
      outcome.failed = failed;
    };
  }

  private beginClient(name: string, attributes: Attributes): Span['end'] | undefined {
    const host = attributes['server.address'];
    if ((host === undefined && name === 'store commit') || !this.hasRoom()) return undefined;
    const from = performance.now();
    if (host === undefined) {
      const outcome: Outcome<'query'> = { rows: undefined, ms: 0, failed: false };
      this.note('query', name.replace(/^store /, ''), outcome);
      return (isFailure, more) => {
        outcome.ms = performance.now() - from;
        outcome.failed = isFailure;
        outcome.rows = numberIn(more, 'svc.rows');
      };
    }
    const outcome: Outcome<'call'> = { status: undefined, ms: 0 };
    this.note('call', String(host), outcome);
    return (_, more) => {
      outcome.ms = performance.now() - from;
      outcome.status = numberIn(more, 'http.response.status_code');
    };
  }

  private hasRoom(): boolean {
    if (this.count < mostSteps) return true;
    this.isTruncated = true;
    return false;
  }

  /** Adds a step of the statement that runs. */
  private note(kind: Step['kind'], fact: unknown, more?: unknown): Told {
    return this.add(kind, this.placeNow(), fact, more);
  }

  private add(kind: Step['kind'], at: string | undefined, fact: unknown, more: unknown): Told {
    this.count++;
    const { scene, depth, told: previous } = this;
    const told: Told = { kind, micros: this.microsAt(performance.now()), scene, at, depth, fact, more, previous };
    this.told = told;
    return told;
  }

  private microsAt(nowMs: number): number {
    return microsSince(this.calendar, nowMs) - this.startedMicros;
  }

  get steps(): readonly Step[] {
    const steps: Step[] = [];
    for (let { told } = this; told !== undefined; told = told.previous) steps.push(stepOf(told));
    return steps.reverse();
  }

  get durationMs(): number | undefined {
    return this.durationMicros === undefined ? undefined : this.durationMicros / 1000;
  }

  /** The statement that runs. After another call has been telling, the mark is its until this one comes to a statement. */
  private placeNow(): string | undefined {
    if (teller !== this) {
      teller = this;
      mark.place = undefined;
    }
    return mark.place;
  }

  /** The call has ended: lets go of everything that holds its unit. `plain` gives what is kept of a report that is not part of the answer. */
  over(nowMs = performance.now(), plain: (value: unknown) => unknown = plainOrType): void {
    if (this.durationMicros !== undefined) return;
    this.durationMicros = this.microsAt(nowMs);
    const { reports } = this;
    for (let { told } = this; told !== undefined; told = told.previous) {
      if (told.kind === 'visit') told.fact = placeOf(told.fact);
      else if (told.kind === 'report') {
        told.more = reports === undefined ? -1 : reports.indexOf(told.fact);
        told.fact = told.more >= 0 ? undefined : plain(told.fact);
      }
    }
    this.reports = undefined;
    this.tell(this.bytes);
  }

  private tell(bytes: number): void {
    if (this.tally !== undefined) this.tally.bytes += bytes;
  }
}

function microsSince({ readMs }: CalendarReading, ms: number): number {
  return Math.round((ms - readMs) * 1000);
}

/** Facts of a step that are known when it is over. */
type Outcome<K extends 'query' | 'call' | 'commit'> = Omit<
  StepOf<K>,
  keyof Common | 'kind' | 'name' | 'host' | 'changes'
>;

function stepOf({ kind, micros, scene, at, depth, fact, more }: Told): Step {
  const common: Common = { atMs: micros / 1000, scene, at, depth };
  switch (kind) {
    case 'visit':
      return { kind: 'visit', ...common, place: fact, walker: more };
    case 'hop':
      return { kind: 'hop', ...common, path: fact, count: more };
    case 'read':
      return { kind: 'read', ...common, row: fact };
    case 'write':
      return { kind: 'write', ...common, row: fact };
    case 'permission':
      return { kind: 'permission', ...common, row: fact, ...more };
    case 'query':
      return { kind: 'query', ...common, name: fact, ...more };
    case 'call':
      return { kind: 'call', ...common, host: fact, ...more };
    case 'log':
      return { kind: 'log', ...common, level: fact, text: more };
    case 'report':
      return { kind: 'report', ...common, value: fact, index: more };
    case 'commit':
      return { kind: 'commit', ...common, changes: fact, ...more };
  }
}

/** A scalar as it is, of anything else its type: a report that is not part of the answer must hold no object of the unit. */
export function plainOrType(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? `<${(value as any).$meta?.name ?? value.constructor.name}>`
    : value;
}

function placeOf(place: GraphObject | Place): Place {
  const object = place as Partial<GraphObject>;
  if (object.$meta === undefined) return place as Place;
  return object.$row ?? { uid: object.$id ?? '', type: { name: object.$meta.name } };
}

function numberIn(attributes: Attributes | undefined, name: string): number | undefined {
  const value = attributes?.[name];
  return typeof value === 'number' ? value : undefined;
}

/** Most events that one span carries. */
const mostEvents = 128;

/** The steps as events of the call's span, without any value of the program. */
function eventsOf({ steps, atMs }: Story): readonly SpanEvent[] {
  return steps.slice(0, mostEvents).map((step) => ({
    name: step.kind,
    timeMs: atMs + step.atMs,
    attributes: {
      'code.function.name': step.scene.name,
      'code.location': step.at ?? step.scene.at,
      ...eventFacts(step),
    },
  }));
}

function eventFacts(step: Step): Attributes {
  switch (step.kind) {
    case 'visit':
      return { 'svc.walker': step.walker, 'svc.class': (step.place as Place).type.name };
    case 'hop':
      return { 'svc.edges': edgesText(step.path), 'svc.count': step.count };
    case 'permission':
      return { 'svc.needed': step.needed, 'svc.had': step.had, 'svc.rule': step.rule };
    case 'query':
      return { 'svc.query': step.name, 'svc.rows': step.rows };
    case 'call':
      return { 'server.address': step.host, 'http.response.status_code': step.status };
    default:
      return {};
  }
}
