/** The drawing of the house in docs/architecture.md, made of the imports: `UPDATE=1 npx vitest run test/house-drawing.test.ts` draws it anew. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findCircles, imports, rooms, sourceFiles } from './harness/house-imports.ts';
import { repository } from './harness/server.ts';

const page = join(repository, 'docs/architecture.md');
const drawing = /(?<=<!-- drawing -->\n)[\s\S]*?(?=<!-- end of the drawing -->)/;

const about: Readonly<Record<(typeof rooms)[number], string>> = {
  base: 'small tools without any subject',
  lang: 'the compiler',
  library: 'the language while a program runs: values, classes, built-ins, standard modules',
  core: 'what a graph program means: graph, walkers, units of work, accounts',
  handlers: 'one call in, one reply out: HTTP, webhooks, sockets',
  adapters: 'stores, hosts, files, logs: everything outside of the process',
  infra: 'what a deployment consists of, as data',
  cli: 'the commands, and what joins the rest',
  client: 'what runs in browsers',
};

interface Room {
  readonly name: string;
  readonly files: number;
  readonly lines: number;
  readonly arrows: readonly string[];
}

const house: readonly Room[] = rooms
  .filter((name) => existsSync(join(repository, name)))
  .map((name) => {
    const files = sourceFiles(name);
    const lines = files.map((file) => readFileSync(join(repository, file), 'utf8').split('\n').length - 1);
    const targets = new Set(imports.filter(({ room }) => room === name).map(({ target }) => target?.split('/')[0]));
    return {
      name,
      files: files.length,
      lines: lines.reduce((sum, count) => sum + count, 0),
      arrows: rooms.filter((room) => room !== name && targets.has(room)),
    };
  });

/** A figure as the page has it while that is true within a tenth, so that not every change needs a new drawing. */
function shown(name: string, column: number, figure: number, text: string): number {
  const row = text.split('\n').find((line) => line.startsWith(`| \`${name}/\``));
  const written = Number(row?.split('|')[column]?.replaceAll(',', '').trim());
  return Math.abs(written - figure) <= figure / 10 ? written : figure;
}

function draw(text: string): string {
  const rows = [...house].reverse().map(({ name, files, lines, arrows }) => {
    const figures = [shown(name, 2, files, text), shown(name, 3, lines, text)];
    const [fileCount, lineCount] = figures.map((figure) => figure.toLocaleString('en-US'));
    return `| \`${name}/\` | ${fileCount} | ${lineCount} | ${about[name as keyof typeof about]} | ${arrows.join(', ')} |`;
  });
  return `\n| room | files | lines | holds | imports |\n| --- | ---: | ---: | --- | --- |\n${rows.join('\n')}\n\n`;
}

test('the drawing shows the rooms and the arrows between them', () => {
  const text = readFileSync(page, 'utf8');
  const found = drawing.exec(text)?.[0];
  const next = draw(found ?? '');
  if (process.env['UPDATE'] !== undefined)
    writeFileSync(
      page,
      text.replace(drawing, () => next),
    );
  else expect(found).toBe(next);
});

test('core can be read', () => {
  expect(house.find(({ name }) => name === 'core')!.lines).toBeLessThanOrEqual(27_000);
});

/** Circles that are the recursion of a grammar or of types; all others stay small. */
const natural: Readonly<Record<string, number>> = {
  'lang/1-parse': 43,
  'lang/3-infer': 41,
  'lang/5-emit': 35,
  'lang/6-emit-client': 24,
};

test('circles of files stay few and small, and none crosses a room', () => {
  const circles = findCircles();
  expect(circles.length).toBeLessThanOrEqual(15);
  expect(circles.filter((files) => new Set(files.map((file) => file.split('/')[0])).size > 1)).toEqual([]);
  const large = circles.filter(
    (files) =>
      files.length >
      (Object.entries(natural).find(([folder]) => files.every((file) => file.startsWith(`${folder}/`)))?.[1] ?? 17),
  );
  expect(large).toEqual([]);
});
