/** Compiles a program of `.svc` and TypeScript files, which may import each other. */
import { resolve } from 'node:path';
import type { ClientModules, ClientProgram } from '../../adapters/client/client-program.ts';
import { appSpecifier, type CompiledModule, runtimeSpecifier } from '../../adapters/modules/compiled-module.ts';
import { addressOf } from '../../adapters/modules/file-address.ts';
import { hashText, type Inputs, type RecordedFiles, recordFiles } from '../../adapters/modules/recorded-files.ts';
import { bridgeOutput, isScriptFile, scriptId, scriptOutput } from '../../adapters/typescript/script-files.ts';
import type * as ast from '../../lang/1-parse/ast.ts';
import { elementsOf } from '../../lang/2-resolve/client-plan.ts';
import type { Diagnostic } from '../../lang/diagnostics.ts';
import type { Compilation, CompiledProject } from '../../lang/phases.ts';
import type { Project, ProjectModule } from '../../lang/project.ts';
import { signatures } from '../../library/signatures/signatures.ts';
import { type BuiltScripts, buildScripts, noScripts } from './build-scripts.ts';
import { clientFiles } from './client-files.ts';
import type { AskedServer, CompileRequest, Glance, Notes, TestedModule } from './compile-request.ts';
import { projectOptions } from './project-options.ts';
import { missingExports, missingMembers } from './script-members.ts';
import { standardImports } from './standard-imports.ts';

export interface BuiltProgram {
  readonly notes: Notes;
  /** The entry first; none when a diagnostic keeps the program from running. */
  readonly modules: readonly CompiledModule[];
  readonly inputs: Inputs;
  /** The browser half; undefined when there is none, it was not asked for, or a diagnostic keeps the program from running. */
  readonly client: ClientProgram | undefined;
  /** See `CompiledApp`. */
  readonly asked: AskedServer | undefined;
  /** Looks for the mistakes that were put off, and gives all diagnostics; undefined where none were. */
  readonly check: (() => readonly Diagnostic[]) | undefined;
}

interface BuiltProject {
  readonly project: Project;
  readonly compiled: CompiledProject;
  /** TypeScript files that server code imports. */
  readonly scripts: ReadonlySet<string>;
}

export async function buildProgram(request: CompileRequest): Promise<BuiltProgram> {
  const files = recordFiles();
  const startsWithScript = isScriptFile(request.file);
  // Files of one language that only the other one imports turn up when that has been compiled.
  const bridged = new Set<string>();
  let scripts: BuiltScripts = noScripts;
  for (;;) {
    const sources = [...(startsWithScript ? [] : [request.file]), ...bridged];
    const built = sources.length === 0 ? undefined : await buildProject(request, sources, files);
    const entries = [...(startsWithScript ? [request.file] : []), ...(built?.scripts ?? [])];
    scripts = entries.length === 0 ? noScripts : await buildScripts(request, entries, files);
    const known = new Set([...(built?.project.modules.values() ?? [])].map(({ path }) => path));
    const missing = [...scripts.svcFiles].filter((path) => !known.has(path) && !bridged.has(path));
    if (missing.length === 0) return join(request, built, scripts, files);
    for (const path of missing) bridged.add(path);
  }
}

