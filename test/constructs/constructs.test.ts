/** Constructs of the language, each with a program that runs it; the table of both is a reference page. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import type * as ast from '../../lang/1-parse/ast.ts';
import { parse } from '../../lang/1-parse/parse.ts';
import { forEachChild } from '../../lang/2-resolve/children.ts';
import { createReporter } from '../../lang/diagnostics.ts';
import { parsePage } from '../harness/page-blocks.ts';
import { type Construct, constructs } from './constructs.ts';

const programs = join(import.meta.dirname, '../programs');
const page = join(import.meta.dirname, '../../docs/reference/constructs.md');
const guide = join(import.meta.dirname, '../../docs/guide');

/** Programs by construct, in order of their path: those of `test/programs` with something to check them by. */
function programsByConstruct(): ReadonlyMap<Construct, readonly string[]> {
  const found = new Map<Construct, Set<string>>(constructs.map((one) => [one, new Set()]));
  for (const file of sources(programs)) {
    const program = programOf(file);
    if (program === undefined) continue;
    for (const construct of constructsIn(readFileSync(file, 'utf8')))
      found.get(construct)!.add(relative(programs, program));
  }
  return new Map([...found].map(([construct, names]) => [construct, [...names].sort()]));
}

/** Programs of the pages in docs/guide/. */
const guidePrograms = (): string[] =>
  readdirSync(guide).flatMap((name) =>
    name.endsWith('.md')
      ? parsePage(readFileSync(join(guide, name), 'utf8')).flatMap((action) =>
          action.kind === 'program' || (action.kind === 'file' && action.name.endsWith('.svc')) ? [action.text] : [],
        )
      : [],
  );

function constructsIn(text: string): ReadonlySet<Construct> {
  const found = new Set<Construct>();
  const visit = (node: ast.Node): void => {
    const own = text.slice(node.start, node.end);
    for (const construct of constructs) if (construct.is(node, own)) found.add(construct);
    forEachChild(node, visit);
  };
  const source = { path: 'main.svc', text };
  visit(parse(source, createReporter(source)));
  return found;
}

function sources(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith('.') ? [] : sources(path);
    return entry.name.endsWith('.svc') ? [path] : [];
  });
}

const expectations = ['output.txt', 'error.txt', 'diagnostics.txt', 'calls.json'];

/** The folder of the program a file belongs to. */
function programOf(file: string): string | undefined {
  for (let folder = dirname(file); folder !== programs; folder = dirname(folder)) {
    if (existsSync(join(folder, 'main.svc')) && expectations.some((name) => existsSync(join(folder, name))))
      return folder;
  }
  return undefined;
}

function tablePage(found: ReadonlyMap<Construct, readonly string[]>): string {
  const parts = [
    '# Constructs and the programs that show them',
    '',
    'Constructs that programs use, those with a server meaning, with programs of `test/programs/` that contain the construct and whose',
    'output, diagnostics or replies are checked. Generated from the programs. Client code is not compiled yet.',
  ];
  for (const group of new Set(constructs.map((one) => one.group))) {
    parts.push('', `## ${group}`, '', '| Construct | Programs |', '| --- | --- |');
    for (const [one, names] of found) {
      if (one.group !== group) continue;
      const shown = names.slice(0, 4).map((name) => `[${name}](../../test/programs/${name})`);
      const more = names.length > 4 ? `, ${names.length - 4} more` : '';
      parts.push(`| ${one.title.replaceAll('|', '\\|')} | ${shown.join(', ')}${more} |`);
    }
  }
  return `${parts.join('\n')}\n`;
}

test('every construct has a program, and docs/reference/constructs.md is generated from them', () => {
  const found = programsByConstruct();
  expect([...found].filter(([, names]) => names.length === 0).map(([{ title }]) => title)).toEqual([]);
  const text = tablePage(found);
  if (process.env['UPDATE'] === '1') writeFileSync(page, text);
  expect(readFileSync(page, 'utf8')).toBe(text);
});

test('the guide shows every construct of the upper half of each table', () => {
  const shown = new Set(guidePrograms().flatMap((text) => [...constructsIn(text)]));
  const groups = [...new Set(constructs.map(({ group }) => group))];
  const common = groups.flatMap((group) => {
    const rows = constructs.filter((one) => one.group === group);
    return rows.slice(0, Math.ceil(rows.length / 2));
  });
  expect(common.length).toBeGreaterThan(60);
  expect(common.filter((one) => !shown.has(one)).map(({ title }) => title)).toEqual([]);
});
