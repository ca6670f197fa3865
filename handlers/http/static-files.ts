/**
 * Files for browsers, as they are (docs/server/client-pages.md#files): the folder `public_dir`, and under `/static/`
 * what the client build makes too.
 */

import type { MaybePromise } from '../../base/maybe-promise.ts';
import { knownTypeOf, mediaTypeOf } from '../../base/media-types.ts';
import type { Call } from '../call.ts';
import { type Answer, answer, type RouteContext } from '../routes.ts';
import type { ClientPages } from './client/pages.ts';
import { hasTag } from './etag.ts';
import { type ByteRange, readRange } from './read-range.ts';

/** A file that is there. */
export interface StaticFile {
  readonly kind: 'file';
  readonly size: number;
  readonly modifiedMs: number;
  /** Differs whenever the contents do. */
  readonly version: string;
  /** Bytes from `start`, `end` exclusive. Nothing is opened before it is read. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

/**
 * Looks for a path below a folder, given as decoded names without dots in front; undefined where there is nothing, or something outside of the
 * folder. Folders are told by their kind.
 */
export type StaticFolder = (names: readonly string[]) => Promise<StaticFile | { readonly kind: 'folder' } | undefined>;

export interface StaticFilesOptions {
  readonly publicFolder: StaticFolder;
  /** Output of the client build. */
  readonly builtFolder: StaticFolder;
  /** Files that builds of other versions made, for pages that were loaded before this one served; absent where nothing keeps them. */
  readonly otherBuilds?: StaticFolder | undefined;
  /** Paths that name no file give the start page, to those who want a page. */
  readonly spaFallback: boolean;
  /** Built files carry a digest in their names, so they never change. */
  readonly isProduction: boolean;
  /** Folder `assets/` of the project, served under `/static/assets/`, and under `/static/`, `/assets/` and `/compiled/assets/` where nothing else is. */
  readonly assetsFolder?: StaticFolder;
  /** Path that the addresses of the application stand below; '' at the root of its host. */
  readonly prefix: string;
  /** Pages of the client application; absent when the program has none. */
  readonly client?: ClientPages | undefined;
}

/** Answers what nothing else does; undefined: there is no such file. Only GET and HEAD come here. */
export function createStaticFiles(
  options: StaticFilesOptions,
): (context: RouteContext) => MaybePromise<Answer | undefined> {
  const { publicFolder, builtFolder, otherBuilds, assetsFolder, spaFallback, isProduction, prefix, client } = options;

  return async ({ call }) => {
    const names = namesOf(call.path);
    if (names === undefined) return undefined;
    const [first, ...below] = names;
    if (first === 'static' && below.length > 0) {
      const now = (await inBuilt(call, below)) ?? (await inPublic(call, below)) ?? (await inAssets(call, below));
      if (now !== undefined || otherBuilds === undefined || !isDigested(below.at(-1)!)) return now;
      return await inFolder(otherBuilds, call, below, true);
    }
    if (client !== undefined) {
      if (names.length === 0) return await client.start(call);
      if (first === 'cl' && below.length === 1) return await client.component(call, below[0]!);
    }
    const found = (await inPublic(call, names)) ?? (await inAssets(call, belowAssets(names)));
    if (found !== undefined) return found;
    // Every browser asks for it.
    if (client !== undefined && names[0] === 'favicon.ico') return none();
    const isPage = wantsPage(call) && names[0] !== 'static' && (!isFileName(names) || client?.has(names) === true);
    return spaFallback && isPage ? await startPage(call) : undefined;
  };

  async function inBuilt(call: Call, names: readonly string[]): Promise<Answer | undefined> {
    if (names[0] === 'assets') {
      const asset = await inAssets(call, names.slice(1));
      if (asset !== undefined) return asset;
    }
    const isEntry = names.length === 1 && names[0] === 'client.js' && client?.entry !== undefined;
    const path = isEntry ? client.entry!.split('/').slice(-1) : names;
    const isForever = !isEntry && (isProduction || client !== undefined) && isDigested(path.at(-1)!);
    return await inFolder(builtFolder, call, path, isForever);
  }

  async function inAssets(call: Call, names: readonly string[]): Promise<Answer | undefined> {
    const found = names.length === 0 ? undefined : await assetsFolder?.(names);
    return found?.kind === 'file' ? fileAnswer(call, names, found, false) : undefined;
  }

  async function inPublic(call: Call, names: readonly string[]): Promise<Answer | undefined> {
    const found = await publicFolder(names);
    if (found?.kind === 'file') return call.path.endsWith('/') ? undefined : fileAnswer(call, names, found, false);
    if (found === undefined) return undefined;
    const index = await publicFolder([...names, 'index.html']);
    if (index?.kind !== 'file') return undefined;
    // Addresses in the page count from the folder.
    if (!call.path.endsWith('/')) return moved(call, prefix);
    return fileAnswer(call, ['index.html'], index, false);
  }

  async function startPage(call: Call): Promise<Answer | undefined> {
    if (client !== undefined) return await client.start(call);
    const index = await publicFolder(['index.html']);
    return index?.kind === 'file' ? fileAnswer(call, ['index.html'], index, false) : undefined;
  }
}

/** Paths below `assets/` that programs write otherwise: below the folder itself, and where the language's other bundler has it. Nothing is below other paths. */
function belowAssets(names: readonly string[]): readonly string[] {
  const at = names[0] === 'compiled' ? 1 : 0;
  return names[at] === 'assets' ? names.slice(at + 1) : [];
}

/** A file of a build, as the copy that takes less bytes where there is one that the browser reads. */
async function inFolder(
  folder: StaticFolder,
  call: Call,
  names: readonly string[],
  isForever: boolean,
): Promise<Answer | undefined> {
  const plain = await folder(names);
  if (plain?.kind !== 'file') return undefined;
  if (!isPacked(names.at(-1)!)) return fileAnswer(call, names, plain, isForever);
  for (const [coding, ending] of codings) {
    if (!accepts(call.header('accept-encoding'), coding)) continue;
    const packed = await folder([...names.slice(0, -1), `${names.at(-1)}.${ending}`]);
    if (packed?.kind === 'file') return fileAnswer(call, names, packed, isForever, coding);
  }
  return fileAnswer(call, names, plain, isForever, '');
}

/** Undefined for a path that names nothing: it is decoded once, and no name may be empty or begin with a dot. */
function namesOf(path: string): readonly string[] | undefined {
  const decoded = decode(path);
  if (decoded === undefined || /[\0\\]/.test(decoded) || !decoded.startsWith('/')) return undefined;
  const names = decoded.slice(1).replace(/\/$/, '').split('/');
  if (names.length === 1 && names[0] === '') return [];
  return names.some((name) => name === '' || name.startsWith('.')) ? undefined : names;
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function wantsPage(call: Call): boolean {
  return /\btext\/html\b/i.test(call.header('accept') ?? '');
}

/** `/users/ann.smith` and `/versions/1.2` are addresses of the router; `/assets/x.js` is a file that is missing. */
function isFileName(names: readonly string[]): boolean {
  return knownTypeOf(names.at(-1) ?? '') !== undefined;
}

/** Tells names of files that never change: `client.3f2a9c1b.js`. */
export function isDigested(name: string): boolean {
  return /[.-][0-9a-z_-]{8,}\.\w+$/i.test(name) && /\d/.test(name);
}

const codings = [
  ['br', 'br'],
  ['gzip', 'gz'],
] as const;

/** Kinds of files that a build may leave packed copies of. */
function isPacked(name: string): boolean {
  return /\.(js|css|html|svg|json|txt|xml|wasm|webmanifest|ttf|otf)$/.test(name);
}

/** `gzip, br;q=0` takes `gzip` alone. */
function accepts(header: string | undefined, coding: string): boolean {
  return (header ?? '').split(',').some((entry) => {
    const [name, ...parameters] = entry.trim().split(/\s*;\s*/);
    return name?.toLowerCase() === coding && !parameters.some((one) => /^q=0(\.0*)?$/i.test(one));
  });
}

function none(): Answer {
  return answer({
    status: 204,
    raw: { contentType: undefined, body: undefined },
    headers: ['Cache-Control', 'max-age=3600'],
  });
}

function moved({ path, query }: Call, prefix: string): Answer {
  const location = `${prefix}${path}/${query === '' ? '' : `?${query}`}`;
  return answer({ status: 301, raw: { contentType: undefined, body: undefined }, headers: ['Location', location] });
}

const wholeBytes = 65_536;

async function fileAnswer(
  call: Call,
  names: readonly string[],
  file: StaticFile,
  isForever: boolean,
  /** Content coding of the bytes; '' for a file that other callers would get packed. */
  coding?: string,
): Promise<Answer> {
  const etag = `"${file.version}"`;
  const modified = new Date(Math.floor(file.modifiedMs / 1000) * 1000).toUTCString();
  const cacheControl = isForever ? 'public, max-age=31536000, immutable' : 'no-cache';
  const headers = ['ETag', etag, 'Last-Modified', modified, 'Cache-Control', cacheControl, 'Accept-Ranges', 'bytes'];
  if (coding !== undefined) headers.push('Vary', 'Accept-Encoding');
  if (coding !== undefined && coding !== '') headers.push('Content-Encoding', coding);
  if (isUnchanged(call, etag, file.modifiedMs))
    return answer({ status: 304, raw: { contentType: undefined, body: undefined }, headers });
  const contentType = mediaTypeOf(names.at(-1)!);
  const range = wantedRange(call, file, etag, modified);
  if (range === 'none') {
    const refused = [...headers, 'Content-Range', `bytes */${file.size}`];
    return answer({ status: 416, raw: { contentType: undefined, body: undefined }, headers: refused });
  }
  const { start, end } = range ?? { start: 0, end: file.size };
  const partial = range === undefined ? [] : ['Content-Range', `bytes ${start}-${end - 1}/${file.size}`];
  const status = range === undefined ? 200 : 206;
  if (call.method !== 'HEAD' && end - start <= wholeBytes) {
    const body = await collect(file.read(start, end));
    return answer({ status, raw: { contentType, body }, headers: [...headers, ...partial] });
  }
  const length = ['Content-Length', String(end - start)];
  const body = file.read(start, end);
  return answer({ status, raw: { contentType, body }, headers: [...length, ...headers, ...partial] });
}

/** The client's copy is compared by its tag; by its time only where the client sent no tag. */
function isUnchanged(call: Call, etag: string, modifiedMs: number): boolean {
  const tags = call.header('if-none-match');
  if (tags !== undefined) return hasTag(tags, etag);
  const since = Date.parse(call.header('if-modified-since') ?? '');
  return Math.floor(modifiedMs / 1000) * 1000 <= since;
}

/** Undefined: all of it; `none`: no such part. A part of another version is not sent. */
function wantedRange(call: Call, { size }: StaticFile, etag: string, modified: string): ByteRange | 'none' | undefined {
  const condition = call.header('if-range');
  if (condition !== undefined && condition !== etag && condition !== modified) return undefined;
  return readRange(call.header('range'), size);
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}
