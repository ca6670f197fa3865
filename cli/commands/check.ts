import { dirname, resolve } from 'node:path';
import { readConfig } from '../../adapters/config/read-config.ts';
import { diskFiles } from '../../adapters/modules/disk-files.ts';
import type { Config } from '../../core/config/config.ts';
import type { Diagnostic } from '../../lang/diagnostics.ts';
import { flagType } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { projectOptions } from '../program/compile-app.ts';
import { namedFiles, projectFiles } from '../program/project-files.ts';
import { reportDiagnostics } from '../program/report-diagnostics.ts';
import { reportConfig } from '../report-config.ts';

export const command: Command = {
  name: 'check',
  operands: '[files...]',
  arity: [0, Number.POSITIVE_INFINITY],
  about:
    'Reports everything that is wrong with the named files and folders and what they import, or with the whole project.',
  options: [
    { name: 'json', type: flagType, about: 'One JSON object per finding.' },
    { name: 'all', type: flagType, about: 'Print more than the first 50 findings.' },
    { name: 'config', type: { kind: 'text', placeholder: 'PATH' }, about: 'Configuration file.', default: 'svc.toml' },
  ],
  async run({ operands, options, terminal }) {
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
    });
    reportConfig(read, terminal);
    const { config } = read;
    const files = named.length > 0 ? named : projectFiles('check', config, terminal);
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

/** Files that another one has brought along are not checked again on their own. */
async function checkFiles(
  files: readonly string[],
  config: Config,
  env: Readonly<Record<string, string>>,
): Promise<Diagnostic[]> {
  const [{ readProject }, { compileProject }, { annexedModule, annexKind }, { standardMembers }] = await Promise.all([
    import('../../lang/project.ts'),
    import('../../lang/compile.ts'),
    import('../../lang/project/annexes.ts'),
    import('../../core/builtins/standard-members.ts'),
  ]);
  const covered = new Set<string>();
  const found = new Map<string, Diagnostic>();
  // An annex is checked as part of its module.
  const modules = files.map((file) => {
    const kind = annexKind(file);
    return (kind === undefined ? undefined : annexedModule(file, kind, diskFiles)) ?? file;
  });
  for (const file of modules) {
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
