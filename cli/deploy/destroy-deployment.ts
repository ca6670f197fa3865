import type { DestroyRequest } from '../../infra/targets/target.ts';
import type { CommandArgs } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { confirmed } from '../prompt.ts';
import { withDeployed } from './deployed-app.ts';
import { showProgress } from './show-progress.ts';

/** `svc destroy` (docs/server/orchestrator.md#destroy). */
export async function destroyDeployment(args: CommandArgs): Promise<number> {
  const { terminal, options } = args;
  return await withDeployed('destroy', args, async ({ target, app: appName, place, signal }) => {
    const component = (options['component'] ?? 'all') as DestroyRequest['component'];
    const plan = await target.planDestroy({ component, purgeData: options['purge-data'] === true });
    const keeps = () => {
      if (plan.kept.length > 0)
        terminal.out(`Kept, without --purge-data:\n${plan.kept.map((one) => `  ${one}\n`).join('')}`);
    };
    if (plan.deleted.length === 0) {
      terminal.out(`Nothing to destroy for ${appName} in ${place.split('/').at(-1)}\n`);
      keeps();
      return exitCodes.success;
    }
    terminal.out(`To be deleted from ${plan.place}:\n${plan.deleted.map((one) => `  ${one}\n`).join('')}`);
    keeps();
    if (options['yes'] !== true && !(await confirmed('destroy', terminal))) {
      terminal.out('Nothing was deleted.\n');
      return exitCodes.failure;
    }
    await target.destroy(plan, showProgress(terminal, false, signal));
    terminal.out(`Destroyed ${appName} in ${plan.place}\n`);
    return exitCodes.success;
  });
}
