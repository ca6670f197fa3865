/**
 * Connections on their way from the primary process to a worker. `node:cluster` hands a worker one at a time and waits for its word. A worker that
 * computes for long does not give it, one that ended never does (decisions/0111, 0435).
 */
import type { Worker } from 'node:cluster';

/** Messages of `node:cluster`, which are not documented: a connection that is handed over, and what becomes of it. */
interface Handover {
  readonly cmd: string;
  act?: string;
  readonly seq?: number;
  /** Added here: monotonic time of the machine in ms. */
  atMs?: number;
}

interface Word {
  readonly ack?: number;
  /** Said here in place of the worker. */
  readonly isOurs?: true;
}

interface Handle {
  close(): void;
}

interface HandedOver {
  readonly handle: Handle;
  readonly timer: NodeJS.Timeout | undefined;
  /** Else it waits here for the next worker. */
  readonly isSent: boolean;
}

/** A worker takes a connection within this time, or leaves it to the others. */
const takenWithinMs = 200;
/** After that time a connection goes to another worker. The difference is what a word may take that was given in time. */
const takenBackAfterMs = 700;
/** Until a connection goes on from a worker that has not given its word about an earlier one. */
const turnedAwayAfterMs = 10;
/** Offers of one connection at most: the last worker keeps it however long it computes, as all may be busy at once. */
const mostOffers = 3;

const offers = new WeakMap<Handle, number>();

/**
 * In the primary process: what a worker does not take goes to another; what it had not taken when it ended is closed, so that its client may
 * try again.
 */
export function watchHandovers({ process: child }: Pick<Worker, 'process'>): void {
  const handed = new Map<number, HandedOver>();
  let isSilent = false;
  const goesOn = (seq: number) => {
    handed.delete(seq);
    // As if the worker had said no: then node:cluster asks the next one.
    child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: seq, accepted: false, isOurs: true });
  };
  const takeBack = (seq: number) => {
    // After the words that have arrived: this process may have been busy itself.
    setImmediate(() => {
      if (!handed.has(seq)) return;
      isSilent = true;
      goesOn(seq);
    });
  };
  const send = child.send as (...args: unknown[]) => boolean;
  child.send = (...args: unknown[]): boolean => {
    const [message, handle] = args as [Handover | undefined, Handle | undefined];
    if (message?.act !== 'newconn' || message.seq === undefined || handle == null) return send.apply(child, args);
    if (isSilent) {
      handed.set(message.seq, { handle, timer: setTimeout(goesOn, turnedAwayAfterMs, message.seq), isSent: false });
      return true;
    }
    const offer = (offers.get(handle) ?? 0) + 1;
    offers.set(handle, offer);
    const timer = offer < mostOffers ? setTimeout(takeBack, takenBackAfterMs, message.seq) : undefined;
    handed.set(message.seq, { handle, timer, isSent: true });
    if (timer !== undefined) message.atMs = nowMs();
    return send.apply(child, args);
  };
  child.on('internalMessage' as 'message', (message) => {
    const { ack, isOurs } = message as Word;
    if (ack === undefined || isOurs === true) return;
    const known = handed.get(ack);
    if (known === undefined) isSilent = false;
    else clearTimeout(known.timer);
    handed.delete(ack);
  });
  child.once('exit', () => {
    for (const [seq, { handle, timer, isSent }] of handed) {
      clearTimeout(timer);
      if (isSent) handle.close();
      else goesOn(seq);
    }
    handed.clear();
  });
}

/** In a worker: leaves connections to the others that waited too long for this one. */
export function leaveLateConnections(): void {
  process.prependListener('internalMessage' as 'message', (message, handle) => {
    const handover = message as Handover;
    if (handover.act !== 'newconn' || handover.atMs === undefined || nowMs() - handover.atMs < takenWithinMs) return;
    handover.act = 'late';
    (handle as Handle | undefined)?.close();
    process.send?.({ cmd: handover.cmd, ack: handover.seq, accepted: false });
  });
}

const nowMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);
