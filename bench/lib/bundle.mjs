// Loads a TypeScript file of the project for an in-process measurement: bundled by esbuild into a temporary file, imported natively.
import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');

export async function loadSource(entry) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-src-'));
  // Packages stay outside the bundle; this is where its imports of them lead.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const outfile = join(folder, 'module.mjs');
  await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
    absWorkingDir: root,
    nodePaths: [join(root, 'node_modules')],
    banner: {
      js: `import { createRequire as $cr } from 'node:module'; const require = $cr(${JSON.stringify(join(root, 'package.json'))});`,
    },
  });
  return import(pathToFileURL(outfile).href);
}
