import { expect, test } from 'vitest';
import * as $ from '../runtime.ts';
import { load, std } from './modules.ts';

test('common modules are there at once, rare ones after a program asked for them', async () => {
  expect(load('json', 'os.path', 'svclang')).toBeUndefined();
  expect($.getattr(std('json'), '__name__')).toBe('json');
  expect(() => std('csv')).toThrow($.ModuleNotFoundError);
  await load('json', 'csv');
  expect($.getattr(std('csv'), '__name__')).toBe('csv');
  expect($.getattr(std('urllib.parse'), '__name__')).toBe('urllib.parse');
  expect(load('decimal')).toBeUndefined();
  await load('no_such_module');
  expect(() => std('no_such_module')).toThrow($.ModuleNotFoundError);
});
