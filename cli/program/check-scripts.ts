/** Findings about the TypeScript files of a program, and about what its modules take from them. */
import { clientTypes } from '../../adapters/client/client-types.ts';
import type { ReadConfig } from '../../adapters/config/read-config.ts';
import { recordFiles } from '../../adapters/modules/recorded-files.ts';
import type { Diagnostic } from '../../lang/diagnostics.ts';
import type { Project } from '../../lang/project.ts';
import { type BuiltScripts, buildScripts, noScripts } from './build-scripts.ts';
import { missingMembers } from './script-members.ts';
import { scriptsOf } from './scripts-of.ts';
import { typeDiagnostics } from './type-diagnostics.ts';
import { writeDeclarations } from './write-declarations.ts';

export interface ScriptCheck extends Pick<ReadConfig, 'config' | 'env'> {
  /** TypeScript files of the server, absolute. */
  readonly scripts: Iterable<string>;
  readonly projects: readonly Project[];
  /** Reads `.svc` files, absolute, that only TypeScript imports, and tells which of its files they bring. */
  readonly readModules: (files: readonly string[]) => Promise<ReadModules>;
}

export interface ReadModules {
  readonly projects: readonly Project[];
  readonly scripts: Iterable<string>;
}

export interface CheckedScripts {
  readonly diagnostics: readonly Diagnostic[];
  /** Names that each file exports; undefined where it hands on those of another one. */
  readonly exports: ReadonlyMap<string, readonly string[] | undefined>;
  /** Reason why types were not checked, though there are such files; undefined: they were. */
  readonly untyped: string | undefined;
}

export async function checkScripts({ config, env, readModules, ...given }: ScriptCheck): Promise<CheckedScripts> {
  const scripts = new Set(given.scripts);
  const projects = [...given.projects];
  let built: BuiltScripts = noScripts;
  // Each language may bring files of the other.
  for (const asked = new Set<string>(); scripts.size > 0; ) {
    built = await buildScripts(
      { file: '', config, purpose: 'serve', env, runtimeNames: [] },
      [...scripts],
      recordFiles(),
    );
    for (const { files } of built.tested) for (const file of files) scripts.add(file);
    const known = new Set(projects.flatMap(({ modules }) => [...modules.values()].map(({ path }) => path)));
    const missing = [...built.svcFiles].filter((file) => !known.has(file) && !asked.has(file));
    if (missing.length === 0) break;
    for (const file of missing) asked.add(file);
    const more = await readModules(missing);
    projects.push(...more.projects);
    for (const file of more.scripts) scripts.add(file);
  }
  const { exports } = built;
  const found = [...built.diagnostics, ...projects.flatMap((project) => missingMembers(project, exports))];
  const ofClient = config.client.typescript ? [...scriptsOf(projects)].filter((file) => !scripts.has(file)) : [];
  let untyped: string | undefined;
  // A file that cannot be read has no types.
  if (scripts.size + ofClient.length === 0 || built.diagnostics.length > 0)
    return { diagnostics: found, exports, untyped };
  writeDeclarations(projects, config.projectDir);
  for (const [names, client] of [
    [[...scripts], undefined],
    [ofClient, clientTypes(config)],
  ] as const) {
    if (names.length === 0) continue;
    const checked = await typeDiagnostics(names, config.projectDir, client);
    untyped ??= checked.missing;
    found.push(...checked.diagnostics);
  }
  return { diagnostics: found, exports, untyped };
}
