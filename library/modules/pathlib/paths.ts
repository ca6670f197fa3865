/** Module `os.path` and the path functions others need. */
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import * as path from 'node:path';
import { functions, type Members } from '../../builtins/module.ts';
import { pathOf } from '../../builtins/path-of.ts';
import { nodeOs } from '../../node-parts.ts';
import { caught } from '../../values/calls/raise.ts';
import { itemsOf } from '../../values/containers/iteration.ts';
import { tuple } from '../../values/containers/tuple.ts';
import { TypeError, ValueError } from '../../values/objects/exceptions.ts';

/** The text of a path. @throws TypeError */
export function textPath(x: unknown): string {
  const found = pathOf(x);
  if (typeof found !== 'string') throw new TypeError(`expected str, bytes or os.PathLike object, not int`);
  return found;
}

/** Runs a file system call; its errors become exceptions of the language. */
export function system<T>(run: () => T): T {
  try {
    return run();
  } catch (e) {
    throw caught(e);
  }
}

function attempt<T>(run: () => T, fallback: T): T {
  try {
    return run();
  } catch {
    return fallback;
  }
}

/** Python's join: an absolute part starts over. */
export function join(first: unknown, rest: readonly unknown[]): string {
  let result = textPath(first);
  for (const part of rest) {
    const text = textPath(part);
    if (text.startsWith('/')) result = text;
    else result = result === '' || result.endsWith('/') ? result + text : `${result}/${text}`;
  }
  return result;
}

export function splitPath(x: unknown): [string, string] {
  const text = textPath(x);
  const at = text.lastIndexOf('/') + 1;
  const head = text.slice(0, at);
  return [/^\/*$/.test(head) ? head : head.replace(/\/+$/, ''), text.slice(at)];
}

export function splitext(x: unknown): [string, string] {
  const text = textPath(x);
  const name = text.slice(text.lastIndexOf('/') + 1);
  const lead = /^\.*/.exec(name)![0].length;
  const dot = name.lastIndexOf('.');
  if (dot < lead || dot <= 0) return [text, ''];
  const at = text.length - name.length + dot;
  return [text.slice(0, at), text.slice(at)];
}

export function expanduser(x: unknown): string {
  const text = textPath(x);
  return text === '~' || text.startsWith('~/') ? nodeOs().homedir() + text.slice(1) : text;
}

function expandvars(x: unknown): string {
  return textPath(x).replace(/\$(?:(\w+)|\{(\w+)\})/g, (all, bare, braced) => process.env[bare ?? braced] ?? all);
}

export function normpath(x: unknown): string {
  const text = textPath(x);
  if (text === '') return '.';
  const done = path.posix.normalize(text);
  return done.length > 1 ? done.replace(/\/$/, '') : done;
}

function commonprefix(items: unknown): string {
  const texts = itemsOf(items) as string[];
  if (texts.length === 0) return '';
  let prefix = texts[0]!;
  for (const text of texts) while (!text.startsWith(prefix)) prefix = prefix.slice(0, -1);
  return prefix;
}

function commonpath(items: unknown): string {
  const paths = itemsOf(items).map(textPath);
  if (paths.length === 0) throw new ValueError('commonpath() arg is an empty sequence');
  const isRooted = paths[0]!.startsWith('/');
  if (paths.some((path) => path.startsWith('/') !== isRooted))
    throw new ValueError("Can't mix absolute and relative paths");
  const parts = paths.map((path) => path.split('/').filter((part) => part !== '' && part !== '.'));
  const first = parts[0]!;
  let size = 0;
  while (size < first.length && parts.every((one) => one[size] === first[size])) size += 1;
  return (isRooted ? '/' : '') + first.slice(0, size).join('/');
}

const stat = (x: unknown) => system(() => statSync(textPath(x)));

export function makePath(): Members {
  return {
    sep: '/',
    pathsep: ':',
    curdir: '.',
    pardir: '..',
    extsep: '.',
    altsep: null,
    defpath: '/bin:/usr/bin',
    devnull: '/dev/null',
    ...functions('posixpath', {
      abspath: ['path', (x: unknown) => path.resolve(textPath(x))],
      basename: ['p', (x: unknown) => splitPath(x)[1]],
      commonpath: ['paths', commonpath],
      commonprefix: ['m', commonprefix],
      dirname: ['p', (x: unknown) => splitPath(x)[0]],
      exists: ['path', (x: unknown) => attempt(() => existsSync(textPath(x)), false)],
      expanduser: ['path', expanduser],
      expandvars: ['path', expandvars],
      getatime: ['filename', (x: unknown) => stat(x).atimeMs / 1000],
      getctime: ['filename', (x: unknown) => stat(x).ctimeMs / 1000],
      getmtime: ['filename', (x: unknown) => stat(x).mtimeMs / 1000],
      getsize: ['filename', (x: unknown) => stat(x).size],
      isabs: ['s', (x: unknown) => textPath(x).startsWith('/')],
      isdir: ['s', (x: unknown) => attempt(() => statSync(textPath(x)).isDirectory(), false)],
      isfile: ['path', (x: unknown) => attempt(() => statSync(textPath(x)).isFile(), false)],
      islink: ['path', (x: unknown) => attempt(() => lstatSync(textPath(x)).isSymbolicLink(), false)],
      ismount: ['path', (x: unknown) => textPath(x) === '/'],
      join: ['a, /, *p', (first: unknown, rest: readonly unknown[] = []) => join(first, rest)],
      lexists: ['path', (x: unknown) => attempt(() => lstatSync(textPath(x)) !== undefined, false)],
      normcase: ['s', textPath],
      normpath: ['path', normpath],
      realpath: [
        'filename, *, strict=False',
        (x: unknown) => attempt(() => realpathSync(textPath(x)), path.resolve(textPath(x))),
      ],
      relpath: [
        'path, start=None',
        (x: unknown, start: unknown) =>
          path.relative(start === undefined || start === null ? process.cwd() : textPath(start), textPath(x)) || '.',
      ],
      samefile: ['f1, f2', (a: unknown, b: unknown) => stat(a).ino === stat(b).ino && stat(a).dev === stat(b).dev],
      split: ['p', (x: unknown) => tuple(...splitPath(x))],
      splitdrive: ['p', (x: unknown) => tuple('', textPath(x))],
      splitext: ['p', (x: unknown) => tuple(...splitext(x))],
    }),
  };
}
