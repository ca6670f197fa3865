import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { UploadFile } from '../../core/files/upload-file.ts';
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

const read = (bytes: Buffer, more: Partial<UploadLimits> = {}, size = 7000) =>
  readMultipart(pieces(bytes, size), type, { ...limits, ...more });
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

test('large files are spooled to a private file that is gone afterwards', async () => {
  const content = 'x'.repeat(1_500_000);
  const form = await read(body(file('file', 'big.bin', `${content}end`)));
  const [upload] = form.files.get('file') as UploadFile[];
  expect(upload!.size).toBe(1_500_003);
  upload!.file.seek(1_500_000);
  expect(upload!.read().latin1).toBe('end');
  const { path } = (upload!.file as unknown as { content: { path: string } }).content;
  expect(existsSync(path)).toBe(true);
  const copy = join(mkdtempSync(join(tmpdir(), 'svc-test-')), 'copy');
  upload!.save(copy);
  expect(readFileSync(copy).length).toBe(1_500_003);
  form.dispose();
  expect(existsSync(path)).toBe(false);
});

test('limits: one file, number of files, the whole body, one text', async () => {
  const big = await read(body(file('a', 'a', 'x'.repeat(2000)), file('b', 'b', 'x')), { maxFileBytes: 1000 });
  expect([...big.problems]).toEqual([['a', 'file_too_large']]);
  const many = await read(body(...['a', 'b', 'c', 'd'].map((name) => file(name, name, 'x'))));
  expect([...many.problems]).toEqual([['d', 'too_many_files']]);
  await expect(read(body(file('a', 'a', 'x'.repeat(2000))), { maxUploadBytes: 1000 }, 100)).rejects.toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
  });
  await expect(read(body(['name="a"', 'x'.repeat(2000)]))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
});

test('bodies that are not what they say', async () => {
  const good = body(file('a', 'a', 'x'));
  await expect(read(good.subarray(0, -20))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(read(Buffer.from('nonsense'))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(readMultipart(pieces(good, 100), 'multipart/form-data', limits)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  const broken = async function* () {
    yield good.subarray(0, 30);
    throw new Error('cut');
  };
  await expect(readMultipart(broken(), type, limits)).rejects.toThrow('cut');
});

test('file names are base names without control characters', async () => {
  const form = await read(
    body(file('a', 'C:\\dir\\b\u0007c.txt', 'x'), file('b', '..', 'x'), file('c', `${'é'.repeat(200)}.txt`, 'x')),
  );
  const names = ['a', 'b', 'c'].map((name) => form.files.get(name)![0]!.filename);
  expect(names.slice(0, 2)).toEqual(['bc.txt', '']);
  expect(Buffer.byteLength(names[2]!)).toBeLessThanOrEqual(255);
});
