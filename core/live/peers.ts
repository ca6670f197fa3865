/**
 * Notices between the processes of one application (docs/server/live.md#several-processes). A process tells its commits only
 * while another one listens. Messages of a process are numbered, and one that listens hears from each process every second: after a
 * gap, a silence or a process it did not know, everything runs again, so that nothing is ever missed.
 */
import { randomUUID } from 'node:crypto';
import { throwOutside } from '../../base/throw-outside.ts';
import type { CommitFeed } from './commit-feed.ts';
import type { LiveRuns } from './live-runs.ts';
import { packNotices, unpackNotices } from './notice.ts';

/** Carrier of messages to all other processes, in the order of each. */
export interface PeerWire {
  subscribe(channel: string, receive: (message: string) => void): Promise<() => void>;
  publish(channel: string, message: string): Promise<void>;
}

interface Message {
  readonly from: string;
  /** Number of the message among those of its process, from 1. Listening is told without a number. */
  readonly seq?: number;
  readonly notices?: unknown;
  /** The process listens for some seconds from now. */
  readonly listens?: true;
}

interface Known {
  seq: number;
  heardMs: number;
}

const channel = 'live';
/** Milliseconds between two signs of life, and after which a process without one is taken for lost. */
export const beatMs = 1000;
export const lostMs = 3500;

export interface Peers {
  /** The first subscription is there: others have to tell their commits. */
  listening(): void;
  close(): void;
}

export function joinPeers(wire: PeerWire, feed: CommitFeed, runs: Pick<LiveRuns, 'heard' | 'runAll' | 'size'>): Peers {
  const own = randomUUID();
  const known = new Map<string, Known>();
  let seq = 0;
  let listenedUntilMs = 0;
  let unlisten: (() => void) | undefined;
  let wasListening = false;

  const publish = (message: Omit<Message, 'from'>) =>
    wire.publish(channel, JSON.stringify({ from: own, ...message } satisfies Message));
  /** One that does not arrive leaves a gap in the numbers, which the next one shows. */
  const tell = (message: Omit<Message, 'from' | 'seq'>) => {
    publish({ seq: ++seq, ...message }).catch(() => {});
  };

  function beat(): void {
    const nowMs = performance.now();
    if (runs.size > 0) {
      publish({ listens: true }).catch(() => {});
      if (!wasListening) known.clear();
      for (const [from, { heardMs }] of known) {
        if (nowMs - heardMs < lostMs) continue;
        known.delete(from);
        runs.runAll();
      }
    }
    wasListening = runs.size > 0;
    if (unlisten === undefined) return;
    if (nowMs < listenedUntilMs) tell({});
    else {
      unlisten();
      unlisten = undefined;
    }
  }

  function receive(text: string): void {
    const message = JSON.parse(text) as Message;
    if (message.listens) serve();
    if (message.seq !== undefined && runs.size > 0) hear(message.from, message.seq, message.notices);
  }

  /** Somebody listens: commits from now on are told. The number that is left out says that earlier ones were not. */
  function serve(): void {
    listenedUntilMs = performance.now() + lostMs;
    if (unlisten !== undefined) return;
    unlisten = feed.listen((notices) => tell(notices === undefined ? skipNumber() : { notices: packNotices(notices) }));
    tell(skipNumber());
  }

  function skipNumber(): Omit<Message, 'from' | 'seq'> {
    seq++;
    return {};
  }

  function hear(from: string, number: number, notices: unknown): void {
    const before = known.get(from);
    known.set(from, { seq: number, heardMs: performance.now() });
    // Commits from before it knew that somebody listens were not told.
    if (before === undefined || before.seq + 1 !== number) runs.runAll();
    else if (notices !== undefined) runs.heard(unpackNotices(notices));
  }

  const timer = setInterval(beat, beatMs).unref();
  let leave: (() => void) | undefined;
  let isClosed = false;
  const subscribe = () => {
    wire
      .subscribe(channel, receive)
      .then(
        (end) => {
          if (isClosed) end();
          else leave = end;
        },
        () => {
          if (!isClosed) setTimeout(subscribe, beatMs).unref();
        },
      )
      .catch(throwOutside);
  };
  subscribe();

  return {
    listening() {
      if (!wasListening) beat();
    },
    close() {
      isClosed = true;
      clearInterval(timer);
      unlisten?.();
      leave?.();
    },
  };
}
