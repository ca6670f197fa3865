/** Ends connections of the table from outside of their events (docs/server/cloud.md#sockets). */
import type { Log } from '../../core/log/log.ts';
import { each } from './broadcast.ts';
import { type ConnectionStore, connectionLifeSeconds } from './connection-store.ts';
import { type Frame, tokenRefusal } from './frames.ts';
import type { PostToConnection } from './post-to-connection.ts';

export interface EndParts {
  readonly connections: ConnectionStore;
  readonly gateway: PostToConnection;
  readonly log: Log;
}

/** Says why, as far as the gateway takes it, cuts and forgets. */
export async function endConnection(
  { connections, gateway, log }: EndParts,
  cid: string,
  frame?: Frame,
): Promise<void> {
  if (frame !== undefined)
    await gateway.post(cid, frame.full.text).catch((error) => log.warn('a frame was lost', { error }));
  await gateway.cut(cid);
  await connections.remove(cid);
}

export interface SweepParts extends EndParts {
  readonly authTimeoutSeconds: number;
  readonly clock: { now(): number };
}

/** Removes what ended without notice, and ends connections that still owe a login. */
export async function sweepConnections(parts: SweepParts): Promise<void> {
  const { connections, authTimeoutSeconds } = parts;
  const now = parts.clock.now();
  for await (const { cid, connectedAt, authenticated } of each(connections.all())) {
    if (now - connectedAt > connectionLifeSeconds * 1000) await connections.remove(cid);
    else if (!authenticated && now - connectedAt > authTimeoutSeconds * 1000) {
      await endConnection(parts, cid, tokenRefusal('missing'));
    }
  }
}
