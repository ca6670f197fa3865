import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

export interface ChildScript extends Disposable {
  /** Path of the script that `node` runs. */
  readonly path: string;
}

/** A TypeScript file as one that every version of Node runs in a process of its own, for tests that kill it. */
export function childScript(source: URL): ChildScript {
  const folder = mkdtempSync(join(tmpdir(), 'svc-child-'));
  const path = join(folder, 'child.mjs');
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'));
  buildSync({
    entryPoints: [fileURLToPath(source)],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  return { path, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
