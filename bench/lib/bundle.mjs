// Loads a TypeScript file of the project for an in-process measurement: bundled by esbuild, imported natively. The bundle lies where the
// project's packages are found. `BESIDE=<folder>` names another checkout of the project, which is measured in the same rounds.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = resolve(import.meta.dirname, '../..');

/** Another checkout of the project with its packages installed, as an absolute path; `undefined` when none was named. */
export const beside = process.env.BESIDE ? resolve(process.env.BESIDE) : undefined;

/** Gives the exports of the file `entry` of the checkout `root`. */
export async function loadSource(entry, root = here) {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'svc-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  await build({
    entryPoints: [join(root, entry)],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What the product reads when it needs it is read then here too.
    splitting: true,
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
  return import(pathToFileURL(join(folder, `${basename(entry, '.ts')}.mjs`)).href);
}
