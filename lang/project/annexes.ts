import type { ProjectFiles } from './files.ts';
import { baseName, dirName, joinPath } from './paths.ts';

export type AnnexKind = 'impl' | 'test';

/**
 * Annex files of the module at `path` (docs/language/implementations.md#annexes), in the order they are appended:
 * beside it `mod.impl.svc` and `mod.*.impl.svc`, then all in `mod.impl/`, then those of that name in `impl/`; each
 * group by name.
 */
export function findAnnexes(path: string, kind: AnnexKind, files: ProjectFiles): readonly string[] {
  // A file of tests that is no annex is a module of its own, whatever stands beside it.
  if (isBrowserTest(path) || placedTests.test(path)) return [];
  const dir = dirName(path);
  const base = moduleBase(path);
  const suffix = `.${kind}.svc`;
  const isNamed = (name: string) => name === base + suffix || (name.startsWith(`${base}.`) && name.endsWith(suffix));
  const beside = new Set(files.listDir(dir));
  const found = [...beside].filter((name) => isNamed(name)).map((name) => joinPath(dir, name));
  const inside = (folder: string, accept: (name: string) => boolean) => {
    if (!beside.has(folder)) return;
    const path = joinPath(dir, folder);
    for (const name of files.listDir(path)) if (accept(name)) found.push(joinPath(path, name));
  };
  inside(`${base}.${kind}`, (name) => name.endsWith(suffix));
  inside(kind, isNamed);
  return found.filter((annex) => annex !== path && files.exists(annex) === 'file');
}

/** Tests that say by the name of their file where they stand: they have no module that they join. */
const placedTests = /\.test\.(?:cl|sv|na)\.svc$/;

/**
 * The module an annex belongs to, undefined for an annex of nothing, which is a module of its own. `path` is that of an annex file of
 * this kind.
 */
export function annexedModule(path: string, kind: AnnexKind, files: ProjectFiles): string | undefined {
  const dir = dirName(path);
  const folder = baseName(dir);
  const places = [joinPath(dir, moduleBase(path))];
  if (folder === kind) places.push(joinPath(dirName(dir), moduleBase(path)));
  if (folder.endsWith(`.${kind}`)) places.push(joinPath(dirName(dir), folder.slice(0, -kind.length - 1)));
  return places
    .flatMap((place) => ['.svc', '.sv.svc', '.cl.svc', '.na.svc'].map((ending) => place + ending))
    .find((module) => files.exists(module) === 'file' && findAnnexes(module, kind, files).includes(path));
}

/** The name up to the first dot: `main` of `main.cl.svc`. */
function moduleBase(path: string): string {
  const name = baseName(path);
  const dot = name.indexOf('.');
  return dot < 0 ? name : name.slice(0, dot);
}

/** Does a file hold tests in a browser, which `svc test --browser` runs? */
export function isBrowserTest(path: string): boolean {
  return path.endsWith('.e2e.svc');
}

/** Gives the kind of an annex by its path; undefined for an ordinary module. */
export function annexKind(path: string): AnnexKind | undefined {
  if (path.endsWith('.impl.svc')) return 'impl';
  return path.endsWith('.test.svc') ? 'test' : undefined;
}
