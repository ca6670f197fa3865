/**
 * Modules that the product adds to those of the language: graph programs, models, tests, the server. To add one: its maker here when many
 * programs use it, else in rare-modules.ts (decisions/0015).
 */
import '../../library/modules.ts';
import { addModules, type Makers } from '../../library/registry.ts';
import { makeHttp } from './http.ts';

async function readScale(): Promise<Makers> {
  const { makeScale, makeScaleLib } = await import('./svc-scale.ts');
  return { svc_scale: makeScale, 'svc_scale.lib': makeScaleLib };
}

addModules({
  core: { http: makeHttp },
  usual: { svc_scale: readScale, 'svc_scale.lib': readScale },
  rare: async () => (await import('./rare-modules.ts')).readRare(),
});
