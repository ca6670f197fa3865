import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { commands } from './main.ts';
import { commandsReference } from './reference.ts';

const page = new URL('../docs/reference/commands.md', import.meta.url);

test('the page in docs is the generated one, and names agree with the list', async () => {
  const loaded = await Promise.all(commands.map(({ load }) => load()));
  expect(loaded.map(({ command }) => command.name)).toEqual(commands.map(({ name }) => name));
  const text = commandsReference(loaded.map(({ command }) => command));
  if (process.env['UPDATE'] === '1') await writeFile(page, text);
  expect(await readFile(page, 'utf8')).toBe(text);
});
