import type { Config } from '../../core/config/config.ts';
import type { Runnable } from '../start/reload.ts';
import type { StartJob } from '../start/start-job.ts';

/** The program with the page of its browser half, built when it has to be. Programs without client code load nothing for it. */
export async function withPage({ terminal, isJson }: StartJob, compiled: Runnable, config: Config): Promise<Runnable> {
  if (compiled.client === undefined) return compiled;
  const { preparePage } = await import('./prepare-page.ts');
  const tells = !isJson && config.mode === 'development';
  return { ...compiled, page: await preparePage(compiled, { terminal, config, tells }) };
}
