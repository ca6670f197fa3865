/** Packages that a page cannot run, because they open connections and processes as Node.js does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { packageOf } from './packages.ts';

/** Modules that no page has a counterpart of. */
const nodeAlone = /^(?:node:)?(net|tls|dgram|cluster|child_process|http2|worker_threads)$/;
const packageFolder = /^(.*\/node_modules\/)(?!.*\/node_modules\/)(.+)$/;

/** Plug-in that calls `tell` for each package that imports such a module, unless it says what browsers get in its place. */
export function serverPackages(tell: (name: string, module: string) => void): Plugin {
  const told = new Set<string>();
  return {
    name: 'svc:server-packages',
    enforce: 'pre',
    resolveId(id, importer = '') {
      const module = nodeAlone.exec(id)?.[1];
      const [, above, below] = packageFolder.exec(importer) ?? [];
      if (module === undefined || above === undefined || below === undefined) return;
      const name = packageOf(below);
      if (told.has(name) || hasBrowserPart(join(above, name), module)) return;
      told.add(name);
      tell(name, module);
    },
  };
}

function hasBrowserPart(folder: string, module: string): boolean {
  try {
    const { browser } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return typeof browser === 'object' && browser !== null && module in browser;
  } catch {
    // A folder that tools made, which is no package.
    return true;
  }
}
