/**
 * Every diagnostic code where the language says, with its place, frame and help (docs/language/diagnostics.md#format,
 * docs/reference/diagnostics.md); the reference page.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { standardMembers } from '../../core/modules/standard-members.ts';
import { compileProject } from '../../lang/compile.ts';
import { type Code, catalogue, type Diagnostic, severityOf } from '../../lang/diagnostics.ts';
import { formatDiagnostic } from '../../lang/format-diagnostics.ts';
import { filesInMemory } from '../../lang/project/files.ts';
import { readProject } from '../../lang/project.ts';
import { reportBug } from '../../lang/report-bug.ts';
import { positionAt } from '../../lang/source.ts';
import { load } from '../../library/registry.ts';
import { signatures } from '../../library/signatures/signatures.ts';
import { type Case, cases, clientCodes, scriptCodes } from './cases.ts';
import { diagnosticsPage } from './page.ts';

await load('math');

function check({ text = '', files = { 'main.svc': text }, options = {} }: Case): readonly Diagnostic[] {
  const { tests = false, ...rules } = options;
  const project = readProject('main.svc', filesInMemory(files), { root: '.', tests, browser: pagesOf(files) });
  const wanted = {
    target: 'server',
    signatures,
    graph: 'sync',
    runtime: '#runtime',
    standardMembers,
    ...rules,
  } as const;
  return compileProject(project, wanted).diagnostics;
}

/** Modules that no import leads to. */
function pagesOf(files: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(files).filter((path) => path.startsWith('pages/'));
}

/** Frame of a diagnostic (docs/language/diagnostics.md#format), drawn from the case alone. */
function frame(one: Case): string {
  const path = one.file ?? 'main.svc';
  const text = one.files?.[path] ?? one.text ?? '';
  const [line = 0, column = 0] = one.at.split(':').map(Number);
  const lines = text.replace(/\n$/, '').split('\n');
  const shown = [line - 1, line, line + 1].filter((n) => n >= 1 && n <= lines.length);
  const width = String(shown.at(-1)).length;
  const margin = ' '.repeat(width);
  const numbered = (n: number) => `${String(n).padStart(width)} | ${lines[n - 1]}`.trimEnd();
  return [
    `${margin}--> ${path}:${one.at}`,
    `${margin} |`,
    ...shown.flatMap((n) =>
      n === line
        ? [numbered(n), `${margin} | ${' '.repeat(column - 1)}${'^'.repeat(Math.max(1, [...one.mark].length))}`]
        : [numbered(n)],
    ),
    `${margin} |`,
    ...(one.help === undefined ? [] : [`${margin} = help: ${one.help}`]),
    ...(one.note === undefined ? [] : [`${margin} = note: ${one.note}`]),
  ].join('\n');
}

describe('codes', () => {
  for (const one of cases) {
    test(`${one.code} ${one.message}`, () => {
      const found = check(one);
      const other = found.map(({ code }) => code).filter((code) => code !== one.code);
      expect([...new Set(other)], 'other codes').toEqual((one.also ?? []).filter((code) => code !== one.code));
      const [first] = found.filter(({ code }) => code === one.code);
      const texts = one.files ?? { 'main.svc': one.text ?? '' };
      const sourceOf = (path: string) => ({ path, text: texts[path] ?? '' });
      expect(first && formatDiagnostic(first, { sourceOf })).toBe(
        `${severityOf(one.code as Code)}[${one.code}]: ${one.message}\n${frame(one)}`,
      );
      if (!one.also?.includes(one.code)) expect(found.filter(({ code }) => code === one.code).length).toBe(1);
      for (const { start, end, path } of found) {
        expect(end).toBeGreaterThanOrEqual(start);
        expect(end).toBeLessThanOrEqual(texts[path]!.length);
        positionAt(sourceOf(path), end);
      }
    });
  }
});

test('E0999: a failure of ours names module and pass', () => {
  const project = readProject('main.svc', filesInMemory({ 'main.svc': 'glob x = 1;\n' }), { root: '.' });
  const module = project.modules.get('main')!;
  reportBug(module, 'infer', new TypeError('boom'));
  expect(project.diagnostics().map(({ code, message, help }) => [code, message, help])).toEqual([
    ['E0999', 'internal compiler error in infer of main', 'boom'],
  ]);
});

test('E0108: a file that is not UTF-8 is told as that and nothing else', () => {
  const texts = {
    'main.svc': 'import from lib { f } with entry { f(); }',
    'lib.svc': 'def f { } caf\ufffd # svc:ignore\n',
  };
  const invalidUtf8 = (path: string) => (path === 'lib.svc' ? { byte: 13, at: 13 } : undefined);
  const { diagnostics } = readProject('main.svc', { ...filesInMemory(texts), invalidUtf8 });
  expect(diagnostics().map(({ code, path, start, message }) => [code, path, start, message])).toEqual([
    ['E0108', 'lib.svc', 13, 'byte 13 of this file is not UTF-8'],
  ]);
  expect(readProject('main.svc', filesInMemory(texts)).diagnostics()[0]?.code).not.toBe('E0108');
});

test('every code has a case', () => {
  const shown = new Set([...cases.map(({ code }) => code), ...clientCodes, ...scriptCodes, 'E0108', 'E0999']);
  expect(Object.keys(catalogue).filter((code) => !shown.has(code))).toEqual([]);
  expect([...shown].filter((code) => !(code in catalogue))).toEqual([]);
  expect(cases.filter(({ code }) => clientCodes.includes(code))).toEqual([]);
});

test('docs/reference/diagnostics.md is generated from the catalogue and the cases', () => {
  const path = join(import.meta.dirname, '../../docs/reference/diagnostics.md');
  const page = diagnosticsPage(Object.keys(catalogue) as Code[]);
  if (process.env['UPDATE'] === '1') writeFileSync(path, page);
  expect(readFileSync(path, 'utf8')).toBe(page);
});
