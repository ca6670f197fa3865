/** A server whose system calls on its database are written down by `strace`, and may be made to fail. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { needTool } from './find-tool.ts';
import { type RunningServer, startServer } from './server.ts';
import { childPids } from './worker-pids.ts';

export interface TracedServer extends RunningServer {
  /** System calls on files of the store so far, each with the file it concerns. */
  calls(): string[];
  /** Number of the calls that were made to fail. */
  injected(): number;
}

export interface Fault {
  /** Names of system calls, separated by commas. */
  readonly calls: string;
  readonly error: string;
  /** Calls that fail, as strace counts in each thread: `20+`, `5..9`. */
  readonly when: string;
  /** Only those on this file: `svc.db`, `svc.db-wal`. Absent: on both. */
  readonly file?: string;
}

const writing = 'write,pwrite64,pwritev,pwritev2,ftruncate,fallocate,fsync,fdatasync,sync_file_range,msync';

/** Calls on the database and its log are traced; those on other files and on sockets are not. */
export async function startTraced(options: { readonly folder: string; readonly fault?: Fault }): Promise<TracedServer> {
  const data = join(options.folder, '.svc/data');
  const log = join(options.folder, `strace-${Date.now()}.txt`);
  const { fault } = options;
  const files = fault?.file === undefined ? ['svc.db', 'svc.db-wal'] : [fault.file];
  const watched = files.flatMap((name) => ['-P', join(data, name)]);
  const traced = fault?.calls ?? writing;
  const inject = fault === undefined ? [] : ['-e', `inject=${fault.calls}:error=${fault.error}:when=${fault.when}`];
  const server = await startServer({
    folder: options.folder,
    // In the environment of tests a store is content with surviving a killed process.
    // strace counts the calls of each thread by itself: one of them syncs, beside the main one.
    env: { SVC_ENV: 'development', UV_THREADPOOL_SIZE: '1' },
    under: [needTool('strace', 'strace'), '-f', '-qq', '-y', '-o', log, ...watched, '-e', `trace=${traced}`, ...inject],
  });
  const lines = () => readFileSync(log, 'utf8').split('\n');
  // The second half of a call that another thread's interrupted does not name the file.
  const calls = () => lines().filter((line) => /svc\.db/.test(line));
  const injected = () => lines().filter((line) => /\(INJECTED\)/.test(line)).length;
  return {
    ...server,
    calls,
    injected,
    // strace itself would leave the server running.
    stop(signal: NodeJS.Signals = 'SIGTERM') {
      const ended = server.ended();
      for (const pid of childPids(server.child.pid!)) process.kill(pid, signal);
      return ended;
    },
    async [Symbol.asyncDispose]() {
      if (server.child.exitCode !== null || server.child.signalCode !== null) return;
      for (const pid of childPids(server.child.pid!)) process.kill(pid, 'SIGKILL');
      await server.ended();
    },
  };
}
