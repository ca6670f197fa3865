/**
 * Programs that an editor has open. A folder with `svc.toml` is a project whose entry point comes first; without one, each file that nothing
 * open covers begins a program of its own. Texts of open files take the place of those on disk.
 */
import { basename, dirname, join, resolve } from 'node:path';
import { findProjectFile, type ReadConfig, readConfig } from '../../adapters/config/read-config.ts';
import { diskFiles } from '../../adapters/modules/disk-files.ts';
import { standardMembers } from '../../core/modules/standard-members.ts';
import { type Analysis, analyse } from '../../lang/analysis.ts';
import type { World } from '../../lang/editor/complete/candidate.ts';
import { completionAt } from '../../lang/editor/complete/completion.ts';
import { type View, viewOf } from '../../lang/editor/view.ts';
import { annexedModule, annexKind } from '../../lang/project/annexes.ts';
import type { ProjectFiles } from '../../lang/project/files.ts';
import { createKeptFiles, type KeptFiles } from '../../lang/project/kept-files.ts';
import { type Project, readProject } from '../../lang/project.ts';
import type { Source } from '../../lang/source.ts';
import { load } from '../../library/registry.ts';
import { signatures } from '../../library/signatures/signatures.ts';
import { clientFiles } from '../program/client-files.ts';
import { projectOptions } from '../program/project-options.ts';
import { standardImports } from '../program/standard-imports.ts';
import { rememberDisk } from './remembered-disk.ts';

/** One program: what is known of it is worked out when it is asked for. */
export interface Unit {
  /** Absolute path of the file the program begins with. */
  readonly entry: string;
  read: ReadConfig;
  readonly kept: KeptFiles;
  /** Absolute paths of all files of the program, as of the last reading. */
  covers: ReadonlySet<string>;
  analysis: Analysis | undefined;
  /** Ids of the modules of which the analysis knows everything; undefined: of all. */
  only: ReadonlySet<string> | undefined;
  isStale: boolean;
  /** People have been told that it is read for the first time. */
  isIndexed: boolean;
}

/** Extent of an analysis: of modules without an open file, `open` finds out no more than the others need; `typed` does so with the files that the disk had before the last edit. */
export type Extent = 'open' | 'whole' | 'typed';

export interface Units {
  /** The view of a file in the program that it belongs to; undefined for one that cannot be read. */
  viewOf(path: string, extent: Extent): Promise<View | undefined>;
  /** Whole analyses of all programs that are open, and of the projects in folders of the window. */
  all(): Promise<readonly Analysis[]>;
  /** All programs that are open, as they are known. */
  open(): readonly Unit[];
  /** A text has changed, or was opened or closed: what is known of the programs with the file is out of date. */
  change(path: string, isOpened: boolean): void;
  /** Files or the configuration have changed on disk. */
  changeAll(): void;
  /** Forgets programs that no open file belongs to. */
  close(isOpen: (path: string) => boolean): void;
  world(view: View): World;
  /** Completes in a file as if something had been typed there, at a place that differs from turn to turn. False: no program with the file is known yet. */
  rehearse(path: string, turn: number): boolean;
}

export interface UnitsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Text of a file that is open in the editor. */
  readonly textOf: (path: string) => string | undefined;
  /** Takes the reason why an analysis failed: a mistake of the compiler, which ends nothing. */
  readonly onFailure: (error: unknown) => void;
  /** Absolute paths of the folders of the window. */
  readonly folders?: () => readonly string[];
  /** Tells people that a program is being read for the first time; undefined where nobody can be told. */
  readonly indexing?: (entry: string) => Promise<Indexing | undefined>;
}

/** Progress of a program that is being read for the first time. */
export interface Indexing {
  /** Resolves when it is sent: what comes next takes the process as a whole. */
  found(files: number): Promise<void>;
  end(): void;
}

