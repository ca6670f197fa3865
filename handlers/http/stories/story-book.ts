/** The stories of the last calls of this process, bounded by count and bytes (docs/guide/stories.md). */
import { tellHops } from '../../../core/graph/hops.ts';
import { contextOrNone } from '../../../core/memory/context.ts';
import { tellHop } from '../../../core/story/tell-hop.ts';
import { fillTapes } from '../../../library/outside.ts';
import type { Caller } from '../../caller.ts';
import type { ServedTarget } from '../../served-targets.ts';
import type { RunTargetParts } from '../run/answer.ts';
import type { RunRequest, UnitParts } from '../run/types.ts';
import { Story } from './story.ts';

/** One call whose story is told. Holds nothing of its connection. */
export interface RecordedCall {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: Uint8Array | undefined;
  readonly contentType: string | undefined;
  readonly userAgent: string | undefined;
  readonly bytesIn: number;
  readonly target: ServedTarget;
  readonly caller: Caller;
  readonly nodeId: string | undefined;
  readonly mayRefer: boolean;
  readonly notes: readonly string[] | undefined;
  /** Binds the fields of the request anew. */
  readonly bind: () => unknown[];
  readonly story: Story;
  /** Tools by which the version of the program runs targets; undefined for messages of sockets, which are not replayed. */
  readonly run: RunTargetParts | undefined;
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
}

/** Calls that are kept, and the bytes they may have together. */
const mostStories = 500;
const mostBytes = 32 * 1024 * 1024;
/** Header by which an administrator has a call recorded. */
const header = 'svc-story';

export function createStoryBook({ share }: StoryRules): StoryBook {
  const ring: (RecordedCall | undefined)[] = new Array(mostStories).fill(undefined);
  let next = 0;
  tellHops(tellHop);
  fillTapes(() => contextOrNone()?.session.trace?.story?.tape);

  return {
    open(request, parts) {
      if (!isWanted(request)) return;
      const { exchange, target } = request;
      const { name, meta, spec } = target;
      const story = new Story(exchange.trace, { name, at: (meta?.spec ?? spec)?.at });
      exchange.trace = story;
      ring[next] = recorded(request, story, parts.replies === undefined ? undefined : (parts as RunTargetParts));
      next = (next + 1) % mostStories;
      if (next === 0) dropAbove(mostBytes);
    },
    list,
    find: (id) => list().find((one) => one.id === id),
  };

  function isWanted({ exchange }: RunRequest): boolean {
    if (share >= 1 || (share > 0 && Math.random() < share)) return true;
    return exchange.caller?.role === 'admin' && exchange.call.header(header) === '1';
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
      bytes += one.story.bytes + one.bytesIn;
      if (bytes > limit) ring[at] = undefined;
    }
  }
}

function recorded(request: RunRequest, story: Story, run: RunTargetParts | undefined): RecordedCall {
  const { exchange, target, nodeId, bind, mayRefer, notes } = request;
  const { call, requestId, bytesIn, body } = exchange;
  return {
    id: requestId,
    method: call.method,
    path: call.path,
    query: call.query,
    body,
    contentType: call.header('content-type'),
    userAgent: call.header('user-agent'),
    bytesIn,
    target,
    caller: exchange.caller!,
    nodeId,
    mayRefer,
    notes,
    bind,
    story,
    run,
  };
}
