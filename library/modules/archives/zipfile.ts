/** Module `zipfile`: an archive is read when it is opened, and written when it is closed. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { functions, type Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { pathOf } from '../../builtins/path-of.ts';
import { print } from '../../builtins/print.ts';
import { mkdirSync, writeFileSync } from '../../disk.ts';
import { nodeZlib } from '../../node-parts.ts';
import { std } from '../../registry.ts';
import { call } from '../../values/calls/calls.ts';
import { itemsOf } from '../../values/containers/iteration.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import {
  Exception,
  KeyError,
  NotImplementedError,
  nameException,
  TypeError,
  ValueError,
} from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { $repr } from '../../values/objects/protocol.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { typeName } from '../../values/objects/type-name.ts';
import { Bytes, bytesOf, requireBytes } from '../../values/text/bytes.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import { BytesIO } from '../memory-file.ts';
import { NotAnArchive } from './archive-entry.ts';
import { readZip, writeZip, type ZipEntry, zipComment } from './archive-zip.ts';

class BadZipFile extends Exception {}
nameException(BadZipFile, 'BadZipFile', 'zipfile');
class LargeZipFile extends Exception {}
nameException(LargeZipFile, 'LargeZipFile', 'zipfile');

const ZIP_STORED = 0;
const ZIP_DEFLATED = 8;
const methodNames: Readonly<Record<number, string>> = { 8: 'deflate', 12: 'bzip2', 14: 'lzma' };

/** A member: its name, time, sizes and rights. */
class ZipInfo {
  readonly filename: string;
  date_time: Tuple;
  compress_type = ZIP_STORED;
  $level: number | undefined;
  comment: unknown = new Bytes(new Uint8Array());
  create_system = 3;
  external_attr = 0;
  file_size = 0;
  compress_size = 0;
  CRC = 0;
  $data: Uint8Array = new Uint8Array();

  constructor(filename: string, time: Tuple) {
    this.filename = filename;
    this.date_time = time;
  }

  is_dir(): boolean {
    return this.filename.endsWith('/');
  }

  $fill(data: Uint8Array): this {
    this.$data = data;
    this.file_size = data.length;
    this.CRC = nodeZlib().crc32(data);
    this.compress_size =
      this.compress_type === ZIP_STORED
        ? data.length
        : nodeZlib().deflateRawSync(data, { level: this.$level ?? -1 }).length;
    return this;
  }

  get $modified(): Date {
    const [year, month, day, hour, minute, second] = this.date_time.items as number[];
    return new Date(year!, month! - 1, day, hour, minute, second);
  }

  get $entry(): ZipEntry {
    const mode = Math.floor(this.external_attr / 65536) & 0o7777;
    const about = { mode, modified: this.$modified, method: this.compress_type, attributes: this.external_attr };
    if (this.is_dir()) return { ...about, name: this.filename.slice(0, -1), method: ZIP_STORED };
    const level = this.$level === undefined ? {} : { level: this.$level };
    return { ...about, ...level, name: this.filename, data: this.$data };
  }

  [$repr](): string {
    const parts = [`filename=${reprOf(this.filename)}`];
    if (this.compress_type !== ZIP_STORED)
      parts.push(`compress_type=${methodNames[this.compress_type] ?? this.compress_type}`);
    const high = Math.floor(this.external_attr / 65536);
    if (high !== 0) parts.push(`filemode=${reprOf(fileMode(high))}`);
    const low = this.external_attr & 0xffff;
    if (low !== 0) parts.push(`external_attr=0x${low.toString(16)}`);
    if (!this.is_dir() || this.file_size !== 0) parts.push(`file_size=${this.file_size}`);
    if (
      (!this.is_dir() || this.compress_size !== 0) &&
      (this.compress_type !== ZIP_STORED || this.file_size !== this.compress_size)
    )
      parts.push(`compress_size=${this.compress_size}`);
    return `<ZipInfo ${parts.join(' ')}>`;
  }
}
nativeClass(ZipInfo, {
  name: 'ZipInfo',
  module: 'zipfile',
  params: "filename='NoName', date_time=None",
  make: (_cls, name, time) => {
    const made = time === undefined ? new Tuple([1980, 1, 1, 0, 0, 0]) : new Tuple(itemsOf(time));
    if ((made.items[0] as number) < 1980) throw new ValueError('ZIP does not support timestamps before 1980');
    return new ZipInfo(name === undefined ? 'NoName' : String(name), made);
  },
  statics: {
    from_file: [
      'filename, arcname=None, *, strict_timestamps=True',
      (file: unknown, name: unknown) => infoOfFile(file, name),
    ],
  },
});

