/** Output file of esbuild, by path in the archive. */
import { join, relative } from 'node:path';
import type { BuildResult } from 'esbuild';

export interface Output {
  readonly text: string;
  readonly map: string | undefined;
  /** Outputs it imports. */
  readonly imports: readonly Import[];
  readonly exports: readonly string[];
}

export interface Import {
  readonly path: string;
  /** Read when it is needed. */
  readonly isLazy: boolean;
}

export type Outputs = Readonly<Record<string, Output>>;

type Result = BuildResult<{ readonly write: false; readonly metafile: true }>;

/** `banner`: that of the build, which gives files `require`; left out where nothing asks for it. */
export function readOutputs({ outputFiles, metafile }: Result, banner = ''): Outputs {
  const trimmed = (text: string) =>
    text.startsWith(banner) && !text.includes('typeof require') ? text.slice(banner.length) : text;
  const texts = new Map(outputFiles.map(({ path, text }) => [archivePath(path), trimmed(text)]));
  return Object.fromEntries(
    Object.entries(metafile.outputs)
      .filter(([path]) => !path.endsWith('.map'))
      .map(([given, { imports, exports }]) => {
        const path = archivePath(given);
        const own = imports
          .filter(({ external }) => external !== true)
          .map((one) => ({ path: archivePath(one.path), isLazy: one.kind === 'dynamic-import' }));
        return [path, { text: texts.get(path)!, map: texts.get(`${path}.map`), imports: own, exports }];
      }),
  );
}

/** An output and everything it imports, in the order in which that is met; `isStatic`: but nothing that is read when it is needed. */
export function reachable(outputs: Outputs, entry: string, isStatic = false): Set<string> {
  const found = new Set([entry]);
  for (const path of found) {
    for (const imported of outputs[path]!.imports) if (!isStatic || !imported.isLazy) found.add(imported.path);
  }
  return found;
}

/** esbuild names outputs from the working directory, and their files from the root. */
export function archivePath(path: string): string {
  return relative('/', join('/', path.replace(/^(\.\.\/)+/, '')));
}
