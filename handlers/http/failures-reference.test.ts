import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { failureCodes } from '../../core/errors.ts';
import { failuresReference } from './failures-reference.ts';
import { titles } from './problem-details.ts';

const page = new URL('../../docs/reference/failures.md', import.meta.url);

test('the page in docs is the generated one, and every code has a meaning', async () => {
  expect(Object.keys(titles).sort()).toEqual(Object.keys(failureCodes).sort());
  const text = failuresReference();
  if (process.env['UPDATE'] === '1') await writeFile(page, text);
  expect(await readFile(page, 'utf8')).toBe(text);
});
