/**
 * TypeScript files beside the programs that are open: what their compilers say of them, and which names `.svc` files ask them for in vain. The
 * compilers read files on disk, so they are asked when a file is opened or saved. A program without such files costs nothing.
 */
import { resolve } from 'node:path';
import type { Diagnostic as Shown } from 'vscode-languageserver';
import { diskFiles } from '../../adapters/modules/disk-files.ts';
import { isScriptFile } from '../../adapters/typescript/script-files.ts';
import type { Analysis } from '../../lang/analysis.ts';
import type { Diagnostic } from '../../lang/diagnostics.ts';
import { findImports } from '../../lang/project/find-imports.ts';
import type { Source } from '../../lang/source.ts';
import { scriptsOf } from '../program/scripts-of.ts';
import { shownDiagnostic } from './answers.ts';
import { entryPoint, type Unit, type Units } from './units.ts';

export interface Neighbours {
  /** Looks at the files again: some have been opened or saved. */
  look(): void;
  /** Findings in a TypeScript file, absolute, as of the last look. */
  findingsIn(path: string): readonly Shown[];
  /** TypeScript files, absolute, with something wrong. */
  files(): readonly string[];
  /** Findings in a file of a program that names of TypeScript files decide. */
  missingNames(analysis: Analysis, source: Source): readonly Shown[];
  stop(): void;
}

export interface NeighboursOptions {
  readonly units: Units;
  /** Takes the TypeScript files whose findings are others than before. */
  readonly changed: (paths: readonly string[]) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Milliseconds of rest before the compilers are asked. */
const rest = 100;

type Missing = (project: Analysis['project'], exports: Exports) => readonly Diagnostic[];
type Exports = ReadonlyMap<string, readonly string[] | undefined>;

export function createNeighbours({ units, changed, onFailure }: NeighboursOptions): Neighbours {
  let findings = new Map<string, readonly Shown[]>();
  let exports: Exports = new Map();
  let missing: Missing = () => [];
  let timer: NodeJS.Timeout | undefined;
  let [isLooking, isWanted, hasStopped] = [false, false, false];
  const lookNow = async (): Promise<void> => {
    const found = new Map<string, readonly Shown[]>();
    const allExports = new Map<string, readonly string[] | undefined>();
    for (const group of byProject(units.open())) {
      const checked = await checkGroup(group, units);
      if (checked === undefined) continue;
      ({ missing } = checked);
      for (const [path, names] of checked.exports) allExports.set(path, names);
      for (const [path, list] of checked.findings) found.set(path, [...(found.get(path) ?? []), ...list]);
    }
    const isNew = (path: string) => JSON.stringify(found.get(path)) !== JSON.stringify(findings.get(path));
    const others = [...new Set([...found.keys(), ...findings.keys()])].filter(isNew);
    const haveNamesChanged = JSON.stringify([...allExports]) !== JSON.stringify([...exports]);
    [findings, exports] = [found, allExports];
    if (!hasStopped && (others.length > 0 || haveNamesChanged)) changed(others);
  };
  const run = async (): Promise<void> => {
    isLooking = true;
    try {
      while (isWanted && !hasStopped) {
        isWanted = false;
        await lookNow().catch(onFailure);
      }
    } finally {
      isLooking = false;
    }
  };
  return {
    look() {
      isWanted = true;
      clearTimeout(timer);
      timer = setTimeout(() => void (isLooking ? undefined : run().catch(onFailure)), rest);
    },
    findingsIn: (path) => findings.get(path) ?? [],
    files: () => [...findings.keys()],
    missingNames: (analysis, source) =>
      exports.size === 0
        ? []
        : missing(analysis.project, exports)
            .filter(({ path }) => path === source.path)
            .map((one) => shownDiagnostic(analysis, source, one)),
    stop() {
      hasStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Programs of one folder: TypeScript files of it may import modules of each. */
function byProject(units: readonly Unit[]): readonly (readonly Unit[])[] {
  const groups = new Map<string, Unit[]>();
  for (const unit of units) {
    const { projectDir } = unit.read.config;
    groups.set(projectDir, [...(groups.get(projectDir) ?? []), unit]);
  }
  return [...groups.values()];
}

async function checkGroup(group: readonly Unit[], units: Units) {
  const { read } = group[0]!;
  const analyses = group.flatMap(({ analysis }) => analysis ?? []);
  const entry = entryPoint(read);
  const first = isScriptFile(entry) && diskFiles.exists(entry) === 'file' ? [entry] : [];
  const projects = analyses.map(({ project }) => project);
  if (first.length === 0 && scriptsOf(projects).size === 0) return undefined;
  const [{ checkScripts }, { missingMembers }] = await Promise.all([
    import('../program/check-scripts.ts'),
    import('../program/script-members.ts'),
  ]);
  const { diagnostics, exports } = await checkScripts({
    config: read.config,
    env: read.env,
    projects,
    scripts: [...first, ...analyses.flatMap(scriptsOfServer)],
    async readModules(files) {
      const views = await Promise.all(files.map((file) => units.viewOf(file, 'open')));
      const found = new Set(views.flatMap((view) => view?.analysis ?? []));
      return { projects: [...found].map(({ project }) => project), scripts: [...found].flatMap(scriptsOfServer) };
    },
  });
  const findings = new Map<string, Shown[]>();
  for (const one of diagnostics) {
    const path = resolve(read.config.projectDir, one.path);
    if (!isScriptFile(path)) continue;
    const source = { path: one.path, text: diskFiles.readFile(path) ?? '' };
    findings.set(path, [...(findings.get(path) ?? []), shownDiagnostic(undefined, source, one)]);
  }
  return { findings, exports, missing: missingMembers };
}

/** TypeScript files, absolute, that modules import for the server. */
function scriptsOfServer({ project, names }: Analysis): readonly string[] {
  return [...project.modules.values()].flatMap((module) => {
    if (module.suffix === 'cl') return [];
    return findImports(module.tree, module.sourceOf)
      .filter(({ node, placement }) => placement !== 'cl' && names.of(module.id).isServer(node))
      .flatMap(({ node }) => (node.kind === 'ImportModules' ? node.items.map(({ path }) => path) : [node.path]))
      .flatMap((path) => {
        const target = module.imports.get(path);
        return target?.of === 'js' && target.path !== undefined && isScriptFile(target.path) ? [target.path] : [];
      });
  });
}
