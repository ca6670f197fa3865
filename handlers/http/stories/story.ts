/**
 * The story of one call while it runs (docs/guide/stories.md): what the walk, the session and the trace tell of it, in order. Steps are kept as they
 * come, as records of the store and plain values; `tell-story.ts` makes texts of them when somebody asks.
 */
import type { Hop } from '../../../core/graph/hop.ts';
import type { GraphObject } from '../../../core/graph/objects.ts';
import type { Key, StoredType } from '../../../core/memory/rows.ts';
import type { UnitWrite } from '../../../core/memory/store.ts';
import { edgesText } from '../../../core/story/hop-text.ts';
import type { Place, Question, Row, Scene, Teller } from '../../../core/story/teller.ts';
import type { Attributes, Span, SpanEvent, SpanKind, Trace, TraceContext } from '../../../core/trace/trace.ts';
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
  | { readonly kind: 'visit'; place: GraphObject | Place; readonly walker: string }
  | { readonly kind: 'hop'; readonly path: readonly Hop[]; count: number | undefined }
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
  | { readonly kind: 'report'; value: unknown; index: number }
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

/** Longest answer in bytes whose text is kept. */
const mostAnswerBytes = 65_536;

const none: readonly Changes[] = [];

const nothing = () => {};

/** The story that told something last. */
let teller: Story | undefined;

/** The trace of a call that is recorded; spans go on to the one that is exported. */
export class Story implements Trace, Teller {
  readonly atMs = Date.now();
  readonly startedMs = performance.now();
  /** Records that earlier runs of the unit were lost about. */
  lostAbout: (readonly Place[])[] | undefined = undefined;
  steps: Step[] = [];
  /** Steps were left out. */
  isTruncated = false;
  /** The text of the answer was left out. */
  isCut = false;
  /** Reports of the walker whose walk the call is, or of the function; let go of when the call is over. */
  reports: readonly unknown[] | undefined = undefined;
  durationMs: number | undefined = undefined;
  /** The answer, once there is one: its status, its text where that is no longer than `mostAnswerBytes`, and the code of its failure. */
  status: number | undefined = undefined;
  body: string | undefined = undefined;
  errorCode: string | undefined = undefined;
  /** State that the call saw, and what came to it from outside: what a replay needs. */
  seen: Seen | undefined = undefined;
  /** All changes, also where steps were left out. */
  commitsMade: readonly Changes[] = none;
  private heard: Tape | ReplayTape | undefined;
  private knownTypes = 0;
  /** Characters of the answer, and of records that changed or were read. */
  private held = 0;
  private scene: Scene;
  private depth = 0;
  private readonly outer: Trace | undefined;
  readonly start: Scene;

  /**
   * @param outer the trace that is exported, when there is one
   * @param start where steps before the first ability are: the walker or the function that was called
   * @param replayed values that a replay gets from outside
   */
  constructor(outer: Trace | undefined, start: Scene, replayed?: ReplayTape) {
    this.outer = outer;
    this.heard = replayed;
    this.scene = this.start = start;
  }

  // ---- as a trace

  get story(): Story {
    return this;
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
    const step = kind === 'client' ? this.beginClient(name, attributes) : undefined;
    if (step === undefined) return span;
    const from = performance.now();
    return {
      context: span?.context,
      end(isFailure, more) {
        step.ms = performance.now() - from;
        if (step.kind === 'call') step.status = numberIn(more, 'http.response.status_code');
        else {
          step.failed = isFailure;
          if (step.kind === 'query') step.rows = numberIn(more, 'svc.rows');
        }
        span?.end(isFailure, more);
      },
    };
  }

  end(name: string, attributes: Attributes, isFailure: boolean): void {
    this.over();
    this.outer?.end(name, attributes, isFailure, this.outer.isExported === true ? eventsOf(this) : undefined);
  }

  answered(status: number, body: unknown, errorCode: string | undefined): void {
    this.status = status;
    this.errorCode = errorCode;
    const text = body instanceof Uint8Array && body.length <= mostAnswerBytes ? new TextDecoder().decode(body) : body;
    if (typeof text === 'string' && text.length <= mostAnswerBytes) this.keepBody(text);
    else if (body !== undefined) this.isCut = true;
  }

  private keepBody(text: string): void {
    this.body = text;
    this.held += text.length;
  }

  /** About how many bytes it holds, counted as they come. */
  get bytes(): number {
    const { held, seen, heard } = this;
    return 1000 + held + this.steps.length * 150 + (seen === undefined ? 0 : seen.bytes) + (heard?.bytes ?? 0);
  }

  // ---- what a unit tells

