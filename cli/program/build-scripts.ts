/** The TypeScript half of a program. */
import { resolve } from 'node:path';
import type { CompiledModule } from '../../adapters/modules/compiled-module.ts';
import { addressOf } from '../../adapters/modules/file-address.ts';
import type { RecordedFiles } from '../../adapters/modules/recorded-files.ts';
import type { ScriptProblem } from '../../adapters/typescript/compile-scripts.ts';
import { scriptOutput } from '../../adapters/typescript/script-files.ts';
import { type Diagnostic, makeDiagnostic } from '../../lang/diagnostics.ts';
import { lineStarts } from '../../lang/source.ts';
import type { CompileRequest, TestedModule } from './compile-request.ts';

export interface BuiltScripts {
  readonly modules: readonly CompiledModule[];
  readonly svcFiles: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
  readonly tested: readonly TestedModule[];
  /** Names that each file exports, as in `CompiledScripts`. */
  readonly exports: ReadonlyMap<string, readonly string[] | undefined>;
}

export const noScripts: BuiltScripts = {
  modules: [],
  svcFiles: new Set(),
  diagnostics: [],
  tested: [],
  exports: new Map(),
};

/** Compiles TypeScript files and those they import. What is wrong is in `diagnostics`. */
export async function buildScripts(
  request: CompileRequest,
  entries: readonly string[],
  files: RecordedFiles,
): Promise<BuiltScripts> {
  const { config, file, purpose, reload } = request;
  const root = config.projectDir;
  const [{ compileScripts, MissingCompiler }, api] = await Promise.all([
    import('../../adapters/typescript/compile-scripts.ts'),
    import('../../core/typescript.ts'),
  ]);
  try {
    const { modules, scripts, svcFiles, exports, problems } = await compileScripts({
      entries,
      root,
      files,
      main: purpose === 'run' ? file : undefined,
      tests: purpose === 'test',
      apiNames: Object.keys(api).sort(),
      addressOf: (path) => addressOf(path, reload),
    });
    const tested = scripts.map((path) => ({
      path: scriptOutput(path, root),
      files: [resolve(path)],
      hasTests: /\btest\b/.test(files.readFile(path) ?? ''),
    }));
    return {
      modules,
      svcFiles,
      tested,
      exports,
      diagnostics: problems.map((problem) => describe(problem, files, root)),
    };
  } catch (error) {
    if (!(error instanceof MissingCompiler)) throw error;
    const help = 'npm install esbuild';
    const what = makeDiagnostic(
      'E0703',
      shown(entries[0]!, root),
      { start: 0, end: 0 },
      { text: error.message },
      { help },
    );
    return { ...noScripts, diagnostics: [what] };
  }
}

function describe(
  { path, line, column, length, message }: ScriptProblem,
  files: RecordedFiles,
  root: string,
): Diagnostic {
  const text = files.readFile(path) ?? '';
  const starts = lineStarts({ path, text });
  const begin = starts[line - 1] ?? 0;
  // esbuild counts bytes.
  const before = Buffer.from(text.slice(begin)).subarray(0, column).toString().length;
  const start = begin + before;
  return makeDiagnostic('E0703', shown(path, root), { start, end: start + length }, { text: message });
}

function shown(path: string, root: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
