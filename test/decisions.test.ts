/** The pages of docs/decisions and their index by room: `UPDATE=1 npx vitest run test/decisions.test.ts` writes the index anew. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { rooms } from './harness/house-imports.ts';
import { repositoryFiles } from './harness/repository-files.ts';
import { repository } from './harness/server.ts';

const folder = join(repository, 'docs/decisions');
const index = join(folder, 'README.md');

interface Page {
  readonly number: string;
  readonly file: string;
  readonly title: string;
  readonly text: string;
}

const pages: readonly Page[] = readdirSync(folder)
  .filter((file) => /^\d{4}-/.test(file))
  .sort()
  .map((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return { number: file.slice(0, 4), file, text, title: /^# \d{4} (.+)$/m.exec(text)?.[1] ?? '' };
  });

/** Files that the repository keeps, with what they cite: `decisions/0401`, `decisions/0401, 0405`. */
function readCitations(): readonly { readonly file: string; readonly number: string }[] {
  return repositoryFiles()
    .filter((file) => /\.(ts|mjs|md|py|svc|yml)$/.test(file) && file !== 'docs/decisions/README.md')
    .flatMap((file) => {
      const text = readFileSync(join(repository, file), 'utf8');
      return [...text.matchAll(/decisions\/(\d{4}(?:(?:, | and )\d{4})*)/g)].flatMap(([, numbers]) =>
        numbers!.split(/, | and /).map((number) => ({ file, number })),
      );
    });
}

let citations: ReturnType<typeof readCitations> = [];
beforeEach(() => {
  if (citations.length === 0) citations = readCitations();
});

/** The room whose files cite the page most; else the one whose paths it names most. */
function roomOf({ number, text }: Page): string {
  const count = (room: string) =>
    citations.filter((one) => one.number === number && one.file.startsWith(`${room}/`)).length;
  const named = (room: string) => [...text.matchAll(new RegExp(`\\b${room}/`, 'g'))].length;
  const most = (score: (room: string) => number): string | undefined => {
    const [best] = rooms.map((room) => ({ room, score: score(room) })).sort((a, b) => b.score - a.score);
    return best!.score > 0 ? best!.room : undefined;
  };
  return most(count) ?? most(named) ?? 'all rooms';
}

test('numbers are given once, and a page begins with its number and title', () => {
  expect(pages.length).toBeGreaterThan(40);
  expect(pages.filter(({ title }) => title === '').map(({ file }) => file)).toEqual([]);
  expect(pages.filter(({ number }, at) => pages[at - 1]?.number === number).map(({ file }) => file)).toEqual([]);
});

test('every citation leads to a page', () => {
  expect(citations.length).toBeGreaterThan(100);
  const known = new Set(pages.map(({ number }) => number));
  const wrong = citations.filter(({ number }) => !known.has(number));
  expect(wrong.map(({ file, number }) => `${file}: decisions/${number}`)).toEqual([]);
});

test('the index lists the pages by room', () => {
  const sections = [...rooms, 'all rooms'].flatMap((room) => {
    const rows = pages
      .filter((page) => roomOf(page) === room)
      .map(({ number, title, file }) => `- [${number}](${file}) ${title}`);
    return rows.length === 0 ? [] : [`## ${room}\n\n${rows.join('\n')}\n`];
  });
  const written = `# Decisions

Choices in the code: what was open, what was chosen, why, what it costs. Rules stand in the references of the [language](../language/README.md) and the [server](../server/README.md). A page stands with the room whose code cites it.
This index is made by a test (\`UPDATE=1 npx vitest run test/decisions.test.ts\`).

${sections.join('\n')}`;
  if (process.env['UPDATE'] !== undefined) writeFileSync(index, written);
  else expect(readFileSync(index, 'utf8')).toBe(written);
});
