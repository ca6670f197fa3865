import { dirname } from 'node:path';
import { removeStaleModules } from '../../adapters/modules/place-modules.ts';
import type { Runnable } from './reload.ts';
import type { StartJob } from './start-job.ts';
import { warnTrackedSecrets } from './tracked-secrets.ts';

/** Does the work that can wait until the server answers. */
export async function afterStart(job: StartJob, compiled: Runnable): Promise<void> {
  const line = await warnTrackedSecrets(job.read.file, job.read.literalSecrets);
  if (line !== undefined) job.terminal.err(`${line}\n`);
  if (!compiled.isTemporary && !compiled.wasCached) await removeStaleModules(dirname(compiled.directory), Date.now());
}
