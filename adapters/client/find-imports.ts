/** Places of the author's files that import a package. */
import type { ClientJob } from './job.ts';
import { packageOf } from './packages.ts';

export interface ImportPlace {
  /** Absolute. */
  readonly file: string;
  /** Count from 1. */
  readonly line: number;
  readonly column: number;
  readonly source: string;
}

/** Gives one place for each module that names the package in an import, quoted or not. */
export function importsOf(name: string, { program }: ClientJob): readonly ImportPlace[] {
  return [...program.modules()].flatMap(([file, { map }]) => {
    const text = originalText(map);
    const found = text === undefined ? undefined : importIn(text, name);
    return text === undefined || found === undefined ? [] : [{ file, source: text, ...found }];
  });
}

/** Text of the `.svc` file that a module was compiled from. */
export function originalText(map: string): string | undefined {
  return (JSON.parse(map) as { sourcesContent?: readonly string[] }).sourcesContent?.[0];
}

function importIn(text: string, name: string): { readonly line: number; readonly column: number } | undefined {
  for (const match of text.matchAll(/\bimport\s+(?:type\s+)?(?:from\s+)?(?:(["'])([^"'\n]+)\1|([\w.-]+))/g)) {
    const [whole, , quoted, bare] = match;
    const specifier = quoted ?? bare?.replaceAll('.', '/') ?? '';
    if (packageOf(specifier) !== name) continue;
    const at = match.index + whole.length - (quoted === undefined ? bare!.length : quoted.length + 1);
    const before = text.slice(0, at).split('\n');
    return { line: before.length, column: before.at(-1)!.length + 1 };
  }
  return undefined;
}
