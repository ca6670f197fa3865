import { expect, test } from 'vitest';
import { folderWith } from '../../test/harness/svc-process.ts';
import { missingPackages, otherTools, unusedTools } from './missing-packages.ts';
import { placeOfPackage, placeOfSvc } from './packages.ts';

test('types are looked for in the project, where the compiler looks for them', () => {
  using folder = folderWith({ 'main.svc': '' });
  const needs = {
    listed: {},
    listedForWork: {},
    unlisted: [],
    ofSheets: [],
    ofConfig: [],
    usesRouter: false,
    usesForms: false,
  };
  const missing = missingPackages({ ...needs, projectDir: folder.path, checksTypes: true });
  expect(missing.map(({ name }) => name)).toEqual(['typescript', '@types/react', '@types/react-dom']);
});

test('packages of svc stand in for what a project lists, but for those that its sheets import', () => {
  using folder = folderWith({ 'main.svc': '' });
  const needs = {
    projectDir: folder.path,
    listed: { react: '^19', tailwindcss: '^4' },
    listedForWork: {},
    unlisted: [],
    ofConfig: [],
    usesRouter: false,
    usesForms: false,
    checksTypes: false,
  };
  const missing = (ofSheets: readonly string[]) => missingPackages({ ...needs, ofSheets }).map(({ wanted }) => wanted);
  expect(missing([])).toEqual([]);
  expect(missing(['tailwindcss'])).toEqual(['react@^19', 'tailwindcss@^4']);
});

test('build tools in versions that svc is not written for are passed over', () => {
  const manifest = (name: string, version: string) => JSON.stringify({ name, version });
  using folder = folderWith({
    'main.svc': '',
    'node_modules/vite/package.json': manifest('vite', '6.4.1'),
    'node_modules/@vitejs/plugin-react/package.json': manifest('@vitejs/plugin-react', '6.9.0'),
  });
  const listed = { vite: '^6.4.1', '@vitejs/plugin-react': '>=4' };
  expect(otherTools(listed)).toEqual({ vite: '^6.4.1' });
  expect(unusedTools({ listed, ofConfig: [] })).toEqual({ vite: '^6.4.1' });
  expect(unusedTools({ listed, ofConfig: ['vite'] })).toEqual({});
  expect(placeOfPackage('vite', folder.path)).toBe(placeOfSvc);
  expect(placeOfPackage('@vitejs/plugin-react', folder.path)).toBe(folder.path);
  const needs = { listedForWork: {}, unlisted: [], ofSheets: [], ofConfig: [], usesRouter: false, usesForms: false };
  expect(missingPackages({ ...needs, listed, projectDir: folder.path, checksTypes: false })).toEqual([]);
});

test('the toolkit of older programs is passed over', () => {
  using folder = folderWith({ 'main.svc': '' });
  const listed = { 'svc-client-node': '1.0.7', react: '^19' };
  expect(otherTools(listed)).toEqual({ 'svc-client-node': '1.0.7' });
  const needs = { unlisted: [], ofSheets: [], ofConfig: [], usesRouter: false, usesForms: false, checksTypes: false };
  const listedForWork = { '@svc-client/dev-deps': '2.0.0' };
  expect(missingPackages({ ...needs, listed, listedForWork, projectDir: folder.path })).toEqual([]);
});

test('build tools that svc lends are brought where the configuration of Vite imports them, as they are listed', () => {
  using folder = folderWith({ 'main.svc': '' });
  const needs = {
    listedForWork: {},
    unlisted: [],
    ofSheets: [],
    usesRouter: false,
    usesForms: false,
    checksTypes: false,
  };
  const missing = (listed: Readonly<Record<string, string>>, ofConfig: readonly string[]) =>
    missingPackages({ ...needs, listed, ofConfig, projectDir: folder.path }).map((one) => [one.wanted, one.listed]);
  expect(missing({}, [])).toEqual([]);
  expect(missing({}, ['vite'])).toEqual([[expect.stringMatching(/^vite@\^8/), '']]);
  expect(missing({ vite: '^6.4.1' }, ['vite'])).toEqual([['vite@^6.4.1', '^6.4.1']]);
});
