/** The account and region that the configuration and the machine name, opened for a command. */
import type { ReadConfig } from '../../adapters/config/read-config.ts';
import { tableNames } from '../../infra/cloud/tables.ts';
import { type Cloud, openCloud } from '../../infra/targets/cloud/cloud.ts';
import type { CommandArgs } from '../command.ts';
import { nameOfPerson, type OpenedTarget, withSignals } from './open-target.ts';

/** Time until what was deployed has to answer. */
const patienceMs = 60_000;

/** Opens the target, gives it to `work` and closes it. @throws DeployFailure */
export async function withCloud<T>(
  read: ReadConfig,
  { terminal }: CommandArgs,
  entry: string,
  work: (opened: OpenedTarget<Cloud>) => Promise<T>,
): Promise<T> {
  const { cloud, orchestrator } = read.config.scale;
  const app = orchestrator.appName;
  return await withSignals(async (signal) => {
    const target = await openCloud({
      ...{ app, signal, patienceMs, env: read.env, who: nameOfPerson(terminal.env) },
      region: cloud.region,
      stack: cloud.stackName,
      bucket: cloud.artifactBucket,
      checksRights: cloud.checkRights,
      tables: tableNames(read.config),
      goBack: `svc rollback ${entry} --target cloud`,
    });
    try {
      return await work({ target, app, signal, place: target.place });
    } finally {
      target.close();
    }
  });
}
