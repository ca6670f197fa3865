import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { commandHelp, overview } from './help.ts';
import { commands } from './main.ts';
import { parseArgs } from './parse-args.ts';
import { commandsReference, commandsTable } from './reference.ts';

const page = new URL('../docs/reference/commands.md', import.meta.url);
const readme = new URL('../README.md', import.meta.url);

const loaded = (await Promise.all(commands.map(({ load }) => load()))).map(({ command }) => command);

test('names agree with the list', () => {
  expect(loaded.map(({ name }) => name)).toEqual(commands.map(({ name }) => name));
});

describe('help', () => {
  const help = loaded.map((command) => [command, commandHelp(command)] as const);

  for (const [command, text] of help)
    test(`of svc ${command.name}: one line of purpose, two examples that are understood, 80 columns`, () => {
      const lines = text.split('\n');
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
      expect(lines[2]).toBe(command.about);
      expect(command.about).toMatch(/^[A-Z][^\n]*\.$/);
      expect(lines.indexOf('Examples:')).toBeGreaterThan(0);
      // Rows in a note are not broken: they would go on at the margin.
      const rows = (command.notes ?? []).flatMap((note) => note.split('\n')).filter((line) => line.startsWith(' '));
      expect(rows.filter((row) => !lines.includes(row))).toEqual([]);
      expect(new Set(command.examples.map(([line]) => line)).size).toBe(2);
      for (const [line] of command.examples) {
        const [svc, name, ...args] = line.split(/ [|<>] /)[0]!.split(' ');
        expect([svc, name]).toEqual(['svc', command.name]);
        expect(() => parseArgs(command, args), line).not.toThrow();
      }
    });

  test('of all commands together', () => {
    const lines = overview(commands).split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    for (const { name, about } of commands)
      expect(lines.some((line) => line.startsWith(`  ${name} `) && line.endsWith(about))).toBe(true);
  });
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
