import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeFiles, dict, reader } from '../../../test/contracts/files.ts';
import { Storage } from '../file-storage.ts';
import { openLocalStorage } from './local-storage.ts';

function openHere(createDirs = true) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-storage-')));
  const base = join(folder, 'base');
  const storage = new Storage('base', () => openLocalStorage({ directory: base, shown: './base', createDirs }));
  return {
    folder,
    base,
    storage,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

describeFiles('local', async () => openHere());

const list = (storage: Storage) => [...(storage.list_files('', true) as Iterable<string>)];
const content = async (storage: Storage, path: string) => Buffer.from((await storage.download(path))!.data).toString();

test('files are private to the owner and the group, and temporary ones are gone', async () => {
  using opened = openHere();
  const { base, storage } = opened;
  const mask = process.umask(0);
  try {
    expect(await storage.upload(reader('x'), 'a/b', dict({ k: 1 }))).toBe('./base/a/b');
  } finally {
    process.umask(mask);
  }
  const modes = ['', 'a', 'a/b', '.svc-meta', '.svc-meta/a', '.svc-meta/a/b.json'].map((path) =>
    (statSync(join(base, path)).mode & 0o777).toString(8),
  );
  expect(modes).toEqual(['750', '750', '640', '750', '750', '640']);
  expect(JSON.parse(readFileSync(join(base, '.svc-meta/a/b.json'), 'utf8'))).toEqual({ k: 1 });
  expect(readdirSync(join(base, 'a'))).toEqual(['b']);
});

test('a missing base directory: made by the first write, or an error', async () => {
  using opened = openHere();
  expect([await opened.storage.exists('a'), list(opened.storage)]).toEqual([false, []]);
  expect(await opened.storage.delete('a')).toBe(false);
  expect(existsSync(opened.base)).toBe(false);
  await opened.storage.upload(reader('x'), 'a');
  expect(list(opened.storage)).toEqual(['a']);

  using strict = openHere(false);
  const { storage } = strict;
  const calls = [
    () => storage.upload(reader('x'), 'a'),
    async () => storage.exists('a'),
    async () => list(storage),
    async () => storage.get_metadata('a'),
    () => storage.download('a'),
    () => storage.delete('a'),
    () => storage.copy('a', 'b'),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ name: 'FileNotFoundError' });
  await expect(calls[0]!()).rejects.toThrow("No such file or directory: './base'");
  mkdirSync(strict.base);
  await storage.upload(reader('x'), 'made/below');
  expect(list(storage)).toEqual(['made/below']);
});

test('links that lead outside are refused by every method, and left out of lists', async () => {
  using opened = openHere();
  const { folder, base, storage } = opened;
  await storage.upload(reader('inside'), 'dir/real.txt');
  mkdirSync(join(folder, 'outside'));
  writeFileSync(join(folder, 'outside', 'secret.txt'), 'secret');
  mkdirSync(join(folder, 'base-beside'));
  writeFileSync(join(folder, 'base-beside', 'secret.txt'), 'secret');
  const links: Readonly<Record<string, string>> = {
    'file-out': '../outside/secret.txt',
    'file-absolute': join(folder, 'outside', 'secret.txt'),
    'folder-out': '../outside',
    'folder-beside': '../base-beside',
    'folder-root': '/',
    'dir/up': '../..',
    'to-link': 'folder-out',
    nowhere: '../outside/new.txt',
    'nowhere-inside': 'not-yet',
    itself: 'itself',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(base, name));
  const paths = [
    ...Object.keys(links),
    'folder-out/secret.txt',
    'folder-out/new.txt',
    'folder-beside/secret.txt',
    'folder-root/etc/passwd',
    'dir/up/outside/secret.txt',
    'to-link/secret.txt',
  ];
  const before = snapshot(join(folder, 'outside'));
  for (const path of paths) {
    const calls: readonly (() => Promise<unknown>)[] = [
      () => storage.upload(reader('evil'), path),
      () => storage.download(path),
      () => storage.delete(path),
      async () => storage.exists(path),
      async () => storage.get_metadata(path),
      async () => [...(storage.list_files(path, true) as Iterable<string>)],
      () => storage.copy(path, 'stolen'),
      () => storage.copy('dir/real.txt', path),
      () => storage.move(path, 'stolen'),
      () => storage.move('dir/real.txt', path),
    ];
    for (const [i, call] of calls.entries())
      await expect(call(), `${i} ${path}`).rejects.toThrow(`Path escapes the storage directory: ${path}`);
  }
  expect(list(storage)).toEqual(['dir/real.txt']);
  // A copied directory does not take along what a link in it leads to.
  await storage.copy('dir', 'copied');
  expect(list(storage)).toEqual(['copied/real.txt', 'dir/real.txt']);
  // Deletion removes the link, never the file it leads to.
  await storage.delete('dir');
  expect(snapshot(join(folder, 'outside'))).toEqual(before);
  expect(await content(storage, 'copied/real.txt')).toBe('inside');
});

