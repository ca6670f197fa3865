/** `shutil.make_archive` and `shutil.unpack_archive`: zip, and tar alone or with gzip. */
import * as fs from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { functions, type Members } from '../../builtins/module.ts';
import * as disk from '../../disk.ts';
import { nodeZlib } from '../../node-parts.ts';
import { tuple } from '../../values/containers/tuple.ts';
import {
  FileNotFoundError,
  NotADirectoryError,
  nameException,
  OSError,
  ValueError,
} from '../../values/objects/exceptions.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import { system, textPath } from '../pathlib/paths.ts';
import { type ArchiveEntry, NotAnArchive } from './archive-entry.ts';
import { readTar, writeTar } from './archive-tar.ts';
import { readZip, writeZip } from './archive-zip.ts';

interface Format {
  readonly name: string;
  readonly endings: readonly string[];
  readonly about: string;
  /** Zip archives leave out the folder they were made of, tar archives name it. */
  readonly namesRoot: boolean;
  readonly complaint: string;
  write(entries: readonly ArchiveEntry[]): Buffer;
  read(bytes: Buffer): ArchiveEntry[];
}

const notTar = 'a compressed or uncompressed tar file';
const formats: readonly Format[] = [
  {
    name: 'gztar',
    endings: ['.tar.gz', '.tgz'],
    about: "gzip'ed tar-file",
    namesRoot: true,
    complaint: notTar,
    write: (entries) => nodeZlib().gzipSync(writeTar(entries)),
    read: readAnyTar,
  },
  {
    name: 'tar',
    endings: ['.tar'],
    about: 'uncompressed tar file',
    namesRoot: true,
    complaint: notTar,
    write: writeTar,
    read: readAnyTar,
  },
  {
    name: 'zip',
    endings: ['.zip'],
    about: 'ZIP file',
    namesRoot: false,
    complaint: 'a zip file',
    write: writeZip,
    read: readZip,
  },
];

class ReadError extends OSError {}
nameException(ReadError, 'ReadError', 'tarfile');

function readAnyTar(bytes: Buffer): ArchiveEntry[] {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return readTar(bytes);
  let inner: Buffer;
  try {
    inner = nodeZlib().gunzipSync(bytes);
  } catch {
    throw new NotAnArchive();
  }
  return readTar(inner);
}

/** Writes the archive; gives its path. */
function makeArchive(baseName: unknown, name: unknown, rootDir?: unknown, baseDir?: unknown): string {
  const format = formats.find((one) => one.name === name);
  if (format === undefined) throw new ValueError(`unknown archive format ${reprOf(name)}`);
  const hasRoot = rootDir !== undefined && rootDir !== null;
  const root = hasRoot ? textPath(rootDir) : '.';
  if (hasRoot) requireFolder(root);
  const base = baseDir === undefined || baseDir === null ? '.' : textPath(baseDir).replace(/(?<=.)\/+$/, '');
  const path = textPath(baseName) + format.endings[0]!;
  const target = hasRoot ? resolve(path) : path;
  const found = entriesOf(join(root, base), base, resolve(target));
  const entries =
    format.namesRoot || base !== '.' ? found : found.slice(1).map((e) => ({ ...e, name: e.name.slice(2) }));
  system(() => {
    disk.mkdirSync(dirname(target), { recursive: true });
    disk.writeFileSync(target, format.write(entries));
  });
  return target;
}

function requireFolder(path: string): void {
  const found = fs.statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new FileNotFoundError(2, 'No such file or directory', path);
  if (!found.isDirectory()) throw new NotADirectoryError(20, 'Not a directory', path);
}

/** The folder and everything in it, in order of names; the archive itself, when it lies there, is left out. */
function entriesOf(path: string, name: string, archive: string): ArchiveEntry[] {
  const found = system(() => fs.lstatSync(path));
  const about = { name, mode: found.mode & 0o7777, modified: found.mtime };
  if (found.isSymbolicLink()) return [{ ...about, link: fs.readlinkSync(path) }];
  if (found.isFile()) return resolve(path) === archive ? [] : [{ ...about, data: system(() => fs.readFileSync(path)) }];
  if (!found.isDirectory()) return [];
  const inner = system(() => fs.readdirSync(path)).sort();
  return [about, ...inner.flatMap((one) => entriesOf(join(path, one), `${name}/${one}`, archive))];
}

function unpackArchive(filename: unknown, extractDir?: unknown, name?: unknown): null {
  const path = textPath(filename);
  const folder = extractDir === undefined || extractDir === null ? '.' : textPath(extractDir);
  const given = textOf(name ?? undefined);
  const format =
    given === undefined
      ? formats.find((one) => one.endings.some((ending) => path.endsWith(ending)))
      : formats.find((one) => one.name === given);
  if (format === undefined && given !== undefined) throw new ValueError(`Unknown unpack format ${reprOf(given)}`);
  if (format === undefined) throw new ReadError(`Unknown archive format ${reprOf(path)}`);
  const entries = readEntries(format, path);
  system(() => {
    disk.mkdirSync(folder, { recursive: true });
    for (const entry of entries) extract(entry, fs.realpathSync(folder));
  });
  return null;
}

function readEntries(format: Format, path: string): ArchiveEntry[] {
  const isFile = fs.statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  if (!isFile && format.name !== 'zip') throw new FileNotFoundError(2, 'No such file or directory', path);
  try {
    if (isFile) return format.read(system(() => fs.readFileSync(path)));
  } catch (error) {
    if (!(error instanceof NotAnArchive)) throw error;
  }
  throw new ReadError(`${path} is not ${format.complaint}`);
}

// Nothing is written outside of the folder, neither by a name nor through a link of the archive.
function extract(entry: ArchiveEntry, folder: string): void {
  if (entry.name.startsWith('/') || entry.name.split('/').includes('..')) return;
  const target = join(folder, entry.name);
  if (!isInside(folder, target)) return;
  const parent = target === folder ? folder : dirname(target);
  disk.mkdirSync(parent, { recursive: true });
  if (!isInside(folder, fs.realpathSync(parent))) return;
  const before = fs.lstatSync(target, { throwIfNoEntry: false });
  if (entry.link !== undefined) {
    if (!isInside(folder, resolve(parent, entry.link)) || before !== undefined) return;
    disk.symlinkSync(entry.link, target);
    return;
  }
  if (before?.isSymbolicLink() === true) disk.unlinkSync(target);
  if (entry.data === undefined) disk.mkdirSync(target, { recursive: true });
  else {
    disk.writeFileSync(target, entry.data);
    disk.chmodSync(target, entry.mode & 0o777);
    disk.utimesSync(target, entry.modified, entry.modified);
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`);
}

export const archives: Members = {
  ReadError,
  ...functions('shutil', {
    get_archive_formats: ['', () => formats.map(({ name, about }) => tuple(name, about))],
    get_unpack_formats: ['', () => formats.map(({ name, endings, about }) => tuple(name, [...endings], about))],
    make_archive: [
      'base_name, format, root_dir=None, base_dir=None, verbose=0, dry_run=0, owner=None, group=None, logger=None',
      makeArchive,
    ],
    unpack_archive: ['filename, extract_dir=None, format=None, *, filter=None', unpackArchive],
  }),
};
