/** Ports between an open socket and the host that carries it. */
import type { FrameText } from './frames.ts';

/** Port to one open socket, filled by its host. */
export interface SocketPeer {
  send(frame: FrameText): void;
  /** Holds frames back until `uncork`, so that they leave in one piece. */
  cork(): void;
  uncork(): void;
  /** A ping of the protocol. */
  ping(): void;
  /** Starts the closing handshake. */
  close(code: number, reason: string): void;
  /** Bytes accepted by `send` that have not left the process. */
  readonly unsent: number;
  /** Bytes that have left the process. */
  readonly sent: number;
  /** Calls `listener` once when everything has left the process, or the socket is closed. */
  onDrain(listener: () => void): void;
}

/** Events of one open socket, told by its host. */
export interface Connection {
  message(bytes: Uint8Array, isBinary: boolean): void;
  /** Anything was received. */
  alive(): void;
  closed(): void;
}
