import { didYouMean } from '../base/did-you-mean.ts';
import type { Command } from './command.ts';
import { CommandFailure, formatFailure, usageFailure } from './command-failure.ts';
import { exitCodes } from './exit-codes.ts';
import { fileFailure } from './file-failure.ts';
import { commandHelp, overview } from './help.ts';
import { parseArgs } from './parse-args.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { version } from './version.ts';

/** Every command: its line in the overview, and how to load it. A new command is a file in `commands/` and a row here. */
export const commands: readonly {
  readonly name: string;
  readonly about: string;
  readonly load: () => Promise<{ command: Command }>;
}[] = [
  { name: 'start', about: 'Serve an application.', load: () => import('./commands/start.ts') },
  { name: 'run', about: 'Run a program once.', load: () => import('./commands/run.ts') },
  { name: 'check', about: 'Report what is wrong with a program.', load: () => import('./commands/check.ts') },
  { name: 'new', about: 'Create an application to start from.', load: () => import('./commands/new.ts') },
  { name: 'test', about: 'Run the tests of a program.', load: () => import('./commands/test.ts') },
  { name: 'graph', about: 'Print the stored graph of a program.', load: () => import('./commands/graph.ts') },
  { name: 'export', about: 'Write the stored graph as lines of JSON.', load: () => import('./commands/export.ts') },
  { name: 'import', about: 'Make a store from an export.', load: () => import('./commands/import.ts') },
  { name: 'backup', about: 'Copy the store, also while it is in use.', load: () => import('./commands/backup.ts') },
  { name: 'migrate', about: 'Move the store to PostgreSQL.', load: () => import('./commands/migrate.ts') },
  { name: 'user', about: 'List, add and change accounts.', load: () => import('./commands/user.ts') },
  { name: 'reset', about: 'Delete everything that is stored.', load: () => import('./commands/reset.ts') },
  { name: 'format', about: 'Lay out source files.', load: () => import('./commands/format.ts') },
  { name: 'lsp', about: 'Serve an editor.', load: () => import('./commands/lsp.ts') },
  { name: 'webhook', about: 'Sign or send a webhook call.', load: () => import('./commands/webhook.ts') },
  {
    name: 'build',
    about: 'Package an application for deployment.',
    load: () => import('./commands/build.ts'),
  },
  {
    name: 'generate',
    about: 'Write code that uses an application.',
    load: () => import('./commands/generate.ts'),
  },
  {
    name: 'debug',
    about: 'Step through an application.',
    load: () => import('./commands/debug.ts'),
  },
  { name: 'story', about: 'Tell what a call of a running server did.', load: () => import('./commands/story.ts') },
  { name: 'status', about: 'Tell what runs of a deployment.', load: () => import('./commands/status.ts') },
  { name: 'logs', about: 'Print the log of a deployment.', load: () => import('./commands/logs.ts') },
  {
    name: 'rollback',
    about: 'Go back to an earlier revision of a deployment.',
    load: () => import('./commands/rollback.ts'),
  },
  { name: 'destroy', about: 'Remove a deployment.', load: () => import('./commands/destroy.ts') },
  { name: 'explain', about: 'Say what a code means.', load: () => import('./commands/explain.ts') },
  { name: 'doctor', about: 'Look at the surroundings svc works in.', load: () => import('./commands/doctor.ts') },
];

/** Runs one `svc` command line and gives the exit code. Failures are printed, never thrown. */
export async function main(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    const failure = error instanceof CommandFailure ? error : fileFailure(error, terminal.cwd);
    if (failure === undefined) throw error;
    terminal.err(formatFailure(failure));
    return failure.exitCode;
  }
}

async function dispatch(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--version' || name === '-V' || name === 'version') {
    terminal.out(`svc ${version}\n`);
    return exitCodes.success;
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help')
    return await printHelp(rest[0], terminal, name !== undefined);
  const command = await loadCommand(name);
  const parsed = parseArgs(command, rest);
  if (parsed.options['help'] === true) {
    terminal.out(commandHelp(command));
    return exitCodes.success;
  }
  return await command.run({ ...parsed, terminal });
}

async function printHelp(name: string | undefined, terminal: Terminal, wasAsked: boolean): Promise<number> {
  if (name !== undefined) terminal.out(commandHelp(await loadCommand(name)));
  else if (wasAsked) terminal.out(overview(commands));
  else terminal.err(overview(commands));
  return wasAsked ? exitCodes.success : exitCodes.usage;
}

async function loadCommand(name: string): Promise<Command> {
  const row = commands.find((candidate) => candidate.name === name);
  if (row !== undefined) return (await row.load()).command;
  const names = commands.map((candidate) => candidate.name);
  const nearest = didYouMean(name, names);
  if (name.startsWith('-')) throw usageFailure(name, 'unknown option', ['svc --help lists the commands']);
  if (name.endsWith('.svc')) throw usageFailure(name, 'unknown command', [`did you mean svc run ${name}?`]);
  throw usageFailure(name, 'unknown command', [
    nearest === undefined ? 'svc --help lists the commands' : `did you mean svc ${nearest}?`,
  ]);
}
