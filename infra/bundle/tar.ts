/** Archives of the tar format, the same bytes for the same files: sorted, without times, owners or modes of the disk. */

/** Files by their path in the archive. */
export type Files = Readonly<Record<string, Uint8Array>>;

const block = 512;

export function packTar(files: Files): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [path, contents] of Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const name = Buffer.from(path);
    if (name.length > 100) parts.push(...entry('././@LongLink', 'L', Buffer.concat([name, Buffer.of(0)])));
    parts.push(...entry(name.subarray(0, 100), '0', contents));
  }
  parts.push(new Uint8Array(2 * block));
  return Buffer.concat(parts);
}

function entry(name: string | Uint8Array, type: 'L' | '0', contents: Uint8Array): Uint8Array[] {
  const header = Buffer.alloc(block);
  header.set(Buffer.from(name as string), 0);
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(contents.length, 124, 12);
  octal(0, 136, 12);
  header.fill(' ', 148, 156);
  header.write(type, 156, 'latin1');
  header.write('ustar  \0', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return [header, contents, new Uint8Array((block - (contents.length % block)) % block)];
}
