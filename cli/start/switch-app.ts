import type { App } from '../../handlers/app.ts';

/** An application whose version can be exchanged while a host serves it. */
export interface SwitchApp {
  readonly app: App;
  /** New calls go to `next`; those that run finish where they began. Resolves when the last of them has ended. */
  replace(next: App): Promise<void>;
}

const longestCallMs = 24 * 3_600_000;

export function createSwitchApp(first: App): SwitchApp {
  let current = first;
  const retired = new Set<App>();
  const all = () => [current, ...retired];
  return {
    app: {
      handle: (call) => current.handle(call),
      refuse: (failure) => current.refuse(failure),
      handshake: (call) => current.handshake(call),
      swap: (program) => current.swap(program),
      get routes() {
        return current.routes;
      },
      get sockets() {
        return current.sockets;
      },
      get live() {
        return current.live;
      },
      lifecycle: {
        get state() {
          return current.lifecycle.state;
        },
        get running() {
          return all().reduce((sum, { lifecycle }) => sum + lifecycle.running, 0);
        },
        drain() {
          for (const { lifecycle } of all()) lifecycle.drain();
        },
        stop() {
          for (const { lifecycle } of all()) lifecycle.stop();
        },
        settled: async (timeoutMs) =>
          (await Promise.all(all().map(({ lifecycle }) => lifecycle.settled(timeoutMs)))).every(Boolean),
        abort: async () => void (await Promise.all(all().map(({ lifecycle }) => lifecycle.abort()))),
      },
    },
    async replace(next) {
      const old = current;
      current = next;
      retired.add(old);
      await old.lifecycle.settled(longestCallMs);
      retired.delete(old);
    },
  };
}
