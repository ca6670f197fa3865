import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Source texts of a program as they were when it began. */
export interface Sources {
  /** Undefined for a file that cannot be read. */
  textOf(file: string): string | undefined;
  /** A sentence, once, when a file is no longer what it was. */
  tellChanged(file: string): string | undefined;
}

export function createSources(projectDir: string, files: readonly string[]): Sources {
  const texts = new Map<string, string | undefined>();
  const told = new Set<string>();
  const read = (file: string) => {
    try {
      return readFileSync(resolve(projectDir, file), 'utf8');
    } catch {
      return undefined;
    }
  };
  const textOf = (file: string) => {
    if (!texts.has(file)) texts.set(file, read(file));
    return texts.get(file);
  };
  for (const file of files) textOf(file);
  return {
    textOf,
    tellChanged(file) {
      if (told.has(file) || read(file) === textOf(file)) return undefined;
      told.add(file);
      return `${file} has changed: lines are those of the program that runs, restart takes the new text`;
    },
  };
}
