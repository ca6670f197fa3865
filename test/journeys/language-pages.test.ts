/**
 * The pages of docs/language/ hold: their programs pass `svc check` and print what stands behind them, their sections have names that stay, and they name
 * every built-in and standard module.
 *
 * A `svc` block is a program of its own. `<!-- E0302 -->` on the line in front says which errors `svc check` tells of it. A `text` block right behind it is what it prints; `…` stands for anything.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ambientAliases, ambientNames, missingBuiltins } from '../../lang/2-resolve/ambient.ts';
import { standardModules } from '../../lang/project/standard-modules.ts';
import { explicitAnchorsOf, withoutBlocks } from '../harness/page-anchors.ts';
import { type Block, blocksOf, fits } from '../harness/page-blocks.ts';
import { repository, runSvc } from '../harness/server.ts';

const folder = join(repository, 'docs/language');
const names = readdirSync(folder).filter((name) => name.endsWith('.md'));
const pages = names.map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
const pageOf = (name: string): string => pages.find((page) => page.name === name)!.text;

test('the index names all pages', () => {
  const index = pageOf('README.md');
  expect(names.filter((name) => name !== 'README.md' && !index.includes(`](${name})`))).toEqual([]);
});

test('the index names every reserved word', () => {
  const index = pageOf('README.md');
  const words = /## Reserved words\n\n```text\n([\s\S]*?)\n```/.exec(pageOf('lexical.md'))![1]!.match(/[A-Za-z]\w*/g)!;
  const sized = /^[iuf]\d+$/;
  const others = new Set(['built', 'types', 'in']);
  expect(words.length).toBeGreaterThan(80);
  const isNamed = (word: string) => new RegExp(`\`[^\`|]*\\b${word}\\b`).test(index);
  expect(words.filter((word) => !sized.test(word) && !others.has(word) && !isNamed(word))).toEqual([]);
});

test('every section has a name of its own', () => {
  for (const { name, text } of pages.filter(({ name }) => name !== 'README.md')) {
    const plain = withoutBlocks(text);
    const before = [...plain.matchAll(/^(.*)\n\n(#{2,} .+)$/gm)];
    const bare = before.filter(([, line]) => !line!.startsWith('<a id="'));
    expect(
      bare.map(([, , heading]) => heading),
      name,
    ).toEqual([]);
    const ids = explicitAnchorsOf(text);
    expect(ids.length, name).toBeGreaterThan(0);
    expect(ids, name).toEqual([...new Set(ids)]);
  }
});

test('built-ins and standard modules are all named', () => {
  const builtins = new Set(pageOf('builtins.md').match(/\w+/g));
  const ambient = [...ambientNames, ...ambientAliases.keys(), ...missingBuiltins.keys()];
  expect(ambient.filter((name) => !name.startsWith('__class') && !builtins.has(name))).toEqual([]);
  const modules = new Set(pageOf('standard-modules.md').match(/[\w.]+/g));
  const older = /^mtllm|^_/;
  expect([...standardModules].filter((name) => !older.test(name) && !modules.has(name))).toEqual([]);
});

describe.concurrent('programs of', () => {
  test.each(pages.map(({ name }) => name))('%s', async (name) => {
    const programs = programsOf(pageOf(name));
    if (programs.length === 0) return;
    const at = mkdtempSync(join(tmpdir(), 'svc-language-'));
    try {
      // Each in a folder of its own: nodes of one name are other types there.
      for (const { block } of programs) {
        mkdirSync(join(at, placeOf(block)));
        writeFileSync(join(at, placeOf(block), 'main.svc'), block.text);
      }
      const files = programs.map(({ block }) => join(placeOf(block), 'main.svc'));
      const checked = await runSvc(['check', '--json', ...files], { cwd: at });
      const told = checked.stdout
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Told)
        .filter(({ severity }) => severity === 'error');
      for (const { block } of programs) {
        const codes = told.filter(({ file }) => file === join(placeOf(block), 'main.svc')).map(({ code }) => code);
        expect(codes.join(' '), `${name}:${block.line}`).toBe(block.comment ?? '');
      }
      for (const { block, shown } of programs.filter((program) => program.shown !== undefined)) {
        const { stdout, stderr } = await runSvc(['run', 'main.svc', '--no-persist'], { cwd: join(at, placeOf(block)) });
        if (fits({ ...shown!, language: 'text' }, stdout)) continue;
        expect(`${stdout}${stderr}`, `${name}:${block.line}`).toBe(shown!.text);
      }
    } finally {
      rmSync(at, { recursive: true, force: true });
    }
  });
});

interface Told {
  readonly severity: string;
  readonly code: string;
  readonly file: string;
}

interface Program {
  readonly block: Block;
  readonly shown: Block | undefined;
}

function programsOf(markdown: string): readonly Program[] {
  const blocks = blocksOf(markdown);
  return blocks.flatMap((block, at) => {
    if (block.language !== 'svc') return [];
    const next = blocks[at + 1];
    const end = block.line + block.text.split('\n').length + 2;
    return [{ block, shown: next?.language === 'text' && next.line <= end ? next : undefined }];
  });
}

const placeOf = ({ line }: Block): string => `line-${line}`;
