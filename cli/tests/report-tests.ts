import { setOutput } from '../../library/builtins/output.ts';
import { hasColour, type Terminal } from '../terminal.ts';
import type { BrokenFile, TestFailure, TestResult } from './test-result.ts';

export interface TestReporter {
  loaded(file: string): void;
  result(result: TestResult): void;
  broken(broken: BrokenFile): void;
  summary(totals: Totals): void;
  /** Gives standard output back. */
  end(): void;
}

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Files that did not compile or could not be loaded. */
  readonly broken: number;
  readonly ms: number;
}

/**
 * Makes the report for people: a line per test under the name of its file, then the failures, then the totals. What the
 * program prints passes through.
 */
export function createTextReporter(terminal: Terminal): TestReporter {
  const colour = hasColour(terminal, 'out');
  const paint = (code: string, text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const failures: string[] = [];
  let file = '';
  let isLineOpen = false;
  const before = setOutput({
    out(text) {
      if (text === '') return;
      isLineOpen = !text.endsWith('\n');
      terminal.out(text);
    },
    err: (text) => terminal.err(text),
  });
  const line = (text: string) => {
    terminal.out(`${isLineOpen ? '\n' : ''}${text}\n`);
    isLineOpen = false;
  };
  const fail = (heading: string, failure: TestFailure) =>
    failures.push(`${paint('1;31', 'FAIL')}  ${heading}\n${failure.text}`);
  return {
    loaded() {},
    result(result) {
      if (result.file !== file) line(result.file);
      file = result.file;
      const { failure, name, ms, skipped } = result;
      if (skipped !== undefined)
        return line(`  ${paint('33', 'skip')}  ${name}${skipped === '' ? '' : `: ${skipped}`}`);
      const mark = failure === undefined ? paint('32', 'ok  ') : paint('1;31', 'FAIL');
      line(`  ${mark}  ${name} (${duration(ms)})`);
      if (failure !== undefined) fail(`${name} (${result.file}:${result.line})`, failure);
    },
    broken({ file: path, failure }) {
      line(path);
      line(`  ${paint('1;31', 'FAIL')}  ${failure === undefined ? 'does not compile' : 'cannot be loaded'}`);
      file = path;
      if (failure !== undefined) fail(path, failure);
    },
    summary({ passed, failed, skipped, broken, ms }) {
      for (const text of failures) line(`\n${text.trimEnd()}`);
      const parts = [`${passed} passed`];
      if (failed > 0) parts.push(`${failed} failed`);
      if (skipped > 0) parts.push(`${skipped} skipped`);
      if (broken > 0) parts.push(`${broken} ${broken === 1 ? 'file' : 'files'} not run`);
      const tests = passed + failed + skipped;
      line(`\n${tests} ${tests === 1 ? 'test' : 'tests'}: ${parts.join(', ')} (${duration(ms)})`);
    },
    end: () => void setOutput(before),
  };
}

/**
 * Makes the report for programs: one JSON object per test and file that could not be run, and one with the totals. What
 * a program prints is the `output` of the record.
 */
export function createJsonReporter(terminal: Terminal): TestReporter {
  let output = '';
  const before = setOutput({ out: (text) => void (output += text), err: (text) => terminal.err(text) });
  const print = (record: object) => terminal.out(`${JSON.stringify(record)}\n`);
  const taken = () => {
    const text = output;
    output = '';
    return text;
  };
  return {
    loaded(file) {
      const text = taken();
      if (text !== '') print({ event: 'loaded', file, output: text });
    },
    result({ file, line, column, name, ms, failure, skipped }) {
      const status = failure !== undefined ? 'failed' : skipped !== undefined ? 'skipped' : 'passed';
      const place = { file, line, col: column };
      print({ event: 'test', ...place, name, status, ms: rounded(ms), output: taken(), error: errorOf(failure) });
    },
    broken: ({ file, failure }) =>
      print({ event: 'file', file, status: 'failed', output: taken(), error: errorOf(failure) }),
    summary: ({ passed, failed, skipped, broken, ms }) =>
      print({ event: 'summary', tests: passed + failed + skipped, passed, failed, skipped, broken, ms: rounded(ms) }),
    end: () => void setOutput(before),
  };
}

function errorOf(failure: TestFailure | undefined): object | null {
  if (failure === undefined) return null;
  const { title, text, at } = failure;
  return { message: title, file: at?.file ?? null, line: at?.line ?? null, col: at?.column ?? null, text };
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function duration(ms: number): string {
  return ms < 1000 ? `${ms < 10 ? rounded(ms) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}
