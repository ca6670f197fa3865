import type { Socket } from 'node:net';
import { createLine } from '../../../base/line.ts';

export interface DoorLimits {
  readonly maxConnections: number;
  /** A peer that takes nothing of what waits for it for so long is cut off; milliseconds. */
  readonly stuckMs: number;
}

export interface Door {
  /** Takes a connection in, or refuses it by closing it. */
  enter(socket: Socket): void;
  close(): void;
}

/** An open connection, and what was last seen to have left it. */
interface Guest {
  readonly socket: Socket;
  sent: string;
  sinceMs: number;
}

/**
 * The connections of a server. Those above the limit are closed. (`maxConnections` of `node:net` has the primary process of a worker
 * look for another one, again and again when all are full; decisions/0403.)
 *
 * Listens to a connection's errors from its first turn to its last, whoever has it: the parser lets go of one that is handed over (upgrade,
 * CONNECT), and an error that nobody listens to ends the process. Who has it hears of its end by `close`.
 *
 * From time to time it looks for peers that read nothing: calls whose answers wait for them count as running.
 */
export function openDoor({ maxConnections, stuckMs }: DoorLimits): Door {
  const guests = createLine<Guest>();
  let open = 0;

  const look = () => {
    const nowMs = performance.now();
    for (const guest of guests.values()) {
      const { socket } = guest;
      const sent = sentBy(socket);
      if (socket.writableLength === 0 || sent !== guest.sent) {
        guest.sent = sent;
        guest.sinceMs = nowMs;
      } else if (nowMs - guest.sinceMs >= stuckMs) socket.destroy();
    }
  };
  const timer = setInterval(look, Math.max(10, Math.min(longestLookMs, stuckMs / 4)));
  timer.unref();
  return {
    enter(socket) {
      socket.on('error', doNothing);
      if (++open > maxConnections) socket.destroy();
      const place = guests.add({ socket, sent: '', sinceMs: 0 });
      socket.once('close', () => {
        open--;
        guests.remove(place);
      });
    },
    close: () => clearInterval(timer),
  };
}

const longestLookMs = 5000;
const doNothing = (): void => {};

/** Changes whenever the system takes something of what waits. What it takes of one large piece shows in the queue of the handle only. */
function sentBy(socket: Socket): string {
  const { _handle: handle } = socket as Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null };
  return `${socket.bytesWritten} ${socket.writableLength} ${handle?.writeQueueSize}`;
}