// `-rw-r--r--`, as `ls` shows it.
function fileMode(mode: number): string {
  const kind = { 9604: 'd', 16807: '-', 21609: 'l' }[mode & 0o170000] ?? '?';
  const rights = [6, 3, 0].map((shift) => {
    const bits = (mode >> shift) & 7;
    return `${bits & 4 ? 'r' : '-'}${bits & 2 ? 'w' : '-'}${bits & 1 ? 'x' : '-'}`;
  });
  return kind + rights.join('');
}

function timeOf(date: Date): Tuple {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes()];
  return new Tuple([...parts, date.getSeconds()]);
}

function infoOfFile(file: unknown, name: unknown): ZipInfo {
  const path = String(pathOf(file));
  const about = statSync(path);
  const wanted = (name === undefined || name === null ? path : String(pathOf(name)))
    .replaceAll('\\', '/')
    .replace(/^\/+/, '');
  const info = new ZipInfo(about.isDirectory() ? `${wanted.replace(/\/$/, '')}/` : wanted, timeOf(about.mtime));
  info.external_attr = about.mode * 65536 + (about.isDirectory() ? 0x10 : 0);
  info.file_size = about.isDirectory() ? 0 : about.size;
  return info;
}

/** A member that is being written: it is in the archive when it is closed. */
class MemberWriter extends BytesIO {
  readonly $done: (data: Uint8Array) => void;

  constructor(done: (data: Uint8Array) => void) {
    super(new Uint8Array());
    this.$done = done;
  }

  override close(): null {
    if (!this.closed) this.$done(requireBytes(this.getvalue()));
    return super.close();
  }
}

class ZipFile {
  readonly filename: string | null;
  readonly mode: string;
  readonly fp: unknown;
  readonly compression: number;
  readonly compresslevel: number | null;
  $comment: Uint8Array = new Uint8Array();
  readonly $file: any;
  readonly $members: ZipInfo[] = [];
  $changed = false;
  $closed = false;

  constructor(file: any, mode: string, compression: number, level: number | null) {
    const path = textOf(file) ?? (typeof file?.__fspath__ === 'function' ? String(pathOf(file)) : undefined);
    this.$file = path === undefined ? file : undefined;
    this.filename = path ?? (typeof file?.name === 'string' ? file.name : null);
    this.fp = this.$file ?? null;
    this.mode = mode;
    this.compression = compression;
    this.compresslevel = level;
    this.$load();
  }

  $load(): void {
    if (this.mode === 'w' || this.mode === 'x') {
      if (this.$file === undefined) writeFileSync(this.filename!, '', { flag: this.mode === 'x' ? 'wx' : 'w' });
      this.$changed = true;
      return;
    }
    const bytes = this.$bytes();
    if (bytes.length === 0 && this.mode === 'a') {
      this.$changed = true;
      return;
    }
    try {
      for (const entry of readZip(bytes)) this.$members.push(infoOfEntry(entry));
      this.$comment = new Uint8Array(zipComment(bytes));
    } catch (error) {
      if (error instanceof NotAnArchive || error instanceof RangeError) throw new BadZipFile('File is not a zip file');
      throw error;
    }
  }

  $bytes(): Buffer {
    if (this.$file !== undefined) {
      callMethod(this.$file, 'seek', 0);
      return Buffer.from(requireBytes(callMethod(this.$file, 'read')));
    }
    try {
      return readFileSync(this.filename!);
    } catch (error: any) {
      if (this.mode === 'a' && error.code === 'ENOENT') return Buffer.alloc(0);
      throw error;
    }
  }

  get comment(): Bytes {
    return new Bytes(this.$comment);
  }

