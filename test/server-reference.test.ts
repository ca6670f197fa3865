/** The pages of docs/server: every one is listed, sections have anchors of their own, and links and citations lead somewhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { failureCodes } from '../core/errors.ts';
import { type ProblemType, problemMessage } from '../core/problems.ts';
import { plainRest } from '../core/program/rest-spec.ts';
import { anchorsOf } from './harness/page-anchors.ts';
import { repositoryFiles } from './harness/repository-files.ts';
import { repository } from './harness/server.ts';

const folder = join(repository, 'docs/server');
const pages = readdirSync(folder).filter((file) => file.endsWith('.md'));
/** Codes that only frames of sockets have. */
const socketCodes = new Set(['CAPACITY']);
const textOf = (page: string) => readFileSync(join(folder, page), 'utf8');

test('the list names every page', () => {
  const listed = new Set([...textOf('README.md').matchAll(/^\| \[[^\]]+\]\(([^)]+)\)/gm)].map(([, page]) => page!));
  expect([...listed].sort()).toEqual(pages.filter((page) => page !== 'README.md').sort());
});

test('a section has one anchor, which does not follow its title', () => {
  for (const page of pages) {
    const text = textOf(page).replace(/^```[\s\S]*?^```$/gm, '');
    const bare = [...text.matchAll(/(.*)\n\n##+ (.+)$/gm)].filter(([, before]) => !before!.startsWith('<a id="'));
    expect(bare.map(([, , title]) => `${page}: ${title}`)).toEqual([]);
    const ids = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${page}#${id}`)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z][a-z0-9-]*$/.test(id)).map((id) => `${page}#${id}`)).toEqual([]);
  }
});

test('links lead to pages and anchors', () => {
  const broken = [...pages, '../reference/options.md'].flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].flatMap(([, path, anchor]) => {
      const target = path === '' ? join(folder, page) : resolve(folder, dirname(page), path!);
      const isThere = existsSync(target) && (anchor === undefined || anchorsOf(target).has(anchor));
      return isThere ? [] : [`${page}: ${path}#${anchor}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('comments cite anchors that are there: docs/server/errors.md#timeouts', () => {
  const cited = repositoryFiles('*.ts', '*.mjs', '*.svc', '*.yml').flatMap((file) => {
    const text = readFileSync(join(repository, file), 'utf8');
    return [...text.matchAll(/\bdocs\/[\w/-]+\.md#[\w-]+/g)].map(([place]) => ({ file, place }));
  });
  const known = new Map<string, ReadonlySet<string>>();
  const wrong = cited.filter(({ place }) => {
    const [page, anchor] = place.split('#') as [string, string];
    const path = join(repository, page);
    if (!existsSync(path)) return true;
    if (!known.has(page)) known.set(page, anchorsOf(path));
    return !known.get(page)!.has(anchor);
  });
  expect(wrong.map(({ file, place }) => `${file}: ${place}`)).toEqual([]);
});

test('names in the pages are those of the code', () => {
  const types = /`type` is one of ([\s\S]+?)\.\n/.exec(textOf('errors.md'))![1]!;
  const named = [...types.matchAll(/`(\w+)`/g)].map(([, type]) => type as ProblemType);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((type) => problemMessage(type) === undefined)).toEqual([]);

  const options = /## `restspec`\n([\s\S]*?)\n## /.exec(textOf('programs.md'))![1]!;
  const rows = [...options.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].flatMap(([, names]) => names!.match(/\w+/g)!);
  expect(rows.sort()).toEqual(Object.keys(plainRest).sort());

  const codes = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\b[45]\d\d `([A-Z][A-Z_]+)`/g)].map(([, code]) => code!),
  );
  expect(codes.length).toBeGreaterThan(20);
  expect(codes.filter((code) => !Object.hasOwn(failureCodes, code) && !socketCodes.has(code))).toEqual([]);
});
