import { expect, test } from 'vitest';
import * as $ from '../core/runtime.ts';
import { load, std } from './registry.ts';
import './modules.ts';

test('what the runtime needs itself is there at once, other modules after a program asked for them', async () => {
  expect(load('datetime', 'os.path', 'svclang')).toBeUndefined();
  expect(() => std('json')).toThrow($.ModuleNotFoundError);
  await load('json', 'collections');
  expect($.getattr(std('json.decoder'), '__name__')).toBe('json.decoder');
  expect($.getattr(std('collections').abc, '__name__')).toBe('collections.abc');
  expect(load('json', 'collections')).toBeUndefined();
  expect(() => std('re')).toThrow($.ModuleNotFoundError);
  expect(() => std('csv')).toThrow($.ModuleNotFoundError);
  await load('json', 'csv');
  expect($.getattr(std('re'), '__name__')).toBe('re');
  expect($.getattr(std('csv'), '__name__')).toBe('csv');
  expect($.getattr(std('urllib.parse'), '__name__')).toBe('urllib.parse');
  expect(load('decimal')).toBeUndefined();
  await load('no_such_module');
  expect(() => std('no_such_module')).toThrow($.ModuleNotFoundError);
});
