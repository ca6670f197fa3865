/**
 * Source maps of packages while a program is developed: developer tools get them when they ask. Vite would send each within its module, and those of
 * React are two thirds of all that a first page loads (decisions/0740).
 */
import { basename } from 'node:path';
import type { DevEnvironment, Plugin } from 'vite';

/** Takes the maps out of modules that were bundled from packages, and leaves the address at which Vite serves them. */
export function packageMaps(): Plugin {
  return {
    name: 'svc:package-maps',
    enforce: 'post',
    transform(code, id) {
      // Parts of Vite and of its plug-in for React are served as they stand.
      if (ofVite.test(id)) return { code: `${code}\n`, map: { mappings: '' } };
      const { depsOptimizer } = this.environment as DevEnvironment;
      if (depsOptimizer?.isOptimizedDepFile(id) !== true) return undefined;
      const file = basename(id.replace(/\?.*$/, ''));
      return { code: `${code}\n//# sourceMappingURL=${file}.map\n`, map: { mappings: '' } };
    },
  };
}

const ofVite = /\/vite\/dist\/client\/(client|env)\.mjs$|^\/@react-refresh$/;
