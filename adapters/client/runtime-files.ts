/** Files of the browser runtime (`client/`): source text in a checkout, modules of their own in the published package. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface RuntimeFiles {
  readonly directory: string;
  /** Path of `runtime`, `wire`, `modules/json` … */
  file(name: string): string;
  holds(path: string): boolean;
}

/** @throws Error when the package is not whole */
export function findRuntime(start = dirname(fileURLToPath(import.meta.url))): RuntimeFiles {
  for (let directory = start; ; directory = dirname(directory)) {
    for (const [folder, extension] of places) {
      const found = join(directory, folder);
      if (existsSync(join(found, `mount${extension}`))) return runtimeFiles(found, extension);
    }
    if (dirname(directory) === directory) throw new Error('the browser runtime of svc is missing: install svc again');
  }
}

const places = [
  ['client', '.mjs'],
  ['client', '.ts'],
] as const;

function runtimeFiles(directory: string, extension: string): RuntimeFiles {
  return {
    directory,
    file: (name) => join(directory, name + extension),
    holds: (path) => path.startsWith(`${directory}/`),
  };
}
