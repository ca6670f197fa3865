import { expect, test } from 'vitest';
import { blocks, type Code, catalogue, createReporter, makeDiagnostic } from './diagnostics.ts';

const source = { path: 'a.svc', text: 'one\ntwo\nthree\n' };
const at = (start: number, end = start + 1) => ({ start, end });

test('templates are filled, forms chosen', () => {
  expect(makeDiagnostic('E0301', 'a', at(0), { name: 'x' }).message).toBe('`x` is not defined');
  expect(makeDiagnostic('E0412', 'a', at(0), { form: 'many', f: 'g' }).message).toBe(
    'too many arguments in call of `g`',
  );
  expect(makeDiagnostic('E0412', 'a', at(0), { p: 'x', f: 'g' }).message).toBe('missing argument `x` in call of `g`');
  expect(makeDiagnostic('E0904', 'a', at(0)).message).toBe('`\\N{…}` escapes are not supported');
});

test('severity follows the code', () => {
  expect(makeDiagnostic('E0301', 'a', at(0)).severity).toBe('error');
  expect(makeDiagnostic('W0100', 'a', at(0)).severity).toBe('warning');
  expect(makeDiagnostic('E0301', 'a', at(0), {}, { severity: 'warning' }).severity).toBe('warning');
});

test('diagnostics come sorted and without repeats', () => {
  const report = createReporter(source);
  report.at('E0301', at(8), { name: 'c' });
  report.at('E0301', at(0), { name: 'a' });
  report.at('E0120', at(0));
  report.at('E0301', at(0), { name: 'a' });
  expect(report.sorted().map(({ code, start }) => [code, start])).toEqual([
    ['E0120', 0],
    ['E0301', 0],
    ['E0301', 8],
  ]);
});

test('suppression silences codes on a line, before or after they are reported', () => {
  const report = createReporter(source);
  report.at('E0301', at(4), { name: 'b' });
  report.suppress(6, ['E0301', 'X1']);
  report.suppress(9);
  report.at('E0302', at(4), { name: 'b' });
  report.at('E0302', at(8), { name: 'c' });
  expect(report.sorted().map(({ code }) => code)).toEqual(['E0302']);
});

test('only some errors keep a program from running', () => {
  expect((['E0100', 'E0220', 'E0701', 'E0901'] satisfies Code[]).every(blocks)).toBe(true);
  expect((['E0301', 'E0413', 'E0502', 'W0100'] satisfies Code[]).some(blocks)).toBe(false);
  const inFunction = makeDiagnostic('E0701', 'a', at(0), { m: 'x', tried: '' }, { blocking: false });
  const syntax = makeDiagnostic('E0120', 'a', at(0));
  expect([inFunction, syntax].map(({ blocking }) => blocking)).toEqual([false, true]);
});

test('codes are written as their severity says', () => {
  for (const code of Object.keys(catalogue)) expect(code).toMatch(/^[EW]0\d{3}$/);
});
