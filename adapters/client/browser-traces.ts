/** Stacks of browsers in places of the author's files, by the maps that a build leaves beside its files. */
import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapping } from 'node:module';
import { join, relative, resolve } from 'node:path';
import type { Config } from '../../core/config/config.ts';
import type { MappedStack } from '../../handlers/http/client/error-route.ts';
import { mapsName } from './built-client.ts';

export interface BrowserFrame {
  readonly function: string | undefined;
  /** Path of the address, without its query. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

const mostFrames = 30;

/** Frames of the forms that Chromium, Firefox and WebKit write. */
export function browserFrames(stack: string): readonly BrowserFrame[] {
  const frames: BrowserFrame[] = [];
  for (const line of stack.split('\n')) {
    const found = /^\s*(?:at )?(?:(.*?)(?: \(|@))?\(?https?:\/\/[^/\s]+(\/[^\s?#)]*)[^\s)]*?:(\d+):(\d+)\)?\s*$/.exec(
      line,
    );
    if (found === null) continue;
    const [, name = '', path = '', row = '', column = ''] = found;
    frames.push({ function: name.trim() || undefined, path, line: Number(row), column: Number(column) });
    if (frames.length === mostFrames) break;
  }
  return frames;
}

export function browserTraces({
  client,
  projectDir,
}: Pick<Config, 'client' | 'projectDir'>): (stack: string) => MappedStack {
  const directory = resolve(projectDir, client.outDir, mapsName);
  const maps = new Map<string, SourceMap>();
  const mapOf = (name: string) => {
    const known = maps.get(name) ?? readMap(join(directory, `${name}.map`));
    if (known !== undefined) maps.set(name, known);
    return known;
  };
  return (stack) => ({
    frames: browserFrames(stack).flatMap((frame) => {
      const name = /\/static\/([\w.-]+)$/.exec(frame.path)?.[1];
      const found = name === undefined ? undefined : mapOf(name)?.findEntry(frame.line - 1, frame.column - 1);
      if (found === undefined || !isMapped(found)) return [];
      const place = ownPlace(resolve(directory, '..', found.originalSource), projectDir);
      if (place === undefined) return [];
      return [
        { function: frame.function, file: place, line: found.originalLine + 1, column: found.originalColumn + 1 },
      ];
    }),
  });
}

function isMapped(found: ReturnType<SourceMap['findEntry']>): found is SourceMapping {
  // Code that the bundler adds has no source.
  return 'originalSource' in found && typeof found.originalSource === 'string';
}

/** Path from the project root, undefined for files that are not the author's. */
export function ownPlace(file: string, projectDir: string): string | undefined {
  const path = relative(projectDir, file);
  return path.startsWith('..') || path.includes('node_modules/') ? undefined : path;
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
