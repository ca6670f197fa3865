import type { DeployStatus, Revision } from '../../infra/targets/target.ts';
import type { CommandArgs } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { withDeployed } from './deployed-app.ts';

/** `svc status`: exit 0 also when it is not healthy; 1 when nothing is deployed. */
export async function showStatus(args: CommandArgs): Promise<number> {
  const { terminal, options } = args;
  const status = await withDeployed('status', args, ({ target }) => target.status());
  if (options['json'] === true) terminal.out(`${JSON.stringify(status)}\n`);
  else terminal.out(statusText(status));
  return status.version === '' && status.revision === undefined ? exitCodes.failure : exitCodes.success;
}

function statusText(status: DeployStatus): string {
  const { name, place, revision, version, digest, replicas, isHealthy, url, since, pods, lastError, drift } = status;
  if (version === '' && revision === undefined) return `${name} is not deployed to ${place}\n`;
  const lines = [
    `${name} ${version} in ${place}`,
    `  ${isHealthy ? 'serves' : 'does not serve everything it should'}: replicas ${replicas.updated}/${replicas.wanted} updated, ${replicas.ready}/${replicas.wanted} ready`,
    `  ${digest === '' ? '' : `source ${digest.slice(0, 12)}, `}since ${since}${revision === undefined ? '' : `, revision ${revision.number} by ${revision.who}`}`,
    ...(url === undefined ? [] : [`  ${url}`]),
    ...pods.map(({ kind, name, state, restarts, since }) => {
      const counted = restarts === undefined ? '' : `${restarts} restarts, `;
      return `  ${kind} ${name}: ${state}, ${counted}since ${since}`;
    }),
    ...(lastError === undefined ? [] : [`  error: ${lastError}`]),
    ...drift.map((one) => `  drift: ${one}`),
    'revisions',
    ...status.revisions.map(revisionLine),
  ];
  return `${lines.join('\n')}\n`;
}

function revisionLine({ number, time, version, who, sourceDigest, rollbackTo }: Revision): string {
  const back = rollbackTo === undefined ? '' : `, back to ${rollbackTo}`;
  return `  ${number}  ${time}  ${version}  ${sourceDigest.slice(0, 12)}  ${who}${back}`;
}
