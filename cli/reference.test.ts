import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { commands } from './main.ts';
import { commandsReference, commandsTable } from './reference.ts';

const page = new URL('../docs/reference/commands.md', import.meta.url);
const readme = new URL('../README.md', import.meta.url);

const loaded = (await Promise.all(commands.map(({ load }) => load()))).map(({ command }) => command);

test('names agree with the list', () => {
  expect(loaded.map(({ name }) => name)).toEqual(commands.map(({ name }) => name));
});

test('the page in docs is the generated one', async () => {
  const text = commandsReference(loaded);
  if (process.env['UPDATE'] === '1') await writeFile(page, text);
  expect(await readFile(page, 'utf8')).toBe(text);
});

test('the table of the README is the generated one', async () => {
  const text = await readFile(readme, 'utf8');
  const generated = text.replace(/^\| command \| does \|\n(?:\|.*\n)*/m, () => `${commandsTable(loaded)}\n`);
  if (process.env['UPDATE'] === '1') await writeFile(readme, generated);
  expect(await readFile(readme, 'utf8')).toBe(generated);
  expect(generated).toContain('\n| `svc doctor` |');
});
