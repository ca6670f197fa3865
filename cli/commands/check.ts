import { readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { findProjectFile, readConfig } from '../../adapters/config/read-config.ts';
import { diskFiles } from '../../adapters/modules/disk-files.ts';
import type { Config } from '../../core/config/config.ts';
import type { Diagnostic } from '../../lang/diagnostics.ts';
import { flagType } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { projectOptions } from '../program/compile-app.ts';
import { reportDiagnostics } from '../program/report-diagnostics.ts';
import { reportConfig } from '../report-config.ts';
import type { Terminal } from '../terminal.ts';

export const command: Command = {
  name: 'check',
  operands: '[files...]',
  arity: [0, Number.POSITIVE_INFINITY],
  about:
    'Reports everything that is wrong with the named files and what they import, or with all files of the project.',
  options: [
    { name: 'json', type: flagType, about: 'One JSON object per finding.' },
    { name: 'all', type: flagType, about: 'Print more than the first 50 findings.' },
    { name: 'config', type: { kind: 'text', placeholder: 'PATH' }, about: 'Configuration file.', default: 'svc.toml' },
  ],
  async run({ operands, options, terminal }) {
    const named = operands.map((operand) => requireFile(operand, terminal));
    const startDir = named[0] === undefined ? terminal.cwd : dirname(named[0]);
    const configFile = options['config'] as string | undefined;
    const read = readConfig({
      startDir,
      cwd: terminal.cwd,
      env: terminal.env,
      configFile,
      isTerminal: terminal.isErrTerminal,
      isScript: true,
    });
    reportConfig(read, terminal);
    const { config } = read;
    const files = named.length > 0 ? named : projectFiles(config, terminal);
    const diagnostics = await checkFiles(files, config, read.env);
    const { projectDir } = config;
    await reportDiagnostics(diagnostics, {
      terminal,
      stream: 'out',
      projectDir,
      all: options['all'] === true,
      json: options['json'] === true,
    });
    if (diagnostics.length === 0 && options['json'] !== true)
      terminal.out(`no problems found in ${count(files.length, 'file')}\n`);
    return diagnostics.some(({ severity }) => severity === 'error') ? exitCodes.failure : exitCodes.success;
  },
};

function requireFile(operand: string, terminal: Terminal): string {
  const file = resolve(terminal.cwd, operand);
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
  throw new CommandFailure(
    exitCodes.invalid,
    `cannot read ${operand}`,
    statSync(file, { throwIfNoEntry: false }) ? 'not a file' : 'no such file',
  );
}

/** Every source file of the project; annexes come with the module they belong to. */
function projectFiles(config: Config, terminal: Terminal): string[] {
  const root = findProjectFile(terminal.cwd) === undefined ? terminal.cwd : config.projectDir;
  const found = sourceFiles(root);
  const entry = config.project.entryPoint === '' ? join(root, 'main.svc') : resolve(root, config.project.entryPoint);
  found.sort((a, b) => Number(b === entry) - Number(a === entry) || (a < b ? -1 : 1));
  if (found.length > 0) return found;
  throw new CommandFailure(
    exitCodes.usage,
    'check',
    `there is no source file in ${relative(terminal.cwd, root) || 'this directory'}`,
  );
}

const skipped = new Set(['node_modules', 'dist']);

function sourceFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith('.') || skipped.has(entry.name) ? [] : sourceFiles(path);
    return entry.name.endsWith('.svc') ? [path] : [];
  });
}

/** Files that another one has brought along are not checked again on their own. */
async function checkFiles(
  files: readonly string[],
  config: Config,
  env: Readonly<Record<string, string>>,
): Promise<Diagnostic[]> {
  const [{ readProject }, { compileProject }, { annexKind }, { standardMembers }] = await Promise.all([
    import('../../lang/project.ts'),
    import('../../lang/compile.ts'),
    import('../../lang/project/annexes.ts'),
    import('../../core/builtins/standard-members.ts'),
  ]);
  const covered = new Set<string>();
  const found = new Map<string, Diagnostic>();
  const isAnnex = (file: string) => annexKind(file) !== undefined;
  for (const file of [...files.filter((each) => !isAnnex(each)), ...files.filter(isAnnex)]) {
    if (covered.has(file)) continue;
    const project = readProject(file, diskFiles, { ...projectOptions({ config, env }), tests: true });
    for (const module of project.modules.values())
      for (const { path } of module.sources) covered.add(resolve(project.root, path));
    const { diagnostics } = compileProject(project, {
      target: 'server',
      graph: 'sync',
      runtime: '#runtime',
      enforceAccess: config.check.enforceAccess,
      warnsLegacy: config.check.legacy === 'warn',
      standardMembers,
    });
    for (const one of diagnostics) found.set(`${one.path}:${one.start}:${one.code}:${one.message}`, one);
  }
  return [...found.values()].sort((a, b) => (a.path === b.path ? a.start - b.start : a.path < b.path ? -1 : 1));
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
