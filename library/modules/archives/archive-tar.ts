/** Tar files: POSIX ustar, with GNU and pax records for long names. Files, folders and symbolic links; other members are passed over. */
import { type ArchiveEntry, NotAnArchive } from './archive-entry.ts';

const block = 512;

export function writeTar(entries: readonly ArchiveEntry[]): Buffer {
  const parts: Buffer[] = [];
  for (const entry of entries) {
    const isFolder = entry.data === undefined && entry.link === undefined;
    const name = isFolder && entry.name !== '.' ? `${entry.name}/` : entry.name;
    const long = [
      ...(Buffer.byteLength(name) > 100 ? [['path', name] as const] : []),
      ...(Buffer.byteLength(entry.link ?? '') > 100 ? [['linkpath', entry.link!] as const] : []),
    ];
    if (long.length > 0) {
      const records = Buffer.concat(long.map(([key, value]) => paxRecord(key, value)));
      parts.push(tarHeader('././@PaxHeader', 'x', records.length, entry), padded(records));
    }
    const data = Buffer.from(entry.data ?? []);
    parts.push(
      tarHeader(name, isFolder ? '5' : entry.link === undefined ? '0' : '2', data.length, entry),
      padded(data),
    );
  }
  const end = Buffer.alloc(2 * block);
  return padded(Buffer.concat([...parts, end]), 20 * block);
}

// `length key=value\n`, where the length counts itself.
function paxRecord(key: string, value: string): Buffer {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest);
  length += String(length + String(length).length).length;
  return Buffer.from(`${length}${rest}`);
}

/** Header of one member, for archives that are written part by part. `kind` is `0` for a file, `5` for a folder, `2` for a link. */
export function tarHeader(
  name: string,
  kind: string,
  size: number,
  entry: Pick<ArchiveEntry, 'mode' | 'modified' | 'link' | 'owner'>,
): Buffer {
  const head = Buffer.alloc(block);
  const octal = (value: number, at: number, width: number) =>
    head.write(
      `${Math.floor(value)
        .toString(8)
        .padStart(width - 1, '0')}\0`,
      at,
      'latin1',
    );
  head.write(name, 0, 100, 'utf8');
  octal(entry.mode & 0o7777, 100, 8);
  octal(entry.owner ?? 0, 108, 8);
  octal(entry.owner ?? 0, 116, 8);
  octal(size, 124, 12);
  octal(Math.max(0, entry.modified.getTime() / 1000), 136, 12);
  head.write('        ', 148, 'latin1');
  head.write(kind, 156, 'latin1');
  head.write(entry.link ?? '', 157, 100, 'utf8');
  head.write('ustar\x0000', 257, 'latin1');
  octal(sumOf(head), 148, 7);
  head[155] = 0x20;
  return head;
}

function sumOf(head: Buffer): number {
  let sum = 0;
  for (let i = 0; i < block; i += 1) sum += i >= 148 && i < 156 ? 0x20 : head[i]!;
  return sum;
}

function padded(data: Buffer, size = block): Buffer {
  return Buffer.concat([data, Buffer.alloc((size - (data.length % size)) % size)]);
}

/** @throws NotAnArchive */
export function readTar(bytes: Buffer): ArchiveEntry[] {
  const entries: ArchiveEntry[] = [];
  let long: { path?: string; linkpath?: string } = {};
  for (let at = 0; at + block <= bytes.length; ) {
    const head = bytes.subarray(at, at + block);
    if (head.every((byte) => byte === 0)) return entries;
    if (Number.parseInt(text(head, 148, 8).trim(), 8) !== sumOf(head)) throw new NotAnArchive();
    const size = Number.parseInt(text(head, 124, 12).trim() || '0', 8);
    const data = bytes.subarray(at + block, at + block + size);
    if (!(size >= 0) || data.length !== size) throw new NotAnArchive();
    at += block + Math.ceil(size / block) * block;
    const kind = text(head, 156, 1) || '0';
    if (kind === 'x' || kind === 'L' || kind === 'K') {
      long = {
        ...long,
        ...(kind === 'x' ? paxOf(data) : { [kind === 'L' ? 'path' : 'linkpath']: text(data, 0, size) }),
      };
      continue;
    }
    const prefix = text(head, 257, 5) === 'ustar' ? text(head, 345, 155) : '';
    const name = (long.path ?? (prefix === '' ? '' : `${prefix}/`) + text(head, 0, 100)).replace(/\/+$/, '');
    const entry = {
      name,
      mode: Number.parseInt(text(head, 100, 8).trim() || '644', 8) & 0o7777,
      modified: new Date(Number.parseInt(text(head, 136, 12).trim() || '0', 8) * 1000),
    };
    if (kind === '5') entries.push(entry);
    else if (kind === '2') entries.push({ ...entry, link: long.linkpath ?? text(head, 157, 100) });
    else if (kind === '0' || kind === '7') entries.push({ ...entry, data });
    long = {};
  }
  // Python takes a file without the end mark; one without any member is none.
  if (entries.length === 0) throw new NotAnArchive();
  return entries;
}

function paxOf(data: Buffer): Record<string, string> {
  const found: Record<string, string> = {};
  for (let at = 0; at < data.length; ) {
    const length = Number.parseInt(data.toString('latin1', at, at + 20), 10);
    if (!(length > 0)) throw new NotAnArchive();
    const record = data.toString('utf8', at, at + length - 1);
    const [, key, value] = /^\d+ ([^=]+)=([\s\S]*)$/.exec(record) ?? [];
    if (key !== undefined) found[key] = value!;
    at += length;
  }
  return found;
}

function text(bytes: Buffer, at: number, length: number): string {
  const end = bytes.indexOf(0, at);
  return bytes.toString('utf8', at, end < 0 || end > at + length ? at + length : end);
}