async function buildProject(
  request: CompileRequest,
  sources: readonly string[],
  files: RecordedFiles,
): Promise<BuiltProject> {
  const [{ readProject }, { beginCompilation }] = await Promise.all([
    import('../../lang/project.ts'),
    import('../../lang/phases.ts'),
  ]);
  const [entry, ...also] = sources as [string, ...string[]];
  const isLibrary = entry !== request.file;
  const browser = request.client === undefined || isLibrary ? [] : clientFiles(entry, request.config.projectDir, files);
  const options = { also, browser, isLibrary, tests: request.purpose === 'test', kept: request.kept };
  const project = readProject(entry, files, { ...projectOptions(request), ...options });
  const mayHaveClient = browser.length > 0 || hasClientCode(project);
  const emitter = mayHaveClient ? (await import('../../lang/6-emit-client/emitter.ts')).clientEmitter : undefined;
  const scripts = new Set<string>();
  const { checks } = request;
  const standardMembers = await membersFor(project, checks !== undefined);
  const compilation = beginCompilation(
    project,
    {
      target: 'server',
      signatures,
      // Programs that are debugged wait where they can: evaluations at a stop may have to (decisions/0820).
      graph: request.debug === true ? 'async' : (request.graph ?? 'sync'),
      runtime: runtimeSpecifier,
      foreignSpecifier(specifier) {
        if (!specifier.startsWith('/')) return specifier;
        if (!isScriptFile(specifier)) return addressOf(specifier, request.reload);
        scripts.add(specifier);
        return appSpecifier + scriptOutput(specifier, request.config.projectDir);
      },
      mode: request.purpose,
      debug: request.debug,
      marks: request.marks,
      withoutEntries: request.withoutEntries,
      ...(request.client === undefined ? {} : { client: { ...request.client, tests: request.purpose === 'test' } }),
      ...(checks === undefined
        ? {}
        : {
            rules: request.checksLater === true ? 'later' : true,
            enforceAccess: checks.enforceAccess,
            warnsLegacy: checks.legacy === 'warn',
          }),
      ...(standardMembers === undefined ? {} : { standardMembers }),
      ...(request.entryLabel === undefined ? {} : { entryLabel: request.entryLabel }),
    },
    emitter,
  );
  if (request.glance !== undefined) await showSaved(project, compilation, request.glance);
  return { project, compiled: compilation.finish(), scripts };
}

function hasClientCode({ modules }: Project): boolean {
  return [...modules.values()].some(({ placement }) => [...placement.values()].some(({ client }) => client));
}

async function showSaved(project: Project, compilation: Compilation, { wants, suits, show }: Glance): Promise<void> {
  const found = compilation.glance(({ path, sources }) =>
    [path, ...sources.slice(1).map((annex) => resolve(project.root, annex.path))].some(wants),
  );
  if (found.length > 0 && suits(askedOf(project, found))) await show(modulesOf(found));
}

function askedOf({ modules }: Project, client: CompiledProject['client']): AskedServer {
  return {
    asks: new Set(client.flatMap(({ asks }) => [...asks])),
    texts: new Map([...modules.values()].map((module) => [module.path, serverText(module)])),
  };
}

const serverText = ({ tree, placement, sourceOf }: ProjectModule): string =>
  elementsOf(tree.body)
    .filter((element) => placement.get(element)?.server === true)
    .map((element) => sourceOf(element).text.slice(element.start, element.end))
    .join('\n');

const mayHaveStar = /\{\s*\*\s*[,}]|\binclude\b/;

/**
 * Gives the members of standard modules, where a check or `import from math { * }` may ask for them: otherwise the
 * compiler needs no part of the runtime.
 */
async function membersFor(
  project: Project,
  isForCheck: boolean,
): Promise<((module: string) => ReadonlySet<string> | undefined) | undefined> {
  const names = standardImports(
    [...project.modules.values()].filter(
      ({ sources }) => isForCheck || sources.some(({ text }) => mayHaveStar.test(text)),
    ),
  );
  if (names.length === 0) return undefined;
  const [{ load }, { standardMembers }] = await Promise.all([
    import('../../library/registry.ts'),
    import('../../core/modules/standard-members.ts'),
  ]);
  await load(...names);
  return standardMembers;
}

