import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { findProjectFile } from '../../adapters/config/read-config.ts';
import { invalidUtf8 } from '../../base/invalid-utf8.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import type { Diagnostic } from '../../lang/diagnostics.ts';
import type { Formatted } from '../../lang/format/format.ts';
import type { Source } from '../../lang/source.ts';
import { flagType } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { CommandFailure, formatFailure, usageFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { fileReason } from '../file-failure.ts';
import { sourceFiles } from '../program/source-files.ts';
import { hasColour, type Terminal } from '../terminal.ts';

/** Counts of the files by what became of them. */
interface Outcome {
  changed: number;
  unchanged: number;
  failed: number;
}

export const command: Command = {
  name: 'format',
  operands: '[paths...]',
  arity: [0, Number.POSITIVE_INFINITY],
  about: 'Lays out source files.',
  examples: [
    ['svc format', 'the whole project'],
    ['svc format --check main.svc', 'only say whether it would change'],
  ],
  options: [
    { name: 'check', type: flagType, about: 'Write nothing; list the files that would change, exit 1 if any.' },
  ],
  notes: [
    'A file with syntax errors is left as it is. The path - stands for standard input, laid out to standard output.',
    'Layout changes white space only: what a program means, its spelling and its comments stay as they are.',
  ],
  async run({ operands, options, terminal }) {
    const { formatSource } = await import('../../lang/format/format.ts');
    const isCheck = options['check'] === true;
    if (operands.includes('-')) {
      if (operands.length > 1) throw usageFailure('-', 'stands alone', ['svc format - < main.svc']);
      return formatInput(await readAll(process.stdin), formatSource, isCheck, terminal);
    }
    const outcome: Outcome = { changed: 0, unchanged: 0, failed: 0 };
    for (const file of findFiles(operands, terminal)) {
      try {
        await formatFile(file, formatSource, isCheck, terminal, outcome);
      } catch (error) {
        // A file that cannot be read or written does not keep the others from being laid out.
        if (!(error instanceof CommandFailure)) throw error;
        outcome.failed++;
        terminal.err(formatFailure(error));
      }
    }
    terminal.err(`${summary(outcome, isCheck)}\n`);
    return outcome.failed > 0 || (isCheck && outcome.changed > 0) ? exitCodes.failure : exitCodes.success;
  },
};

type Format = (source: Source) => Formatted;

/** Each file once, in the order of the operands. */
function findFiles(operands: readonly string[], terminal: Terminal): ReadonlySet<string> {
  const { cwd } = terminal;
  const project = findProjectFile(cwd);
  const roots = operands.length > 0 ? operands : [project === undefined ? '.' : resolve(project, '..')];
  const found = new Set<string>();
  for (const root of roots) {
    const path = resolve(cwd, root);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined)
      throw new CommandFailure(exitCodes.invalid, `cannot read ${root}`, 'no such file or folder');
    for (const file of stats.isDirectory() ? sourceFiles(path).sort() : [path]) found.add(file);
  }
  if (found.size > 0) return found;
  throw new CommandFailure(exitCodes.usage, 'format', 'there is no source file here');
}

async function formatFile(
  file: string,
  format: Format,
  isCheck: boolean,
  terminal: Terminal,
  outcome: Outcome,
): Promise<void> {
  const shown = shownPathFrom(terminal.cwd, file);
  const source = { path: file, text: readText(file, shown) };
  const result = format(source);
  if (result.kind !== 'formatted') {
    outcome.failed++;
    await reportFailure(source, shown, result, terminal);
  } else if (result.text === source.text) outcome.unchanged++;
  else {
    outcome.changed++;
    terminal.out(`${shown}\n`);
    if (!isCheck) replaceFile(file, result.text, shown);
  }
}

async function formatInput(text: string, format: Format, isCheck: boolean, terminal: Terminal): Promise<number> {
  const source = { path: 'stdin', text };
  const result = format(source);
  if (result.kind !== 'formatted') {
    await reportFailure(source, 'stdin', result, terminal);
    return exitCodes.failure;
  }
  if (!isCheck) terminal.out(result.text);
  else if (result.text !== text) terminal.out('stdin\n');
  return isCheck && result.text !== text ? exitCodes.failure : exitCodes.success;
}

/** A file the compiler would read differently is never written as something else. */
function readText(file: string, shown: string): string {
  const bytes = readFailing(() => readFileSync(file), 'read', shown);
  const invalid = invalidUtf8(bytes);
  if (invalid === undefined) return bytes.toString('utf8');
  throw new CommandFailure(exitCodes.invalid, `cannot read ${shown}`, `byte ${invalid.byte} is not UTF-8`);
}

/** The new text takes the place of the old at once; a link stays a link, and the permissions stay. */
function replaceFile(file: string, text: string, shown: string): void {
  const target = realpathSync(file);
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    readFailing(() => writeFileSync(temporary, text, { mode: statSync(target).mode }), 'write', shown);
    readFailing(() => renameSync(temporary, target), 'write', shown);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function readFailing<T>(run: () => T, verb: string, shown: string): T {
  try {
    return run();
  } catch (error) {
    throw new CommandFailure(exitCodes.invalid, `cannot ${verb} ${shown}`, fileReason(error));
  }
}

async function reportFailure(
  source: Source,
  shown: string,
  result: Exclude<Formatted, { kind: 'formatted' }>,
  terminal: Terminal,
): Promise<void> {
  if (result.kind !== 'broken') {
    const why = result.kind === 'deep' ? 'it is nested too deeply' : 'its layout would have changed what it means';
    terminal.err(`svc: ${shown}: left as it is: ${why}\n`);
    return;
  }
  const { formatDiagnostics } = await import('../../lang/format-diagnostics.ts');
  const diagnostics: readonly Diagnostic[] = result.diagnostics;
  const options = {
    sourceOf: () => source,
    showPath: () => shown,
    colour: hasColour(terminal, 'err'),
    all: false,
  };
  terminal.err(`${formatDiagnostics(diagnostics, options)}\n`);
}

function summary({ changed, unchanged, failed }: Outcome, isCheck: boolean): string {
  const files = (n: number) => `${n} file${n === 1 ? '' : 's'}`;
  const parts = [
    changed > 0 ? `${files(changed)} ${isCheck ? 'would change' : 'formatted'}` : '',
    unchanged > 0 ? `${files(unchanged)} unchanged` : '',
    failed > 0 ? `${files(failed)} left as ${failed === 1 ? 'it is' : 'they are'}` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
