import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { removeStaleModules } from '../../adapters/modules/place-modules.ts';
import type { LiveClient } from '../client/live-client.ts';
import { keepScripts } from '../kept-script.ts';
import type { Findings } from './findings.ts';
import type { Reloading, Runnable } from './reload.ts';
import type { StartJob } from './start-job.ts';
import { warnTrackedSecrets } from './tracked-secrets.ts';

/** After it the first page of a built application has been shown, where somebody waits for one. */
const firstPageMs = 2000;

export interface Started {
  readonly job: StartJob;
  readonly compiled: Runnable;
  readonly findings: Findings;
  readonly live?: LiveClient | undefined;
  readonly reloading?: Reloading | undefined;
}

/** Does the work that can wait until the server answers. */
export async function afterStart({ job, compiled, findings, live, reloading }: Started): Promise<void> {
  // Calls want fast code; a page of the development server waits for what runs once, as the start did.
  if (live === undefined) keepScripts(!compiled.wasCached);
  const line = await warnTrackedSecrets(job.read.file, job.read.literalSecrets);
  if (line !== undefined) job.terminal.err(`${line}\n`);
  if (!compiled.isTemporary && !compiled.wasCached) await removeStaleModules(dirname(compiled.directory), Date.now());
  await (live === undefined ? setTimeout(firstPageMs, undefined, { ref: false }) : live.quiet());
  keepScripts(true);
  await findings.tell();
  if (live !== undefined && compiled.wasCached) await reloading?.warm();
}
