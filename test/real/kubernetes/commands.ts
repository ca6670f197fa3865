/** Commands of `svc` on the tests' control plane, for one folder with an application. */
import { expect } from 'vitest';
import { type SvcProcess, spawnSvc } from '../../harness/svc-process.ts';
import type { Cluster } from './cluster.ts';
import { nodeAddress } from './node-agent.ts';

type Variables = Readonly<Record<string, string>>;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Commands {
  /** Begins `svc <command> main.svc <more>`. */
  begin(args: readonly string[], env?: Variables): SvcProcess;
  run(args: readonly string[], env?: Variables): Promise<Ended>;
  /** Runs a command that has to succeed. */
  ok(args: readonly string[], env?: Variables): Promise<Ended>;
}

export function commandsIn(cluster: Cluster, folder: string, own: Variables = {}): Commands {
  const begin = ([command, ...more]: readonly string[], env: Variables = {}) =>
    spawnSvc([command!, 'main.svc', ...more], { cwd: folder, env: { ...cluster.env, ...own, ...env } });
  const run = async (args: readonly string[], env: Variables = {}) => {
    await using child = begin(args, env);
    const code = await child.exited;
    return { code, stdout: child.stdout(), stderr: child.stderr() };
  };
  return {
    begin,
    run,
    async ok(args, env) {
      const ended = await run(args, env);
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      return ended;
    },
  };
}

/** Calls a walker through a node port, each time on a connection of its own; gives what it reports first, else the status. */
export async function callWalker(port: number, walker: string, body: object = {}): Promise<any> {
  const answer = await fetch(`http://${nodeAddress}:${port}/walker/${walker}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
  });
  const { ok, reports } = (await answer.json()) as any;
  return ok ? reports[0] : `status ${answer.status}`;
}
