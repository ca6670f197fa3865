import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './orchestrator/run-tool.ts';

/** Folder of this machine's cache for one kind of thing: layers of images, the runtime of functions. */
export function userCache(env: Environment, kind: string): string {
  return join(env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache'), 'svc-scale', kind);
}
