import { diskFiles } from '../../adapters/modules/disk-files.ts';
import { type ClientTypes, checkTypes } from '../../adapters/typescript/check-types.ts';
import { type Diagnostic, makeDiagnostic } from '../../lang/diagnostics.ts';
import { lineStarts } from '../../lang/source.ts';

/** Type errors of TypeScript files as diagnostics; `missing` says why there was no check. */
export async function typeDiagnostics(
  files: readonly string[],
  projectDir: string,
  client?: ClientTypes,
): Promise<{ readonly diagnostics: readonly Diagnostic[]; readonly missing: string | undefined }> {
  const { problems, missing } = await checkTypes(files, projectDir, client);
  const diagnostics = problems.map(({ path, line, column, number, message }) => {
    const text = diskFiles.readFile(path) ?? '';
    const start = (lineStarts({ path, text })[line - 1] ?? 0) + column - 1;
    // The compiler tells where it begins; the word there stands for the rest.
    const end = start + (/^[\w$]+/.exec(text.slice(start, start + 100))?.[0].length ?? 1);
    return makeDiagnostic('E0704', path.slice(projectDir.length + 1), { start, end }, { text: message, number });
  });
  return { diagnostics, missing };
}
