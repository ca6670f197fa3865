/**
 * The story of one call while it runs (docs/guide/stories.md): what the walk, the session and the trace tell of it, in order. Steps are kept as they
 * come, as records of the store and plain values, one after the other in one list: the collector copies the newest stories each time, so a call
 * that is kept is few objects (decisions/0715). `tell-story.ts` makes texts of them when somebody asks.
 */
import type { Hop } from '../../../core/graph/hop.ts';
import type { GraphObject } from '../../../core/graph/objects.ts';
import type { Key, NodeRow, StoredType } from '../../../core/memory/rows.ts';
import type { UnitWrite } from '../../../core/memory/store.ts';
import { edgesText } from '../../../core/story/hop-text.ts';
import type { Place, Question, Row, Scene, Teller } from '../../../core/story/teller.ts';
import type { Attributes, Span, SpanEvent, SpanKind, Trace, TraceContext } from '../../../core/trace/trace.ts';
import { flatText } from './flat-text.ts';
import { mark } from './mark.ts';
import { Seen } from './seen.ts';
import { type ReplayTape, Tape } from './tape.ts';

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

/** Changes of one commit, without what only the store needs. */
export interface Changes {
  readonly created: readonly {
    readonly uid: string;
    readonly key: Key;
    readonly type: StoredType;
    readonly data: string;
    readonly isEdge: boolean;
    /** Ends of an edge. */
    readonly ends: readonly Key[];
  }[];
  readonly changed: readonly { readonly row: Row; readonly data: string; readonly access: string }[];
  readonly removed: readonly Row[];
}

/** Steps that one story keeps; what comes after them is left out, and `truncated` says so. */
export const mostSteps = 1000;

/** Places in the list that a step takes: its kind, microseconds since the call began, scene, statement, depth, and two for its facts. */
const stride = 7;
const mostPlaces = mostSteps * stride;
/** Offsets in the list of what a step is told later. */
const [firstFact, secondFact] = [5, 6];

/** Longest answer in bytes whose text is kept. */
const mostAnswerBytes = 65_536;

const none: readonly Changes[] = [];

const nothing = () => {};

/** Count of the bytes of stories that have ended. */
export interface Tally {
  bytes: number;
}

/** The story that told something last. */
let teller: Story | undefined;

/** The trace of a call that is recorded; spans go on to the one that is exported. */
export class Story implements Trace, Teller {
  readonly atMs = Date.now();
  private readonly startedMs: number;
  /** Records that earlier runs of the unit were lost about. */
  lostAbout: (readonly Place[])[] | undefined = undefined;
  /** Steps so far, `stride` places each. */
  private told: unknown[] = [];
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
  /** Data of a plain envelope, which repeats one of the two. */
  private result: string | undefined = undefined;
  private reported: string | undefined = undefined;
  /** State that the call saw: what a replay needs besides what came from outside. */
  private sawMore: Seen | undefined = undefined;
  /** The record that was asked for first: most calls ask for that of their root and for nothing else. */
  private firstRow: NodeRow | undefined = undefined;
  /** All changes, also where steps were left out. */
  commitsMade: readonly Changes[] = none;
  private heard: Tape | ReplayTape | undefined;
  private knownTypes = 0;
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
   * @param replayed values that a replay gets from outside
   * @param startedMs beginning of the call in milliseconds on the monotonic clock
   * @param tally counts the story when it is over
   */
  constructor(
    outer: Trace | undefined,
    start: Scene,
    replayed?: ReplayTape,
    startedMs = performance.now(),
    tally?: Tally,
  ) {
    this.outer = outer;
    this.startedMs = startedMs;
    this.tally = tally;
    this.heard = replayed;
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
    return this.heard?.isReplay === true;
  }

  get tape(): Tape | ReplayTape {
    return (this.heard ??= new Tape());
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
    if (!fits || errorCode !== undefined) this.result = this.reported = undefined;
    if (fits) this.keepAnswer(text);
    else if (body !== undefined) this.isCut = true;
  }

  private keepAnswer(text: string): void {
    if (this.result === undefined) this.text = flatText(text);
    const length = this.text?.length ?? this.result!.length + this.reported!.length;
    this.held += length;
    this.count(length);
  }

  /** The answer as text: of a plain envelope with its data alone. Undefined when there is none, or it was too long. */
  get body(): string | undefined {
    const { text, result, reported } = this;
    return result === undefined ? text : `{"ok":true,"data":{"result":${result},"reports":${reported}},"error":null}`;
  }

  /** About how many bytes it holds, counted as they come. */
  get bytes(): number {
    const { held, sawMore, heard } = this;
    return (
      1000 +
      held +
      (this.told.length / stride) * 150 +
      (sawMore === undefined ? 0 : sawMore.bytes) +
      (heard?.bytes ?? 0)
    );
  }

  // ---- what a unit tells

  begin(knownTypes = 0): void {
    if (this.told.length > 0) this.told = [];
    this.commitsMade = none;
    this.sawMore = this.firstRow = undefined;
    if (!this.isReplay) this.heard = undefined;
    this.knownTypes = knownTypes;
    teller = this;
    mark.place = undefined;
    this.isTruncated = false;
    this.scene = this.start;
    this.depth = 0;
  }

