/** Call stacks as programs may see them: frames of the program, without those of the runtime and of Node. */
import { setTracedCalls } from './traceback-object.ts';

export interface Frame {
  readonly file: string;
  readonly line: number;
  readonly name: string;
}

const runtimeUrls = runtimeFolders(import.meta.url);
const runtimePlaces = [...runtimeUrls, ...runtimeUrls.map((url) => decodeURIComponent(new URL(url).pathname))];

/** Folders below which code is the runtime's own: two rooms of the sources, or the one of the bundle it is part of. */
function runtimeFolders(self: string): string[] {
  if (!self.endsWith('/library/values/calls/stack-frames.ts')) return [new URL('./', self).href];
  return ['../../', '../../../core/'].map((folder) => new URL(folder, self).href);
}

/**
 * Gives the place in the source of a place in a compiled module; undefined for other code. Line and column count from
 * 1.
 */
export type PlaceOf = (
  file: string,
  line: number,
  column: number,
) => { readonly file: string; readonly line: number } | undefined;

setTracedCalls(framesOf);

let placeOf: PlaceOf | undefined;

/** Makes frames name the source instead of what it was compiled to. The host knows the source maps. */
export function setPlaces(find: PlaceOf): void {
  placeOf = find;
}

/** The frames of a JavaScript stack text, innermost first. */
export function framesOf(stack: unknown): Frame[] {
  if (typeof stack !== 'string') return [];
  const frames: Frame[] = [];
  for (const line of stack.split('\n')) {
    const found = /^\s+at (?:async )?(?:(.+?) \()?([^()]+?):(\d+):(\d+)\)?$/.exec(line);
    if (found === null || isRuntime(found[2]!)) continue;
    const at = placeOf?.(found[2]!, Number(found[3]), Number(found[4]));
    // Frames of code that the compiler added have no place in the source.
    if (at === undefined && placeOf !== undefined && found[2]!.includes('/.svc/cache/')) continue;
    frames.push({ ...(at ?? { file: plainPath(found[2]!), line: Number(found[3]) }), name: functionName(found[1]) });
  }
  return frames;
}

/** Gives the place at which the program is now; undefined when only the runtime is running. */
export function callerFrame(): Frame | undefined {
  return framesOf(new Error().stack)[0];
}

function isRuntime(file: string): boolean {
  if (file.startsWith('node:') || file === '<anonymous>' || file.includes('/node_modules/')) return true;
  if (file.endsWith('/bin/svc.mjs')) return true;
  if (file.endsWith('.test.ts')) return false;
  return runtimePlaces.some((folder) => file.startsWith(folder));
}

function plainPath(file: string): string {
  const path = file.startsWith('file://') ? decodeURIComponent(new URL(file).pathname) : file;
  return path.replace(/\?.*$/, '');
}

// `new Task`, `Walk.can$go`, `Object.main`: the last part is what the program calls it.
function functionName(shown: string | undefined): string {
  if (shown === undefined) return '<module>';
  const bare = shown
    .replace(/ \[as .*\]$/, '')
    .replace(/^new /, '')
    .replaceAll('$_', '.');
  const last = bare.slice(bare.lastIndexOf('.') + 1).replace(/^can\$/, '');
  if (last === '$init') return '<module>';
  // A function with a number of the compiler is an `async def`.
  if (/^[^$]+\$\d+$/.test(last)) return last.replace(/\$\d+$/, '');
  return last === '<anonymous>' || last === '' ? '<lambda>' : last;
}
