/** Compiles programs of the browser half for tests, from files of a folder. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { compileProject } from '../../lang/compile.ts';
import type { Diagnostic } from '../../lang/diagnostics.ts';
import type { ProjectFiles } from '../../lang/project/files.ts';
import { readProject } from '../../lang/project.ts';
import { signatures } from '../../library/signatures/signatures.ts';

export interface CompiledClient {
  /** Emitted modules by the absolute path of their `.svc` file. */
  readonly modules: ReadonlyMap<string, { readonly code: string; readonly map: string }>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Files of the disk. */
export const projectFiles: ProjectFiles = {
  readFile: (path) => (existsSync(path) && statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined),
  exists: (path) => (existsSync(path) ? (statSync(path).isDirectory() ? 'directory' : 'file') : undefined),
  listDir: (path) => (existsSync(path) ? readdirSync(path) : []),
};

export function compileClient(
  file: string,
  mode: 'development' | 'production' = 'production',
  rules = false,
): CompiledClient {
  const project = readProject(file, projectFiles);
  const compiled = compileProject(project, {
    target: 'server',
    graph: 'sync',
    runtime: '#runtime',
    signatures,
    // Rules are those of `svc check`.
    ...(!rules && { mode: 'serve' as const }),
    rules,
    client: { mode },
  });
  const modules = compiled.client.map(
    ({ path, output }) => [path, { code: output.code, map: JSON.stringify(output.map) }] as const,
  );
  return { modules: new Map(modules), diagnostics: compiled.diagnostics };
}
