/** Output file of esbuild, by path in the archive. */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { BuildResult, Metafile } from 'esbuild';

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

/** Counts the bytes that each package, and the code of none of them, puts into outputs. */
export function sizesOf({ outputs }: Metafile, paths: Iterable<string>, rest: string): Map<string, number> {
  const wanted = new Set(paths);
  const sizes = new Map<string, number>();
  for (const [path, { inputs }] of Object.entries(outputs)) {
    if (!wanted.has(archivePath(path))) continue;
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const name = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? rest;
      sizes.set(name, (sizes.get(name) ?? 0) + bytesInOutput);
    }
  }
  return sizes;
}

/** Absolute paths of the files that a build read. */
export function filesRead({ inputs }: Metafile): string[] {
  return Object.keys(inputs)
    .map((path) => resolve(path))
    .filter((path) => existsSync(path));
}

/** esbuild names outputs from the working directory, and their files from the root. */
export function archivePath(path: string): string {
  return relative('/', join('/', path.replace(/^(\.\.\/)+/, '')));
}
