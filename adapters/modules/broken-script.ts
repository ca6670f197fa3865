/**
 * Errors of JavaScript files that cannot be parsed: Node's message leaves out which file; the author has to know it and
 * the line.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceFrame } from '../../core/log/read-error.ts';
import { SyntaxError } from '../../library/values/objects/exceptions.ts';

/** Did Node fail to parse a module? One of ours always can be, so it is a file of the project or of a package. */
export function isBrokenScript(error: unknown): error is globalThis.SyntaxError {
  return error instanceof globalThis.SyntaxError && /\n\s+at [^\n]*node:internal\/modules\//.test(error.stack ?? '');
}

/**
 * The same failure with its place (`sourceFrames`); `error` itself when no file that the modules in `directory` import, nor one that those
 * import by a relative path, is the reason.
 */
export async function describeBrokenScript(error: globalThis.SyntaxError, directory: string): Promise<Error> {
  const compiler = await import('esbuild').catch(() => undefined);
  if (compiler === undefined) return error;
  const seen = new Set<string>();
  const waiting = importedFiles(directory);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readText(file);
    if (text === undefined) continue;
    for (const [, , specifier] of text.matchAll(/\b(?:from|import)\s*\(?\s*(["'])(\.{1,2}\/[^"'\n]+)\1/g))
      waiting.push(resolve(dirname(file), specifier!));
    const found = await compiler.transform(text, { sourcefile: file, logLevel: 'silent' }).catch(placeOf);
    if ('line' in found)
      return Object.assign(new SyntaxError(error.message), { sourceFrames: [{ ...found, file, function: undefined }] });
  }
  return error;
}

/** Compiled modules name JavaScript files of the project by address. */
function importedFiles(directory: string): string[] {
  const modules = readdirSync(directory, { recursive: true }).map(String);
  return modules
    .filter((name) => name.endsWith('.mjs'))
    .flatMap((name) => [...(readText(join(directory, name)) ?? '').matchAll(/^import\b[^\n]*"(file:[^"\n]+)"/gm)])
    .map(([, url]) => fileURLToPath(new URL(url!).href.replace(/[?#].*$/, '')));
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** esbuild counts lines from 1 and columns from 0. */
function placeOf(failure: unknown): Pick<SourceFrame, 'line' | 'column'> | object {
  const { errors } = failure as { errors?: readonly { location: { line: number; column: number } | null }[] };
  const at = errors?.[0]?.location;
  return at == null ? {} : { line: at.line, column: at.column + 1 };
}
