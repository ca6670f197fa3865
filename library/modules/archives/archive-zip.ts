/** ZIP files (PKWARE APPNOTE 6.3): stored and deflated members, without encryption and without the 64-bit extensions. */
import { nodeZlib } from '../../node-parts.ts';
import { type ArchiveEntry, NotAnArchive } from './archive-entry.ts';

const localHead = 0x04034b50;
const centralHead = 0x02014b50;
const endHead = 0x06054b50;
const utf8Names = 0x0800;
const largest = 0xffffffff;

/** A member with what only this kind of archive says of it. */
export interface ZipEntry extends ArchiveEntry {
  /** 0: as it is, 8: deflated; absent: deflated unless empty. */
  readonly method?: number;
  readonly level?: number;
  /** Compression level of an entry that was read. */
  readonly packedSize?: number;
  readonly checksum?: number;
  /** Kind and rights of the file, and the bits of DOS. */
  readonly attributes?: number;
}

/** @throws RangeError when the archive would need the 64-bit extensions */
export function writeZip(entries: readonly ZipEntry[], comment: Uint8Array = new Uint8Array()): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const isFolder = entry.data === undefined && entry.link === undefined;
    const name = Buffer.from(isFolder ? `${entry.name}/` : entry.name);
    const data = entry.link === undefined ? Buffer.from(entry.data ?? []) : Buffer.from(entry.link);
    const method = entry.method ?? (data.length === 0 ? 0 : 8);
    const packed = method === 0 ? data : nodeZlib().deflateRawSync(data, { level: entry.level ?? -1 });
    // Version needed, flags, method, time, date, checksum, sizes, lengths of name and extra field: the same in both heads.
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(utf8Names, 2);
    about.writeUInt16LE(method, 4);
    about.writeUInt32LE(dosTime(entry.modified), 6);
    about.writeUInt32LE(nodeZlib().crc32(data), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(data.length, 18);
    about.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([uint32(localHead), about, name, packed]);
    const central = Buffer.alloc(14);
    const kind = isFolder ? 0o040000 : entry.link === undefined ? 0o100000 : 0o120000;
    central.writeUInt32LE(entry.attributes ?? (((kind | entry.mode) << 16) | (isFolder ? 0x10 : 0)) >>> 0, 6);
    central.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([uint32(centralHead), Buffer.from([20, 3]), about, central, name]));
    parts.push(local);
    offset += local.length;
    if (offset > largest || data.length > largest) throw new RangeError('the archive is too large');
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  end.writeUInt16LE(comment.length, 16);
  if (entries.length > 0xffff) throw new RangeError('the archive has too many members');
  return Buffer.concat([...parts, ...directory, uint32(endHead), end, comment]);
}

/** @throws NotAnArchive */
export function readZip(bytes: Buffer): ZipEntry[] {
  const end = bytes.lastIndexOf(uint32(endHead));
  if (end < 0 || end + 22 > bytes.length) throw new NotAnArchive();
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  const entries: ZipEntry[] = [];
  for (let i = 0; i < count; i += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== centralHead) throw new NotAnArchive();
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const attributes = bytes.readUInt32LE(at + 38) >>> 16;
    const modified = dateOfDos(bytes.readUInt32LE(at + 12));
    const mode = attributes & 0o7777;
    const about = {
      method: bytes.readUInt16LE(at + 10),
      checksum: bytes.readUInt32LE(at + 16),
      packedSize: bytes.readUInt32LE(at + 20),
      attributes: bytes.readUInt32LE(at + 38),
    };
    if (name.endsWith('/')) entries.push({ ...about, name: name.slice(0, -1), mode: mode || 0o755, modified });
    else {
      const data = memberData(bytes, at);
      const isLink = (attributes & 0o170000) === 0o120000;
      entries.push({ ...about, name, mode: mode || 0o644, modified, ...(isLink ? { link: String(data) } : { data }) });
    }
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

/** Gives the comment behind the last member of an archive that `readZip` takes. */
export function zipComment(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(uint32(endHead));
  return bytes.subarray(end + 22, end + 22 + bytes.readUInt16LE(end + 20));
}

// `at` is the member's record in the central directory, whose sizes hold where the local head leaves them out.
function memberData(bytes: Buffer, at: number): Buffer {
  const method = bytes.readUInt16LE(at + 10);
  const [packed, size] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
  const head = bytes.readUInt32LE(at + 42);
  if (head + 30 > bytes.length || bytes.readUInt32LE(head) !== localHead) throw new NotAnArchive();
  const start = head + 30 + bytes.readUInt16LE(head + 26) + bytes.readUInt16LE(head + 28);
  const raw = bytes.subarray(start, start + packed);
  if (raw.length !== packed || (method !== 0 && method !== 8)) throw new NotAnArchive();
  let data: Buffer;
  try {
    data = method === 0 ? raw : nodeZlib().inflateRawSync(raw, { maxOutputLength: Math.max(size, 1) });
  } catch {
    throw new NotAnArchive();
  }
  if (data.length !== size || nodeZlib().crc32(data) !== bytes.readUInt32LE(at + 16)) throw new NotAnArchive();
  return data;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

// Two seconds exact, from 1980, in local time.
function dosTime(date: Date): number {
  const year = Math.min(Math.max(date.getFullYear(), 1980), 2107);
  const day = ((year - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate();
  const time = (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1);
  return ((day << 16) | time) >>> 0;
}

function dateOfDos(stamp: number): Date {
  const [day, time] = [stamp >>> 16, stamp & 0xffff];
  return new Date((day >> 9) + 1980, ((day >> 5) & 15) - 1, day & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2);
}
