/** Contract of file storages (docs/server/files.md), wherever the files are kept. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Storage } from '../../core/files/file-storage.ts';
import { UploadFile } from '../../core/files/upload-file.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { Bytes } from '../../library/values/text/bytes.ts';

export interface OpenedFiles extends AsyncDisposable {
  readonly storage: Storage;
}

/** A file object as a program may write one. */
export const reader = (content: string | Uint8Array) => ({
  read: () => (typeof content === 'string' ? content : new Bytes(content)),
});

export const dict = (values: Readonly<Record<string, unknown>>) => Dict.from(Object.entries(values));

/** Names that no storage takes for a file of its own. */
export const escapingNames = [
  '/etc/passwd',
  '//etc/passwd',
  '..',
  '../x',
  'a/../../x',
  'a/..',
  './../x',
  'a/b/../../../x',
  'a\0b',
  'ok/\0',
  'C:/x',
  'c:x',
  '\\\\server\\share',
  '\\x',
  '..\\x',
  'a\\..\\..\\x',
];

/** Unusual, but plain names. */
export const plainNames = [
  'with space.txt',
  '.hidden',
  '..dots',
  'a..b',
  '...',
  '%2e%2e%2fx',
  'per%cent+plus&amp;?#',
  '"quotes\'`',
  'back\\slash',
  'new\nline',
  'CON',
  'nul.txt',
  'aux ',
  'ünïcödé/日本語/😀.txt',
  'caf\u00e9',
  'cafe\u0301',
  '__proto__',
  'constructor/prototype',
  'x'.repeat(255),
  `${'é'.repeat(127)}x`,
];

/**
 * Checks a storage against the contract. A stand-in for a service may keep fewer names than a real one (`names`), and
 * mix the contents of uploads to one path at once (`isWhole` false).
 */
