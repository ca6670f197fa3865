/** Module `shutil`. */
import * as fs from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { functions, type Members } from '../../builtins/module.ts';
import { makeNamedTuple } from '../../builtins/namedtuple.ts';
import * as disk from '../../disk.ts';
import { call } from '../../values/calls/calls.ts';
import { caught } from '../../values/calls/raise.ts';
import { native } from '../../values/calls/signature.ts';
import { toArray } from '../../values/containers/iteration.ts';
import { len } from '../../values/containers/length.ts';
import { PySet } from '../../values/containers/sets.ts';
import { tuple } from '../../values/containers/tuple.ts';
import { FileExistsError, nameException, OSError } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { truth } from '../../values/objects/truth.ts';
import { quote } from '../../values/text/string-repr.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import { TerminalSize } from '../os.ts';
import { filePattern } from '../pathlib/file-pattern.ts';
import { system, textPath } from '../pathlib/paths.ts';
import { archives } from './archives.ts';

class ShutilError extends OSError {}
class SameFileError extends ShutilError {}
nameException(ShutilError, 'Error', 'shutil');
nameException(SameFileError, 'SameFileError', 'shutil');

const Usage = makeNamedTuple('usage', ['total', 'used', 'free'], { module: 'shutil' });

const isFolder = (path: string): boolean => fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
const inFolder = (from: string, to: string): string => (isFolder(to) ? join(to, basename(from)) : to);

/** Copies what a file contains; gives the target as it was written. */
function copyfile(source: unknown, target: unknown): unknown {
  const [from, to] = [textPath(source), textPath(target)];
  const [a, b] = [system(() => fs.statSync(from)), fs.statSync(to, { throwIfNoEntry: false })];
  if (b !== undefined && a.dev === b.dev && a.ino === b.ino)
    throw new SameFileError(`${quote(from)} and ${quote(to)} are the same file`);
  system(() => {
    // Errors name the file that cannot be used, as opening it does.
    fs.closeSync(disk.openSync(from, 'r'));
    if (a.isDirectory()) throw Object.assign(new Error('is a directory'), { code: 'EISDIR', path: from });
    disk.writeFileSync(to, fs.readFileSync(from));
  });
  return target;
}

function copymode(source: unknown, target: unknown): null {
  system(() => disk.chmodSync(textPath(target), fs.statSync(textPath(source)).mode & 0o7777));
  return null;
}

function copystat(source: unknown, target: unknown): null {
  copymode(source, target);
  system(() => {
    const { atime, mtime } = fs.statSync(textPath(source));
    disk.utimesSync(textPath(target), atime, mtime);
  });
  return null;
}

function copy(source: unknown, target: unknown): unknown {
  const from = textPath(source);
  const to = inFolder(from, textPath(target));
  copyfile(from, to);
  copymode(from, to);
  return to === textPath(target) ? target : to;
}

function copy2(source: unknown, target: unknown): unknown {
  const from = textPath(source);
  const to = inFolder(from, textPath(target));
  copyfile(from, to);
  copystat(from, to);
  return to === textPath(target) ? target : to;
}

interface TreeOptions {
  readonly symlinks: boolean;
  readonly ignore: unknown;
  readonly copy: (from: string, to: string) => unknown;
  readonly mayExist: boolean;
}

