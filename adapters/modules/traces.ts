import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A place in application source. Line and column count from 1. */
export interface SourcePlace {
  /** As the compiler shows it: relative to the project root. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface TraceFrame extends SourcePlace {
  /** Name of the function; undefined at module level. */
  readonly function: string | undefined;
}

/** Turns positions in generated modules into positions of their source. Maps are read when first needed. */
export interface Traces {
  /** Calls in application code, innermost first; those of the runtime and of Node are left out. */
  frames(error: unknown): TraceFrame[];
  /** A stack text with generated places replaced by those in the source. */
  mapStack(stack: string): string;
  place(url: string, line: number, column: number): SourcePlace | undefined;
}

/** `directory` holds the modules and, beside each, its map. */
export function createTraces(directory: string): Traces {
  const maps = new Map<string, SourceMap | undefined>();
  const prefix = directory.endsWith('/') ? directory : `${directory}/`;

  function mapOf(file: string): SourceMap | undefined {
    if (!maps.has(file)) {
      try {
        maps.set(file, new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8'))));
      } catch {
        maps.set(file, undefined);
      }
    }
    return maps.get(file);
  }

  function place(url: string, line: number, column: number): SourcePlace | undefined {
    const file = pathOf(url);
    if (!file.startsWith(prefix)) return undefined;
    const found = mapOf(file)?.findEntry(line - 1, Math.max(0, column - 1));
    // Before the first entry of a line the last one of an earlier line is given.
    if (found === undefined || !('originalSource' in found) || found.generatedLine !== line - 1) return undefined;
    return { file: found.originalSource, line: found.originalLine + 1, column: found.originalColumn + 1 };
  }

  return {
    place,
    frames(error) {
      const known = (error as { sourceFrames?: TraceFrame[] } | null)?.sourceFrames;
      if (known !== undefined) return known;
      const stack = stackOf(error);
      const frames: TraceFrame[] = [];
      for (const line of stack.split('\n')) {
        const parsed = parseFrame(line);
        const at = parsed && place(parsed.url, parsed.line, parsed.column);
        if (at !== undefined) frames.push({ ...at, function: readableName(parsed!.name) });
      }
      return frames;
    },
    mapStack: (stack) =>
      stack
        .split('\n')
        .map((line) => {
          const parsed = parseFrame(line);
          const at = parsed && place(parsed.url, parsed.line, parsed.column);
          if (at === undefined) return line;
          const name = readableName(parsed!.name);
          return `    at ${name === undefined ? '' : `${name} `}${at.file}:${at.line}:${at.column}`;
        })
        .join('\n'),
  };
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
