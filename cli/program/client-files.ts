/** Files of the browser half that no import leads to. */
import { basename, dirname, join } from 'node:path';
import { annexKind } from '../../lang/project/annexes.ts';
import type { ProjectFiles } from '../../lang/project/files.ts';

/** Modules of `pages/`, and the application's beside the entry: `app.cl.svc` and the entry's own `.cl.svc`. */
export function clientFiles(entry: string, projectDir: string, files: ProjectFiles): readonly string[] {
  const stem = basename(entry).replace(/(\.(cl|sv|na))?\.svc$/, '');
  const beside = new Set([`${stem}.cl.svc`, 'app.cl.svc'].map((name) => join(dirname(entry), name)));
  beside.delete(entry);
  const pages = join(projectDir, 'pages');
  return [
    ...[...beside].filter((file) => files.exists(file) === 'file'),
    ...(files.exists(pages) === 'directory' ? modulesBelow(pages, files, 0) : []),
  ];
}

const deepest = 20;

function modulesBelow(directory: string, files: ProjectFiles, depth: number): readonly string[] {
  if (depth > deepest) return [];
  return [...files.listDir(directory)].sort().flatMap((name) => {
    if (name.startsWith('.')) return [];
    const path = join(directory, name);
    if (name.endsWith('.svc') && annexKind(path) === undefined) return [path];
    return files.exists(path) === 'directory' ? modulesBelow(path, files, depth + 1) : [];
  });
}