  lost(places: readonly Place[]): void {
    this.lostAbout = [...(this.lostAbout ?? []), places];
  }

  gave(result: string, reports: string): void {
    this.result = result;
    this.reported = reports;
  }

  // ---- what a walk tells

  within<T>(walk: () => T): T {
    const { scene, depth } = this;
    const place = this.placeNow();
    const back = () => {
      this.scene = scene;
      this.depth = depth;
      teller = this;
      mark.place = place;
    };
    let found: T;
    try {
      found = walk();
    } catch (error) {
      back();
      throw error;
    }
    if (found instanceof Promise) found.then(back, back);
    else back();
    return found;
  }

  visit(place: GraphObject, walker: string, scene: Scene, depth: number): boolean {
    this.scene = scene;
    this.depth = depth;
    teller = this;
    mark.place = undefined;
    if (!this.hasRoom()) return false;
    this.told.push('visit', this.micros(), scene, undefined, depth, place.$row ?? place, walker);
    return true;
  }

  hop(path: readonly Hop[]): (count: number) => void {
    if (!this.hasRoom()) return nothing;
    const { told } = this;
    const at = this.note('hop', path) + secondFact;
    return (found) => {
      told[at] = found;
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
    if (this.isReplay) return;
    if (question === 'row' && this.firstRow === undefined && this.sawMore === undefined) {
      this.firstRow = answer as NodeRow;
      this.held += this.firstRow.data.length;
      return;
    }
    this.sawMore ??= this.seen ?? new Seen(this.knownTypes);
    this.sawMore.note(question, given, answer);
  }

  /** State that the call saw; undefined: none. */
  get seen(): Seen | undefined {
    const { sawMore, firstRow } = this;
    if (sawMore !== undefined || firstRow === undefined) return sawMore;
    const seen = new Seen(this.knownTypes);
    seen.note('row', firstRow.uid, firstRow);
    return seen;
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
    this.commitsMade = [...this.commitsMade, changes];
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
    if (this.told.length < mostPlaces) return true;
    this.isTruncated = true;
    return false;
  }

  /** Adds a step of the ability that runs, and gives its index. */
  private note(kind: Step['kind'], fact: unknown, more?: unknown): number {
    const { told, scene, depth } = this;
    told.push(kind, this.micros(), scene, this.placeNow(), depth, fact, more);
    return told.length - stride;
  }

  private micros(): number {
    return Math.round((performance.now() - this.startedMs) * 1000);
  }

  get steps(): readonly Step[] {
    const steps: Step[] = [];
    for (let i = 0; i < this.told.length; i += stride) steps.push(stepAt(this.told, i));
    return steps;
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
    this.durationMicros = Math.round((nowMs - this.startedMs) * 1000);
    const { told, reports } = this;
    for (let i = 0; i < told.length; i += stride) {
      const at = i + firstFact;
      if (told[i] === 'visit') told[at] = placeOf(told[at] as GraphObject | Place);
      else if (told[i] === 'report') {
        const index = reports === undefined ? -1 : reports.indexOf(told[at]);
        told[i + secondFact] = index;
        told[at] = index >= 0 ? undefined : plain(told[at]);
      }
    }
    this.reports = undefined;
    this.count(this.bytes);
  }

  private count(bytes: number): void {
    if (this.tally !== undefined) this.tally.bytes += bytes;
  }
}

/** Facts of a step that are known when it is over. */
type Outcome<K extends 'query' | 'call' | 'commit'> = Omit<
  StepOf<K>,
  keyof Common | 'kind' | 'name' | 'host' | 'changes'
>;

/** The step whose places in the list begin at `i`. */
function stepAt(told: readonly any[], i: number): Step {
  const [kind, micros, scene, at, depth, fact, more] = told.slice(i, i + stride);
  const common: Common = { atMs: micros / 1000, scene, at, depth };
  switch (kind as Step['kind']) {
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

/** A class, as an object with a getter would be kept until a full collection, and its unit with it (decisions/0910). */
class UnitChanges implements Changes {
  readonly changed: Changes['changed'];
  readonly removed: Changes['removed'];
  private readonly newNodes: UnitWrite['newNodes'];
  private readonly newEdges: UnitWrite['newEdges'];

  constructor({ newNodes, newEdges, nodeChanges, edgeChanges, removedNodes, removedEdges }: UnitWrite) {
    this.changed = [...nodeChanges, ...edgeChanges].map(({ row, data, access }) => ({ row, data, access }));
    this.removed = [...removedNodes, ...removedEdges].map(({ row }) => row);
    this.newNodes = newNodes;
    this.newEdges = newEdges;
  }

  // Asked when the store has given the keys.
  get created(): Changes['created'] {
    const keyOf = (end: UnitWrite['newEdges'][number]['source']) => (typeof end === 'object' ? end.key : end);
    return [
      ...this.newNodes.map(({ uid, key, type, data }) => ({ uid, key, type, data, isEdge: false, ends: [] })),
      ...this.newEdges.map(({ uid, key, type, data, source, target }) => {
        return { uid, key, type, data, isEdge: true, ends: [keyOf(source), keyOf(target)] };
      }),
    ];
  }
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
