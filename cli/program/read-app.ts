import { type ReadConfig, readConfig } from '../../adapters/config/read-config.ts';
import { type AppFile, findAppFile } from '../app-file.ts';
import type { CommandArgs } from '../command.ts';
import { reportConfig } from '../report-config.ts';

/** An application that a command works on without serving it. */
export interface App {
  readonly file: AppFile;
  readonly read: ReadConfig;
}

/**
 * Finds the application a command was given and reads its configuration, from the options `config` and `profile`. What `.env` sets is
 * part of the environment from then on. `isTerminal`: as far as defaults depend on it.
 *
 * @throws CommandFailure when there is no such file, or with what is wrong with the configuration
 */
export function readApp(
  command: string,
  { operands, options, terminal }: CommandArgs,
  isTerminal: boolean = terminal.isErrTerminal,
): App {
  const file = findAppFile(command, operands[0], terminal, options['config'] as string | undefined);
  const read = readScriptConfig(file.directory, { options, terminal }, isTerminal);
  reportConfig(read, terminal);
  Object.assign(process.env, read.dotEnv);
  return { file, read };
}

/** Reads the configuration for a command that serves nothing, from the options `config` and `profile`. Tells nothing of what it found. */
export function readScriptConfig(
  startDir: string,
  { options, terminal }: Pick<CommandArgs, 'options' | 'terminal'>,
  isTerminal: boolean = terminal.isErrTerminal,
): ReadConfig {
  return readConfig({
    startDir,
    cwd: terminal.cwd,
    env: terminal.env,
    configFile: options['config'] as string | undefined,
    profile: options['profile'] as string | undefined,
    isTerminal,
    isScript: true,
  });
}