function copytree(from: string, to: string, options: TreeOptions): string {
  const entries = system(() => fs.readdirSync(from, { withFileTypes: true }));
  const ignored =
    options.ignore === undefined || options.ignore === null
      ? []
      : toArray(
          call(
            options.ignore,
            from,
            entries.map((entry) => entry.name),
          ),
        );
  if (fs.existsSync(to) && !options.mayExist) throw new FileExistsError(17, 'File exists', to);
  system(() => disk.mkdirSync(to, { recursive: true }));
  for (const entry of entries) {
    if (ignored.includes(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink() && options.symlinks) system(() => disk.symlinkSync(fs.readlinkSync(source), target));
    else if (isFolder(source)) copytree(source, target, options);
    else options.copy(source, target);
  }
  copystat(from, to);
  return to;
}

function rmtree(path: unknown, ignoreErrors?: unknown, onerror?: unknown, onexc?: unknown): null {
  const target = textPath(path);
  try {
    system(() => {
      const found = fs.lstatSync(target);
      if (found.isSymbolicLink()) throw new OSError('Cannot call rmtree on a symbolic link');
      if (!found.isDirectory()) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR', path: target });
      disk.rmSync(target, { recursive: true });
    });
  } catch (e: any) {
    if (truth(ignoreErrors)) return null;
    const handler = onexc ?? undefined;
    if (handler !== undefined) call(handler, disk.rmSync, target, e);
    else if (onerror !== undefined && onerror !== null)
      call(onerror, disk.rmSync, target, tuple(e.constructor, e, null));
    else throw e;
  }
  return null;
}

function move(source: unknown, target: unknown): unknown {
  const from = textPath(source).replace(/(?<=.)\/+$/, '');
  let to = textPath(target);
  if (isFolder(to)) {
    to = join(to, basename(from));
    if (fs.existsSync(to)) throw new ShutilError(`Destination path '${to}' already exists`);
  }
  try {
    disk.renameSync(from, to);
  } catch (e: any) {
    if (e.code !== 'EXDEV') throw caught(e);
    if (isFolder(from)) copytree(from, to, { symlinks: true, ignore: undefined, copy: copy2, mayExist: false });
    else copy2(from, to);
    system(() => disk.rmSync(from, { recursive: true }));
  }
  return to === textPath(target) ? target : to;
}

/** The path of a program, as a shell would find it. */
export function which(command: unknown, _mode?: unknown, path?: unknown): string | null {
  const name = textPath(command);
  const usable = (file: string): boolean => {
    try {
      fs.accessSync(file, fs.constants.X_OK);
      return !isFolder(file);
    } catch {
      return false;
    }
  };
  if (dirname(name) !== '.' || name.startsWith('./')) return usable(name) ? name : null;
  for (const folder of (textOf(path) ?? process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, name);
    if (folder !== '' && usable(file)) return file;
  }
  return null;
}

function ignorePatterns(patterns: unknown[]): unknown {
  return native('_ignore_patterns', 'path, names', (_path: unknown, names: unknown) => {
    const matched = toArray(names).filter((name) =>
      patterns.some((pattern) => filePattern(textOf(pattern) ?? '').test(String(name))),
    );
    return new PySet(matched);
  });
}

export function makeShutil(): Members {
  return {
    ...archives,
    Error: ShutilError,
    SameFileError,
    ...functions('shutil', {
      copy: ['src, dst, *, follow_symlinks=True', copy],
      copy2: ['src, dst, *, follow_symlinks=True', copy2],
      copyfile: ['src, dst, *, follow_symlinks=True', copyfile],
      copyfileobj: [
        'fsrc, fdst, length=0',
        (from: unknown, to: unknown) => {
          for (;;) {
            const part = callMethod(from, 'read', 65_536);
            if (len(part) === 0) return null;
            callMethod(to, 'write', part);
          }
        },
      ],
      copymode: ['src, dst, *, follow_symlinks=True', copymode],
      copystat: ['src, dst, *, follow_symlinks=True', copystat],
      copytree: [
        'src, dst, symlinks=False, ignore=None, copy_function=None, ignore_dangling_symlinks=False, dirs_exist_ok=False',
        (
          src: unknown,
          dst: unknown,
          symlinks?: unknown,
          ignore?: unknown,
          copier?: unknown,
          _dangling?: unknown,
          mayExist?: unknown,
        ) => {
          const own =
            copier === undefined || copier === null ? copy2 : (from: string, to: string) => call(copier, from, to);
          copytree(textPath(src), textPath(dst), {
            symlinks: truth(symlinks),
            ignore,
            copy: own,
            mayExist: truth(mayExist),
          });
          return dst;
        },
      ],
      disk_usage: [
        'path',
        (path: unknown) => {
          const s = system(() => fs.statfsSync(textPath(path)));
          return new Usage([s.blocks * s.bsize, (s.blocks - s.bfree) * s.bsize, s.bavail * s.bsize]);
        },
      ],
      get_terminal_size: [
        'fallback=None',
        (fallback?: unknown) => {
          const [columns, lines] = (fallback ?? null) === null ? [80, 24] : (toArray(fallback) as number[]);
          return new TerminalSize([
            Number(process.env['COLUMNS']) || process.stdout.columns || columns,
            Number(process.env['LINES']) || process.stdout.rows || lines,
          ]);
        },
      ],
      ignore_patterns: ['*patterns', ignorePatterns],
      move: ['src, dst, copy_function=None', move],
      rmtree: ['path, ignore_errors=False, onerror=None, *, onexc=None, dir_fd=None', rmtree],
      which: ['cmd, mode=1, path=None', which],
    }),
  };
}
