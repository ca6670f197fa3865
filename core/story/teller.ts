/** Port by which the parts of a call tell its story; `story.ts` keeps it. */
import type { OutsideTape } from '../../library/outside.ts';
import type { Hop } from '../graph/hop.ts';
import type { GraphObject } from '../graph/objects.ts';
import type { EdgeRow, NodeRow } from '../memory/rows.ts';
import type { UnitWrite } from '../memory/store.ts';

export type Row = NodeRow | EdgeRow;

/** A place of the graph: its record once it has one, else its id and class. */
export type Place = Row | { readonly uid: string; readonly type: { readonly name: string } };

/** The ability or function in which something happened. */
export interface Scene {
  readonly name: string;
  /** `file:line:column`. */
  readonly at?: string | undefined;
}

/** Questions to the store by the names of its methods; `row` and `rows` are what the process remembered. */
export type Question =
  | 'row'
  | 'rows'
  | 'nodes'
  | 'nodesByUid'
  | 'edges'
  | 'edgeByUid'
  | 'neighbours'
  | 'roots'
  | 'ownedBy';

export interface Teller {
  /** Steps were left out: nothing more is kept. */
  readonly isTruncated: boolean;
  /** Reports of the walker whose walk the call is, or of the function. */
  reports: readonly unknown[] | undefined;
  /** The call is a replay: nothing of it may be left behind. */
  readonly isReplay: boolean;
  /** Values from outside, kept for a replay or given again by it; undefined where there are no replays. */
  readonly tape: OutsideTape | undefined;

  // ---- a unit

  /** A run of the unit begins, with so many types in the store: steps of one before that was lost are forgotten. */
  begin(knownTypes: number): void;
  /** The run before was lost about these records. */
  lost(places: readonly Place[]): void;
  /** The answer will be the plain envelope of these JSON texts. */
  gave(result: string, reports: string): void;
  /** The call is over: notes its answer, whose body is as the host gets it. `nowMs`: on the monotonic clock. */
  answered(status: number, body: unknown, errorCode: string | undefined, nowMs?: number): void;

  // ---- a walk

  /** Runs a walk, as `run(a, b, c)`; what is told behind it is of the ability or function that it was spawned in. */
  within<A, B, C, T>(run: (a: A, b: B, c: C) => T, a: A, b: B, c: C): T;
  /** An ability of a walk begins. False: the story is full. */
  visit(place: GraphObject, walker: string, scene: Scene, depth: number): boolean;
  /** Edges are followed; the number of places is told when they are found. */
  hop(path: readonly Hop[]): (count: number) => void;
  report(value: unknown): void;
  log(level: string, text: string): void;

  // ---- a session

  /** The store, or what is remembered of it, gave an answer: what a replay of the call runs on. */
  saw(question: Question, given: unknown, answer: unknown): void;
  read(row: Row): void;
  wrote(row: Row): void;
  decided(row: Row, needed: number, had: number, rule: string): void;
  /** A commit of these changes begins; its end is told by the function it gives. */
  commits(unit: UnitWrite): (failed: boolean) => void;
}
