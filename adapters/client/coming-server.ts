/**
 * A development server that is still to be started: Vite takes its time, and the port need not wait for it. What pages ask for meanwhile waits;
 * where the server cannot be started, the application answers.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { throwOutside } from '../../base/throw-outside.ts';
import type { ClientProgram } from './client-program.ts';
import { type DevServer, isOfPages, isOfVite } from './dev-server.ts';

export interface ComingServer extends Omit<DevServer, 'warm' | 'reloadPages'> {
  /** Starts it. To be called once, when everything else is there. */
  start(): void;
  /**
   * Puts another server in the place of this one, which knows of packages and settings that have come since: pages load themselves anew, also those
   * that are being loaded. Where it cannot be started, the one before goes on.
   */
  renew(): void;
  /** Resolves when it has been started, or has failed. */
  ready(): Promise<void>;
  /** Resolves when it is ready and pages have what they asked for, or none has come: what nobody waits for can be done now. */
  quiet(): Promise<void>;
}

/** A page asks for what it has found in scripts that came: it has asked for all when so much time has passed. */
const quietMs = 1000;

const longestAnswerMs = 5000;

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
  let opening = begun.then(() => openNow(undefined));
  let waiting = new Set<ServerResponse>();
  let lastAsked = 0;
  async function openNow(before: DevServer | undefined): Promise<DevServer | undefined> {
    const next = await open(program);
    if (next === undefined) return before;
    const asked = waiting;
    if (before !== undefined) waiting = new Set();
    server = next;
    next.warm();
    if (before !== undefined) retire(before, asked).catch(throwOutside);
    return next;
  }
  const count = (response: ServerResponse): void => {
    const asked = waiting;
    asked.add(response);
    response.once('close', () => {
      asked.delete(response);
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
      opening = opening.then(openNow);
      opening.catch(() => {});
    },
    ready: () => opening.then(() => {}),
    async quiet() {
      await opening;
      do await setTimeout(quietMs, undefined, { ref: false });
      while (waiting.size > 0 || performance.now() < lastAsked + quietMs);
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
    transform: async (path, text) => (server ?? (await opening))?.transform(path, text) ?? text,
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

/** Closes a server that another one has followed, when what it was asked has been answered, at the latest soon. */
async function retire(before: DevServer, asked: ReadonlySet<ServerResponse>): Promise<void> {
  before.reloadPages();
  const tooLate = setTimeout(longestAnswerMs, undefined, { ref: false });
  for (const response of asked) await Promise.race([once(response, 'close'), tooLate]);
  await before.close();
}

/** Tells whether a browser asks for a page to show, which Vite has a part in. It waits here, where it does not count as a slow call of the application. */
function isDocument({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html');
}
