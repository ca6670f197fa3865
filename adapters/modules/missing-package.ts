/**
 * Errors of packages that cannot be found: Node's message names generated files; the author knows the import statement
 * (decisions/0036).
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SourceFrame } from '../../core/log/read-error.ts';
import { ModuleNotFoundError } from '../../library/values/objects/exceptions.ts';

const codes = new Set(['ERR_MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED']);

/** Did Node fail to find what some module imports? */
export function isMissingPackage(error: unknown): error is Error {
  return error instanceof Error && codes.has(String((error as { code?: unknown }).code));
}

/**
 * The same failure with the place of the import (`sourceFrames`) and what to do about it. `error` itself when the module that imports is none
 * of those in `directory`: a package that lacks one of its own.
 */
export function describeMissingPackage(error: Error, directory: string): Error {
  const { message } = error;
  const importer = /imported from (\S.*)$/m.exec(message)?.[1];
  const file = importer?.startsWith('file:') === true ? fileURLToPath(importer) : importer;
  if (file === undefined || !file.startsWith(directory)) return error;
  const specifier = packagesOf(file).find((one) => isMeant(one, message));
  if (specifier === undefined) return error;
  const name = packageName(specifier);
  const isAbsent = message.startsWith(`Cannot find package '${name}'`);
  const what = isAbsent
    ? `package '${name}' is not installed (npm install ${name})`
    : `package '${name}' has no '${specifier}'`;
  return Object.assign(new ModuleNotFoundError(what), { name, sourceFrames: placesOf(file, specifier) });
}

/** Specifiers of packages in the order a generated module imports them. */
function packagesOf(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^'"\n]*(["'])([^'"]+)\1/gm);
  return [...found].map(([, , specifier]) => specifier!).filter((specifier) => /^(?:@[^/]+\/)?[\w-]/.test(specifier));
}

function isMeant(specifier: string, message: string): boolean {
  const name = packageName(specifier);
  const below = specifier.slice(name.length);
  if (message.startsWith('Cannot find package')) return message.startsWith(`Cannot find package '${name}'`);
  if (!message.includes(`/node_modules/${name}/`)) return false;
  return below === '' ? /No "exports" main/.test(message) : message.includes(`${below}'`);
}

function packageName(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0];
}

function placesOf(file: string, specifier: string): SourceFrame[] {
  const map = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[]; sourcesContent?: string[] };
  for (const [i, text] of (map.sourcesContent ?? []).entries()) {
    const at = [`"${specifier}"`, `'${specifier}'`, specifier].map((one) => text.indexOf(one)).find((one) => one >= 0);
    if (at === undefined) continue;
    const lines = text.slice(0, at).split('\n');
    const column = [...lines[lines.length - 1]!].length + 1;
    return [{ file: map.sources[i]!, line: lines.length, column, function: undefined }];
  }
  return [];
}
