/** Findings in files and those they import, in both languages. */
import { resolve } from 'node:path';
import type { ReadConfig } from '../../adapters/config/read-config.ts';
import { diskFiles } from '../../adapters/modules/disk-files.ts';
import { isScriptFile } from '../../adapters/typescript/script-files.ts';
import type { Diagnostic } from '../../lang/diagnostics.ts';
import type { Project } from '../../lang/project.ts';
import { signatures } from '../../library/signatures/signatures.ts';
import { clientFiles } from './client-files.ts';
import { projectOptions } from './project-options.ts';
import { scriptsOf } from './scripts-of.ts';
import { standardImports } from './standard-imports.ts';

export interface CheckedFiles {
  readonly diagnostics: readonly Diagnostic[];
  /** Reason why types of TypeScript files were not checked, though there are such files; undefined: they were. */
  readonly untyped: string | undefined;
}

/** Files, absolute, that another one has brought along are not checked again on their own. */
export async function checkFiles(
  files: readonly string[],
  { config, env, sourceOf }: Pick<ReadConfig, 'config' | 'env' | 'sourceOf'>,
): Promise<CheckedFiles> {
  // The application is the file that is named first, or the entry point.
  const application = sourceOf('serve.functions') === 'default' ? files[0] : undefined;
  const found = new Map<string, Diagnostic>();
  const note = (list: readonly Diagnostic[]) => {
    for (const one of list) found.set(`${one.path}:${one.start}:${one.code}:${one.message}`, one);
  };
  const covered = new Set<string>();
  // The application comes first: what its client half uses decides which half its functions belong to.
  const entry = resolve(config.projectDir, config.project.entryPoint === '' ? 'main.svc' : config.project.entryPoint);
  const readModules = async (some: readonly string[]) => {
    const checked = await checkModules(some, covered, { config, env, application, entry });
    note(checked.diagnostics);
    return checked;
  };
  // The half in the browser comes with the module that it stands beside.
  const halves = new Set(files.map(clientHalf));
  const rank = (file: string) => (file === entry ? 0 : halves.has(file) ? 2 : 1);
  const { projects, scripts } = await readModules(
    files.filter((file) => !isScriptFile(file)).toSorted((a, b) => rank(a) - rank(b)),
  );
  for (const file of files) if (isScriptFile(file)) scripts.add(file);
  let untyped: string | undefined;
  if (scripts.size > 0 || (config.client.typescript && scriptsOf(projects).size > 0)) {
    const { checkScripts } = await import('./check-scripts.ts');
    const checked = await checkScripts({ config, env, projects, readModules, scripts });
    note(checked.diagnostics);
    ({ untyped } = checked);
  }
  const diagnostics = [...found.values()].sort((a, b) =>
    a.path === b.path ? a.start - b.start : a.path < b.path ? -1 : 1,
  );
  return { diagnostics, untyped };
}

/** `app.cl.svc` of `app.svc`. */
function clientHalf(file: string): string {
  return file.replace(/\.svc$/, '.cl.svc');
}

interface Checking extends Pick<ReadConfig, 'config' | 'env'> {
  readonly application: string | undefined;
  /** The entry point of the project, whose client half has the files of `pages/`. */
  readonly entry: string;
}

async function checkModules(
  files: readonly string[],
  covered: Set<string>,
  { config, env, application, entry }: Checking,
): Promise<{
  readonly diagnostics: readonly Diagnostic[];
  readonly projects: readonly Project[];
  /** TypeScript files that server code imports. */
  readonly scripts: Set<string>;
}> {
  const [{ readProject }, { compileProject }, { annexedModule, annexKind }, { load }, { standardMembers }] =
    await Promise.all([
      import('../../lang/project.ts'),
      import('../../lang/compile.ts'),
      import('../../lang/project/annexes.ts'),
      import('../../library/registry.ts'),
      import('../../core/modules/standard-members.ts'),
    ]);
  // An annex is checked as part of its module.
  const modules = files.map((file) => {
    const kind = annexKind(file);
    return (kind === undefined ? undefined : annexedModule(file, kind, diskFiles)) ?? file;
  });
  const found: Diagnostic[] = [];
  const projects: Project[] = [];
  const scripts = new Set<string>();
  for (const file of modules) {
    if (covered.has(file)) continue;
    const besides = clientFiles(file, config.projectDir, diskFiles);
    const browser = file === entry ? besides : besides.filter((one) => one === clientHalf(file));
    const project = readProject(file, diskFiles, { ...projectOptions({ config, env }), browser, tests: true });
    for (const module of project.modules.values())
      for (const { path } of module.sources) covered.add(resolve(project.root, path));
    await load(...standardImports(project.modules.values()));
    const { diagnostics } = compileProject(project, {
      target: 'server',
      signatures,
      graph: 'sync',
      runtime: '#runtime',
      enforceAccess: config.check.enforceAccess,
      warnsLegacy: config.check.legacy === 'warn',
      tellsInternal: file === application,
      standardMembers,
      foreignSpecifier(specifier) {
        if (specifier.startsWith('/') && isScriptFile(specifier)) scripts.add(specifier);
        return specifier;
      },
    });
    found.push(...diagnostics);
    projects.push(project);
  }
  return { diagnostics: found, projects, scripts };
}
