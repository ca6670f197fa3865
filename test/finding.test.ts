/** Ways of docs/architecture.md#finding, walked as the READMEs lead: every file exists, and each text names the next one. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const section = read('docs/architecture.md').split('## Finding things')[1]!.split('\n## ')[0]!;
const ways = [...section.matchAll(/^\| (.+?) \| (.+?) \| (.+?) \|$/gm)]
  .map(([, what, way, rest]) => ({ what: what!, way: paths(way!), rest: paths(rest!) }))
  .filter(({ way }) => way.length > 0);

function paths(cell: string): string[] {
  return [...cell.matchAll(/`([\w.-]+(?:\/[\w.-]*)*)`/g)].map(([, path]) => path!).filter((path) => /[./]/.test(path));
}

/** Does a page name a file as its readers know it: by its path from the page, or from the page's folder? */
function names(page: string, path: string): boolean {
  const text = read(page);
  return text.includes(`\`${path}\``) || text.includes(`(${path})`) || isInFolderNamed(text, dirname(page), path);
}

/** `statements.ts` in the row of `walkers/`, or `memory/unit.ts` anywhere. */
function isInFolderNamed(text: string, folder: string, path: string): boolean {
  const inside = relative(folder, path);
  if (text.includes(`\`${inside}\``)) return true;
  const [first, ...more] = inside.split('/');
  const short = [inside.split('/').slice(-2).join('/'), basename(inside)].map((name) => `\`${name}\``);
  return text
    .split('\n')
    .some((line) => more.length > 0 && line.includes(`${first}/`) && short.some((name) => line.includes(name)));
}

test('twelve things are looked for', () => {
  expect(ways.length).toBe(12);
});

test.each(ways)('$what: every file is there', ({ way, rest }) => {
  expect([...way, ...rest].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test.each(ways)('$what: each text on the way names the next, and it is the third at most', ({ way }) => {
  expect(way[0]).toBe('README.md');
  expect(way.length).toBeLessThanOrEqual(3);
  const broken = way.slice(1).filter((path, i) => !names(way[i]!, path));
  expect(broken).toEqual([]);
});
