import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const skipped = new Set(['node_modules', 'dist']);

/** Every file below a folder that `isSource`, in order of names, but for what is generated, installed or hidden (`.svc`, `.git` …). */
export function sourceFiles(directory: string, isSource: (path: string) => boolean = isModule): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory())
        return entry.name.startsWith('.') || skipped.has(entry.name) ? [] : sourceFiles(path, isSource);
      return isSource(path) ? [path] : [];
    });
}

export function isModule(path: string): boolean {
  return path.endsWith('.svc');
}
