import type { App } from '../../../handlers/app.ts';

/** The application with another way to its answers: what stands before it there. Its routes and sockets are those of the version that serves. */
export function appBehind(handle: App['handle'], app: App): App {
  return {
    handle,
    refuse: app.refuse,
    handshake: app.handshake,
    swap: app.swap,
    get routes() {
      return app.routes;
    },
    get sockets() {
      return app.sockets;
    },
    get live() {
      return app.live;
    },
    lifecycle: app.lifecycle,
  };
}
