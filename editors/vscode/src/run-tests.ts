/** `svc test --json`, read line by line. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { SvcCommand } from './find-svc.ts';

/** A line of `svc test --json` that tells of one test. */
export interface TestResult {
  readonly event: 'test';
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped' | 'broken';
  readonly ms: number;
  readonly output: string;
  readonly error: {
    readonly message: string;
    readonly file: string;
    readonly line: number;
    readonly col: number;
    readonly text: string;
  } | null;
}

/** A line about a program that does not compile. */
interface Finding {
  readonly severity: string;
  readonly code: string;
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly col: number;
}

export interface TestCall {
  readonly svc: SvcCommand;
  readonly cwd: string;
  readonly file: string;
  /** Only tests whose name contains this. */
  readonly filter: string | undefined;
  readonly signal: AbortSignal;
  readonly onResult: (result: TestResult) => void;
}

/** Runs tests of one file; gives what was printed besides results, which says why there are none. */
export function runTests({ svc, cwd, file, filter, signal, onResult }: TestCall): Promise<string> {
  const wanted = filter === undefined ? [] : ['--filter', filter];
  const child = spawn(svc.command, [...svc.args, 'test', file, '--json', ...wanted], {
    cwd,
    signal,
    shell: svc.command.endsWith('.cmd'),
  });
  let other = '';
  const keep = (text: string) => {
    other = `${other}${text}\n`.slice(-20_000);
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    const told = read(line);
    if (told === undefined) keep(line);
    else if ('event' in told) {
      if (told.event === 'test') onResult(told);
    } else keep(`${told.file}:${told.line}:${told.col} ${told.code} ${told.message}`);
  });
  createInterface({ input: child.stderr }).on('line', keep);
  return new Promise((resolve) => {
    child.on('error', ({ message }) => resolve(`${svc.command}: ${message}`));
    child.on('close', () => resolve(other));
  });
}

/** Undefined for what a program printed. */
function read(line: string): TestResult | { readonly event: 'summary' } | Finding | undefined {
  try {
    const value = JSON.parse(line);
    return value?.event === 'test' || value?.event === 'summary' || value?.severity !== undefined ? value : undefined;
  } catch {
    return undefined;
  }
}
