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

test('of long lines the part around the mark is shown, and carets stand below it', () => {
  const long = `a = ${'x + '.repeat(3000)}nothing${' + y'.repeat(3000)};`;
  const at = long.indexOf('nothing');
  const inLong = codeFrame({ path: 'c.svc', text: `b = 1;\n${long}\n\tc = 2;` }, { start: at + 7, end: at + 14 }).split(
    '\n',
  );
  expect(inLong.map((line) => line.length <= 166)).toEqual(inLong.map(() => true));
  expect(inLong[2]).toMatch(/^2 \| … .*\+ nothing \+ .*…$/);
  expect(inLong[3]?.indexOf('^^^^^^^')).toBe(inLong[2]?.indexOf('nothing'));
  expect([inLong[1], inLong[4]]).toEqual(['1 | …', '3 | …']);
  // The mark itself may be longer than what is shown; what is near the start of the line needs no cut before it.
  const whole = codeFrame({ path: 'c.svc', text: long }, { start: 4, end: long.length - 1 }).split('\n');
  expect(whole[1]?.slice(0, 20)).toBe(long.slice(0, 16).padStart(20, '1 | '));
  expect(whole[2]).toBe(`  |     ${'^'.repeat(156)}`);
});

test('wide characters take two columns, combining ones none, tabs four', () => {
  const text = 's = "日本e\u0301🎉";\tnothing;';
  const at = text.indexOf('nothing');
  const [, line, below] = codeFrame({ path: 'c.svc', text }, { start: at, end: at + 7 }).split('\n');
  expect(line).toBe('1 | s = "日本e\u0301🎉";    nothing;');
  expect(below).toBe(`  | ${' '.repeat('s = "'.length + 2 + 2 + 1 + 2 + 2 + 4)}^^^^^^^`);
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

test('what says the same of several places hides nothing else', () => {
  const report = createReporter(source);
  for (let i = 0; i < 3; i++) {
    report.at('W0144', { start: i, end: i + 1 }, { old: 'let' });
    report.at('E0301', { start: i + 3, end: i + 4 }, { name: 'x' });
  }
  report.at('W0100', { start: 9, end: 10 }, { c: 'q' });
  const few = formatDiagnostics(report.sorted(), { sourceOf, shown: { most: 5, others: 'all', distinct: true } });
  expect(few.match(/(?<=\[)\w\d+(?=\])/g)).toEqual(['W0144', 'E0301', 'E0301', 'E0301', 'W0100']);
  expect(few.endsWith('… and 2 more (all)\n\n3 errors, 4 warnings')).toBe(true);
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
