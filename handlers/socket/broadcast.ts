/** One frame for every connection of a target, through the gateway (docs/server/cloud.md#sockets). */
import { inLanes } from '../../base/in-lanes.ts';
import type { Log } from '../../core/log/log.ts';
import type { ConnectionRecord, ConnectionStore } from './connection-store.ts';
import { type Frame, framesFor } from './frames.ts';
import type { PostToConnection } from './post-to-connection.ts';

/** Resolves when every connection has been served. `id` is for the sender only. */
export type Broadcast = (
  target: string,
  frame: Frame,
  sender: { readonly cid: string; readonly id: string | undefined },
) => Promise<void>;

export interface BroadcastParts {
  readonly connections: ConnectionStore;
  readonly gateway: PostToConnection;
  readonly clock: { now(): number };
  readonly log: Log;
  /** Tells whether a connection may still receive. */
  readonly isLive: (row: ConnectionRecord) => Promise<boolean>;
}

const maxParallel = 50;
/** The gateway calls a connection gone until its `$connect` has been answered, which takes 29 s at most. */
const openingMs = 30_000;

export function createBroadcast({ connections, gateway, clock, log, isLive }: BroadcastParts): Broadcast {
  async function serve(row: ConnectionRecord, frame: Frame, id: string | undefined): Promise<void> {
    if (!row.authenticated || !(await isLive(row))) return;
    const form = row.subprotocol === 'svc.reports.v1' ? 'bare' : 'full';
    for (const text of framesFor(frame, form, id)) {
      if (await gateway.post(row.cid, text)) continue;
      if (clock.now() - row.connectedAt > openingMs) await connections.remove(row.cid);
      return;
    }
  }

  return async (target, frame, sender) => {
    await inLanes(maxParallel, each(connections.ofTarget(target)), async (row) => {
      // One that cannot be reached must not keep the frame from the others.
      await serve(row, frame, row.cid === sender.cid ? sender.id : undefined).catch((error) => {
        log.error('a broadcast did not reach a connection', { target, error });
      });
    });
  };
}

/** The entries of pages, one by one. */
export async function* each<T>(pages: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const page of pages) yield* page;
}
