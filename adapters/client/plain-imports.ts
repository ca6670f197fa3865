/** Modules that a page loads later and that need nothing else beside themselves. */
import type { Plugin, Rolldown } from 'vite';

/** Vite puts the files that a later module needs in its place, and makes the source map of the whole chunk anew for that. */
const marker = '__VITE_PRELOAD__';
/** Of the same length: the map stays right. */
const nothing = 'void 0'.padEnd(marker.length);

/** Says that nothing is to be loaded beside later modules, in chunks where that is so of all of them (decisions/0860). */
export function plainImports(): Plugin {
  return {
    name: 'svc:plain-imports',
    generateBundle: {
      order: 'pre',
      handler(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk' || !chunk.code.includes(marker)) continue;
          if (chunk.dynamicImports.every((name) => standsAlone(bundle[name], chunk.fileName)))
            chunk.code = chunk.code.replaceAll(marker, nothing);
        }
      },
    },
  };
}

function standsAlone(file: Rolldown.OutputBundle[string] | undefined, importer: string): boolean {
  if (file?.type !== 'chunk') return false;
  const { imports, viteMetadata } = file;
  return imports.every((name) => name === importer) && viteMetadata?.importedCss.size === 0;
}
