/**
 * The tree-sitter grammar, built with the machine's C compiler and loaded by Neovim: programs parse without error, and their tokens
 * have the classes of the scanner.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { needTool } from '../../test/harness/find-tool.ts';
import { compareClasses, programs } from './compare.ts';

const folder = resolve(import.meta.dirname, '../tree-sitter');

interface Tree {
  readonly broken: boolean;
  /** Begin and end in bytes, and the kind of node. */
  readonly leaves: readonly (readonly [number, number, string])[];
}

test('the parser was made from the grammar as it is', () => {
  const hash = createHash('sha256');
  for (const name of ['grammar.js', 'tables.js']) hash.update(readFileSync(join(folder, name)));
  expect(readFileSync(join(folder, 'src/grammar.sha256'), 'utf8').trim()).toBe(hash.digest('hex'));
});

test('programs parse in Neovim, and tokens have the class the scanner gives them', () => {
  needTool('cc', 'gcc');
  needTool('nvim', 'neovim');
  const trees = parsePrograms();
  const { wrong, broken } = compareClasses((text, index) => classesIn(text, trees[index]!));
  expect(wrong.filter((sentence) => !known.test(sentence))).toEqual([]);
  const failed = programs.filter((file, index) => trees[index]!.broken && !broken.includes(file));
  expect(failed).toEqual([]);
});

/** Words that are keywords in one place are coloured by a query, not by their kind; a closing tag with code in it is not one token. */
const known = / is soft, not name$|<\/@\{.* is tag, not /;

/** Builds the grammar and has Neovim parse every program, its queries included. */
function parsePrograms(): readonly Tree[] {
  const at = mkdtempSync(join(tmpdir(), 'svc-tree-sitter-'));
  try {
    const [grammar, list, answer] = ['svc.so', 'programs', 'leaves'].map((name) => join(at, name)) as [
      string,
      string,
      string,
    ];
    const sources = ['parser.c', 'scanner.c'].map((name) => join(folder, 'src', name));
    execFileSync('cc', ['-shared', '-fPIC', '-I', join(folder, 'src'), ...sources, '-o', grammar]);
    writeFileSync(list, programs.join('\n'));
    execFileSync('nvim', ['--headless', '-u', 'NONE', '-c', `luafile ${join(folder, 'dump.lua')}`], {
      env: {
        ...process.env,
        SVC_GRAMMAR: grammar,
        SVC_QUERIES: join(folder, 'queries'),
        SVC_PROGRAMS: list,
        SVC_LEAVES: answer,
      },
    });
    return readFileSync(answer, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Tree);
  } finally {
    rmSync(at, { recursive: true });
  }
}

/** Class of each character; leaves are counted in bytes. */
function classesIn(text: string, { leaves }: Tree): string[] {
  const classes = new Array<string>(text.length).fill('');
  const bytes = new Uint32Array(Buffer.byteLength(text) + 1);
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    const length = Buffer.byteLength(text.charAt(i));
    // Each half of a surrogate pair counts three by itself, four together.
    const isPair = /[\ud800-\udbff]/.test(text.charAt(i));
    bytes.fill(i, at, at + (isPair ? 4 : length));
    at += isPair ? 4 : length;
    if (isPair) i++;
  }
  bytes.fill(text.length, at);
  for (const [start, end, kind] of leaves) {
    classes.fill(classOf(kind), bytes[start], bytes[end]);
    // `:pub` is one token.
    if (kind === 'modifier' && text.charAt(bytes[start]!) === ':') classes[bytes[start]!] = 'operator';
  }
  return classes;
}

const classByKind: Readonly<Record<string, string>> = {
  identifier: 'name',
  escaped: 'name',
  property: 'name',
  constant: 'keyword',
  special: 'keyword',
  builtin_type: 'type',
  number: 'number',
  string: 'string',
  string_start: 'string',
  string_text: 'string',
  string_end: 'string',
  escape: 'string',
  conversion: 'field',
  specification: 'field',
  comment: 'comment',
  slot_comment: 'comment',
  markup_comment: 'comment',
  markup_text: 'text',
  tag_name: 'tag',
  attribute_name: 'attribute',
  foreign: 'foreign',
  operator: 'operator',
  delimiter: 'operator',
};

function classOf(kind: string): string {
  const known = classByKind[kind];
  if (known !== undefined) return known;
  if (kind.startsWith('element ')) return 'tag';
  return kind.includes(' ') ? 'operator' : 'keyword';
}