export function createUnits({ env, textOf, onFailure, indexing, folders = () => [] }: UnitsOptions): Units {
  const units = new Map<string, Unit>();
  /** Standard modules that have been asked for, with what is waited for while they are being loaded. */
  const loads = new Map<string, Promise<void> | undefined>();
  const withOpen = (disk: ProjectFiles): ProjectFiles => ({
    ...disk,
    readFile: (path) => textOf(path) ?? disk.readFile(path),
    exists: (path) => (textOf(path) === undefined ? disk.exists(path) : 'file'),
  });
  const files = withOpen(diskFiles);
  const disk = rememberDisk(diskFiles);
  const remembered = withOpen(disk.files);
  let mayDiffer = false;
  /** Looks whether the disk is as it was, once after each edit. */
  const look = (): void => {
    if (!mayDiffer) return;
    mayDiffer = false;
    if (!disk.holds()) for (const unit of units.values()) unit.isStale = true;
  };
  const entries = new Map<string, string | undefined>();
  /** The entry point of the project around a folder. */
  const entryOf = (directory: string): string | undefined => {
    if (!entries.has(directory)) entries.set(directory, projectEntry(directory, env, files));
    return entries.get(directory);
  };
  const unitAt = (entry: string): Unit => {
    let unit = units.get(entry);
    if (unit === undefined) {
      // A program that is opened is read as it is now.
      disk.forget();
      const read = configAround(dirname(entry), env);
      const kept = createKeptFiles();
      unit = {
        entry,
        read,
        kept,
        covers: new Set([entry]),
        analysis: undefined,
        only: undefined,
        isStale: true,
        isIndexed: false,
      };
      units.set(entry, unit);
    }
    return unit;
  };
  /** `asked`: file that has to be known as well as those that are open; undefined: all have to be. */
  const analysisOf = async (unit: Unit, asked: string | undefined): Promise<Analysis | undefined> => {
    if (!unit.isStale && knows(unit, asked)) return unit.analysis;
    try {
      const project = readUnit(unit, remembered);
      // `import os.path` makes `os` known too.
      const names = standardImports(project.modules.values()).flatMap((name) => [name, name.split('.', 1)[0]!]);
      const wanted = names.filter((name) => !loads.has(name));
      const loading = wanted.length === 0 ? undefined : load(...wanted)?.catch(onFailure);
      for (const name of wanted) loads.set(name, loading);
      const waits = names.flatMap((name) => loads.get(name) ?? []);
      if (waits.length > 0) {
        await Promise.all(waits);
        for (const name of names) loads.set(name, undefined);
        unit.isStale = true;
        return await analysisOf(unit, asked);
      }
      unit.isStale = false;
      unit.covers = coveredBy(project);
      const isWanted = (path: string) => path === asked || textOf(path) !== undefined;
      unit.only = asked === undefined ? undefined : modulesWith(project, isWanted);
      unit.analysis = analyse(project, { ...analysisOptions(unit.read), only: unit.only });
    } catch (error) {
      unit.isStale = false;
      onFailure(error);
    }
    return unit.analysis;
  };
  /** The first analysis of a program, which people are told of. */
  const index = async (unit: Unit, asked: string | undefined): Promise<Analysis | undefined> => {
    if (indexing === undefined || unit.isIndexed) return await analysisOf(unit, asked);
    unit.isIndexed = true;
    const told = await indexing(unit.entry).catch(onFailure);
    try {
      const analysis = await analysisOf(unit, asked);
      await told?.found(unit.covers.size);
      // Diagnostics are asked for next, and are what takes long.
      void analysis?.diagnostics;
      return analysis;
    } catch (error) {
      onFailure(error);
      return unit.analysis;
    } finally {
      told?.end();
    }
  };
  /** The project's own program comes first, whatever was asked for earlier. */
  const find = async (path: string): Promise<Unit> => {
    const entry = entryOf(dirname(path));
    const main = entry === undefined ? undefined : unitAt(entry);
    if (main !== undefined) {
      if (main.isStale) await index(main, path);
      if (main.covers.has(path)) return main;
    }
    // A file that was opened before the one that imports it has begun a program of its own, which is the smaller one. Of others the path
    // decides, and not which was asked for first.
    const [known] = [...units.values()]
      .filter(({ covers }) => covers.has(path))
      .sort((a, b) => b.covers.size - a.covers.size || (a.entry < b.entry ? -1 : 1));
    if (known !== undefined) return known;
    for (const entry of entriesAbove(path, folders(), files)) {
      const isNew = !units.has(entry);
      const unit = unitAt(entry);
      if (unit.isStale) await index(unit, path);
      if (unit.covers.has(path)) return unit;
      if (isNew) units.delete(entry);
    }
    const kind = annexKind(path);
    return unitAt((kind === undefined ? undefined : annexedModule(path, kind, files)) ?? path);
  };
  const worldOf = (unit: Unit | undefined): World => {
    const packages =
      unit === undefined ? [] : projectOptions({ config: unit.read.config, env: unit.read.env }).packages;
    return { standardMembers, files, packages };
  };
  return {
    async viewOf(path, extent) {
      if (!path.endsWith('.svc')) return undefined;
      if (extent !== 'typed') look();
      for (let round = 0; round < 2; round++) {
        const unit = await find(path);
        const analysis = await index(unit, extent === 'whole' ? undefined : path);
        const view = analysis && viewAt(analysis, path);
        if (view !== undefined) return view;
        // The program no longer has the file: it is one of its own now.
        unit.covers = new Set([...unit.covers].filter((one) => one !== path));
      }
      return undefined;
    },
    async all() {
      look();
      const found: Analysis[] = [];
      const ofFolders = folders().flatMap((folder) => entryOf(folder) ?? []);
      for (const unit of new Set([...units.values(), ...ofFolders.map(unitAt)])) {
        const analysis = await index(unit, undefined);
        if (analysis !== undefined) found.push(analysis);
      }
      return found;
    },
    open: () => [...units.values()],
    change(path, isOpened) {
      mayDiffer = true;
      if (isOpened) disk.forget();
      const text = files.readFile(path);
      for (const unit of units.values()) {
        // A file that was opened has the text that is known already; one that is new may be what an import looked for.
        const known = unit.analysis && viewAt(unit.analysis, path);
        if (unit.covers.has(path) ? known?.source.text !== text : isOpened) unit.isStale = true;
      }
    },
    changeAll() {
      disk.forget();
      entries.clear();
      for (const unit of units.values()) {
        unit.read = configAround(dirname(unit.entry), env);
        unit.isStale = true;
      }
    },
    close(isOpen) {
      for (const [entry, unit] of units) if (![...unit.covers].some(isOpen)) units.delete(entry);
    },
    world: (view) => worldOf([...units.values()].find((one) => one.analysis === view.analysis)),
    rehearse(path, turn) {
      const unit = [...units.values()].find(({ analysis, covers }) => analysis !== undefined && covers.has(path));
      const text = textOf(path);
      if (unit === undefined || text === undefined) return false;
      // Files of the program are kept for the next reading, which has to be one of what is there.
      unit.isStale = true;
      const { at, typed } = rehearsedEdit(text, turn);
      const changed = `${text.slice(0, at)}${typed}${text.slice(at)}`;
      try {
        const readFile = (one: string) => (one === path ? changed : remembered.readFile(one));
        const project = readUnit(unit, { ...remembered, readFile });
        const only = modulesWith(project, (one) => one === path);
        const view = viewAt(analyse(project, { ...analysisOptions(unit.read), only }), path);
        if (view !== undefined) completionAt(view, at + typed.length, worldOf(unit));
      } catch (error) {
        onFailure(error);
      }
      return true;
    },
  };
}

