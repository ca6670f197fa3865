import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { metricsReference } from './reference.ts';

const page = new URL('../../docs/reference/metrics.md', import.meta.url);

test('the page in docs is the generated one', async () => {
  const text = await metricsReference();
  if (process.env['UPDATE'] === '1') await writeFile(page, text);
  expect(await readFile(page, 'utf8')).toBe(text);
});
