/**
 * The declarations that a project's JavaScript imports lead to (decisions/0160). Files are read when a name of theirs is asked for, through the
 * same port as sources: who records what was read knows what a compilation depends on.
 */
import type { ProjectFiles } from '../project/files.ts';
import { dirName } from '../project/paths.ts';
import { isNodeModule } from '../project/standard-modules.ts';
import type { Block, Entry } from './block.ts';
import { findDeclarations, ofFile } from './find-declarations.ts';
import { nodeDeclarations } from './node-modules.ts';
import { readBlock } from './read-block.ts';

/** A text and the block around a name in it: where what is written in it is looked up. */
export interface Home {
  readonly block: Block;
  /** Block around a namespace or `declare module`; undefined: a file. */
  readonly parent: Home | undefined;
  /** The body before this one, of a module that is declared in several. */
  readonly earlier?: Home;
  /** Path of the file; `node:…` for the table of Node's own modules. */
  readonly path: string;
  /** Directory of the file. */
  readonly dir: string;
  /** Written for this program: nobody else can add to what it declares. */
  readonly isOwn: boolean;
}

export interface Declarations {
  /** A module that `.svc` code imports: the path of a file, a package or a module of Node. */
  ofImport(specifier: string): Home | undefined;
  /** A module that declarations import. */
  ofModule(specifier: string, from: Home): Home | undefined;
  /** The block of a namespace. */
  ofNamespace(entry: Entry, home: Home): Home | undefined;
}

export function createDeclarations(files: ProjectFiles, root: string): Declarations {
  const homes = new Map<string, Home | undefined>();
  const inner = new Map<Entry, Home | undefined>();
  const bodies = new Map<Entry, Home | undefined>();
  const found = new Map<string, Home | undefined>();

  const ofPath = (path: string): Home | undefined => {
    if (!homes.has(path)) homes.set(path, readHome(path, files.readFile(path)));
    return homes.get(path);
  };
  const ofNamespace = (entry: Entry, home: Home): Home | undefined => {
    if (!inner.has(entry)) {
      const block = readBlock(home.block.text, entry.start, entry.end, home.block.isAmbient);
      inner.set(entry, block && { block, parent: home, path: home.path, dir: home.dir, isOwn: home.isOwn });
    }
    return inner.get(entry);
  };
  /** A file with `declare module 'x'` for the module asked for. */
  const within = (specifier: string, home: Home | undefined): Home | undefined => {
    const name = specifier.replace(/^node:/, '');
    const entries = home?.block.modules.get(specifier) ?? home?.block.modules.get(name) ?? [];
    let all: Home | undefined;
    for (const entry of entries) {
      if (!bodies.has(entry)) {
        const one = ofNamespace(entry, home!);
        bodies.set(entry, one && all && entry !== entries[0] ? { ...one, parent: all, earlier: all } : (one ?? all));
      }
      all = bodies.get(entry);
    }
    return all;
  };
  const ofSpecifier = (specifier: string, dir: string): Home | undefined => {
    const path = findDeclarations(specifier, dir, files);
    const home = path === undefined ? undefined : ofPath(path);
    if (!isNodeModule(specifier)) return within(specifier, home) ?? home;
    if (path !== undefined) return within(specifier, home);
    const name = specifier.replace(/^node:/, '');
    const text = nodeDeclarations(name);
    return text === undefined ? undefined : readHome(`node:${name}.d.ts`, text);
  };
  const remember = (key: string, find: () => Home | undefined): Home | undefined => {
    if (!found.has(key)) found.set(key, find());
    return found.get(key);
  };
  return {
    ofImport(specifier) {
      return remember(specifier, () => {
        const path = /\.[mc]?[jt]s$/.test(specifier) ? ofFile(specifier, files) : undefined;
        return path === undefined ? ofSpecifier(specifier, root) : ofPath(path);
      });
    },
    ofModule(specifier, from) {
      let top = from;
      while (top.parent !== undefined) top = top.parent;
      return within(specifier, top) ?? remember(`${from.dir}\n${specifier}`, () => ofSpecifier(specifier, from.dir));
    },
    ofNamespace,
  };
}

/** Characters. Larger texts are written by machines, mostly overloads by the thousand, and would hold up a start. */
const largest = 500_000;

function readHome(path: string, text: string | undefined): Home | undefined {
  if (text === undefined || text.length > largest) return undefined;
  const block = readBlock(text, 0, text.length, /\.d\.[mc]?ts$/.test(path));
  return (
    block && { block, parent: undefined, path, dir: dirName(path), isOwn: !/(^|\/)node_modules\/|^node:/.test(path) }
  );
}
