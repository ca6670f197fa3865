/** Modules that a page loads later and that need no file which is not there by then. */
import type { Plugin, Rolldown } from 'vite';

/**
 * Marks in whose place Vite puts the files that a later module needs; it makes the source map of the whole chunk anew for that. Since 8.4 a
 * mark ends with a hash of the build.
 */
const markers = /__VITE_PRELOAD__\w*/g;

/** Plug-in that says that nothing is to be loaded beside later modules, in chunks where that is so of all of them (decisions/0860). */
export function plainImports(): Plugin {
  return {
    name: 'svc:plain-imports',
    generateBundle: {
      order: 'pre',
      handler(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk' || chunk.code.search(markers) === -1) continue;
          const loaded = loadedWith(chunk, bundle);
          if (chunk.dynamicImports.every((name) => needsNoOther(bundle[name], loaded)))
            // Text of the same length: the map stays right.
            chunk.code = chunk.code.replace(markers, (marker) => 'void 0'.padEnd(marker.length));
        }
      },
    },
  };
}

/** Names of a chunk and of all that it imports: they are there when its code runs. */
function loadedWith({ fileName }: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): ReadonlySet<string> {
  const names = new Set([fileName]);
  for (const name of names) {
    const file = bundle[name];
    if (file?.type === 'chunk') for (const next of file.imports) names.add(next);
  }
  return names;
}

function needsNoOther(file: Rolldown.OutputBundle[string] | undefined, loaded: ReadonlySet<string>): boolean {
  if (file?.type !== 'chunk') return false;
  const { imports, viteMetadata } = file;
  return imports.every((name) => loaded.has(name)) && viteMetadata?.importedCss.size === 0;
}
