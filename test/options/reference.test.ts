import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { optionPaths, tomlKey } from '../../core/config/options.ts';
import { optionsReference } from './reference.ts';

const page = new URL('../../docs/reference/options.md', import.meta.url);

test('the page in docs is the generated one', async () => {
  const text = optionsReference();
  if (process.env['UPDATE'] === '1') await writeFile(page, text);
  expect(await readFile(page, 'utf8')).toBe(text);
});

test('has a row for every option', () => {
  const text = optionsReference();
  for (const path of optionPaths) {
    const key = tomlKey(path);
    expect(text).toContain(`| \`${key.slice(key.lastIndexOf('.') + 1)}\` |`);
  }
});
