/** The stories of the last calls of this process, bounded by count and bytes (docs/guide/stories.md). */
import { tellHops } from '../../../core/graph/hops.ts';
import { contextOrNone } from '../../../core/memory/context.ts';
import { tellHop } from '../../../core/story/tell-hop.ts';
import type { Scene } from '../../../core/story/teller.ts';
import { fillTapes } from '../../../library/outside.ts';
import type { Caller } from '../../caller.ts';
import type { ServedTarget } from '../../served-targets.ts';
import type { RunTargetParts } from '../run/answer.ts';
import type { RunRequest, UnitParts } from '../run/types.ts';
import { ForReplay } from './for-replay.ts';
import { Story, type Tally } from './story.ts';

/** Type of most bodies: kept once, not once for each call. */
const commonest = 'application/json';

/** One call and its story. Holds nothing of its connection, and as little else as a replay can do with. */
export class RecordedCall extends Story {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** The body as it came; as text, which is one object instead of three, where that says the same. */
  private readonly sent: string | Uint8Array | undefined;
  readonly contentType: string | undefined;
  readonly userAgent: string | undefined;
  readonly bytesIn: number;
  readonly target: ServedTarget;
  readonly caller: Caller;
  readonly nodeId: string | undefined;
  readonly mayRefer: boolean;
  readonly notes: readonly string[] | undefined;
  /** Tools by which the version of the program runs targets; undefined for messages of sockets, which are not replayed. */
  readonly run: RunTargetParts | undefined;
  private readonly bindKept: (() => unknown[]) | undefined;
  private readonly bindBytes: ((body: Uint8Array) => unknown[]) | undefined;

  constructor(request: RunRequest, run: RunTargetParts | undefined, forReplay: ForReplay | undefined, tally: Tally) {
    const { exchange, target, bindBytes } = request;
    const { call, body, text, template, startedMs } = exchange;
    super(exchange.trace, sceneOf(target), forReplay, startedMs === 0 ? performance.now() : startedMs, tally);
    this.id = exchange.requestId;
    this.method = call.method;
    this.path = call.path === template ? template : call.path;
    this.query = call.query;
    this.sent = text !== undefined && text.length === body?.length ? text : body;
    const contentType = call.header('content-type');
    this.contentType = contentType === commonest ? commonest : contentType;
    this.userAgent = call.header('user-agent');
    this.bytesIn = exchange.bytesIn;
    this.target = target;
    this.caller = exchange.caller!;
    this.nodeId = request.nodeId;
    this.mayRefer = request.mayRefer;
    this.notes = request.notes;
    this.run = run;
    this.bindBytes = body === undefined ? undefined : bindBytes;
    this.bindKept = this.bindBytes === undefined ? request.bind : undefined;
  }

  get body(): Uint8Array | undefined {
    return typeof this.sent === 'string' ? Buffer.from(this.sent, 'latin1') : this.sent;
  }

  /** Binds the fields of the request anew. */
  bind(): unknown[] {
    return this.bindBytes === undefined ? this.bindKept!() : this.bindBytes(this.body!);
  }
}

/** Scene of steps before the first ability. */
function sceneOf({ name, meta, spec: own }: ServedTarget): Scene {
  const spec = meta?.spec ?? own;
  return spec?.name === name ? spec : { name, at: spec?.at };
}

export interface StoryBook {
  /** Begins the story of a call, if it is one that is recorded: the trace of its exchange tells it from then on. */
  open(request: RunRequest, parts: UnitParts & Partial<RunTargetParts>): void;
  /** The newest first. */
  list(): readonly RecordedCall[];
  /** The newest call with this request id. */
  find(id: string): RecordedCall | undefined;
}

export interface StoryRules {
  /** Share of the calls that is recorded, from 0 to 1. */
  readonly share: number;
  /** Calls can be replayed: what that takes is kept as well. */
  readonly replays: boolean;
}

/** Calls that are kept, and the bytes they may have together. */
const mostStories = 500;
const mostBytes = 32 * 1024 * 1024;
/** Header by which an administrator has a call recorded. */
const header = 'svc-story';

export function createStoryBook({ share, replays }: StoryRules): StoryBook {
  const ring: (RecordedCall | undefined)[] = new Array(mostStories).fill(undefined);
  let next = 0;
  /** Bodies of calls and stories that ended since the ring was at its beginning. */
  const tally: Tally = { bytes: 0 };
  tellHops(tellHop);
  fillTapes(() => contextOrNone()?.session.trace?.story?.tape);

  return {
    open(request, parts) {
      if (!isWanted(request)) return;
      const { exchange } = request;
      const run = parts.replies === undefined ? undefined : (parts as RunTargetParts);
      const recorded = new RecordedCall(request, run, replays ? new ForReplay() : undefined, tally);
      exchange.trace = recorded;
      tally.bytes += exchange.bytesIn;
      ring[next] = recorded;
      next = (next + 1) % mostStories;
      // Most often they hold little, and looking at each of them costs more than the call.
      if (next > 0) return;
      if (tally.bytes > mostBytes / 4) dropAbove(mostBytes);
      tally.bytes = 0;
    },
    list,
    find: (id) => list().find((one) => one.id === id),
  };

  function isWanted({ exchange }: RunRequest): boolean {
    if (share >= 1 || (share > 0 && Math.random() < share)) return true;
    const { caller } = exchange;
    if (caller?.role !== 'admin' && caller?.runBy === undefined) return false;
    return exchange.call.header(header) === '1';
  }

  function list(): RecordedCall[] {
    const newestFirst = [...ring.slice(0, next).reverse(), ...ring.slice(next).reverse()];
    return newestFirst.filter((one) => one !== undefined);
  }

  /** Forgets the oldest when all of them hold too much. */
  function dropAbove(limit: number): void {
    let bytes = 0;
    for (let back = 1; back <= mostStories; back++) {
      const at = (next - back + mostStories) % mostStories;
      const one = ring[at];
      if (one === undefined) continue;
      bytes += one.bytes + one.bytesIn;
      if (bytes > limit) ring[at] = undefined;
    }
  }
}
