/** Exports of the project that in-process measurements need, in one bundle. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runtimeSpecifier } from '../../adapters/modules/compiled-module.ts';
import { diskFiles } from '../../adapters/modules/disk-files.ts';
import { loadModules } from '../../adapters/modules/load-modules.ts';
import { placeModules } from '../../adapters/modules/place-modules.ts';
import { provideRuntime } from '../../adapters/modules/runtime-shim.ts';
import * as runtime from '../../core/runtime.ts';
import { compileProject } from '../../lang/compile.ts';
import { readProject } from '../../lang/project.ts';
import { signatures } from '../../library/signatures/signatures.ts';

export { openPostgresStore } from '../../adapters/stores/postgres/store.ts';
export { openMemory, openStore } from '../../adapters/stores/stores.ts';
export { tellHops } from '../../core/graph/hops.ts';
export { createRuntime } from '../../core/memory/runtime.ts';
export { runUnit } from '../../core/memory/unit.ts';
export { tellHop } from '../../core/story/tell-hop.ts';
export { Story } from '../../handlers/http/stories/story.ts';
export { parse } from '../../lang/1-parse/parse.ts';
export { compileModule } from '../../lang/compile.ts';
export { createReporter } from '../../lang/diagnostics.ts';
export { startPostgres } from '../../test/harness/postgres-server.ts';
export { startTurnCounter } from '../../test/harness/turn-counting-proxy.ts';
export { runtime, signatures };

/** Compiles a program, for a store that answers at once unless told, and gives what its entry module exports. */
export async function loadProgram(file: string, graph: 'sync' | 'async' = 'sync'): Promise<any> {
  provideRuntime(runtime);
  const project = readProject(file, diskFiles, { root: dirname(file) });
  const { modules, diagnostics } = compileProject(project, {
    target: 'server',
    signatures,
    graph,
    runtime: runtimeSpecifier,
    mode: 'serve',
  });
  if (modules.length === 0) throw new Error(diagnostics.map((one) => `${one.code} ${one.message}`).join('\n'));
  const cacheDir = mkdtempSync(join(tmpdir(), 'svc-bench-modules-'));
  const files = modules.map(({ path, output }) => ({ path, code: output.code, map: JSON.stringify(output.map) }));
  const placed = await placeModules(files, { cacheDir, runtimeNames: Object.keys(runtime) });
  return loadModules(placed.directory, modules[0]!.path);
}
