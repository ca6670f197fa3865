/**
 * The phases in order. A project has been read (`project.ts`); what comes out are ES modules with source maps
 * and everything there is to say about the source.
 */
import type { ProjectNames } from './2-resolve/resolve.ts';
import type { ProjectTypes } from './3-infer/infer.ts';
import type { Mode } from './4-check/rule.ts';
import { type LinkOptions, linkProject } from './5-emit/link.ts';
import { type EmittedServer, emitServer } from './5-emit/server.ts';
import type { ClientModule } from './6-emit-client/client.ts';
import type { ClientOptions } from './6-emit-client/cx.ts';
import type { ClientEmitter } from './6-emit-client/emitter.ts';
import type { ClientOutline } from './6-emit-client/outline.ts';
import { type AnalysisOptions, type OpenAnalysis, openAnalysis } from './analysis.ts';
import type { Diagnostic } from './diagnostics.ts';
import type { Project, ProjectModule } from './project.ts';
import { reportBug } from './report-bug.ts';

/**
 * `graph`: may graph operations give promises? `runtime`: what generated modules import as `$`. `entryLabel`: labelled entry blocks of the
 * entry module that run in place; the others are exported in `$entries`. `mode`: what the program is compiled for, undefined for
 * `svc check`; only `test` and undefined emit tests.
 */
export type CompileOptions = LinkOptions &
  AnalysisOptions & {
    /**
     * True when phase 4 looks for mistakes: by default only for `svc check`, since a start should not wait for it
     * (decisions/0431). `later`: what keeps nothing from running is looked for when that is asked for.
     */
    readonly rules?: boolean | 'later';
    /** Emit the client half, too. */
    readonly client?: ClientOptions;
  };

export interface CompiledModule {
  /** Dotted path from the project root. */
  readonly id: string;
  /** File below the output folder; imports between generated modules are relative to it. */
  readonly path: string;
  readonly output: EmittedServer;
}

export interface CompiledProject {
  /** The entry first. Empty when a diagnostic is blocking. */
  readonly modules: readonly CompiledModule[];
  /** Modules of the browser half, when it was asked for and there is one. */
  readonly client: readonly ClientModule[];
  /** Outline of the browser half: where it begins; undefined when there is none. */
  readonly outline: ClientOutline | undefined;
  /** Diagnostics by file and position. */
  readonly diagnostics: readonly Diagnostic[];
  /** Looks for the mistakes that were put off, and gives all diagnostics. To be called once; undefined where none were. */
  readonly check: (() => readonly Diagnostic[]) | undefined;
}

/** A compilation that can be asked about the browser half before it is done. */
export interface Compilation {
  /**
   * Emits modules of the browser half for pages that wait for them: before the server's half and before anybody looks for mistakes. None when
   * something is wrong already.
   */
  glance(wants: (module: ProjectModule) => boolean): readonly ClientModule[];
  /** Compiles everything. To be called once. */
  finish(): CompiledProject;
}

/** Begins to compile a whole program. `emitter` may be absent for one without client code: then nothing of it is loaded. */
export function beginCompilation(
  project: Project,
  options: CompileOptions,
  emitter: ClientEmitter | undefined,
): Compilation {
  const front = openAnalysis(project, options);
  return {
    glance: (wants) => glanceClient(project, options, front, emitter, wants),
    finish() {
      const outputs = runPhases(project, options, front, emitter);
      const diagnostics = project.diagnostics();
      const isPutOff = options.rules === 'later' && !diagnostics.some((one) => one.blocking);
      return { ...outputs, diagnostics, check: isPutOff ? () => checkLater(project, options, front) : undefined };
    },
  };
}

function checkLater(project: Project, { mode }: CompileOptions, front: OpenAnalysis): readonly Diagnostic[] {
  try {
    front.check(ruleMode(mode), false);
  } catch (error) {
    reportBug(project.modules.get(project.entry)!, 'check', error);
  }
  return project.diagnostics();
}

function glanceClient(
  project: Project,
  options: CompileOptions,
  front: OpenAnalysis,
  emitter: ClientEmitter | undefined,
  wants: (module: ProjectModule) => boolean,
): readonly ClientModule[] {
  if (options.client === undefined || emitter === undefined) return [];
  try {
    const names = front.names();
    const plan = names.clientPlan();
    const ids = [...plan.elements.keys()].filter((id) => wants(project.modules.get(id)!));
    if (ids.length === 0 || project.diagnostics().some((one) => one.blocking)) return [];
    const half = front.browser(new Set(ids));
    return half === undefined ? [] : emitter.emitClient(project, names, half.types, plan, options.client, ids);
  } catch {
    // The whole compilation meets the same and tells it.
    return [];
  }
}

type Outputs = Omit<CompiledProject, 'diagnostics' | 'check'>;

const nothing: Outputs = { modules: [], client: [], outline: undefined };

function runPhases(
  project: Project,
  options: CompileOptions,
  front: OpenAnalysis,
  emitter: ClientEmitter | undefined,
): Outputs {
  let pass = 'resolve';
  try {
    const names = front.names();
    pass = 'infer';
    const types = front.types();
    pass = 'check';
    const { rules = options.mode === undefined } = options;
    const isChecked = rules !== false;
    const half = isChecked || options.client !== undefined ? front.browser() : undefined;
    if (isChecked) front.check(ruleMode(options.mode), rules === 'later' ? true : undefined);
    const found = emitter?.outlinePages(project, names, options.client?.app ?? 'app');
    pass = 'emit';
    if (project.diagnostics().some((one) => one.blocking)) return nothing;
    const modules = emitProject(project, names, types, options);
    pass = 'emit for the client';
    if (half === undefined || options.client === undefined || emitter === undefined || found === undefined)
      return { ...nothing, modules };
    const client = emitter.emitClient(project, names, half.types, half.plan, options.client);
    return { modules, client, outline: emitter.outlineClient(project, half.plan, found, client) };
  } catch (error) {
    reportBug(project.modules.get(project.entry)!, pass, error);
    return nothing;
  }
}

function emitProject(project: Project, names: ProjectNames, types: ProjectTypes, options: CompileOptions) {
  const link = linkProject(project, names, types, options);
  const modules = new Map<string, CompiledModule>();
  // Modules without anything of the server are there for those that name them all the same.
  const wanted = new Set([...project.modules.keys()].filter((id) => !link.hollow.has(id)));
  for (const id of wanted) {
    const module = project.modules.get(id)!;
    const path = link.pathOf(id);
    try {
      const output = emitServer(module, names.of(id), types.of(id), link.of(module), path);
      modules.set(id, { id, path, output });
      for (const other of output.imports) wanted.add(other);
    } catch (error) {
      reportBug(module, 'emit', error);
      return [];
    }
  }
  return [...project.modules.keys()].flatMap((id) => modules.get(id) ?? []);
}

function ruleMode(mode: CompileOptions['mode']): Mode {
  return mode === undefined ? 'check' : ({ run: 'run', serve: 'start', test: 'test' } as const)[mode];
}
