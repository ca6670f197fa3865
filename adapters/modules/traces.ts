import { readdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceFrame, StackReader } from '../../core/log/read-error.ts';
import { type FindPosition, positionsOf } from './source-positions.ts';

/** A place in application source. Line and column count from 1. */
export type SourcePlace = Omit<SourceFrame, 'function'>;

/** Turns positions in generated modules into positions of their source. Maps are read when first needed. */
export interface Traces extends StackReader {
  /** Calls in application code, innermost first; those of the runtime and of Node are left out. */
  frames(error: unknown): SourceFrame[];
  place(url: string, line: number, column: number): SourcePlace | undefined;
  /** The text that the module of a frame was compiled from; undefined for frames of others and where the map does not hold it. */
  textOf(frame: SourceFrame): string | undefined;
  /** Reads modules of another directory, too: those of a later version. */
  cover(directory: string): void;
}

/**
 * @param projectDir JavaScript files below it are the program's own, and are what they are
 * @param directory holds modules and, beside each, its map
 */
export function createTraces(projectDir?: string, directory?: string): Traces {
  const maps = new Map<string, MapOfModule | undefined>();
  const prefixes = new Set<string>();
  const texts = new WeakMap<SourceFrame, string>();
  const sources = new Map<string, ReadonlyMap<string, Source>>();
  const cover = (directory: string) => void prefixes.add(directory.endsWith('/') ? directory : `${directory}/`);
  if (directory !== undefined) cover(directory);

  function mapOf(file: string): MapOfModule | undefined {
    if (!maps.has(file)) {
      try {
        maps.set(file, readMap(`${file}.map`));
      } catch {
        maps.set(file, undefined);
      }
    }
    return maps.get(file);
  }

  /** Sources of the modules below a folder, by the path that a reader of maps takes them to be at: beside their module. */
  function sourcesBelow(folder: string): ReadonlyMap<string, Source> {
    let found = sources.get(folder);
    if (found === undefined) {
      const pairs = modulesBelow(folder).flatMap((path) =>
        [...(mapOf(join(folder, path))?.texts ?? [])].map(
          ([file, text]) => [join(folder, dirname(path), file), { file, text }] as const,
        ),
      );
      sources.set(folder, (found = new Map(pairs)));
    }
    return found;
  }

  function locate(
    url: string,
    line: number,
    column: number,
  ): { at: SourcePlace; text: string | undefined } | undefined {
    const file = pathOf(url);
    const folder = [...prefixes].find((prefix) => file.startsWith(prefix));
    if (folder === undefined) return undefined;
    if (!file.endsWith('.mjs')) {
      // The stacks of Deno give places of the source already.
      const source = sourcesBelow(folder).get(file);
      return source && { at: { file: source.file, line, column }, text: source.text };
    }
    const map = mapOf(file);
    const found = map?.find(line, column);
    if (found === undefined) return undefined;
    const at = { file: found.source, line: found.line, column: found.column };
    return { at, text: map?.texts.get(at.file) };
  }

  return {
    cover,
    textOf: (frame) => texts.get(frame),
    place: (url, line, column) => locate(url, line, column)?.at,
    frames(error) {
      const known = (error as { sourceFrames?: SourceFrame[] } | null)?.sourceFrames;
      if (known !== undefined) return known;
      const stack = stackOf(error);
      const frames: SourceFrame[] = [];
      for (const line of stack.split('\n')) {
        const parsed = parseFrame(line);
        const found = parsed && (locate(parsed.url, parsed.line, parsed.column) ?? scriptPlace(parsed, projectDir));
        if (found === undefined) continue;
        const frame = { function: readableName(parsed!.name), ...found.at };
        if (found.text !== undefined) texts.set(frame, found.text);
        frames.push(frame);
      }
      return frames;
    },
    mapStack: (stack) =>
      stack
        .split('\n')
        .map((line) => {
          const parsed = parseFrame(line);
          const at = parsed && locate(parsed.url, parsed.line, parsed.column)?.at;
          if (at === undefined) return line;
          const name = readableName(parsed!.name);
          return `    at ${name === undefined ? '' : `${name} `}${at.file}:${at.line}:${at.column}`;
        })
        .join('\n'),
  };
}

function modulesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.mjs'));
  } catch {
    return [];
  }
}

/** A place in a JavaScript file of the project; its text is the file's. */
function scriptPlace({ url, line, column }: RawFrame, projectDir: string | undefined) {
  if (projectDir === undefined) return undefined;
  const file = relative(projectDir, pathOf(url));
  if (file.startsWith('..') || isAbsolute(file) || /(^|\/)(node_modules|\.svc)\//.test(file)) return undefined;
  return { at: { file, line, column }, text: undefined };
}

interface Source {
  /** Relative to the root of the project. */
  readonly file: string;
  readonly text: string;
}

interface MapOfModule {
  readonly find: FindPosition;
  /** Texts the module was compiled from, by path. */
  readonly texts: ReadonlyMap<string, string>;
}

function readMap(file: string): MapOfModule {
  const map = JSON.parse(readFileSync(file, 'utf8'));
  const sources: readonly string[] = map.sources ?? [];
  const texts = sources.flatMap((source, i) => {
    const text: unknown = map.sourcesContent?.[i];
    return typeof text === 'string' ? [[source, text] as const] : [];
  });
  return { find: positionsOf(map), texts: new Map(texts) };
}

interface RawFrame {
  readonly name: string;
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

function parseFrame(line: string): RawFrame | undefined {
  const match = /^\s*at (?:async )?(?:(.*?) \()?((?:file:\/\/)?\/[^()]*?|[A-Za-z]:[^()]*?):(\d+):(\d+)\)?$/.exec(line);
  return match === null
    ? undefined
    : { name: match[1] ?? '', url: match[2]!, line: Number(match[3]), column: Number(match[4]) };
}

function pathOf(url: string): string {
  return url.startsWith('file://') ? fileURLToPath(url.replace(/[?#].*$/, '')) : url;
}

function stackOf(error: unknown): string {
  const stack = typeof error === 'object' && error !== null && 'stack' in error ? error.stack : undefined;
  return typeof stack === 'string' ? stack : '';
}

/** `Greeter.can$greet [as run]` is `Greeter.greet`; generated helpers have no name of their own. */
function readableName(name: string): string | undefined {
  const plain = name
    .replace(/ \[as .*\]$/, '')
    .replace(/^(new|async) /, '')
    .replaceAll('$_', '.');
  const parts = plain.split('.').map((part) => part.replace(/^can\$/, '').replace(/\$\d*$/, ''));
  const kept = parts.filter(
    (part) => part !== '' && part !== 'Object' && part !== 'Module' && part !== '<anonymous>' && !part.startsWith('$'),
  );
  return kept.length === 0 ? undefined : kept.join('.');
}
