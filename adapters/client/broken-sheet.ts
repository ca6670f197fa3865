/** Place of a mistake in a sheet: Vite makes the sheets of a page small as one text, and tells neither file nor line of what it cannot read there. */
import { readFileSync } from 'node:fs';
import { folderOfPackage, importPackage, placeOfPackage } from './packages.ts';

interface Reader {
  transform(options: { readonly filename: string; readonly code: Uint8Array }): unknown;
}

interface Unreadable {
  readonly message?: string;
  readonly loc?: { readonly line: number; readonly column: number };
}

const mark = '[lightningcss minify] ';

/** Gives the error with the place in the first of the files that has it; as it is where it is another, or in none of them. */
export async function placeInSheet(error: unknown, files: readonly string[], projectDir: string): Promise<unknown> {
  const { message = '' } = error as Unreadable;
  const from = message.includes(mark) ? placeOfPackage('vite', projectDir) : undefined;
  const vite = from === undefined ? undefined : folderOfPackage('vite', from);
  if (vite === undefined) return error;
  const { transform } = await importPackage<Reader>('lightningcss', vite);
  for (const file of files) {
    if (!/\.css$/.test(file)) continue;
    try {
      transform({ filename: file, code: readFileSync(file) });
    } catch (found) {
      const { message: said, loc } = found as Unreadable;
      if (said === undefined || loc === undefined || !message.includes(mark + said)) continue;
      return { message: said, id: file, loc: { line: loc.line, column: loc.column - 1 } };
    }
  }
  return error;
}
