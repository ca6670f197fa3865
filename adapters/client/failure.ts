/** Reason why the browser half could not be built, in the words and places of its author. */
import { readFileSync } from 'node:fs';
import { isBuiltin, SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';
import { originalText } from './find-imports.ts';
import type { ClientJob } from './job.ts';
import { packageOf } from './packages.ts';

export interface ClientProblem {
  readonly message: string;
  /** Absolute path; undefined for a problem that is in no file. */
  readonly file?: string;
  /** Counts from 1. */
  readonly line?: number;
  readonly column?: number;
  readonly source?: string;
  /** Package that is imported and not found. */
  readonly missing?: string;
}

export class ClientBuildError extends Error {
  override readonly name = 'ClientBuildError';
  readonly problems: readonly ClientProblem[];

  constructor(problems: readonly ClientProblem[]) {
    super(problems[0]?.message ?? 'the browser application could not be built');
    this.problems = problems;
  }
}

interface RawError {
  readonly message?: string;
  readonly id?: string;
  readonly loc?: { readonly file?: string; readonly line: number; readonly column: number };
  readonly errors?: readonly RawError[];
}

/** Takes apart what Vite and Rolldown throw. */
export function describeFailure(error: unknown, job: ClientJob): ClientBuildError {
  if (error instanceof ClientBuildError) return error;
  const raw = error as RawError;
  const all = raw.errors !== undefined && raw.errors.length > 0 ? raw.errors : [raw];
  return new ClientBuildError(all.slice(0, 10).map((one) => problemOf(one, job)));
}

/** Text of Vite for an import that leads nowhere, from which the problem is made. */
export const unresolvedImport = (specifier: string, importer: string): string =>
  `Failed to resolve import "${specifier}" from "${importer}"`;

function problemOf({ message = 'unknown', id, loc }: RawError, job: ClientJob): ClientProblem {
  const unresolved = /failed to resolve import "([^"]+)" from "([^"]+)"/i.exec(message);
  const named = unresolved?.[2] ?? loc?.file ?? id;
  const specifier =
    unresolved?.[1] ?? (isSheet(named) ? /ENOENT: [^']* open '([^'/.][^']*)'/.exec(message)?.[1] : undefined);
  const text = {
    message: specifier === undefined ? messageOf(message) : missingText(specifier),
    ...(specifier === undefined || isOfProject(specifier) || isBuiltin(specifier)
      ? {}
      : { missing: packageOf(specifier) }),
  };
  if (named === undefined) return text;
  const file = resolve(job.config.projectDir, named.replace(/[?#].*$/, '').replace(/^\0/, ''));
  // Imports are written anew: what they name is found in the author's text.
  const place = specifier === undefined && loc !== undefined ? {} : importPlace(message, specifier, file, job);
  if (!isPlace(loc) || place.line !== undefined) return { ...text, file, ...place };
  const module = job.program.modules().get(file);
  if (module === undefined) return { ...text, file, line: loc.line, column: loc.column + 1, ...sourceOf(file) };
  return { ...text, file, ...sourcePlace(module.map, loc, file) };
}

function isSheet(file: string | undefined): boolean {
  return file !== undefined && /\.(css|s[ac]ss|less|styl)(\?|$)/.test(file);
}

/** Plug-ins that know a file alone give numbers that are none. */
function isPlace<T extends { readonly line: number }>(loc: T | undefined): loc is T {
  return loc !== undefined && Number.isInteger(loc.line);
}

/** Does the specifier of an import lead to a file of the project? */
function isOfProject(specifier: string): boolean {
  return /^([./]|@svc-client\/)/.test(specifier);
}

function missingText(specifier: string): string {
  if (isBuiltin(specifier))
    return `the import "${specifier}" is a module of Node.js, which browsers do not have: move what needs it into a function of the server, \`def:pub …\`, and await that`;
  const what = `nothing is found for the import "${specifier}"`;
  if (isOfProject(specifier)) return what;
  const name = packageOf(specifier);
  return `${what}: list the package in svc.toml, \`[dependencies.npm]\` with \`"${name}" = "latest"\`, or run \`npm install ${name}\``;
}

/** The first sentence, without colours and the code frame of generated text. */
export function messageOf(message: string): string {
  const plain = message.replace(/\u001b\[[0-9;]*m/g, '');
  const lines = plain.split('\n').filter((line) => line.trim() !== '' && !/^(Error: )?Build failed with/.test(line));
  return (lines[0] ?? plain)
    .replace(/^\[(plugin [^\]]*|[A-Z_]+)\]\s*/, '')
    .replace(/^Error: /, '')
    .trim();
}

/** The place of the import that did not resolve: the specifier as it stands in the source. */
function importPlace(
  message: string,
  known: string | undefined,
  file: string,
  job: ClientJob,
): { readonly line?: number; readonly column?: number; readonly source?: string } {
  const specifier = known ?? /import ["'`]([^"'`]+)["'`]/.exec(message)?.[1];
  const module = job.program.modules().get(file);
  const { source } = sourceOf(file);
  // A module's map has the client's lines alone, which say where; lines that both halves have are in the file.
  const texts = module === undefined ? [source] : [originalText(module.map), source];
  for (const text of texts) {
    const at = specifier === undefined || text === undefined ? -1 : placeIn(text, specifier);
    if (text === undefined || at < 0) continue;
    const before = text.slice(0, at).split('\n');
    return { line: before.length, column: before.at(-1)!.length + 1, source: source ?? text };
  }
  return {};
}

/** Index of a specifier in a text, of one in quotes where there is any. */
function placeIn(text: string, specifier: string): number {
  const quoted = [`"${specifier}"`, `'${specifier}'`].map((one) => text.indexOf(one)).filter((at) => at >= 0);
  return quoted.length > 0 ? Math.min(...quoted) + 1 : text.indexOf(specifier);
}

function sourcePlace(map: string, loc: { readonly line: number; readonly column: number }, file: string) {
  const parsed = JSON.parse(map);
  const found = new SourceMap(parsed).findEntry(loc.line - 1, loc.column);
  if (!('originalSource' in found)) return {};
  const source = parsed.sourcesContent?.[parsed.sources.indexOf(found.originalSource)];
  return {
    file: resolve(dirname(file), found.originalSource),
    line: found.originalLine + 1,
    column: found.originalColumn + 1,
    ...(source === undefined ? {} : { source }),
  };
}

/** Text of a file as a part of a problem; none for one that cannot be read. */
export function sourceOf(file: string): { readonly source?: string } {
  try {
    return { source: readFileSync(file, 'utf8') };
  } catch {
    return {};
  }
}
