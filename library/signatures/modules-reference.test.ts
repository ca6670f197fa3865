/** The page of standard modules is what programs get when they import them. */
import { readFile, writeFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import '../../core/runtime.ts';
import '../../core/modules/rare-modules.ts';
import '../rare-modules.ts';
import { standardModules } from '../../lang/project/standard-modules.ts';
import { load, std } from '../registry.ts';
import { signatureOf } from '../values/calls/signature.ts';
import { modulesReference } from './modules-reference.ts';

const page = new URL('../../docs/reference/modules.md', import.meta.url);
/** Ambient names in the places where earlier programs found them, and modules for other modules. */
const names = [...standardModules].filter((name) => !/^(mtllm|_|svclang)/.test(name)).sort();

beforeAll(async () => {
  await load(...names);
});

test('the page in docs is the generated one', async () => {
  const text = modulesReference(names);
  if (process.env['UPDATE'] === '1') await writeFile(page, text);
  expect(await readFile(page, 'utf8')).toBe(text);
});

test('parameters are shown as calls take them', () => {
  const text = modulesReference(['json', 'bisect', 'heapq', 'time']);
  expect(text).toContain('| `bisect_left(a, x, lo=0, hi=None, *, key=None)` | `int` |');
  expect(text).toContain('| `heappush(heap, item, /)` |');
  expect(text).toMatch(/\| `sleep\(.*\)` \| \*\*waits\*\* \|/);
  expect(text).toMatch(/\| `dumps\(obj, \*, skipkeys=False, ensure_ascii=True, .*\)` \| `str` \|/);
});

test('every function of a module has its parameters', () => {
  const without = names.flatMap((name) =>
    Object.keys(std(name))
      .filter((member) => !/^[_$]/.test(member) && typeof std(name)[member] === 'function')
      .filter((member) => signatureOf(std(name)[member]) === undefined && !/^[A-Z]/.test(member))
      .map((member) => `${name}.${member}`),
  );
  expect(without.filter((name) => !isKnownClass(name))).toEqual([]);
});

/** Classes with names in lower case: they have no parameters of a function. */
function isKnownClass(path: string): boolean {
  const member = path.slice(path.lastIndexOf('.') + 1);
  return /^class/.test(Function.prototype.toString.call(std(path.slice(0, path.lastIndexOf('.')))[member]));
}
