import type { CommandArgs } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { describeSchemaChange } from '../program/describe-change.ts';
import { confirmed } from '../prompt.ts';
import { urlLine } from './deploy.ts';
import { withDeployed } from './deployed-app.ts';
import { showProgress } from './show-progress.ts';

/** `svc rollback`: asks, because the code of the target may read stored data differently. */
export async function rollBackDeployment(args: CommandArgs): Promise<number> {
  const { terminal, options } = args;
  const isJson = options['json'] === true;
  return await withDeployed('rollback', args, async ({ target, signal }) => {
    const plan = await target.planRollback(options['to'] as number | undefined);
    const { to, from, schemaChanges, notes } = plan;
    const told = [
      `back to revision ${to.number}: ${to.version}, ${to.sourceDigest.slice(0, 12)}, deployed ${to.time} by ${to.who}`,
      ...notes,
      ...(schemaChanges.length === 0 ? [] : [`of the data that revision ${from.number} has stored:`]),
      ...schemaChanges.map((change) => `  ${describeSchemaChange(change)}`),
    ];
    for (const line of told) terminal.err(`${line}\n`);
    if (options['yes'] !== true && !(await confirmed('rollback', terminal))) {
      terminal.out('Nothing was changed.\n');
      return exitCodes.failure;
    }
    const { place, url } = await target.rollback(plan, showProgress(terminal, isJson, signal));
    if (isJson) terminal.out(`${JSON.stringify({ event: 'rolled back', to: to.number, place, url: url ?? null })}\n`);
    else terminal.out(`Rolled back to revision ${to.number} in ${place}\n${urlLine(url)}`);
    return exitCodes.success;
  });
}
