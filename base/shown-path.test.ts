import { expect, test } from 'vitest';
import { shownPathFrom } from './shown-path.ts';

test('is relative where that is shorter to read', () => {
  expect(shownPathFrom('/a/b', '/a/b/c/d.svc')).toBe('c/d.svc');
  expect(shownPathFrom('/a/b', '/a/svc.toml')).toBe('../svc.toml');
  expect(shownPathFrom('/a/b/c', '/x/y')).toBe('/x/y');
  expect(shownPathFrom('/a/b', '/a/b')).toBe('/a/b');
  expect(shownPathFrom('/', '/a/b')).toBe('a/b');
});
