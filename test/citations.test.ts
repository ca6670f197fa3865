/**
 * Citations: `docs/language/values.md#integers` leads to a page and an anchor, and no comment sends its reader to a
 * numbered section of a page that the repository does not have.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { anchorsOf, explicitAnchorsOf } from './harness/page-anchors.ts';
import { repositoryFiles } from './harness/repository-files.ts';
import { repository } from './harness/server.ts';

const files = () =>
  repositoryFiles()
    .filter((file) => /\.(ts|mjs|md|py|svc|yml)$/.test(file) && file !== 'test/citations.test.ts')
    .map((file) => ({ file, lines: readFileSync(join(repository, file), 'utf8').split('\n') }));

/** Pages whose sections have moved into `docs/`, each with the way its numbers were cited. To retire another one: a row. */
const retired: readonly { readonly page: string; readonly isCited: (line: string, file: string) => boolean }[] = [
  {
    page: 'language',
    isCited: (line, file) =>
      /\blanguage(?:\.md)?`?,? (?:chapter |section )?\d/.test(line) ||
      /\bD-[0-2]\d\b/.test(line) ||
      /\bAppendix [A-E]\b/.test(line) ||
      (/^(?:lang|library)\/.*\.ts$/.test(file) &&
        isComment(line) &&
        /[(,;] ?[1-9]\.\d{1,2}(?: rule \d)?[),;]/.test(line)),
  },
  {
    page: 'server',
    isCited: (line) => /\b(?:server|interface|design)\.md`?,? (?:section )?\d/.test(line),
  },
];

test('every page and anchor that is cited exists', () => {
  const anchors = new Map<string, ReadonlySet<string>>();
  const found = cited();
  expect(found.length).toBeGreaterThan(300);
  const wrong = found.filter(({ page, anchor }) => {
    const path = join(repository, page);
    if (!existsSync(path)) return true;
    if (anchor === undefined) return false;
    // In a reference headings may be reworded.
    if (!anchors.has(page))
      anchors.set(page, isReference(page) ? new Set(explicitAnchorsOf(readFileSync(path, 'utf8'))) : anchorsOf(path));
    return !anchors.get(page)!.has(anchor);
  });
  expect(wrong.map(({ at, page, anchor }) => `${at}: ${page}${anchor === undefined ? '' : `#${anchor}`}`)).toEqual([]);
});

test.each(retired)('nobody cites a numbered section of what was the page "$page"', ({ isCited }) => {
  const read = files().filter(({ file }) => !file.startsWith('docs/decisions/'));
  const left = read.flatMap(({ file, lines }) =>
    lines.flatMap((line, at) => (isCited(line, file) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  );
  expect(left).toEqual([]);
});

const isReference = (page: string): boolean => /^docs\/(?:language|server)\//.test(page);

interface Citation {
  readonly at: string;
  readonly page: string;
  readonly anchor: string | undefined;
}

function cited(): readonly Citation[] {
  return files().flatMap(({ file, lines }) =>
    lines.flatMap((line, at) =>
      [...line.matchAll(/(?<![\w/.])(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)].map(([, page, anchor]) => ({
        at: `${file}:${at + 1}`,
        page: page!,
        anchor,
      })),
    ),
  );
}

function isComment(line: string): boolean {
  return /^\s*(?:\/\*\*?|\*|\/\/)/.test(line);
}
