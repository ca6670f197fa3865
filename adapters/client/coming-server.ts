/**
 * A development server that is still to be started: Vite takes its time, and the port need not wait for it. What pages ask for meanwhile waits;
 * where the server cannot be started, the application answers.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { ClientProgram } from './client-program.ts';
import { type DevServer, isOfPages, isOfVite } from './dev-server.ts';

export interface ComingServer extends Omit<DevServer, 'warm'> {
  /** Starts it. To be called once, when everything else is there. */
  start(): void;
  /** Begins again with another server, which knows of packages that have come since: pages notice, and load themselves anew. */
  renew(): void;
  /** Resolves when it has been started, or has failed. */
  ready(): Promise<void>;
  /** Resolves when it is ready and pages have what they asked for, or none has come: what nobody waits for can be done now. */
  quiet(): Promise<void>;
}

/** A page asks for what it has found in scripts that came: it has asked for all when so much time has passed. */
const quietMs = 1000;

/** `open` starts a server for a program; undefined when that fails, which it has told. */
export function comingServer(
  first: ClientProgram,
  open: (program: ClientProgram) => Promise<DevServer | undefined>,
): ComingServer {
  let program = first;
  let begin: (() => void) | undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let server: DevServer | undefined;
  let opening = begun.then(openNow);
  let asked = 0;
  let lastAsked = 0;
  async function openNow(): Promise<DevServer | undefined> {
    server = await open(program);
    server?.warm();
    return server;
  }
  const count = (response: ServerResponse): void => {
    asked += 1;
    response.once('close', () => {
      asked -= 1;
      lastAsked = performance.now();
    });
  };
  const then = (work: (opened: DevServer) => unknown): void => {
    opening.then(
      (opened) => opened && work(opened),
      () => {},
    );
  };
  return {
    start() {
      begin?.();
      begin = undefined;
    },
    renew() {
      opening = opening.then(async (before) => {
        server = undefined;
        await before?.close();
        return await openNow();
      });
      opening.catch(() => {});
    },
    ready: () => opening.then(() => {}),
    async quiet() {
      await opening;
      do await setTimeout(quietMs, undefined, { ref: false });
      while (asked > 0 || performance.now() < lastAsked + quietMs);
    },
    intercept: {
      take(request, response, pass) {
        const isAwaited = isOfPages(request) || isDocument(request);
        if (isAwaited) count(response);
        if (server !== undefined) return server.intercept.take(request, response, pass);
        if (!isAwaited) return pass();
        opening.then(
          (opened) => (opened === undefined ? pass() : opened.intercept.take(request, response, pass)),
          pass,
        );
      },
      upgrade(request, socket, head) {
        if (server !== undefined) return server.intercept.upgrade(request, socket, head);
        if (!isOfVite(request)) return false;
        socket.on('error', () => socket.destroy());
        opening.then(
          (opened) => opened?.intercept.upgrade(request, socket, head) ?? socket.destroy(),
          () => socket.destroy(),
        );
        return true;
      },
    },
    transform: async (path, text) => (await opening)?.transform(path, text) ?? text,
    update(next) {
      program = next;
      then((opened) => opened.update(next));
    },
    glance: async (modules) => await server?.glance(modules),
    has: (path) => server?.has(path) ?? program.modules().has(path),
    show: (problems) => then((opened) => opened.show(problems)),
    mapStack: (stack) => server?.mapStack(stack) ?? { frames: [] },
    // Nobody waits for one that was never started.
    close: async () => (begin === undefined ? (await opening)?.close() : undefined),
  };
}

/** Tells whether a browser asks for a page to show, which Vite has a part in. It waits here, where it does not count as a slow call of the application. */
function isDocument({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html');
}