  set comment(value: unknown) {
    if (bytesOf(value) === undefined) throw new TypeError(`comment: expected bytes, got ${typeName(value)}`);
    this.$comment = requireBytes(value);
    this.$changed = true;
  }

  namelist(): string[] {
    return this.$members.map((info) => info.filename);
  }

  get filelist(): ZipInfo[] {
    return this.$members;
  }

  infolist(): ZipInfo[] {
    return this.$members;
  }

  getinfo(name: unknown): ZipInfo {
    const found = this.$members.findLast((info) => info.filename === name);
    if (found === undefined) throw new KeyError(`There is no item named ${reprOf(name)} in the archive`);
    return found;
  }

  $open(what: string): void {
    if (this.$closed) throw new ValueError(what);
  }

  $info(member: unknown): ZipInfo {
    return member instanceof ZipInfo ? member : this.getinfo(member);
  }

  read(name: unknown): Bytes {
    this.$open('Attempt to use ZIP archive that was already closed');
    return new Bytes(new Uint8Array(this.$info(name).$data));
  }

  open(name: unknown, mode?: unknown): BytesIO {
    this.$open('Attempt to use ZIP archive that was already closed');
    const how = mode === undefined ? 'r' : mode;
    if (how !== 'r' && how !== 'w') throw new ValueError('open() requires mode "r" or "w"');
    if (how === 'w') return new MemberWriter((data) => this.$add(this.$newInfo(name), data));
    const info = this.$info(name);
    return Object.assign(new BytesIO(new Uint8Array(info.$data)), { name: info.filename, mode: 'r' });
  }

  testzip(): null {
    return null;
  }

  printdir(): null {
    const line = (name: string, time: string, size: string) => `${name.padEnd(46)} ${time} ${size.padStart(12)}`;
    call(print, line('File Name', 'Modified    '.padStart(19), 'Size'));
    const two = (part: unknown) => String(part).padStart(2, '0');
    for (const info of this.$members) {
      const [year, ...rest] = info.date_time.items;
      const [month, day, hour, minute, second] = rest.map(two);
      call(print, line(info.filename, `${year}-${month}-${day} ${hour}:${minute}:${second}`, String(info.file_size)));
    }
    return null;
  }

