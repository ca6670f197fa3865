import { expect, test } from 'vitest';
import { connectionsWithin, openFilesLimit } from './open-files.ts';

test('the limit of the process is read', () => {
  const text =
    'Limit                     Soft Limit           Hard Limit\nMax open files            1024                 4096      files\n';
  expect(openFilesLimit(text)).toBe(1024);
  expect(openFilesLimit('Max open files            unlimited            unlimited            files')).toBe(undefined);
  expect(openFilesLimit('')).toBe(undefined);
});

test('connections leave files for everything else', () => {
  expect(connectionsWithin(10_000, 1_048_576)).toBe(10_000);
  expect(connectionsWithin(10_000, 1024)).toBe(768);
  expect(connectionsWithin(10_000, 400)).toBe(200);
  expect(connectionsWithin(10, 400)).toBe(10);
  expect(connectionsWithin(10, undefined)).toBe(10);
});
