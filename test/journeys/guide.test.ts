/** The pages of docs/guide/ do what they say: their files, commands and answers, in order (test/harness/page-blocks.ts has the rules). */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { playPage } from '../harness/play-page.ts';
import { repository } from '../harness/server.ts';

const folder = join(repository, 'docs', 'guide');
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));

test('there are pages', () => {
  expect(pages.length).toBeGreaterThan(0);
});

describe.concurrent('a reader who does what the page says', () => {
  test.each(pages)('%s', (page) => playPage(join(folder, page)));
});
