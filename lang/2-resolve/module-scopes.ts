/**
 * Declarations and scopes of one module: what phase 2 finds out about it that no other module decides. While a program is developed, those of
 * a module whose text, imports and placement are the same are used again.
 */

import type * as ast from '../1-parse/ast.ts';
import type { Reporter } from '../diagnostics.ts';
import type { KeptFiles } from '../project/kept-files.ts';
import type { Project, ProjectModule } from '../project.ts';
import { bindModuleFrame, bindScopes } from './bind-scopes.ts';
import { type Built, buildScopes } from './build-scopes.ts';
import { joinImpls } from './impls.ts';
import { type Declared, declareModule, type StandardNames } from './module-bindings.ts';
import type { ModuleBinding } from './names.ts';

export interface ModuleScopes {
  /** The module as it was when they were made. */
  readonly module: ProjectModule;
  readonly declared: Declared;
  readonly built: Built;
  /** Imports that server code uses, with the elements that do; undefined until all modules have declared their names. */
  used: ReadonlyMap<ModuleBinding, readonly ast.Node[]> | undefined;
  /** Reports about the declarations, to tell them again. */
  readonly reports: readonly ((module: ProjectModule) => void)[];
}

const keptScopes = new WeakMap<KeptFiles, ReadonlyMap<string, ModuleScopes>>();

/** Opens the scopes of every module of a project: those of the last reading where they still hold. */
export function openScopes({ kept, modules }: Project): ReadonlyMap<string, ModuleScopes> {
  const before = kept && keptScopes.get(kept);
  const opened = new Map<string, ModuleScopes>();
  for (const module of modules.values()) {
    const known = before?.get(module.id);
    if (known !== undefined && stillHolds(known, module)) {
      for (const tell of known.reports) tell(module);
      opened.set(module.id, known);
    } else opened.set(module.id, makeScopes(module));
  }
  return opened;
}

/** Binds all uses of names. To be called when the bindings of every module are complete. */
export function closeScopes(
  { kept, modules }: Project,
  scopes: ReadonlyMap<string, ModuleScopes>,
  declared: ReadonlyMap<string, Declared>,
  standardNames: StandardNames | undefined,
): void {
  for (const one of scopes.values()) {
    const { placement } = modules.get(one.module.id)!;
    const runsOnServer = (element: ast.Node) => placement.get(element)?.server ?? true;
    one.used ??= bindScopes(one.built, one.declared, declared, runsOnServer, standardNames);
  }
  if (kept !== undefined) keptScopes.set(kept, new Map([...scopes].filter(([, one]) => mayBeKept(one))));
}

function makeScopes(module: ProjectModule): ModuleScopes {
  const reports: ModuleScopes['reports'][number][] = [];
  const noted = noting(module, reports);
  const declared = declareModule(noted);
  const built = buildScopes(module, joinImpls(noted), new Set(declared.bindings.keys()));
  bindModuleFrame(built, declared);
  return { module, declared, built, used: undefined, reports };
}

function noting(module: ProjectModule, reports: ((module: ProjectModule) => void)[]): ProjectModule {
  return {
    ...module,
    reporterOf(source): Reporter {
      const reporter = module.reporterOf(source);
      return {
        ...reporter,
        at(...args) {
          reports.push((other) => other.reporterOf(source).at(...args));
          reporter.at(...args);
        },
      };
    },
  };
}

/** Names that another module brings, by `*` or as a package, change with that module. */
function mayBeKept({ module, declared, built }: ModuleScopes): boolean {
  return (
    module.submodules.size === 0 &&
    declared.stars.length === 0 &&
    built.frames.every(({ stars }) => stars === undefined)
  );
}

function stillHolds({ module: before }: ModuleScopes, now: ProjectModule): boolean {
  return (
    before.tree === now.tree &&
    before.path === now.path &&
    now.submodules.size === 0 &&
    before.sources.length === now.sources.length &&
    before.sources.every((source, i) => source === now.sources[i]) &&
    isSameTable(before.imports, now.imports) &&
    isSameTable(before.caughtImports, now.caughtImports) &&
    isSameTable(before.placement, now.placement)
  );
}

function isSameTable(before: ReadonlyMap<object, unknown>, now: ReadonlyMap<object, unknown>): boolean {
  return (
    before === now || (before.size === now.size && [...before].every(([key, value]) => isSame(value, now.get(key))))
  );
}

/** Compares plain data and maps by names. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Map) return b instanceof Map && isSame(Object.fromEntries(a), Object.fromEntries(b));
  const [names, others] = [Object.keys(a), Object.keys(b)];
  return (
    names.length === others.length &&
    names.every((name) => isSame(a[name as keyof typeof a], b[name as keyof typeof b]))
  );
}