  begin(knownTypes = 0): void {
    if (this.steps.length > 0) this.steps = [];
    this.commitsMade = none;
    this.seen = undefined;
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

  // ---- what a walk tells

  visit(place: GraphObject, walker: string, scene: Scene, depth: number): boolean {
    this.scene = scene;
    this.depth = depth;
    teller = this;
    mark.place = undefined;
    if (!this.hasRoom()) return false;
    const atMs = this.now();
    this.steps.push({ kind: 'visit', atMs, scene, at: undefined, depth, place: place.$row ?? place, walker });
    return true;
  }

  hop(path: readonly Hop[]): (count: number) => void {
    if (!this.hasRoom()) return nothing;
    const { scene, depth } = this;
    const step: StepOf<'hop'> = {
      kind: 'hop',
      atMs: this.now(),
      scene,
      at: this.placeNow(),
      depth,
      path,
      count: undefined,
    };
    this.steps.push(step);
    return (found) => {
      step.count = found;
    };
  }

  report(value: unknown): void {
    if (!this.hasRoom()) return;
    const { scene, depth } = this;
    this.steps.push({ kind: 'report', atMs: this.now(), scene, at: this.placeNow(), depth, value, index: -1 });
  }

  log(level: string, text: string): void {
    if (!this.hasRoom()) return;
    const [{ scene, depth }, cut] = [this, text.slice(0, 2000)];
    this.steps.push({ kind: 'log', atMs: this.now(), scene, at: this.placeNow(), depth, level, text: cut });
  }

  // ---- what a session tells

  saw(question: Question, given: unknown, answer: unknown): void {
    if (this.isReplay) return;
    this.seen ??= new Seen(this.knownTypes);
    this.seen.note(question, given, answer);
  }

  read(row: Row): void {
    if (!this.hasRoom()) return;
    const { scene, depth } = this;
    this.held += row.data.length;
    this.steps.push({ kind: 'read', atMs: this.now(), scene, at: this.placeNow(), depth, row });
  }

  wrote(row: Row): void {
    if (!this.hasRoom()) return;
    const { scene, depth } = this;
    this.held += row.data.length;
    this.steps.push({ kind: 'write', atMs: this.now(), scene, at: this.placeNow(), depth, row });
  }

  decided(row: Row, needed: number, had: number, rule: string): void {
    if (!this.hasRoom()) return;
    const { scene, depth } = this;
    const [atMs, at] = [this.now(), this.placeNow()];
    this.steps.push({ kind: 'permission', atMs, scene, at, depth, row, needed, had, rule });
  }

  commits(unit: UnitWrite): (failed: boolean) => void {
    const from = performance.now();
    const changes = changesOf(unit);
    this.commitsMade = [...this.commitsMade, changes];
    for (const { data } of unit.nodeChanges) this.held += data.length;
    for (const { data } of unit.newNodes) this.held += data.length;
    if (!this.hasRoom()) return nothing;
    const { scene, depth } = this;
    const at = this.placeNow();
    const step: StepOf<'commit'> = {
      kind: 'commit',
      atMs: this.now(),
      scene,
      at,
      depth,
      changes,
      ms: undefined,
      failed: false,
    };
    this.steps.push(step);
    return (failed) => {
      step.ms = performance.now() - from;
      step.failed = failed;
    };
  }

  private beginClient(name: string, attributes: Attributes): StepOf<'query'> | StepOf<'call'> | undefined {
    const host = attributes['server.address'];
    if ((host === undefined && name === 'store commit') || !this.hasRoom()) return undefined;
    const { scene, depth } = this;
    const common = { atMs: this.now(), scene, at: this.placeNow(), depth };
    const step: StepOf<'query'> | StepOf<'call'> =
      host === undefined
        ? { kind: 'query', ...common, name: name.replace(/^store /, ''), rows: undefined, ms: 0, failed: false }
        : { kind: 'call', ...common, host: String(host), status: undefined, ms: 0 };
    this.steps.push(step);
    return step;
  }

  private hasRoom(): boolean {
    if (this.steps.length < mostSteps) return true;
    this.isTruncated = true;
    return false;
  }

  private now(): number {
    return performance.now() - this.startedMs;
  }

  /** The statement that runs. After another call has been telling, the mark is its until this one comes to a statement. */
  private placeNow(): string | undefined {
    if (teller !== this) {
      teller = this;
      mark.place = undefined;
    }
    return mark.place;
  }

  /** The call has ended: lets go of everything that holds its unit. */
  over(): void {
    if (this.durationMs !== undefined) return;
    this.durationMs = performance.now() - this.startedMs;
    const reports = this.reports ?? [];
    for (const step of this.steps) {
      if (step.kind === 'visit') step.place = placeOf(step.place);
      else if (step.kind === 'report') {
        step.index = reports.indexOf(step.value);
        step.value = step.index >= 0 ? undefined : plainOrType(step.value);
      }
    }
    this.reports = undefined;
  }
}

/** A scalar as it is, of anything else its type: a report that is not part of the answer must hold no object of the unit. */
function plainOrType(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? `<${(value as any).$meta?.name ?? value.constructor.name}>`
    : value;
}

function placeOf(place: GraphObject | Place): Place {
  const object = place as Partial<GraphObject>;
  if (object.$meta === undefined) return place as Place;
  return object.$row ?? { uid: object.$id ?? '', type: { name: object.$meta.name } };
}

function changesOf(unit: UnitWrite): Changes {
  const { newNodes, newEdges, nodeChanges, edgeChanges, removedNodes, removedEdges } = unit;
  const changed = [...nodeChanges, ...edgeChanges].map(({ row, data, access }) => ({ row, data, access }));
  const keyOf = (end: (typeof newEdges)[number]['source']) => (typeof end === 'object' ? end.key : end);
  return {
    // Asked when the store has given the keys.
    get created() {
      return [
        ...newNodes.map(({ uid, key, type, data }) => ({ uid, key, type, data, isEdge: false, ends: [] })),
        ...newEdges.map(({ uid, key, type, data, source, target }) => {
          return { uid, key, type, data, isEdge: true, ends: [keyOf(source), keyOf(target)] };
        }),
      ];
    },
    changed,
    removed: [...removedNodes, ...removedEdges].map(({ row }) => row),
  };
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
