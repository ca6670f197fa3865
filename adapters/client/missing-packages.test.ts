import { expect, test } from 'vitest';
import { folderWith } from '../../test/harness/svc-process.ts';
import { missingPackages } from './missing-packages.ts';

test('types are looked for in the project, where the compiler looks for them', () => {
  using folder = folderWith({ 'main.svc': '' });
  const needs = { listed: {}, listedForWork: {}, unlisted: [], ofSheets: [], usesRouter: false, usesForms: false };
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
    usesRouter: false,
    usesForms: false,
    checksTypes: false,
  };
  const missing = (ofSheets: readonly string[]) => missingPackages({ ...needs, ofSheets }).map(({ wanted }) => wanted);
  expect(missing([])).toEqual([]);
  expect(missing(['tailwindcss'])).toEqual(['react@^19', 'tailwindcss@^4']);
});