function join(
  request: CompileRequest,
  built: BuiltProject | undefined,
  scripts: BuiltScripts,
  files: RecordedFiles,
): BuiltProgram {
  const { file, config, purpose } = request;
  const further: Diagnostic[] = [
    ...(built === undefined ? [] : missingMembers(built.project, scripts.exports)),
    ...scripts.diagnostics,
    ...missingFromScripts(request, built, scripts, files),
  ];
  const diagnostics = [...(built?.compiled.diagnostics ?? []), ...further];
  const isTest = purpose === 'test';
  const entryId =
    built === undefined || built.project.isLibrary ? scriptId(file, config.projectDir) : built.project.entry;
  const own = built?.compiled.modules ?? [];
  const pathOf = new Map(own.map(({ id, path }) => [id, path]));
  const notes: Notes = {
    entryId,
    labels: built === undefined || built.project.isLibrary ? [] : labelsOf(built.project),
    diagnostics,
    modules: isTest ? [...(built === undefined ? [] : testedModules(built.project, pathOf)), ...scripts.tested] : [],
    hasScripts: scripts.modules.length > 0,
  };
  const isBlocked = diagnostics.some(({ blocking }) => blocking);
  const fromSvc = own.map(
    ({ path, output }): CompiledModule => ({ path, code: output.code, map: JSON.stringify(output.map) }),
  );
  const bridges = [...scripts.svcFiles].map((path) => bridge(path, built!, config.projectDir));
  const modules = isScriptFile(file) ? [...scripts.modules, ...fromSvc] : [...fromSvc, ...scripts.modules];
  const client = isBlocked || built === undefined ? undefined : clientOf(built.compiled);
  const asked = client && request.kept && askedOf(built!.project, built!.compiled.client);
  const check = built?.compiled.check;
  return {
    notes,
    modules: isBlocked ? [] : [...modules, ...bridges],
    inputs: files.inputs(),
    client,
    asked,
    check: check && (() => [...check(), ...further]),
  };
}

function clientOf({ client, outline }: CompiledProject): ClientProgram | undefined {
  if (outline === undefined) return undefined;
  const modules = modulesOf(client);
  const digest = hashText(JSON.stringify([outline, ...modules]));
  return { outline, digest, modules: () => modules };
}

function modulesOf(client: CompiledProject['client']): ClientModules {
  return new Map(client.map(({ path, output: { code, map } }) => [path, { code, map: JSON.stringify(map) }]));
}

function missingFromScripts(
  { config }: CompileRequest,
  built: BuiltProject | undefined,
  scripts: BuiltScripts,
  files: RecordedFiles,
): Diagnostic[] {
  if (scripts.modules.length === 0) return [];
  const own = built?.compiled.modules ?? [];
  const outputs = new Map(own.map(({ id, path }) => [id, path]));
  const svcOutputs = new Map(
    [...(built?.project.modules.values() ?? [])].flatMap(({ id, path }) =>
      outputs.has(id) ? [[path, outputs.get(id)!] as const] : [],
    ),
  );
  const generated = own.map(({ path, output }) => ({ path, code: output.code, map: '' }));
  return missingExports({
    scripts: new Map(scripts.tested.map(({ files: [path = ''] }) => [path, files.readFile(path) ?? ''])),
    modules: [...scripts.modules, ...generated],
    svcOutputs,
    root: config.projectDir,
  });
}

/** The module through which TypeScript imports an `.svc` module: it initialises it first. */
function bridge(path: string, { project, compiled }: BuiltProject, root: string): CompiledModule {
  const id = [...project.modules.values()].find((module) => module.path === path)?.id;
  const found = compiled.modules.find((module) => module.id === id);
  const from = JSON.stringify(appSpecifier + (found?.path ?? ''));
  const waits = found !== undefined && /^export async function \$init\(/m.test(found.output.code);
  const code = `import { $init } from ${from};\n${waits ? 'await ' : ''}$init();\nexport * from ${from};`;
  return { path: bridgeOutput(path, root), code, map: '{"version":3,"sources":[],"names":[],"mappings":""}' };
}

function labelsOf(project: Project): string[] {
  const { body } = project.modules.get(project.entry)!.tree;
  return body.flatMap((element) => (element.kind === 'EntryBlock' ? (element.label?.text ?? []) : []));
}

function testedModules(project: Project, pathOf: ReadonlyMap<string, string>): TestedModule[] {
  return [...project.modules.values()].map((module) => ({
    path: pathOf.get(module.id) ?? '',
    files: module.sources.map(({ path }) => resolve(project.root, path)),
    hasTests: hasTests(module.tree.body),
  }));
}

/** `test` blocks, or calls of `parametrize` (decisions/0020). */
function hasTests(elements: readonly ast.Element[]): boolean {
  return elements.some((element) => {
    if (element.kind === 'PlacedBlock') return hasTests(element.body);
    if (element.kind === 'ImportFrom') return element.items.some(({ name }) => name?.text === 'parametrize');
    return element.kind === 'TestBlock';
  });
}
