import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const folders = ['test/programs', 'test/wire/app', 'examples', 'bench/apps'];

/** All programs of the repository by path, longest ones included. */
export function readCorpus(): ReadonlyMap<string, string> {
  const files = folders.flatMap((folder) => sources(join(repository, folder))).sort();
  return new Map(files.map((file) => [relative(repository, file), readFileSync(file, 'utf8')]));
}

function sources(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name === '.svc' ? [] : sources(path);
    return entry.name.endsWith('.svc') ? [path] : [];
  });
}