export function describeFiles(
  name: string,
  open: () => Promise<OpenedFiles>,
  { names = plainNames, isWhole = true }: { readonly names?: readonly string[]; readonly isWhole?: boolean } = {},
): void {
  const text = async (storage: Storage, path: string) =>
    Buffer.from((await storage.download(path))!.data).toString('utf8');
  const put = (storage: Storage, path: string, content = path, metadata?: Dict) =>
    storage.upload(reader(content), path, metadata);
  const list = async (storage: Storage, prefix?: string, recursive = true) => [
    ...((await storage.list_files(prefix, recursive)) as Iterable<string>),
  ];
  const facts = async (storage: Storage, path: string) =>
    Object.fromEntries((await storage.get_metadata(path)).entries()) as Record<string, unknown>;
  const metadata = async (storage: Storage, path: string) => {
    const found = (await facts(storage, path))['metadata'] as Dict | undefined;
    return found === undefined ? undefined : Object.fromEntries(found.entries());
  };

  describe(`file storage ${name}`, () => {
    test('what was uploaded is downloaded, byte for byte, and replaced as a whole', async () => {
      await using opened = await open();
      const { storage } = opened;
      for (const size of [0, 1, 65_536, 3_000_001]) {
        const content = randomBytes(size);
        expect(await storage.upload(reader(content), 'a/b/file.bin')).toMatch(/\/a\/b\/file\.bin$/);
        expect(Buffer.from((await storage.download('a/b/file.bin'))!.data).equals(content)).toBe(true);
        expect((await facts(storage, 'a/b/file.bin'))['size']).toBe(size);
      }
      expect(await list(storage, '')).toEqual(['a/b/file.bin']);
    });

    test('sources: a path, an uploaded file wherever it was read to, objects with read()', async () => {
      await using opened = await open();
      const { storage } = opened;
      const folder = mkdtempSync(join(tmpdir(), 'svc-files-'));
      writeFileSync(join(folder, 'in'), 'from a path');
      await storage.upload(join(folder, 'in'), 'path');
      const upload = new UploadFile('n', 't', 5, { bytes: Buffer.from('bytes') });
      upload.read(2);
      await storage.upload(upload, 'upload');
      expect(upload.file.tell()).toBe(2);
      await storage.upload(upload.file, 'rest');
      await storage.upload(reader('tëxt'), 'text');
      await storage.upload({ read: async () => new Bytes(Buffer.from('later')) }, 'later');
      const names = ['path', 'upload', 'rest', 'text', 'later'];
      expect(await Promise.all(names.map((one) => text(storage, one)))).toEqual([
        'from a path',
        'bytes',
        'tes',
        'tëxt',
        'later',
      ]);
      await expect(storage.upload(join(folder, 'none'), 'x')).rejects.toMatchObject({ name: 'FileNotFoundError' });
      await expect(storage.upload(folder, 'x')).rejects.toMatchObject({ name: 'IsADirectoryError' });
      for (const wrong of [3, null, new Bytes(new Uint8Array(2)), [], { read: () => 3 }])
        await expect(storage.upload(wrong, 'x')).rejects.toMatchObject({ name: 'TypeError' });
      expect(await storage.exists('x')).toBe(false);
      rmSync(folder, { recursive: true });
    });

    test('download to a place on the server', async () => {
      await using opened = await open();
      const { storage } = opened;
      const folder = mkdtempSync(join(tmpdir(), 'svc-files-'));
      await put(storage, 'a', 'content');
      expect(await storage.download('a', join(folder, 'new', 'deep', 'out'))).toBe(null);
      expect(readFileSync(join(folder, 'new', 'deep', 'out'), 'utf8')).toBe('content');
      await expect(storage.download('none', join(folder, 'none'))).rejects.toMatchObject({ name: 'FileNotFoundError' });
      expect(existsSync(join(folder, 'none'))).toBe(false);
      rmSync(folder, { recursive: true });
    });

    test('names that lead outside, or are kept for the storage, are refused by every method', async () => {
      await using opened = await open();
      const { storage } = opened;
      await put(storage, 'a');
      const calls: readonly ((path: string) => unknown)[] = [
        (path) => put(storage, path),
        (path) => storage.download(path),
        (path) => storage.delete(path),
        async (path) => storage.exists(path),
        async (path) => [...((await storage.list_files(path, true)) as Iterable<string>)],
        async (path) => storage.get_metadata(path),
        (path) => storage.copy('a', path),
        (path) => storage.copy(path, 'b'),
        (path) => storage.move('a', path),
        (path) => storage.move(path, 'b'),
      ];
      const reserved = ['.svc-meta/a.json', '.svc-meta', '.SVC-META/a.json', 'x/.svc-tmp-1', '\u{ff0e}svc-meta/x'];
      const tooLong = [`${'é'.repeat(128)}`, `a/${'x'.repeat(256)}/b`];
      for (const path of [...escapingNames, ...reserved, ...tooLong])
        for (const [i, run] of calls.entries())
          await expect(run(path), `${i} ${path}`).rejects.toMatchObject({ name: 'ValueError' });
      await expect(put(storage, '../x')).rejects.toThrow('Path escapes the storage directory: ../x');
      for (const path of ['', '.', './', './/.'])
        for (const i of [0, 1, 2, 6, 7, 8, 9])
          await expect(calls[i]!(path), `${i} ${path}`).rejects.toMatchObject({ name: 'ValueError' });
      expect(await list(storage, '')).toEqual(['a']);
    });

    test('unusual names are plain names', async () => {
      await using opened = await open();
      const { storage } = opened;
      for (const path of names) await put(storage, path, path, dict({ of: path }));
      for (const path of names) {
        expect(await text(storage, path)).toBe(path);
        expect(await metadata(storage, path)).toEqual({ of: path });
      }
      const byCodePoint = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(await list(storage, '')).toEqual(byCodePoint);
      for (const path of names) expect(await storage.delete(path)).toBe(true);
      expect(await list(storage, '')).toEqual([]);
    });

    test('paths may be written with ./ and //', async () => {
      await using opened = await open();
      const { storage } = opened;
      await put(storage, './a//b/./c', 'x');
      expect(await text(storage, 'a/b/c')).toBe('x');
      expect(await list(storage, './/a/')).toEqual(['a/b/c']);
    });

    test('list_files: directories, beginnings of names, one level or all', async () => {
      await using opened = await open();
      const { storage } = opened;
      for (const path of ['b.txt', 'a/2', 'a/1', 'a.txt', 'a/sub/3', 'ab/4', 'a-b/5', 'Z']) await put(storage, path);
      expect(await list(storage)).toEqual(['Z', 'a-b/5', 'a.txt', 'a/1', 'a/2', 'a/sub/3', 'ab/4', 'b.txt']);
      expect(await list(storage, '', false)).toEqual(['Z', 'a.txt', 'b.txt']);
      expect(await list(storage, '.', false)).toEqual(['Z', 'a.txt', 'b.txt']);
      expect(await list(storage, 'a', false)).toEqual(['a/1', 'a/2']);
      expect(await list(storage, 'a')).toEqual(['a/1', 'a/2', 'a/sub/3']);
      expect(await list(storage, 'a/su')).toEqual(['a/sub/3']);
      expect(await list(storage, 'a/su', false)).toEqual([]);
      expect(await list(storage, 'ab')).toEqual(['ab/4']);
      expect(await list(storage, 'a.')).toEqual(['a.txt']);
      expect(await list(storage, 'a.txt')).toEqual(['a.txt']);
      expect(await list(storage, 'b')).toEqual(['b.txt']);
      expect(await list(storage, 'b/')).toEqual([]);
      expect(await list(storage, 'none')).toEqual([]);
      expect(await list(storage, 'none/deeper')).toEqual([]);
    });

    test('exists and get_metadata: files, directories, the storage itself', async () => {
      await using opened = await open();
      const { storage } = opened;
      const before = Date.now() / 1000 - 5;
      await put(storage, 'dir/file.txt', '12345');
      const { modified, created, ...rest } = await facts(storage, 'dir/file.txt');
      expect(rest).toEqual({ size: 5, is_dir: false, name: 'file.txt' });
      for (const time of [modified, created] as number[]) {
        expect(time).toBeGreaterThan(before);
        expect(time).toBeLessThan(Date.now() / 1000 + 5);
      }
      expect(await facts(storage, 'dir')).toMatchObject({ size: 0, is_dir: true, name: 'dir' });
      expect(await facts(storage, '')).toMatchObject({ size: 0, is_dir: true });
      const names = ['dir/file.txt', 'dir', '', '.', 'none', 'dir/none', 'dir/file.txt/below', 'di'];
      expect(await Promise.all(names.map((one) => storage.exists(one)))).toEqual([
        ...[true, true, true, true],
        ...[false, false, false, false],
      ]);
      await expect((async () => storage.get_metadata('none'))()).rejects.toMatchObject({ name: 'FileNotFoundError' });
    });

    test('metadata belong to the file they came with', async () => {
      await using opened = await open();
      const { storage } = opened;
      const all = { text: 'é "q"', n: 1.5, yes: true, none: null, __proto__x: '' };
      await put(storage, 'a', '1', dict(all));
      expect(await metadata(storage, 'a')).toEqual(all);
      await put(storage, 'a', '2', dict({ v: 2 }));
      expect(await metadata(storage, 'a')).toEqual({ v: 2 });
      await storage.copy('a', 'dir/copy');
      await storage.move('a', 'dir/moved');
      await storage.copy('dir', 'other');
      await storage.move('dir', 'third');
      for (const path of ['other/copy', 'other/moved', 'third/copy', 'third/moved'])
        expect(await metadata(storage, path), path).toEqual({ v: 2 });
      await put(storage, 'a', '3');
      expect(await metadata(storage, 'a')).toBeUndefined();
      await put(storage, 'third/copy', '3');
      expect(await metadata(storage, 'third/copy')).toBeUndefined();
      await storage.copy('a', 'other/copy');
      expect(await metadata(storage, 'other/copy')).toBeUndefined();
      await storage.delete('other');
      await put(storage, 'other/moved', '4');
      expect(await metadata(storage, 'other/moved')).toBeUndefined();
      for (const wrong of [dict({ a: [] }), dict({ a: Number.NaN }), Dict.from([[1, 'x']]), dict({ a: new Dict() })])
        await expect(put(storage, 'w', 'w', wrong)).rejects.toMatchObject({ name: 'ValueError' });
      await expect(storage.upload(reader('w'), 'w', 'text')).rejects.toMatchObject({ name: 'TypeError' });
      expect(await storage.exists('w')).toBe(false);
    });

    test('metadata of files and of directories that are called alike', async () => {
      await using opened = await open();
      const { storage } = opened;
      const paths = ['a', 'a.json/b', 'a.json~/b', 'a.json~~/c', 'b.json', 'b/c.json/d'];
      for (const path of paths) await put(storage, path, path, dict({ path }));
      for (const path of paths) expect(await metadata(storage, path)).toEqual({ path });
    });

    test('copy and move: files, directories, what is in the way', async () => {
      await using opened = await open();
      const { storage } = opened;
      for (const path of ['one', 'd/1', 'd/sub/2']) await put(storage, path);
      expect(await storage.copy('one', 'deep/er/one')).toBe(true);
      expect(await storage.copy('one', './one')).toBe(false);
      expect(await storage.copy('d', 'e')).toBe(true);
      expect(await storage.move('one', 'd/1')).toBe(true);
      expect(await text(storage, 'd/1')).toBe('one');
      expect(await storage.move('d', 'f/g')).toBe(true);
      expect(await storage.move('f/g/1', 'f/g/1')).toBe(true);
      expect(await list(storage, '')).toEqual(['deep/er/one', 'e/1', 'e/sub/2', 'f/g/1', 'f/g/sub/2']);
      // Onto a directory that is there: what it has besides stays.
      await put(storage, 'e/more');
      expect(await storage.move('f/g', 'e')).toBe(true);
      expect(await list(storage, '')).toEqual(['deep/er/one', 'e/1', 'e/more', 'e/sub/2']);
      expect(await text(storage, 'e/1')).toBe('one');
      for (const method of ['copy', 'move'] as const) {
        await expect(storage[method]('none', 'x')).rejects.toMatchObject({ name: 'FileNotFoundError' });
        await expect(storage[method]('e/1', 'deep')).rejects.toMatchObject({ name: 'IsADirectoryError' });
        await expect(storage[method]('e', 'e/below/x')).rejects.toMatchObject({ name: 'ValueError' });
        await expect(storage[method]('e', 'deep/er/one')).rejects.toMatchObject({ name: 'NotADirectoryError' });
      }
      await expect(storage.move('none', 'none')).rejects.toMatchObject({ name: 'FileNotFoundError' });
      expect(await list(storage, '')).toEqual(['deep/er/one', 'e/1', 'e/more', 'e/sub/2']);
    });

    test('directories are no files, and are deleted with all that is in them', async () => {
      await using opened = await open();
      const { storage } = opened;
      for (const path of ['d/1', 'd/sub/2', 'd2']) await put(storage, path);
      await expect(put(storage, 'd')).rejects.toMatchObject({ name: 'IsADirectoryError' });
      await expect(storage.download('d')).rejects.toMatchObject({ name: 'IsADirectoryError' });
      await expect(storage.download('none')).rejects.toMatchObject({ name: 'FileNotFoundError' });
      expect(await storage.delete('d')).toBe(true);
      expect(await storage.delete('d')).toBe(false);
      expect(await list(storage, '')).toEqual(['d2']);
    });

    test('a source that fails leaves what was there', async () => {
      await using opened = await open();
      const { storage } = opened;
      await put(storage, 'a', 'old', dict({ v: 1 }));
      const broken = new UploadFile('n', 't', 30_000_000, { bytes: new Uint8Array() });
      broken.$chunks = async function* () {
        for (let i = 0; i < 3; i += 1) yield new Uint8Array(6_000_000);
        throw new Error('cut off');
      };
      await expect(storage.upload(broken, 'a')).rejects.toThrow('cut off');
      await expect(storage.upload(broken, 'new/b')).rejects.toThrow('cut off');
      expect([await text(storage, 'a'), await metadata(storage, 'a')]).toEqual(['old', { v: 1 }]);
      expect(await list(storage, '')).toEqual(['a']);
    });

    test('until an upload has ended readers get the old file, whole', async () => {
      await using opened = await open();
      const { storage } = opened;
      await put(storage, 'a', 'old');
      let goOn = () => {};
      const waiting = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const slow = new UploadFile('n', 't', 8, { bytes: new Uint8Array() });
      slow.$chunks = async function* () {
        yield Buffer.from('new ');
        await waiting;
        yield Buffer.from('file');
      };
      const upload = storage.upload(slow, 'a');
      expect([await text(storage, 'a'), await list(storage, '')]).toEqual(['old', ['a']]);
      goOn();
      await upload;
      expect(await text(storage, 'a')).toBe('new file');
    });

    test('uploads of one path at once: the result is one of them', async () => {
      await using opened = await open();
      const { storage } = opened;
      const contents = Array.from({ length: 12 }, (_, i) => String(i).repeat(50_000));
      await Promise.all(contents.map((content, i) => put(storage, 'a', content, dict({ i }))));
      if (!isWhole) await put(storage, 'a', contents[3], dict({ i: 3 }));
      const { i } = (await metadata(storage, 'a')) as { i: number };
      expect(contents.indexOf(await text(storage, 'a'))).toBe(i);
      expect(await list(storage, '')).toEqual(['a']);
    });
  });
}