/** True when the analysis knows all of a file, or of all files. A file that is not of the program is known as well as it can be. */
function knows({ only, analysis }: Unit, path: string | undefined): boolean {
  if (only === undefined) return true;
  if (path === undefined || analysis === undefined) return false;
  return [...modulesWith(analysis.project, (one) => one === path)].every((id) => only.has(id));
}

/** Ids of the modules with a file that passes the test. */
function modulesWith(project: Project, test: (path: string) => boolean): ReadonlySet<string> {
  const found = [...project.modules.values()].filter(({ sources }) =>
    sources.some((source) => test(pathOfSource(project, source))),
  );
  return new Set(found.map(({ id }) => id));
}

function configAround(directory: string, env: UnitsOptions['env']): ReadConfig {
  return readConfig({
    startDir: directory,
    cwd: directory,
    env,
    isTerminal: false,
    isScript: true,
    mayLackVariables: true,
  });
}

function analysisOptions({ config, sourceOf }: ReadConfig) {
  return {
    signatures,
    graph: 'sync',
    enforceAccess: config.check.enforceAccess,
    warnsLegacy: config.check.legacy === 'warn',
    tellsInternal: sourceOf('serve.functions') === 'default',
    standardMembers,
  } as const;
}

/** Absolute path of a file of a project. */
export function pathOfSource({ root }: Pick<Project, 'root'>, { path }: Source): string {
  return resolve(root, path);
}

