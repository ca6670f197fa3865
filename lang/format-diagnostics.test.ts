import { expect, test } from 'vitest';
import { createReporter, makeDiagnostic } from './diagnostics.ts';
import { codeFrame, formatDiagnostic, formatDiagnostics, jsonDiagnostic } from './format-diagnostics.ts';

const lines = Array.from({ length: 10 }, () => '');
const source = {
  path: 'app/main.svc',
  text: [...lines, '  for i in range(3) {', '    a, b = 1, 2;', '  }', ''].join('\n'),
};
const sourceOf = () => source;
const start = source.text.indexOf('a, b');

test('the format of docs/language/diagnostics.md#format', () => {
  const report = createReporter(source);
  report.at('E0122', { start, end: start + 4 }, {}, { help: 'write `(a, b) = (1, 2);`' });
  expect(formatDiagnostics(report.sorted(), { sourceOf })).toBe(`error[E0122]: tuple targets need parentheses
  --> app/main.svc:12:5
   |
11 |   for i in range(3) {
12 |     a, b = 1, 2;
   |     ^^^^
13 |   }
   |
   = help: write \`(a, b) = (1, 2);\`

1 error`);
});

test('tabs, empty spans, spans over lines, first and last lines', () => {
  const text = '\tx = 1\n\t\ty = (2,\n3);';
  const other = { path: 'b.svc', text };
  expect(codeFrame(other, { start: 6, end: 6 })).toBe('  |\n1 |     x = 1\n  |          ^\n2 |         y = (2,\n  |');
  expect(codeFrame(other, { start: 13, end: 19 })).toBe(
    '  |\n1 |     x = 1\n2 |         y = (2,\n  |             ^^^\n3 | 3);\n  |',
  );
  expect(codeFrame(other, { start: 17, end: 19 })).toBe('  |\n2 |         y = (2,\n3 | 3);\n  | ^^\n  |');
});

test('notes point to other places, other files included', () => {
  const annex = { path: 'app/main.impl.svc', text: 'impl f { }\n' };
  const related = [{ message: 'declared here', path: source.path, start, end: start + 1 }];
  const diagnostic = makeDiagnostic('W0503', annex.path, { start: 5, end: 6 }, { name: 'f' }, { related });
  const byPath = (path: string) => (path === annex.path ? annex : source);
  expect(
    formatDiagnostic(diagnostic, { sourceOf: byPath }),
  ).toBe(`warning[W0503]: parameter names of \`f\` differ from its declaration
 --> app/main.impl.svc:1:6
  |
1 | impl f { }
  |      ^
  |
  = note: declared here (app/main.svc:12:5)`);
});

test('at most 50 are printed, all are counted', () => {
  const report = createReporter(source);
  for (let i = 0; i < 53; i++) report.at('E0301', { start: i % 30, end: (i % 30) + 1 }, { name: `x${i}` });
  report.at('W0100', { start: 0, end: 1 }, { c: 'q' });
  const few = formatDiagnostics(report.sorted(), { sourceOf });
  expect(few.match(/^error/gm)?.length).toBe(49);
  expect(few.endsWith('… and 4 more (print them with --all)\n\n53 errors, 1 warning')).toBe(true);
  expect(
    formatDiagnostics(report.sorted(), { sourceOf, shown: { most: Number.POSITIVE_INFINITY, others: '' } }).match(
      /^error/gm,
    )?.length,
  ).toBe(53);
  expect(formatDiagnostics([], { sourceOf })).toBe('');
});

test('colours and paths', () => {
  const diagnostic = makeDiagnostic('W0201', source.path, { start, end: start + 1 });
  expect(formatDiagnostic(diagnostic, { sourceOf, colour: true })).toContain('\u001b[1;33mwarning[W0201]\u001b[0m');
  expect(formatDiagnostic(diagnostic, { sourceOf, showPath: (path) => `./${path}` })).toContain(
    '--> ./app/main.svc:12:5',
  );
  expect(formatDiagnostic(diagnostic, { sourceOf: () => undefined })).toBe(
    'warning[W0201]: stray `;`\n --> app/main.svc',
  );
});

test('the object of --json', () => {
  const diagnostic = makeDiagnostic('E0122', source.path, { start, end: start + 4 }, {}, { help: 'h' });
  expect(jsonDiagnostic(diagnostic, { sourceOf })).toEqual({
    severity: 'error',
    code: 'E0122',
    message: 'tuple targets need parentheses',
    file: 'app/main.svc',
    line: 12,
    col: 5,
    endLine: 12,
    endCol: 9,
    help: 'h',
    related: [],
  });
});
