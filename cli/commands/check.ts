import { dirname } from 'node:path';
import { readConfig } from '../../adapters/config/read-config.ts';
import type { Diagnostic } from '../../lang/diagnostics.ts';
import { findAppFile } from '../app-file.ts';
import { configOption, flagType, type OptionValues } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { usageFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { delayOptimising } from '../optimising.ts';
import { checkFiles } from '../program/check-files.ts';
import { shownPath } from '../program/compile-app.ts';
import { namedFiles, projectFiles } from '../program/project-files.ts';
import { reportDiagnostics } from '../program/report-diagnostics.ts';
import { reportConfig, tellIdle } from '../report-config.ts';
import type { Terminal } from '../terminal.ts';

export const command: Command = {
  name: 'check',
  operands: '[files...]',
  arity: [0, Number.POSITIVE_INFINITY],
  about: 'Reports everything that is wrong with files and what they import.',
  examples: [
    ['svc check', 'the whole project'],
    ['svc check main.svc --json', 'one file, for programs'],
  ],
  options: [
    { name: 'json', type: flagType, about: 'One JSON object per finding.' },
    {
      name: 'stored',
      type: flagType,
      about: 'Say instead what the program makes of the objects stored by an older version of it.',
    },
    { name: 'all', type: flagType, about: 'Print more than the first 50 findings.' },
    configOption,
  ],
  notes: [
    'A variable that svc.toml asks for and that is not set is a warning here, unless SVC_ENV is production.',
    'With --stored the named file is the application. Its types are loaded, entry blocks included, on an empty graph in memory, and the',
    'store is read to its end: how many objects change in which way, with examples. Nothing is written.',
  ],
  async run({ operands, options, terminal }) {
    delayOptimising();
    if (options['stored'] === true) return await runStored(operands, options, terminal);
    const named = namedFiles('check', operands, terminal);
    const startDir = named[0] === undefined ? terminal.cwd : dirname(named[0]);
    const configFile = options['config'] as string | undefined;
    const read = readConfig({
      startDir,
      cwd: terminal.cwd,
      env: terminal.env,
      configFile,
      isTerminal: terminal.isErrTerminal,
      isScript: true,
      mayLackVariables: true,
    });
    reportConfig(read, terminal);
    tellIdle(read, terminal);
    const { config } = read;
    const files = named.length > 0 ? named : projectFiles('check', config, terminal);
    const { projectDir } = config;
    const shown = (one: Diagnostic) => shownPath(projectDir, terminal.cwd, one.path);
    const checked = await checkFiles(files, read);
    const { untyped } = checked;
    const diagnostics = sorted(checked.diagnostics, shown);
    await reportDiagnostics(diagnostics, {
      terminal,
      stream: 'out',
      projectDir,
      ...(options['all'] === true ? { shown: { most: Number.POSITIVE_INFINITY, others: '' } } : {}),
      json: options['json'] === true,
    });
    if (untyped !== undefined)
      terminal.err(`svc: types of TypeScript files were not checked: ${untyped} (npm install --save-dev typescript)\n`);
    if (diagnostics.length === 0 && options['json'] !== true)
      terminal.out(`no problems found in ${count(files.length, 'file')}\n`);
    return diagnostics.some(({ severity }) => severity === 'error') ? exitCodes.failure : exitCodes.success;
  },
};

async function runStored(operands: readonly string[], options: OptionValues, terminal: Terminal): Promise<number> {
  if (operands.length > 1) throw usageFailure('check', '--stored takes one application file');
  const configFile = options['config'] as string | undefined;
  const file = findAppFile('check', operands[0], terminal, configFile);
  const { cwd, env, isErrTerminal } = terminal;
  const read = readConfig({
    startDir: file.directory,
    cwd,
    env,
    configFile,
    isTerminal: isErrTerminal,
    isScript: true,
  });
  reportConfig(read, terminal);
  Object.assign(process.env, read.dotEnv);
  const { checkStored } = await import('../program/check-stored.ts');
  return await checkStored({ file, config: read.config, env: read.env, json: options['json'] === true }, terminal);
}

/** Sorts diagnostics by the file as it is shown, then by place. */
function sorted(found: readonly Diagnostic[], shown: (diagnostic: Diagnostic) => string): Diagnostic[] {
  const path = new Map(found.map((one) => [one, shown(one)]));
  return [...found].sort((a, b) => {
    const [x, y] = [path.get(a)!, path.get(b)!];
    return x === y ? a.start - b.start : x < y ? -1 : 1;
  });
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