function viewAt(analysis: Analysis, path: string): View | undefined {
  const { root } = analysis.project;
  return viewOf(analysis, path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path);
}

/** Gives what to type behind a statement of a file: at each turn behind another one, far from the last. */
function rehearsedEdit(text: string, turn: number): { readonly at: number; readonly typed: string } {
  const ends = [...text.matchAll(/;$/gm)].map(({ index }) => index + 1);
  const at = ends[(turn * 7) % ends.length] ?? text.length;
  return { at, typed: turn % 2 === 0 ? '\nprint(math.' : '\npri' };
}

function coveredBy(project: Project): ReadonlySet<string> {
  return new Set(
    [...project.modules.values()].flatMap(({ sources }) => sources.map((source) => pathOfSource(project, source))),
  );
}

function readUnit({ entry, read, kept }: Unit, files: ProjectFiles): Project {
  const { config, env } = read;
  const browser =
    entry === entryPoint(read) || read.file === undefined ? clientFiles(entry, config.projectDir, files) : [];
  return readProject(entry, files, { ...projectOptions({ config, env }), browser, tests: true, kept });
}

/** Absolute path of the file that a project begins with, there or not. */
export function entryPoint({ config }: ReadConfig): string {
  return join(config.projectDir, config.project.entryPoint === '' ? 'main.svc' : config.project.entryPoint);
}

/**
 * Files in the folders above a file's, up to that of the window, that speak of the folder it is in: a program may begin with one, from which
 * the imports of the file are meant. Nearest first, `main.svc` before others.
 */
function entriesAbove(path: string, folders: readonly string[], files: ProjectFiles): readonly string[] {
  const found: string[] = [];
  for (let below = dirname(path); folders.some((folder) => below.startsWith(`${folder}/`)); below = dirname(below)) {
    const folder = dirname(below);
    const programs = files.listDir(folder).filter((one) => one.endsWith('.svc') && annexKind(one) === undefined);
    const ordered = programs.sort((a, b) => Number(b === 'main.svc') - Number(a === 'main.svc') || (a < b ? -1 : 1));
    found.push(
      ...ordered
        .map((one) => join(folder, one))
        .filter((one) => files.readFile(one)?.includes(basename(below)) === true),
    );
  }
  return found;
}

/** The entry point of the project that a folder lies in; undefined without `svc.toml`, or when it names no file of the language. */
function projectEntry(directory: string, env: UnitsOptions['env'], files: ProjectFiles): string | undefined {
  if (findProjectFile(directory) === undefined) return undefined;
  const entry = entryPoint(configAround(directory, env));
  return entry.endsWith('.svc') && files.exists(entry) === 'file' ? entry : undefined;
}
