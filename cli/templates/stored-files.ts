/** Templates that stand as files: `cli/templates/<folder>` in a checkout, `templates/<folder>` in the published package. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Files of a template by their relative paths; `app-name` in them becomes the name of the application. */
export function storedFiles(folder: string, name: string): Readonly<Record<string, string>> {
  const root = folderOf(folder, dirname(fileURLToPath(import.meta.url)));
  return Object.fromEntries(
    filesBelow(root).map((path) => [path, readFileSync(join(root, path), 'utf8').replaceAll('app-name', name)]),
  );
}

/** @throws Error when the package is not whole */
function folderOf(folder: string, start: string): string {
  for (let directory = start; ; directory = dirname(directory)) {
    const found = [join(directory, 'cli', 'templates', folder), join(directory, 'templates', folder)].find((path) =>
      existsSync(path),
    );
    if (found !== undefined) return found;
    if (dirname(directory) === directory) throw new Error('the templates of svc are missing: install svc again');
  }
}

function filesBelow(root: string, inside = ''): readonly string[] {
  return readdirSync(join(root, inside), { withFileTypes: true }).flatMap((entry) => {
    const path = join(inside, entry.name);
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
}
