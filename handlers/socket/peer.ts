/** Ports between an open socket and the host that carries it. */
import type { FrameText } from './frames.ts';

/** What a host does for one open socket. */
export interface SocketPeer {
  send(frame: FrameText): void;
  /** What is sent until `uncork` leaves in one piece. */
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

/** What a host tells about one open socket. */
export interface Connection {
  message(bytes: Uint8Array, isBinary: boolean): void;
  /** Anything was received. */
  alive(): void;
  closed(): void;
}
