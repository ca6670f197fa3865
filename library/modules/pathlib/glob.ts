/** The modules `glob` and `fnmatch`: paths and names by shell patterns. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { functions, type Members } from '../../builtins/module.ts';
import { GeneratorObject } from '../../values/calls/generators.ts';
import { iter } from '../../values/containers/iteration.ts';
import { strOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { filePattern, translated } from './file-pattern.ts';

export function makeGlob(): Members {
  const params = 'pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False';
  return functions('glob', {
    glob: [params, (...args) => [...paths(args)]],
    iglob: [params, (...args) => new GeneratorObject(paths(args))],
    escape: ['pathname', (path) => strOf(path).replace(/[*?[]/g, '[$&]')],
    has_magic: ['s', (text) => isMagic(strOf(text))],
  });
}

export function makeFnmatch(): Members {
  const matches = (name: unknown, pattern: unknown) => filePattern(strOf(pattern)).test(strOf(name));
  return functions('fnmatch', {
    fnmatch: ['name, pat', matches],
    fnmatchcase: ['name, pat', matches],
    filter: ['names, pat', (names, pattern) => [...iter(names)].filter((name) => matches(name, pattern))],
    translate: ['pat', (pattern) => translated(strOf(pattern))],
  });
}

interface Search {
  /** Folder that relative patterns start from, '' for the working directory. */
  readonly base: string;
  readonly recursive: boolean;
  readonly hidden: boolean;
}

function* paths([pathname, root, , recursive, hidden]: readonly unknown[]): Generator<string, undefined> {
  const pattern = strOf(pathname);
  const base = root === undefined || root === null ? '' : strOf(root);
  const search: Search = { base, recursive: truth(recursive), hidden: truth(hidden) };
  const isAbsolute = pattern.startsWith('/');
  const steps = pattern.split('/').filter((step, i, all) => step !== '' || i === all.length - 1);
  if (pattern !== '') yield* below(search, isAbsolute ? '/' : '', steps);
  return undefined;
}

/** `at` as it is written in the results, `''` for where the search begins. */
function* below(search: Search, at: string, [step, ...rest]: readonly string[]): Generator<string, undefined> {
  if (step === undefined) {
    yield at;
    return undefined;
  }
  if (step === '**' && search.recursive) {
    if (rest.length > 0) yield* below(search, at, rest);
    else if (at !== '') yield `${at}/`.replace('//', '/');
    for (const name of namesIn(search, at)) {
      if (isHidden(search, name, step)) continue;
      const path = joined(at, name);
      if (isFolder(search, path)) yield* rest.length === 0 ? tree(search, path) : below(search, path, [step, ...rest]);
      else if (rest.length === 0) yield path;
    }
    return undefined;
  }
  if (!isMagic(step)) {
    const path = joined(at, step);
    if (rest.length > 0 ? isFolder(search, path) : existsSync(join(search.base, path) || '.'))
      yield* below(search, path, rest);
    return undefined;
  }
  for (const name of namesIn(search, at)) {
    if (isHidden(search, name, step) || !filePattern(step).test(name)) continue;
    const path = joined(at, name);
    if (rest.length === 0 || isFolder(search, path)) yield* below(search, path, rest);
  }
  return undefined;
}

/** A folder and everything in it. */
function* tree(search: Search, at: string): Generator<string, undefined> {
  yield at;
  for (const name of namesIn(search, at)) {
    if (isHidden(search, name, '**')) continue;
    const path = joined(at, name);
    if (isFolder(search, path)) yield* tree(search, path);
    else yield path;
  }
  return undefined;
}

function joined(at: string, name: string): string {
  return at === '' || at.endsWith('/') ? at + name : `${at}/${name}`;
}

function namesIn({ base }: Search, at: string): readonly string[] {
  try {
    return readdirSync(join(base, at) || '.');
  } catch {
    // A folder that cannot be read has no matches.
    return [];
  }
}

function isFolder({ base }: Search, path: string): boolean {
  return statSync(join(base, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isHidden({ hidden }: Search, name: string, step: string): boolean {
  return name.startsWith('.') && !hidden && !step.startsWith('.');
}

function isMagic(text: string): boolean {
  return /[*?[]/.test(text);
}
