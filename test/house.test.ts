/** Imports between the rooms (docs/architecture.md): every import of every source file is checked against the table. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { imports, rooms, sourceFiles, testSupport } from './harness/house-imports.ts';
import { repositoryFiles } from './harness/repository-files.ts';

const root = resolve(import.meta.dirname, '..');

/** Folder -> folders it may import besides itself. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  base: [],
  lang: ['base'],
  library: ['base'],
  core: ['base', 'lang', 'library'], // lang: types only
  handlers: ['base', 'lang', 'library', 'core'],
  adapters: ['base', 'lang', 'library', 'core', 'handlers'],
  infra: ['base', 'lang', 'library', 'core'],
  cli: ['base', 'lang', 'library', 'core', 'handlers', 'adapters', 'infra'],
  client: ['base'],
};

/** Packages and built-in modules that only some folders may use. `lang` and `base` are pure: no files, no clock, no Node. */
const pureFolders = ['base', 'lang', 'client'];
const drivers = ['libsql', 'node:sqlite', 'mongodb', 'ioredis', '@aws-sdk', 'node:http', 'node:net', 'ws', 'esbuild'];
const driverFolders = ['adapters', 'cli', 'infra'];

/** The standard modules of the language include clients for the network. */
const standardModules = 'library/modules/';

test('the check sees the code base', () => {
  expect(imports.length).toBeGreaterThan(200);
});

test('folders import only what the table allows', () => {
  const wrong = imports.flatMap((item) => {
    if (item.target === undefined) return [];
    const room = item.target.split('/')[0]!;
    const fits = room === item.room || allowed[item.room]!.includes(room);
    return fits ? [] : [`${item.file} imports ${item.specifier}`];
  });
  expect(wrong).toEqual([]);
});

test('core takes only types from lang', () => {
  const wrong = imports.filter((item) => item.room === 'core' && /(^|\/)lang\//.test(item.specifier) && !item.typeOnly);
  expect(wrong.map((item) => `${item.file} imports ${item.specifier}`)).toEqual([]);
});

test('pure folders use no Node module, and drivers stay in adapters', () => {
  const wrong = imports.filter((item) => {
    if (item.typeOnly || item.specifier.startsWith('.')) return false;
    if (pureFolders.includes(item.room)) return item.specifier.startsWith('node:');
    if (item.file.startsWith(standardModules)) return false;
    return (
      !driverFolders.includes(item.room) &&
      drivers.some((name) => item.specifier === name || item.specifier.startsWith(`${name}/`))
    );
  });
  expect(wrong.map((item) => `${item.file} imports ${item.specifier}`)).toEqual([]);
});

test('standard modules change the file system through library/disk.ts alone, which replays do not', () => {
  const [own, ...others] = ['library/disk.ts', ...sourceFiles('library').filter((file) => file !== 'library/disk.ts')];
  const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
  const names = [...textOf(own).matchAll(/^export const (\w+) =/gm)].map((match) => match[1]!);
  expect(names.length).toBeGreaterThan(10);
  const changing = [
    ...names,
    'appendFileSync',
    'chownSync',
    'cpSync',
    'createWriteStream',
    'mkdtempSync',
    'futimesSync',
  ];
  const wrong = others.filter((file) => {
    const text = textOf(file);
    const taken = /import \{([^}]*)\} from 'node:fs'/.exec(text)?.[1] ?? '';
    if (/'node:fs\/promises'/.test(text)) return true;
    return changing.some(
      (name) => new RegExp(`\\bfs\\.${name}\\b`).test(text) || new RegExp(`\\b${name}\\b`).test(taken),
    );
  });
  expect(wrong).toEqual([]);
});

test('stores never meet, and protocols meet only in auth and the route table', () => {
  const wrong = imports.filter((item) => {
    const store = /^adapters\/stores\/([a-z]+)\//.exec(item.file)?.[1];
    const other = /^adapters\/stores\/([a-z]+)\//.exec(item.target ?? '')?.[1];
    return store !== undefined && other !== undefined && store !== other;
  });
  expect(wrong.map((item) => `${item.file} imports ${item.specifier}`)).toEqual([]);
});

test('every relative import names its extension', () => {
  const wrong = imports.filter(
    (item) => item.specifier.startsWith('.') && !/\.(ts|mjs|js|json|html|css|svg)$/.test(item.specifier),
  );
  expect(wrong.map((item) => `${item.file} imports ${item.specifier}`)).toEqual([]);
});

test('what only tests use is not used elsewhere', () => {
  const wrong = imports.filter(
    (item) => item.specifier.startsWith('.') && testSupport.test(item.specifier.split('/').at(-1)!),
  );
  expect(wrong.map((item) => `${item.file} imports ${item.specifier}`)).toEqual([]);
});

test('no link is in the repository: it leads elsewhere on another machine', () => {
  const files = repositoryFiles();
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => lstatSync(join(root, file)).isSymbolicLink())).toEqual([]);
});

/** Rooms whose README is checked against their folders. */
const describedRooms = ['base', 'lang', 'library', 'core', 'handlers', 'adapters', 'infra', 'cli', 'client'];

test.each(describedRooms)('the README of %s lists every folder, and the files it names exist', (room) => {
  const text = readFileSync(join(root, room, 'README.md'), 'utf8');
  const entries = readdirSync(join(root, room), { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => relative(root, join(entry.parentPath, entry.name)));
  const folders = readdirSync(join(root, room), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => !new RegExp(`\`(${room}/)?${name}/?\``).test(text))).toEqual(
    [],
  );

  // `name.ts`, `folder/` and `folder/name.ts`, from the root or from some folder of the room; `<name>` stands for any name.
  const named = [...text.matchAll(/`([\w./-]+(?:\.(?:ts|mjs|md)|\/))`/g)].map((match) => match[1]!.replace(/\/$/, ''));
  const missing = named.filter(
    (name) => !existsSync(join(root, name)) && !paths.some((path) => `/${path}`.endsWith(`/${name}`)),
  );
  expect(missing).toEqual([]);
});

test('pages, styles and scripts for browsers are files, not strings', () => {
  const wrong = rooms.flatMap((room) =>
    sourceFiles(room).filter((file) => /<html|<style|<script/.test(readFileSync(join(root, file), 'utf8'))),
  );
  expect(wrong).toEqual([]);
});
