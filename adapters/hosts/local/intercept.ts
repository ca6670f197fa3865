import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Takes requests before the application does: the development server of a client, whose files have addresses of their own. */
export interface Intercept {
  /** Answers, or calls `pass` for what is not its own. */
  take(request: IncomingMessage, response: ServerResponse, pass: () => void): void;
  /** Wait of a call that was passed, by its path; undefined: none. Its body is read meanwhile. */
  hold?(path: string): Promise<void> | undefined;
  /** False: the application's. A socket that is taken has an error listener when this returns. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
}
