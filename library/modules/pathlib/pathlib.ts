/** Module `pathlib`: paths that reach the file system. */
import * as fs from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { open } from '../../builtins/open.ts';
import { pathOf } from '../../builtins/path-of.ts';
import * as disk from '../../disk.ts';
import { call } from '../../values/calls/calls.ts';
import { GeneratorObject } from '../../values/calls/generators.ts';
import { caught } from '../../values/calls/raise.ts';
import { tuple } from '../../values/containers/tuple.ts';
import {
  FileExistsError,
  FileNotFoundError,
  OSError,
  RuntimeError,
  TypeError,
} from '../../values/objects/exceptions.ts';
import { truth } from '../../values/objects/truth.ts';
import { typeName } from '../../values/objects/type-name.ts';
import { Bytes, requireBytes } from '../../values/text/bytes.ts';
import { decodeBytes, encodeText } from '../../values/text/codecs.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import { statResult } from '../os.ts';
import { filePattern } from './file-pattern.ts';
import { system } from './paths.ts';
import { PurePath, PurePosixPath, patternSteps } from './pure-path.ts';

export class Path extends PurePath {
  stat(followSymlinks?: unknown): unknown {
    return statResult(this.$text, followSymlinks === undefined || truth(followSymlinks));
  }

  lstat(): unknown {
    return this.stat(false);
  }

  exists(followSymlinks?: unknown): boolean {
    return kindOf(this.$text, followSymlinks) !== undefined;
  }

  is_file(): boolean {
    return kindOf(this.$text)?.isFile() === true;
  }

  is_dir(): boolean {
    return kindOf(this.$text)?.isDirectory() === true;
  }

  is_symlink(): boolean {
    return kindOf(this.$text, false)?.isSymbolicLink() === true;
  }

  is_socket(): boolean {
    return kindOf(this.$text)?.isSocket() === true;
  }

  is_fifo(): boolean {
    return kindOf(this.$text)?.isFIFO() === true;
  }

  is_mount(): boolean {
    const [own, above] = [kindOf(this.$text), kindOf(join(this.$text, '..'))];
    return (
      own !== undefined && above !== undefined && own.isDirectory() && (own.dev !== above.dev || own.ino === above.ino)
    );
  }

  iterdir(): GeneratorObject {
    const names = system(() => fs.readdirSync(this.$text));
    return new GeneratorObject(this.$children(names));
  }

  *$children(names: readonly string[]): Generator<unknown, undefined> {
    for (const name of names) yield this.$made(this.root, [...this.$tail, name]);
    return undefined;
  }

  glob(pattern: unknown, _caseSensitive?: unknown): GeneratorObject {
    return new GeneratorObject(
      unique(this.$select(patternSteps(pattern)), String(textOf(pattern)).split('**').length > 2),
    );
  }

  rglob(pattern: unknown, _caseSensitive?: unknown): GeneratorObject {
    return new GeneratorObject(
      unique(this.$select(['**', ...patternSteps(pattern)]), String(textOf(pattern)).includes('**')),
    );
  }

