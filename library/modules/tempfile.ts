/** Module `tempfile`. What is not removed by the program is removed when the process ends. */

import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { functions, type Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { open } from '../builtins/open.ts';
import { pathOf } from '../builtins/path-of.ts';
import * as disk from '../disk.ts';
import { nodeCrypto } from '../node-parts.ts';
import { tuple } from '../values/containers/tuple.ts';
import { FileExistsError, FileNotFoundError } from '../values/objects/exceptions.ts';
import { $repr } from '../values/objects/protocol.ts';
import { truth } from '../values/objects/truth.ts';
import { Bytes } from '../values/text/bytes.ts';
import { textOf } from '../values/text/text-arguments.ts';
import { BytesIO, StringIO } from './memory-file.ts';
import { system } from './pathlib/paths.ts';

const doomed = new Set<string>();
let watching = false;

function removeAtEnd(path: string): void {
  doomed.add(path);
  if (watching) return;
  watching = true;
  process.once('exit', () => {
    for (const one of doomed) disk.rmSync(one, { recursive: true, force: true });
  });
}

function remove(path: string): void {
  doomed.delete(path);
  disk.rmSync(path, { recursive: true, force: true });
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789_';

/** A name nobody uses. */
function freshPath(suffix: unknown, prefix: unknown, dir: unknown, create: (path: string) => void): string {
  const folder = dir === undefined || dir === null ? tmpdir() : String(pathOf(dir));
  for (let tries = 0; ; tries += 1) {
    const name = [...nodeCrypto().randomBytes(8)].map((byte) => alphabet[byte % alphabet.length]).join('');
    const path = resolve(join(folder, `${textOf(prefix) ?? 'tmp'}${name}${textOf(suffix) ?? ''}`));
    try {
      system(() => create(path));
      return path;
    } catch (e) {
      if (!(e instanceof FileExistsError) || tries > 100) throw e;
    }
  }
}

const freshFile = (suffix: unknown, prefix: unknown, dir: unknown): string =>
  freshPath(suffix, prefix, dir, (path) => fs.closeSync(disk.openSync(path, 'wx', 0o600)));

/** A file that goes when it is closed, unless told otherwise. */
function namedFile(
  mode?: any,
  buffering?: unknown,
  encoding?: unknown,
  newline?: unknown,
  suffix?: unknown,
  prefix?: unknown,
  dir?: unknown,
  keep?: unknown,
  errors?: unknown,
  deleteOnClose?: unknown,
): unknown {
  const how = textOf(mode) ?? 'w+b';
  const path = freshFile(suffix, prefix, dir);
  const file: any = open(path, how, buffering, encoding, errors, newline);
  if (keep !== undefined && !truth(keep)) return file;
  removeAtEnd(path);
  const [close, exit] = [file.close, file.__exit__];
  const atClose = deleteOnClose === undefined || truth(deleteOnClose);
  Object.defineProperty(file, 'close', {
    value: () => {
      close.call(file);
      if (atClose) remove(path);
      return null;
    },
  });
  Object.defineProperty(file, '__exit__', {
    value: (...details: unknown[]) => {
      exit.apply(file, details);
      remove(path);
      return false;
    },
  });
  return file;
}

class TemporaryDirectory {
  readonly name: string;

  constructor(suffix: unknown, prefix: unknown, dir: unknown, keep: boolean) {
    this.name = freshPath(suffix, prefix, dir, (path) => disk.mkdirSync(path, 0o700));
    if (!keep) removeAtEnd(this.name);
    else Object.defineProperty(this, '$keep', { value: true });
  }

  cleanup(): null {
    remove(this.name);
    return null;
  }

  __enter__(): string {
    return this.name;
  }

  __exit__(): null {
    if (!('$keep' in this)) this.cleanup();
    return null;
  }

  [$repr](): string {
    return `<TemporaryDirectory '${this.name}'>`;
  }
}
nativeClass(TemporaryDirectory, {
  name: 'TemporaryDirectory',
  module: 'tempfile',
  params: 'suffix=None, prefix=None, dir=None, ignore_cleanup_errors=False, *, delete=True',
  make: (cls, suffix, prefix, dir, _ignore, destroy) =>
    new cls(suffix, prefix, dir, destroy !== undefined && !truth(destroy)),
  methods: { cleanup: '', __exit__: '*args' },
});

const fileParams = 'mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None';

export function makeTempfile(): Members {
  return {
    TemporaryDirectory,
    tempdir: null,
    TMP_MAX: 10_000,
    ...functions('tempfile', {
      NamedTemporaryFile: [`${fileParams}, delete=True, *, errors=None, delete_on_close=True`, namedFile],
      TemporaryFile: [
        `${fileParams}, *, errors=None`,
        (
          mode?: unknown,
          buffering?: unknown,
          encoding?: unknown,
          newline?: unknown,
          suffix?: unknown,
          prefix?: unknown,
          dir?: unknown,
          errors?: unknown,
        ) => namedFile(mode, buffering, encoding, newline, suffix, prefix, dir, true, errors),
      ],
      SpooledTemporaryFile: [
        `max_size=0, ${fileParams}, *, errors=None`,
        (_size?: unknown, mode?: unknown) =>
          (textOf(mode) ?? 'w+b').includes('b') ? new BytesIO(new Uint8Array(0)) : new StringIO(),
      ],
      gettempdir: ['', () => tmpdir()],
      gettempdirb: ['', () => new Bytes(new Uint8Array(Buffer.from(tmpdir())))],
      gettempprefix: ['', () => 'tmp'],
      gettempprefixb: ['', () => new Bytes(new Uint8Array(Buffer.from('tmp')))],
      mkdtemp: [
        'suffix=None, prefix=None, dir=None',
        (suffix: unknown, prefix: unknown, dir: unknown) =>
          freshPath(suffix, prefix, dir, (path) => disk.mkdirSync(path, 0o700)),
      ],
      mkstemp: [
        'suffix=None, prefix=None, dir=None, text=False',
        (suffix: unknown, prefix: unknown, dir: unknown) => {
          const path = freshFile(suffix, prefix, dir);
          return tuple(
            system(() => disk.openSync(path, 'r+')),
            path,
          );
        },
      ],
      mktemp: [
        'suffix="", prefix="tmp", dir=None',
        (suffix: unknown, prefix: unknown, dir: unknown) =>
          freshPath(suffix, prefix, dir, (path) => {
            if (!fs.existsSync(join(path, '..'))) throw new FileNotFoundError(2, 'No such file or directory', path);
          }),
      ],
    }),
  };
}
