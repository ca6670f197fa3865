import { expect, test } from 'vitest';
import { filesInMemory } from '../project/files.ts';
import { findDeclarations } from './find-declarations.ts';

const find = (specifier: string, texts: Record<string, string>, from = '/app/src') =>
  findDeclarations(specifier, from, filesInMemory(texts));

const manifest = (content: unknown) => JSON.stringify(content);

test('files, named as code names them', () => {
  const files = { '/app/src/util.ts': '', '/app/src/old.d.ts': '', '/app/src/old.js': '', '/app/src/lib/index.ts': '' };
  expect(find('./util.ts', files)).toBe('/app/src/util.ts');
  expect(find('./util.js', files)).toBe('/app/src/util.ts');
  expect(find('./util', files)).toBe('/app/src/util.ts');
  expect(find('./old.js', files)).toBe('/app/src/old.d.ts');
  expect(find('./old.ts', files)).toBe('/app/src/old.d.ts');
  expect(find('./lib', files)).toBe('/app/src/lib/index.ts');
  expect(find('../src/util', files)).toBe('/app/src/util.ts');
  for (const other of ['./none', './tasks.svc', './Card.tsx', './data.json'])
    expect(find(other, files)).toBeUndefined();
});

test('what a package says of itself', () => {
  const folder = '/app/node_modules/p';
  const of = (content: unknown, files: readonly string[], specifier = 'p') =>
    find(specifier, {
      [`${folder}/package.json`]: manifest(content),
      ...Object.fromEntries(files.map((name) => [`${folder}/${name}`, ''])),
    })?.slice(folder.length + 1);
  expect(of({ types: './d/main.d.ts' }, ['d/main.d.ts'])).toBe('d/main.d.ts');
  expect(of({ typings: 'd/main' }, ['d/main.d.ts'])).toBe('d/main.d.ts');
  expect(of({ main: 'lib/a.js' }, ['lib/a.d.ts', 'lib/a.js'])).toBe('lib/a.d.ts');
  expect(of({}, ['index.d.ts'])).toBe('index.d.ts');
  expect(of({}, ['sub/x.d.ts'], 'p/sub/x')).toBe('sub/x.d.ts');
  const exports = {
    '.': { browser: './b.js', require: { types: './c.d.cts' }, import: { types: './m.d.mts', default: './m.mjs' } },
    './sub': { types: './s.d.ts' },
    './deep/*': './lib/*.js',
    './closed': './closed.js',
    './old': { browser: './b.js', require: './c.cjs' },
  };
  const files = ['c.d.cts', 'm.d.mts', 's.d.ts', 'lib/x/y.d.ts', 'hidden.d.ts'];
  expect(of({ exports }, files)).toBe('m.d.mts');
  expect(of({ exports }, files, 'p/sub')).toBe('s.d.ts');
  expect(of({ exports }, files, 'p/deep/x/y')).toBe('lib/x/y.d.ts');
  expect(of({ exports }, files, 'p/old')).toBe('c.d.cts');
  expect(of({ exports }, files, 'p/closed')).toBeUndefined();
  expect(of({ exports }, files, 'p/hidden')).toBeUndefined();
  expect(of({ exports: './m.mjs' }, files)).toBe('m.d.mts');
  expect(of({ main: 'src.ts' }, ['src.ts'])).toBeUndefined();
});

test('declarations beside a package, and of the folders above', () => {
  const texts = {
    '/node_modules/@types/node/fs/promises.d.ts': '',
    '/app/node_modules/plain/index.js': '',
    '/app/node_modules/@types/plain/index.d.ts': '',
    '/app/node_modules/@types/scope__name/index.d.ts': '',
    '/app/node_modules/broken/package.json': '{',
    '/app/node_modules/broken/index.d.ts': '',
  };
  expect(find('plain', texts)).toBe('/app/node_modules/@types/plain/index.d.ts');
  expect(find('@scope/name', texts)).toBe('/app/node_modules/@types/scope__name/index.d.ts');
  expect(find('broken', texts)).toBe('/app/node_modules/broken/index.d.ts');
  expect(find('node:fs/promises', texts)).toBe('/node_modules/@types/node/fs/promises.d.ts');
  expect(find('node:os', texts)).toBeUndefined();
  expect(find('none', texts)).toBeUndefined();
});
