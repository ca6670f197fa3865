/** A `svc` process that a test cuts off: at a terminal of its own, where it presses Ctrl-C (`script` of util-linux holds the other end), or killed. */
import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { needTool } from './find-tool.ts';
import { svcBin } from './server.ts';
import { spawnSvc } from './svc-process.ts';

export interface Interruptible {
  readonly exited: Promise<number | null>;
  /** Everything that the terminal showed, or would have. */
  screen(): string;
  /** Ctrl-C resolves when the command has said that it stops, or has ended; `kill -9` when it has ended. */
  interrupt(): Promise<void>;
  /** Exit code and screen of a command that was interrupted. */
  readonly cutOff: readonly [code: number | null, screen: unknown];
}

interface SvcOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Ways to cut a command off. */
export const cuts: Readonly<
  Record<'Ctrl-C' | 'SIGKILL', (args: readonly string[], options: SvcOptions) => Interruptible>
> = {
  'Ctrl-C': svcAtTerminal,
  SIGKILL(args, options) {
    const running = spawnSvc(args, options);
    return {
      exited: running.exited,
      screen: () => running.stdout() + running.stderr(),
      async interrupt() {
        running.kill('SIGKILL');
        await running.exited;
      },
      cutOff: [null, expect.not.stringMatching(/^svc: /m)],
    };
  },
};

function svcAtTerminal(args: readonly string[], options: SvcOptions): Interruptible {
  const words = [process.execPath, svcBin, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  // The shell gives its place to the command, so that the exit code is that of the command.
  const line = `exec ${words.join(' ')}`;
  const child = spawn(
    needTool('script', 'bsdutils'),
    ['--quiet', '--flush', '--return', '--command', line, '/dev/null'],
    {
      cwd: options.cwd,
      env: { ...process.env, NO_COLOR: '1', SHELL: '/bin/sh', ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  let shown = '';
  let wake = () => {};
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      shown += chunk;
      wake();
    });
  const exited = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      wake();
      resolve(code);
    });
  });
  return {
    exited,
    screen: () => shown,
    async interrupt() {
      child.stdin.write('\u0003');
      while (!/note: stopping|svc: interrupted/.test(shown) && child.exitCode === null)
        await new Promise<void>((resolve) => (wake = resolve));
    },
    cutOff: [1, expect.stringMatching(/^svc: interrupted; run the command again to continue\r?$/m)],
  };
}

/** Hears of each request by its kind; the answer waits for what is given. */
export type HearKind = (kind: string) => Promise<undefined>;

/**
 * Runs a command again and again, each time until it makes a request of a kind that no run before was interrupted at, and cuts it off there. Each
 * has to go on where the one before stopped, so that in the end one is done. Gives the kinds, in the order of the runs.
 */
export async function interruptAtEachKind(
  begin: () => MaybePromise<Interruptible>,
  listen: (hear: HearKind) => void,
): Promise<readonly string[]> {
  const kinds: string[] = [];
  for (;;) {
    const running = await begin();
    let at: string | undefined;
    listen(async (kind) => {
      if (at !== undefined || kinds.includes(kind)) return;
      at = kind;
      await running.interrupt();
    });
    const code = await running.exited;
    const screen = running.screen();
    expect(screen).not.toMatch(/canary|\n {4}at /);
    if (at !== undefined) kinds.push(at);
    // A command that is interrupted at its last request has nothing left to stop.
    if (code === 0) return kinds;
    expect([at, code, screen]).toEqual([expect.any(String), ...running.cutOff]);
  }
}
