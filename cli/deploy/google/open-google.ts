/** The project and region that the configuration and the machine name, opened for a command. */
import type { ReadConfig } from '../../../adapters/config/read-config.ts';
import { projectOf } from '../../../infra/targets/google/access.ts';
import { type Google, openGoogle } from '../../../infra/targets/google/google.ts';
import { shownPlace } from '../../../infra/targets/google/place.ts';
import type { CommandArgs } from '../../command.ts';
import { nameOfPerson, type OpenedTarget, withSignals } from '../open-target.ts';
import { requirePlace } from './google-job.ts';

/** Opens the target, gives it to `work` and closes it. @throws DeployFailure, CommandFailure where nothing names the place */
export async function withGoogle<T>(
  read: ReadConfig,
  { terminal }: CommandArgs,
  entry: string,
  work: (opened: OpenedTarget<Google>) => Promise<T>,
): Promise<T> {
  requirePlace(read);
  const { gcp, orchestrator } = read.config.scale;
  const { region, repository } = gcp;
  const project = gcp.project || projectOf(read.env)!;
  const app = orchestrator.appName;
  return await withSignals(async (signal) => {
    const target = await openGoogle({
      ...{ project, region, repository, app, signal, env: read.env, who: nameOfPerson(terminal.env) },
      timeoutMs: orchestrator.rolloutTimeoutSeconds * 1000,
      goBack: `svc rollback ${entry} --target cloud_b`,
      onAway: (reason) => terminal.err(`note: ${reason}; trying again\n`),
    });
    try {
      return await work({ target, app, signal, place: shownPlace({ project, region }) });
    } finally {
      target.close();
    }
  });
}
