import { mkdtempSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { UploadFile } from '../../../core/files/upload-file.ts';
import { readMultipart, type UploadLimits } from './read-multipart.ts';

const limits: UploadLimits = {
  maxUploadBytes: 10_000_000,
  maxFileBytes: 5_000_000,
  maxUploadFiles: 3,
  maxFieldBytes: 1000,
};
const type = 'multipart/form-data; boundary=xYz';

function body(...parts: [head: string, content: string][]): Buffer {
  const text = parts
    .map(([head, content]) => `--xYz\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`)
    .join('');
  return Buffer.from(`${text}--xYz--\r\n`, 'latin1');
}

async function* pieces(bytes: Buffer, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const fields = new Set(['file', 'a', 'b', 'c', 'd']);
const read = (bytes: Buffer, more: Partial<UploadLimits> = {}, size = 7000) =>
  readMultipart(pieces(bytes, size), type, { ...limits, ...more }, fields);
const file = (name: string, filename: string, content: string, kind = 'text/plain'): [string, string] => [
  `name="${name}"; filename="${filename}"\r\nContent-Type: ${kind}`,
  content,
];

test('texts and files, in small pieces', async () => {
  const form = await read(
    body(['name="note"', 'hello'], ['name="note"', 'again'], file('file', '../../notes.txt', 'first\nsecond\n')),
    {},
    5,
  );
  expect(form.texts.get('note')).toEqual(['hello', 'again']);
  const [upload] = form.files.get('file') as UploadFile[];
  expect([upload!.filename, upload!.content_type, upload!.size]).toEqual(['notes.txt', 'text/plain', 13]);
  expect(upload!.file.readline().latin1).toBe('first\n');
  expect(upload!.file.tell()).toBe(6);
  expect(upload!.read().latin1).toBe('second\n');
  expect(upload!.file.seek(-3, 2)).toBe(10);
  expect(upload!.read(1).latin1).toBe('n');
  form.dispose();
});

test('large files are spooled to a private file without a name that is gone afterwards', async () => {
  // Other processes of this machine spool what they are sent as well.
  const temporary = mkdtempSync(join(tmpdir(), 'svc-test-'));
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const content = 'x'.repeat(1_500_000);
  const form = await read(body(file('file', 'big.bin', `${content}end`), file('a', 'other.bin', `${content}!`)));
  const [upload] = form.files.get('file') as UploadFile[];
  const [other] = form.files.get('a') as UploadFile[];
  expect([upload!.size, spools().length]).toEqual([1_500_003, 2]);
  expect(spools()[0]).toContain(temporary);
  expect(readdirSync(temporary)).toEqual([]);
  upload!.file.seek(1_500_000);
  expect([upload!.read().latin1, other!.file.seek(-1, 2), other!.read().latin1]).toEqual(['end', 1_500_000, '!']);
  const copy = join(mkdtempSync(join(tmpdir(), 'svc-test-')), 'copy');
  upload!.save(copy);
  expect(readFileSync(copy, 'latin1') === `${content}end`).toBe(true);
  form.dispose();
  await expect.poll(spools).toEqual([]);
  for (const late of [() => upload!.read(), () => upload!.save(copy), () => upload!.file.tell()])
    expect(late).toThrow('the uploaded file is gone');
  await expect(upload!.$chunks()[Symbol.asyncIterator]().next()).rejects.toThrow();
});

/** Temporary files that this process has open. */
function spools(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.includes('svc-upload-') ? [target] : [];
    } catch {
      return [];
    }
  });
}

test('what breaks a limit, or belongs to no field, is not kept, and all is given up when the body breaks off', async () => {
  const large = 'x'.repeat(2_000_000);
  const seen: number[] = [];
  const watched = async function* (bytes: Buffer) {
    for await (const piece of pieces(bytes, 100_000)) {
      seen.push(spools().length);
      yield piece;
    }
  };
  const noField = await readMultipart(watched(body(file('unknown', 'u', large))), type, limits, fields);
  expect([[...noField.files], Math.max(...seen)]).toEqual([[], 0]);
  const tooLarge = body(file('a', 'a', large), file('b', 'b', large), file('c', 'c', large));
  const form = await readMultipart(watched(tooLarge), type, { ...limits, maxFileBytes: 1_500_000 }, fields);
  expect([[...form.problems], [...form.files]]).toEqual([[['a', 'file_too_large']], []]);
  expect(Math.max(...seen)).toBe(1);
  expect(spools()).toEqual([]);
  const cut = async function* () {
    yield* pieces(body(file('a', 'a', large), file('b', 'b', large)).subarray(0, 3_500_000), 100_000);
    seen.push(spools().length);
    throw new Error('cut');
  };
  await expect(readMultipart(cut(), type, limits, fields)).rejects.toThrow('cut');
  expect(seen.at(-1)).toBe(2);
  await expect.poll(spools).toEqual([]);
});

