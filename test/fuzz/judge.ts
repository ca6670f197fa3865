import { transform } from 'esbuild';
import { compileProject } from '../../lang/compile.ts';
import { formatDiagnostics } from '../../lang/format-diagnostics.ts';
import { filesInMemory } from '../../lang/project/files.ts';
import { readProject } from '../../lang/project.ts';
import { signatures } from '../../library/signatures/signatures.ts';

export interface Verdict {
  /** Fault of the compiler, in words; undefined when there is none. */
  readonly fault: string | undefined;
  readonly blocked: boolean;
  readonly codes: readonly string[];
}

/**
 * Compiles a text as a program of its own and looks for faults of the compiler: an exception, E0999, a finding outside of the file, a
 * report that cannot be printed, output that is no JavaScript, another result the second time.
 */
export async function judge(
  text: string,
  mode: 'run' | 'serve' | 'test' | undefined,
  graph: 'sync' | 'async',
): Promise<Verdict> {
  const files = filesInMemory({ 'main.svc': text });
  const compile = () => {
    const project = readProject('main.svc', files, { root: '.', tests: true });
    return compileProject(project, {
      target: 'server',
      signatures,
      graph,
      runtime: '#runtime',
      ...(mode === undefined ? {} : { mode }),
    });
  };
  let fault: string | undefined;
  try {
    const { diagnostics, modules } = compile();
    const codes = diagnostics.map(({ code }) => code);
    const blocked = diagnostics.some((one) => one.blocking);
    for (const { code, start, end, help } of diagnostics) {
      if (code === 'E0999') fault ??= `E0999 ${help}`;
      if (!(start >= 0 && start <= end && end <= text.length))
        fault ??= `${code} at ${start}..${end} of ${text.length}`;
    }
    formatDiagnostics(diagnostics, { sourceOf: (path) => ({ path, text }) });
    if (!blocked && modules.length === 0) fault ??= 'no error and no output';
    for (const { output } of modules) {
      const problem = await syntaxProblem(output.code);
      if (problem !== undefined) fault ??= `output: ${problem}`;
    }
    return { fault, blocked, codes };
  } catch (error) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error), blocked: true, codes: [] };
  }
}

async function syntaxProblem(code: string): Promise<string | undefined> {
  try {
    await transform(code, { format: 'esm', logLevel: 'silent' });
    return undefined;
  } catch (error) {
    const [first] = (error as { errors?: { text: string; location?: { lineText: string } }[] }).errors ?? [];
    return `${first?.text ?? error}: ${first?.location?.lineText.trim().slice(0, 200)}`;
  }
}
