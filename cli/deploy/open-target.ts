/** Kubernetes as a target, opened for a command: the cluster that the configuration and the machine name. */
import { hostname, userInfo } from 'node:os';
import type { ReadConfig } from '../../adapters/config/read-config.ts';
import { findCluster } from '../../infra/cluster/kubeconfig.ts';
import { type Orchestrator, openOrchestrator } from '../../infra/targets/orchestrator/orchestrator.ts';
import type { DeployTarget } from '../../infra/targets/target.ts';
import type { CommandArgs } from '../command.ts';

export interface OpenedTarget<Target = DeployTarget<unknown>> {
  readonly target: Target;
  /** Context and namespace, account and stack, project and region. */
  readonly place: string;
  /** `app_name`. */
  readonly app: string;
  /** Ends with Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
}

/** Opens the target, gives it to `work` and closes it. Signals end the work, and with it the turn to deploy. @throws DeployFailure */
export async function withOrchestrator<T>(
  read: ReadConfig,
  { terminal, options }: CommandArgs,
  entry: string,
  work: (opened: OpenedTarget<Orchestrator>) => Promise<T>,
): Promise<T> {
  const { orchestrator } = read.config.scale;
  const { namespace, appName: app } = orchestrator;
  const access = findCluster(orchestrator.context, read.env);
  return await withSignals(async (signal) => {
    const target = openOrchestrator({
      ...{ access, namespace, app, signal, who: nameOfPerson(terminal.env) },
      adopt: options['adopt'] === true || orchestrator.adopt,
      timeoutMs: orchestrator.rolloutTimeoutSeconds * 1000,
      goBack: `svc rollback ${entry}`,
      onAway: (reason) => terminal.err(`note: the cluster does not answer (${reason}); trying again\n`),
    });
    try {
      await target.reach();
      return await work({ target, app, signal, place: `${access.context}/${namespace}` });
    } finally {
      target.close();
    }
  });
}

/** Runs something that Ctrl-C and SIGTERM end. */
export async function withSignals<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const end = () => ended.abort(new Interrupted());
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    return await work(ended.signal);
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
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
export function nameOfPerson(env: Readonly<Record<string, string | undefined>>): string {
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
