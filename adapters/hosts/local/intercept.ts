import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { withoutPrefix } from '../../../core/config/prefix.ts';

/** Takes requests before the application does: the development server of a client, whose files have addresses of their own. */
export interface Intercept {
  /** Answers, or calls `pass` for what is not its own. */
  take(request: IncomingMessage, response: ServerResponse, pass: () => void): void;
  /** Wait of a call that was passed, by its path; undefined: none. Its body is read meanwhile. */
  hold?(path: string): Promise<void> | undefined;
  /** False: the application's. A socket that is taken has an error listener when this returns. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
}

/** Gives an intercept that sees addresses without a prefix; what it passes on has them as they came. */
export function belowPrefix(inner: Intercept, prefix: string): Intercept {
  if (prefix === '') return inner;
  return {
    hold: (path) => inner.hold?.(withoutPrefix(path, prefix)),
    take(request, response, pass) {
      const url = request.url!;
      request.url = withoutPrefix(url, prefix);
      inner.take(request, response, () => {
        request.url = url;
        pass();
      });
    },
    upgrade(request, socket, head) {
      const url = request.url!;
      request.url = withoutPrefix(url, prefix);
      const isTaken = inner.upgrade(request, socket, head);
      if (!isTaken) request.url = url;
      return isTaken;
    },
  };
}