test('links inside the storage are followed; replacing or deleting one leaves what it leads to', async () => {
  using opened = openHere();
  const { base, storage } = opened;
  await storage.upload(reader('one'), 'v1/file');
  symlinkSync('v1', join(base, 'latest'));
  symlinkSync('v1/file', join(base, 'alias'));
  symlinkSync('..', join(base, 'v1', 'round'));
  expect([await content(storage, 'latest/file'), await content(storage, 'alias')]).toEqual(['one', 'one']);
  expect(list(storage)).toEqual(['alias', 'latest/file', 'v1/file']);
  await storage.upload(reader('two'), 'alias');
  expect(lstatSync(join(base, 'alias')).isSymbolicLink()).toBe(false);
  expect([await content(storage, 'v1/file'), await content(storage, 'alias')]).toEqual(['one', 'two']);
  expect(await storage.delete('latest')).toBe(true);
  expect(list(storage)).toEqual(['alias', 'v1/file']);
});

test('the base directory may be a link itself', async () => {
  using opened = openHere();
  mkdirSync(join(opened.folder, 'volume'));
  symlinkSync('volume', opened.base);
  await opened.storage.upload(reader('x'), 'a/b');
  expect(readFileSync(join(opened.folder, 'volume', 'a', 'b'), 'utf8')).toBe('x');
  expect(list(opened.storage)).toEqual(['a/b']);
});

test('what a process that was killed has left goes in time', async () => {
  using opened = openHere();
  const { base } = opened;
  mkdirSync(join(base, 'a'), { recursive: true });
  for (const name of ['a/.svc-tmp-old', 'a/.svc-tmp-new', 'a/plain']) writeFileSync(join(base, name), 'x');
  const before = (hours: number) => Date.now() / 1000 - hours * 3600;
  utimesSync(join(base, 'a/.svc-tmp-old'), before(25), before(25));
  utimesSync(join(base, 'a/.svc-tmp-new'), before(23), before(23));
  utimesSync(join(base, 'a/plain'), before(2000), before(2000));
  await opened.storage.upload(reader('x'), 'a/b');
  expect(readdirSync(join(base, 'a')).sort()).toEqual(['.svc-tmp-new', 'b', 'plain']);
  expect(list(opened.storage)).toEqual(['a/b', 'a/plain']);
});

test('a file is no directory', async () => {
  using opened = openHere();
  const { storage } = opened;
  await storage.upload(reader('x'), 'a');
  await expect(storage.upload(reader('x'), 'a/b')).rejects.toMatchObject({ name: 'NotADirectoryError' });
  await expect(storage.upload(reader('x'), 'a/b/c')).rejects.toMatchObject({ name: 'NotADirectoryError' });
  await expect(storage.download('a/b')).rejects.toMatchObject({ name: 'FileNotFoundError' });
  expect([await storage.exists('a/b'), await storage.delete('a/b')]).toEqual([false, false]);
});

test('errors name the path of the program, never the place on the server', async () => {
  using opened = openHere();
  const { base, storage } = opened;
  await storage.upload(reader('x'), 'locked/a');
  const failures = [
    storage.download('locked/none'),
    storage.upload(reader('x'), `${'long/'.repeat(1000)}x`),
    storage.upload('/nowhere/source', 'x'),
    storage.copy('none', 'x'),
  ];
  const texts = await Promise.all(failures.map((one) => one.catch((error) => `${error.name}: ${error.message}`)));
  expect(texts[0]).toBe("FileNotFoundError: [Errno 2] No such file or directory: 'locked/none'");
  expect(texts[1]).toMatch(/^OSError: \[Errno 36\] File name too long: 'long\/long/);
  expect(texts[2]).toBe("FileNotFoundError: [Errno 2] No such file or directory: '/nowhere/source'");
  expect(texts.join('\n')).not.toContain(base);
  // Rights are not asked of the superuser.
  if (process.getuid?.() === 0) return;
  chmodSync(join(base, 'locked'), 0o500);
  const refused = await storage.upload(reader('x'), 'locked/b').catch((error) => error);
  chmodSync(join(base, 'locked'), 0o700);
  expect(`${refused.name}: ${refused.message}`).toBe("PermissionError: [Errno 13] Permission denied: 'locked/b'");
});

function snapshot(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