test('text parts count together', async () => {
  const parts = Array.from({ length: 30 }, (_, i): [string, string] => [`name="t${i}"`, 'x'.repeat(50)]);
  await expect(read(body(...parts))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  const many = Array.from({ length: 1001 }, (): [string, string] => ['name="t"', '']);
  await expect(read(body(...many))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
});

test('a field for which no file was chosen has none; an empty file is a file', async () => {
  const form = await read(body(file('a', '', '', 'application/octet-stream'), file('b', 'empty.txt', '')));
  expect([...form.files.keys()]).toEqual(['b']);
});

test('bytes of all kinds, and boundaries that almost are one', async () => {
  const content = Buffer.concat([
    Buffer.from(Array.from({ length: 256 }, (_, i) => i)),
    Buffer.from('\r\n--xY\r\n--xYa\r\n--\r\n\r--xYz'),
  ]).toString('latin1');
  for (const size of [1, 3, 1000]) {
    const form = await read(body(file('a', 'a', content)), {}, size);
    expect(form.files.get('a')![0]!.read().latin1).toBe(content);
  }
});

test('the file object: lines, positions, with, closing', async () => {
  const form = await read(body(file('a', 'a', 'one\ntwo\n\nlast')));
  const { file: object } = form.files.get('a')![0]!;
  expect([...object].map(({ latin1 }) => latin1)).toEqual(['one\n', 'two\n', '\n', 'last']);
  expect([object.read().latin1, object.readline().latin1, object.tell()]).toEqual(['', '', 13]);
  object.seek(4);
  expect([object.readline(2).latin1, object.readline(0).latin1, object.readline().latin1]).toEqual(['tw', '', 'o\n']);
  expect([object.seek(100), object.read().latin1, object.seek(-1, 1), object.tell()]).toEqual([100, '', 99, 99]);
  expect(() => object.seek(-1)).toThrow('negative seek position');
  object.__exit__();
  expect(() => object.read()).toThrow('I/O operation on closed file.');
  // A call that runs again finds it as it was.
  object.$rewind();
  expect(object.readline().latin1).toBe('one\n');
});

test('limits: one file, number of files, the whole body, one text', async () => {
  const big = await read(body(file('a', 'a', 'x'.repeat(2000)), file('b', 'b', 'x')), { maxFileBytes: 1000 });
  expect([...big.problems]).toEqual([['a', 'file_too_large']]);
  const many = await read(body(...['a', 'b', 'c', 'd'].map((name) => file(name, name, 'x'))));
  expect([...many.problems]).toEqual([['d', 'too_many_files']]);
  await expect(read(body(file('a', 'a', 'x'.repeat(2000))), { maxUploadBytes: 1000 }, 100)).rejects.toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
  });
  const unread = Array.from({ length: 2001 }, (_, i) => file('nobody', `${i}`, 'x'));
  await expect(read(body(...unread))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { limit: 2000 } });
  expect((await read(body(...unread.slice(1)))).files.size).toBe(0);
  await expect(read(body(['name="a"', 'x'.repeat(2000)]))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
});

test('bodies that are not what they say', async () => {
  const good = body(file('a', 'a', 'x'));
  await expect(read(good.subarray(0, -20))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(read(Buffer.from('nonsense'))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(readMultipart(pieces(good, 100), 'multipart/form-data', limits, fields)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  const broken = async function* () {
    yield good.subarray(0, 30);
    throw new Error('cut');
  };
  await expect(readMultipart(broken(), type, limits, fields)).rejects.toThrow('cut');
});

test('file names are base names without control characters', async () => {
  const form = await read(
    body(
      file('a', 'C:\\dir\\b\u0007c.txt', 'x'),
      file('b', '..', 'x'),
      file('c', Buffer.from(`x${'é'.repeat(200)}.txt`).toString('latin1'), 'x'),
    ),
  );
  const names = ['a', 'b', 'c'].map((name) => form.files.get(name)![0]!.filename);
  expect(names).toEqual(['bc.txt', '', `x${'é'.repeat(127)}`]);
  // A name of 70,000 characters: cutting it one by one would take seconds.
  const long = await read(body(file('a', 'n'.repeat(70_000), 'x')));
  expect([...long.files.values()].flat().map(({ filename }) => filename.length)).toEqual([255]);
});