  extract(member: unknown, path?: unknown): string {
    this.$open('Attempt to use ZIP archive that was already closed');
    const info = this.$info(member);
    const folder = path === undefined || path === null ? process.cwd() : String(pathOf(path));
    const name = info.filename.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
    const target = join(folder, ...name);
    if (info.is_dir()) mkdirSync(target, { recursive: true });
    else {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, info.$data);
    }
    return target;
  }

  extractall(path?: unknown, members?: unknown): null {
    for (const member of members === undefined || members === null ? this.$members : itemsOf(members))
      this.extract(member, path);
    return null;
  }

  setpassword(): null {
    return null;
  }

  $newInfo(name: unknown): ZipInfo {
    if (name instanceof ZipInfo) return name;
    const info = new ZipInfo(String(name), timeOf(new Date()));
    info.compress_type = this.compression;
    info.$level = this.compresslevel ?? undefined;
    info.external_attr = info.is_dir() ? 0o40775 * 65536 + 0x10 : 0o600 * 65536;
    return info;
  }

  $add(info: ZipInfo, data: Uint8Array): void {
    if (this.mode === 'r') throw new ValueError("write() requires mode 'w', 'x', or 'a'");
    this.$open('Attempt to write ZIP archive that was already closed');
    if (this.$members.some((known) => known.filename === info.filename))
      call(std('warnings').warn, `Duplicate name: ${reprOf(info.filename)}`);
    this.$members.push(info.$fill(data));
    this.$changed = true;
  }

  writestr(member: unknown, data: unknown, method?: unknown, level?: unknown): null {
    const info = this.$newInfo(member);
    if (method !== undefined && method !== null) info.compress_type = requireMethod(method);
    if (level !== undefined && level !== null) info.$level = Number(level);
    if (info.external_attr === 0) info.external_attr = 0o600 * 65536;
    const text = textOf(data);
    this.$add(info, text === undefined ? requireBytes(data) : new TextEncoder().encode(text));
    return null;
  }

  write(file: unknown, name?: unknown, method?: unknown, level?: unknown): null {
    const info = infoOfFile(file, name);
    if (!info.is_dir()) {
      info.compress_type = method === undefined || method === null ? this.compression : requireMethod(method);
      info.$level = level === undefined || level === null ? (this.compresslevel ?? undefined) : Number(level);
    }
    this.$add(info, info.is_dir() ? new Uint8Array() : new Uint8Array(readFileSync(pathOf(file))));
    return null;
  }

  mkdir(name: unknown, mode?: unknown): null {
    const info = this.$newInfo(`${String(name).replace(/\/$/, '')}/`);
    info.compress_type = ZIP_STORED;
    info.external_attr = (0o40000 | (mode === undefined ? 0o777 : Number(mode))) * 65536 + 0x10;
    this.$add(info, new Uint8Array());
    return null;
  }

  close(): null {
    if (this.$closed) return null;
    this.$closed = true;
    if (!this.$changed || this.mode === 'r') return null;
    const bytes = writeZip(
      this.$members.map((info) => info.$entry),
      this.$comment,
    );
    if (this.$file === undefined) writeFileSync(this.filename!, bytes);
    else {
      callMethod(this.$file, 'seek', 0);
      callMethod(this.$file, 'write', new Bytes(new Uint8Array(bytes)));
    }
    return null;
  }

  __enter__(): this {
    return this;
  }

  __exit__(): boolean {
    this.close();
    return false;
  }

  [$repr](): string {
    if (this.$closed) return '<zipfile.ZipFile [closed]>';
    return `<zipfile.ZipFile${this.filename === null ? '' : ` filename=${reprOf(this.filename)}`} mode=${reprOf(this.mode)}>`;
  }
}
const writing = 'compress_type=None, compresslevel=None';
nativeClass(ZipFile, {
  name: 'ZipFile',
  module: 'zipfile',
  params:
    "file, mode='r', compression=0, allowZip64=True, compresslevel=None, *, strict_timestamps=True, metadata_encoding=None",
  make: (cls, file, mode, compression, _zip64, level) => {
    const how = mode ?? 'r';
    if (!['r', 'w', 'x', 'a'].includes(how)) throw new ValueError("ZipFile requires mode 'r', 'w', 'x', or 'a'");
    return new cls(file, how, compression === undefined ? ZIP_STORED : requireMethod(compression), level ?? null);
  },
  methods: {
    read: 'name, pwd=None',
    open: "name, mode='r', pwd=None, *, force_zip64=False",
    extract: 'member, path=None, pwd=None',
    extractall: 'path=None, members=None, pwd=None',
    writestr: `zinfo_or_arcname, data, ${writing}`,
    write: `filename, arcname=None, ${writing}`,
    mkdir: 'zinfo_or_directory_name, mode=511',
    setpassword: 'pwd',
    getinfo: 'name',
  },
});

function requireMethod(method: unknown): number {
  if (method === ZIP_STORED || method === ZIP_DEFLATED) return method;
  throw new NotImplementedError('That compression method is not supported');
}

function infoOfEntry(entry: ZipEntry): ZipInfo {
  const isFolder = entry.data === undefined && entry.link === undefined;
  const info = new ZipInfo(isFolder ? `${entry.name}/` : entry.name, timeOf(entry.modified));
  info.compress_type = entry.method ?? ZIP_STORED;
  info.$data = new Uint8Array(entry.data ?? new TextEncoder().encode(entry.link ?? ''));
  info.file_size = info.$data.length;
  info.compress_size = entry.packedSize ?? 0;
  info.CRC = entry.checksum ?? 0;
  info.external_attr = (entry.attributes ?? 0) >>> 0;
  return info;
}

function isZipFile(file: any): boolean {
  try {
    new ZipFile(file, 'r', ZIP_STORED, null);
    return true;
  } catch {
    return false;
  }
}

export function makeZipfile(): Members {
  return {
    BadZipFile,
    BadZipfile: BadZipFile,
    LargeZipFile,
    ZipFile,
    ZipInfo,
    ZIP_STORED,
    ZIP_DEFLATED,
    ZIP_BZIP2: 12,
    ZIP_LZMA: 14,
    ...functions('zipfile', { is_zipfile: ['filename', isZipFile] }),
  };
}
