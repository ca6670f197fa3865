/** A rule of the house: a comment begins with the noun or verb it is about, so that it is understood without code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryFiles } from './harness/repository-files.ts';
import { repository } from './harness/server.ts';

/** Words with which a comment asks its reader to find the subject in the code. */
const riddles = /^(?:What|Which|How|Whose|That|It|So (?:many|much|long|often))\b/;

/** Words with which a docstring, which is read apart from its code, has no subject either. */
const docRiddles = /^(?:Whether|Who|When|Why|Told|Asked|Those|Something|Where|Of|By|As|Its)\b/;

/** Scripts of pages, which are texts here. */
const pageScripts = /^handlers\/http\/docs\/.*-script\.ts$/;

interface Comment {
  /** `file:line`, the line from 1. */
  readonly place: string;
  /** First line of the text, without the marks of the comment. */
  readonly text: string;
  readonly isDoc: boolean;
}

/** Lists the comments of a text, of several `//` lines in a row the first one. */
function commentsOf(file: string, text: string): Comment[] {
  const lines = text.split('\n');
  const comments: Comment[] = [];
  for (const [i, line] of lines.entries()) {
    const doc = /(?:^|[\s;{}(])\/\*\*(?: (.+))?$/.exec(line);
    const plain = /(?:^|[\s;{},)])\/\/ (.+)$/.exec(line);
    const isFurther = /^\s*\/\//.test(line) && /^\s*\/\//.test(lines[i - 1] ?? '');
    const found = doc !== null ? (doc[1] ?? /^\s*\* (.+)$/.exec(lines[i + 1] ?? '')?.[1]) : plain?.[1];
    if (found !== undefined && !isFurther)
      comments.push({ place: `${file}:${i + 1}`, text: found, isDoc: doc !== null });
  }
  return comments;
}

const isRiddle = ({ text, isDoc }: Comment) => riddles.test(text) || (isDoc && docRiddles.test(text));

test('the check reads docstrings and comments behind and above code', () => {
  const text = [
    '/** What it gives. */',
    '/**',
    ' * Whether it waits,',
    ' * What follows is no beginning.',
    ' */',
    `const a = 1; ${'//'} Which of them.`,
    '// So many at once.',
    '// What follows is no beginning.',
    'const b = 2;',
    '// When it fails, the next one is tried.',
    "const url = 'http://host'; // Address of the server.",
  ].join('\n');
  const found = commentsOf('a.ts', text);
  expect(found).toHaveLength(6);
  expect(found.filter(isRiddle).map(({ place }) => place)).toEqual(['a.ts:1', 'a.ts:2', 'a.ts:6', 'a.ts:7']);
});

test('comments begin with their subject', () => {
  const files = repositoryFiles('*.ts').filter((file) => !pageScripts.test(file));
  const comments = files.flatMap((file) => commentsOf(file, readFileSync(join(repository, file), 'utf8')));
  expect(comments.length).toBeGreaterThan(5000);
  expect(comments.filter(isRiddle).map(({ place, text }) => `${place}: ${text}`)).toEqual([]);
});
