/** Imports between the files of the house, as the checks of the house and its drawing read them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { repository } from './server.ts';

/** The rooms in the order of the layers, lowest first. */
export const rooms = ['base', 'lang', 'library', 'core', 'handlers', 'adapters', 'infra', 'cli', 'client'] as const;

/** Tests and what only tests use; they may reach everywhere. */
export const testSupport = /(\.test|(^|[.-])(testing|fixture|child))\.ts$/;

export interface Import {
  /** Path from the root of the repository; so is `target`. */
  readonly file: string;
  readonly room: string;
  readonly specifier: string;
  /** The file that a relative specifier names; undefined for packages. */
  readonly target: string | undefined;
  readonly typeOnly: boolean;
  /** `import(…)`: read when it is needed. */
  readonly isLate: boolean;
}

/** Source files of a room without tests, as paths from the root of the repository. */
export function sourceFiles(folder: string): string[] {
  if (!existsSync(join(repository, folder))) return [];
  return readdirSync(join(repository, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sourceFiles(path);
    return entry.name.endsWith('.ts') && !testSupport.test(entry.name) ? [path] : [];
  });
}

export function importsOf(file: string): Import[] {
  const text = readFileSync(join(repository, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const room = file.split('/')[0]!;
  const make = (specifier: string, typeOnly: boolean, isLate: boolean): Import => ({
    file,
    room,
    specifier,
    target: specifier.startsWith('.') ? relative(repository, resolve(repository, dirname(file), specifier)) : undefined,
    typeOnly,
    isLate,
  });
  const early = text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\sfrom\s+)?'([^']+)'/gm);
  const late = text.matchAll(/\bimport\('([^']+)'\)(\.[A-Z])?/g);
  return [
    ...[...early].map(([, type, specifier]) => make(specifier!, type !== undefined, false)),
    ...[...late].map(([, specifier, type]) => make(specifier!, type !== undefined, true)),
  ];
}

/** Every import of every source file of the house. */
export const imports: readonly Import[] = rooms.flatMap((room) => sourceFiles(room).flatMap(importsOf));

/** Groups of files of which each reaches each other by imports, late ones too, the largest first (Tarjan's strongly connected components). */
export function findCircles(): string[][] {
  const reached = new Map<string, string[]>(rooms.flatMap((room) => sourceFiles(room).map((file) => [file, []])));
  for (const { file, target } of imports)
    if (target !== undefined && reached.has(target)) reached.get(file)!.push(target);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    path.push(file);
    for (const next of reached.get(file)!) {
      if (!order.has(next)) visit(next);
      if (path.includes(next)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = path.splice(path.indexOf(file));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const file of reached.keys()) if (!order.has(file)) visit(file);
  return circles.sort((one, other) => other.length - one.length);
}
