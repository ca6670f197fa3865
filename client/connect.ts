/** A connection to a walker with protocol WEBSOCKET. */
import { type Connection, type ConnectOptions, connectTo } from './net/connection.ts';
import { socketUrl } from './net/page.ts';
import { revive } from './net/revive.ts';
import { storedToken } from './net/token.ts';

export type { Connection, ConnectOptions } from './net/connection.ts';

/** Opens a connection, and opens it again when it breaks: after 0.5 s, later up to 30 s. A refused token ends it. */
export function svcConnect(target: string | { readonly name: string }, options: ConnectOptions = {}): Connection {
  const name = typeof target === 'string' ? target : target.name;
  const path = options.kind === 'function' ? `/ws/function/${name}` : `/ws/${name}`;
  return connectTo({ url: () => socketUrl(path), token: storedToken, read: revive }, options);
}
