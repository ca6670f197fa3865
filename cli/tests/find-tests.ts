/** Modules whose tests `svc test` runs (docs/language/modules.md#tests, docs/language/implementations.md#annexes). */
import { diskFiles } from '../../adapters/modules/disk-files.ts';
import { annexedModule, annexKind, findAnnexes } from '../../lang/project/annexes.ts';

export interface Wanted {
  /** Absolute path of a module. */
  readonly module: string;
  /** Files of the module whose tests are wanted; undefined for all. */
  readonly files: ReadonlySet<string> | undefined;
}

/**
 * The modules of these files that may hold tests, in their order. An annex stands for its module; of a module that only annexes were named
 * of, only the tests in those are wanted.
 */
export function findWanted(files: readonly string[]): Wanted[] {
  const found = new Map<string, Set<string> | undefined>();
  for (const file of files) {
    const kind = annexKind(file);
    const module = kind === undefined ? file : (annexedModule(file, kind, diskFiles) ?? file);
    if (module === file) found.set(module, undefined);
    else if (!found.has(module)) found.set(module, new Set([file]));
    else found.get(module)?.add(file);
  }
  return [...found].map(([module, only]) => ({ module, files: only })).filter(({ module }) => mayHoldTests(module));
}

// Compiling is what costs: a module without the word has no test.
function mayHoldTests(module: string): boolean {
  const annexes = (['impl', 'test'] as const).flatMap((kind) => findAnnexes(module, kind, diskFiles));
  return [module, ...annexes].some((file) => /\btest\b/.test(diskFiles.readFile(file) ?? ''));
}