  *$select(steps: readonly string[]): Generator<Path, undefined> {
    const [step, ...rest] = steps;
    if (step === undefined) {
      yield this;
      return undefined;
    }
    if (step === '**') {
      yield* this.$select(rest);
      for (const entry of entriesOf(this.$text)) if (entry.isDirectory()) yield* this.$child(entry.name).$select(steps);
    } else if (!/[*?[]/.test(step)) {
      const child = this.$child(step);
      if (rest.length > 0 ? child.is_dir() : child.exists(false)) yield* child.$select(rest);
    } else {
      for (const entry of entriesOf(this.$text)) {
        if (!filePattern(step).test(entry.name)) continue;
        const child = this.$child(entry.name);
        if (rest.length === 0 || child.is_dir()) yield* child.$select(rest);
      }
    }
    return undefined;
  }

  $child(name: string): Path {
    return this.$made(this.root, [...this.$tail, name]);
  }

  walk(topDown?: unknown, onError?: unknown, followSymlinks?: unknown): GeneratorObject {
    return new GeneratorObject(walk(this, topDown === undefined || truth(topDown), onError, truth(followSymlinks)));
  }

  mkdir(mode?: any, parents?: unknown, existOk?: unknown): null {
    try {
      disk.mkdirSync(this.$text, { mode: mode ?? 0o777 });
    } catch (e: any) {
      if (e.code === 'ENOENT' && truth(parents) && this.parent !== this) {
        this.parent.mkdir(undefined, true, true);
        return this.mkdir(mode, false, existOk);
      }
      if (e.code === 'EEXIST' && truth(existOk) && this.is_dir()) return null;
      throw caught(e);
    }
    return null;
  }

  rmdir(): null {
    system(() => disk.rmdirSync(this.$text));
    return null;
  }

  touch(mode?: any, existOk?: unknown): null {
    if (fs.existsSync(this.$text)) {
      if (existOk !== undefined && !truth(existOk)) throw new FileExistsError(17, 'File exists', this.$text);
      const now = new Date();
      system(() => disk.utimesSync(this.$text, now, now));
    } else system(() => fs.closeSync(disk.openSync(this.$text, 'w', mode ?? 0o666)));
    return null;
  }

  unlink(missingOk?: unknown): null {
    try {
      system(() => disk.unlinkSync(this.$text));
    } catch (e) {
      if (!(e instanceof FileNotFoundError && truth(missingOk))) throw e;
    }
    return null;
  }

  rename(target: unknown): this {
    system(() => disk.renameSync(this.$text, String(pathOf(target))));
    return new (this.constructor as any)(target);
  }

  replace(target: unknown): this {
    return this.rename(target);
  }

  open(mode?: unknown, buffering?: unknown, encoding?: unknown, errors?: unknown, newline?: unknown): unknown {
    return open(this, mode, buffering, encoding, errors, newline);
  }

  // The system opens folders, and refuses to read them without saying which.
  $read(): Buffer {
    return system(() => {
      try {
        return fs.readFileSync(this.$text);
      } catch (error: any) {
        throw error.code === 'EISDIR' ? Object.assign(error, { path: this.$text }) : error;
      }
    });
  }

  read_bytes(): Bytes {
    return new Bytes(new Uint8Array(this.$read()));
  }

  read_text(encoding?: any, errors?: any): string {
    const text = decodeBytes(this.$read(), textOf(encoding) ?? 'utf-8', textOf(errors) ?? 'strict');
    return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  }

  write_bytes(data: unknown): number {
    const bytes = requireBytes(data);
    system(() => disk.writeFileSync(this.$text, bytes));
    return bytes.length;
  }

  write_text(data: unknown, encoding?: any, errors?: any, newline?: any): number {
    const text = textOf(data);
    if (text === undefined) throw new TypeError(`data must be str, not ${typeName(data)}`);
    const ended = newline === '\r\n' || newline === '\r' ? text.replaceAll('\n', newline) : text;
    const bytes = encodeText(ended, textOf(encoding) ?? 'utf-8', textOf(errors) ?? 'strict');
    system(() => disk.writeFileSync(this.$text, bytes));
    return Array.from(text).length;
  }

  absolute(): this {
    return isAbsolute(this.$text) ? this : new (this.constructor as any)(process.cwd(), this);
  }

  resolve(strict?: unknown): this {
    return new (this.constructor as any)(resolved(this.absolute().$text, truth(strict)));
  }

  expanduser(): this {
    const first = this.$tail[0];
    if (this.root !== '' || first === undefined || !first.startsWith('~')) return this;
    if (first !== '~') throw new RuntimeError('Could not determine home directory.');
    return new (this.constructor as any)(homedir(), ...this.$tail.slice(1));
  }

  samefile(other: unknown): boolean {
    const [a, b] = [this.$text, String(pathOf(other))].map((path) => system(() => fs.statSync(path)));
    return a!.dev === b!.dev && a!.ino === b!.ino;
  }

  chmod(mode: number): null {
    system(() => disk.chmodSync(this.$text, mode));
    return null;
  }

  symlink_to(target: unknown): null {
    system(() => disk.symlinkSync(String(pathOf(target)), this.$text));
    return null;
  }

  hardlink_to(target: unknown): null {
    system(() => disk.linkSync(String(pathOf(target)), this.$text));
    return null;
  }

  readlink(): this {
    return new (this.constructor as any)(system(() => fs.readlinkSync(this.$text)));
  }

  __enter__(): this {
    return this;
  }

  __exit__(): null {
    return null;
  }
}

export class PosixPath extends Path {}

function kindOf(path: string, followSymlinks?: unknown): fs.Stats | undefined {
  const read = followSymlinks === undefined || truth(followSymlinks) ? fs.statSync : fs.lstatSync;
  try {
    return read(path, { throwIfNoEntry: false });
  } catch (e: any) {
    if (['ENOENT', 'ENOTDIR', 'EBADF', 'ELOOP'].includes(e.code)) return undefined;
    throw caught(e);
  }
}

// Folders that cannot be read select nothing.
function entriesOf(path: string): fs.Dirent[] {
  try {
    return fs.readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

function* unique(paths: Generator<Path, undefined>, needed: boolean): Generator<unknown, undefined> {
  const seen = new Set<string>();
  for (const path of paths) {
    if (needed && seen.has(path.$text)) continue;
    seen.add(path.$text);
    yield path;
  }
  return undefined;
}

function* walk(top: Path, topDown: boolean, onError: unknown, follow: boolean): Generator<unknown, undefined> {
  let entries: fs.Dirent[];
  try {
    entries = system(() => fs.readdirSync(top.$text, { withFileTypes: true }));
  } catch (e) {
    if (onError !== undefined && onError !== null) call(onError, e);
    return undefined;
  }
  const isFolder = (entry: fs.Dirent) =>
    entry.isDirectory() || (follow && entry.isSymbolicLink() && top.$child(entry.name).is_dir());
  const folders = entries.filter(isFolder).map((entry) => entry.name);
  const files = entries.filter((entry) => !isFolder(entry)).map((entry) => entry.name);
  if (topDown) yield tuple(top, folders, files);
  for (const name of folders) yield* walk(top.$child(name), topDown, onError, follow);
  if (!topDown) yield tuple(top, folders, files);
  return undefined;
}

/** Links followed as far as the path exists; the rest is put in order as text. */
function resolved(path: string, strict: boolean): string {
  const rest: string[] = [];
  for (let at = path; ; ) {
    try {
      return join(fs.realpathSync(at), ...rest);
    } catch (e: any) {
      if (e.code === 'ELOOP')
        throw strict
          ? new OSError(40, 'Too many levels of symbolic links', path)
          : new RuntimeError(`Symlink loop from '${path}'`);
      if (strict || at === '/' || (e.code !== 'ENOENT' && e.code !== 'ENOTDIR')) throw caught(e);
    }
    const cut = at.lastIndexOf('/');
    rest.unshift(at.slice(cut + 1));
    at = cut <= 0 ? '/' : at.slice(0, cut);
  }
}

const make = (cls: any, segments: unknown[]) => new (cls === Path ? PosixPath : cls)(...segments);
nativeClass(Path, {
  name: 'Path',
  module: 'pathlib',
  params: '*args, **kwargs',
  make,
  methods: {
    stat: '*, follow_symlinks=True',
    lstat: '',
    exists: '*, follow_symlinks=True',
    is_file: '',
    is_dir: '',
    is_symlink: '',
    is_socket: '',
    is_fifo: '',
    is_mount: '',
    iterdir: '',
    glob: 'pattern, *, case_sensitive=None',
    rglob: 'pattern, *, case_sensitive=None',
    walk: 'top_down=True, on_error=None, follow_symlinks=False',
    mkdir: 'mode=0o777, parents=False, exist_ok=False',
    rmdir: '',
    touch: 'mode=0o666, exist_ok=True',
    unlink: 'missing_ok=False',
    rename: 'target',
    replace: 'target',
    open: 'mode="r", buffering=-1, encoding=None, errors=None, newline=None',
    read_bytes: '',
    read_text: 'encoding=None, errors=None',
    write_bytes: 'data',
    write_text: 'data, encoding=None, errors=None, newline=None',
    absolute: '',
    resolve: 'strict=False',
    expanduser: '',
    samefile: 'other_path',
    chmod: 'mode, *, follow_symlinks=True',
    symlink_to: 'target, target_is_directory=False',
    hardlink_to: 'target',
    readlink: '',
  },
  statics: {
    cwd: ['', () => new PosixPath(process.cwd())],
    home: ['', () => new PosixPath(homedir())],
  },
});
nativeClass(PosixPath, { name: 'PosixPath', module: 'pathlib', params: '*args, **kwargs', make });

export function makePathlib(): Members {
  return { Path, PosixPath, PurePath, PurePosixPath };
}
