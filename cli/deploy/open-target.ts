/** A target of deployments, opened for a command: the cluster that the configuration and the machine name. */
import { hostname, userInfo } from 'node:os';
import type { ReadConfig } from '../../adapters/config/read-config.ts';
import { findCluster } from '../../infra/cluster/kubeconfig.ts';
import { type Orchestrator, openOrchestrator } from '../../infra/targets/orchestrator/orchestrator.ts';
import type { CommandArgs } from '../command.ts';

export interface OpenedTarget {
  readonly target: Orchestrator;
  readonly context: string;
  /** `app_name`. */
  readonly app: string;
  readonly namespace: string;
  /** Ends with Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
}

/** Opens the target, gives it to `work` and closes it. Signals end the work, and with it the turn to deploy. @throws DeployFailure */
export async function withTarget<T>(
  read: ReadConfig,
  { terminal, options }: CommandArgs,
  entry: string,
  work: (opened: OpenedTarget) => Promise<T>,
): Promise<T> {
  const { orchestrator } = read.config.scale;
  const { namespace } = orchestrator;
  const access = findCluster(orchestrator.context, read.env);
  const ended = new AbortController();
  const end = () => ended.abort(new Interrupted());
  process.once('SIGINT', end).once('SIGTERM', end);
  const target = openOrchestrator({
    ...{ access, namespace, who: nameOfPerson(terminal.env), signal: ended.signal },
    app: orchestrator.appName,
    adopt: options['adopt'] === true || orchestrator.adopt,
    timeoutMs: orchestrator.rolloutTimeoutSeconds * 1000,
    goBack: `svc rollback ${entry}`,
    onAway: (reason) => terminal.err(`note: the cluster does not answer (${reason}); trying again\n`),
  });
  try {
    await target.reach();
    return await work({
      target,
      namespace,
      app: orchestrator.appName,
      context: access.context,
      signal: ended.signal,
    });
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
    target.close();
  }
}

/** Reason of an abort by a signal. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted; run the command again to continue');
    this.name = 'Interrupted';
  }
}

/** `ada@laptop`: who deploys, for others to read. */
function nameOfPerson(env: Readonly<Record<string, string | undefined>>): string {
  const name = env['USER'] || env['LOGNAME'] || env['USERNAME'] || accountName();
  return `${name}@${hostname()}`;
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'somebody';
  }
}
