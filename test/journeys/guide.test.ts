/** The README and the pages of docs/guide/ do what they say: their files, commands and answers, in order (test/harness/page-blocks.ts has the rules). */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorsOf, linksOf } from '../harness/page-anchors.ts';
import { playPage } from '../harness/play-page.ts';
import { repository } from '../harness/server.ts';

const folder = join(repository, 'docs', 'guide');
const guide = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('docs', 'guide', name));
/** Pages of places whose commands run without an account, as far as they are not marked. */
const places = ['container.md', 'kubernetes.md', 'machine.md', 'other-functions.md'].map((name) =>
  join('docs', 'guide', 'deploy', name),
);
const pages = ['README.md', ...guide, ...places];

test('there are pages, and the index names all of them', () => {
  expect(guide.length).toBeGreaterThan(1);
  const index = readFileSync(join(folder, 'README.md'), 'utf8');
  const named = guide.filter((page) => !page.endsWith('/README.md')).map((page) => relative('docs/guide', page));
  expect(named.filter((name) => !index.includes(`](${name})`))).toEqual([]);
});

// A page with many programs, each in a process of its own, takes minutes on a machine that does other things.
describe.concurrent('a reader who does what the page says', { timeout: 600_000 }, () => {
  test.each(pages)('%s', (page) => playPage(join(repository, page)));
});

test('links lead to pages and headings that are there', () => {
  const language = readdirSync(join(repository, 'docs/language')).map((name) => join('docs/language', name));
  const deploying = ['README.md', 'aws.md', 'google-cloud.md'].map((name) => join('docs/guide/deploy', name));
  const broken = [...pages, ...deploying, ...language, 'docs/README.md'].flatMap((page) => {
    return linksOf(readFileSync(join(repository, page), 'utf8')).flatMap(({ path, anchor }) => {
      const target = path === '' ? join(repository, page) : resolve(repository, dirname(page), path);
      const isThere = existsSync(target) && (anchor === undefined || anchorsOf(target).has(anchor));
      return isThere ? [] : [`${page}: ${path}${anchor === undefined ? '' : `#${anchor}`}`];
    });
  });
  expect(broken).toEqual([]);
});
