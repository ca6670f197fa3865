import type { SocketEnd } from '../../adapters/hosts/local/upgrade.ts';
import type { App } from '../../handlers/app.ts';
import type { Version } from './open-version.ts';

/** Application behind a listening socket: itself, or an emulated gateway before it. */
export interface Front {
  readonly app: App;
  readonly sockets: SocketEnd;
  programChanged(version: Version): void;
}
